"""One bot with two ways to answer: ever better moves as they are found, or one answer when its own clock says so."""

import time
from collections.abc import Iterator

from bots import Turn
from games import Position

#: How long it takes to find a better move, in seconds.
STEP = 0.01


class Anytime:
    """Proposes whatever it has found, until it is stopped."""

    def think(self, position: Position, turn: Turn) -> Iterator[str]:
        moves = list(position.legal_moves())
        while True:
            yield turn.rng.choice(moves)
            time.sleep(STEP)


class OneAnswer:
    """Thinks as long as its own clock allows, less a margin in seconds, and then gives the best it has found."""

    def __init__(self, *, margin: float = 0.0) -> None:
        self.margin = margin

    def think(self, position: Position, turn: Turn) -> Iterator[str]:
        moves = list(position.legal_moves())
        while (left := (turn.remaining or 0.0) - self.margin) > 0:
            move = turn.rng.choice(moves)
            time.sleep(min(STEP, left))
        yield move
