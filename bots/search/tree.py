"""The tree that a search went through, to look at or to draw."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from bots.search.mcts import Node


@dataclass(frozen=True, slots=True)
class Branch:
    """A position by the move that led to it; one that the search left out has no visits and no score."""

    move: str
    visits: int = 0
    score: float | None = None
    children: tuple["Branch", ...] = ()


def sampled(node: Node) -> Branch:
    """The tree below a node that grew by sampling; scores are means for the seat that made the move."""
    children = tuple(map(sampled, node.children))
    return Branch(node.text, node.visits, node.mean if node.visits else None, children)


def dot(root: Branch, depth: int | None = None) -> str:
    """The tree in Graphviz's language, cut below `depth` moves; what the search left out is dashed."""
    return "\n".join(["digraph search {", "  node [shape=box];", *_dot(root, depth), "}", ""])


def _dot(root: Branch, depth: int | None) -> Iterator[str]:
    names = (f"n{number}" for number in count())
    level = [(root, "")]
    while level:
        below = []
        for branch, parent in level:
            name = next(names)
            style = "" if branch.visits else " style=dashed"
            yield f'  {name} [label="{_label(branch)}"{style}];'
            if parent:
                yield f"  {parent} -> {name};"
            below += [(child, name) for child in branch.children]
        if depth is not None:
            depth -= 1
        level = [] if depth is not None and depth < 0 else below


def _label(branch: Branch) -> str:
    """Move, score and visits, a line each; a move may hold any character."""
    move = branch.move.replace("\\", "\\\\").replace('"', '\\"')
    if branch.score is None:
        return move
    visits = f"{branch.visits} visit{'s' * (branch.visits != 1)}"
    return f"{move}\\n{branch.score:g}\\n{visits}"
