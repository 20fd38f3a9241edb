"""The Swiss system: in each round bots meet others that have done as well so far."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from games import Mistake
from referee.tournament.formats.matching import most_pairs
from referee.tournament.formats.meeting import Meeting, Schedule, Score, check, finished

#: Two bots that have met.
Met = frozenset[int]


@dataclass(frozen=True, slots=True)
class Swiss:
    """A meeting won is a point, drawn half a point; a bye counts as won.

    Nobody has two byes, and nobody meets the same rival twice as long as that can be avoided.
    """

    bots: int
    rounds: int
    pairs: int

    def __post_init__(self) -> None:
        check(bots=self.bots, pairs=self.pairs)
        most = self.bots - 1 + self.bots % 2
        if not 1 <= self.rounds <= most:
            raise Mistake(f"a Swiss tournament of {self.bots} bots has 1 to {most} rounds, not {self.rounds}")

    def meetings(self, score: Score, /) -> Schedule:
        found: list[Meeting] = []
        byes: list[tuple[int, int]] = []
        met: set[Met] = set()
        points = [0.0] * self.bots
        for number in range(1, self.rounds + 1):
            if not finished(found, score):
                break
            bye, games = next_round(tuple(points), frozenset(met), frozenset(bot for _, bot in byes))
            if bye is not None:
                byes.append((number, bye))
                points[bye] += 1
            due = [
                Meeting(len(found) + place, number, first, second, self.pairs)
                for place, (first, second) in enumerate(games)
            ]
            found += due
            for meeting in due:
                met.add(frozenset({meeting.first, meeting.second}))
                add_points(points, meeting, score(meeting))
        last = found[-1].round
        return Schedule(tuple(found), final=last == self.rounds, byes=tuple(byes))


def add_points(points: list[float], meeting: Meeting, share: float | None) -> None:
    """Of a meeting that is not finished nobody needs them: the next round waits for it."""
    if share is not None:
        won = 1 if share > 0.5 else 0 if share < 0.5 else 0.5
        points[meeting.first] += won
        points[meeting.second] += 1 - won


# A schedule is asked for after each result, and all its rounds but the last are as they were.
@lru_cache(maxsize=256)
def next_round(
    points: tuple[float, ...], met: frozenset[Met], had_bye: frozenset[int]
) -> tuple[int | None, tuple[tuple[int, int], ...]]:
    """Who has the bye, and who meets whom."""
    order = sorted(range(len(points)), key=lambda bot: (-points[bot], bot))
    if len(order) % 2 == 0:
        return None, pair_up(order, points, met)
    bye = choose_bye(order, met, had=had_bye)
    order.remove(bye)
    return bye, pair_up(order, points, met)


def choose_bye(order: Sequence[int], met: Collection[Met], *, had: Collection[int]) -> int:
    """The lowest that had none; a higher one only if that saves the others a rematch."""
    lowest_first = [bot for bot in reversed(order) if bot not in had]
    needed = {}
    for bye in lowest_first:
        needed[bye] = rematches([bot for bot in order if bot != bye], met)
        if not needed[bye]:
            break
    return min(needed, key=needed.__getitem__)


def pair_up(
    order: Sequence[int], points: Sequence[float], met: Collection[Met]
) -> tuple[tuple[int, int], ...]:
    """From the top: each gets the rival it should have, unless those below could then only be paired with more
    rematches than there must be.
    """
    paired: list[tuple[int, int]] = []
    left = list(order)
    spare = rematches(left, met)
    while left:
        first = left[0]
        # There is always one: the allowance is what a best pairing of those left needs.
        second, spent = next(
            (rival, again)
            for rival in wished_rivals(left, points)
            for again in [int(frozenset({first, rival}) in met)]
            if again <= spare  # first, since it is cheap to see
            and again + rematches([bot for bot in left if bot not in {first, rival}], met) <= spare
        )
        paired.append((first, second))
        left = [bot for bot in left if bot not in {first, second}]
        spare -= spent
    return tuple(paired)


def wished_rivals(left: Sequence[int], points: Sequence[float]) -> list[int]:
    """For the first of those left: the middle one of its score group, so that the upper half meets the lower, then
    those around it; then whoever comes next.
    """
    group = sum(points[bot] == points[left[0]] for bot in left)
    return [
        left[place] for place in sorted(range(1, group), key=lambda place: abs(place - group // 2))
    ] + list(left[group:])


def rematches(bots: Sequence[int], met: Collection[Met]) -> int:
    """How many there must be if all of these, an even number, are to be paired."""
    new = [
        [place for place, other in enumerate(bots) if other != bot and frozenset({bot, other}) not in met]
        for bot in bots
    ]
    return len(bots) // 2 - most_pairs(new)
