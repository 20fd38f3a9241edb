"""Time as the referee counts it: whole nanoseconds of its own monotonic clock."""

import re
from dataclasses import dataclass

from games import Mistake

MICROSECOND, MILLISECOND, SECOND = 1_000, 1_000_000, 1_000_000_000
UNITS = {"us": MICROSECOND, "ms": MILLISECOND, "s": SECOND, "m": 60 * SECOND, "h": 3600 * SECOND}


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How long a bot may think; without a time per turn and without a budget there is no clock."""

    #: Or the shortest turn, if `longest` is given: then each is drawn by lot.
    turn: int | None
    #: Added to every line, the same for everyone: the way of the message, not thinking time.
    grace: int = 5 * MILLISECOND
    #: Instead of `turn`, for a bot's first turn.
    first: int | None = None
    #: For all turns of a bot together.
    budget: int | None = None
    #: Added to the budget after every turn of the bot that was in time.
    increment: int = 0
    #: Nothing about the length of a turn is told before its line.
    hidden: bool = False
    longest: int | None = None
    #: Times are those of the processors that the bot uses; `cap` times as much may pass on the clock.
    cpu: bool = False
    cap: int = 1
    #: A turn lasts to its line, also if the bot is done before.
    full_turns: bool = False
    #: How many nodes a bot may look at in a turn; it is told, and obeys by itself.
    nodes: int | None = None
    #: A bot that is called over a network gets its round trip on top, at most a hundredth of the thinking time.
    latency_credit: bool = False

    @property
    def unlimited(self) -> bool:
        return self.turn is None and self.first is None and self.budget is None

    def __str__(self) -> str:
        times = [(self.first, "the first"), (self.budget, "a game"), (self.increment, "more after a turn")]
        parts = [f"{format_duration(time)} {what}" for time, what in times if time]
        if self.turn is not None:
            longest = "" if self.longest is None else f" to {format_duration(self.longest)}"
            parts.insert(0, f"{format_duration(self.turn)}{longest} a turn")
        asked = [
            (self.unlimited, "no clock"),
            (self.hidden, "hidden"),
            (self.cpu, "CPU time"),
            (self.full_turns, "full turns"),
            (self.nodes is not None, f"{self.nodes} nodes a turn"),
            (self.latency_credit, "latency credit"),
        ]
        return ", ".join([*parts, *(what for is_asked, what in asked if is_asked)])


def parse_duration(text: str) -> int:
    found = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)\s*(us|ms|s|m|h)", text.strip())
    if not found:
        raise Mistake(
            f"{text[:40]!r} is not a duration: write a number and a unit, such as 200ms, 1.5s or 3m"
        )
    nanoseconds = round(float(found[1]) * UNITS[found[2]])
    if nanoseconds < MILLISECOND:
        raise Mistake(f"{text[:40]!r} is too short: a duration is at least 1ms")
    return nanoseconds


def format_duration(nanoseconds: int) -> str:
    """Three digits and the unit that suits: 1.27 ms, 200 ms, 12.3 s."""
    for unit, size in (("s", SECOND), ("ms", MILLISECOND)):
        if nanoseconds >= size:
            return (
                f"{nanoseconds / size:.3g} {unit}"
                if nanoseconds < 1000 * size
                else f"{nanoseconds // size} {unit}"
            )
    return f"{nanoseconds / MICROSECOND:.3g} µs"
