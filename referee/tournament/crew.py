"""The slots of a tournament: processes that play, each on cores of its own."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from games import Mistake
from referee.cores import Cores

#: Seconds for a slot to end its bots.
END_WITHIN = 10.0
#: A pair of games whose turns are all told; far above any.
LONGEST_ANSWER = 2**24

Data = dict[str, Any]


class SlotLost(Exception):  # noqa: N818 - what happened, not whose fault it is
    """The process of a slot has ended in the middle of an order."""


@dataclass(frozen=True, slots=True)
class Slot:
    process: asyncio.subprocess.Process
    log: Path

    async def ask(self, order: Data) -> list[Data]:
        """The games of a pair; a Mistake of the slot is ours."""
        if self.process.stdin is None or self.process.stdout is None:
            raise ValueError("a slot is talked to through pipes")
        with suppress(ConnectionError):  # the end of the output tells it
            self.process.stdin.write(json.dumps(order).encode() + b"\n")
            await self.process.stdin.drain()
        line = await self.process.stdout.readline()
        if not line:
            raise SlotLost(
                f"a process that plays has ended with code {await self.process.wait()}: see {self.log}"
            )
        answer = json.loads(line)
        if "mistake" in answer:
            raise Mistake(answer["mistake"])
        games: list[Data] = answer["games"]
        return games

    async def end(self) -> None:
        if self.process.stdin is not None:
            self.process.stdin.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(END_WITHIN):
                await self.process.wait()
                return
        self.kill()
        await self.process.wait()

    def kill(self) -> None:
        """Its bots die with it."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)


async def start_slot(number: int, folder: Path, cores: Cores | None) -> Slot:
    """In a session of its own: Ctrl-C is for us alone."""
    logs = folder / "logs"
    logs.mkdir(exist_ok=True)
    log = logs / f"slot-{number}.log"
    with log.open("ab") as errors:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "referee.tournament.slot", str(folder / "records")),
            *(str(logs / f"slot-{number}"), listed(cores.referee if cores else ())),
            listed(cores.bots if cores else ()),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
            limit=LONGEST_ANSWER,
        )
    return Slot(process, log)


def listed(cores: Sequence[int]) -> str:
    return ",".join(map(str, cores))


def shares(jobs: int, allowed: Sequence[int]) -> list[Cores | None]:
    """Cores for every slot, none of them in two; where there are too few, nobody is kept to a core."""
    if jobs > len(allowed):
        return [None] * jobs
    split = [tuple(allowed[number::jobs]) for number in range(jobs)]
    return [Cores(own[:1], own[1:] or own) for own in split]
