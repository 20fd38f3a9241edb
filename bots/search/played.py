"""A board for any game: moves are played by the rules, which is slower than a board of the game's own."""

from collections.abc import Sequence

from games import Position, Seat


class Played:
    """Agrees with `position`, which is the one that the moves made lead to. A move is its text."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self._before: list[Position] = []

    @property
    def seat(self) -> Seat:
        return self.position.seat

    @property
    def key(self) -> str:
        """Equal for equal positions, and for no others."""
        return str(self.position)

    def moves(self) -> Sequence[str]:
        return self.position.legal_moves()

    def make(self, move: str) -> None:
        after = self.position.play(move)
        self._before.append(self.position)
        self.position = after

    def undo(self) -> None:
        self.position = self._before.pop()

    def text(self, move: str) -> str:
        return move
