"""Each time control once in real time, between real processes or over real streams; verify finds nothing wrong."""

import json
import select
import struct
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import grpc
import pytest

from games import Mistake, find_game
from referee.lots import Lots
from referee.meter import Meter
from referee.series import with_lots
from referee.timing import MILLISECOND, SECOND, TimeControl
from referee.turn import Ending, TurnReport
from referee.verdict import Reason
from shotclock.v1 import bot_pb2 as pb
from shotclock.v1 import bot_pb2_grpc
from tests import recording
from tests.hosting import write_bot
from tests.playing import hello, play, shotclock

LENGTH = 137 * MILLISECOND


@dataclass(slots=True)
class Caught:
    """Everything that reaches a bot before its match is over."""

    messages: list[pb.ToBot] = field(default_factory=list)
    metadata: list[tuple[str, str | bytes]] = field(default_factory=list)
    deadlines: list[float | None] = field(default_factory=list)
    end: pb.End = field(default_factory=pb.End)

    @property
    def bytes(self) -> bytes:
        told = [message.SerializeToString() for message in self.messages]
        headers = [f"{key}: {value!r}".encode() for key, value in self.metadata]
        return b"\n".join([*told, *headers, *(repr(message).encode() for message in self.messages)])


class Listener(bot_pb2_grpc.BotServiceServicer):
    """Proposes a move and thinks on until it is told to stop, or is done at once."""

    def __init__(self, *, done: bool) -> None:
        self.caught = Caught()
        self.done = done

    async def Describe(self, _request: pb.DescribeRequest, _context: object) -> pb.Hello:  # noqa: N802 - as in the contract
        return hello().hello

    async def Play(  # noqa: N802 - as in the contract
        self,
        requests: AsyncIterator[pb.ToBot],
        context: grpc.aio.ServicerContext[pb.ToBot, pb.ToReferee],
    ) -> AsyncIterator[pb.ToReferee]:
        caught = self.caught
        caught.metadata += [(key, value) for key, value in context.invocation_metadata() or ()]
        caught.deadlines.append(context.time_remaining())
        yield hello()
        async for message in requests:
            if message.HasField("end"):
                caught.end = message.end
                return
            caught.messages.append(message)
            if message.HasField("begin"):
                yield pb.ToReferee(ready=pb.Ready())
            elif message.HasField("turn"):
                move = find_game("sudoku").parse(message.turn.position).legal_moves()[0]
                turn = message.turn.turn
                yield pb.ToReferee(proposal=pb.Proposal(turn=turn, move=move, done=self.done))
                yield pb.ToReferee(proposal=pb.Proposal(turn=turn, move="too late" if self.done else move))


@asynccontextmanager
async def listening(*, done: bool = False) -> AsyncIterator[tuple[str, Caught]]:
    server = grpc.aio.server()
    listener = Listener(done=done)
    bot_pb2_grpc.add_BotServiceServicer_to_server(listener, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield f"grpc://127.0.0.1:{port}", listener.caught
    finally:
        await server.stop(None)


def forms(nanoseconds: int) -> set[bytes]:
    """A length as anybody might write it: decimals, whole numbers and floats of any order, and as the contract does."""
    found = {str(nanoseconds).encode(), str(nanoseconds // 1000).encode()}
    for number in (nanoseconds, nanoseconds // 1000, nanoseconds // MILLISECOND):
        found |= {struct.pack(form, number) for form in ("<q", ">q", "<i", ">i")} if number < 2**31 else set()
    for unit in (1, 1000, MILLISECOND, SECOND):
        found |= {struct.pack(form, nanoseconds / unit) for form in ("<d", ">d", "<f", ">f")}
    found |= {f"{nanoseconds / SECOND:.3f}".encode(), f"{nanoseconds / MILLISECOND:.3f}".encode()}
    duration = pb.Clock()
    duration.remaining.FromNanoseconds(nanoseconds)
    return {*found, duration.remaining.SerializeToString()}


def leaks(caught: Caught, lengths: set[int]) -> set[bytes]:
    return {form for length in lengths for form in forms(length) if form in caught.bytes}


def lengths(reports: list[TurnReport]) -> set[int]:
    """Of the thinking, and with the grace."""
    timed = [(report.thinking, report.line) for report in reports]
    told = {thinking for thinking, _ in timed if thinking}
    return told | {report.line - report.sent for report in reports if report.line}


@pytest.mark.parametrize("longest", [None, 250 * MILLISECOND])
async def test_a_hidden_length_reaches_no_bot(tmp_path: Path, longest: int | None) -> None:
    """In no message, header or deadline before the end, fixed or drawn; drawn ones can be worked out afterwards."""
    async with listening() as (first, caught), listening() as (second, other):
        time = TimeControl(LENGTH, hidden=True, longest=longest)
        match = (await play(first, second, folder=tmp_path, time=time)).match
    assert match.verdict is not None
    assert (match.verdict.reason, len(match.reports)) == (Reason.FINISHED, 4)
    assert all(report.ending is Ending.LINE for report in match.reports)
    hidden = {LENGTH, longest or LENGTH, *lengths(match.reports)}
    assert len(hidden) == (2 if longest is None else 10)
    for bot in (caught, other):
        assert leaks(bot, hidden) == set()
        assert bot.deadlines == [None]
        (begin,) = [message.begin for message in bot.messages if message.HasField("begin")]
        assert begin.time_control.hidden
        assert not any(message.turn.HasField("clock") for message in bot.messages)
        assert bool(begin.time_control.promise) == bool(bot.end.revealed) == (longest is not None)
    if longest:
        drawn = [report.thinking for report in match.reports]
        assert match.terms.lots is not None
        assert caught.end.revealed == match.terms.lots.secret
        again = [match.terms.lots.length(turn, shortest=LENGTH, longest=longest) for turn in (1, 2, 3, 4)]
        assert drawn == again


async def test_a_length_that_is_not_hidden_is_found_by_the_same_search(tmp_path: Path) -> None:
    """So the search above would have found it. And in full turns a bot that is done gets no shorter a turn for it."""
    async with listening(done=True) as (bot, caught), listening(done=True) as (rival, _):
        match = (await play(bot, rival, folder=tmp_path, time=TimeControl(LENGTH, full_turns=True))).match
    assert leaks(caught, {LENGTH})
    assert not any(message.HasField("stop") for message in caught.messages)
    for report in match.reports:
        assert report.line is not None
        assert report.done is not None
        assert report.done < report.line <= report.ended
        assert len(report.heard) == 1


async def test_an_increment_keeps_a_slow_bot_in_the_game(tmp_path: Path) -> None:
    """Its rival never says that it is done, and is late."""
    folders = [tmp_path / name for name in ("slow", "endless")]
    for folder in folders:
        folder.mkdir()
    slow = write_bot(folders[0], "time.sleep(0.1)\nyield position.legal_moves()[0]")
    endless = write_bot(folders[1], "yield position.legal_moves()[0]\nif turn.number > 3: time.sleep(9)")
    time = TimeControl(None, budget=150 * MILLISECOND, increment=100 * MILLISECOND)
    match = (await play(slow, endless, folder=tmp_path, time=time)).match
    assert match.verdict is not None
    assert (match.verdict.winner, match.verdict.reason) == (1, Reason.LATE)
    assert (
        sum(report.ended - report.sent for report in match.reports if report.seat == 1) >= 200 * MILLISECOND
    )


BURN = """
import os, signal, sys, time

def burn(seconds):
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass

def child(seconds):
    if not (pid := os.fork()):
        burn(seconds)
        os._exit(0)
    return pid
"""


async def test_processor_time_is_what_counts_and_children_count(tmp_path: Path) -> None:
    """A bot that sleeps longer than its budget has lost nothing of it; one that lets its children think is late."""
    folders = [tmp_path / name for name in ("sleeper", "cheat")]
    for folder in folders:
        folder.mkdir()
    sleeper = write_bot(folders[0], "time.sleep(0.2)\nyield position.legal_moves()[0]")
    think = "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\nyield position.legal_moves()[0]\n"
    cheat = write_bot(folders[1], f"{think}while True: child(0.01); time.sleep(0.02)", top=BURN)
    time = TimeControl(None, budget=150 * MILLISECOND, cpu=True, cap=100)
    match = (await play(sleeper, cheat, folder=tmp_path, time=time)).match
    first, second = match.reports
    assert match.verdict is not None
    assert (match.verdict.winner, match.verdict.reason) == (1, Reason.LATE)
    assert first.cpu is not None
    assert first.cpu < 150 * MILLISECOND < first.ended - first.sent
    assert (second.ending, second.budget, second.spent is not None) == (Ending.LATE, 0, True)


#: By the kernel, as soon as it has ended.
FORGOTTEN = """signal.signal(signal.SIGCHLD, signal.SIG_IGN)
pid = child(0.1)
while os.path.exists(f"/proc/{pid}"): time.sleep(0.001)
"""


@pytest.mark.parametrize(
    "doing",
    [
        "burn(0.1)",
        "os.waitpid(child(0.1), 0)",
        "pid = child(0.1); burn(0.02); os.waitpid(pid, 0)",
        "[os.waitpid(child(0.004), 0) for _ in range(25)]",
        "import threading; one = threading.Thread(target=burn, args=[0.1]); one.start(); one.join()",
        FORGOTTEN,
    ],
)
def test_a_meter_counts_what_any_process_below_uses(doing: str) -> None:
    """Its own work, threads, children that were waited for, and such as nobody waits for; each once."""
    script = f"{BURN}\nprint(flush=True); input()\n{doing}\nprint(flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.readline()
        meter = Meter(process.pid, above=0)
        before = meter.read()
        print(file=process.stdin, flush=True)
        readable = select.poll()
        readable.register(process.stdout, select.POLLIN)
        while not readable.poll(4):
            meter.read()
        used = meter.read() - before
        process.communicate("\n")
    assert 75 * MILLISECOND < used < 250 * MILLISECOND


@pytest.mark.parametrize(
    ("bot", "sentence"),
    [
        (
            "grpc://127.0.0.1:9",
            "the CPU time of bot 'grpc://127.0.0.1:9' cannot be read, since it is not started",
        ),
        ("unix:bot.sock", "the CPU time of bot 'unix:bot.sock' cannot be read, since it is not started"),
        ("human", "a person uses no CPU time"),
    ],
)
async def test_whose_processor_time_cannot_be_read_is_told_before_anything_starts(
    tmp_path: Path, bot: str, sentence: str
) -> None:
    """One sentence, also for a person."""
    with pytest.raises(Mistake) as mistake:
        await play("greedy", bot, folder=tmp_path, time=TimeControl(SECOND, cpu=True, cap=10))
    assert str(mistake.value).startswith(sentence)


async def test_with_a_node_limit_and_no_clock_a_match_is_the_same_every_time(tmp_path: Path) -> None:
    """Move by move and node by node, by command and a file or not; the turn's limit goes before the bot's own."""
    (tmp_path / "time.toml").write_text("[time]\nclock = false\nnodes = 400\n")
    bots = ("champion,nodes=9", "alphabeta,depth=9")
    command = ["play", "reversi", *bots, *"--option size=4 --seed 5 --time time.toml --json".split()]
    told = json.loads((await shotclock(*command, folder=tmp_path)).out)
    assert (told["nodes"], told["turn_ms"], told["reason"]) == (400, None, "finished")
    nodes = [turn["proposals"][-1].get("nodes", 0) for turn in told["turns"]]
    assert 200 < max(nodes) <= 400
    time, options = TimeControl(None, nodes=400), {"size": "4"}
    match = (await play(*bots, folder=tmp_path, game="reversi", options=options, time=time, seed=5)).match
    assert match.moves == told["moves"]
    assert [report.heard[-1].proposal.nodes or 0 for report in match.reports] == nodes


def test_drawn_lengths_go_on_with_the_key_that_promised_them_and_no_other() -> None:
    """Another referee cannot know the secret, and says so instead of drawing anew."""
    terms = replace(recording.TERMS, time=TimeControl(LENGTH, hidden=True, longest=2 * LENGTH))
    promised = with_lots(terms, recording.KEY)
    assert promised.lots is not None
    assert with_lots(replace(promised, lots=Lots(promised.lots.promise)), recording.KEY) == promised
    with pytest.raises(Mistake, match="by another key than yours"):
        with_lots(promised, recording.FOREIGN)
    assert with_lots(terms, None) != with_lots(terms, None)
