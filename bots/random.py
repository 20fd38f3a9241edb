"""The weakest bot of every game: any legal move."""

from collections.abc import Iterator

from bots.bot import Turn
from games import Position


class Random:
    """Draws one legal move, each as likely as the next."""

    def think(self, position: Position, turn: Turn) -> Iterator[str]:
        yield turn.rng.choice(position.legal_moves())
