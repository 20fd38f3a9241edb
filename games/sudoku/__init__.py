"""Competitive Sudoku: two players fill one puzzle and score by completing rows, columns and blocks."""

import random
from collections.abc import Mapping
from dataclasses import replace

from games.clock import Clock
from games.errors import BadText
from games.game import Game, Ruling
from games.sudoku.boards import board_names, load
from games.sudoku.position import Sudoku
from games.sudoku.territory import TERRITORIES, draw_territory

__all__ = ["GAME", "Sudoku"]

DEFAULT_BOARD = "easy-3x3"


def start(*, variant: str, seed: int, options: Mapping[str, str]) -> Sudoku:
    GAME.check(variant, options)
    board = options.get("board", DEFAULT_BOARD)
    position = load(board)
    if variant == "classic":
        return position
    territory = draw_territory(variant, position.shape, position.cells, random.Random(seed))
    if territory.is_spent():
        raise BadText(f"board {board} leaves neither player a cell to play in under {variant}")
    return replace(position, territory=territory, seat=territory.after(2))


GAME = Game(
    name="sudoku",
    summary="fill one puzzle in turns; completing 1, 2 or 3 regions at once scores 1, 3 or 7 points",
    notation="r3c4=7 puts a 7 in row 3, column 4",
    variants=("classic", *TERRITORIES),
    start=start,
    parse=Sudoku.parse,
    options={"board": f"{', '.join(board_names())}, or a board file (default {DEFAULT_BOARD})"},
    clock=Clock(turn=0.5),
    ruling=Ruling.LOSES,
)
