"""How equal the time of the two bots of a match was, and how equal it must have been."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games import Seat
from referee.events import SEATS
from referee.turn import TurnReport


@dataclass(frozen=True, slots=True)
class Side:
    """Of one bot, in nanoseconds: its least round trip (None if it answers no pings), what it was given on top for
    that, and the referee's lag in its turns, usually and at worst.
    """

    trip: int | None
    credit: int
    lag: int
    worst: int

    @property
    def lost(self) -> int:
        """What its usable window usually lacked of thinking time plus grace."""
        return (self.trip or 0) - self.credit + self.lag


@dataclass(frozen=True, slots=True)
class Certificate:
    """By how much the usable windows of the two differ, and the bound; both None if a round trip is not known."""

    sides: tuple[Side, Side]
    difference: int | None
    bound: int | None


def certify(trips: Mapping[Seat, Sequence[int]], reports: Sequence[TurnReport]) -> Certificate:
    first, second = (
        side(trips[seat], [report for report in reports if report.seat == seat]) for seat in SEATS
    )
    if first.trip is None or second.trip is None:
        return Certificate((first, second), None, None)
    apart = abs((first.trip - first.credit) - (second.trip - second.credit))
    return Certificate((first, second), abs(first.lost - second.lost), apart + first.worst + second.worst)


def side(trips: Sequence[int], reports: Sequence[TurnReport]) -> Side:
    lags = [report.lag for report in reports]
    return Side(
        trip=min(trips, default=None),
        credit=usual([report.credit for report in reports]),
        lag=usual(lags),
        worst=max(lags, default=0),
    )


def usual(values: Sequence[int]) -> int:
    """The median; of two in the middle the larger."""
    return sorted(values)[len(values) // 2] if values else 0
