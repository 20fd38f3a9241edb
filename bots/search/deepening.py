"""From a search to the moves a bot proposes: at the root of the tree, once for every depth."""

from collections.abc import Iterable, Iterator, Sequence
from math import inf
from typing import Any, NamedTuple

from bots.search.board import KeyedBoard
from bots.search.effort import Spent
from bots.search.minimax import Line, Minimax
from games import Proposal

#: Deeper than games last, and shallow enough for the interpreter's stack.
DEEPEST = 200


class Found(NamedTuple):
    """The best move so far at one depth, for the seat to move, with the line it begins."""

    move: Any
    value: float
    depth: int
    nodes: int
    line: Line


def deepen(
    search: Minimax[Any],
    depths: Iterable[int] = range(1, DEEPEST + 1),
    *,
    moves: Sequence[Any] | None = None,
    certain: float = inf,
) -> Iterator[Proposal]:
    """Propose a move at once, then search each depth and propose whatever is better, until nothing more can be.

    Each depth begins with the best moves of the last; values of different depths are never compared. The end is when
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


def best_moves(search: Minimax[Any], depth: int, moves: Sequence[Any]) -> Iterator[Found]:
    """Each of these moves that is better than all before it, to a depth of at least 1; so the last is the best.

    Among equals the first is taken, so that searches with the same values take the same move.
    """
    board = search.board
    seat = board.seat
    best = -inf
    for move in moves:
        board.make(move)
        same = board.seat == seat
        value = search.value(depth - 1, best, inf) if same else -search.value(depth - 1, -inf, -best)
        board.undo()
        if value > best:
            best = value
            yield Found(move, value, depth, search.effort.nodes, (move, search.lines[depth - 1]))


def root_moves(search: Minimax[Any]) -> Sequence[Any]:
    moves = search.board.moves()
    return moves if search.order is None else search.order(search.board, moves)


def proposal(board: KeyedBoard[Any], found: Found) -> Proposal:
    texts = []
    line = found.line
    while line:
        move, line = line
        texts.append(board.text(move))
        board.make(move)
    for _ in texts:
        board.undo()
    return Proposal(texts[0], score=found.value, depth=found.depth, nodes=found.nodes, line=tuple(texts))
