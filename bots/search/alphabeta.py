"""Minimax that leaves out what cannot matter: the same value and the same best move, at fewer nodes."""

from collections.abc import Sequence
from math import inf
from typing import Any

from bots.search.board import B, Evaluation, Order
from bots.search.effort import Effort
from bots.search.minimax import Minimax
from bots.search.root import best_moves
from bots.search.table import EXACT, LEAST, MOST, Entry, Table

#: How many plies less deep the root moves are put in order, where there are more.
SHALLOWER = 2


class AlphaBeta(Minimax[B]):
    """A value inside the window is exact; below it the true one is at most, above it at least what is given.

    An entry of the table counts for its own depth alone, or for greater ones if it is complete. So a table changes how
    long a search takes and never what it finds, as long as the evaluation looks at the board and not at how it came
    about. The table's move is tried first, then the killer: the move that was last to cut so many plies before the
    leaves. The order of the rest is the board's, or that of `order`.
    """

    def __init__(
        self,
        board: B,
        evaluate: Evaluation[B],
        *,
        order: Order[B] | None = None,
        effort: Effort | None = None,
        table: Table | None = None,
        killers: bool = True,
    ) -> None:
        super().__init__(board, evaluate, order=order, effort=effort)
        self._table = table
        #: The move that was last to cut, by the plies left to search.
        self._killers: dict[int, object] = {}
        self._keeps_killers = killers

    def value(self, depth: int, alpha: float, beta: float) -> float:
        """The value after the best play of `depth` plies, as far as it is between `alpha` and `beta`."""
        self.effort.spend()
        if not depth:
            self.horizons += 1
            return self.leaf(depth)
        # One ply before the leaves a table costs more than it saves.
        table, favourite = self._table if depth > 1 else None, None
        if table is not None:
            key = self.board.key
            entry = table.get(key)
            if entry is not None:
                favourite = entry.move
                if _answers(entry, depth, alpha, beta):
                    self.horizons += not entry.complete
                    self.lines[depth] = (favourite, ())
                    return entry.value
        moves = self.board.moves()
        if not moves:
            return self.leaf(depth)
        horizons = self.horizons
        best, move = self._best(self._ordered(moves, depth, favourite), depth, alpha, beta)
        if table is not None:
            bound = LEAST if best >= beta else EXACT if best > alpha else MOST
            table.put(key, Entry(depth, bound, best, move, complete=self.horizons == horizons))
        return best

    def promising(self, moves: Sequence[Any], depth: int) -> Sequence[Any]:
        """The best first, as a search that is less deep sees them."""
        order = moves
        if depth > SHALLOWER:
            for found in best_moves(self, depth - SHALLOWER, moves):
                order = _forward(found.move, order)
        return order

    def _best(self, moves: Sequence[Any], depth: int, alpha: float, beta: float) -> tuple[float, Any]:
        board, value_of, lines = self.board, self.after, self.lines
        seat, make, undo = board.seat, board.make, board.undo
        best, best_move = -inf, moves[0]
        below = depth - 1
        for place, move in enumerate(moves):
            make(move)
            value = value_of(seat, below, alpha, beta, place=place)
            undo()
            if value > best:
                best, best_move = value, move
                if value >= beta:
                    self.effort.cuts += 1
                    if self._keeps_killers:
                        self._killers[depth] = move
                    break
                if value > alpha:
                    alpha = value
                    lines[depth] = (move, lines[below])
        return best, best_move

    def _ordered(self, moves: Sequence[Any], depth: int, favourite: object) -> Sequence[Any]:
        if self.order is not None:
            moves = self.order(self.board, moves)
        killer = self._killers.get(depth)
        if killer is not None and killer in moves:
            moves = _forward(killer, moves)
        if favourite is not None and favourite in moves:
            moves = _forward(favourite, moves)
        return moves


def _forward(move: object, moves: Sequence[Any]) -> Sequence[Any]:
    """With this one first."""
    order = list(moves)
    order.remove(move)
    order.insert(0, move)
    return order


def _answers(entry: Entry, depth: int, alpha: float, beta: float) -> bool:
    """Whether a search to this depth would find the value of the entry, or one on the same side of the window."""
    if entry.depth != depth and not (entry.complete and entry.depth < depth):
        return False
    if entry.bound == LEAST:
        return entry.value >= beta
    return entry.bound == EXACT or entry.value <= alpha
