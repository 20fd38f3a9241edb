"""The squares of a board as bits of an integer, and the lines along which discs are turned over."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache

SIZES = range(4, 17, 2)

#: An adjacent square, and the squares from there to the border, as bits.
Ray = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Grid:
    """Squares are numbered row by row, with one number unused after each row.

    The unused bit is never set: a shifted set of squares that leaves a row falls on it and not on the next row.
    """

    size: int
    #: The distance between the numbers of neighbours: in a row, along both diagonals, in a column.
    shifts: tuple[int, ...] = field(repr=False, compare=False)
    #: All squares.
    squares: int = field(repr=False, compare=False)
    #: The four in the middle: never empty in a game.
    centre: int = field(repr=False, compare=False)
    #: The text of every square by its number, in ascending order.
    names: dict[int, str] = field(repr=False, compare=False)
    numbers: dict[str, int] = field(repr=False, compare=False)
    #: For every number, the rays to higher and to lower numbers, at least two squares long.
    rays: tuple[tuple[tuple[Ray, ...], tuple[Ray, ...]], ...] = field(repr=False, compare=False)

    def number(self, row: int, column: int) -> int:
        """Rows and columns count from 0."""
        return row * (self.size + 1) + column

    def playable(self, own: int, rival: int) -> int:
        """Every empty square from which a straight run of the rival's discs leads to an own disc."""
        found = 0
        for shift in self.shifts:
            run = own << shift & rival
            while run:
                run <<= shift
                found |= run
                run &= rival
            run = own >> shift & rival
            while run:
                run >>= shift
                found |= run
                run &= rival
        return found & self.squares & ~(own | rival)

    def flips(self, square: int, own: int, rival: int) -> int:
        """The rival's discs that an own disc on this empty square turns over."""
        flipped = 0
        upward, downward = self.rays[square]
        for adjacent, ray in upward:
            if rival & adjacent:
                ends = ray & ~rival
                end = ends & -ends
                if own & end:
                    flipped |= ray & (end - 1)
        for adjacent, ray in downward:
            if rival & adjacent:
                end = 1 << (ray & ~rival).bit_length() >> 1
                if own & end:
                    flipped |= ray & -end ^ end
        return flipped


@cache
def grid(size: int) -> Grid:
    """`size` is one of SIZES."""
    stride = size + 1
    places = [(row, column) for row in range(size) for column in range(size)]
    names = {row * stride + column: f"{chr(ord('a') + column)}{row + 1}" for row, column in places}
    shifts = (1, stride - 1, stride, stride + 1)
    corner = (size // 2 - 1) * (stride + 1)

    def ray(start: int, step: int) -> Ray:
        squares = []
        square = start + step
        while square in names:
            squares.append(square)
            square += step
        return (1 << squares[0], _mask(squares)) if len(squares) > 1 else (0, 0)

    def rays(start: int, sign: int) -> tuple[Ray, ...]:
        found = [ray(start, sign * shift) for shift in shifts]
        return tuple(one for one in found if one != (0, 0))

    return Grid(
        size,
        shifts=shifts,
        squares=_mask(names),
        centre=_mask((corner, corner + 1, corner + stride, corner + stride + 1)),
        names=names,
        numbers={name: square for square, name in names.items()},
        rays=tuple((rays(square, 1), rays(square, -1)) for square in range(size * stride)),
    )


def members(squares: int) -> list[int]:
    """The numbers in a set of squares, ascending."""
    found = []
    while squares:
        low = squares & -squares
        found.append(low.bit_length() - 1)
        squares ^= low
    return found


def _mask(squares: Iterable[int]) -> int:
    return sum(1 << square for square in squares)
