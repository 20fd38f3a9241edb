"""What a bot is: any class with a `think` method. Nothing to inherit, nothing to import from a network."""

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, TypeVar

from games import Position, Proposal, Seat

P_contra = TypeVar("P_contra", bound=Position, contravariant=True)

#: What `think` may give: a stream of ever better moves, or one move and that is that.
Thoughts = Iterator[str | Proposal] | str | Proposal | None


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn as the bot knows it; `rng` is seeded by match, seat and turn, so a game can be played again."""

    number: int
    seat: Seat
    rng: random.Random
    #: All moves since this object last thought (on its first turn: of the whole match), own ones included.
    moves: tuple[str, ...] = ()
    #: The line on `time.monotonic()`, or None when the clock is hidden or there is none.
    deadline: float | None = None
    #: Seconds left for this turn and all later ones, or None when only the deadline counts.
    budget: float | None = None
    #: Nodes to look at in this turn at most, which goes before any option of the bot's own; None is no limit.
    nodes: int | None = None
    #: Whether the match allows thinking on the rival's time, in a thread or process of the bot's own.
    off_turn: bool = False

    @property
    def remaining(self) -> float | None:
        """Seconds left to think; None when the clock is hidden or there is none."""
        return None if self.deadline is None else self.deadline - time.monotonic()


class Bot(Protocol[P_contra]):
    """A new object per match; what it keeps on itself lasts for the match. Options are keywords of `__init__`."""

    def think(self, position: P_contra, turn: Turn) -> Thoughts: ...
