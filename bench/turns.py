"""What a refereed turn costs beside a bare gRPC stream, and how long `shotclock play` takes to its first turn.

Rounds of both are played in turns, in real processes, so that noise hits both. A bare round trip is cheaper on a busy
machine, where no core must be woken, or with `taskset -c 0`; what a turn costs over it hardly changes.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from rich.console import Console
from rich.table import Table as Grid

from bench.figures import HERE, INSTANT, SETTLE, WIDTH, median, ms, p99, progress, quieten, table
from games import Ruling, find_game
from referee import wire
from referee.connection import Call, connected
from referee.events import SendTurn
from referee.launch import Started, end
from referee.recorder import Archive
from referee.timing import SECOND, TimeControl
from referee.turn import TurnReport
from shotclock.v1 import bot_pb2 as pb
from shotclock.v1 import bot_pb2_grpc

TURN = SECOND // 2

#: At the median, as a multiple of a bare round trip.
SEND_TO_DONE_GOAL = 2.0
WHOLE_TURN_GOAL = 2.5
#: Seconds.
FIRST_TURN_GOAL = 1.5


@dataclass(slots=True)
class Samples:
    """Nanoseconds."""

    bare: list[int] = field(default_factory=list)
    send_to_done: list[int] = field(default_factory=list)
    whole: list[int] = field(default_factory=list)
    kept: list[int] = field(default_factory=list)


async def measure(rounds: int, trips: int) -> Samples:
    samples = Samples()
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-")))
        archive = Archive(folder, Ed25519PrivateKey.generate())
        board = await stack.enter_async_context(table((INSTANT, INSTANT)))
        call = await stack.enter_async_context(bare_stream())
        await round_trips(call, trips)  # the first ones pay for what is made once
        await board.play(turn=TURN, ruling=Ruling.LOSES)
        for number in range(1, rounds + 1):
            await asyncio.sleep(SETTLE)
            samples.bare += await round_trips(call, trips)
            reports = await board.play(turn=TURN, ruling=Ruling.LOSES)
            samples.send_to_done += [report.ended - report.sent for report in reports]
            samples.whole += send_to_send(reports)
            await asyncio.sleep(SETTLE)
            samples.kept += send_to_send(await board.play(turn=TURN, ruling=Ruling.LOSES, archive=archive))
            progress(f"round {number} of {rounds}")
    return samples


def send_to_send(reports: list[TurnReport]) -> list[int]:
    return [after.sent - before.sent for before, after in pairwise(reports)]


@asynccontextmanager
async def bare_stream() -> AsyncIterator[Call]:
    """A stream to a process that answers every turn at once."""
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-"))
        address = f"unix:{folder}/bare.sock"
        process = await asyncio.create_subprocess_exec(
            sys.executable, str(HERE / "bare.py"), address, start_new_session=True
        )
        stack.push_async_callback(end, process)
        await Started("bare", address, process).listening()
        channel = await stack.enter_async_context(connected(address, bot="bare"))
        call = bot_pb2_grpc.BotServiceStub(channel).Play()
        stack.callback(call.cancel)
        yield call


async def round_trips(call: Call, trips: int) -> list[int]:
    start = find_game("sudoku").start(variant="classic", seed=1, options={"board": "empty-3x3"})
    turn = wire.turn(SendTurn(1, 1, start, ("r1c1=1", "r1c2=2"), (), TURN), TimeControl(TURN))
    taken = []
    for _ in range(trips):
        sent = time.monotonic_ns()
        await call.write(turn)
        answer = await call.read()
        taken.append(time.monotonic_ns() - sent)
        if not isinstance(answer, pb.ToReferee):
            raise SystemExit("the bare stream has ended")
    return taken


def first_turns(runs: int) -> list[int]:
    """From the start of `shotclock play` to its first turn, at most."""
    shotclock = Path(sys.executable).with_name("shotclock")
    command = [str(shotclock), "--log-format", "json", "play", "sudoku", "greedy", "greedy"]
    command += ["--board", "easy-2x2", "--json"]
    taken = []
    for number in range(1, runs + 1):
        began = time.time()
        ran = subprocess.run(command, check=True, capture_output=True, text=True)
        # Its log says when the match was over, its record how long the turns took: what is left began before.
        logged = json.loads(ran.stderr.splitlines()[-1])
        over = datetime.fromisoformat(logged["timestamp"]).timestamp()
        thinking = sum(turn["ended_ms"] for turn in json.loads(ran.stdout)["turns"]) / 1000
        taken.append(round((over - thinking - began) * SECOND))
        progress(f"start {number} of {runs}")
    return taken


def verdict(got: float, goal: float, unit: str) -> str:
    if got <= goal:
        return f"[green]{goal:g}{unit}, met[/]"
    return f"[red]{goal:g}{unit}, missed by {got - goal:.2f}{unit}[/]"


def show(samples: Samples, starts: list[int]) -> None:
    grid = Grid("", "samples", "median ms", "p99 ms", "over bare ms", "x bare", "goal")
    bare = median(samples.bare)
    rows = [
        ("bare round trip", samples.bare, None),
        ("instant turn, send to done", samples.send_to_done, SEND_TO_DONE_GOAL),
        ("whole turn, send to next send", samples.whole, WHOLE_TURN_GOAL),
        ("the same, kept in a record", samples.kept, None),
    ]
    for name, taken, goal in rows:
        ratio = median(taken) / bare
        judged = "" if goal is None else verdict(ratio, goal, "x")
        over = ms(median(taken) - bare)
        grid.add_row(name, str(len(taken)), ms(median(taken)), ms(p99(taken)), over, f"{ratio:.2f}x", judged)
    if starts:
        judged = verdict(median(starts) / SECOND, FIRST_TURN_GOAL, " s")
        name = "play, start to first turn (at most)"
        grid.add_row(name, str(len(starts)), ms(median(starts)), ms(p99(starts)), "", "", judged)
    Console(width=WIDTH).print(grid)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10, help="of the bare stream and of a match")
    parser.add_argument("--trips", type=int, default=200, help="round trips of the bare stream in a round")
    parser.add_argument("--starts", type=int, default=5, help="runs of `shotclock play`")
    arguments = parser.parse_args()
    quieten()
    starts = first_turns(arguments.starts)
    show(asyncio.run(measure(arguments.rounds, arguments.trips)), starts)


if __name__ == "__main__":
    main()
