"""Formats whose meetings are known from the start."""

from collections.abc import Sequence
from dataclasses import dataclass

from games import Mistake
from referee.tournament.formats.meeting import Meeting, Schedule, Score, check


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """Everybody meets everybody once; in each round everybody plays, but one if their number is odd."""

    bots: int
    pairs: int

    def __post_init__(self) -> None:
        check(bots=self.bots, pairs=self.pairs)

    def meetings(self, _: Score, /) -> Schedule:
        """By the circle method: one keeps its place, the others move on by one place a round."""
        places = self.bots + self.bots % 2
        found: list[Meeting] = []
        for turn in range(places - 1):
            circle = [0, *((place + turn) % (places - 1) + 1 for place in range(places - 1))]
            for one, other in zip(circle[: places // 2], reversed(circle), strict=False):
                if max(one, other) < self.bots:
                    first, second = sorted((one, other))
                    found.append(Meeting(len(found), turn + 1, first, second, self.pairs))
        return Schedule(tuple(found), final=True)


@dataclass(frozen=True, slots=True)
class Gauntlet:
    """Every one of `bots` meets every one of `rivals` but itself, and nobody twice."""

    bots: Sequence[int]
    rivals: Sequence[int]
    pairs: int

    def __post_init__(self) -> None:
        check(bots=len({*self.bots, *self.rivals}), pairs=self.pairs)
        if not self.bots or not self.rivals:
            raise Mistake("a gauntlet needs a bot to run it and rivals for it: name at least one of each")

    def meetings(self, _: Score, /) -> Schedule:
        """In rounds in which nobody plays twice, unless it is on both sides."""
        bots, rivals = list(dict.fromkeys(self.bots)), list(dict.fromkeys(self.rivals))
        rounds = max(len(bots), len(rivals))
        met: set[frozenset[int]] = set()
        found: list[Meeting] = []
        for turn in range(rounds):
            for place, bot in enumerate(bots):
                against = (place + turn) % rounds
                if (
                    against >= len(rivals)
                    or bot == rivals[against]
                    or frozenset({bot, rivals[against]}) in met
                ):
                    continue
                met.add(frozenset({bot, rivals[against]}))
                found.append(Meeting(len(found), turn + 1, bot, rivals[against], self.pairs))
        return Schedule(tuple(found), final=True)
