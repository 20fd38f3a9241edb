"""Plain minimax to a fixed depth, nothing left out: what every other search must agree with."""

from collections.abc import Sequence
from math import inf
from typing import Any, Generic

from bots.search.board import B, Evaluation, Order
from bots.search.effort import Effort
from games import Seat

#: The best line from somewhere on, as a chain of pairs: a move and the line after it.
Line = tuple[Any, ...]


class Minimax(Generic[B]):
    """Values are for the seat to move; `evaluate` is asked for the seat that was to move when the search was made.

    The board is as it was whenever a value is given. An exception, an interrupt too, leaves it somewhere on the way:
    the search and its board are for one turn.
    """

    def __init__(
        self,
        board: B,
        evaluate: Evaluation[B],
        *,
        order: Order[B] | None = None,
        effort: Effort | None = None,
    ) -> None:
        self.board = board
        self.order = order
        self.effort = Effort() if effort is None else effort
        #: How many leaves there were for lack of depth, not because the game was over.
        self.horizons = 0
        #: The best line of the value given last, by the plies it was searched to.
        self.lines: dict[int, Line] = {}
        self._evaluate = evaluate
        self._seat = board.seat

    def value(self, depth: int, alpha: float, beta: float) -> float:
        """The value after the best play of `depth` plies; the window is for others."""
        self.effort.spend()
        board = self.board
        seat = board.seat
        if not depth:
            self.horizons += 1
            return self.leaf(depth)
        moves = board.moves()
        if not moves:
            return self.leaf(depth)
        if self.order is not None:
            moves = self.order(board, moves)
        best = -inf
        for move in moves:
            board.make(move)
            value = self.value(depth - 1, alpha, beta)
            value = value if board.seat == seat else -value
            board.undo()
            if value > best:
                best = value
                self.lines[depth] = (move, self.lines[depth - 1])
        return best

    def after(self, seat: Seat, depth: int, alpha: float, beta: float, *, place: int = 0) -> float:  # noqa: ARG002 - for others
        """The value for the seat that has just moved; `place` is that of its move in the order."""
        if self.board.seat == seat:
            return self.value(depth, alpha, beta)
        return -self.value(depth, -beta, -alpha)

    def promising(self, moves: Sequence[Any], depth: int) -> Sequence[Any]:  # noqa: ARG002 - for others
        """The order in which root moves are best tried: here it does not matter."""
        return moves

    def leaf(self, depth: int) -> float:
        """The evaluation, for the seat to move."""
        self.lines[depth] = ()
        value = self._evaluate(self.board, self._seat)
        return value if self.board.seat == self._seat else -value
