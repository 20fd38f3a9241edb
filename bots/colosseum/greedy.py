"""One step ahead: the board that looks best after the own move."""

from collections.abc import Iterator

from bots.bot import Turn
from bots.colosseum.evaluation import Terms
from games import Proposal
from games.colosseum import Colosseum
from games.colosseum.search import Board


class Greedy:
    """Takes the move after which the evaluation of alphabeta is best, ties at random.

    `reach` and `beside` are as there.
    """

    def __init__(self, *, reach: float = 1.0, beside: float = 2.0) -> None:
        self._terms = Terms(reach=reach, beside=beside)

    def think(self, position: Colosseum, turn: Turn) -> Iterator[Proposal]:
        board = Board(position)
        moves = board.moves()
        turn.rng.shuffle(moves)
        best, best_move = float("-inf"), moves[0]
        for move in moves:
            board.make(move)
            value = self._terms.leaf(board, position.seat)
            board.undo()
            if value > best:
                best, best_move = value, move
        yield Proposal(board.text(best_move), score=best, depth=1, nodes=len(moves))
