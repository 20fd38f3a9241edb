"""Whatever a person can get wrong on the command line: one sentence, exit code 2."""

import asyncio
import shlex
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from games import Mistake, game_names
from referee import connection
from shotclock.v1 import bot_pb2 as pb
from tests.playing import Script, hello, leftovers, play, scripted, shotclock

#: Whatever is installed.
GAMES = ", ".join(game_names())
BOT_FILE = """
class Thoughtless:
    pass
class Fine:
    def think(self, position, turn):
        return position.legal_moves()[0]
"""
UNSOLVABLE = "2 2\n1 2 3 .\n. . . 4\n. . . .\n. . . .\n"
MALFORMED = "2 2\n1 2 3 x\n. . . .\n. . . .\n. . . .\n"


async def mistake(*arguments: str, folder: Path) -> str:
    """What the command says, having checked that this is all it does."""
    done = await shotclock(*arguments, folder=folder)
    assert (done.code, done.out) == (2, ""), done
    (sentence,) = done.err.splitlines()
    assert sentence.startswith("shotclock: ")
    assert leftovers(folder) == []
    return sentence.removeprefix("shotclock: ")


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("plya sudoku", "No such command 'plya'"),
        ("play sudoku --trun 1s", "No such option: --trun"),
        ("play chess", f"unknown game 'chess': choose from {GAMES}"),
        ("play sudoku greedy nobody", "unknown sudoku bot 'nobody': choose from champion, greedy, "),
        ("play sudoku --option colour=red", "unknown option of sudoku 'colour': choose from board"),
        ("play sudoku --option board", "'board' is no setting: write NAME=VALUE"),
        ("play sudoku greedy,depth=3 greedy", "greedy has no option 'depth': it takes none"),
        ("play sudoku greedy minimax,depth=x", "option depth of minimax must be a whole number, not 'x'"),
        ("play sudoku greedy minimax,depth", "'depth' in 'minimax,depth' is no option: write name=value"),
        ("play sudoku --board nope", "unknown board 'nope': choose from easy-2x2, "),
        ("play sudoku --board nope.txt", "there is no board file nope.txt"),
        ("play sudoku --board unsolvable.txt", "board unsolvable.txt has no solution"),
        ("play sudoku --board malformed.txt", "board malformed.txt: r1c4 is 'x', neither . nor a value"),
        ("play sudoku --variant blitz", "unknown variant of sudoku 'blitz': choose from border, classic"),
        (
            "play sudoku --turn soon",
            "--turn: 'soon' is not a duration: write a number and a unit, such as 200ms",
        ),
        ("play sudoku --turn 200", "--turn: '200' is not a duration"),
        ("play sudoku --turn 1us", "--turn: '1us' is too short: a duration is at least 1ms"),
        ("play sudoku --grace never", "--grace: 'never' is not a duration"),
        ("play sudoku --logs mine.py", "cannot use the folder mine.py for logs: File exists"),
        ("play sudoku --logs /proc", "cannot use the folder /proc for logs: No such file"),
        ("play sudoku greedy", "a match needs two bots, not 1"),
        ("play sudoku greedy greedy greedy", "a match needs two bots, not 3"),
        (
            "play sudoku grpc://127.0.0.1:1 greedy",
            "bot 'grpc://127.0.0.1:1' does not answer: nothing listens",
        ),
        ("play sudoku greedy unix:no.sock", "bot 'unix:no.sock' does not answer: nothing listens"),
        ("play sudoku grpc://nowhere greedy", "bot 'grpc://nowhere' is no address: write grpc://host:port"),
        ("play sudoku grpcs://far:443 greedy", "bot 'grpcs://far:443' is no address this referee can dial"),
        (
            "play sudoku greedy mine.py:Thoughtless",
            "mine.py:Thoughtless has no method think(self, position, ",
        ),
        (
            "play sudoku greedy mine.py:Nobody",
            "there is no class 'Nobody' in mine.py: it has Thoughtless, Fine",
        ),
        ("play sudoku greedy mine.py", "mine.py may hold several bots: name the class, as in mine.py:MyBot"),
        ("play sudoku greedy yours.py:Bot", "there is no file yours.py in "),
        ("play sudoku greedy yours:Bot", "there is no module yours in "),
        ("play sudoku greedy exec:./mybot", "bot 'exec:./mybot' must say where the address goes"),
        ("play sudoku greedy 'exec:./mybot {address}'", "cannot start './mybot': No such file or directory"),
        ("serve greedy --game chess", f"unknown game 'chess': choose from {GAMES}"),
        ("serve nobody", "unknown bot 'nobody': choose from "),
        ("serve mine.py:Fine", f"mine.py:Fine may play any game: say which with --game, one of {GAMES}"),
        ("serve greedy --game sudoku --listen somewhere", "'somewhere' is no address: write 127.0.0.1:PORT"),
    ],
)
async def test_a_mistake_is_told_in_one_sentence(tmp_path: Path, command: str, sentence: str) -> None:
    """Nothing on stdout, one line on stderr that names what was wrong, exit code 2, nothing left behind."""
    (tmp_path / "mine.py").write_text(BOT_FILE)
    (tmp_path / "unsolvable.txt").write_text(UNSOLVABLE)
    (tmp_path / "malformed.txt").write_text(MALFORMED)
    assert (await mistake(*shlex.split(command), folder=tmp_path)).startswith(sentence)


async def test_a_program_that_ends_instead_of_listening_is_quoted(tmp_path: Path) -> None:
    """Its exit code and its last words are in the sentence."""
    program = "import sys; sys.exit('no licence found')"
    bot = f"exec:{sys.executable} -c {shlex.quote(program)} {{address}}"
    sentence = await mistake("play", "sudoku", "greedy", bot, folder=tmp_path)
    assert sentence.endswith("ended with code 1 before it listened: no licence found")


async def test_an_occupied_port_is_refused(tmp_path: Path) -> None:
    """Two hosts never share a port."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = f"127.0.0.1:{other.getsockname()[1]}"
        sentence = await mistake("serve", "greedy", "--game", "sudoku", "--listen", address, folder=tmp_path)
    assert sentence == f"cannot listen on {address}: it is in use"


async def newer(_: AsyncIterator[pb.ToBot]) -> AsyncIterator[pb.ToReferee]:
    yield hello(major=2)


async def older(_: AsyncIterator[pb.ToBot]) -> AsyncIterator[pb.ToReferee]:
    yield hello(major=0)


async def stranger(_: AsyncIterator[pb.ToBot]) -> AsyncIterator[pb.ToReferee]:
    yield hello(game="chess")


async def specialist(_: AsyncIterator[pb.ToBot]) -> AsyncIterator[pb.ToReferee]:
    yield hello(variants=("samurai", "killer"))


async def rude(_: AsyncIterator[pb.ToBot]) -> AsyncIterator[pb.ToReferee]:
    yield pb.ToReferee(ready=pb.Ready())


async def silent(_: AsyncIterator[pb.ToBot]) -> AsyncIterator[pb.ToReferee]:
    return
    yield hello()


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        (newer, "speaks protocol 2.0 and this referee 1.1: update Shotclock"),
        (older, "speaks protocol 0.0 and this referee 1.1: update the bot"),
        (stranger, "does not play sudoku: it plays chess"),
        (specialist, "does not play sudoku classic: it plays samurai, killer"),
        (rude, "did not begin with hello: every stream of a bot must"),
        (silent, "did not begin with hello: every stream of a bot must"),
        (None, "refused the stream: unimplemented: Method not found!"),
    ],
    ids=["newer", "older", "stranger", "specialist", "rude", "silent", "no bot"],
)
async def test_a_bot_that_does_not_fit_is_told_in_one_sentence(
    tmp_path: Path, script: Script | None, sentence: str
) -> None:
    """Another protocol, another game, no hello: no match is begun, and it is nobody's loss."""
    async with scripted(script) as address:
        told = await mistake("play", "sudoku", address, "greedy", folder=tmp_path)
    assert told == f"bot {address!r} {sentence}"


async def test_a_bot_that_never_says_hello_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that takes the call and keeps quiet has a few seconds, not for ever."""
    monkeypatch.setattr(connection, "HELLO_WITHIN", 0.05)

    async def asleep(_: AsyncIterator[pb.ToBot]) -> AsyncIterator[pb.ToReferee]:
        await asyncio.Event().wait()
        yield hello()

    async with scripted(asleep) as address:
        with pytest.raises(Mistake, match=r"said no hello within 0\.05 s: is it a Shotclock bot\?"):
            await play(address, "greedy", folder=tmp_path)


async def test_a_refusal_is_quoted_without_its_control_characters(tmp_path: Path) -> None:
    """The status text of a bot is the bot's own, and a terminal must not obey it."""

    async def refusing(_: AsyncIterator[pb.ToBot]) -> AsyncIterator[pb.ToReferee]:
        raise ConnectionRefusedError("\x1b[2Jgo away")
        yield hello()

    async with scripted(refusing) as address:
        told = await mistake("play", "sudoku", "greedy", address, folder=tmp_path)
    assert told.startswith(f"bot {address!r} refused the stream: ")
    assert told.endswith(" [2Jgo away")
    assert told.isprintable()
