"""Which placements each side has: sets that follow the tokens, placement by placement."""

from typing import NamedTuple

from games.tetress import Tetress
from games.tetress.placement import PLACEMENTS, Placement, by_bit, chosen, fitting
from games.tetress.position import FREE_PLIES, LAST_PLY
from games.tetress.search import Board
from games.tetress.torus import CELLS, COLUMNS, ROWS, neighbours


class Footprint(NamedTuple):
    """A placement by the sets of placements that it changes, as long as no line is cleared."""

    number: int
    cells: int
    #: Those that share no cell with it.
    apart: int
    #: Those with a cell beside it: open to its side from now on, where they fit.
    beside: int


def _footprint(placement: Placement) -> Footprint:
    cells = placement.cells
    return Footprint(
        placement.number, cells, fitting(CELLS & ~cells), EVERY & ~fitting(CELLS & ~neighbours(cells))
    )


#: The set of all placements.
EVERY = fitting(CELLS)
FOOTPRINTS = [_footprint(placement) for placement in PLACEMENTS]
_FOOTPRINTS = by_bit(FOOTPRINTS, FOOTPRINTS[0])
_NUMBERS = by_bit([placement.number for placement in PLACEMENTS], -1)
#: For each cell the set of placements that cover it.
_COVERING = {
    1 << cell: EVERY & ~fitting(CELLS & ~(1 << cell))
    for cell in range(CELLS.bit_length())
    if CELLS >> cell & 1
}
_LINES = (*ROWS, *COLUMNS)


class RoomBoard(Board):
    """`own_open` and `rival_open` are the placements that the side to move and the other would have if it were theirs.

    They are the placements that fit and touch, whether or not the last ply has been played.
    """

    def __init__(self, position: Tetress) -> None:
        super().__init__(position)
        self.fit = self.own_open = self.rival_open = 0
        self._look()
        self._rooms: list[tuple[int, int, int]] = []

    def moves(self) -> list[int]:
        return chosen(_NUMBERS, self.own_open) if self.plies < LAST_PLY else []

    def footprints(self, placements: int) -> list[Footprint]:
        """Of a set of placements."""
        return chosen(_FOOTPRINTS, placements)

    def count(self) -> int:
        return self.own_open.bit_count() if self.plies < LAST_PLY else 0

    def over(self) -> bool:
        return not self.own_open or self.plies >= LAST_PLY

    def make(self, move: int) -> None:
        fit, own_open, rival_open = self.fit, self.own_open, self.rival_open
        self._rooms.append((fit, own_open, rival_open))
        own = self.own
        super().make(move)
        _, cells, apart, beside = FOOTPRINTS[move]
        if self.rival == own | cells and self.plies > FREE_PLIES:
            self.fit = fit & apart
            self.own_open = rival_open & apart
            self.rival_open = (own_open | fit & beside) & apart
        else:
            self._look()

    def undo(self) -> None:
        super().undo()
        self.fit, self.own_open, self.rival_open = self._rooms.pop()

    def clearing(self) -> int:
        """The set of placements that would make a line full."""
        found = 0
        free = CELLS & ~(self.own | self.rival)
        for line in _LINES:
            gaps = free & line
            if gaps.bit_count() <= 4:
                covering = EVERY
                while gaps:
                    gap = gaps & -gaps
                    covering &= _COVERING[gap]
                    gaps ^= gap
                found |= covering
        return found

    def _look(self) -> None:
        free = CELLS & ~(self.own | self.rival)
        self.fit = fitting(free)
        self.own_open, self.rival_open = (
            self.fit if self.plies + later < FREE_PLIES else self.fit & ~fitting(free & ~neighbours(tokens))
            for later, tokens in enumerate((self.own, self.rival))
        )
