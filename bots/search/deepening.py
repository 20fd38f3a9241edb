"""From a search to the moves that a bot proposes: at one depth, or at ever greater ones."""

from collections.abc import Iterable, Iterator, Sequence
from math import inf
from typing import Any

from bots.search.effort import Spent
from bots.search.minimax import Minimax
from bots.search.root import best_moves, proposal, root_moves
from games import Proposal

#: Deeper than games last, and shallow enough for the interpreter's stack.
DEEPEST = 200


def deepen(
    search: Minimax[Any],
    depths: Iterable[int] = range(1, DEEPEST + 1),
    *,
    moves: Sequence[Any] | None = None,
    certain: float = inf,
) -> Iterator[Proposal]:
    """Propose a move at once, then search each depth and propose whatever is better, until nothing more can be.

    Each depth begins with the best moves of the last, which stay the best unless another is better; values of
    different depths are never compared. The end is when
    every line searched ends with the game, when the value is at least `certain` (a sure win) or at most minus that, or
    when the effort is spent. `moves` replaces the root's moves and their order.
    """
    board = search.board
    order = list(root_moves(search) if moves is None else moves)
    yield Proposal(board.text(order[0]))
    if len(order) == 1:
        return
    try:
        for depth in depths:
            horizons, value = search.horizons, 0.0
            for found in best_moves(search, depth, tuple(order)):
                value = found.value
                order.remove(found.move)
                order.insert(0, found.move)
                yield proposal(board, found)
            if abs(value) >= certain or search.horizons == horizons:
                return
    except Spent:
        return


def decide(search: Minimax[Any], depth: int, *, moves: Sequence[Any] | None = None) -> Iterator[Proposal]:
    """Propose a move at once, then search one depth and propose whatever is better, until the effort is spent.

    The last is the first of the best of `moves`, whichever way the search goes; so all searches decide alike.
    """
    board = search.board
    moves = root_moves(search) if moves is None else moves
    yield Proposal(board.text(moves[0]))
    if len(moves) > 1:
        try:
            for found in best_moves(search, depth, moves, tried=search.promising(moves, depth)):
                yield proposal(board, found)
        except Spent:
            return
