"""How the time for a whole game is spread over its turns."""

from dataclasses import dataclass

from bots.options import at_least

#: The part of what is left that a turn takes at most.
LARGEST_PART = 1 / 4


@dataclass(frozen=True, slots=True)
class Plan:
    """In seconds. What `share` gives, turn after turn, never adds up to more than there is.

    A game seldom lasts to its last ply, so what is left is spread over `spread` turns at most; `reserve` is kept for
    each turn that may still come, and no turn takes longer than `longest`.
    """

    spread: int
    reserve: float
    longest: float

    def __post_init__(self) -> None:
        at_least(1, spread=self.spread)
        at_least(0, reserve=self.reserve, longest=self.longest)

    def share(self, left: float, turns: int) -> float:
        """How long to think now, with so much left for so many turns, this one among them."""
        spare = max(0.0, left - self.reserve * turns)
        return min(self.longest, spare / min(turns, self.spread), spare * LARGEST_PART)
