"""From the name of a bot to an address where it answers, starting it if need be."""

import asyncio
import os
import shlex
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from math import inf
from pathlib import Path

from games import Mistake
from referee import tether
from referee.meter import Meter
from referee.wire import clean

#: How long a bot we start may take until it listens.
LISTEN_WITHIN = 15.0
#: How long it may take to end when asked to.
END_WITHIN = 2.0
#: Of what it said last; our own sentences name paths.
LONGEST_WORDS = 2000
#: The person at the terminal of the referee, in place of a bot.
HUMAN = "human"


@dataclass(frozen=True, slots=True)
class Stage:
    """What the bots that we start find: where logs go, and the terminal of the referee for those who share it."""

    #: Keeps what bots and their hosts print, if that is to be kept.
    logs: Path | None = None
    #: The limits for a bot that our own host runs; without one the host takes the game's memory, and its own default.
    memory: str = ""
    processes: int | None = None
    #: Those that bots may use; the others are for the referee and for hosts. None: any.
    cores: tuple[int, ...] | None = None
    #: Where a person or a debugger writes.
    output: int = 1
    #: Share it with the user's own bots as well, so that `breakpoint()` in them can be answered.
    debug: bool = False

    def shared_with(self, bot: str) -> bool:
        return bot == HUMAN or (self.debug and ":" in bot and not bot.startswith("exec:"))


NO_STAGE = Stage()


@dataclass(slots=True)
class Started:
    """A bot with an address; `process` is None for one that somebody else has started."""

    bot: str
    address: str
    process: asyncio.subprocess.Process | None = None
    #: By our own host, which can be believed.
    hosted: bool = False
    errors: Path | None = None
    listen_within: float = LISTEN_WITHIN

    def meter(self) -> Meter:
        """For a bot that was started here; the parent, host and launcher that we give it are free."""
        if self.process is None:
            raise ValueError(f"{self.bot} was started by somebody else")
        return Meter(self.process.pid, above=1 if self.bot.startswith("exec:") else 3)

    async def listening(self) -> None:
        """Returns once the bot's socket is there; a bot that ended instead has made a mistake worth telling."""
        if self.process is None:
            return
        path = self.address.removeprefix("unix:")
        loop = asyncio.get_running_loop()
        give_up = loop.time() + self.listen_within
        while not listens(path):
            if self.process.returncode is not None:
                raise Mistake(self.last_words(self.process.returncode))
            if loop.time() > give_up:
                raise Mistake(
                    f"bot {self.bot!r} was started but did not listen within {self.listen_within:g} s"
                )
            await asyncio.sleep(0.005)

    def last_words(self, code: int) -> str:
        lines = self.errors.read_text(errors="replace").splitlines() if self.errors else []
        ours = [line.removeprefix("shotclock: ") for line in lines if line.startswith("shotclock: ")]
        if ours:
            return clean(ours[-1], LONGEST_WORDS)
        said = next((words for line in reversed(lines) if (words := clean(line, 200))), "it said nothing")
        return f"bot {self.bot!r} ended with code {code} before it listened: {said}"


@asynccontextmanager
async def started(
    bot: str, *, game: str, folder: Path, name: str, stage: Stage = NO_STAGE
) -> AsyncIterator[Started]:
    """Starts what `bot` names; `folder` takes its socket and its logs, under `name`."""
    if bot.startswith("grpc://"):
        yield Started(bot, network_address(bot))
        return
    if bot.startswith("unix:"):
        yield Started(bot, f"unix:{Path(bot.removeprefix('unix:')).absolute()}")
        return
    if "://" in bot:
        raise Mistake(f"bot {bot!r} is no address this referee can dial: use grpc://host:port or unix:path")
    address = f"unix:{folder / name}.sock"
    errors = folder / f"{name}.host.log"
    shared = stage.shared_with(bot)
    hosted = not bot.startswith("exec:")
    if not hosted:
        command = exec_command(bot, address)
    else:
        author_log = str(folder / f"{name}.log")
        # -P keeps the user's folder from shadowing our packages until they are imported.
        command = [
            sys.executable,
            "-P",
            "-m",
            "referee",
            "--log-format",
            "json",
            "serve",
            bot,
            "--game",
            game,
        ]
        command += ["--listen", address, "--author-log", author_log]
        if shared and bot != HUMAN:
            command.append("--debug")
        command += ["--memory", stage.memory] if stage.memory else []
        command += ["--processes", str(stage.processes)] if stage.processes else []
        command += ["--cores", ",".join(map(str, stage.cores))] if stage.cores else []
    with errors.open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-S", tether.__file__, str(os.getpid())),
            # A host stays where the referee is; it keeps its bot to the cores itself.
            ",".join(map(str, stage.cores)) if stage.cores and not hosted else "",
            *command,
            stdin=None if shared else asyncio.subprocess.DEVNULL,
            stdout=stage.output if shared else log,
            stderr=log,
            start_new_session=not shared,  # what it leaves behind can be killed; in ours alone it may read the terminal
        )
    try:
        yield Started(bot, address, process, hosted, errors, inf if shared else LISTEN_WITHIN)
    finally:
        await end(process)


def listens(path: str) -> bool:
    """A socket's file is there before anybody listens on it."""
    with socket.socket(socket.AF_UNIX) as probe:
        probe.setblocking(False)  # noqa: FBT003 - its only argument
        try:
            probe.connect(path)
        except BlockingIOError:  # a queue that is full
            return True
        except OSError:
            return False
        return True


def check_metered(bot: str) -> None:
    """Whether its processor time can be read, which is asked before anything is started."""
    if bot == HUMAN:
        raise Mistake("a person uses no CPU time: leave out --cpu, or name a bot in place of human")
    if bot.startswith(("grpc://", "unix:")):
        raise Mistake(
            f"the CPU time of bot {bot!r} cannot be read, since it is not started here: leave out --cpu, or"
            " name a bot that is"
        )


def network_address(bot: str) -> str:
    address = bot.removeprefix("grpc://").rstrip("/")
    host, colon, port = address.rpartition(":")
    if not (host and colon and port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        raise Mistake(f"bot {bot!r} is no address: write grpc://host:port, such as grpc://127.0.0.1:50051")
    return address


def exec_command(bot: str, address: str) -> list[str]:
    try:
        words = shlex.split(bot.removeprefix("exec:"))
    except ValueError as error:
        raise Mistake(f"bot {bot!r} is no command: {error}") from None
    if not any("{address}" in word for word in words):
        raise Mistake(f"bot {bot!r} must say where the address goes: exec:./mybot --listen {{address}}")
    return [word.replace("{address}", address) for word in words]


async def end(process: asyncio.subprocess.Process) -> None:
    """First politely; then its whole process group, if it has its own, so that nothing stays behind."""
    if process.returncode is None:
        process.terminate()
        try:
            async with asyncio.timeout(END_WITHIN):
                await process.wait()
        except TimeoutError:
            process.kill()
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()
