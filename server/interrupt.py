"""How a stop breaks into a bot's thinking: only while the bot's own code runs, and at most once a turn."""

import signal
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

T = TypeVar("T")

INTERRUPT = signal.SIGUSR1


class Interrupted(BaseException):
    """Raised inside the bot's code; no Exception, so that `except Exception` in a bot lets it through."""


class Interrupts:
    """Turns are counted; `line[0]` holds the last turn that is to stop, written by the host before it signals.

    So the signal is a mere wake-up call, and it does not matter when it comes:
    - after the turn has ended, between turns or late in the next turn: `line[0]` names an older turn, nothing happens;
    - before the turn has started here: `guard` sees the number and does not start the bot's code at all;
    - while our own code runs (a proposal being sent, a position being read): the next `guard` sees the number;
    - twice: the first one disarms;
    - during an import, which would leave a broken module behind for good: nothing is raised. Either the import ends at
      once and the next `guard` sees the number, or the host replaces this process.
    """

    def __init__(self, line: memoryview) -> None:
        self._line = line
        self._armed = False
        self.turn = 0

    def install(self) -> None:
        signal.signal(INTERRUPT, self.handle)

    @property
    def due(self) -> bool:
        stop: int = self._line[0]
        return stop >= self.turn

    def handle(self, _signum: int, frame: FrameType | None) -> None:
        if self._armed and self.due and not _importing(frame):
            self._armed = False
            raise Interrupted

    def guard(self, step: Callable[[], T]) -> T:
        """Run one step of the bot's code; raises Interrupted if the turn is to stop, before, within or after it."""
        try:
            self._armed = True
            if self.due:
                raise Interrupted
            result = step()
        finally:
            # A signal that comes before this line raises here, which drops the result: it came too late anyway.
            self._armed = False
        if self.due:
            # The bot swallowed the interrupt, or was saved by an import.
            raise Interrupted
        return result


def _importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False
