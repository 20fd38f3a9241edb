"""Bots that play the simple game tree: by plain minimax and by alpha-beta."""

from collections.abc import Iterator
from typing import ClassVar

from bots import search
from bots.bot import Turn
from bots.options import at_least
from games import Proposal, Seat
from games.tree import Tree
from games.tree.node import DEEPEST
from games.tree.search import Board


def worth(board: Board, seat: Seat) -> float:
    """The value of a leaf, which the second player pays; a node with children is worth nothing."""
    first, _ = board.scores
    return first if seat == 1 else -first


class Minimax:
    """Visits every node and takes the best move.

    `depth` caps the plies looked ahead (0: to the leaves), `nodes` the nodes visited in a turn (0: any number).
    """

    _search: ClassVar[type[search.Minimax[Board]]] = search.Minimax

    def __init__(self, *, depth: int = 0, nodes: int = 0) -> None:
        at_least(0, depth=depth, nodes=nodes)
        self._depth = depth or DEEPEST
        self._nodes = nodes

    def think(self, position: Tree, turn: Turn) -> Iterator[Proposal]:
        board, effort = Board(position), search.Effort(search.node_limit(turn, self._nodes))
        yield from search.decide(self._search(board, worth, effort=effort), self._depth)


class AlphaBeta(Minimax):
    """Takes the same move as minimax and leaves out the nodes that cannot matter.

    Its options are those of minimax.
    """

    _search: ClassVar[type[search.Minimax[Board]]] = search.AlphaBeta
