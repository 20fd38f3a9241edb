"""The board of Colosseum Survival as bits: who can walk where, and which moves that gives."""

from dataclasses import dataclass, field
from functools import cache

from games.errors import BadText

#: Sizes of a game; a position may be of any size in PLAYABLE.
SIZES = range(6, 13)
PLAYABLE = range(5, 13)
SIDES = "urdl"
SIDE_NAMES = ("upper", "right", "lower", "left")


class _Numbers(dict[int, tuple[int, ...]]):
    """The numbers in one byte of a set, by the byte's value; worked out when first asked for."""

    def __init__(self, place: int) -> None:
        super().__init__()
        self._first = 8 * place

    def __missing__(self, byte: int) -> tuple[int, ...]:
        self[byte] = tuple(self._first + bit for bit in range(8) if byte >> bit & 1)
        return self[byte]


_NUMBERS = [_Numbers(place) for place in range(PLAYABLE[-1] ** 2 // 2)]


@dataclass(frozen=True, slots=True)
class Grid:
    """A side of a cell has the number 4 * cell + 0, 1, 2 or 3 for u, r, d, l; cells count from 0 row by row.

    A set of sides is an int with their numbers as bits. The sides without a wall are all there is to know of the
    walls; a wall stands on both its sides. A set of cells has the bits of their upper sides. A move is the number
    of the side that gets a wall, so that a set of sides is a set of moves too.
    """

    size: int
    #: How far a player may walk.
    steps: int = field(repr=False, compare=False)
    #: The sides that are not on the border: all that can be open.
    inner: int = field(repr=False, compare=False)
    #: For every inner side, itself and the same side seen from the cell behind it, as bits; 0 for the border.
    both: tuple[int, ...] = field(repr=False, compare=False)
    #: For every side, the cell behind it, as a bit; 0 beyond the border.
    behind: tuple[int, ...] = field(repr=False, compare=False)
    texts: tuple[str, ...] = field(repr=False, compare=False)
    numbers: dict[str, int] = field(repr=False, compare=False)
    #: The upper sides of all cells.
    cells: int = field(repr=False, compare=False)

    def reach(self, sides: int, start: int, rival: int) -> int:
        """The cells within a walk from `start` (all as bits) through open `sides`, never through `rival`."""
        down_by = 4 * self.size
        right = sides >> 1 & self.cells & ~(rival | rival >> 4)
        down = sides >> 2 & self.cells & ~(rival | rival >> down_by)
        found = start
        for _ in range(self.steps):
            found |= (
                (found & right) << 4
                | found >> 4 & right
                | (found & down) << down_by
                | found >> down_by & down
            )
        return found

    def area(self, sides: int, start: int, until: int = 0) -> int:
        """The cells connected with `start`; may stop short once it has one of `until`."""
        down_by = 4 * self.size
        right = sides >> 1 & self.cells
        down = sides >> 2 & self.cells
        found, before = start, 0
        while found != before and not found & until:
            before = found
            found |= (
                (found & right) << 4
                | found >> 4 & right
                | (found & down) << down_by
                | found >> down_by & down
            )
        return found

    def moves(self, sides: int, start: int, rival: int) -> int:
        """The sides that may get a wall by a player at `start`, as bits."""
        return self.reach(sides, start, rival) * 15 & sides

    def listed(self, sides: int) -> list[int]:
        """The numbers of the sides in a set, ascending: by row, column, and u, r, d, l."""
        found: list[int] = []
        for numbers, byte in zip(_NUMBERS, sides.to_bytes(len(_NUMBERS), "little"), strict=True):
            if byte:
                found += numbers[byte]
        return found


@cache
def grid(size: int) -> Grid:
    if size not in PLAYABLE:
        raise BadText(f"{size} is no size of a board: choose from {PLAYABLE[0]} to {PLAYABLE[-1]}")
    places = [divmod(cell, size) for cell in range(size * size)]
    steps = ((-1, 0), (0, 1), (1, 0), (0, -1))
    both: list[int] = []
    behind: list[int] = []
    for row, column in places:
        for side, (down, right) in enumerate(steps):
            there = (row + down) * size + column + right
            if 0 <= row + down < size and 0 <= column + right < size:
                behind.append(1 << 4 * there)
                both.append(1 << 4 * (row * size + column) + side | 1 << 4 * there + (side ^ 2))
            else:
                behind.append(0)
                both.append(0)
    texts = tuple(f"{row},{column},{side}" for row, column in places for side in SIDES)
    return Grid(
        size,
        steps=(size + 1) // 2,
        inner=sum(1 << number for number, twins in enumerate(both) if twins),
        both=tuple(both),
        behind=tuple(behind),
        texts=texts,
        numbers={text: number for number, text in enumerate(texts)},
        cells=sum(1 << 4 * cell for cell in range(size * size)),
    )
