"""The cells of the 11x11 torus as bits of an integer."""

SIDE = 11
#: From a cell to the one below it; the three bits between two rows are room for `unrolled`.
STRIDE = SIDE + 3


def cell_bit(row: int, column: int) -> int:
    """Any row and column: the torus wraps them."""
    return 1 << row % SIDE * STRIDE + column % SIDE


def cell_name(cell: int) -> str:
    row, column = divmod(cell, STRIDE)
    return f"{row}-{column}"


ROWS = tuple(sum(cell_bit(row, column) for column in range(SIDE)) for row in range(SIDE))
COLUMNS = tuple(sum(cell_bit(row, column) for row in range(SIDE)) for column in range(SIDE))
CELLS = sum(ROWS)
LINE_NAMES = {line: f"row {number}" for number, line in enumerate(ROWS)} | {
    line: f"column {number}" for number, line in enumerate(COLUMNS)
}

_FIRST_COLUMN, _LAST_COLUMN = COLUMNS[0], COLUMNS[-1]
_FIRST_COLUMNS = sum(COLUMNS[:3])
_FIRST_ROWS = (1 << 3 * STRIDE) - 1
_ONE_TURN = SIDE * STRIDE
_TO_LAST_ROW = (SIDE - 1) * STRIDE


def neighbours(cells: int) -> int:
    """Every cell that lies beside one of these, across the edges too."""
    beside = cells << 1 | cells >> 1
    across = cells << SIDE - 1 & _LAST_COLUMN | cells >> SIDE - 1 & _FIRST_COLUMN
    above_and_below = cells << STRIDE | cells >> STRIDE | cells << _TO_LAST_ROW | cells >> _TO_LAST_ROW
    return (beside | across | above_and_below) & CELLS


def unrolled(cells: int) -> int:
    """With the first three columns and rows once more after the last, so that a shift needs not wrap."""
    wide = cells | (cells & _FIRST_COLUMNS) << SIDE
    return wide | (wide & _FIRST_ROWS) << _ONE_TURN
