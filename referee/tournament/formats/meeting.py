"""A meeting of two bots, and the schedule of them that a format gives."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from games import Mistake


@dataclass(frozen=True, slots=True)
class Meeting:
    """Bots are indices in the list of the tournament; `pairs` of games decide it. Numbers count from 0 and belong to
    the same meeting for ever, rounds count from 1.
    """

    number: int
    round: int
    first: int
    second: int
    pairs: int


#: The share of points of `first` in a meeting that is finished, else None.
Score = Callable[[Meeting], float | None]


@dataclass(frozen=True, slots=True)
class Schedule:
    """Every meeting known so far, by number, finished or not; `final` when no more will be added."""

    meetings: tuple[Meeting, ...]
    final: bool
    #: Round and bot, where a bot goes on without a meeting as if it had won one.
    byes: tuple[tuple[int, int], ...] = ()


class Format(Protocol):
    def meetings(self, score: Score, /) -> Schedule:
        """The schedule with more results begins with the one with fewer: a round is added when all before it are
        finished, and depends on them alone.
        """


def finished(meetings: Iterable[Meeting], score: Score) -> bool:
    return all(score(meeting) is not None for meeting in meetings)


def check(*, bots: int, pairs: int) -> None:
    if bots < 2:
        raise Mistake(f"a tournament needs at least 2 bots, not {bots}: name more of them")
    if pairs < 1:
        raise Mistake(f"a meeting needs at least 1 pair of games, not {pairs}")
