"""The 2299 ways to lay one of the 19 tetrominoes on the torus, and which of them are open."""

import re
from dataclasses import dataclass, field
from typing import TypeVar

from games.errors import BadText, excerpt
from games.tetress.torus import CELLS, COLUMNS, ROWS, SIDE, STRIDE, cell_bit, cell_name, unrolled

T = TypeVar("T")

#: Rows and columns of four cells that hang together, each shape in every orientation, in its top left corner.
Shape = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Placement:
    """Four cells that form a tetromino; its number is its place in PLACEMENTS."""

    number: int
    text: str
    cells: int
    #: The rows, then the columns, that it lies in: no other line can become full by it.
    lines: tuple[int, ...] = field(repr=False)

    def __str__(self) -> str:
        return self.text

    def full_lines(self, taken: int) -> list[int]:
        """The lines that it has made full, when `taken` are all taken cells, its own among them."""
        return [line for line in self.lines if taken & line == line]


def _shapes() -> list[Shape]:
    shapes: set[Shape] = {((0, 0),)}
    for _ in range(3):
        shapes = {
            _in_corner((*shape, beside))
            for shape in shapes
            for row, column in shape
            for beside in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
            if beside not in shape
        }
    return sorted(shapes)


def _in_corner(shape: Shape) -> Shape:
    top = min(row for row, _ in shape)
    left = min(column for _, column in shape)
    return tuple(sorted((row - top, column - left) for row, column in shape))


def _placement(number: int, shape: Shape, top: int, left: int) -> Placement:
    cells = sorted(cell_bit(top + row, left + column) for row, column in shape)
    mask = sum(cells)
    return Placement(
        number,
        text=",".join(cell_name(cell.bit_length() - 1) for cell in cells),
        cells=mask,
        lines=tuple(line for line in (*ROWS, *COLUMNS) if line & mask),
    )


SHAPES = _shapes()
#: By shape, then by the corner, row by row.
PLACEMENTS = [
    _placement(number * SIDE * SIDE + row * SIDE + column, shape, row, column)
    for number, shape in enumerate(SHAPES)
    for row in range(SIDE)
    for column in range(SIDE)
]
_BY_TEXT = {placement.text: placement for placement in PLACEMENTS}
_BY_CELLS = {placement.cells: placement for placement in PLACEMENTS}

# A set of placements is an integer of 19 lanes, one per shape; in its lane a placement is the bit of its corner.
# Multiplying the free cells by `_SPREAD[i]` puts a copy of them into every lane, shifted so that the i-th cell of
# the lane's shape comes to lie on the corner. Where all four copies have a bit, the shape fits.
_FARTHEST = 3 * STRIDE
_LANE = (SIDE + 3) * STRIDE + _FARTHEST
_SPREAD = [
    sum(
        1 << lane * _LANE + _FARTHEST - shape[index][0] * STRIDE - shape[index][1]
        for lane, shape in enumerate(SHAPES)
    )
    for index in range(4)
]
_CORNERS = sum(CELLS << lane * _LANE for lane in range(len(SHAPES)))


def fitting(free: int) -> int:
    """The set of placements that lie wholly on these cells."""
    wide = unrolled(free)
    first, second, third, fourth = _SPREAD
    return (wide * first & wide * second & wide * third & wide * fourth) >> _FARTHEST & _CORNERS


def by_bit(values: list[T], nothing: T) -> list[T]:
    """What belongs to each placement, laid out for `chosen`."""
    laid_out = [nothing] * (len(SHAPES) * _LANE)
    for placement in PLACEMENTS:
        lane, corner = divmod(placement.number, SIDE * SIDE)
        row, column = divmod(corner, SIDE)
        laid_out[lane * _LANE + row * STRIDE + column] = values[placement.number]
    return laid_out


def chosen(values: list[T], placements: int) -> list[T]:
    """Of values laid out by `by_bit`, those that belong to a set of placements, in the order of PLACEMENTS."""
    found = []
    place = -1
    # Splitting the digits steps over the zeros at the speed of C; bit by bit would take twice as long.
    for zeros in f"{placements:b}"[::-1].split("1")[:-1]:
        place += len(zeros) + 1
        found.append(values[place])
    return found


_NUMBER = "(0|[1-9][0-9]{0,5})"
_MOVE = re.compile(",".join([f"{_NUMBER}-{_NUMBER}"] * 4))


def parse_placement(text: str) -> Placement:
    """The cells may stand in any order."""
    if text in _BY_TEXT:
        return _BY_TEXT[text]
    match = _MOVE.fullmatch(text)
    if match is None:
        raise BadText(f"{excerpt(text)} is no move: write four cells, row-column, like 0-0,0-1,0-2,0-3")
    numbers = [int(number) for number in match.groups()]
    for number in numbers:
        if number >= SIDE:
            raise BadText(f"{text}: rows and columns count from 0 to {SIDE - 1}, {number} is none")
    cells = {cell_bit(row, column) for row, column in zip(numbers[::2], numbers[1::2], strict=True)}
    if len(cells) < 4:
        raise BadText(f"{text} names a cell twice")
    placement = _BY_CELLS.get(sum(cells))
    if placement is None:
        raise BadText(f"{text}: these cells form no tetromino")
    return placement
