"""Boards for search: moves are made and taken back in place, and no oracle is asked."""

from functools import lru_cache

from games.sudoku.position import POINTS, Sudoku


class Board:
    """Looks its legal moves up cell by cell whenever asked. A move is a cell number and a value."""

    def __init__(self, position: Sudoku) -> None:
        self.shape = position.shape
        self.cells = list(position.cells)
        #: Empty cells per region.
        self._gaps = [self.shape.side - held.bit_count() for held in position.used]
        self._history: list[int] = []
        side = self.shape.side
        self._taboo = {((row - 1) * side + column - 1, value) for row, column, value in position.taboo}

    def moves(self) -> list[tuple[int, int]]:
        """In the order of `Sudoku.legal_moves`."""
        found = []
        for cell, held in enumerate(self.cells):
            if not held:
                taken = {self.cells[peer] for peer in self.shape.peers[cell]}
                found += [(cell, value) for value in range(1, self.shape.side + 1) if value not in taken]
        return [move for move in found if move not in self._taboo]

    def points(self, cell: int) -> int:
        """What any value in this empty cell would score."""
        gaps = self._gaps
        row, column, block = self.shape.regions[cell]
        return POINTS[(gaps[row] == 1) + (gaps[column] == 1) + (gaps[block] == 1)]

    def make(self, cell: int, value: int) -> None:
        self.cells[cell] = value
        self._history.append(cell)
        for region in self.shape.regions[cell]:
            self._gaps[region] -= 1

    def undo(self) -> None:
        cell = self._history.pop()
        self.cells[cell] = 0
        for region in self.shape.regions[cell]:
            self._gaps[region] += 1


class Table(Board):
    """Keeps the values that every cell admits, as bits; with a move only its row, column and block change."""

    def __init__(self, position: Sudoku) -> None:
        super().__init__(position)
        self._admits = [0] * len(self.cells)
        for cell, value in super().moves():
            self._admits[cell] |= 1 << value
        #: For each move made: what its cell admitted, the bit of its value, and the peers that lost that bit.
        self._struck: list[tuple[int, int, list[int]]] = []

    def moves(self) -> list[tuple[int, int]]:
        return [(cell, value) for cell, mask in enumerate(self._admits) if mask for value in _values_in(mask)]

    def make(self, cell: int, value: int) -> None:
        admits = self._admits
        bit = 1 << value
        peers = [peer for peer in self.shape.peers[cell] if admits[peer] & bit]
        for peer in peers:
            admits[peer] ^= bit
        self._struck.append((admits[cell], bit, peers))
        admits[cell] = 0
        super().make(cell, value)

    def undo(self) -> None:
        admits = self._admits
        mask, bit, peers = self._struck.pop()
        admits[self._history[-1]] = mask
        for peer in peers:
            admits[peer] ^= bit
        super().undo()


@lru_cache(maxsize=1 << 16)
def _values_in(mask: int) -> tuple[int, ...]:
    return tuple(value for value in range(1, mask.bit_length()) if mask >> value & 1)
