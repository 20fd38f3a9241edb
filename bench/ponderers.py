"""Bots for `freeze.py`: one that never rests, and one that takes its time."""

import subprocess
import sys
import threading
import time

from bots import Turn
from games.sudoku import Sudoku


def spin() -> None:
    while True:
        pass


class Ponderer:
    """Answers at once, and has a thread and a child that spin for ever."""

    def __init__(self) -> None:
        self._child: subprocess.Popen[bytes] | None = None

    def think(self, position: Sudoku, _turn: Turn) -> str:
        if self._child is None:
            self._child = subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True)
            threading.Thread(target=spin, daemon=True).start()
        return position.legal_moves()[0]


class Thinker:
    """Takes its time in its first turn."""

    def __init__(self, seconds: float = 90.0) -> None:
        self._seconds = seconds

    def think(self, position: Sudoku, _turn: Turn) -> str:
        seconds, self._seconds = self._seconds, 0.0
        time.sleep(seconds)
        return position.legal_moves()[0]
