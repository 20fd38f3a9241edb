"""The simple game tree: the position and its rules."""

from dataclasses import dataclass, field
from typing import Self

from games.errors import BadText, IllegalMove, excerpt
from games.position import Outcome, Seat, other
from games.tree.node import Node


@dataclass(frozen=True, slots=True)
class Tree:
    """The players stand on a node together; what lies above it is of no consequence any more."""

    node: Node
    seat: Seat = 1
    last: str = field(default="", compare=False)

    def __str__(self) -> str:
        return f"{self.seat} {self.node}"

    @classmethod
    def parse(cls, text: str) -> Self:
        seat, _, tree = text.partition(" ")
        if seat not in ("1", "2"):
            raise BadText(
                f"a position begins with the seat to move, 1 or 2, and a space, not with {excerpt(seat)}"
            )
        return cls(Node.parse(tree), 1 if seat == "1" else 2)

    @property
    def scores(self) -> tuple[int, int]:
        return (self.node.value or 0, 0)

    @property
    def effect(self) -> str:
        return "" if self.node.value is None else f"a leaf worth {self.node.value}"

    def legal_moves(self) -> list[str]:
        return [child.name for child in self.node.children]

    def play(self, move: str) -> Self:
        for child in self.node.children:
            if child.name == move:
                return type(self)(child, other(self.seat), move)
        if self.node.value is not None:
            raise IllegalMove(f"{excerpt(move)} comes after the end: {self.node.name} is a leaf")
        names = ", ".join(self.legal_moves()[:10])
        more = ", ..." if len(self.node.children) > 10 else ""
        raise IllegalMove(f"{excerpt(move)} is no child of {self.node.name}: choose from {names}{more}")

    def outcome(self) -> Outcome | None:
        value = self.node.value
        if value is None:
            return None
        winner: Seat | None = None if value == 0 else 1 if value > 0 else 2
        return Outcome(winner, self.scores, f"leaf {self.node.name} reached")

    def draw(self, *, colour: bool = False) -> str:
        lines: list[str] = []

        def add(node: Node, depth: int) -> None:
            value = "" if node.value is None else f" {node.value}"
            name = node.name
            if self.last and depth == 0:
                name = f"\x1b[7m{name}\x1b[0m" if colour else f"[{name}]"
            lines.append(f"{'    ' * depth}{name}{value}")
            for child in node.children:
                add(child, depth + 1)

        add(self.node, 0)
        outcome = self.outcome()
        lines.append(outcome.reason if outcome else f"player {self.seat} to move")
        return "\n".join(lines)
