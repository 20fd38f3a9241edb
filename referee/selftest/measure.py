"""Takes the figures of this machine, in a few seconds."""

import asyncio
import os
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import grpc

from referee.selftest.crowd import Spinner, spinning
from referee.selftest.echo import Echo, echoing, stream, trip
from referee.selftest.fitness import Figures, Level, Sample, sample
from referee.selftest.freezer import freezer, rounds
from referee.timing import SECOND

#: Between two lines of the timer, and between two messages of a match; seconds.
TICK = 0.003
MESSAGES_EVERY = 0.02
TRIPS = 200
#: Seconds for the timer alone, and for each number of matches.
TIMER = 0.4
LEVEL = 0.5
#: Numbers of matches below that of the cores, and matches on a core: more would tell nothing new and take long.
MOST_LEVELS = 4
MOST_ON_A_CORE = 4


async def measure(*, matches: int | None, say: Callable[[str], None]) -> Figures:
    """`matches` is one of the numbers that are tried; `say` is told what comes next."""
    cores = len(os.sched_getaffinity(0))
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="shotclock-")))
        say("the timer")
        timer = sample(await lateness(TIMER))
        say("stopping a bot")
        async with spinning(folder) as spinner:
            with freezer(spinner) as means:
                # On the loop, where nothing else is to do: a process that is frozen must not be left alone by Ctrl-C.
                frozen, thawed = rounds(means)
                name = means.name
        say("messages to another process")
        channel = await stack.enter_async_context(echoing(folder))
        async with stream(channel) as call:
            await trip(call)
            trips = [await trip(call) for _ in range(TRIPS)]
        levels = await crowded(numbers(cores, matches), channel, folder, say=say)
    return Figures(cores, timer, sample(trips), sample(frozen), sample(thawed), name, levels)


def numbers(cores: int, asked: int | None) -> list[int]:
    """How many matches to try at once: 1, 2, 4, ... up to one for each core, and what was asked for."""
    powers = [2**power for power in range(MOST_LEVELS) if 2**power < cores]
    return sorted({1, *powers, cores, *([min(asked, MOST_ON_A_CORE * cores)] if asked else [])})


async def lateness(seconds: float) -> list[int]:
    """How late the timer of the loop is, in nanoseconds, at lines that follow each other."""
    loop = asyncio.get_running_loop()
    taken: list[int] = []
    over: asyncio.Future[None] = loop.create_future()
    give_up = loop.time() + seconds

    def line(due: float) -> None:
        late = loop.time() - due
        taken.append(max(0, round(late * SECOND)))
        if loop.time() < give_up:
            following = loop.time() + TICK
            loop.call_at(following, line, following)
        else:
            over.set_result(None)

    loop.call_later(TICK, line, loop.time() + TICK)
    await over
    return taken


async def crowded(
    tried: list[int], channel: grpc.aio.Channel, folder: Path, *, say: Callable[[str], None]
) -> tuple[Level, ...]:
    """Each number of matches in turn: as many bots that think, and as many streams with messages."""
    levels: list[Level] = []
    alone = 0.0
    async with AsyncExitStack() as stack:
        spinners: list[Spinner] = []
        for matches in tried:
            say("1 match" if matches == 1 else f"{matches} matches at once")
            while len(spinners) < matches:
                spinners.append(await stack.enter_async_context(spinning(folder)))
                await stack.enter_async_context(talking(channel))
            lag, slowest = await look(spinners)
            alone = alone or slowest
            levels.append(Level(matches, lag, slowest / alone))
    return tuple(levels)


@asynccontextmanager
async def talking(channel: grpc.aio.Channel) -> AsyncIterator[None]:
    """The messages of one match."""

    async def talk(call: Echo) -> None:
        while True:
            await trip(call)
            await asyncio.sleep(MESSAGES_EVERY)

    async with stream(channel) as call:
        task = asyncio.create_task(talk(call))
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def look(spinners: list[Spinner]) -> tuple[Sample, float]:
    """How late the timer is now, and the work per second of the slowest."""
    before, began = [spinner.work for spinner in spinners], time.monotonic()
    late = await lateness(LEVEL)
    seconds = time.monotonic() - began
    after = [spinner.work for spinner in spinners]
    return sample(late), min(now - then for now, then in zip(after, before, strict=True)) / seconds
