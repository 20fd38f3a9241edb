"""Bots are broken off wherever they are; that changes nothing about what they answer next."""

import random
from collections.abc import Iterator

import pytest

from bench.interrupts import Spoilt, interrupt, places, searchers
from bots import Proposal, Turn
from bots.search import AlphaBeta, Effort, deepen
from games import game_names
from games.reversi import Reversi
from games.reversi.search import Board

#: Per bot; `bench/interrupts.py` does a thousand per game.
TIMES = 12
NODES = 60
SEARCHERS = [(game, bot) for game in game_names() for bot in searchers(game)]


@pytest.mark.parametrize(("game", "bot"), SEARCHERS)
def test_an_interrupted_bot_answers_as_a_new_one(game: str, bot: str) -> None:
    """And never with an illegal move, wherever it was broken off in the turn before."""
    make = searchers(game)[bot]
    where = places(game, make, NODES, count=3)
    assert interrupt(make, where, TIMES, NODES, random.Random(1)) == TIMES


class Keeper:
    """Makes its moves on the board of its first turn."""

    def __init__(self, *, nodes: int) -> None:
        self._nodes = nodes
        self._board: Board | None = None

    def think(self, position: Reversi, turn: Turn) -> Iterator[Proposal]:
        if self._board is None:
            self._board = Board(position)
        else:
            for move in turn.moves:
                self._board.make(self._board.number(move))
        search = AlphaBeta(self._board, lambda board, _: board.own, effort=Effort(self._nodes))
        yield from deepen(search)


def test_a_bot_that_an_interrupt_spoils_is_found() -> None:
    """What the test above relies on: a search leaves the board that was kept between two turns anywhere."""
    where = places("reversi", Keeper, NODES, count=3)
    with pytest.raises(Spoilt):
        interrupt(Keeper, where, TIMES, NODES, random.Random(1))
