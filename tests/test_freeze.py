"""Bots that would think on their rival's time."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from server.cgroup import ControlGroup, claim_ground
from server.limits import Limits
from server.linux import time_on_core
from server.tree import Tree
from shotclock.v1 import bot_pb2 as pb
from shotclock.v1 import bot_pb2_grpc
from tests.hosting import channel_to, ended, hosted, stream_to, write_bot

pytestmark = pytest.mark.usefixtures("nothing_left")

#: How long a bot is watched, in seconds, and what it may use of a core in that time.
WHILE, SHARE = 0.5, 0.01
SPIN = "while True: pass"
#: Starts a child that spins in a session of its own, says its number, and spins.
PARENT = f"""
import os, subprocess, sys
for file in sys.argv[1:]: open(file, "w").write("0")
child = subprocess.Popen([sys.executable, "-c", "{SPIN}"], start_new_session=True)
print(child.pid, flush=True)
{SPIN}
"""
PONDERER = """
    import threading
    def spin():
        while True: pass
"""
THINK = """
    if not hasattr(self, "child"):
        self.child = subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True)
        threading.Thread(target=spin, daemon=True).start()
    return f"{os.getpid()} {self.child.pid} {turn.off_turn}"
"""


@contextmanager
def family(*joins: Path) -> Iterator[tuple[int, int]]:
    """A process that spins and its child that does, which have joined these control groups."""
    command = [sys.executable, "-c", PARENT, *(str(folder / "cgroup.procs") for folder in joins)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        try:
            yield parent.pid, child
        finally:
            Tree(parent.pid).kill()


@contextmanager
def tree() -> Iterator[tuple[Tree, int, int]]:
    with family() as (parent, child):
        yield Tree(parent), parent, child


@contextmanager
def group() -> Iterator[tuple[ControlGroup | Tree, int, int]]:
    """Where there are none, a tree."""
    ground = claim_ground()
    if ground is None:
        with tree() as found:
            yield found
        return
    made = ground.group(1)
    made.make(Limits())
    try:
        with family(*(folder / "1" for folder in ground.folders)) as (parent, child):
            yield made, parent, child
    finally:
        made.kill()
        while not made.remove():
            os.sched_yield()
        ground.remove()


Kept = Callable[[], AbstractContextManager[tuple[ControlGroup | Tree, int, int]]]


async def used(*pids: int) -> float:
    """Seconds that these processes get on a core in the next WHILE."""
    before = sum(map(spent, pids))
    over = asyncio.Event()
    asyncio.get_running_loop().call_later(WHILE, over.set)
    await over.wait()
    return sum(map(spent, pids)) - before


def spent(pid: int) -> float:
    try:
        return time_on_core(pid)
    except OSError:  # it has ended, and gets no core either
        return 0.0


def busy(pid: int) -> None:
    """Returns once the process has got a core again."""
    before = time_on_core(pid)
    while time_on_core(pid) == before:
        os.sched_yield()


@pytest.mark.parametrize("kept", [tree, group])
async def test_a_family_is_frozen_thawed_and_killed(kept: Kept) -> None:
    """By signals as by a control group: also a child that has left the session, and it can be killed while frozen."""
    with kept() as (held, parent, child):
        assert sorted(held.processes()) == sorted([parent, child])
        held.freeze()
        assert await used(parent, child) < SHARE * WHILE
        held.thaw()
        busy(parent)
        busy(child)
        held.freeze()
        held.kill()
        await ended(child)


async def test_a_bot_that_spins_off_turn_gets_no_core(tmp_path: Path) -> None:
    """A thread and a child of it stand still on the rival's time; on its next turn it goes on as it was."""
    bot = write_bot(tmp_path, THINK, top=PONDERER)
    async with hosted(bot, tmp_path) as host, stream_to(host) as stream:
        (said,) = await stream.think(1)
        worker, child = map(int, said.split()[:2])
        assert await used(worker, child) < SHARE * WHILE
        # Who owns the connection is not frozen: it answers.
        async with channel_to(host) as channel:
            hello = await bot_pb2_grpc.BotServiceStub(channel).Describe(pb.DescribeRequest())
        assert hello.custody.frozen_by in {"cgroup v2", "signals"}
        before = time_on_core(child)
        assert await stream.think(3) == [f"{worker} {child} False"]
        assert time_on_core(child) >= before


async def test_a_bot_that_is_stopped_is_frozen_as_well(tmp_path: Path) -> None:
    """At the line as after `done`; or killed, if its child has kept it from stopping in time."""
    think = """
        if not hasattr(self, "child"):
            self.child = subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True)
        yield f"{os.getpid()} {self.child.pid}"
        while True: pass
    """
    bot = write_bot(tmp_path, think)
    async with hosted(bot, tmp_path) as host, stream_to(host) as stream:
        worker, child = (await stream.first_move(1)).split()
        await stream.stopped(1)
        assert await used(int(worker), int(child)) < SHARE * WHILE
        assert len((await stream.first_move(3)).split()) == 2


async def test_a_match_may_allow_thinking_off_turn(tmp_path: Path) -> None:
    """The bot is told, and nobody freezes it."""
    bot = write_bot(tmp_path, THINK, top=PONDERER)
    async with hosted(bot, tmp_path) as host, stream_to(host, ponder=True) as stream:
        (said,) = await stream.think(1)
        worker, child, allowed = said.split()
        assert allowed == "True"
        busy(int(child))
        busy(int(worker))


async def test_spares_stand_still_too(tmp_path: Path) -> None:
    """A bot that spins from its birth does so in no process that waits for a turn."""
    pids = tmp_path / "pids"
    init = f"""
        def __init__(self):
            threading.Thread(target=spin, daemon=True).start()
            with open({str(pids)!r}, "a") as file: file.write(f"{{os.getpid()}} ")
    """
    bot = write_bot(tmp_path, "return 'x'", top=PONDERER, init=init)
    async with hosted(bot, tmp_path) as host, stream_to(host):
        worker, spare = map(int, pids.read_text().split())
        assert await used(worker, spare) < SHARE * WHILE
