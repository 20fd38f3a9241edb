"""One placement ahead: the highest utility."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from bots.bot import Turn
from bots.tetress.keyed import KeyedBoard
from bots.tetress.utility import Utility
from games import Proposal
from games.tetress import Tetress


def by_utility(utility: Utility, board: KeyedBoard, rng: random.Random) -> tuple[list[int], Proposal]:
    """All placements, the best first and ties at random; and the first of them as a proposal."""
    moves = board.moves()
    rng.shuffle(moves)
    values = dict(zip(moves, utility.values(board, moves, board.seat), strict=True))
    moves.sort(key=values.__getitem__, reverse=True)
    text = board.text(moves[0])
    return moves, Proposal(text, score=values[moves[0]], depth=1, nodes=len(moves), line=(text,))


@dataclass(kw_only=True)
class Greedy(Utility):
    """Takes the placement with the highest utility, ties at random.

    An open side more than the rival's is worth `sides`, a token more `tokens`, a token that the rival lost and we did
    not `losses`, a line with `near_full` tokens or more `lines`, and one with `near_empty` or fewer minus that.
    """

    def think(self, position: Tetress, turn: Turn) -> Iterator[Proposal]:
        yield by_utility(self, KeyedBoard(position), turn.rng)[1]
