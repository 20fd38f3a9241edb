"""All solutions of a puzzle that has few."""

from games.sudoku import Sudoku


def solutions(position: Sudoku, *, most: int, tries: int) -> list[tuple[int, ...]] | None:
    """Every solution; None if there are more than `most` or if it takes more than so many tries to know."""
    search = _Search(position, most, tries)
    return search.found if search.fill() else None


class _Search:
    """Fills in, first where fewest values fit, and takes back."""

    def __init__(self, position: Sudoku, most: int, tries: int) -> None:
        self.found: list[tuple[int, ...]] = []
        self._most = most
        self._tries = tries
        self._regions = position.shape.regions
        self._everything = (2 << position.shape.side) - 2
        self._cells = list(position.cells)
        self._used = list(position.used)
        self._gaps = [cell for cell, value in enumerate(position.cells) if not value]

    def fill(self) -> bool:
        """Whether all solutions of what is left are found now."""
        self._tries -= 1
        if self._tries < 0:
            return False
        cell, free = self._tightest()
        if cell is None:
            self.found.append(tuple(self._cells))
            return len(self.found) <= self._most
        while free:
            bit = free & -free
            free ^= bit
            self._cells[cell] = bit.bit_length() - 1
            self._toggle(cell, bit)
            complete = self.fill()
            self._toggle(cell, bit)
            self._cells[cell] = 0
            if not complete:
                return False
        return True

    def _tightest(self) -> tuple[int | None, int]:
        """An empty cell with fewest values that fit, and these as bits; no cell if all are filled."""
        cells, used, regions = self._cells, self._used, self._regions
        fewest, found, its_values = len(cells), None, 0
        for cell in self._gaps:
            if not cells[cell]:
                row, column, block = regions[cell]
                values = self._everything & ~(used[row] | used[column] | used[block])
                count = values.bit_count()
                if count < fewest:
                    fewest, found, its_values = count, cell, values
                    if count < 2:
                        break
        return found, its_values

    def _toggle(self, cell: int, bit: int) -> None:
        for region in self._regions[cell]:
            self._used[region] ^= bit
