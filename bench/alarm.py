"""An alarm that breaks off whatever runs, as a host does at the line."""

import gc
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

#: Sets the alarm in so many seconds; 0 takes it back.
SetAlarm = Callable[[float], object]


class Stop(BaseException):
    """What a host raises."""


def stop(*_: object) -> None:
    raise Stop


@contextmanager
def alarm() -> Iterator[SetAlarm]:
    """Only in the main thread; afterwards none is set.

    No garbage is collected meanwhile: what is raised in a callback of the collector is lost, and the search goes on.
    """
    before = signal.signal(signal.SIGALRM, stop)
    gc.disable()
    try:
        yield partial(signal.setitimer, signal.ITIMER_REAL)
    finally:
        gc.enable()
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
