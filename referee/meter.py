"""How much processor time a bot has used, read from outside: its processes, and what they have started."""

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

#: In which the kernel tells the time of processes that have ended.
TICK = 1_000_000_000 // os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Usage:
    """Nanoseconds of one process, and of those of its children that it has waited for."""

    own: int
    reaped: int


class Meter:
    """What it says never falls, and grows by whatever any process below `root` uses, also one that has ended since.

    The time of a process that ends goes to the parent that waits for it; a parent may also have told the kernel to
    forget it. So what was seen of a process is counted once and for ever, and what its parent is credited with counts
    only as far as it was not seen before. What forgotten processes used since the last look is all that can be missed.
    """

    def __init__(self, root: int, *, above: int) -> None:
        """The first `above` generations, from `root` on, are ours: their own time is free."""
        self._root = root
        self._above = above
        self._seen: dict[tuple[int, str], Usage] = {}
        #: Seen, but not yet credited to a parent: the kernel rounds what it tells of the dead.
        self._uncredited = 0
        self._total = 0
        self.read()

    def read(self) -> int:
        now = dict(self._family())
        before = self._seen
        credit = 0
        for process, usage in now.items():
            known = before.get(process, Usage(0, 0))
            self._total += max(0, usage.own - known.own)
            credit += usage.reaped - known.reaped
        ended = sum(usage.own + usage.reaped for process, usage in before.items() if process not in now)
        unseen = credit - ended - self._uncredited
        self._total += max(0, unseen)
        self._uncredited = min(max(0, -unseen), 2 * TICK)
        self._seen = now
        return self._total

    def _family(self) -> Iterator[tuple[tuple[int, str], Usage]]:
        """By number and start, since the kernel gives numbers out again."""
        family = [(self._root, 0)]
        for pid, generation in family:  # which grows while we go through it
            with suppress(OSError, IndexError):  # it has ended
                family += [(child, generation + 1) for child in children(pid)]
                # The fields follow the name, which is in brackets and may hold anything.
                fields = Path(f"/proc/{pid}/stat").read_text("latin-1").rpartition(") ")[2].split()
                reaped = (int(fields[13]) + int(fields[14])) * TICK
                own = 0 if generation < self._above else time_on_core(pid)
                yield (pid, fields[19]), Usage(own, reaped)


def children(pid: int) -> Iterator[int]:
    for task in os.scandir(f"/proc/{pid}/task"):
        with suppress(OSError):  # the thread has ended
            yield from map(int, Path(task.path, "children").read_bytes().split())


def time_on_core(pid: int) -> int:
    """Nanoseconds that all threads of a process have run."""
    # How the kernel numbers the clock of another process, see clock_getcpuclockid(3).
    return time.clock_gettime_ns((~pid << 3) | 2)
