"""A bot that thinks as another does, but not for so long."""

import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import entry_points
from types import FrameType
from typing import Any

from bots import Proposal, Turn
from games import Position


class TimeIsUp(BaseException):
    """Raised inside the other bot, wherever it is."""


class Hasty:
    """Says what the other bot has found after so many seconds, and that it is done."""

    def __init__(self, *, game: str, bot: str = "champion", seconds: float = 0.1) -> None:
        (entry,) = entry_points(group="shotclock.bots", name=f"{game}.{bot}")
        self._bot: Any = entry.load()()
        self._seconds = seconds
        self._armed = False

    def think(self, position: Position, turn: Turn) -> Iterator[str | Proposal]:
        signal.signal(signal.SIGALRM, self._ring)
        line = time.monotonic() + self._seconds
        if turn.deadline is not None:
            line = min(line, turn.deadline)
        thoughts = self._bot.think(position, replace(turn, deadline=line))
        while (left := line - time.monotonic()) > 0:
            signal.setitimer(signal.ITIMER_REAL, left)
            try:
                self._armed = True
                proposal = next(thoughts)
                self._armed = False
            except (StopIteration, TimeIsUp):
                return
            finally:
                self._armed = False
                signal.setitimer(signal.ITIMER_REAL, 0)
            yield proposal

    def _ring(self, _signal: int, _frame: FrameType | None) -> None:
        if self._armed:
            self._armed = False
            raise TimeIsUp
