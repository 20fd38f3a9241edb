"""A board for search: moves are made and taken back in place, and are numbers instead of texts."""

from typing import TYPE_CHECKING

from games.position import Seat, other
from games.tree.position import Tree

if TYPE_CHECKING:
    from games.tree.node import Node


class Board:
    """As `Tree`. A move is the number of a child."""

    def __init__(self, position: Tree) -> None:
        self.node = position.node
        self.seat: Seat = position.seat
        self._above: list[Node] = []

    def over(self) -> bool:
        return self.node.value is not None

    @property
    def scores(self) -> tuple[int, int]:
        return (self.node.value or 0, 0)

    @property
    def key(self) -> str:
        return self.node.name

    def moves(self) -> list[int]:
        return list(range(len(self.node.children)))

    def make(self, move: int) -> None:
        self._above.append(self.node)
        self.node = self.node.children[move]
        self.seat = other(self.seat)

    def undo(self) -> None:
        self.node = self._above.pop()
        self.seat = other(self.seat)

    def text(self, move: int) -> str:
        return self.node.children[move].name

    def number(self, text: str) -> int:
        """The move of this canonical text."""
        return [child.name for child in self.node.children].index(text)
