"""Reversi: two players enclose each other's discs and turn them over; most discs at the end win."""

from collections.abc import Mapping

from games.clock import Clock
from games.errors import BadText, excerpt
from games.game import Game, Ruling
from games.reversi.grid import SIZES, grid
from games.reversi.position import Reversi
from games.reversi.search import Board

__all__ = ["GAME", "Reversi"]

DEFAULT_SIZE = "8"


def start(*, variant: str, seed: int, options: Mapping[str, str]) -> Reversi:  # noqa: ARG001 - no lots are drawn
    GAME.check(variant, options)
    size = options.get("size", DEFAULT_SIZE)
    if size not in map(str, SIZES):
        raise BadText(
            f"the size of a board is an even number from {SIZES[0]} to {SIZES[-1]}, not {excerpt(size)}"
        )
    return Reversi.start(grid(int(size)))


GAME = Game(
    name="reversi",
    summary="enclose the other's discs in a straight line to turn them over; most discs at the end win",
    notation="d3 puts a disc in column d, row 3; pass when there is no such square, and only then",
    variants=("standard",),
    start=start,
    parse=Reversi.parse,
    options={"size": f"squares on a side, even, {SIZES[0]} to {SIZES[-1]} (default {DEFAULT_SIZE})"},
    clock=Clock(turn=1.0),
    ruling=Ruling.LOSES,
    board=Board,
)
