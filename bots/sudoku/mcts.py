"""Sampling: random games from a tree that is kept from turn to turn."""

from collections.abc import Iterator

from bots import search
from bots.bot import Turn
from bots.options import at_least
from bots.sudoku.placements import Placements
from games import Proposal, Seat, other
from games.sudoku import Sudoku


def won(board: Placements, seat: Seat) -> float:
    return float(board.scores[seat - 1] > board.scores[other(seat) - 1])


class Mcts:
    """Plays the move that won most of the random games begun with it.

    `c` is how much is tried that is little known, `nodes` caps the games of a turn (0: any number).
    """

    def __init__(self, *, c: float = 2.0, nodes: int = 0) -> None:
        at_least(0, c=c, nodes=nodes)
        self._nodes = nodes
        self._mcts = search.Mcts(search.uniform(won), exploration=c)

    def think(self, position: Sudoku, turn: Turn) -> Iterator[Proposal]:
        board = Placements(position)
        # A rejected move leads nowhere in the tree: it changes whose turn it is. Games begun by the other seat say
        # nothing about the moves of this one, and the keys tell them apart.
        rejected = set(map(str, position.taboo))
        self._mcts.follow([move for move in turn.moves if move not in rejected], board)
        effort = search.Effort.of_turn(turn, turns=len(board.cells), limit=self._nodes)
        yield from self._mcts.think(board, turn.rng, effort=effort)
