"""How late the referee is at its lines with so many live matches in one process, and where it takes no more of them.

All bots are in one other process, each with a connection of its own, and propose every 100 ms until they are stopped.
Matches begin at instants drawn by lot within a turn, as matches that know nothing of each other do. On a busy machine
most of the lateness is the wait for a core: `chrt -f 5` in front of the command leaves it out.
"""

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table as Grid

from bench.figures import HERE, WIDTH, median, ms, p99, progress, quieten
from bench.stub import EVERY, GAME
from games import Ruling, find_game
from referee.admission import MOST_MATCHES, Admission, FullHouse
from referee.connection import connected
from referee.driver import Watcher
from referee.events import Terms
from referee.launch import Started, end
from referee.match import Match
from referee.screen import look_away
from referee.series import Fixture, Place, play_match
from referee.timing import MILLISECOND, SECOND, TimeControl, parse_duration
from referee.turn import Ending, TurnReport

MATCHES = (1, 50, 100, 200)
#: At p99, with so many matches.
GOAL, GOAL_MATCHES = 10 * MILLISECOND, 200
#: Lines before that are not counted: what is made once is being made.
WARM_UP = 2.0


@dataclass(frozen=True, slots=True)
class Load:
    """What was seen while so many matches were live."""

    matches: int
    reports: Sequence[TurnReport]
    seconds: float
    #: Of a core, used by the referee's process.
    cpu: float
    #: What was said to one match more, if it was refused.
    refusal: str

    @property
    def lateness(self) -> list[int]:
        return [report.lag for report in self.reports if report.ending is Ending.LINE]

    @property
    def heard(self) -> int:
        return sum(len(report.heard) for report in self.reports)


@asynccontextmanager
async def stub() -> AsyncIterator[str]:
    """The address of the process that is all the bots."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        address = f"unix:{folder}/stub.sock"
        process = await asyncio.create_subprocess_exec(
            sys.executable, str(HERE / "stub.py"), address, start_new_session=True
        )
        try:
            await Started("stub", address, process).listening()
            yield address
        finally:
            await end(process)


async def measure(matches: int, address: str, *, turn: int, seconds: float, admission: Admission) -> Load:
    live: list[Match] = []

    def announce(match: Match, _names: tuple[str, str]) -> Watcher:
        live.append(match)
        return look_away

    rng = random.Random(matches)
    async with AsyncExitStack() as stack:
        judges = stack.enter_context(ThreadPoolExecutor(1, thread_name_prefix="judge"))
        places = [
            Place("stub", await stack.enter_async_context(connected(address, bot="stub")))
            for _ in range(2 * matches)
        ]

        async def one(number: int) -> None:
            await asyncio.sleep(rng.uniform(0, turn / SECOND))
            terms = Terms(f"load-{number}", GAME, "standard", {}, number, TimeControl(turn), Ruling.LOSES)
            seats = places[2 * number], places[2 * number + 1]
            await play_match(
                find_game(GAME),
                Fixture(terms, home=0),
                seats,
                judges=judges,
                announce=announce,
                archive=None,
                admission=admission,
            )

        tasks = [asyncio.create_task(one(number)) for number in range(matches)]
        await asyncio.sleep(turn / SECOND + WARM_UP)
        began, used = time.monotonic_ns(), time.process_time_ns()
        await asyncio.sleep(seconds)
        over, used = time.monotonic_ns(), time.process_time_ns() - used
        for task in tasks:
            if task.done():
                task.result()
                raise SystemExit("a match was over before the others were measured: measure for less long")
        refusal = await one_more(one(0)) if admission.live == admission.limit else ""
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
    reports = [report for match in live for report in match.reports if began <= report.ended <= over]
    return Load(matches, reports, (over - began) / SECOND, used / (over - began), refusal)


async def one_more(match: Coroutine[None, None, None]) -> str:
    try:
        await match
    except FullHouse as refusal:
        return str(refusal)
    raise SystemExit("one match more than the limit was admitted")


async def run(levels: Sequence[int], *, turn: int, seconds: float, limit: int) -> list[Load]:
    loads = []
    for matches in levels:
        async with stub() as address:
            loads.append(
                await measure(matches, address, turn=turn, seconds=seconds, admission=Admission(limit))
            )
        progress(f"{matches} matches: p99 {ms(p99(loads[-1].lateness))} ms")
    return loads


def show(loads: Sequence[Load], turn: str) -> None:
    grid = Grid(title=f"turns of {turn}, a proposal every {EVERY * 1000:g} ms; lateness at the line in ms")
    for column in (
        "live matches",
        "lines",
        "proposals/s",
        "core used",
        "p50",
        "p99",
        "max",
        "x alone",
        "goal",
    ):
        grid.add_column(column)
    for load in loads:
        late = load.lateness
        goal = ""
        if load.matches == GOAL_MATCHES:
            missed = f"[red]missed by {ms(p99(late) - GOAL)} ms[/]"
            goal = f"p99 {GOAL // MILLISECOND} ms, {'[green]met[/]' if p99(late) <= GOAL else missed}"
        grid.add_row(
            *(str(load.matches), str(len(late)), f"{load.heard / load.seconds:.0f}", f"{load.cpu:.0%}"),
            *(ms(median(late)), ms(p99(late)), ms(max(late))),
            *(f"{p99(late) / p99(loads[0].lateness):.1f}x", goal),
        )
    console = Console(width=WIDTH)
    console.print(grid)
    for load in loads:
        if load.refusal:
            console.print(f"match {load.matches + 1} is refused: {load.refusal}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turn", default="500ms", help="thinking time")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long each load is measured")
    parser.add_argument("--matches", type=int, nargs="+", default=list(MATCHES))
    parser.add_argument("--short", action="store_true", help="only see that it works")
    parser.add_argument("--limit", type=int, default=MOST_MATCHES, help="matches that are admitted")
    asked = parser.parse_args()
    quieten()
    if asked.short:
        asked.matches, asked.limit, asked.seconds = [1, 10], 10, 2.0
    turn = parse_duration(asked.turn)
    show(asyncio.run(run(asked.matches, turn=turn, seconds=asked.seconds, limit=asked.limit)), asked.turn)


if __name__ == "__main__":
    main()
