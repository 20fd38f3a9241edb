"""Who dies with whom: the calls that Python has no words for."""

import ctypes
import os
import signal
from collections.abc import Set as AbstractSet
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


def _prctl(option: int, value: int) -> None:
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def die_with_parent(parent: int, signum: signal.Signals = signal.SIGKILL) -> None:
    """End this process when `parent`, the process that started it, ends."""
    _prctl(_PR_SET_PDEATHSIG, signum)
    # It may have ended before the call above.
    if os.getppid() != parent:
        os._exit(0)


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends, so that none gets away."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def kill_orphans(own: AbstractSet[int]) -> int:
    """Kill and reap the children of this process that are not its own; how many there were."""
    strays = 0
    for children in Path("/proc/self/task").glob("*/children"):
        try:
            pids = {int(pid) for pid in children.read_text().split()}
        except FileNotFoundError:  # a thread that has ended meanwhile
            continue
        for pid in pids - own:
            strays += 1
            # It is our child and not reaped yet, so the number cannot belong to anybody else.
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, os.WNOHANG)
    return strays
