"""One placement ahead: the highest utility."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from bots.bot import Turn
from bots.tetress.keyed import KeyedBoard
from bots.tetress.utility import Utility
from games import Proposal
from games.tetress import Tetress


def by_utility(utility: Utility, board: KeyedBoard, rng: random.Random) -> tuple[dict[int, float], Proposal]:
    """All placements with their utility, the best first and ties at random; and the first of them as a proposal."""
    moves = board.moves()
    rng.shuffle(moves)
    values = dict(zip(moves, utility.values(board, moves, board.seat), strict=True))
    ranked = {move: values[move] for move in sorted(moves, key=values.__getitem__, reverse=True)}
    best, value = next(iter(ranked.items()))
    return ranked, Proposal(board.text(best), score=value, depth=1, nodes=len(moves))


@dataclass(kw_only=True)
class Greedy(Utility):
    """Takes the placement with the highest utility, ties at random.

    An open side more than the rival's is worth `sides`, a token more `tokens`, a token that the rival lost and we did
    not `losses`, a line with `near_full` tokens or more `lines`, and one with `near_empty` or fewer minus that.
    """

    def think(self, position: Tetress, turn: Turn) -> Iterator[Proposal]:
        yield by_utility(self, KeyedBoard(position), turn.rng)[1]
