"""The weakest Sudoku bot: any move that leaves a solution."""

from collections.abc import Iterator

from bots.bot import Turn
from games.sudoku import Sudoku


class Random:
    """Draws one move that is legal and not taboo, each as likely as the next.

    Asking the oracle may take longer than a short turn, so that any legal move is proposed before.
    """

    def think(self, position: Sudoku, turn: Turn) -> Iterator[str]:
        moves = position.legal_moves()
        turn.rng.shuffle(moves)
        yield moves[0]
        yield next(move for move in moves if position.play(move).cells != position.cells)
