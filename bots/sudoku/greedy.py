"""One step ahead: the most points now."""

from collections.abc import Iterator

from bots.bot import Turn
from games.sudoku import Sudoku


class Greedy:
    """Takes the most points on offer, ties at random."""

    def think(self, position: Sudoku, turn: Turn) -> Iterator[str]:
        moves = position.legal_moves()
        turn.rng.shuffle(moves)
        yield max(moves, key=position.points)
