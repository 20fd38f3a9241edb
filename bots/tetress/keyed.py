"""A board that knows the 64-bit key of its tokens, and of those before the last move."""

from bots.search import zobrist
from games import Seat, other
from games.tetress import Tetress
from games.tetress.placement import PLACEMENTS
from games.tetress.search import Board
from games.tetress.torus import CELLS

_ALL = (1 << 64) - 1
_TURN = 17

#: For each seat a number for every cell.
_NUMBERS: dict[Seat, tuple[int, ...]] = {
    1: zobrist.numbers(CELLS.bit_length(), "tetress red"),
    2: zobrist.numbers(CELLS.bit_length(), "tetress blue"),
}
_PLACED = {
    seat: [zobrist.key(placement.cells, numbers) for placement in PLACEMENTS]
    for seat, numbers in _NUMBERS.items()
}


class KeyedBoard(Board):
    """`tokens_key` follows the tokens alone: plies and the seat to move are no part of it."""

    def __init__(self, position: Tetress) -> None:
        super().__init__(position)
        self.tokens_key = self._key()
        self._keys: list[int] = []

    @property
    def pair_key(self) -> int:
        """One key for the tokens as they are and as they were before the last move."""
        before = self._keys[-1]
        return (before << _TURN & _ALL | before >> 64 - _TURN) ^ self.tokens_key

    def make(self, move: int) -> None:
        seat, own = self.seat, self.own
        self._keys.append(self.tokens_key)
        super().make(move)
        kept = self.rival == own | PLACEMENTS[move].cells
        self.tokens_key = self.tokens_key ^ _PLACED[seat][move] if kept else self._key()

    def undo(self) -> None:
        super().undo()
        self.tokens_key = self._keys.pop()

    def _key(self) -> int:
        seat = self.seat
        return zobrist.key(self.own, _NUMBERS[seat]) ^ zobrist.key(self.rival, _NUMBERS[other(seat)])
