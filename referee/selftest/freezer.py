"""What it takes to stop a process that thinks, and to let it go on."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from referee.selftest.crowd import Spinner
from referee.selftest.protection import cgroup, is_unified
from referee.timing import SECOND

ROUNDS = 30
#: A process that has not stopped or gone on by then never will.
PATIENCE = SECOND
#: Seconds that it runs between a thaw and the next freeze.
RUN = 0.002


@dataclass(frozen=True, slots=True)
class Freezer:
    name: str
    freeze: Callable[[], object]
    thaw: Callable[[], object]
    is_frozen: Callable[[], bool]


@contextmanager
def freezer(spinner: Spinner) -> Iterator[Freezer]:
    """A control group of its own for the process if this user may make one, else signals."""
    above = cgroup("freezer")
    own = above / f"shotclock-doctor-{os.getpid()}" if above else None
    if above is None or own is None or not moved(spinner.pid, own):
        yield by_signal(spinner)
        return
    try:
        yield by_group(own, unified=is_unified(above))
    finally:
        with suppress(OSError):  # back, so that the group is empty and can go
            (above / "cgroup.procs").write_text(str(spinner.pid))
            own.rmdir()


def moved(pid: int, group: Path) -> bool:
    try:
        group.mkdir()
        (group / "cgroup.procs").write_text(str(pid))
    except OSError:
        with suppress(OSError):
            group.rmdir()
        return False
    return True


def by_signal(spinner: Spinner) -> Freezer:
    return Freezer(
        "signals",
        lambda: os.kill(spinner.pid, signal.SIGSTOP),
        lambda: os.kill(spinner.pid, signal.SIGCONT),
        lambda: spinner.state == "T",
    )


def by_group(group: Path, *, unified: bool) -> Freezer:
    if unified:
        switch, events = group / "cgroup.freeze", group / "cgroup.events"
        return Freezer(
            "cgroup v2",
            lambda: switch.write_text("1"),
            lambda: switch.write_text("0"),
            lambda: "frozen 1" in events.read_text(),
        )
    state = group / "freezer.state"
    return Freezer(
        "cgroup v1",
        lambda: state.write_text("FROZEN"),
        lambda: state.write_text("THAWED"),
        lambda: state.read_text() == "FROZEN\n",
    )


def rounds(means: Freezer) -> tuple[list[int], list[int]]:
    """Nanoseconds of each freeze and of each thaw; the process goes on afterwards."""
    frozen, thawed = [], []
    try:
        for _ in range(ROUNDS):
            frozen.append(until(means.freeze, means.is_frozen))
            thawed.append(until(means.thaw, lambda: not means.is_frozen()))
            time.sleep(RUN)
    finally:
        means.thaw()
    return frozen, thawed


def until(act: Callable[[], object], done: Callable[[], bool]) -> int:
    """Looks again without a pause, which would be measured, too."""
    began = time.monotonic_ns()
    act()
    while not done() and time.monotonic_ns() - began < PATIENCE:
        pass
    return time.monotonic_ns() - began
