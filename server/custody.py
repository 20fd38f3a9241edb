"""What a host says of how it keeps its bot within bounds."""

import os

from games import Mistake
from server.cgroup import Ground
from server.limits import Limits
from shotclock.v1 import bot_pb2 as pb

#: Where the kernel does not hold a limit: the launcher looks.
SAMPLED = "sampled"


def custody(limits: Limits, *, ground: Ground | None, freezes: bool, cores: list[int] | None) -> pb.Custody:
    memory_by = (ground.memory_by if ground else "") or SAMPLED
    processes_by = (ground.pids_by if ground else "") or SAMPLED
    return pb.Custody(
        memory=limits.memory or 0,
        memory_by=memory_by if limits.memory else "",
        processes=limits.processes or 0,
        processes_by=processes_by if limits.processes else "",
        frozen_by=("cgroup v2" if ground else "signals") if freezes else "",
        cores=cores or sorted(os.sched_getaffinity(0)),
    )


def parse_cores(text: str) -> list[int] | None:
    """None for all that there are."""
    if not text:
        return None
    try:
        cores = sorted({int(number) for number in text.split(",")})
    except ValueError:
        raise Mistake(f"{text!r} is no list of cores: write their numbers, such as 1 or 1,3") from None
    before = os.sched_getaffinity(0)  # whoever started us may keep this process to a core, but not the bot
    try:
        os.sched_setaffinity(0, cores)
        if os.sched_getaffinity(0) != set(cores):
            raise Mistake(f"not all of the cores {text} are there for us")
    except (OSError, ValueError, OverflowError):
        raise Mistake(f"none of the cores {text} is there for us") from None
    finally:
        os.sched_setaffinity(0, before)
    return cores
