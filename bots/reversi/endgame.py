"""The last moves of Reversi, searched to the very end: how many discs more the side to move will have."""

from bots.reversi.squares import corners
from bots.search import Effort, Table
from bots.search.table import EXACT, LEAST, MOST, Entry
from games.reversi.grid import Grid

#: With so few empty squares neither an order nor the table pays.
FEW = 5
#: More than all discs.
ALL = 1000


class Endgame:
    """A value inside the window is exact, one outside it a bound. Discs are bits, those of the side to move first."""

    def __init__(self, grid: Grid, *, table: Table, effort: Effort) -> None:
        self._grid = grid
        self._table = table
        self._effort = effort
        self._corners = corners(grid)

    def value(self, own: int, rival: int, alpha: int, beta: int) -> int:
        grid = self._grid
        if (grid.squares & ~(own | rival)).bit_count() <= FEW:
            return self._last(own, rival, alpha, beta)
        self._effort.spend()
        entry = self._table.get((own, rival))
        if entry is not None:
            known = int(entry.value)
            if entry.bound == EXACT or (known >= beta if entry.bound == LEAST else known <= alpha):
                return known
        replies = self.replies(own, rival)
        if not replies:
            if not grid.playable(rival, own):
                return own.bit_count() - rival.bit_count()
            return -self.value(rival, own, -beta, -alpha)
        best, low = -ALL, alpha
        for _, next_own, next_rival in replies:
            value = -self.value(next_own, next_rival, -beta, -alpha)
            if value > best:
                best = value
                if value >= beta:
                    break
                alpha = max(alpha, value)
        bound = LEAST if best >= beta else EXACT if best > low else MOST
        self._table.put((own, rival), Entry(0, bound, best, None, complete=True))
        return best

    def replies(self, own: int, rival: int) -> list[tuple[int, int, int]]:
        """Where each move leads, for the side to move there; first those that leave it least to do and no corner."""
        grid, corner_squares = self._grid, self._corners
        squares = grid.playable(own, rival)
        found = []
        while squares:
            square = squares & -squares
            squares ^= square
            flips = grid.flips(square.bit_length() - 1, own, rival)
            after, turned = own | flips | square, rival ^ flips
            playable = grid.playable(turned, after)
            freedom = playable.bit_count() + 3 * (playable & corner_squares).bit_count()
            found.append((freedom - 4 if square & corner_squares else freedom, turned, after))
        found.sort()
        return found

    def _last(self, own: int, rival: int, alpha: int, beta: int, *, passed: bool = False) -> int:
        """The same square by square, without looking ahead for what can be played."""
        self._effort.spend()
        flips_of, best = self._grid.flips, -ALL
        empty = self._grid.squares & ~(own | rival)
        while empty:
            square = empty & -empty
            empty ^= square
            flips = flips_of(square.bit_length() - 1, own, rival)
            if flips:
                value = -self._last(rival ^ flips, own | flips | square, -beta, -alpha)
                if value > best:
                    best = value
                    if value >= beta:
                        return value
                    alpha = max(alpha, value)
        if best > -ALL:
            return best
        return (
            own.bit_count() - rival.bit_count()
            if passed
            else -self._last(rival, own, -beta, -alpha, passed=True)
        )
