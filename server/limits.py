"""How much memory the workers of a host may use, and which of them use more."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

#: How often to look, in seconds: more often the nearer a worker is to its limit.
SELDOM, OFTEN = 0.05, 0.01
#: Bytes that a process may touch in a second; the kernel has to clear every page for it (measured: up to 3 GB).
FASTEST = 4e9

_PAGE = os.sysconf("SC_PAGE_SIZE")


class MemoryLimit:
    """What a worker uses is what it and everything it has started hold in memory; a page they share counts once.

    It is looked at from outside, now and then. A control group would answer the same two questions: who is over the
    limit, and when to ask again.
    """

    def __init__(self, limit: int | None) -> None:
        """In bytes; without a limit there is never a reason to look."""
        self._limit = limit
        #: Seconds until the next look; None is for ever.
        self.look_after: float | None = None if limit is None else OFTEN

    def over(self, workers: Iterable[int]) -> dict[int, int]:
        """What those workers use that use too much."""
        if self._limit is None:
            return {}
        found: dict[int, int] = {}
        self.look_after = SELDOM
        for worker in workers:
            family = _family(worker)
            used = sum(map(_resident, family))
            if used > self._limit and len(family) > 1:
                # The sum counts shared pages once for each. The true figure costs milliseconds, so it is asked for
                # only when it matters, and the next look does not come soon.
                used = sum(map(_proportional, family))
            else:
                self.look_after = min(self.look_after, max(OFTEN, (self._limit - used) / FASTEST))
            if used > self._limit:
                found[worker] = used
        return found


def excess(used: int, limit: int) -> str:
    """For people; rounded up, or what is over by a little would not look it."""
    return f"used {-(-used // 10**6)} MB of {limit / 10**6:g} MB"


def _family(worker: int) -> list[int]:
    """The worker, what it has started, and what they have."""
    pids = [worker]
    for pid in (
        pids
    ):  # which grows while we go through it: a chain of forks may be longer than a recursion can be deep
        with suppress(OSError):  # it has ended
            for task in os.scandir(f"/proc/{pid}/task"):
                pids += map(int, Path(task.path, "children").read_bytes().split())
    return pids


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_bytes().split()[1]) * _PAGE
    except OSError:  # it has ended
        return 0


def _proportional(pid: int) -> int:
    """Every page divided by the number of processes that have it."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_bytes().splitlines()
    except OSError:  # it has ended
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(b"Pss:")), 0)
