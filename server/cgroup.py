"""Control groups: where this process may make them, and one around a worker with everything that it starts.

The group that freezes and kills is of version 2, which needs no controller for it. The freezer of version 1 is not
used: what it has frozen cannot be killed, and would stay for ever if the host was killed.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from server.limits import MOST_TASKS, Limits

#: For each version: the limit, where the kernel counts whom it ended for it, and the most that was used.
_MEMORY = {
    1: ("memory.limit_in_bytes", "memory.oom_control", "memory.max_usage_in_bytes"),
    2: ("memory.max", "memory.events", "memory.peak"),
}
_NAME = "shotclock-"


@dataclass(frozen=True, slots=True)
class Ground:
    """Folders of this host's own, one per hierarchy, below which its workers get their groups."""

    unified: str
    #: Controllers of version 1, where they are not in the unified hierarchy.
    pids: str | None = None
    memory: str | None = None

    def group(self, number: int) -> "ControlGroup":
        return ControlGroup(self, number)

    @property
    def folders(self) -> list[Path]:
        return [Path(folder) for folder in (self.unified, self.pids, self.memory) if folder is not None]

    @property
    def pids_by(self) -> str:
        return "cgroup v1" if self.pids else "cgroup v2" if self._has("pids") else ""

    @property
    def memory_by(self) -> str:
        return "cgroup v1" if self.memory else "cgroup v2" if self._has("memory") else ""

    def _has(self, controller: str) -> bool:
        return controller in Path(self.unified, "cgroup.subtree_control").read_text().split()

    def remove(self) -> None:
        for folder in self.folders:
            _remove(folder)


class ControlGroup:
    """What a worker starts is in its group, in whatever session and under whatever parent."""

    def __init__(self, ground: Ground, number: int) -> None:
        self._folders = [folder / str(number) for folder in ground.folders]
        self._unified = self._folders[0]
        self._pids = Path(ground.pids, str(number)) if ground.pids else self._unified
        self._memory = Path(ground.memory, str(number)) if ground.memory else self._unified
        self._files = _MEMORY[1 if ground.memory else 2]

    def make(self, limits: Limits) -> None:
        for folder in self._folders:
            folder.mkdir()
        if limits.processes and (most := self._pids / "pids.max").exists():
            most.write_text(str(MOST_TASKS * limits.processes))
        if limits.memory and (most := self._memory / self._files[0]).exists():
            most.write_text(str(limits.memory))

    def join(self) -> None:
        """For the worker itself, before it has started anything."""
        for folder in self._folders:
            (folder / "cgroup.procs").write_text("0")

    def processes(self) -> list[int]:
        try:
            return [int(pid) for pid in (self._unified / "cgroup.procs").read_text().split()]
        except OSError:  # it was removed
            return []

    def choked(self) -> int:
        """The most memory that was used, if the kernel has ended a process for it; else 0."""
        _, events, peak = self._files
        with suppress(OSError, ValueError):  # there is no such controller
            counts = dict(line.split() for line in (self._memory / events).read_text().splitlines())
            if int(counts.get("oom_kill", 0)):
                return int((self._memory / peak).read_text())
        return 0

    def freeze(self) -> None:
        self._write("cgroup.freeze", "1")

    def thaw(self) -> None:
        self._write("cgroup.freeze", "0")

    def kill(self) -> None:
        """Also what is frozen, and what is being started."""
        self._write("cgroup.kill", "1")

    def remove(self) -> bool:
        """False while somebody is in it."""
        return all(_remove(folder) for folder in self._folders)

    def _write(self, name: str, text: str) -> None:
        with suppress(FileNotFoundError, OSError):  # its last process has ended, and the group with it
            (self._unified / name).write_text(text)


def claim_ground() -> Ground | None:
    """Makes this process's folders; None where it may make none that can freeze."""
    found = {kind: folder for kind, folder in _own_groups() if _ours(folder)}
    made = {kind: base for kind, folder in found.items() if (base := _make(folder)) is not None}
    unified = made.get("unified")
    if unified is None or not (unified / "cgroup.kill").exists():
        for base in made.values():
            _remove(base)
        return None
    for controller in ("pids", "memory"):
        with suppress(OSError):  # not given to us
            (unified / "cgroup.subtree_control").write_text(f"+{controller}")
    return Ground(**{kind: str(base) for kind, base in made.items()})


def _own_groups() -> Iterator[tuple[str, Path]]:
    """The group of this process in each hierarchy that we know to use."""
    own = {}
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, group = line.split(":", 2)
        own.update(dict.fromkeys(controllers.split(","), group))
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        mount, _, kind = line.partition(" - ")
        root, place = mount.split()[3:5]
        system, _, options = kind.split()[:3]
        if system == "cgroup2":
            names = [("unified", "")]
        elif system == "cgroup":
            names = [(name, name) for name in ("pids", "memory") if name in options.split(",")]
        else:
            continue
        for name, controller in names:
            group = own.get(controller, "/")
            yield name, Path(place, group.removeprefix(root).lstrip("/"))


def _ours(folder: Path) -> bool:
    """A group has one manager. It is us at the top of a hierarchy that we may write to, and where it was delegated."""
    try:
        if str(os.getpid()) not in (folder / "cgroup.procs").read_text().split():
            return False
    except OSError:
        return False
    if not (folder.parent / "cgroup.procs").exists():
        return True
    for name in ("user.delegate", "trusted.delegate"):
        with suppress(OSError):  # there is no such attribute
            if os.getxattr(folder, name) == b"1":
                return True
    return False


def _make(folder: Path) -> Path | None:
    for other in folder.glob(f"{_NAME}*"):  # left behind by hosts that were killed
        if not Path("/proc", other.name.removeprefix(_NAME)).exists():
            _remove(other)
    base = folder / f"{_NAME}{os.getpid()}"
    try:
        base.mkdir()
    except OSError:
        return None
    return base


def _remove(folder: Path) -> bool:
    try:
        for inner in folder.glob("*/"):
            inner.rmdir()
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True
