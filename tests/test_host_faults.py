"""Bots that misbehave, and what becomes of them."""

import asyncio
import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.author_log import LIMIT
from shotclock.v1 import bot_pb2 as pb
from tests.hosting import MARK, Mark, Stream, ended, hosted, kind, stream_to, write_bot


@pytest.fixture
def mark(tmp_path: Path) -> Iterator[Mark]:
    mark = Mark(tmp_path)
    yield mark
    mark.close()


async def fault_of(stream: Stream, number: int) -> tuple["pb.FaultKind.ValueType", str]:
    """Start a turn and wait for its fault."""
    await stream.turn(number)
    fault = (await stream.until("fault"))[-1].fault
    assert fault.turn == number
    return fault.kind, fault.text


async def test_an_endless_search_is_interrupted_and_keeps_its_memory(tmp_path: Path) -> None:
    """A pure Python loop stops without a fault; the same process goes on with the same object."""
    think = "self.count += 1\nyield f'{self.count} {os.getpid()}'\nwhile True: pass"
    bot = write_bot(tmp_path, think, init="count = 0")
    async with hosted(bot, tmp_path) as host, stream_to(host) as stream:
        moves = []
        for number in (1, 3, 5):
            moves.append(await stream.first_move(number))
            assert [kind(message) for message in await stream.stopped(number)] == ["stopped"]
        assert [move.split()[0] for move in moves] == ["1", "2", "3"]
        assert len({move.split()[1] for move in moves}) == 1


@pytest.mark.parametrize(
    "body",
    [
        "while True: pass",
        "time.sleep(60)",
        "while True: yield 'again'",
        "try:\n    while True: pass\nexcept BaseException: yield 'swallowed'\nyield 'and on'\nwhile True: pass",
        "try:\n    while True: pass\nfinally: raise ValueError('on the way out')",
    ],
)
async def test_a_bot_is_stopped_wherever_it_is(tmp_path: Path, body: str) -> None:
    """Never having yielded, asleep, between two yields, or swallowing it once: no fault, and a next turn."""
    async with hosted(write_bot(tmp_path, body), tmp_path) as host, stream_to(host) as stream:
        for number in (1, 3):
            await stream.turn(number)
            assert {kind(message) for message in await stream.stopped(number)} <= {"proposal", "stopped"}


@pytest.mark.parametrize(
    "hang",
    [
        # No Python code runs after the mark, or a signal could still be handled.
        "sum(itertools.chain(map(os.write, [HERE], [b'.']), itertools.repeat(1)))",
        "try:\n    here()\n    while True: pass\nexcept BaseException:\n    while True: pass",
        "try:\n    here()\n    while True: pass\nfinally:\n    while True: pass",
        "signal.signal(signal.SIGUSR1, signal.SIG_IGN)\nhere()\nwhile True: pass",
        "import slow",
    ],
    ids=["in C", "swallows", "finally", "deaf", "import"],
)
async def test_a_bot_that_does_not_stop_is_replaced(tmp_path: Path, mark: Mark, hang: str) -> None:
    """Killed, told as a fault before stopped; the next turn finds a spare that knows all moves."""
    (tmp_path / "slow.py").write_text("import mybot\nmybot.here()\nwhile True: pass")
    think = f"yield ' '.join([str(os.getpid()), *turn.moves])\n{hang}"
    bot = write_bot(tmp_path, think, top=f"import itertools\n{MARK}")
    async with hosted(bot, tmp_path) as host, stream_to(host, begun=False) as stream:
        await stream.begin(moves=["a", "b"])
        pids = []
        for number in (3, 5, 7):
            pid, *moves = (await stream.first_move(number)).split()
            assert moves == ["a", "b"]
            pids.append(pid)
            await mark.reached()
            fault, stopped = await stream.stopped(number)
            assert (fault.fault.kind, fault.fault.turn) == (pb.FAULT_KIND_KILLED, number)
            assert fault.fault.text == "it did not stop when it was told to"
            assert kind(stopped) == "stopped"
            await ended(int(pid))
        assert len(set(pids)) == 3


async def test_the_spare_is_told_every_move(tmp_path: Path, mark: Mark) -> None:
    """The next turn may come before stopped: it waits until the worker is replaced."""
    hang = "try:\n    here()\n    while turn.number == 3: pass\nexcept BaseException:\n    while True: pass"
    bot = write_bot(tmp_path, f"yield ' '.join(turn.moves)\n{hang}", top=MARK)
    async with hosted(bot, tmp_path) as host, stream_to(host, begun=False) as stream:
        await stream.begin(moves=["a", "b"])
        assert await stream.first_move(3) == "a b"
        await mark.reached()
        await stream.stop(3)
        await stream.turn(5, moves=["c", "d"])
        fault, stopped, proposal, *_ = await stream.until("done")
        assert (kind(fault), stopped.stopped.turn, proposal.proposal.move) == ("fault", 3, "a b c d")
        assert await stream.think(7, moves=["e", "f"]) == ["e f"]
        assert "bot_fault" in host.errors.read_text()


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero (mybot.py, line 8)"),
        ("yield 'a'\nraise SystemExit(3)", "SystemExit: 3 (mybot.py, line 9)"),
        (
            "import json; json.loads('')",
            "JSONDecodeError: Expecting value: line 1 column 1 (char 0) (mybot.py, line 8)",
        ),
        ("yield 7", "TypeError: think() must give move texts or Proposal, got int"),
        ("return ['a']", "TypeError: think() must give move texts or Proposal, got list"),
        ("yield Proposal('a', score=float('nan'))", "ValueError: a proposal's score must be finite, got nan"),
        ("yield 'a' * 100_000", "ValueError: a proposal takes at most 60000 bytes, got 100013"),
    ],
)
async def test_a_bot_that_raises_goes_on(tmp_path: Path, body: str, text: str) -> None:
    """The fault names the place in the author's file, her log has the traceback, the process stays."""
    bot = write_bot(tmp_path, f"print('pid', os.getpid())\n{body}")
    async with hosted(bot, tmp_path) as host, stream_to(host) as stream:
        for number in (1, 3):
            fault_kind, said = await fault_of(stream, number)
            assert (fault_kind, said) == (pb.FAULT_KIND_RAISED, text)
    log = host.author_log.read_text()
    assert log.count("Traceback") == 2
    assert len({line for line in log.splitlines() if line.startswith("pid ")}) == 1


async def test_a_bot_that_cannot_be_made_is_a_fault_before_the_first_turn(tmp_path: Path) -> None:
    bot = write_bot(tmp_path, "pass", init="def __init__(self): 1 / 0")
    async with hosted(bot, tmp_path) as host, stream_to(host, begun=False) as stream:
        fault = (await stream.begin()).fault
        assert (fault.turn, fault.kind) == (0, pb.FAULT_KIND_RAISED)
        assert fault.text == "ZeroDivisionError: division by zero (mybot.py, line 5)"


async def test_what_was_proposed_before_death_still_counts(tmp_path: Path) -> None:
    """Several proposals and the end of the process in a row: the newest goes out before the fault."""
    bot = write_bot(tmp_path, "yield 'a'\nyield 'b'\nyield 'c'\nos._exit(3)")
    async with hosted(bot, tmp_path) as host, stream_to(host) as stream:
        for number in (1, 3, 5):
            await stream.turn(number)
            *_, newest, fault = await stream.until("fault")
            assert newest.proposal.move == "c"
            assert (fault.fault.kind, fault.fault.text) == (pb.FAULT_KIND_DIED, "exit code 3")


async def test_a_killed_bot_is_replaced(tmp_path: Path) -> None:
    """By kill -9 in its turn, although a child of it holds its socket; and between turns."""
    think = "os.fork() or time.sleep(60)\nyield str(os.getpid())\nwhile turn.number == 1: pass"
    async with hosted(write_bot(tmp_path, think), tmp_path) as host, stream_to(host) as stream:
        os.kill(int(await stream.first_move(1)), signal.SIGKILL)
        fault = (await stream.read()).fault
        assert (fault.turn, fault.kind, fault.text) == (1, pb.FAULT_KIND_DIED, "killed by SIGKILL")
        (pid,) = await stream.think(3)
        os.kill(int(pid), signal.SIGKILL)
        fault = (await stream.read()).fault
        assert (fault.turn, fault.kind) == (3, pb.FAULT_KIND_DIED)
        assert await stream.think(5) != [pid]


async def test_a_slow_start_of_the_spare_is_waited_for(tmp_path: Path) -> None:
    """Dead in its first turn, and no spare: the turn waits for a new process, and stop does not."""
    init = """
        def __init__(self):
            with open(f"{__file__}.made", "a+") as made:
                made.write("x")
                made.seek(0)
                self.made = len(made.read())
            while self.made > 2 and not os.path.exists(f"{__file__}.go"): pass
    """
    bot = write_bot(tmp_path, "yield str(self.made)\nos._exit(0) if self.made < 3 else None", init=init)
    async with hosted(bot, tmp_path) as host, stream_to(host) as stream:
        for number in (1, 3):
            await stream.turn(number)
            assert (await stream.until("fault"))[-1].fault.text == "exit code 0"
        await stream.turn(5)
        assert [kind(message) for message in await stream.stopped(5)] == ["stopped"]
        await stream.turn(7)
        (tmp_path / "mybot.py.go").touch()
        assert int((await stream.read()).proposal.move) > 2


async def test_a_bot_that_prints_a_lot_is_heard_but_not_for_ever(tmp_path: Path) -> None:
    """Megabytes neither hold up the bot nor reach the protocol; the author's log says that it was cut."""
    bot = write_bot(tmp_path, "print('x' * 10_000_000)\nprint('P{}', file=sys.stderr)\nreturn 'a'")
    async with hosted(bot, tmp_path) as host, stream_to(host) as stream:
        for number in (1, 3):
            assert await stream.think(number) == ["a"]
    log = host.author_log.read_text()
    assert log.startswith("xxx")
    assert log.endswith(f"x\n[the rest is dropped: this log takes {LIMIT} bytes]\n")
    assert LIMIT < len(log) < LIMIT + 100


async def test_nothing_that_a_bot_started_outlives_its_match(tmp_path: Path) -> None:
    """A child in the worker's group, one in a session of its own, and one that lost its parent."""
    think = """
        sleep = [sys.executable, "-c", "import time; time.sleep(60)"]
        pids = [subprocess.Popen(sleep, start_new_session=own).pid for own in (False, True)]
        orphan = f"import subprocess; print(subprocess.Popen({sleep!r}, stdout=-3, start_new_session=True).pid)"
        pids.append(int(subprocess.run([sys.executable, "-c", orphan], stdout=subprocess.PIPE).stdout))
        return " ".join(map(str, pids))
    """
    async with hosted(write_bot(tmp_path, think), tmp_path) as host:
        async with stream_to(host) as stream:
            (pids,) = await stream.think(1)
        await asyncio.gather(*(ended(int(pid)) for pid in pids.split()))


async def test_a_bot_that_speaks_out_of_turn_gains_nothing(tmp_path: Path) -> None:
    """Rubbish on the worker's own socket neither ends the host nor becomes a move."""
    think = """
        import stat
        for fd in range(3, 20):
            try:
                if stat.S_ISSOCK(os.fstat(fd).st_mode): os.write(fd, b'P{"cheat":1}\\nP[[\\nQ\\n\\n')
            except OSError: pass
        return 'a' if turn.number == 1 else None
    """
    async with hosted(write_bot(tmp_path, think), tmp_path) as host, stream_to(host) as stream:
        assert await stream.think(1) == ["a"]
        assert await stream.think(3) == []


async def test_one_line_tells_the_match(tmp_path: Path) -> None:
    async with hosted(write_bot(tmp_path, "yield 'a'\n1 / 0"), tmp_path) as host:
        async with stream_to(host) as stream:
            assert (await fault_of(stream, 1))[0] == pb.FAULT_KIND_RAISED
            await stream.send(pb.ToBot(end=pb.End()))
            await stream.call.code()
        fault, served = [json.loads(line) for line in host.errors.read_text().splitlines()]
    assert (fault["event"], fault["kind"], fault["turn"], fault["match_id"]) == (
        "bot_fault",
        "raised",
        1,
        "m-1",
    )
    assert served["event"] == "match_served"
    facts = ("match_id", "seat", "game", "turns", "proposals_sent", "proposals_dropped", "faults")
    assert [served[fact] for fact in facts] == ["m-1", 1, "sudoku", 1, 1, 0, 1]
