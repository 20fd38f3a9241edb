"""A position to search in: moves are made and taken back in place."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

M = TypeVar("M")


class SearchBoard(Protocol[M]):
    """Follows the rules to the letter, as `Position` does; a move is whatever is fastest to make."""

    def moves(self) -> Sequence[M]:
        """One for each of `Position.legal_moves`, in the same order; empty once there is an outcome."""

    def make(self, move: M) -> None: ...

    def undo(self) -> None:
        """Take the last move back."""

    def text(self, move: M) -> str:
        """The canonical text of one of `moves()`."""
