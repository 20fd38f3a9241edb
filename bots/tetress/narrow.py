"""Alpha-beta over the placements that leave the most room, and over all of them before a loss is believed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log
from typing import Any

from bots.options import at_least
from bots.search import AlphaBeta, Effort, Table
from bots.tetress.room import RoomBoard
from games import Seat
from games.tetress.placement import PLACEMENTS
from games.tetress.position import FREE_PLIES, LAST_PLY

#: A won game, less a little for every ply played, so that a win is sooner and a loss later.
WON = 1000.0
_PLY = 0.1
#: Only a game that is over is worth so much.
CERTAIN = WON / 2

#: By the number of placements: the last few count most.
_WORTH = [log(count + 1) for count in range(len(PLACEMENTS) + 1)]


@dataclass(frozen=True, slots=True)
class Room:
    """What a board is worth: for each side the logarithm of its placements, and for each token at first `tokens`."""

    tokens: float

    def of_token(self, plies: int) -> float:
        """More and more: only if the last ply is played do tokens decide."""
        return self.tokens * LAST_PLY / (LAST_PLY - plies)

    def value(self, board: RoomBoard, seat: Seat) -> float:
        own, rival = board.own.bit_count(), board.rival.bit_count()
        if board.plies >= LAST_PLY:
            value = ((own > rival) - (own < rival)) * (WON - _PLY * board.plies)
        elif not board.own_open:
            value = _PLY * board.plies - WON
        else:
            value = _WORTH[board.own_open.bit_count()] - _WORTH[board.rival_open.bit_count()]
            value += self.of_token(board.plies) * (own - rival)
        return value if board.seat == seat else -value

    def ranked(self, board: RoomBoard) -> list[tuple[float, int]]:
        """Every placement with what the board after it is worth to the mover, the best first."""
        fit, own_open, rival_open = board.fit, board.own_open, board.rival_open
        plies = board.plies + 1
        made_anew, tokens = own_open, 0.0
        if plies < LAST_PLY:
            made_anew = board.clearing()
            tokens = self.of_token(plies) * (board.own.bit_count() + 4 - board.rival.bit_count())
        # Before a first token no placement is open for what it touches.
        kept = own_open if board.plies >= FREE_PLIES else 0
        won = WON - _PLY * plies
        found = []
        for number, _, apart, beside in board.footprints(own_open & ~made_anew):
            theirs = rival_open & apart
            if theirs:
                ours = (kept | fit & beside) & apart
                found.append((_WORTH[ours.bit_count()] - _WORTH[theirs.bit_count()] + tokens, number))
            else:
                found.append((won, number))
        for number, *_ in board.footprints(own_open & made_anew):
            seat = board.seat
            board.make(number)
            found.append((self.value(board, seat), number))
            board.undo()
        found.sort(reverse=True)
        return found


@dataclass(frozen=True, slots=True)
class Breadth:
    """How many placements are looked at: of `wide` or fewer all, of more the `width` best."""

    wide: int
    width: int

    def __post_init__(self) -> None:
        at_least(1, width=self.width)
        at_least(0, wide=self.wide)

    def parts(self, moves: Sequence[Any]) -> Iterator[Sequence[Any]]:
        """One after another; the second is looked at only if the first loses, and so on."""
        step = len(moves) if len(moves) <= self.wide else self.width
        for start in range(0, len(moves), step):
            yield moves[start : start + step]


class Narrow(AlphaBeta[RoomBoard]):
    """A value of at least CERTAIN, or at most minus that, is the true one: no reply was left out on the way to it."""

    def __init__(
        self, board: RoomBoard, room: Room, breadth: Breadth, *, effort: Effort, table: Table
    ) -> None:
        super().__init__(board, room.value, effort=effort, table=table)
        self._room = room
        self._breadth = breadth

    def _ordered(self, moves: Sequence[Any], depth: int, favourite: object) -> Sequence[Any]:  # noqa: ARG002 - ranked anew
        """All, the most promising first."""
        ranked = [number for _, number in self._room.ranked(self.board)]
        return ranked if depth == 1 else super()._ordered(ranked, depth, favourite)

    def _best(self, moves: Sequence[Any], depth: int, alpha: float, beta: float) -> tuple[float, Any]:
        """The best of the first few; if they lose, of the next, and so on."""
        # One ply before the leaves the order is by the very values of the leaves.
        parts = self._breadth.parts(moves) if depth > 1 else iter([moves[:1]])
        best, move = super()._best(next(parts), depth, alpha, beta)
        for part in parts:
            if best > -CERTAIN:
                break
            value, candidate = super()._best(part, depth, max(alpha, best), beta)
            if value > best:
                best, move = value, candidate
        return best, move
