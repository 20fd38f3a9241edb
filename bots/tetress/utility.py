"""What a placement is worth by the tokens before and after it: open sides, tokens, losses, full and empty lines."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf, isinf

from bots.options import at_least
from bots.tetress.keyed import KeyedBoard
from games import Seat
from games.tetress.placement import PLACEMENTS, Placement
from games.tetress.torus import CELLS, COLUMNS, ROWS, SIDE, STRIDE, neighbours

#: The tokens of both, as cells: first ours, then the rival's.
Tokens = tuple[int, int]

#: Values remembered; some ten megabytes.
REMEMBERED = 100_000

_LINES = (*ROWS, *COLUMNS)
_FIRST_COLUMN, _LAST_COLUMN = COLUMNS[0], COLUMNS[-1]
_BESIDE = {cell: neighbours(1 << cell) for cell in range(CELLS.bit_length()) if CELLS >> cell & 1}
#: Steps in the table of lines: for each line, how many tokens a placement adds to it.
_ADDED = 5
#: After all lines, what only a square costs: four pairs of its sides face each other, of other shapes three.
_SQUARE = len(_LINES) * _ADDED


def open_sides(tokens: int, free: int) -> int:
    """How many sides of these tokens face a free cell."""
    left = free << 1 & CELLS | free >> SIDE - 1 & _FIRST_COLUMN
    right = free >> 1 & CELLS | free << SIDE - 1 & _LAST_COLUMN
    above = (free << STRIDE | free >> (SIDE - 1) * STRIDE) & CELLS
    below = free >> STRIDE | free << (SIDE - 1) * STRIDE & CELLS
    return (
        (tokens & left).bit_count()
        + (tokens & right).bit_count()
        + (tokens & above).bit_count()
        + (tokens & below).bit_count()
    )


def _parts(placement: Placement) -> tuple[int, ...]:
    """Its four cells, then its five places in the table of lines."""
    cells = [cell for cell in _BESIDE if placement.cells >> cell & 1]
    lines = [
        number * _ADDED + (placement.cells & line).bit_count()
        for number, line in enumerate(_LINES)
        if placement.cells & line
    ]
    return (*cells, *lines, _SQUARE)[:9]


_PARTS = [_parts(placement) for placement in PLACEMENTS]


@dataclass(kw_only=True)
class Utility:
    """Always from our side, whoever has placed. Its weights are options of every bot that goes by it.

    An open side more than the rival's is worth `sides`, a token more `tokens`, a token that the rival lost and we did
    not `losses`, a line with `near_full` tokens or more `lines`, and one with `near_empty` or fewer minus that.
    """

    sides: float = 10.0
    tokens: float = 125.0
    losses: float = 300.0
    lines: float = 5.0
    near_full: int = 8
    near_empty: int = 2
    _known: dict[int, float] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        at_least(0, near_full=self.near_full, near_empty=self.near_empty)

    def of(self, before: Tokens, after: Tokens) -> float:
        ours, theirs = after
        lost = max(0, before[1].bit_count() - theirs.bit_count()) - max(
            0, before[0].bit_count() - ours.bit_count()
        )
        return self.losses * lost + self._standing(ours, theirs)

    def values(self, board: KeyedBoard, moves: Sequence[int], seat: Seat) -> list[float]:
        """What each of these moves is worth to `seat`; where no line is cleared, a sum of nine numbers looked up."""
        own, rival = board.own, board.rival
        sign = 1 if board.seat == seat else -1
        standing = self._standing(own, rival) if sign == 1 else self._standing(rival, own)
        # A placement opens ten sides, less two for each side on which it meets a token of the mover; where it meets
        # one of the other side both lose one.
        usual = standing + sign * (10 * self.sides + 4 * self.tokens)
        meeting = -2 * sign * self.sides
        meets = [0.0] * CELLS.bit_length()
        for cell, beside in _BESIDE.items():
            meets[cell] = meeting * (beside & own).bit_count()
        of_line = [*self._line_changes(own | rival), meeting]
        found = []
        for move in moves:
            a, b, c, d, i, j, k, m, n = _PARTS[move]
            value = usual + meets[a] + meets[b] + meets[c] + meets[d]
            value += of_line[i] + of_line[j] + of_line[k] + of_line[m] + of_line[n]
            if isinf(value):
                board.make(move)
                value = self.of_last(board, seat)
                board.undo()
            found.append(value)
        return found

    def of_last(self, board: KeyedBoard, seat: Seat) -> float:
        """What the last move made on the board is worth to `seat`."""
        key = board.pair_key ^ seat
        value = self._known.get(key)
        if value is None:
            mover_before, other_before = board.before
            # The other side is to move now.
            if board.seat == seat:
                value = self.of((other_before, mover_before), (board.own, board.rival))
            else:
                value = self.of((mover_before, other_before), (board.rival, board.own))
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            self._known[key] = value
        return value

    def ranked(self, board: KeyedBoard, moves: Sequence[int], seat: Seat) -> list[int]:
        """The best first for the side to move; among equals in the order given."""
        values = dict(zip(moves, self.values(board, moves, seat), strict=True))
        return sorted(moves, key=values.__getitem__, reverse=board.seat == seat)

    def _standing(self, ours: int, theirs: int) -> float:
        """All but the losses."""
        taken = ours | theirs
        free = CELLS & ~taken
        counts = [(taken & line).bit_count() for line in _LINES]
        near = sum(count >= self.near_full for count in counts) - sum(
            count <= self.near_empty for count in counts
        )
        return (
            self.sides * (open_sides(ours, free) - open_sides(theirs, free))
            + self.tokens * (ours.bit_count() - theirs.bit_count())
            + self.lines * near
        )

    def _line_changes(self, taken: int) -> list[float]:
        """For each line, by the tokens added to it; infinite where that makes it full."""
        rank = [
            self.lines * ((count >= self.near_full) - (count <= self.near_empty)) for count in range(SIDE)
        ]
        changes = []
        for line in _LINES:
            count = (taken & line).bit_count()
            changes += [
                rank[count + added] - rank[count] if count + added < SIDE else inf for added in range(_ADDED)
            ]
        return changes
