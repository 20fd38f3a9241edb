"""The root of a search tree: which of the moves is the best, and how that is told."""

from collections.abc import Iterator, Sequence
from math import inf, nextafter
from typing import Any, NamedTuple

from bots.search.board import KeyedBoard
from bots.search.minimax import Line, Minimax
from games import Proposal


class Found(NamedTuple):
    """The best move so far at one depth, for the seat to move, with the line it begins."""

    move: Any
    value: float
    depth: int
    nodes: int
    line: Line


def best_moves(
    search: Minimax[Any], depth: int, moves: Sequence[Any], *, tried: Sequence[Any] = ()
) -> Iterator[Found]:
    """Each of these moves that is better than all before it, to a depth of at least 1; so the last is the best.

    They may be `tried` in another order; among equals the first of `moves` is better.
    """
    board = search.board
    seat = board.seat
    places = {move: place for place, move in enumerate(moves)}
    best, best_place = -inf, len(places)
    for place, move in enumerate(tried or moves):
        earlier = places[move] < best_place
        # A value on the edge of the window is a bound only: where equal is good enough, the window begins below it.
        floor = nextafter(best, -inf) if earlier else best
        board.make(move)
        value = search.after(seat, depth - 1, floor, inf, place=place)
        board.undo()
        if value > best or (earlier and value == best):
            best, best_place = value, places[move]
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
