"""Colosseum Survival: walk, put up a wall, and keep the larger area when the walls have come between you."""

import random
from collections.abc import Mapping

from games.clock import Clock
from games.colosseum.grid import SIZES
from games.colosseum.lots import draw_start, random_walk
from games.colosseum.position import Colosseum
from games.colosseum.search import Board
from games.errors import BadText, excerpt
from games.game import Game, Ruling

__all__ = ["GAME", "Colosseum"]


def start(*, variant: str, seed: int, options: Mapping[str, str]) -> Colosseum:
    GAME.check(variant, options)
    size = None
    if "size" in options:
        sizes = {str(size): size for size in SIZES}
        size = sizes.get(options["size"])
        if size is None:
            raise BadText(
                f"option size of colosseum is one of {', '.join(sizes)}, not {excerpt(options['size'])}"
            )
    return draw_start(random.Random(seed), size)


GAME = Game(
    name="colosseum",
    summary="walk and put up a wall in turns; once walls separate the players, the larger area wins",
    notation="4,0,u goes to row 4, column 0 (from 0) and puts a wall on its upper side; r, d, l likewise",
    variants=("standard",),
    start=start,
    parse=Colosseum.parse,
    options={"size": f"rows and columns, {SIZES[0]} to {SIZES[-1]} (default: drawn from the seed)"},
    clock=Clock(turn=2.0, first=30.0),
    memory=500,
    ruling=Ruling.REPLACED,
    stand_in=random_walk,
    board=Board,
)
