"""What a search needs of a game: a board to move on, and what a board is worth."""

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Protocol, TypeVar

from games import SearchBoard, Seat

M = TypeVar("M")


class KeyedBoard(SearchBoard[M], Protocol[M]):
    """Seats need not alternate: whoever `seat` names after a move is to move."""

    @property
    def seat(self) -> Seat: ...

    @property
    def key(self) -> Hashable:
        """Equal for equal positions, and for no others."""


B = TypeVar("B", bound=KeyedBoard[Any])

#: What a board is worth to the seat that searches, whoever is to move on it; finite, also when the game is over.
Evaluation = Callable[[B, Seat], float]
#: The moves worth a look, best first; what is left out is not searched. Gives at least one of those it is given.
Order = Callable[[B, Sequence[Any]], Sequence[Any]]
