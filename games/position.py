"""What every game shows of itself: an immutable position, and how it ended."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, Self

Seat = Literal[1, 2]


def other(seat: Seat) -> Seat:
    return 2 if seat == 1 else 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended by its own rules; `winner` is None for a draw."""

    winner: Seat | None
    scores: tuple[int, int]
    reason: str


class Position(Protocol):
    """An immutable state with everything the rules need; `str()` is its one canonical text, without a newline."""

    @property
    def seat(self) -> Seat:
        """Who moves next."""

    @property
    def scores(self) -> tuple[int, int]: ...

    @property
    def last(self) -> str:
        """The move that led here in canonical form, empty at the start; no part of the position's identity."""

    @property
    def effect(self) -> str:
        """What the last move did, in words ("3 points", "taboo, ..."), empty if nothing worth saying."""

    def legal_moves(self) -> Sequence[str]:
        """Every move that `play` takes, in a fixed order; empty once there is an outcome."""

    def play(self, move: str) -> Self:
        """The position after `move`; raises IllegalMove. May take milliseconds: not for an event loop."""

    def outcome(self) -> Outcome | None: ...

    def draw(self, *, colour: bool = False) -> str:
        """The board for a terminal, several lines."""
