"""What the figures of a machine mean for matches on it; pure, so that it can be asked about any machine."""

from collections.abc import Sequence
from dataclasses import dataclass

from referee.timing import MILLISECOND, TimeControl, format_duration

GRACE = TimeControl(None).grace
#: Of a turn may be uncertain: late timers, messages under way, a bot that thaws.
UNCERTAIN = 0.05
#: Of the speed a bot has alone, it must keep with other matches beside it.
SPEED_KEPT = 0.8
TURNS = tuple(step * MILLISECOND for step in (5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000))


@dataclass(frozen=True, slots=True)
class Sample:
    """Nanoseconds, of something measured many times."""

    median: int
    p99: int
    worst: int
    count: int


def sample(taken: Sequence[int]) -> Sample:
    ordered = sorted(taken)
    last = len(ordered) - 1
    return Sample(
        ordered[last // 2], ordered[min(last, -(-99 * len(ordered) // 100) - 1)], ordered[last], last + 1
    )


@dataclass(frozen=True, slots=True)
class Level:
    """So many matches at once, in each of them one bot that thinks as hard as it can."""

    matches: int
    #: How late the referee's timer was.
    lag: Sample
    #: What the slowest of the bots kept of the speed it has alone.
    speed: float

    @property
    def flaw(self) -> str:
        """Why so many are too many, or nothing."""
        matches = "1 match" if self.matches == 1 else f"{self.matches} matches"
        if self.lag.p99 > GRACE:
            late, grace = format_duration(self.lag.p99), format_duration(GRACE)
            return f"with {matches} lines are {late} late (p99), more than the grace of {grace}"
        if self.speed < SPEED_KEPT:
            return f"with {matches} a bot keeps {self.speed:.0%} of its speed, less than {SPEED_KEPT:.0%}"
        return ""


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured; `levels` by growing number of matches, the first of them alone."""

    cores: int
    timer: Sample
    trip: Sample
    #: Until a process that was told to stop, or to go on, does so.
    freeze: Sample
    thaw: Sample
    #: How it was told.
    freezer: str
    levels: tuple[Level, ...]

    @property
    def matches(self) -> int:
        """The most that are safe: fewer must be safe, too."""
        safe = 0
        for level in self.levels:
            if level.flaw:
                break
            safe = level.matches
        return safe

    def uncertain(self, matches: int) -> int:
        """Nanoseconds of a turn that nobody can promise to a bot."""
        lags = [level.lag.p99 for level in self.levels if level.matches <= matches]
        return max(self.timer.p99, *lags) + self.trip.p99 + self.thaw.p99

    def turn(self, matches: int) -> int | None:
        """The shortest round time per turn that is safe with so many matches; None if no usual one is."""
        least = self.uncertain(matches) / UNCERTAIN
        return next((turn for turn in TURNS if turn >= least), None)


def unfit(figures: Figures, *, turn: int | None, matches: int | None) -> list[str]:
    """Why this machine is not fit for what is asked, in sentences; for nothing in particular any machine is."""
    flaws = []
    if matches is not None:
        flaws = [
            f"{level.flaw}: {advice(figures)}"
            for level in figures.levels
            if level.matches == matches and level.flaw
        ]
        if not flaws and matches > figures.matches:
            flaws = [f"fewer than {matches} matches are too many already: {advice(figures)}"]
    if turn is not None:
        unsure = figures.uncertain(matches or 1)
        if unsure > UNCERTAIN * turn:
            safe = figures.turn(matches or 1)
            instead = f"use {format_duration(safe)} or more" if safe else "use another machine"
            share = unsure / turn
            flaws.append(
                f"of a turn of {format_duration(turn)} {format_duration(unsure)} are uncertain ({share:.0%}, "
                f"at most {UNCERTAIN:.0%} may be): {instead}"
            )
    return flaws


def advice(figures: Figures) -> str:
    if figures.matches:
        return f"play at most {figures.matches} at once here"
    return "use a quieter machine"
