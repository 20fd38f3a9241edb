"""A host's session with a real worker, where the outcome hangs on the order of two looks."""

import asyncio
import os
import select
from pathlib import Path

import pytest

from server import session as sessions
from server.limits import Limits
from server.outbox import Outbox
from server.pipe import Worker
from server.session import Session
from server.staff import Staff
from shotclock.v1 import bot_pb2 as pb
from tests.hosting import PATIENCE, POSITION, write_bot


def answers_just_now(worker: Worker) -> bool:
    """It gets its core, says that it has stopped and sleeps, all of it while we look whether it is starved."""
    answered, _, _ = select.select([worker._socket], [], [], PATIENCE)
    assert answered
    return False


async def test_a_worker_that_answers_while_we_look_is_not_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it had a core is found out first, and what it has said after that."""
    monkeypatch.setattr(sessions, "STOP_WITHIN", 0.0)
    monkeypatch.setattr(Worker, "starved", property(answers_just_now))
    bot = write_bot(tmp_path, "while True: pass")
    log = os.open(tmp_path / "log", os.O_WRONLY | os.O_CREAT)
    staff = Staff(bot, game="sudoku", limits=Limits(), cores=None, output=log, debug=False)
    os.close(log)
    said: asyncio.Queue[pb.ToReferee] = asyncio.Queue()
    outbox = Outbox()
    try:
        async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as tasks:
            tasks.create_task(outbox.pump(said.put))
            await staff.warm_up()
            begin = pb.Begin(match="m-1", game="sudoku", variant="classic", seat=1, seed=5)
            session = Session(
                begin, outbox, hire=staff.hire, leave=staff.refill, tell_author=print, debug=False
            )
            assert (await said.get()).HasField("ready")
            for number in (1, 3, 5):
                session.receive(pb.ToBot(turn=pb.Turn(turn=number, position=POSITION)))
                session.receive(pb.ToBot(stop=pb.Stop(turn=number)))
                assert (await said.get()).WhichOneof("message") == "stopped"
            session.close()
            outbox.close()
    finally:
        await staff.close()
