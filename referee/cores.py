"""Which cores are for the referee and which for the bots."""

import os
from dataclasses import dataclass

from games import Mistake


@dataclass(frozen=True, slots=True)
class Cores:
    """Two sets that have no core in common; the hosts of bots, which do little, are with the referee."""

    referee: tuple[int, ...]
    bots: tuple[int, ...]


def split_cores(text: str) -> Cores | None:
    """As the option --cores says; None where nobody is kept to a core."""
    allowed = os.sched_getaffinity(0)
    if text == "off" or (text == "auto" and len(allowed) < 2):
        return None
    if text == "auto":
        first, *others = sorted(allowed)
        return Cores((first,), tuple(others))
    try:
        first, *others = (int(number) for number in text.split(","))
    except ValueError:
        raise Mistake(
            f"--cores {text} is no list of cores: write auto, off, or numbers such as 0,2,3"
        ) from None
    if not others or first in others:
        raise Mistake(f"--cores {text} must name the referee's core first and then another for the bots")
    if missing := {first, *others} - allowed:
        raise Mistake(f"--cores {text}: there is no core {min(missing)} for us, only {listed(allowed)}")
    return Cores((first,), tuple(sorted(set(others))))


def pin(cores: Cores | None) -> None:
    """Keep this process, and what it starts from now on, to the cores of the referee."""
    if cores is not None:
        os.sched_setaffinity(0, cores.referee)


def listed(cores: set[int]) -> str:
    return ",".join(map(str, sorted(cores)))
