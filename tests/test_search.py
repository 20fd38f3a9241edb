"""The search library: every search finds what plain minimax finds, and an interrupt leaves nothing wrong behind."""

import random
import zlib
from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.search import AlphaBeta, Found, Minimax, Table, best_moves
from games import Position, Seat, find_game, game_names

#: Depths at which plain minimax takes some hundredths of a second at most, with so many moves looked at per node.
DEPTHS = {"colosseum": (2, 12), "reversi": (3, 12), "tetress": (2, 12), "tree": (6, 12)}
GAMES = [name for name in game_names() if find_game(name).board is not None]


def arbitrary(board: Any, seat: Seat) -> float:
    """Few different values, so that many are equal; not the same for both seats, as some evaluations are not."""
    return zlib.crc32(repr((board.key, seat)).encode()) % 5 * (1 if board.seat == seat else -3)


def first_few(width: int, board: Any, moves: Sequence[Any]) -> Sequence[Any]:
    """An order that leaves most moves of a node out, others at every node."""
    start = zlib.crc32(repr(board.key).encode()) % len(moves)
    return [*moves[start:], *moves[:start]][:width]


def reached(game: str, seed: int, plies: int) -> Position:
    """A position after so many random moves that is not over."""
    rng = random.Random(seed)
    found = find_game(game)
    position = found.start(variant=found.variants[0], seed=seed, options={})
    for _ in range(plies):
        after = position.play(rng.choice(position.legal_moves()))
        if after.outcome() is not None:
            break
        position = after
    return position


def board_of(game: str, position: Position) -> Any:
    make = find_game(game).board
    assert make is not None
    return make(position)


def searched(search: Minimax[Any], depth: int) -> Found:
    """The last word of a search on all root moves, in the board's order."""
    *_, last = best_moves(search, depth, search.board.moves())
    return last


@pytest.mark.parametrize("game", GAMES)
@settings(deadline=None, max_examples=25, derandomize=True)
@given(seed=st.integers(0, 1000), plies=st.integers(0, 60), depth=st.integers(1, 6))
def test_every_search_finds_the_value_and_the_move_of_plain_minimax(
    game: str, seed: int, plies: int, depth: int
) -> None:
    """With and without a table and killers, from any position, for evaluations with many equal values."""
    deepest, width = DEPTHS[game]
    depth = min(depth, deepest)
    position = reached(game, seed, plies)
    order = partial(first_few, width)
    plain = searched(Minimax(board_of(game, position), arbitrary, order=order), depth)
    table = Table()
    for options in ({}, {"killers": False}, {"table": table}, {"table": table}, {"table": Table(20)}):
        search = AlphaBeta(board_of(game, position), arbitrary, order=order, **options)
        found = searched(search, depth)
        assert (found.move, found.value) == (plain.move, plain.value)
        assert found.nodes <= plain.nodes
