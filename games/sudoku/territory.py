"""The territory variants: which empty cells each player may use."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import isqrt
from typing import Self

from games.position import Seat, other
from games.sudoku.shape import Shape

TERRITORIES = ("rows", "border", "random")
#: How an empty cell is written that nobody, the first, the second or either player may use.
MARKS = (".", "a", "b", "*")


@dataclass(frozen=True, slots=True)
class Territory:
    """Empty cells only: what a player could do with a filled one is of no consequence.

    So it never comes back for a player who has no cell left.
    """

    variant: str
    #: Cells as bits, of the first and of the second player.
    open: tuple[int, int]

    @classmethod
    def read(cls, variant: str, texts: Sequence[str]) -> Self:
        """From the texts of all cells, whose marks are good."""
        first = sum(1 << cell for cell, text in enumerate(texts) if text in ("a", "*"))
        second = sum(1 << cell for cell, text in enumerate(texts) if text in ("b", "*"))
        return cls(variant, (first, second))

    def mark(self, cell: int) -> str:
        first, second = self.open
        return MARKS[(first >> cell & 1) + 2 * (second >> cell & 1)]

    def allows(self, seat: Seat, cell: int) -> bool:
        return bool(self.open[seat - 1] >> cell & 1)

    def is_spent(self) -> bool:
        return self.open == (0, 0)

    def after(self, seat: Seat) -> Seat:
        """Who moves after `seat`: a player without a cell is skipped, unless neither has one."""
        rival = other(seat)
        return seat if self.open[seat - 1] and not self.open[rival - 1] else rival

    def placed(self, seat: Seat, cell: int, *, cells: Sequence[int]) -> "Territory":
        """After `seat` has filled `cell`; `cells` are the values on the board, with or without this one."""
        gained = sum(1 << near for near in _around(isqrt(len(cells)))[cell] if not cells[near])
        first, second = self.open
        if seat == 1:
            first |= gained
        else:
            second |= gained
        rest = ~(1 << cell)
        return Territory(self.variant, (first & rest, second & rest))


def draw_territory(variant: str, shape: Shape, cells: Sequence[int], rng: random.Random) -> Territory:
    """The start sets; random ones are drawn until somebody has a cell to play in."""
    side = shape.side
    everywhere = range(side * side)
    first: set[int]
    second: set[int]
    if variant == "rows":
        first, second = set(everywhere[:side]), set(everywhere[-side:])
    elif variant == "border":
        ring = {cell for cell in everywhere if {0, side - 1} & {*divmod(cell, side)}}
        first = second = ring
    else:
        while True:
            drawn = rng.sample(everywhere, 2 * side)
            if not all(cells[cell] for cell in drawn):
                break
        first, second = set(drawn[:side]), set(drawn[side:])
    empty = {cell for cell in everywhere if not cells[cell]}
    return Territory(
        variant, (sum(1 << cell for cell in first & empty), sum(1 << cell for cell in second & empty))
    )


@cache
def _around(side: int) -> tuple[tuple[int, ...], ...]:
    """The up to 8 neighbours of every cell."""
    steps = (-1, 0, 1)
    return tuple(
        tuple(
            (row + down) * side + column + right
            for down in steps
            for right in steps
            if (down or right) and 0 <= row + down < side and 0 <= column + right < side
        )
        for row in range(side)
        for column in range(side)
    )
