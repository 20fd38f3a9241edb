"""What the workers of a host may use, and which of them use more."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

#: How often to look, in seconds: more often the nearer a worker is to its limit.
SELDOM, OFTEN = 0.05, 0.01
#: Bytes that a process may touch in a second; the kernel has to clear every page for it (measured: up to 3 GB).
FASTEST = 4e9
#: The kernel counts threads as well; so many tasks for each process that is allowed are enough for honest bots, and no
#: fork bomb gets far before the next look.
MOST_TASKS = 8
#: How many processes a bot may have at once, its worker included, unless told otherwise.
PROCESSES = 64

_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class Limits:
    """For a worker with everything that it has started; None is no limit."""

    memory: int | None = None
    processes: int | None = PROCESSES


class Family(Protocol):
    """A worker with everything that it has started."""

    def processes(self) -> list[int]: ...

    def choked(self) -> int:
        """The most memory that was used, if the kernel has ended a process for it; else 0."""


class Watch:
    """Looks from outside, now and then; pages that processes share count once."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        #: Seconds until the next look; None is for ever.
        self.look_after: float | None = None if limits == Limits(None, None) else OFTEN

    def over(self, families: Mapping[int, Family]) -> dict[int, str]:
        """Which workers are over a limit: the kind of the fault, and by how much."""
        if self.look_after is None:
            return {}
        self.look_after = SELDOM
        found = {worker: self._excess(family) for worker, family in families.items()}
        return {worker: words for worker, words in found.items() if words}

    def _excess(self, family: Family) -> str:
        pids = family.processes()
        limit = self._limits.processes
        if limit is not None and len(pids) > limit:
            return f"over_processes {len(pids)} processes of {limit}"
        if self._limits.memory is None:
            return ""
        used = self._used(pids, self._limits.memory)
        return f"over_memory {excess(used, self._limits.memory)}" if used else self.choked(family)

    def choked(self, family: Family) -> str:
        """As of `over`, for one of which the kernel has ended a process."""
        used = family.choked() if self._limits.memory is not None else 0
        return f"over_memory {excess(used, self._limits.memory or 0)}" if used else ""

    def _used(self, pids: list[int], limit: int) -> int:
        """Bytes, if it is too much; else 0."""
        used = sum(map(_resident, pids))
        if used > limit and len(pids) > 1:
            # The sum counts shared pages once for each. The true figure costs milliseconds, so it is asked for only
            # when it matters, and the next look does not come soon.
            used = sum(map(_proportional, pids))
        else:
            self.look_after = min(self.look_after or SELDOM, max(OFTEN, (limit - used) / FASTEST))
        return used if used > limit else 0


def excess(used: int, limit: int) -> str:
    """For people; rounded up, or what is over by a little would not look it."""
    return f"used {-(-used // 10**6)} MB of {limit / 10**6:g} MB"


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
