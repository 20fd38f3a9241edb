"""The shape of a board: which rows, columns and blocks its cells lie in."""

from dataclasses import dataclass, field
from functools import cache

from games.errors import BadText

SIZES = ((2, 2), (2, 3), (3, 3), (3, 4), (4, 4), (5, 5))


@dataclass(frozen=True, slots=True)
class Shape:
    """Blocks of m rows and n columns. Cells count from 0 row by row; regions: first rows, then columns, blocks."""

    m: int
    n: int
    side: int
    #: The row, the column and the block of every cell.
    regions: tuple[tuple[int, int, int], ...] = field(repr=False, compare=False)
    #: For every cell, the other cells of its row, column and block.
    peers: tuple[tuple[int, ...], ...] = field(repr=False, compare=False)

    def __str__(self) -> str:
        return f"{self.m}x{self.n}"

    def place(self, cell: int) -> str:
        row, column = divmod(cell, self.side)
        return f"r{row + 1}c{column + 1}"

    def region_name(self, region: int) -> str:
        kind, index = divmod(region, self.side)
        return f"{('row', 'column', 'block')[kind]} {index + 1}"


@cache
def shape(m: int, n: int) -> Shape:
    if (m, n) not in SIZES:
        raise BadText(f"{m}x{n} is no size of blocks: choose from {', '.join(f'{m}x{n}' for m, n in SIZES)}")
    side = m * n
    places = [divmod(cell, side) for cell in range(side * side)]
    regions = tuple((row, side + column, 2 * side + row // m * m + column // n) for row, column in places)
    members: list[list[int]] = [[] for _ in range(3 * side)]
    for cell, its_regions in enumerate(regions):
        for region in its_regions:
            members[region].append(cell)
    peers = tuple(
        tuple(sorted({peer for region in its_regions for peer in members[region]} - {cell}))
        for cell, its_regions in enumerate(regions)
    )
    return Shape(m, n, side, regions, peers)
