"""A worker and everything that it has started, as a tree of processes: for where there are no control groups."""

import os
import signal
from contextlib import suppress
from pathlib import Path

#: Rounds of stopping in which new processes may turn up; one that is stopped starts no more.
MOST_ROUNDS = 8


class Tree:
    """What has lost its parent is not in the tree any more; the launcher ends it."""

    def __init__(self, worker: int) -> None:
        self._worker = worker
        self._frozen: list[int] = []

    def processes(self) -> list[int]:
        pids = [self._worker]
        # It grows while we go through it: a chain of forks may be longer than a recursion can be deep.
        for pid in pids:
            with suppress(OSError):  # it has ended
                for task in os.scandir(f"/proc/{pid}/task"):
                    pids += map(int, Path(task.path, "children").read_bytes().split())
        return pids

    def choked(self) -> int:
        """Nobody limits its memory but us."""
        return 0

    def freeze(self) -> None:
        self._frozen = []
        for _ in range(MOST_ROUNDS):
            new = [pid for pid in self.processes() if pid not in self._frozen]
            if not new:
                return
            _signal(new, signal.SIGSTOP)
            self._frozen += new

    def thaw(self) -> None:
        # The worker last: it would find its children standing still.
        _signal(self._frozen[::-1], signal.SIGCONT)
        self._frozen = []

    def kill(self) -> None:
        with suppress(ProcessLookupError):  # it has not got a group of its own yet
            os.killpg(self._worker, signal.SIGKILL)
        _signal(self.processes(), signal.SIGKILL)

    def remove(self) -> bool:
        return True


def _signal(pids: list[int], signum: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signum)
