"""Minimax with a preference for empty regions, an order of moves by how many values fit, or both."""

from collections import Counter

from bots.options import at_least
from bots.search import Effort
from bots.sudoku.alphabeta import Move, Search
from bots.sudoku.minimax import Minimax
from games.sudoku.search import Board


class MinimaxEmpty(Minimax):
    """Minimax that likes to be on move where rows, columns and blocks are empty.

    `empty` is what wholly empty regions are worth; the other options are those of minimax.
    """

    def __init__(self, *, empty: float = 0.1, depth: int = 0, nodes: int = 0, moves: str = "table") -> None:
        super().__init__(depth=depth, nodes=nodes, moves=moves)
        at_least(0, empty=empty)
        self._empty = empty

    def search(self, board: Board, moves: list[Move], effort: Effort) -> Search:  # noqa: ARG002 - for others
        return Search(board, effort, empty=self._empty)


class MinimaxTwoFree(Minimax):
    """Minimax that tries cells with few values first, and last those with `free` values, where the rival would finish.

    The other options are those of minimax.
    """

    def __init__(self, *, free: int = 2, depth: int = 0, nodes: int = 0, moves: str = "table") -> None:
        super().__init__(depth=depth, nodes=nodes, moves=moves)
        at_least(0, free=free)
        self._free = free

    def search(self, board: Board, moves: list[Move], effort: Effort) -> Search:
        two_free(moves, self._free)
        return Search(board, effort, order=moves)


class MinimaxBoth(Minimax):
    """Minimax that likes empty regions and tries cells with `free` values last.

    Its options are those of minimax-empty and minimax-two-free.
    """

    def __init__(
        self, *, empty: float = 0.1, free: int = 2, depth: int = 0, nodes: int = 0, moves: str = "table"
    ) -> None:
        super().__init__(depth=depth, nodes=nodes, moves=moves)
        at_least(0, empty=empty, free=free)
        self._empty = empty
        self._free = free

    def search(self, board: Board, moves: list[Move], effort: Effort) -> Search:
        two_free(moves, self._free)
        return Search(board, effort, empty=self._empty, order=moves)


def two_free(moves: list[Move], free: int) -> None:
    """Sort all moves of a board: by how many values their cell admits, those that admit `free` last."""
    admitted = Counter(cell for cell, _ in moves)
    moves.sort(key=lambda move: (admitted[move[0]] == free, admitted[move[0]]))
