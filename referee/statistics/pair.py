"""A pair of games: the same start and seed, seats swapped; the unit that all statistics count in."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Pair:
    """`points` are those of `first`, 0, ½ or 1 a game: in game 1 it has seat 1, in game 2 seat 2, and so on.

    A pair may lack its second game, or both.
    """

    first: str
    second: str
    points: tuple[float, ...]

    def __post_init__(self) -> None:
        if self.first == self.second:
            raise ValueError(f"{self.first} cannot meet itself")
        if not all(points in {0, 0.5, 1} for points in self.points):
            raise ValueError(f"a game gives 0, ½ or 1 points, not {self.points}")

    def points_of(self, bot: str) -> tuple[float, ...]:
        """Of `first` or `second`."""
        return self.points if bot == self.first else tuple(1 - points for points in self.points)

    def lead_of(self, bot: str) -> float:
        """Points above an even share: -1, -½, 0, ½ or 1 in two games, half as much in one."""
        return sum(self.points_of(bot)) - len(self.points) / 2


def pairs_of(bot: str, pairs: Iterable[Pair]) -> list[Pair]:
    """Those with a game of this bot, in an order that does not depend on which was played first."""
    return sorted(pair for pair in pairs if bot in {pair.first, pair.second} and pair.points)


def pairs_between(bot: str, rival: str, pairs: Iterable[Pair]) -> list[Pair]:
    return [pair for pair in pairs_of(bot, pairs) if rival in {pair.first, pair.second}]
