"""Who dies with whom, and who gets a core: the calls that Python has no words for."""

import ctypes
import os
import signal
import time
from collections.abc import Set as AbstractSet
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


def die_with_parent(parent: int) -> None:
    """Kill this process when `parent`, the process that started it, ends."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    # It may have ended before the call above.
    if os.getppid() != parent:
        os._exit(0)


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends, so that none gets away."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def give_way_in_need() -> None:
    """When memory runs out, the kernel ends this process and those it starts before anybody else."""
    Path("/proc/self/oom_score_adj").write_text("1000")


def kill_children(*, spare: AbstractSet[int]) -> int:
    """Kill and reap the children of this process but `spare`; how many there were."""
    pid = os.getpid()
    pids = {int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()}
    for stray in pids - spare:
        # It is our child and not reaped yet, so the number cannot belong to anybody else.
        os.kill(stray, signal.SIGKILL)
        os.waitpid(stray, os.WNOHANG)
    return len(pids - spare)


def time_on_core(pid: int) -> float:
    """Seconds that a process has run so far."""
    # How the kernel numbers the clock of another process, see clock_getcpuclockid(3).
    return time.clock_gettime((~pid << 3) | 2)


def wants_core(pid: int) -> bool:
    """Whether a process is running or waits for its turn to run, rather than for something to happen."""
    # The state follows the name, which is in brackets and may hold anything.
    return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b") ")[2].startswith(b"R")
