"""Real hosts and the referee's end of their streams, for tests."""

import asyncio
import os
import sys
import textwrap
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc
from google.protobuf.duration_pb2 import Duration

from games import find_game
from shotclock.v1 import bot_pb2 as pb
from shotclock.v1 import bot_pb2_grpc

POSITION = str(find_game("sudoku").start(variant="classic", seed=1, options={}))
#: Nothing here takes long; a test that waits for ever is worse than one that fails.
PATIENCE = 10.0


@dataclass(frozen=True, slots=True)
class Hosted:
    process: asyncio.subprocess.Process
    address: str
    author_log: Path
    errors: Path


def write_bot(folder: Path, think: str, *, top: str = "", init: str = "") -> str:
    """A bot file whose class has this body for `think`; what to type for it."""
    parts = [
        "import os, sys, time, signal, subprocess",
        "from games import Proposal",
        textwrap.dedent(top),
        "class Bot:",
        textwrap.indent(textwrap.dedent(init), "    "),
        "    def think(self, position, turn):",
        textwrap.indent(textwrap.dedent(think), "        "),
    ]
    path = folder / "mybot.py"
    path.write_text("\n".join(parts))
    return f"{path}:Bot"


async def start(*arguments: str, errors: Path) -> asyncio.subprocess.Process:
    with errors.open("wb") as stderr:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "referee", "--log-format", "json", "serve", *arguments),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=stderr,
        )


@asynccontextmanager
async def hosted(bot: str, folder: Path, *arguments: str) -> AsyncIterator[Hosted]:
    """A host that listens; terminated at the end, and then it must have ended well."""
    errors, author_log = folder / "host.log", folder / "author.log"
    process = await start(
        *(bot, "--game", "sudoku", "--listen", f"unix:{folder}/bot.sock", "--author-log", str(author_log)),
        *arguments,
        errors=errors,
    )
    try:
        async with asyncio.timeout(PATIENCE):
            assert process.stdout is not None
            said = (await process.stdout.readline()).decode()
        assert said.startswith("listening on "), errors.read_text()
        yield Hosted(process, said.removeprefix("listening on ").strip(), author_log, errors)
        if process.returncode is None:
            process.terminate()
            async with asyncio.timeout(PATIENCE):
                assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


class Mark:
    """Where a bot says, by `here()`, that it has reached a place; HERE is the file descriptor to write to."""

    def __init__(self, folder: Path) -> None:
        os.mkfifo(folder / "here")
        self._fd = os.open(folder / "here", os.O_RDWR | os.O_NONBLOCK)

    async def reached(self) -> None:
        await _readable(self._fd)
        os.read(self._fd, 1)

    def close(self) -> None:
        os.close(self._fd)


MARK = """
HERE = os.open(os.path.dirname(__file__) + "/here", os.O_RDWR)
def here(): os.write(HERE, b".")
"""


class Stream:
    """The referee's end of one match."""

    def __init__(self, call: grpc.aio.StreamStreamCall[pb.ToBot, pb.ToReferee]) -> None:
        self.call = call

    async def read(self) -> pb.ToReferee:
        async with asyncio.timeout(PATIENCE):
            message = await self.call.read()
        assert isinstance(message, pb.ToReferee), await self.call.details()
        return message

    async def send(self, message: pb.ToBot) -> None:
        await self.call.write(message)

    async def begin(
        self, *, seed: int = 5, moves: Sequence[str] = (), game: str = "sudoku", ponder: bool = False
    ) -> pb.ToReferee:
        """Begin, and what the bot answers."""
        begin = pb.Begin(match="m-1", game=game, variant="classic", seat=1, seed=seed, moves=moves)
        begin.thinks_off_turn = ponder
        await self.send(pb.ToBot(begin=begin))
        return await self.read()

    async def turn(self, number: int, *, moves: Sequence[str] = (), remaining: float | None = None) -> None:
        turn = pb.Turn(turn=number, position=POSITION, moves=moves)
        if remaining is not None:
            turn.clock.CopyFrom(pb.Clock(remaining=Duration(nanos=int(remaining * 1e9))))
        await self.send(pb.ToBot(turn=turn))

    async def stop(self, number: int) -> None:
        await self.send(pb.ToBot(stop=pb.Stop(turn=number)))

    async def until(self, *kinds: str) -> list[pb.ToReferee]:
        """Everything up to and with the first message of one of these kinds; a proposal with done counts as done."""
        messages = [await self.read()]
        while kind(messages[-1]) not in kinds:
            messages.append(await self.read())
        return messages

    async def think(self, number: int, *, moves: Sequence[str] = ()) -> list[str]:
        """One turn to its `done`: the moves that were proposed."""
        await self.turn(number, moves=moves)
        return [message.proposal.move for message in await self.until("done") if message.proposal.move]

    async def first_move(self, number: int) -> str:
        """Start a turn, and what the bot proposes first."""
        await self.turn(number)
        return (await self.read()).proposal.move

    async def stopped(self, number: int) -> list[pb.ToReferee]:
        """Stop a turn, and everything up to the bot's answer."""
        await self.stop(number)
        messages = await self.until("stopped")
        assert messages[-1].stopped.turn == number
        return messages


def kind(message: pb.ToReferee) -> str:
    return "done" if message.proposal.done else str(message.WhichOneof("message"))


@asynccontextmanager
async def channel_to(host: Hosted) -> AsyncIterator[grpc.aio.Channel]:
    async with grpc.aio.insecure_channel(host.address) as channel:
        yield channel


@asynccontextmanager
async def stream_to(host: Hosted, *, begun: bool = True, ponder: bool = False) -> AsyncIterator[Stream]:
    """A Play stream after hello, and after ready unless `begun` is false."""
    async with channel_to(host) as channel:
        stream = Stream(bot_pb2_grpc.BotServiceStub(channel).Play())
        assert kind(await stream.read()) == "hello"
        if begun:
            assert kind(await stream.begin(ponder=ponder)) == "ready"
        yield stream
        stream.call.cancel()


async def ended(pid: int) -> None:
    """Returns when the process has ended, whoever its parent is."""
    try:
        fd = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        await _readable(fd)
    finally:
        os.close(fd)


async def _readable(fd: int) -> None:
    news = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_reader(fd, news.set)
    try:
        async with asyncio.timeout(PATIENCE):
            await news.wait()
    finally:
        loop.remove_reader(fd)


def descendants(pid: int) -> list[int]:
    """The processes that a host has started, and those that they have."""
    found: list[int] = []
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, children.read_text().split()):
            found += [child, *descendants(child)]
    return found
