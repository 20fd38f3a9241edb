"""Tetress: two players lay tetrominoes on a torus; who cannot lay one loses."""

from collections.abc import Mapping

from games.clock import Clock
from games.game import Game, Ruling
from games.tetress.position import LAST_PLY, Tetress
from games.tetress.search import Board

__all__ = ["GAME", "Tetress"]


def start(*, variant: str, seed: int, options: Mapping[str, str]) -> Tetress:  # noqa: ARG001 - no lots are drawn
    GAME.check(variant, options)
    return Tetress()


GAME = Game(
    name="tetress",
    summary="lay tetrominoes beside your own on an 11x11 torus, full rows and columns are cleared;"
    f" who cannot lay one loses, after {LAST_PLY} plies more tokens win",
    notation="0-0,0-1,0-2,0-3 fills these four cells, row-column, counted from 0",
    variants=("standard",),
    start=start,
    parse=Tetress.parse,
    clock=Clock(budget=180.0),
    memory=250,
    ruling=Ruling.LOSES,
    board=Board,
)
