"""Programs that break the contract at the wire: each harms itself alone."""

import asyncio
import io
import json
import math
import re
import socket
from collections.abc import Callable
from pathlib import Path

import grpc
import pytest

from games import Mistake
from referee import connection
from referee.events import Effect, Event
from referee.screen import Screen
from referee.series import Played
from referee.verdict import Reason
from shotclock.v1 import bot_pb2 as pb
from tests.playing import hello, play, shotclock, verdict_of
from tests.rogue_servers import (
    READY,
    Context,
    Hears,
    Honest,
    Rogue,
    Says,
    answering,
    good_move,
    listening,
    propose,
    unharmed,
)

pytestmark = pytest.mark.usefixtures("nothing_left")


def varint(number: int) -> bytes:
    low, high = number & 0x7F, number >> 7
    return bytes([low | 0x80]) + varint(high) if high else bytes([low])


def raw(field: int, body: bytes) -> bytes:
    """A field of a message that holds bytes, written by hand."""
    return varint(field << 3 | 2) + varint(len(body)) + body


async def clash(
    rogue: Rogue,
    folder: Path,
    *,
    turn: str = "150ms",
    ready_within: float = 10.0,
    watch: Callable[[Event | Effect], None] = lambda _: None,
    compression: grpc.Compression | None = None,
) -> Played:
    """A match of the rogue, at seat 1, with an honest program, which must come out of it unharmed."""
    honest = Honest()
    async with listening(rogue, compression=compression) as bad, listening(honest) as good:
        played = await play(
            bad, good, folder=folder, turn=turn, ready_within=ready_within, announce=lambda *_: watch
        )
    unharmed(played, honest)
    return played


async def bad_utf8(turn: pb.Turn) -> Says:
    yield raw(4, b"\x08\x01" + raw(2, b"r1c4=\xff\xfe"))
    yield propose(turn.turn, good_move(turn), done=True)


async def rubbish(_turn: pb.Turn) -> Says:
    yield b"\x07" * 100


async def deep(_turn: pb.Turn) -> Says:
    start, end = varint(99 << 3 | 3), varint(99 << 3 | 4)
    yield start * 10_000 + end * 10_000


async def megabyte(turn: pb.Turn) -> Says:
    yield propose(turn.turn, "x" * 1_000_000)


async def escapes(turn: pb.Turn) -> Says:
    yield propose(
        turn.turn, "\x1b[2J\x1b]0;mine\x07\u202er1c1\x00=", note="\x1b[31m", line=["\x1b[0m"] * 3, done=True
    )


async def novel(turn: pb.Turn) -> Says:
    yield propose(turn.turn, "r1c4=" + "1" * 5000, done=True)


async def nameless(turn: pb.Turn) -> Says:
    yield propose(turn.turn, "", done=True)


async def other_turns(turn: pb.Turn) -> Says:
    for number in (0, turn.turn + 1, turn.turn + 2, 2**32 - 1):
        yield propose(number, good_move(turn), done=True)


async def empty(_turn: pb.Turn) -> Says:
    yield b""


async def unknown(_turn: pb.Turn) -> Says:
    yield raw(99, b"from the future")


@pytest.mark.parametrize(
    ("answer", "reason", "text"),
    [
        (
            bad_utf8,
            Reason.DISCONNECTED,
            "seat 1 left the match: it sent bytes that are no message of the contract",
        ),
        (
            rubbish,
            Reason.DISCONNECTED,
            "seat 1 left the match: it sent bytes that are no message of the contract",
        ),
        (
            deep,
            Reason.DISCONNECTED,
            "seat 1 left the match: it sent bytes that are no message of the contract",
        ),
        (megabyte, Reason.DISCONNECTED, "seat 1 left the match: resource exhausted: "),
        (escapes, Reason.ILLEGAL, "seat 1 played an illegal move: '[2J ]0;mine  r1c1 =' is no move"),
        (novel, Reason.ILLEGAL, "seat 1 played an illegal move: "),
        (nameless, Reason.ILLEGAL, "seat 1 played an illegal move: '' is no move"),
        (other_turns, Reason.NO_MOVE, "seat 1 proposed no move before the line"),
        (empty, Reason.NO_MOVE, "seat 1 proposed no move before the line"),
        (unknown, Reason.NO_MOVE, "seat 1 proposed no move before the line"),
    ],
)
async def test_what_cannot_be_a_move_loses(
    tmp_path: Path,
    answer: Callable[[pb.Turn], Says],
    reason: Reason,
    text: str,
) -> None:
    """Bytes that are no message, texts that are no move, moves of another turn: lost in the first turn."""
    played = await clash(answering(answer), tmp_path)
    verdict = verdict_of(played)
    assert (verdict.winner, verdict.reason) == (2, reason)
    assert verdict.text.startswith(text)
    assert len(verdict.text) < 400
    assert (played.match.moves, played.match.faults) == ([], [])


async def test_a_compressed_bomb_is_refused(tmp_path: Path) -> None:
    """What is small on the way and large when unpacked breaks the same limit."""
    played = await clash(answering(megabyte), tmp_path, compression=grpc.Compression.Gzip)
    assert verdict_of(played).reason is Reason.DISCONNECTED
    assert "resource exhausted" in verdict_of(played).text


async def not_a_number(turn: pb.Turn) -> Says:
    for score in (math.nan, math.inf, -math.inf):
        yield propose(turn.turn, good_move(turn), score=score)
    yield propose(turn.turn, good_move(turn), done=True)


async def long_line(turn: pb.Turn) -> Says:
    yield propose(turn.turn, good_move(turn), line=["x"] * 10_000, done=True)


async def heavy_line(turn: pb.Turn) -> Says:
    yield propose(turn.turn, good_move(turn), line=["\x00y" * 900] * 32, done=True)


async def after_done(turn: pb.Turn) -> Says:
    yield propose(turn.turn, good_move(turn), done=True)
    yield propose(turn.turn, "r1c1=1", done=True)
    yield pb.ToReferee(done=pb.Done(turn=turn.turn))
    yield pb.ToReferee(fault=pb.Fault(turn=turn.turn, kind=pb.FAULT_KIND_OVER_MEMORY))


async def off_turn(turn: pb.Turn) -> Says:
    yield propose(turn.turn, good_move(turn), done=True)
    for number in range(turn.turn + 1, turn.turn + 20):
        yield propose(number, "r1c1=1", done=True)


async def hello_again(turn: pb.Turn) -> Says:
    yield hello(major=7, game="chess")
    yield READY
    yield pb.ToReferee(decline=pb.Decline(reason="I do not like this position"))
    yield propose(turn.turn, good_move(turn), done=True)


@pytest.mark.parametrize("answer", [not_a_number, long_line, heavy_line, after_done, off_turn, hello_again])
async def test_what_does_not_matter_is_passed_over(tmp_path: Path, answer: Callable[[pb.Turn], Says]) -> None:
    """Odd scores and lines, words after done or out of turn, a second hello: the match ends by its rules."""
    played = await clash(answering(answer), tmp_path)
    assert verdict_of(played).reason is Reason.FINISHED
    for report in played.match.reports:
        for heard in report.heard:
            assert heard.refused == ""
            assert heard.proposal.score is None
            assert sum(map(len, heard.proposal.line)) <= 32 * 64
    assert len(played.match.faults) <= 2


async def test_faults_of_turns_that_are_not_its_own_are_not_believed(tmp_path: Path) -> None:
    """Neither the rival's turn nor one to come is ended by them, and they are not on record."""

    async def accuser(turn: pb.Turn) -> Says:
        for number in (turn.turn + 1, turn.turn + 2, 0, 2**32 - 1):
            yield pb.ToReferee(fault=pb.Fault(turn=number, kind=pb.FAULT_KIND_KILLED, text="\x1b[31mfor you"))
        yield propose(turn.turn, good_move(turn), done=True)
        yield pb.ToReferee(fault=pb.Fault(turn=turn.turn + 1, kind=pb.FAULT_KIND_KILLED))

    played = await clash(answering(accuser), tmp_path)
    assert verdict_of(played).reason is Reason.FINISHED
    assert played.match.faults == []


FLOODS: dict[str, Callable[[pb.Turn], pb.ToReferee | bytes]] = {
    "proposals": lambda turn: propose(turn.turn, good_move(turn)),
    "hello": lambda _: hello(),
    "nothing": lambda _: b"",
    "ready": lambda _: READY,
    "faults": lambda turn: pb.ToReferee(fault=pb.Fault(turn=turn.turn - 1, text="x" * 2000)),
    "fat": lambda turn: propose(turn.turn, good_move(turn), line=["\x00y" * 900] * 32),
}


@pytest.mark.parametrize("flood", FLOODS)
async def test_a_flood_is_read_up_to_a_bound(tmp_path: Path, flood: str) -> None:
    """A program that ignores all pacing: whatever it sends, the referee stops reading, and it has no move."""
    heard: list[Event] = []

    async def flooder(turn: pb.Turn) -> Says:
        drop = FLOODS[flood](turn)
        for _ in range(100_000):
            yield drop
        yield propose(turn.turn, good_move(turn), done=True)

    def watch(event: Event | Effect) -> None:
        if getattr(event, "seat", None) == 1 and isinstance(event, Event):
            heard.append(event)

    played = await clash(answering(flooder), tmp_path, watch=watch, turn="400ms")
    verdict = verdict_of(played)
    assert (verdict.winner, verdict.reason) == (2, Reason.NO_MOVE)
    own_turns = sum(report.seat == 1 for report in played.match.reports)
    assert own_turns == (2 if flood in {"proposals", "fat"} else 1)
    most = played.match.terms.messages
    assert len(heard) <= own_turns * (most + 1) + 2
    assert played.match.faults == []


async def test_a_flood_from_another_process(tmp_path: Path) -> None:
    """The command line plays on between programs that are far apart: the flooder loses, the rival has its moves."""
    honest = Honest()

    async def flooder(turn: pb.Turn) -> Says:
        for _ in range(100_000):
            yield propose(turn.turn, good_move(turn))

    async with listening(answering(flooder)) as bad, listening(honest) as good:
        arguments = f"--log-level error play sudoku {bad} {good} --board easy-2x2 --turn 300ms --json"
        done = await shotclock(*arguments.split(), folder=tmp_path)
    assert (done.code, done.err) == (0, "")
    match = json.loads(done.out)
    assert (match["winner"], match["reason"]) == (2, "no_move")
    assert [(turn["turn"], turn["move"]) for turn in match["turns"] if turn["seat"] == 2] == honest.proposed
    assert honest.end is not None
    assert honest.end.result == pb.RESULT_WIN


async def says_nothing(requests: Hears, _context: Context) -> Says:
    async for _ in requests:
        yield b""
        return


async def never_hello(requests: Hears, _context: Context) -> Says:
    async for _ in requests:
        pass
    return
    yield


async def never_ready(requests: Hears, _context: Context) -> Says:
    yield hello()
    async for _ in requests:
        pass


async def late_ready(requests: Hears, _context: Context) -> Says:
    yield hello()
    async for said in requests:
        if said.HasField("end"):
            yield READY


async def ready_flood(_requests: Hears, _context: Context) -> Says:
    yield hello()
    for _ in range(100_000):
        yield pb.ToReferee(stopped=pb.Stopped())


@pytest.mark.parametrize("rogue", [never_ready, late_ready, ready_flood])
async def test_who_is_not_ready_in_time_loses(tmp_path: Path, rogue: Rogue) -> None:
    """Hello and no ready, or ready when it is all over, or only noise: a no-show, before any turn."""
    played = await clash(rogue, tmp_path, ready_within=0.4)
    verdict = verdict_of(played)
    assert (verdict.winner, verdict.reason, verdict.text) == (
        2,
        Reason.NO_SHOW,
        "seat 1 was not ready in time",
    )
    assert played.match.reports == []


async def refused(rogue: Rogue, folder: Path) -> str:
    """The sentence with which a match is not begun."""
    with pytest.raises(Mistake) as sentence:
        await clash(rogue, folder)
    text = str(sentence.value)
    assert text.isprintable()
    return text


async def test_a_server_that_says_no_hello_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is waited for, but not for ever; nothing is begun."""
    monkeypatch.setattr(connection, "HELLO_WITHIN", 0.3)
    assert "said no hello within 0.3 s: is it a Shotclock bot?" in await refused(never_hello, tmp_path)


async def gibberish(_requests: Hears, _context: Context) -> Says:
    yield b"\xff" * 20


@pytest.mark.parametrize(
    ("rogue", "code", "sentence"),
    [(gibberish, 2, "did not begin with hello"), (answering(rubbish), 0, "")],
    ids=["at once", "in its turn"],
)
async def test_bytes_that_are_no_message_leave_no_traceback(
    tmp_path: Path, rogue: Rogue, code: int, sentence: str
) -> None:
    """Instead of hello they are one sentence, in a turn a verdict."""
    async with listening(rogue) as bad, listening(Honest()) as good:
        arguments = f"--log-level error play sudoku {bad} {good} --board easy-2x2"
        done = await shotclock(*arguments.split(), folder=tmp_path)
    assert done.code == code
    assert sentence in done.err
    assert done.err.count("\n") == (1 if sentence else 0)


async def test_a_listener_that_speaks_no_grpc_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A port that accepts and stays silent."""
    monkeypatch.setattr(connection, "CONNECT_WITHIN", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(Mistake, match="does not answer"):
        await play(f"grpc://127.0.0.1:{silent.getsockname()[1]}", "random", folder=tmp_path)


async def test_a_bot_that_listens_a_moment_later_is_reached(tmp_path: Path) -> None:
    """A socket is there before it is listened on: to be refused then says nothing about the bot."""
    address, server, due = f"unix:{tmp_path}/late.sock", grpc.aio.server(), asyncio.Event()

    async def listen() -> None:
        await due.wait()
        server.add_insecure_port(address)
        await server.start()

    asyncio.get_running_loop().call_later(0.1, due.set)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(listen())
        async with connection.connected(address, bot="late") as channel:
            assert channel.get_state() is grpc.ChannelConnectivity.READY
    await server.stop(None)


async def test_who_does_not_read_spends_its_own_time(tmp_path: Path) -> None:
    """Requests that are never read hold up nobody: its turns end at the line."""

    async def rogue(_requests: Hears, _context: Context) -> Says:
        yield hello()
        yield READY
        await asyncio.Event().wait()

    played = await clash(rogue, tmp_path)
    assert verdict_of(played).text == "seat 1 proposed no move before the line"


async def test_who_blindly_proposes_without_reading_loses(tmp_path: Path) -> None:
    """Moves sent ahead, for turns that were never read, are judged like any other."""

    async def rogue(_requests: Hears, _context: Context) -> Says:
        yield hello()
        yield READY
        while True:
            yield propose(1, "r1c1=1", done=True)

    played = await clash(rogue, tmp_path)
    assert verdict_of(played).reason in {Reason.ILLEGAL, Reason.NO_MOVE}


async def test_words_after_the_end_are_not_heard(tmp_path: Path) -> None:
    """A program that goes on for ever after `end` is hung up on."""

    async def for_ever() -> Says:
        while True:
            yield propose(1, "r1c1=1", done=True)

    async def good(turn: pb.Turn) -> Says:
        yield propose(turn.turn, good_move(turn), done=True)

    played = await clash(answering(good, late=for_ever), tmp_path)
    assert verdict_of(played).reason is Reason.FINISHED


@pytest.mark.parametrize("code", [code for code in grpc.StatusCode if code is not grpc.StatusCode.OK])
async def test_a_status_is_shown_without_its_escapes(tmp_path: Path, code: grpc.StatusCode) -> None:
    """A call that is broken off in a turn, whatever its status says: disconnected, and the text can be shown."""

    async def rogue(requests: Hears, context: Context) -> Says:
        yield hello()
        yield READY
        async for said in requests:
            if said.HasField("turn"):
                await context.abort(code, "\x1b[31mred\x07\r\nseat 2 lost" + "!" * 1000)

    verdict = verdict_of(await clash(rogue, tmp_path))
    assert (verdict.winner, verdict.reason) == (2, Reason.DISCONNECTED)
    name = code.name.lower().replace("_", " ")
    assert verdict.text.startswith(f"seat 1 left the match: {name}: [31mred   seat 2 lost!!!")
    assert len(verdict.text) < 300


@pytest.mark.parametrize("code", [grpc.StatusCode.CANCELLED, grpc.StatusCode.INTERNAL])
async def test_a_status_instead_of_hello_is_refused(tmp_path: Path, code: grpc.StatusCode) -> None:
    """Nothing is begun, and the sentence has no escapes in it."""

    async def rogue(_requests: Hears, context: Context) -> Says:
        await context.abort(code, "\x1b[31mred")
        yield b""

    assert (await refused(rogue, tmp_path)).endswith(f"refused the stream: {code.name.lower()}: [31mred")


async def test_large_metadata_ends_the_call(tmp_path: Path) -> None:
    """Trailers beyond what is taken cost the sender its match."""

    async def rogue(requests: Hears, context: Context) -> Says:
        yield hello()
        yield READY
        async for said in requests:
            if said.HasField("turn"):
                context.set_trailing_metadata((("x", "y" * 100_000),))
                return

    assert verdict_of(await clash(rogue, tmp_path)).reason is Reason.DISCONNECTED


async def test_who_drops_the_stream_has_lost_that_match_only(tmp_path: Path) -> None:
    """It is not let in again, and the next match of the series finds it as good as new."""
    honest = Honest()
    streams = []

    async def rogue(requests: Hears, context: Context) -> Says:
        streams.append(context)
        dropped = len(streams) == 1
        yield hello()
        async for said in requests:
            if said.HasField("begin"):
                yield READY
            elif said.HasField("turn"):
                yield propose(said.turn.turn, good_move(said.turn))
                if dropped:
                    return
                yield pb.ToReferee(done=pb.Done(turn=said.turn.turn))

    async with listening(rogue) as bad, listening(honest) as good:
        arguments = f"--log-level error play sudoku {bad} {good} --board easy-2x2 --games 2 --json"
        done = await shotclock(*arguments.split(), folder=tmp_path)
    assert (done.code, done.err) == (0, "")
    first, second = json.loads(done.out)["games"]
    assert (first["winner"], first["reason"]) == (2, "disconnected")
    assert second["reason"] == "finished"
    assert len(streams) == 2


EVIL = "\x1b[31m[/red]\x00[bold]:smile:\r\n\u202e\x9b2J"


async def impostor(requests: Hears, _context: Context) -> Says:
    evil = hello()
    evil.hello.name = evil.hello.version = evil.hello.author = EVIL
    yield evil
    async for said in requests:
        if said.HasField("begin"):
            yield READY
        elif said.HasField("turn"):
            yield propose(said.turn.turn, good_move(said.turn), note=EVIL, line=[EVIL])
            fault = pb.Fault(turn=said.turn.turn, kind=pb.FAULT_KIND_RAISED, text=EVIL)
            yield pb.ToReferee(fault=fault)


@pytest.mark.parametrize("options", ["--json", "", "--games 2"])
@pytest.mark.parametrize("log_format", ["console", "json"])
async def test_nothing_that_a_bot_says_reaches_a_terminal_as_it_is(
    tmp_path: Path, options: str, log_format: str
) -> None:
    """Escape codes, line breaks and markup in names, notes, lines and faults: shown as letters or not at all."""
    honest = Honest()
    async with listening(impostor) as bad, listening(honest) as good:
        arguments = f"--log-format {log_format} play sudoku {bad} {good} --board easy-2x2 {options}"
        done = await shotclock(*arguments.split(), folder=tmp_path)
    assert done.code == 0, done.err
    shown = (done.out + done.err).replace("\n", "")
    assert shown.isprintable()
    assert "[/red] [bold]:smile:" in shown
    assert "finished" in shown


class Terminal(io.StringIO):
    """What is written to it, as a terminal that can be drawn on."""

    def isatty(self) -> bool:
        return True


async def test_the_live_board_shows_no_escapes_but_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Drawn in place, with the thinking of a bot that writes escapes into everything."""
    monkeypatch.setenv("LINES", "60")
    screen = Screen(Terminal())
    async with listening(impostor) as bad, listening(Honest()) as good:
        screen.verdict(await play(bad, good, folder=tmp_path, announce=screen.announce))
    assert isinstance(screen.out, Terminal)
    shown = re.sub(r"\x1b\[(H|K|J|2J|7m|0m|1m|3m)", "", screen.out.getvalue()).replace("\n", "")
    assert shown.isprintable()
    assert "[/red] [bold]:smile:" in shown
