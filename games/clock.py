"""How long a game's own rules let a player think."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Clock:
    """Seconds. With a budget for the whole game and no time per turn, a turn may take all that is left."""

    turn: float | None = None
    #: A player's first turn of the game, where that is longer.
    first: float | None = None
    budget: float | None = None
