"""The weakest bot: any legal move."""

from collections.abc import Iterator

from bots.bot import Turn
from games.sudoku import Sudoku


class Random:
    """Draws one legal move that is not on the taboo list, each as likely as the next."""

    def think(self, position: Sudoku, turn: Turn) -> Iterator[str]:
        yield turn.rng.choice(position.legal_moves())
