"""What this user can do on this machine to keep bots apart and within limits."""

import os
import shutil
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

#: Seconds for a program that only starts another which does nothing.
PATIENCE = 2.0
CONTROLLERS = ("freezer", "memory", "pids", "cpuset")


@dataclass(frozen=True, slots=True)
class Means:
    """One kind of protection; `text` says how it is there, or what is missing."""

    name: str
    available: bool
    text: str


def available() -> list[Means]:
    cores = sorted(os.sched_getaffinity(0))
    groups = {name: group for name in CONTROLLERS if (group := cgroup(name)) is not None}
    return [
        Means(
            "freeze by signal", available=True, text="SIGSTOP and SIGCONT, for every bot that is started here"
        ),
        *(control_group(name, groups.get(name)) for name in CONTROLLERS),
        program("bubblewrap", "bwrap", "--ro-bind", "/", "/", "--unshare-net", "true"),
        program("namespaces", "unshare", "--user", "--net", "true"),
        Means(
            "cores to pin",
            available=len(cores) > 1,
            text=f"{len(cores)}: {spans(cores)}" if len(cores) > 1 else "1, for referee and bots",
        ),
    ]


def spans(cores: list[int]) -> str:
    """0-3, 6: as taskset takes them."""
    parts: list[list[int]] = []
    for core in cores:
        if parts and core == parts[-1][-1] + 1:
            parts[-1].append(core)
        else:
            parts.append([core])
    return ", ".join(str(part[0]) if len(part) == 1 else f"{part[0]}-{part[-1]}" for part in parts)


def control_group(name: str, group: Path | None) -> Means:
    if group is None:
        return Means(f"cgroup {name}", available=False, text="this kernel or container has none")
    version = "v2" if is_unified(group) else "v1"
    if not os.access(group, os.W_OK | os.X_OK):
        return Means(f"cgroup {name}", available=False, text=f"{version}, not yours to write: {group}")
    return Means(f"cgroup {name}", available=True, text=f"{version}, {group}")


def program(name: str, *command: str) -> Means:
    """Whether it does what it is for, not only whether it is installed."""
    path = shutil.which(command[0])
    if path is None:
        return Means(name, available=False, text=f"{command[0]} is not installed")
    try:
        ran = subprocess.run(  # noqa: S603 - a command of our own
            [path, *command[1:]], stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Means(name, available=False, text=f"{path} does not run: {error}")
    if ran.returncode:
        words = ran.stderr.decode(errors="replace").strip().splitlines()
        return Means(
            name, available=False, text=f"{path} is not allowed: {words[-1] if words else 'no reason given'}"
        )
    return Means(name, available=True, text=path)


def cgroup(controller: str) -> Path | None:
    """The control group of this process in which a new one would be made; None if the controller is not there."""
    own = {}
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, names, path = line.split(":", 2)
        own.update(dict.fromkeys(names.split(","), path))
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        mount, _, kind = line.partition(" - ")
        root, point = mount.split()[3:5]
        filesystem, _, settings = kind.split()[:3]
        if filesystem == "cgroup" and controller in settings.split(",") and controller in own:
            return below(Path(point), root, own[controller])
        if filesystem == "cgroup2" and "" in own:
            group = below(Path(point), root, own[""])
            if offers(group, controller):
                return group
    return None


def below(point: Path, root: str, path: str) -> Path:
    """A container may see its own group as the root of the mount."""
    group = point / os.path.relpath(path, root)
    return group if group.is_dir() and ".." not in group.parts else point


def offers(group: Path, controller: str) -> bool:
    if controller == "freezer":  # not a controller there: every group below the root has it
        return is_unified(group)
    with suppress(OSError):
        return controller in (group / "cgroup.controllers").read_text().split()
    return False


def is_unified(group: Path) -> bool:
    return (group / "cgroup.controllers").exists()
