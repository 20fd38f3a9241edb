"""A process that plays one pair of games after the other, on cores of its own; bots stay at the table in between.

A line on its standard input is an order, one on its standard output an answer, both JSON. It ends when the input does.
"""

import asyncio
import json
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import grpc

from games import Mistake
from referee.cli import FULL
from referee.connection import connected
from referee.key import load_key
from referee.launch import Stage, Started, started
from referee.logs import LogFormat, LogLevel, configure
from referee.plan import Agreement
from referee.play import in_silence, memory_text
from referee.recorder import Archive
from referee.series import Place, Played, place, play_fixtures, working_folder
from referee.tournament.order import agreement_of, fixtures_of, game_told

#: Bots that are kept running; the one that has rested longest makes room for the next.
MOST_SEATED = 6

Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A bot under the limits of a match; `number` tells two of the same apart."""

    bot: str
    game: str
    memory: str
    processes: int
    number: int


@dataclass(frozen=True, slots=True)
class Seated:
    running: Started
    channel: grpc.aio.Channel
    stack: AsyncExitStack

    @property
    def gone(self) -> bool:
        return self.running.process is not None and self.running.process.returncode is not None


class Roster:
    """The bots that are running here, the one that was wanted last at the end."""

    def __init__(self, folder: Path, stage: Stage) -> None:
        self._folder = folder
        self._stage = stage
        self._seated: dict[Wanted, Seated] = {}
        self._started = 0

    async def places(self, agreed: Agreement) -> tuple[Place, Place]:
        """For both bots of a match, each started unless it is here."""
        memory = memory_text(agreed.memory)
        wanted = [
            Wanted(bot, agreed.game.name, memory, agreed.processes, agreed.bots[:number].count(bot))
            for number, bot in enumerate(agreed.bots)
        ]
        for one in [one for one, seated in self._seated.items() if seated.gone]:
            await self._dismiss(one)
        for one in wanted:
            if one in self._seated:
                self._seated[one] = self._seated.pop(one)
        await self._start([one for one in wanted if one not in self._seated])
        first, second = (self._seated[one] for one in wanted)
        metered = agreed.time.cpu
        return (
            place(first.running, first.channel, self._stage, metered=metered),
            place(second.running, second.channel, self._stage, metered=metered),
        )

    async def _start(self, missing: Sequence[Wanted]) -> None:
        for one in list(self._seated)[: max(0, len(self._seated) + len(missing) - MOST_SEATED)]:
            await self._dismiss(one)
        async with AsyncExitStack() as unwind:
            begun: list[tuple[Wanted, Started, AsyncExitStack]] = []
            for one in missing:
                self._started += 1
                stack = await unwind.enter_async_context(AsyncExitStack())
                stage = replace(self._stage, memory=one.memory, processes=one.processes)
                running = await stack.enter_async_context(
                    started(
                        one.bot, game=one.game, folder=self._folder, name=f"bot{self._started}", stage=stage
                    )
                )
                begun.append((one, running, stack))
            # Both get going while we wait for the first.
            await asyncio.gather(*(running.listening() for _, running, _ in begun))
            for one, running, stack in begun:
                channel = await stack.enter_async_context(connected(running.address, bot=running.bot))
                self._seated[one] = Seated(running, channel, stack)
            unwind.pop_all()

    async def _dismiss(self, one: Wanted) -> None:
        await self._seated.pop(one).stack.aclose()

    async def close(self) -> None:
        for one in list(self._seated):
            await self._dismiss(one)


async def work(orders: asyncio.Queue[Data], folder: Path, stage: Stage) -> None:
    archive = Archive(folder, load_key())
    async with AsyncExitStack() as stack:
        sockets = stack.enter_context(working_folder(stage.logs))
        judges = stack.enter_context(ThreadPoolExecutor(1, thread_name_prefix="judge"))
        roster = Roster(sockets, stage)
        stack.push_async_callback(roster.close)
        while True:
            order = await orders.get()
            agreed = agreement_of(order["agreed"])
            try:
                seated = await roster.places(agreed)
                played = (
                    await play_pair(order, agreed, seated, judges=judges, archive=archive)
                    if "pair" in order
                    else []
                )
            except Mistake as mistake:
                say({"mistake": str(mistake)})
            except OSError as error:
                if error.errno not in FULL:
                    raise
                say({"mistake": f"cannot write {error.filename or 'a record'}: {error.strerror}, make room"})
            else:
                say({"games": [game_told(one) for one in played]})


async def play_pair(
    order: Data,
    agreed: Agreement,
    seated: tuple[Place, Place],
    *,
    judges: ThreadPoolExecutor,
    archive: Archive,
) -> list[Played]:
    fixtures = fixtures_of(agreed, order["series"], order["pair"])
    for fixture in fixtures:
        # What a crash has left is played from its start, or bots would think with another memory than they had.
        archive.path(fixture.terms.match_id).unlink(missing_ok=True)
    played: dict[str, Played] = {}

    def finished(one: Played) -> None:
        played[one.match.terms.match_id] = one

    await play_fixtures(
        agreed.game, fixtures, seated, judges=judges, announce=in_silence, archive=archive, finished=finished
    )
    return [played[fixture.terms.match_id] for fixture in fixtures]


def say(answer: Data) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


async def listen(orders: asyncio.Queue[Data]) -> None:
    """Until nobody can give an order any more."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    while line := await reader.readline():
        orders.put_nowait(json.loads(line))


async def attend(folder: Path, stage: Stage) -> None:
    orders: asyncio.Queue[Data] = asyncio.Queue()
    working = asyncio.ensure_future(work(orders, folder, stage))
    listening = asyncio.ensure_future(listen(orders))
    await asyncio.wait((working, listening), return_when=asyncio.FIRST_COMPLETED)
    for task in (working, listening):
        task.cancel()
    results = await asyncio.gather(working, listening, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException) and not isinstance(result, asyncio.CancelledError):
            raise result


def main() -> None:
    """Arguments: the folder for records, the folder for logs or nothing, our cores, and those of the bots."""
    records, logs, own, theirs = sys.argv[1:]
    os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
    configure(LogFormat.JSON, LogLevel.INFO)
    if own:
        os.sched_setaffinity(0, {int(core) for core in own.split(",")})
    cores = tuple(int(core) for core in theirs.split(",")) if theirs else None
    asyncio.run(attend(Path(records), Stage(Path(logs) if logs else None, cores=cores, output=2)))


if __name__ == "__main__":
    main()
