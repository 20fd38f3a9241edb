"""The Reversi bots: pruning changes nothing, the end is searched without a mistake, a move comes at once."""

import random
from collections.abc import Iterator
from itertools import islice

import pytest

from bench.agreement import last, positions
from bots import Turn
from bots.reversi.champion import Champion
from bots.reversi.endgame import ALL, FEW, Endgame
from bots.reversi.evaluation import EVALUATIONS
from bots.reversi.fixed import AlphaBeta, Minimax
from bots.search import Effort, Table
from games.reversi import Reversi
from games.reversi.search import Board

#: Empty squares of the positions that are searched out by brute force.
MOST_EMPTY = FEW + 2


def reversi(seed: int) -> Iterator[Reversi]:
    for position in positions("reversi", seed):
        assert isinstance(position, Reversi)
        yield position


def empty(position: Reversi) -> int:
    return position.grid.size**2 - sum(position.scores)


def turn(position: Reversi) -> Turn:
    return Turn(1, position.seat, random.Random(1))


@pytest.mark.parametrize("evaluation", EVALUATIONS)
def test_alphabeta_takes_the_move_of_minimax(evaluation: str) -> None:
    """With the same score, by every evaluation, on boards of every size."""
    for number, position in enumerate(islice(reversi(3), 0, 300, 6)):
        depth = 1 + number % 3
        found = [
            last(bot(depth=depth, eval=evaluation).think(position, turn(position)))
            for bot in (Minimax, AlphaBeta)
        ]
        assert found[0] == found[1], position


def brute_force(own: int, rival: int, board: Board, *, passed: bool = False) -> int:
    """The difference of discs after best play, by every move there is."""
    best = -ALL
    for square in board.grid.names:
        flips = 0 if (own | rival) >> square & 1 else board.grid.flips(square, own, rival)
        if flips:
            best = max(best, -brute_force(rival ^ flips, own | flips | 1 << square, board))
    if best > -ALL:
        return best
    return own.bit_count() - rival.bit_count() if passed else -brute_force(rival, own, board, passed=True)


def test_the_end_of_the_game_is_what_brute_force_finds() -> None:
    """The exact difference in a full window, the right side of a narrow one; one table for all positions."""
    ends = (each for each in reversi(5) if 1 <= empty(each) <= MOST_EMPTY)
    rng, tables = random.Random(1), {size: Table(200) for size in (4, 6, 8)}
    for position in islice(ends, 120):
        board = Board(position)
        endgame = Endgame(position.grid, table=tables[position.grid.size], effort=Effort())
        value = brute_force(board.own, board.rival, board)
        low = value + rng.randint(-3, 2)
        narrow = endgame.value(board.own, board.rival, low, low + 1)
        assert (narrow > low) == (value > low), position
        assert endgame.value(board.own, board.rival, -ALL, ALL) == value, position


def test_the_champion_loses_no_disc_at_the_end() -> None:
    """Its last proposal leads to the difference that brute force finds, and says so."""
    ends = (each for each in reversi(7) if 2 <= empty(each) <= MOST_EMPTY)
    bot = Champion()
    for position in islice(ends, 40):
        *_, proposal = bot.think(position, turn(position))
        board = Board(position)
        value = brute_force(board.own, board.rival, board)
        assert proposal.score == value, position
        board.make(board.number(proposal.move))
        assert -brute_force(board.own, board.rival, board) == value


def test_the_champion_proposes_before_it_searches() -> None:
    """So a move is there within milliseconds, whatever comes next; the second costs one look at each move."""
    for position in islice(reversi(9), 0, 120, 10):
        thoughts = Champion().think(position, turn(position))
        assert next(thoughts).nodes is None
        second = next(thoughts)
        assert second.nodes is not None
        assert second.nodes <= len(position.legal_moves())
