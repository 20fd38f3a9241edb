"""Tables of a tournament's results in Markdown: every bot's games, grouped by whatever is asked for.

A game counts once for each of its bots. Groups are by `bot`, `rival`, `kind` (the bot without its options), `seat`,
`result`, `ending`, an axis of the tournament such as `board` or `turn`, or an option of the bot such as `c`.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from games import Mistake
from referee.statistics.score import Tally, wilson_interval
from referee.tournament.ledger import Charter, Game, Side, read_charter, read_games

#: What a game is for the bot that has the seat.
RESULTS = {1.0: "won", 0.5: "drawn", 0.0: "lost"}


@dataclass(frozen=True, slots=True)
class Part:
    """One bot's part in a game."""

    game: Game
    side: Side
    points: float
    columns: dict[str, str]


Group = Sequence[Part]


def parts(charter: Charter, games: Sequence[Game]) -> Iterator[Part]:
    """Of all games but those that count for nothing."""
    bots = {entry.name: entry.bot.split(",") for entry in charter.bots}
    for game in games:
        if game.void:
            continue
        for seat, (side, other) in enumerate((game.sides, game.sides[::-1]), 1):
            points = 0.5 if game.winner is None else float(game.winner == seat)
            kind, *options = bots[side.bot]
            yield Part(
                game,
                side,
                points,
                {
                    **charter.cells[game.cell],
                    **dict(option.split("=", 1) for option in options),
                    "bot": side.bot,
                    "rival": other.bot,
                    "kind": kind,
                    "seat": str(seat),
                    "result": RESULTS[points],
                    "ending": game.reason if game.forfeited else game.text.partition(",")[0],
                },
            )


def tally(group: Group) -> Tally:
    points = [part.points for part in group]
    return Tally(points.count(1), points.count(0.5), points.count(0))


def interval(group: Group) -> str:
    found = wilson_interval(tally(group))
    return f"{found.low:.0%} to {found.high:.0%}"


def turns(group: Group) -> int:
    return max(1, sum(part.side.turns for part in group))


def depth(group: Group) -> float:
    """Of a turn, as the last proposal told it."""
    told = [part.side for part in group if part.side.depth is not None]
    return sum((side.depth or 0) * side.turns for side in told) / max(1, sum(side.turns for side in told))


#: What may be shown of a group, as a figure or as a text.
MEASURES: dict[str, Callable[[Group], float | int | str]] = {
    "games": len,
    "won-drawn-lost": lambda group: "{0.wins}-{0.draws}-{0.losses}".format(tally(group)),
    "score": lambda group: f"{tally(group).score:.1%}",
    "95 %": interval,
    "depth": depth,
    "nodes a turn": lambda group: sum(part.side.nodes for part in group) / turns(group),
    "ms a turn": lambda group: sum(part.side.thought_ms for part in group) / turns(group),
    "s a game": lambda group: fmean(part.side.thought_ms for part in group) / 1000,
    "longest ms": lambda group: max(part.side.longest_ms for part in group),
    "turns a game": lambda group: fmean(part.side.turns for part in group),
    "forfeits": lambda group: sum(part.game.forfeited and part.points == 0 for part in group),
}
USUAL = ("games", "won-drawn-lost", "score", "95 %")


@dataclass(frozen=True, slots=True)
class Asked:
    """Groups are `by` these columns; the values of `across`, if there is one, stand side by side."""

    by: Sequence[str]
    show: Sequence[str]
    across: str = ""
    #: Whether the first value across is divided by the second.
    ratio: bool = False

    def check(self, chosen: Sequence[Part]) -> None:
        known = {column for part in chosen for column in part.columns}
        for column in filter(None, [*self.by, self.across]):
            if column not in known:
                raise Mistake(
                    f"{column!r} is no column of these results: there are {', '.join(sorted(known))}"
                )
        for measure in self.show:
            if measure not in MEASURES:
                raise Mistake(f"{measure!r} is no figure: there are {', '.join(MEASURES)}")


def table(charter: Charter, chosen: Sequence[Part], asked: Asked) -> list[list[str]]:
    """The head, then a row for each group."""
    asked.check(chosen)
    by, show, across = asked.by, asked.show, asked.across
    groups: dict[tuple[str, ...], dict[str, list[Part]]] = {}
    for part in chosen:
        key = tuple(part.columns.get(column, "") for column in by)
        groups.setdefault(key, {}).setdefault(part.columns.get(across, ""), []).append(part)
    place = places(charter)
    values = {value for group in groups.values() for value in group}
    beside = sorted(values, key=lambda value: place(across, value))
    head = [*by, *(f"{value} {measure}".strip() for measure in show for value in beside)]
    rows = [[*head, *(f"ratio of {measure}" for measure in show if asked.ratio)]]
    for key in sorted(groups, key=lambda key: [place(*one) for one in zip(by, key, strict=True)]):
        found = [
            [MEASURES[measure](group) if (group := groups[key].get(value)) else "" for value in beside]
            for measure in show
        ]
        ratios = [quotient(*figures[:2]) for figures in found if asked.ratio]
        rows.append([*key, *(text(figure) for figures in found for figure in figures), *ratios])
    return rows


def places(charter: Charter) -> Callable[[str, str], tuple[float, str]]:
    """Bots and values of axes are in the order of the specification, numbers by size, all else by the alphabet."""
    bots = tuple(entry.name for entry in charter.bots)
    kinds = tuple(dict.fromkeys(entry.bot.partition(",")[0] for entry in charter.bots))
    orders = {**charter.axes, "bot": bots, "rival": bots, "kind": kinds}

    def place(column: str, value: str) -> tuple[float, str]:
        order = orders.get(column, ())
        if value in order:
            return order.index(value), ""
        try:
            return float(value), ""
        except ValueError:
            return 0, value

    return place


def quotient(first: float | str, second: float | str) -> str:
    if isinstance(first, str) or isinstance(second, str) or not second:
        return ""
    return f"{first / second:.1f}"


def text(value: float | str) -> str:
    if isinstance(value, str | int):
        return str(value)
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    shown = ", ".join(MEASURES).replace("%", "%%")
    parser.add_argument("folder", type=Path, help="that `shotclock tournament` made")
    parser.add_argument(
        "--by", default="bot,rival", help="columns that make a group, with commas between them"
    )
    parser.add_argument("--show", default=",".join(USUAL), help=f"some of {shown}")
    parser.add_argument("--across", default="", help="a column whose values stand side by side")
    parser.add_argument("--ratio", action="store_true", help="divide the first value across by the second")
    parser.add_argument(
        "--where", action="append", default=[], help="COLUMN=VALUE: only those; may be repeated"
    )
    told = parser.parse_args()
    try:
        charter = read_charter(told.folder)
        chosen = list(parts(charter, read_games(told.folder)))
        for condition in told.where:
            column, _, value = condition.partition("=")
            chosen = [part for part in chosen if part.columns.get(column) == value]
        asked = Asked(told.by.split(","), told.show.split(","), told.across, told.ratio)
        rows = table(charter, chosen, asked)
    except Mistake as mistake:
        raise SystemExit(str(mistake)) from None
    rows.insert(1, ["---"] * len(rows[0]))
    print("\n".join(f"| {' | '.join(row)} |" for row in rows))


if __name__ == "__main__":
    main()
