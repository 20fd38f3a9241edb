"""Who gets to which cells first after each of many moves, for all of them at once."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from games.colosseum.grid import Grid
from games.colosseum.search import Board

#: Whether the right or the lower side is open, for every digit of a set of sides in base 16: a digit is a cell.
_RIGHT = bytes.maketrans(b"0123456789abcdef", b"0011001100110011")
_BELOW = bytes.maketrans(b"0123456789abcdef", b"0000111100001111")


class Territory(NamedTuple):
    """Numbers of cells after each of some moves, in their order; `own` is the player who moves.

    A cell belongs to the player who needs fewer steps to it, to the rival if both need as many: the rival is next.
    """

    own: bytes
    rival: bytes
    #: The same, for cells at most as far as one turn goes.
    own_near: bytes
    rival_near: bytes
    #: Cells with an open side to a cell of the other player. If there are none the game is over, and `own` and `rival`
    #: are the two areas.
    border: bytes


@dataclass(frozen=True, slots=True)
class Lanes:
    """Boards of one size side by side in one int, a bit per cell, each board in a lane of `width` bytes.

    One operation on the int is one on every board: many times faster than board by board. The open right sides are
    one set of bits, the open lower sides another; the last column and the last row have none, so that nothing ever
    spreads from a lane to the next.
    """

    size: int
    steps: int
    width: int
    #: By move, each as a lane: where it goes, and the right or lower side that it closes.
    cell: tuple[bytes, ...] = field(repr=False)
    right: tuple[bytes, ...] = field(repr=False)
    below: tuple[bytes, ...] = field(repr=False)

    def after(self, board: Board, moves: Sequence[int]) -> Territory:
        """After each of these moves of the player to move."""
        size, count = self.size, len(moves)
        digits = b"%x" % board.sides
        right = self._each(int(digits.translate(_RIGHT), 2), count) ^ _joined(self.right, moves)
        below = self._each(int(digits.translate(_BELOW), 2), count) ^ _joined(self.below, moves)
        own = own_near = _joined(self.cell, moves)
        rival = rival_near = self._each(1 << board.rival.bit_length() // 4, count)
        steps, own_before, rival_before = 0, 0, 0
        while own != own_before or rival != rival_before:
            if steps == self.steps:
                own_near, rival_near = own, rival
            own_before, rival_before = own, rival
            rival |= (
                (rival & right) << 1 | rival >> 1 & right | (rival & below) << size | rival >> size & below
            ) & ~own
            own |= (
                (own & right) << 1 | own >> 1 & right | (own & below) << size | own >> size & below
            ) & ~rival
            steps += 1
        if steps <= self.steps:
            own_near, rival_near = own, rival
        border = right & (own & rival >> 1 | rival & own >> 1) | below & (
            own & rival >> size | rival & own >> size
        )
        return Territory(
            *(self._counts(cells, count) for cells in (own, rival, own_near, rival_near, border))
        )

    def _each(self, lane: int, count: int) -> int:
        """The same in every lane."""
        return int.from_bytes(lane.to_bytes(self.width, "little") * count, "little")

    def _counts(self, lanes: int, count: int) -> bytes:
        """How many bits each lane has."""
        width, total = self.width, self.width * count
        lanes -= lanes >> 1 & int.from_bytes(b"\x55" * total, "little")
        twos = int.from_bytes(b"\x33" * total, "little")
        lanes = (lanes & twos) + (lanes >> 2 & twos)
        lanes = lanes + (lanes >> 4) & int.from_bytes(b"\x0f" * total, "little")
        # A byte of the product is a sum of as many bytes as a lane has, for its last byte just those of the lane. A
        # board has fewer than 256 cells, so there is no carry.
        sums = lanes * int.from_bytes(b"\x01" * width, "little")
        return sums.to_bytes(total + width, "little")[width - 1 : total : width]


def _joined(table: tuple[bytes, ...], moves: Sequence[int]) -> int:
    return int.from_bytes(b"".join([table[move] for move in moves]), "little")


@cache
def lanes(grid: Grid) -> Lanes:
    size = grid.size
    width = (size * size + 7) // 8
    cell, right, below = [], [], []
    for move in range(4 * size * size):
        here = move // 4
        # A wall on the left or the upper side is one on the right or the lower side of the cell there.
        beside = here - 1 if move % 4 == 3 else here
        above = here - size if move % 4 == 0 else here
        inner = grid.inner >> move & 1
        cell.append((1 << here).to_bytes(width, "little"))
        right.append((inner << beside if move % 4 in (1, 3) and inner else 0).to_bytes(width, "little"))
        below.append((inner << above if move % 4 in (0, 2) and inner else 0).to_bytes(width, "little"))
    return Lanes(size, grid.steps, width, tuple(cell), tuple(right), tuple(below))
