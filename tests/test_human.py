"""A person at the board, and bots without a clock, each at a terminal of its own."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

from games import find_game
from shotclock.v1 import bot_pb2 as pb
from shotclock.v1 import bot_pb2_grpc
from tests.hosting import Stream, kind, write_bot
from tests.playing import PATIENCE, all_ended, leftovers, shotclock, start
from tests.windows import CTRL_C, CTRL_D, Window, window

GAME = find_game("sudoku")
START = GAME.start(variant="classic", seed=7, options={"board": "easy-2x2"})
#: A whole game on easy-2x2: after each of these the other player has the move.
MOVES = ("r1c4=1", "r3c4=3", "r4c1=3", "r3c1=2")
PROMPT = " s left> "
BREAKING = "breakpoint()\nyield position.legal_moves()[0]"


async def nothing_left(seen: Window, folder: Path) -> None:
    await all_ended(seen.started)
    assert leftovers(folder) == []


def person(*rest: str) -> tuple[str, ...]:
    return ("--log-level", "error", "play", "sudoku", "human", *rest, "--board", "easy-2x2")


async def test_a_person_plays_a_bot(tmp_path: Path) -> None:
    """What the rules refuse is asked again with the reason, help lists the moves, a move is played, resign ends it."""
    async with window(*person("minimax", "--turn", "10s"), folder=tmp_path) as seen:
        shown = await seen.shows(PROMPT)
        assert "seat 1: human    seat 2: minimax" in shown
        assert " 1 | 4  2 | 3  . |" in shown
        assert f"turn 1: {GAME.notation}" in shown
        left = re.search(r"([\d.]+) s left> $", shown)
        assert left
        assert 0 < float(left[1]) <= 10
        for typed, reason in (
            ("e4", "'e4' is no move: write r3c4=7"),
            ("r1c1=3", "r1c1=3: the cell holds 4 already"),
            ("r1c4=4", "r1c4=4: 4 stands in row 1 already"),
            ("help", " ".join(START.legal_moves())),
            ("help r3c4", "gives up\nr3c4=3\n"),
            ("help r9", "no legal move begins with 'r9'"),
            ("", ""),
        ):
            seen.types(f"{typed}\n")
            assert reason in await seen.shows(PROMPT)
        seen.types("r1c4=1\n")
        shown = await seen.shows(PROMPT)
        assert "you played r1c4=1: 3 points\n" in shown
        assert re.search(r"seat 2 played r\dc\d=\d", shown)
        assert "turn 3: " in shown
        seen.types("resign\n")
        shown = await seen.shows("timing")
        assert "you (seat 1) lose: seat 1 resigned\n" in shown
        assert "minimax (seat 2) wins: resigned, seat 1 resigned" in shown
        assert await seen.ends() == 0
        await nothing_left(seen, tmp_path)


async def test_a_person_plays_to_the_end(tmp_path: Path) -> None:
    """Every turn shows what the bot played and what it scored, the end shows the full board and who won."""
    async with window(*person("greedy", "--turn", "10s"), folder=tmp_path) as seen:
        everything = ""
        while not (shown := await seen.shows(PROMPT, "timing")).endswith("timing"):
            everything += shown
            seen.types("help\n")
            moves = (await seen.shows(PROMPT)).partition("gives up\n")[2]
            seen.types(f"{moves.split()[0]}\n")
        everything += shown
        assert await seen.ends() == 0
        await nothing_left(seen, tmp_path)
    position = START
    for who, move, effect in re.findall(r"(you|seat 2) played (\S+?)(?:: (.*))?\n", everything):
        assert who == ("you" if position.seat == 1 else "seat 2")
        position = position.play(move)
        assert effect == position.effect
    outcome = position.outcome()
    assert outcome is not None
    text = f"board full, {outcome.scores[0]} : {outcome.scores[1]}"
    verb = {1: "win", 2: "lose", None: "draw"}[outcome.winner]
    assert everything.count(", board full\n") == 1
    assert f"you (seat 1) {verb}: {text}\n" in everything


async def test_two_people_in_two_windows(tmp_path: Path) -> None:
    """Each sees the other's moves at once; the referee has a window of its own; Ctrl-C ends the others."""
    serve = ("--log-level", "error", "serve", "human", "--game", "sudoku", "--listen")
    terms = ("--board", "easy-2x2", "--turn", "1m")
    async with (
        window(*serve, "unix:ann.sock", "--name", "Ann", folder=tmp_path) as ann,
        window(*serve, "unix:bob.sock", "--name", "Bob", folder=tmp_path) as bob,
    ):
        for seen in (ann, bob):
            await seen.shows("listening on unix:")
        async with window(
            "play", "sudoku", "unix:ann.sock", "unix:bob.sock", *terms, folder=tmp_path
        ) as table:
            await table.shows("seat 1: Ann    seat 2: Bob")
            people, position = (ann, bob), START
            for number, move in enumerate(MOVES):
                mover = people[number % 2]
                shown = await mover.shows(PROMPT)
                if position.last:
                    assert f"seat {2 - number % 2} played {position.last}: {position.effect}\n" in shown
                mover.types(f"{move}\n")
                position = position.play(move)
            assert "you (seat 2) win: board full, 4 : 10" in await bob.shows("4 : 10\n")
            assert f"seat 2 played {MOVES[-1]}: 7 points" in await ann.shows("you (seat 1) lose: board full")
            await table.shows("Bob (seat 2) wins: finished, board full, 4 : 10")
            assert await table.ends() == 0
        for seen in (ann, bob):
            seen.types(CTRL_C)
            assert await seen.ends() == 0
    assert not list(tmp_path.glob("*.sock"))


async def test_the_line_passes_at_the_prompt(tmp_path: Path) -> None:
    """The prompt says so, and a move that was not entered is no move."""
    async with window(*person("greedy", "--turn", "300ms"), folder=tmp_path) as seen:
        seen.types("r1c4=1")
        await seen.shows("time is up: what you were typing is dropped\n")
        shown = await seen.shows("timing")
        assert "you (seat 1) lose: seat 1 proposed no move before the line\n" in shown
        assert "greedy (seat 2) wins: no_move, " in shown
        assert await seen.ends() == 0
        await nothing_left(seen, tmp_path)


async def test_ctrl_d_asks_before_it_resigns(tmp_path: Path) -> None:
    """Twice in a row means it, once does not."""
    async with window(*person("greedy", "--turn", "1m"), folder=tmp_path) as seen:
        for typed in (CTRL_D, "help\n", CTRL_D):
            await seen.shows(PROMPT)
            seen.types(typed)
        await seen.shows("to resign, type resign or Ctrl-D again\n")
        await seen.shows(PROMPT)
        seen.types(CTRL_D)
        await seen.shows("greedy (seat 2) wins: resigned")
        assert await seen.ends() == 0


async def test_ctrl_c_at_the_prompt_leaves_nothing_behind(tmp_path: Path) -> None:
    """The referee ends the match in order: the person is told, exit code 130, no process and no folder left."""
    async with window(*person("minimax", "--turn", "1m"), folder=tmp_path) as seen:
        await seen.shows(PROMPT)
        seen.types(f"r1c{CTRL_C}")
        shown = await seen.shows("shotclock: stopped")
        assert re.search(r"\nthe match (does not count|was broken off)", shown)
        assert await seen.ends() == 130
        assert len(seen.started) >= 4  # the person's host; the bot's with launcher and workers
        await nothing_left(seen, tmp_path)


@pytest.mark.parametrize("typed", ["", "r1c4=1\nr9c9=9"])
async def test_a_pipe_that_ends_resigns(tmp_path: Path, typed: str) -> None:
    """Without a terminal each line is an answer, the last one even without a newline; the end of the input resigns."""
    done = await piped(typed, "greedy", folder=tmp_path)
    assert done["reason"] == "resigned"
    assert done["moves"][:1] == typed.split()[:1]


async def test_two_people_at_one_keyboard(tmp_path: Path) -> None:
    """Two who type in turns share a terminal, and two scripts a pipe: no line goes to the wrong one."""
    done = await piped("".join(f"{move}\n" for move in MOVES), "human", folder=tmp_path)
    assert (done["reason"], done["moves"], done["scores"]) == ("finished", list(MOVES), [4, 10])


async def test_a_file_of_moves(tmp_path: Path) -> None:
    """A file on stdin is read like a pipe; the empty one resigns."""
    done = await shotclock(*person("greedy", "--turn", "1m"), folder=tmp_path)  # from /dev/null
    assert done.code == 0
    assert "greedy (seat 2) wins: resigned" in done.out


async def piped(typed: str, rival: str, *, folder: Path) -> Any:  # noqa: ANN401 - whatever JSON says
    """A match of a person whose lines come from a pipe, as data: what she reads does not get into it."""
    process = await start(
        *person(rival, "--turn", "1m", "--json"), folder=folder, stdin=asyncio.subprocess.PIPE
    )
    async with asyncio.timeout(PATIENCE):
        out, err = await process.communicate(typed.encode())
    assert process.returncode == 0
    assert b"you are seat 1" in err
    return json.loads(out)


@asynccontextmanager
async def called(*arguments: str, folder: Path) -> AsyncIterator[tuple[Window, Stream]]:
    """A host in a window, and the referee's end of a match with it that has begun."""
    serve = ("serve", *arguments, "--game", "sudoku", "--listen", "unix:bot.sock")
    async with window(*serve, folder=folder) as seen:
        await seen.shows("listening on unix:")
        async with grpc.aio.insecure_channel(f"unix:{folder}/bot.sock") as channel:
            stream = Stream(bot_pb2_grpc.BotServiceStub(channel).Play())
            assert kind(await stream.read()) == "hello"
            begin = pb.Begin(match="m-1", game="sudoku", variant="classic", seat=1, position=str(START))
            await stream.send(pb.ToBot(begin=begin))
            yield seen, stream
            stream.call.cancel()


async def test_a_half_line_is_dropped_with_its_turn(tmp_path: Path) -> None:
    """Neither it nor what was typed between the turns is part of the next answer."""
    async with called("human", folder=tmp_path) as (seen, stream):
        assert kind(await stream.read()) == "ready"
        await stream.send(pb.ToBot(turn=pb.Turn(turn=1, position=str(START))))
        assert (await seen.shows("> ")).endswith("\n> ")  # no clock, no time
        seen.types("r1c")
        await seen.shows("r1c")
        await stream.stopped(1)
        await seen.shows("time is up")
        seen.types("r4c1=3\n")
        await seen.shows("r4c1=3\n")
        clock = pb.Clock(remaining=Duration(seconds=90))
        await stream.send(pb.ToBot(turn=pb.Turn(turn=3, position=str(START), clock=clock)))
        await seen.shows("90.0 s left> ")
        seen.types("4=1\n")
        assert await seen.shows("is no move") == "4=1\n'4=1' is no move"
        seen.types("  r1c4=1 \n")
        move = (await stream.read()).proposal
        assert (move.turn, move.move, move.done) == (3, "r1c4=1", True)


async def test_help_and_a_move_too_late(tmp_path: Path) -> None:
    """Of hundreds of moves help shows some and says how to see the others; a move that missed the line is told."""
    position = str(GAME.start(variant="classic", seed=7, options={"board": "empty-3x3"}))
    async with called("human", folder=tmp_path) as (seen, stream):
        assert kind(await stream.read()) == "ready"
        await stream.send(pb.ToBot(turn=pb.Turn(turn=1, position=position)))
        await seen.shows("\n> ")
        seen.types("help\n")
        shown = await seen.shows(": help r9 shows those that begin so\n")
        more = re.search(r"and (\d+) more", shown)
        assert more
        assert (
            len(re.findall(r"\br\dc\d=\d\b", shown)) - 1 + int(more[1]) == 729
        )  # less the one in the notation
        assert shown.count("\n") < 12
        seen.types("r9c9=9\n")
        assert (await stream.read()).proposal.move == "r9c9=9"
        await stream.stop(1)
        await seen.shows("r9c9=9 came too late\n")
        assert kind(await stream.read()) == "stopped"


async def test_a_referee_that_breaks_the_contract_is_told(tmp_path: Path) -> None:
    """A position that cannot be read ends the stream with a sentence, and the person is told as well."""
    async with called("human", folder=tmp_path) as (seen, stream):
        assert kind(await stream.read()) == "ready"
        await stream.send(pb.ToBot(turn=pb.Turn(turn=1, position="nonsense")))
        assert await stream.call.code() is grpc.StatusCode.FAILED_PRECONDITION
        assert (await stream.call.details() or "").startswith("the position cannot be read: ")
        await seen.shows("the match was broken off")


async def test_a_person_who_leaves_has_left_the_match(tmp_path: Path) -> None:
    """Ctrl-C at a host of one's own ends it in order, and one person plays one match at a time."""
    async with called("human", folder=tmp_path) as (seen, stream):
        assert kind(await stream.read()) == "ready"
        async with window(
            "play", "sudoku", "unix:bot.sock", "greedy", "--board", "easy-2x2", folder=tmp_path
        ) as second:
            await second.shows("void: declined, seat 1 declined: all 1 places of this host are taken")
        await stream.send(pb.ToBot(turn=pb.Turn(turn=1, position=str(START))))
        await seen.shows("> ")
        seen.types(CTRL_C)
        await seen.shows("the match was broken off")
        assert await seen.ends() == 0
        assert await stream.call.code() is not grpc.StatusCode.OK


async def test_a_breakpoint_without_a_clock(tmp_path: Path) -> None:
    """The debugger has the user's terminal, in `__init__` as well as in `think`, and the match goes on after it."""
    bot = write_bot(tmp_path, BREAKING, init="def __init__(self):\n    breakpoint()")
    arguments = ("play", "sudoku", bot, "greedy", "--board", "easy-2x2", "--no-clock", "--games", "2")
    async with window(*arguments, folder=tmp_path) as seen:
        thought = 0
        while "series" not in (shown := await seen.shows("(Pdb) ", "series")):
            assert "\x1b[H" not in shown  # nothing is drawn over the debugger
            if "-> yield position.legal_moves()[0]" in shown:
                thought += 1
                seen.types("p position.legal_moves()[0]\n")
                await seen.shows("'r")
                await seen.shows("(Pdb) ")
            seen.types("c\n")
        assert thought >= 4
        assert await seen.ends() == 0
        await nothing_left(seen, tmp_path)


@pytest.mark.parametrize("goes_on", [False, True])
async def test_ctrl_c_is_not_for_the_debugger(tmp_path: Path, goes_on: bool) -> None:
    """It ends the match, at the debugger's prompt and after it: exit code 130, no process left."""
    bot = write_bot(tmp_path, "breakpoint()\nprint('on my way')\nwhile True: pass")
    async with window("play", "sudoku", bot, "greedy", "--no-clock", folder=tmp_path) as seen:
        await seen.shows("(Pdb) ")
        if goes_on:
            seen.types("c\n")
            await seen.shows("on my way")
        seen.types(CTRL_C)
        assert "Program interrupted" not in await seen.shows("shotclock: stopped")
        assert await seen.ends() == 130
        await nothing_left(seen, tmp_path)


async def test_a_bot_leaves_the_terminal_as_it_was(tmp_path: Path) -> None:
    """Whatever it did to the modes of the terminal that it was lent, and however it ended."""
    bot = write_bot(tmp_path, "import tty\ntty.setraw(0)\nos._exit(1)")
    async with window("play", "sudoku", bot, "greedy", "--no-clock", folder=tmp_path) as seen:
        await seen.shows("greedy (seat 2) wins: crashed, seat 1 died: exit code 1")
        assert await seen.ends() == 0


async def test_a_stop_does_not_break_into_the_debugger(tmp_path: Path) -> None:
    """With --debug a bot is neither interrupted nor killed: it has stopped when its author lets it go on."""
    bot = write_bot(tmp_path, BREAKING)
    async with called(bot, "--debug", folder=tmp_path) as (seen, stream):
        assert kind(await stream.read()) == "ready"
        await stream.turn(1)
        await seen.shows("(Pdb) ")
        await stream.stop(1)
        # A call that comes after the stop is answered after it was read.
        async with grpc.aio.insecure_channel(f"unix:{tmp_path}/bot.sock") as channel:
            await bot_pb2_grpc.BotServiceStub(channel).Describe(pb.DescribeRequest())
        seen.types("p turn.number + 41\n")
        await seen.shows("42")
        seen.types("c\n")
        assert [kind(message) for message in await stream.until("stopped")] == ["stopped"]


async def test_without_a_clock_and_without_a_terminal(tmp_path: Path) -> None:
    """Bots that print do so in their logs as ever, and no turn has a line."""
    bot = write_bot(tmp_path, "print('hello')\nyield position.legal_moves()[0]")
    arguments = ("play", "sudoku", bot, "greedy", "--board", "easy-2x2", "--no-clock", "--json")
    done = await shotclock("--log-level", "error", *arguments, folder=tmp_path)
    assert (done.code, done.err) == (0, "")
    match = json.loads(done.out)
    assert (match["reason"], match["turn_ms"]) == ("finished", None)
    assert {turn["line_ms"] for turn in match["turns"]} == {None}


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("play sudoku --no-clock --turn 1s", "--turn and --no-clock contradict each other: give one"),
        ("play sudoku --no-clock --budget 1m", "--budget and --no-clock contradict each other: give one"),
        (
            "play sudoku --first-turn 1m",
            "--first-turn needs a time per turn or a budget for the turns after it",
        ),
        ("play sudoku human,level=3 greedy", "human takes no options, not 'human,level=3'"),
        ("serve human", "human may play any game: say which with --game, one of "),
    ],
)
async def test_mistakes(tmp_path: Path, command: str, sentence: str) -> None:
    """One sentence, exit code 2."""
    done = await shotclock(*command.split(), folder=tmp_path)
    assert done.code == 2
    assert done.err.startswith(f"shotclock: {sentence}")
