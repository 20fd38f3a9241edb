"""Alpha-beta on a Sudoku board: points are counted without making the last move of a line."""

from collections.abc import Sequence
from math import inf

from bots.search import Effort
from games import Seat
from games.sudoku.search import Board

Move = tuple[int, int]


class Search:
    """Values moves on one board, for one turn.

    `empty` is what an empty board would be worth to the seat that searches, at leaves where it is to move; `order` are
    the moves as they are tried at every node, in the board's order if there is none.
    """

    def __init__(
        self, board: Board, effort: Effort, *, empty: float = 0.0, order: Sequence[Move] = ()
    ) -> None:
        self.board = board
        self.effort = effort
        self._seat = board.seat
        self._gaps = board.cells.count(0)
        self._empty = empty / len(board.cells)
        self._places = {move: place for place, move in enumerate(order)}

    def value(self, move: Move, lead: int, *, depth: int, alpha: float, beta: float) -> float:
        """What the mover, now leading by `lead`, leads by after `move` and the best play of `depth` plies in all.

        A value outside the window from `alpha` to `beta` is only a bound. A dead end, where the next player has no
        legal move, is an end.
        """
        self.effort.spend()
        board, places = self.board, self._places
        lead += board.points(move[0])
        if depth == 1:
            if self._empty:
                return lead + self._fewer_filled(board.seat, board.after(move[0]), board.made + 1)
            return lead
        mover = board.seat
        board.make(move)
        replies = board.moves()
        if places:
            # A territory may have grown, so that there are moves without a place.
            replies.sort(key=lambda reply: places.get(reply, len(places)))
        best = -inf
        # Where the rival is skipped the mover goes on, and nothing changes sides.
        side = 1 if board.seat == mover else -1
        low, high = (alpha, beta) if side == 1 else (-beta, -alpha)
        for reply in replies:
            value = self.value(reply, side * lead, depth=depth - 1, alpha=max(low, best), beta=high)
            if value > best:
                best = value
                if best >= high:
                    self.effort.cuts += 1
                    break
        if not replies:
            best = side * (lead + self._fewer_filled(mover, board.seat, board.made))
        board.undo()
        return side * best

    def _fewer_filled(self, mover: Seat, following: Seat, made: int) -> float:
        """For the mover. Every empty cell counts in a row, a column and a block: their mean is the board's."""
        if following != self._seat:
            return 0.0
        term = self._empty * (self._gaps - made)
        return term if mover == self._seat else -term
