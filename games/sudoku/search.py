"""Boards for search: moves are made and taken back in place, and no oracle is asked."""

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from games.position import Seat, other
from games.sudoku.position import POINTS, Sudoku

if TYPE_CHECKING:
    from games.sudoku.territory import Territory


class Board:
    """Looks its legal moves up cell by cell whenever asked. A move is a cell number and a value."""

    def __init__(self, position: Sudoku) -> None:
        self.shape = position.shape
        self.cells = list(position.cells)
        self.seat: Seat = position.seat
        #: Empty cells per region.
        self._gaps = [self.shape.side - held.bit_count() for held in position.used]
        self._territory = position.territory
        #: For each move made: its cell, and whose turn and which territory it was before.
        self._history: list[tuple[int, Seat, Territory | None]] = []
        side = self.shape.side
        self._taboo = {((row - 1) * side + column - 1, value) for row, column, value in position.taboo}

    def moves(self) -> list[tuple[int, int]]:
        """In the order of `Sudoku.legal_moves`."""
        found = []
        for cell in self._reach():
            if not self.cells[cell]:
                taken = {self.cells[peer] for peer in self.shape.peers[cell]}
                found += [(cell, value) for value in range(1, self.shape.side + 1) if value not in taken]
        return [move for move in found if move not in self._taboo]

    def points(self, cell: int) -> int:
        """What any value in this empty cell would score."""
        gaps = self._gaps
        row, column, block = self.shape.regions[cell]
        return POINTS[(gaps[row] == 1) + (gaps[column] == 1) + (gaps[block] == 1)]

    @property
    def made(self) -> int:
        """How many moves were made and not taken back."""
        return len(self._history)

    def after(self, cell: int) -> Seat:
        """Who moves once the seat to move has filled this cell."""
        if self._territory is None:
            return other(self.seat)
        return self._territory.placed(self.seat, cell, cells=self.cells).after(self.seat)

    def text(self, move: tuple[int, int]) -> str:
        cell, value = move
        return f"{self.shape.place(cell)}={value}"

    def make(self, move: tuple[int, int]) -> None:
        cell, value = move
        seat, territory = self.seat, self._territory
        self._history.append((cell, seat, territory))
        if territory is None:
            self.seat = other(seat)
        else:
            self._territory = territory.placed(seat, cell, cells=self.cells)
            self.seat = self._territory.after(seat)
        self.cells[cell] = value
        for region in self.shape.regions[cell]:
            self._gaps[region] -= 1

    def undo(self) -> None:
        cell, self.seat, self._territory = self._history.pop()
        self.cells[cell] = 0
        for region in self.shape.regions[cell]:
            self._gaps[region] += 1

    def _reach(self) -> Iterable[int]:
        """The cells that the seat to move may use, if they are empty."""
        if self._territory is None:
            return range(len(self.cells))
        return _bits(self._territory.open[self.seat - 1])


class Table(Board):
    """Keeps the values that every cell admits, as bits; with a move only its row, column and block change."""

    def __init__(self, position: Sudoku) -> None:
        super().__init__(position)
        everything = (2 << self.shape.side) - 2
        self._admits = [0] * len(self.cells)
        for cell, regions in enumerate(self.shape.regions):
            if not self.cells[cell]:
                row, column, block = (position.used[region] for region in regions)
                self._admits[cell] = everything & ~(row | column | block)
        for cell, value in self._taboo:
            self._admits[cell] &= ~(1 << value)
        #: For each move made: what its cell admitted, the bit of its value, and the peers that lost that bit.
        self._struck: list[tuple[int, int, list[int]]] = []

    def moves(self) -> list[tuple[int, int]]:
        admits = self._admits
        found: list[tuple[int, int]] = []
        for cell in self._reach():
            if admits[cell]:
                found += _pairs(cell, admits[cell])
        return found

    def make(self, move: tuple[int, int]) -> None:
        cell, value = move
        admits = self._admits
        bit = 1 << value
        peers = [peer for peer in self.shape.peers[cell] if admits[peer] & bit]
        for peer in peers:
            admits[peer] ^= bit
        self._struck.append((admits[cell], bit, peers))
        admits[cell] = 0
        super().make(move)

    def undo(self) -> None:
        admits = self._admits
        mask, bit, peers = self._struck.pop()
        admits[self._history[-1][0]] = mask
        for peer in peers:
            admits[peer] ^= bit
        super().undo()


@lru_cache(maxsize=1 << 16)
def _pairs(cell: int, values: int) -> tuple[tuple[int, int], ...]:
    return tuple((cell, value) for value in _bits(values))


@lru_cache(maxsize=1 << 16)
def _bits(mask: int) -> tuple[int, ...]:
    return tuple(bit for bit in range(mask.bit_length()) if mask >> bit & 1)
