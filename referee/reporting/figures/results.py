"""Who won: standings, crosstable, who is better, seats, endings, and a sequential test."""

from collections.abc import Callable, Sequence

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

from referee.reporting import words
from referee.reporting.figures.style import COLOURS, INK, SCORES, WIDTH, Looks, label, legend, sheet
from referee.reporting.report import Report
from referee.reporting.rows import Encounter, Test
from referee.reporting.tables import KINDS


def standings(report: Report, bots: Sequence[str], looks: Looks) -> Figure:
    figure, (scores, ratings) = sheet(1.1 + 0.42 * len(bots), columns=2, sharey=True)
    rows = {row.bot: row for row in report.standings}
    for place, bot in enumerate(bots):
        row, look = rows[bot], looks[bot]
        found = row.result
        if found.score is None or found.low is None or found.high is None:
            continue
        scores.plot([found.low, found.high], [place, place], color=look.colour, linewidth=2)
        scores.plot(found.score, place, look.marker, color=look.colour, markersize=7)
        rating_line(
            ratings, place, row.rating, (row.rating_low, row.rating_high), row.bound, look.colour, look.marker
        )
    bot_rows(scores, bots)
    scores.set_xlim(-0.02, 1.02)
    scores.xaxis.set_major_formatter(PercentFormatter(1))
    scores.set_title("Share of the points")
    ratings.set_title("Rating (0 is the mean of all)")
    return figure


def rating_line(
    panel: Axes, place: int, rating: float, ends: tuple[float, float], bound: str, colour: str, marker: str
) -> None:
    """With an arrow where only one end is known."""
    low, high = ends
    if bound == "unknown":
        panel.text(0, place, "unknown", ha="center", va="center", fontsize=8)
        return
    if not bound:
        panel.plot([low, high], [place, place], color=colour, linewidth=2)
        panel.plot(rating, place, marker, color=colour, markersize=7)
        return
    start, end = (low, rating) if bound == "at least" else (high, rating)
    panel.plot([start, end], [place, place], color=colour, linewidth=2, linestyle=":")
    panel.plot(start, place, "|", color=colour, markersize=12, markeredgewidth=2)
    panel.plot(end, place, ">" if bound == "at least" else "<", color=colour, markersize=7)


def bot_rows(panel: Axes, bots: Sequence[str], *, width: int = 26) -> None:
    """The first bot on top."""
    panel.set_yticks(range(len(bots)), [label(bot, width=width, lines=2) for bot in bots])
    panel.set_ylim(len(bots) - 0.4, -0.6)
    panel.grid(axis="y", visible=False)


def crosstable(report: Report, bots: Sequence[str]) -> Figure:
    def cell(row: Encounter) -> tuple[float | None, str]:
        if row.result.score is None:
            return None, ""
        share = f"{100 * row.result.score:.0f} %"
        return row.result.score, share if len(
            bots
        ) > 14 else f"{share}\n{words.wins_draws_losses(row.result)}"

    return squares(report, bots, cell, "Share of the points that the row took from the column")


def better(report: Report, bots: Sequence[str]) -> Figure:
    def cell(row: Encounter) -> tuple[float | None, str]:
        return row.better, "" if row.better is None else chance(row.better)

    return squares(report, bots, cell, "Probability that the row is better than the column")


def chance(probability: float) -> str:
    """Never quite certain."""
    if probability > 0.995:
        return "> 99 %"
    return "< 1 %" if probability < 0.005 else f"{100 * probability:.0f} %"


def squares(
    report: Report, bots: Sequence[str], cell: Callable[[Encounter], tuple[float | None, str]], what: str
) -> Figure:
    """Columns have the number of their bot, so that no long name has to stand upright."""
    size = len(bots)
    figure, (panel,) = sheet(
        1.0 + max(0.48 * size, 0.8), width=0.55 * size + 3 if size > 12 else min(WIDTH, 1.3 * size + 3.2)
    )
    found = {(row.bot, row.rival): cell(row) for row in report.encounters}
    values = [[(found.get((bot, rival)) or (None, ""))[0] for rival in bots] for bot in bots]
    texts = [[(found.get((bot, rival)) or (None, ""))[1] for rival in bots] for bot in bots]
    heat(panel, values, texts, small=size > 8)
    panel.set_xticks(range(size), [str(place) for place in range(1, size + 1)])
    panel.set_yticks(
        range(size), [label(f"{place}  {bot}", width=30, lines=2) for place, bot in enumerate(bots, 1)]
    )
    panel.xaxis.tick_top()
    panel.set_title(what, pad=8)
    return figure


def heat(
    panel: Axes,
    values: Sequence[Sequence[float | None]],
    texts: Sequence[Sequence[str]],
    *,
    small: bool = False,
) -> None:
    """Coloured squares from 0 to 1 with a text in each; where there is no value there is no square."""
    shades = mpl.colormaps[SCORES]
    for row, line in enumerate(values):
        for column, value in enumerate(line):
            if value is None:
                panel.text(column, row, "·", ha="center", va="center")
                continue
            # The ends of the colours are so dark that no text on them could be read.
            shade = shades(0.08 + 0.84 * value)
            panel.add_patch(
                mpl.patches.Rectangle((column - 0.48, row - 0.48), 0.96, 0.96, facecolor=shade, linewidth=0)
            )
            bright = 0.299 * shade[0] + 0.587 * shade[1] + 0.114 * shade[2] > 0.5
            panel.text(
                column,
                row,
                texts[row][column],
                ha="center",
                va="center",
                color="#000000" if bright else "#ffffff",
                fontsize=6.5 if small else 8,
            )
    panel.set_xlim(-0.5, len(values[0]) - 0.5)
    panel.set_ylim(len(values) - 0.5, -0.5)
    panel.grid(visible=False)
    panel.tick_params(length=0)
    panel.spines[:].set_visible(False)


def seats(report: Report, bots: Sequence[str], looks: Looks) -> Figure:
    figure, (panel,) = sheet(1.4 + 0.42 * len(bots))
    found = {(row.bot, row.seat): row.result for row in report.seatings}
    for place, bot in enumerate(bots):
        for seat, aside in ((1, -0.16), (2, 0.16)):
            one, look = found[bot, seat], looks[bot]
            if one.score is None or one.low is None or one.high is None:
                continue
            at = place + aside
            panel.plot([one.low, one.high], [at, at], color=look.colour, linewidth=1.5)
            fill = look.colour if seat == 1 else "none"
            panel.plot(one.score, at, "o", color=look.colour, markerfacecolor=fill, markersize=6)
    panel.plot([], [], "o", color=INK, label="as player 1, who begins")
    panel.plot([], [], "o", color=INK, markerfacecolor="none", label="as player 2")
    bot_rows(panel, bots, width=30)
    panel.set_xlim(-0.02, 1.02)
    panel.xaxis.set_major_formatter(PercentFormatter(1))
    panel.set_title("Share of the points at each seat")
    legend(figure, panel)
    return figure


def endings(report: Report, bots: Sequence[str]) -> Figure:
    figure, (panel,) = sheet(1.6 + 0.4 * len(bots))
    kinds = [*KINDS, *sorted({row.kind for row in report.endings} - {*KINDS})]
    colours = dict(zip(KINDS, (COLOURS[0], COLOURS[4], GRID_GREY, COLOURS[5]), strict=True))
    counts = {(row.bot, row.kind): row.games for row in report.endings}
    left = [0] * len(bots)
    hatches = ("///", "...", "xxx", "\\\\\\", "+++", "ooo", "---", "|||", "**")
    for number, kind in enumerate(kinds):
        widths = [counts.get((bot, kind), 0) for bot in bots]
        if not any(widths):
            continue
        own = kind not in KINDS
        panel.barh(
            range(len(bots)),
            widths,
            left=left,
            height=0.7,
            label=words.KIND_NAMES.get(kind, f"lost: {kind.replace('_', ' ')}"),
            color=COLOURS[1] if own else colours[kind],
            hatch=hatches[number % len(hatches)] if own else "",
            edgecolor="#ffffff",
            linewidth=0.4,
        )
        left = [had + more for had, more in zip(left, widths, strict=True)]
    bot_rows(panel, bots, width=30)
    panel.xaxis.set_major_locator(MaxNLocator(integer=True))
    panel.set_title("Games by how they ended")
    legend(figure, panel)
    return figure


#: Darker than the lines of the grid, which are the page's.
GRID_GREY = "#b5b5b5"


def sequential(tests: Sequence[Test]) -> Figure:
    figure, (panel,) = sheet(4.2)
    for place, test in enumerate(tests):
        name = ", ".join(f"{axis} {value}" for axis, value in test.setting.items())
        panel.plot(
            range(len(test.ratios)),
            test.ratios,
            color=COLOURS[place % len(COLOURS)],
            linewidth=1.6,
            label=label(name, width=40) if len(tests) > 1 else None,
        )
    test = tests[0]
    for height, text, above in (
        (test.upper, f"accepted: stronger by {test.elo1:g}", True),
        (test.lower, f"rejected: only by {test.elo0:g}", False),
    ):
        panel.axhline(height, color=INK, linestyle="--", linewidth=1)
        panel.annotate(
            text,
            (0.01, height),
            xycoords=("axes fraction", "data"),
            xytext=(0, 4 if above else -4),
            textcoords="offset points",
            va="bottom" if above else "top",
            fontsize=8,
        )
    panel.margins(y=0.15)
    panel.xaxis.set_major_locator(MaxNLocator(integer=True))
    panel.set_xlabel("pairs of games")
    panel.set_ylabel("log-likelihood ratio")
    panel.set_title(label(f"Is {test.bot} stronger than {test.rival}?", width=90))
    legend(figure, panel)
    return figure
