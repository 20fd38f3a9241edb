"""Whole matches between real processes, in this process or by the command, for tests."""

import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from games import find_game
from referee.audit.audit import State, audit_file
from referee.driver import Watcher
from referee.events import Effect, Event, Terms, TurnOver
from referee.key import public_hex
from referee.launch import Stage
from referee.match import Match
from referee.play import in_silence
from referee.recorder import Archive
from referee.series import Announce, Fixture, Played, play_series
from referee.timing import SECOND, TimeControl, parse_duration
from referee.verdict import Verdict
from shotclock.v1 import bot_pb2 as pb
from shotclock.v1 import bot_pb2_grpc
from tests.hosting import ended

#: A guard against a referee that hangs, far above what any match here takes.
PATIENCE = 20.0
#: On this board r1c4=4 is legal and leaves no solution.
TABOO_BOARD = "2 2\n1 2 . .\n. . . .\n. . 3 .\n. . . .\n"


async def play(
    *bots: str,
    folder: Path,
    game: str = "sudoku",
    variant: str = "",
    board: str = "easy-2x2",
    options: Mapping[str, str] | None = None,
    turn: str = "250ms",
    time: TimeControl | None = None,
    seed: int = 7,
    ready_within: float = 10.0,
    announce: Announce = in_silence,
    archive: Archive | None = None,
    memory: str = "",
    processes: int = 64,
    logs: Path | None = None,
) -> Played:
    """One match in this process; afterwards no process and no folder of it may be left, and its record is true.

    `board` is for the option of that name where no `options` are given.
    """
    first, second = bots
    found = find_game(game)
    if archive is None:
        archive = Archive(Path(tempfile.mkdtemp(prefix="records-", dir=folder)), Ed25519PrivateKey.generate())
    terms = Terms(
        match_id="m-1",
        game=found.name,
        variant=variant or found.variants[0],
        options={"board": board} if options is None else options,
        seed=seed,
        time=time or TimeControl(parse_duration(turn)),
        ruling=found.ruling,
        ready_within=round(ready_within * SECOND),
        processes=processes,
    )
    played: list[Played] = []
    seen: set[int] = set()

    others = descendants(os.getpid())

    def announce_and_count(match: Match, names: tuple[str, str]) -> Watcher:
        watch = announce(match, names)
        seen.update(descendants(os.getpid()) - others)

        def both(event: Event | Effect) -> None:
            if isinstance(event, TurnOver):
                seen.update(descendants(os.getpid()) - others)
            watch(event)

        return both

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(folder))
        async with asyncio.timeout(PATIENCE):
            await play_series(
                found,
                (first, second),
                [Fixture(terms, home=0)],
                announce=announce_and_count,
                archive=archive,
                stage=Stage(logs, memory, processes),
                finished=played.append,
            )
    assert seen or all("://" in bot for bot in bots), "a bot that we start has a host and workers"
    await all_ended(seen)
    assert leftovers(folder) == []
    result = audit_file(archive.path(terms.match_id), keys={public_hex(archive.key)})
    assert (result.state, result.flaw) == (State.OK, "")
    return played[0]


def verdict_of(played: Played) -> Verdict:
    assert played.match.verdict is not None
    return played.match.verdict


def descendants(pid: int) -> set[int]:
    """The processes that a process has started, and those that they have."""
    found: set[int] = set()
    for thread in Path(f"/proc/{pid}/task").glob("*"):
        with suppress(OSError):  # it has just ended
            found.update(map(int, (thread / "children").read_text().split()))
    return found.union(*(descendants(child) for child in found))


async def all_ended(pids: set[int]) -> None:
    await asyncio.gather(*(ended(pid) for pid in pids))


def leftovers(folder: Path) -> list[Path]:
    return list(folder.glob("shotclock-*"))


@dataclass(frozen=True, slots=True)
class Finished:
    """What a command left behind."""

    code: int | None
    out: str
    err: str


def private(folder: Path) -> dict[str, str]:
    """Where a command keeps what it would keep in the user's own folders."""
    return {
        "TMPDIR": str(folder),
        "XDG_STATE_HOME": str(folder / "state"),
        "XDG_CONFIG_HOME": str(folder / "config"),
    }


async def start(
    *arguments: str,
    folder: Path,
    stdin: int = asyncio.subprocess.DEVNULL,
    stdout: int = asyncio.subprocess.PIPE,
) -> asyncio.subprocess.Process:
    """The `shotclock` command, run in `folder` and with its temporary files there."""
    inherited = {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "LINES"}}
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", "referee", *arguments),
        stdin=stdin,
        stdout=stdout,
        stderr=asyncio.subprocess.PIPE,
        cwd=folder,
        env=inherited | private(folder),
    )


async def shotclock(*arguments: str, folder: Path) -> Finished:
    process = await start(*arguments, folder=folder)
    try:
        async with asyncio.timeout(PATIENCE):
            out, err = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()
    return Finished(process.returncode, out.decode(), err.decode())


#: From what the referee says to what a bot answers; the stream ends where the script does.
Script = Callable[[AsyncIterator[pb.ToBot]], AsyncIterator[pb.ToReferee]]


def hello(*, major: int = 1, game: str = "sudoku", variants: tuple[str, ...] = ()) -> pb.ToReferee:
    support = pb.GameSupport(game=game, variants=variants)
    protocol = pb.ProtocolVersion(major=major)
    return pb.ToReferee(hello=pb.Hello(protocol=protocol, name="scripted", games=[support]))


class ScriptedBot(bot_pb2_grpc.BotServiceServicer):
    """A bot in another program, which may say anything."""

    def __init__(self, script: Script) -> None:
        self.script = script

    async def Describe(self, _request: pb.DescribeRequest, _context: object) -> pb.Hello:  # noqa: N802 - as in the contract
        return hello().hello

    async def Play(  # noqa: N802 - as in the contract
        self, requests: AsyncIterator[pb.ToBot], _context: object
    ) -> AsyncIterator[pb.ToReferee]:
        async for message in self.script(requests):
            yield message


@asynccontextmanager
async def scripted(script: Script | None) -> AsyncIterator[str]:
    """The address of a bot that follows a script; without one, of a server that is no bot at all."""
    server = grpc.aio.server()
    if script is not None:
        bot_pb2_grpc.add_BotServiceServicer_to_server(ScriptedBot(script), server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield f"grpc://127.0.0.1:{port}"
    finally:
        await server.stop(None)
