"""The games of a ledger in pairs, as statistics take them."""

from collections.abc import Iterable, Iterator

from referee.statistics.pair import Pair
from referee.tournament.ledger import Game


def pairs_of_games(games: Iterable[Game]) -> list[Pair]:
    """In the order in which the first game of each ended. Void games are left out, so a pair may have one game."""
    together: dict[tuple[int, ...], list[Game]] = {}
    for game in games:
        if not game.void:
            together.setdefault((game.cell, game.round, game.meeting, game.pair), []).append(game)
    return [pair for pair_games in together.values() for pair in alternating(pair_games)]


def alternating(games: list[Game]) -> Iterator[Pair]:
    """Usually one. In a Pair seats alternate, beginning with seat 1 for `first`: games that do not are on their own."""
    waiting = sorted(games, key=lambda game: game.number)
    while waiting:
        game = waiting.pop(0)
        first, second = (side.bot for side in game.sides)
        points = [game.points(first)]
        if waiting and [side.bot for side in waiting[0].sides] == [second, first]:
            points.append(waiting.pop(0).points(first))
        yield Pair(first, second, tuple(points))
