"""Who did what against whom."""

from collections.abc import Iterable, Sequence

from referee.statistics.pair import Pair
from referee.statistics.score import Tally


def crosstable(bots: Sequence[str], pairs: Iterable[Pair]) -> dict[str, dict[str, Tally]]:
    """A row for each bot, in the order given, with its games against each of the others; empty where they never met."""
    table = {bot: {rival: Tally() for rival in bots if rival != bot} for bot in bots}
    for pair in pairs:
        for points in pair.points:
            first = Tally(int(points == 1), int(points == 0.5), int(points == 0))
            second = Tally(first.losses, first.draws, first.wins)
            table[pair.first][pair.second] += first
            table[pair.second][pair.first] += second
    return table
