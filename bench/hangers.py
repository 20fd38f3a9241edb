"""Bots that propose a move and then never come back, each in its own way."""

import time
from collections.abc import Iterator

from bench.instant import pattern_move
from bots import Turn
from games.sudoku import Sudoku


class Spin:
    """Python code that never ends: an interrupt gets in between two instructions."""

    def think(self, position: Sudoku, _turn: Turn) -> Iterator[str]:
        yield pattern_move(position)
        while True:
            pass


class Sleep:
    """Waits in C: an interrupt wakes it."""

    def think(self, position: Sudoku, _turn: Turn) -> Iterator[str]:
        yield pattern_move(position)
        time.sleep(60)


class Swallow:
    """Catches whatever is thrown at it and goes on: nothing but a kill ends it."""

    def think(self, position: Sudoku, _turn: Turn) -> Iterator[str]:
        yield pattern_move(position)
        while True:
            try:
                while True:
                    pass
            except BaseException:  # noqa: BLE001, S110 - the point of it
                pass
