"""The report as one HTML page that needs nothing else: no script, no font, no picture from elsewhere."""

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from referee.record import SUFFIX
from referee.reporting import words
from referee.reporting.curves import HALVES, shorter
from referee.reporting.look import STYLE
from referee.reporting.picture import Picture, Section
from referee.reporting.report import Report
from referee.reporting.rows import Encounter, Trouble
from referee.tournament.ledger import RECORDS
from referee.tournament.outcome import outcomes

#: Matches that are named for one fault; all of them are in report.json.
MOST_MATCHES = 5
#: Colours of a picture that the page gives its own values, in light and in dark.
OWN_COLOURS = {"#222223": "var(--ink)", "#fefefd": "var(--paper)", "#d8d8d9": "var(--grid)"}


def page(report: Report, pictures: Sequence[Picture]) -> str:
    charter = report.results.charter
    title = text(charter.name)
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f"<title>{title}</title>",
        f"<style>{STYLE}</style></head>",
        f"<body><main><header><h1>{title}</h1>",
        *head(report),
        "</header>",
        *standings(report, pictures),
        *rivals(report, pictures),
        *sweeps(report, pictures),
        *efforts(report, pictures),
        *curves(report, pictures),
        *timing(report, pictures),
        *faults(report),
        "</main></body></html>",
    ]
    return "\n".join(parts) + "\n"


def text(value: object) -> str:
    return escape(words.plain(str(value)))


def named(bot: str) -> str:
    """A long name may be broken after its commas."""
    return text(bot).replace(",", ",<wbr>")


def head(report: Report) -> Iterator[str]:
    charter, results = report.results.charter, report.results
    if charter.about:
        yield from (
            f'<p class="about">{text(part)}</p>'
            for part in re.split(r"\n\s*\n", charter.about)
            if part.strip()
        )
    yield '<p class="facts">' + " · ".join(text(fact) for fact in facts(report)) + "</p>"
    if report.unfinished:
        yield f'<p class="notice">Unfinished: {len(results.games):,} of {report.planned:,} games are over.</p>'
    settings = ", ".join(f"{name} {value}" for name, value in charter.fixed.items())
    if settings:
        yield f"<p>In all games: {text(settings)}.</p>"
    for axis, values in charter.axes.items():
        yield f"<p>{text(axis)}: {text(', '.join(values))}.</p>"
    if charter.command:
        yield f"<p>To go on or to do it again:</p><pre><code>{text(charter.command)}</code></pre>"


def facts(report: Report) -> list[str]:
    results = report.results
    first, last = report.days or ("", "")
    found = [
        results.charter.format,
        words.count(len(results.bots), "bot"),
        words.count(len(results.games), "game")
        + (f", {report.voided:,} of them void" if report.voided else ""),
        f"seed {results.charter.seed}",
    ]
    if first:
        found.append(f"played on {first}" if first == last else f"played from {first} to {last}")
    return found


def standings(report: Report, pictures: Sequence[Picture]) -> Iterator[str]:
    yield from heading(Section.STANDINGS.value)
    charter = report.results.charter
    if charter.format == "knockout":  # a test has a section of its own
        yield from (f"<p>{text(one)}.</p>" for one in outcomes(charter, report.results.games))
    rows = [
        [
            str(row.rank),
            named(row.bot),
            f"{row.result.games:,}",
            words.wins_draws_losses(row.result),
            words.score(row.result),
            words.rating(row),
            str(row.forfeits),
        ]
        for row in report.standings
    ]
    yield table(["", "bot", "games", "won-drawn-lost", "score", "rating", "forfeits"], rows, names=(1,))
    yield (
        "<p class='note'>A win is 1 point, a draw one half; the score is the share of the points. In brackets: 95 %"
        " intervals, from pairs of games with the seats swapped. Ratings are joint, in points of Elo's scale around a"
        " mean of 0; a bot that won or lost everything has a bound only.</p>"
    )
    yield from shown(pictures, Section.STANDINGS)
    yield '<section class="wrong"><h3>What went wrong</h3>'
    sentences = words.wrong(report.troubles)
    if sentences:
        yield "<ul>" + "".join(f"<li>{text(sentence)}</li>" for sentence in sentences) + "</ul>"
        yield (
            "<p>A game that a bot forfeited was decided by the referee, against that bot alone. No other result is"
            " touched by it.</p>"
        )
    else:
        yield "<p>Nothing: no bot crashed, hung, broke the rules or forfeited a game.</p>"
    if report.voided:
        yield (
            f"<p>{words.count(report.voided, 'game')} {'is' if report.voided == 1 else 'are'} void, by no fault"
            " of a bot, and count for nothing.</p>"
        )
    yield "</section></section>"


def rivals(report: Report, pictures: Sequence[Picture]) -> Iterator[str]:
    yield from heading(Section.RIVALS.value)
    yield crosstable(report)
    first = report.first_seat
    if first.score is not None:
        advantage = words.points(report.seat_advantage)
        yield (
            f"<p>Whoever begins took {words.score(first)} of the points ({words.wins_draws_losses(first)}); in points"
            f" of the rating scale, beginning is worth {advantage}.</p>"
        )
    for test in report.tests:
        where = ", ".join(f"{axis} {value}" for axis, value in test.setting.items())
        said = {
            "accept": f"{test.bot} is stronger than {test.rival} by {test.elo1:g} points rather than by {test.elo0:g}",
            "reject": f"{test.bot} is not stronger than {test.rival} by {test.elo1:g} points",
        }.get(test.decision, "undecided so far")
        pairs = words.count(len(test.ratios) - 1, "pair")
        yield f"<p>Sequential test{text(f' ({where})' if where else '')}, after {pairs}: {text(said)}.</p>"
    yield from shown(pictures, Section.RIVALS)
    yield "</section>"


def crosstable(report: Report) -> str:
    met = {(row.bot, row.rival): row for row in report.encounters}
    rows = []
    for place, bot in enumerate(report.order, 1):
        cells = [f'<td class="number">{place}</td><th scope="row">{named(bot)}</th>']
        cells += [crossing(met.get((bot, rival))) for rival in report.order]
        rows.append(f"<tr>{''.join(cells)}</tr>")
    columns = "".join(f'<th scope="col">{place}</th>' for place in range(1, len(report.order) + 1))
    return wide(
        f'<table class="cross"><thead><tr><th></th><th scope="col">bot</th>{columns}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def crossing(row: Encounter | None) -> str:
    """Deeper blue for a better score, deeper red for a worse one; the text says the same."""
    if row is None or row.result.score is None:
        return '<td class="none">·</td>'
    lead = 2 * row.result.score - 1
    tone = "win" if lead >= 0 else "loss"
    known = "" if row.better is None else f"; better with a probability of {100 * row.better:.1f} %"
    return (
        f'<td class="{tone}" style="--deep:{abs(lead) * 55:.0f}%" title="{escape(words.score(row.result) + known)}">'
        f"{100 * row.result.score:.0f} %<small>{words.wins_draws_losses(row.result)}</small></td>"
    )


def sweeps(report: Report, pictures: Sequence[Picture]) -> Iterator[str]:
    if not report.axes:
        return
    yield from heading(Section.SWEEPS.value)
    yield from shown(pictures, Section.SWEEPS)
    for axis in report.axes:
        rows = [
            [
                text(row.setting[axis]),
                named(row.bot),
                f"{row.result.games:,}",
                words.wins_draws_losses(row.result),
                words.score(row.result),
                words.number(row.effort.depth),
                words.number(row.effort.nodes_a_turn),
            ]
            for row in report.views[axis]
        ]
        columns = [text(axis), "bot", "games", "won-drawn-lost", "score", "depth", "nodes a turn"]
        yield folded(f"By {text(axis)}, as a table", table(columns, rows, names=(0, 1)))
    yield "</section>"


def efforts(report: Report, pictures: Sequence[Picture]) -> Iterator[str]:
    yield from heading(Section.EFFORT.value)
    overall = {row.bot: row.effort for row in report.views[""]}
    rows = [
        [
            named(bot),
            f"{overall[bot].turns:,}",
            words.number(overall[bot].depth),
            words.number(overall[bot].nodes_a_turn),
            words.duration(overall[bot].thought_ms_a_turn),
            words.duration(overall[bot].thought_ms_a_game),
            words.duration(overall[bot].longest_ms),
        ]
        for bot in report.order
    ]
    columns = ["bot", "turns", "depth", "nodes a turn", "thinking a turn", "thinking a game", "longest think"]
    yield table(columns, rows, names=(0,))
    yield from shown(pictures, Section.EFFORT)
    seats = {(row.bot, row.seat): row.result for row in report.seatings}
    rows = [
        [
            named(bot),
            *(
                cell
                for seat in (1, 2)
                for cell in (words.wins_draws_losses(seats[bot, seat]), words.score(seats[bot, seat]))
            ),
        ]
        for bot in report.order
    ]
    columns = ["bot", "as player 1", "score", "as player 2", "score"]
    yield folded("Results by seat, as a table", table(columns, rows, names=(0,)))
    yield "</section>"


def curves(report: Report, pictures: Sequence[Picture]) -> Iterator[str]:
    found = report.study
    if found is None:
        return
    yield from heading(Section.CURVES.value)
    if found.missing or found.damaged:
        yield f'<p class="notice">{text(words.left_out(found))}</p>'
    if found.curves:
        by_bot = {one.bot: one for one in found.curves}
        rows = [
            [
                named(bot),
                f"{by_bot[bot].records:,}",
                f"{by_bot[bot].turns:,}",
                *(words.percent(sum(shorter(by_bot[bot], share))) for share in HALVES),
            ]
            for bot in report.order
            if bot in by_bot
        ]
        columns = ["bot", "records", "turns", "at 1/2 of the turn", "at 1/4", "at 1/8"]
        yield "<p>In so many turns the move would have been another one, or none, had the turn been shorter:</p>"
        yield table(columns, rows, names=(0,))
    else:
        yield "<p>No record has a turn with a move, so there is nothing to draw.</p>"
    yield from shown(pictures, Section.CURVES)
    yield "</section>"


def timing(report: Report, pictures: Sequence[Picture]) -> Iterator[str]:
    found = report.timing
    yield from heading(Section.TIMING.value)
    if found.certified:
        yield (
            f"<p>In {words.count(found.certified, 'game')} the time that the two bots could use differed by"
            f" {words.duration(found.median_ms)} (median), at most by {words.duration(found.worst_ms)}. The largest"
            f" bound of a game is {words.duration(found.bound_ms)}; the difference was within its bound in"
            f" {words.count(found.within, 'game')}.</p>"
        )
    if found.uncertified:
        yield f"<p>{words.count(found.uncertified, 'game')} without a certificate: a bot answered no pings.</p>"
    yield (
        f"<p>{words.count(found.tainted_turns, 'turn')} in {words.count(found.tainted_games, 'game')} had to be played"
        " again, because the referee itself was too slow.</p>"
        if found.tainted_turns
        else "<p>The referee was never too slow: no turn had to be played again.</p>"
    )
    rows = [
        [
            named(row.bot),
            words.duration(row.limit_ms),
            f"{row.games:,}",
            words.duration(row.longest_ms),
            f"{row.over:,}" if row.limit_ms is not None else words.NOTHING,
        ]
        for row in report.longest
    ]
    columns = ["bot", "turn and grace", "games", "longest think", "games with a longer one"]
    yield table(columns, rows, names=(0,))
    yield from shown(pictures, Section.TIMING)
    yield "</section>"


def faults(report: Report) -> Iterator[str]:
    if not report.troubles:
        return
    yield from heading("Faults")
    rows = [
        [
            named(row.bot),
            "lost" if row.forfeit else "went on",
            text(row.kind),
            f"{row.times:,}",
            text(words.short(row.text)) or words.NOTHING,
            records(row),
        ]
        for row in report.troubles
    ]
    yield table(["bot", "game", "reason", "times", "for example", "records"], rows, names=(0, 2, 4, 5))
    yield "</section>"


def records(row: Trouble) -> str:
    named = "<br>".join(
        f"<code>{text(f'{RECORDS}/{match}{SUFFIX}')}</code>" for match in row.matches[:MOST_MATCHES]
    )
    more = len(row.matches) - MOST_MATCHES
    return f"{named}<br>and {more:,} more" if more > 0 else named


def heading(title: str) -> Iterator[str]:
    yield f"<section><h2>{escape(title)}</h2>"


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, names: tuple[int, ...] = ()) -> str:
    """`columns` and `rows` are HTML already; columns of `names` are texts, the others stand right-aligned."""
    kinds = ["name" if place in names else "number" for place in range(len(columns))]
    head = "".join(
        f'<th scope="col" class="{kind}">{column}</th>' for kind, column in zip(kinds, columns, strict=True)
    )
    body = "".join(
        "<tr>"
        + "".join(f'<td class="{kind}">{cell}</td>' for kind, cell in zip(kinds, row, strict=True))
        + "</tr>"
        for row in rows
    )
    return wide(f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")


def wide(inner: str) -> str:
    """Scrolls sideways on a narrow screen."""
    return f'<div class="wide" tabindex="0">{inner}</div>'


def folded(summary: str, inner: str) -> str:
    return f"<details><summary>{summary}</summary>{inner}</details>"


def shown(pictures: Sequence[Picture], section: Section) -> Iterator[str]:
    for picture in pictures:
        if picture.section is section:
            caption = escape(picture.caption)
            yield f'<figure id="{picture.name}">{wide(inline(picture))}<figcaption>{caption}</figcaption></figure>'


def inline(picture: Picture) -> str:
    """Without what only a file needs, with the page's colours, and as wide as there is room for."""
    svg = picture.svg[picture.svg.index("<svg") :].rstrip()
    svg = re.sub(r"\s*<metadata>.*?</metadata>", "", svg, count=1, flags=re.DOTALL)
    opening, rest = svg.split(">", 1)
    width = re.search(r'width="([0-9.]+)pt"', opening)
    opening = re.sub(r'\s(?:width|height)="[0-9.]+pt"', "", opening)
    size = f"max-width:{float(width[1]) * 4 / 3:.0f}px" if width else ""
    for colour, own in OWN_COLOURS.items():
        rest = rest.replace(colour, own)
    return f'{opening} role="img" aria-label="{escape(picture.caption)}" style="{size}">{rest}'
