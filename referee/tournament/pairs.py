"""The games of a ledger in pairs, as statistics take them."""

from collections.abc import Iterable

from referee.statistics.pair import Pair
from referee.tournament.ledger import Game


def in_pairs(games: Iterable[Game]) -> list[Pair]:
    """A game that is void gives no points to anybody."""
    points: dict[tuple[int, int, int], dict[int, Game]] = {}
    for game in games:
        points.setdefault((game.cell, game.meeting, game.pair), {})[game.number] = game
    return [pair_of(pair) for pair in points.values()]


def pair_of(games: dict[int, Game]) -> Pair:
    number, game = next(iter(games.items()))
    sides = [side.bot for side in game.sides]
    first, second = sides if number == 1 else sides[::-1]
    return Pair(
        first, second, tuple(games[one].points(first) for one in sorted(games) if not games[one].void)
    )
