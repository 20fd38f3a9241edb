"""A board for search: moves are made and taken back in place, squares are numbers."""

from games.position import Seat, other
from games.reversi.grid import members
from games.reversi.position import PASS, Reversi

#: The number of a pass; squares have numbers from 0.
NO_SQUARE = -1


class Board:
    """Agrees with the position that `play` would lead to. `own` are the discs of the seat to move."""

    def __init__(self, position: Reversi) -> None:
        self.grid = position.grid
        self.seat: Seat = position.seat
        black_moves = position.seat == 1
        self.own = position.black if black_moves else position.white
        self.rival = position.white if black_moves else position.black
        self._history: list[tuple[int, int]] = []

    @property
    def key(self) -> tuple[int, int, Seat]:
        """Equal for equal positions, and for no others."""
        return self.own, self.rival, self.seat

    def moves(self) -> list[int]:
        """In the order of `Reversi.legal_moves`; empty when the game is over."""
        squares = self.grid.playable(self.own, self.rival)
        if squares:
            return members(squares)
        return [NO_SQUARE] if self.grid.playable(self.rival, self.own) else []

    def over(self) -> bool:
        return not (self.grid.playable(self.own, self.rival) or self.grid.playable(self.rival, self.own))

    def make(self, move: int) -> None:
        """`move` is one of `moves()`."""
        own, rival = self.own, self.rival
        self._history.append((own, rival))
        self.seat = other(self.seat)
        if move == NO_SQUARE:
            self.own, self.rival = rival, own
        else:
            flips = self.grid.flips(move, own, rival)
            self.own, self.rival = rival ^ flips, own | flips | 1 << move

    def undo(self) -> None:
        self.own, self.rival = self._history.pop()
        self.seat = other(self.seat)

    def text(self, move: int) -> str:
        return PASS if move == NO_SQUARE else self.grid.names[move]

    def number(self, text: str) -> int:
        """The move of this canonical text."""
        return NO_SQUARE if text == PASS else self.grid.numbers[text]
