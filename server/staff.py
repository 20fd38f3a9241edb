"""The workers of one host: idle ones, those in a match, and the launcher that starts them."""

import asyncio
import json
import os
import socket
import subprocess
import sys
from collections import deque
from contextlib import suppress
from dataclasses import asdict

import structlog

from games import Mistake
from server.cgroup import claim_ground
from server.limits import Limits
from server.pipe import Owner, Worker, text_of
from server.tree import Tree

#: How long the bot's module may take to import.
LOAD_WITHIN = 10.0
#: A worker and a spare, so that a match begins at once; they are replaced when a match ends, which is off its clock.
IDLE = 2


class Staff:
    """Every worker is known here from its start until it is reaped."""

    def __init__(
        self, bot: str, *, game: str, limits: Limits, cores: list[int] | None, output: int, debug: bool
    ) -> None:
        """To `debug` is to share our terminal: a single worker at a time, and no limit on how long it loads."""
        self._bot = bot
        self.ground = claim_ground()
        self._keep = 0 if debug else IDLE
        self._load_within = None if debug else LOAD_WITHIN
        self._closed = False
        self._idle: list[Worker] = []
        self._starting: deque[Worker] = deque()
        self._running: dict[int, Worker] = {}
        self._loop = asyncio.get_running_loop()
        self._loaded: asyncio.Future[None] = self._loop.create_future()
        self._launcher_gone = asyncio.Event()
        self._control, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        settings = {
            "game": game,
            "limits": asdict(limits),
            "ground": self.ground and asdict(self.ground),
            "cores": cores,
        }
        # Not on the event loop once it runs matches: Popen holds the interpreter until the new process gets a core.
        self._launcher = subprocess.Popen(  # noqa: S603 - our own module
            # -P: a `server` folder where the user happens to be must not be taken for ours.
            [
                *(sys.executable, "-P", "-m", "server.launcher"),
                *(str(far.fileno()), str(os.getpid()), json.dumps(settings), bot),
            ],
            stdin=None if debug else subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            pass_fds=(far.fileno(),),
            start_new_session=not debug,
            env=_environment(),
        )
        far.close()
        self._loop.add_reader(self._control, self._read)

    async def warm_up(self) -> None:
        """Returns once a bot could start; a bot that cannot be loaded is a Mistake."""
        self._idle.append(self._start(self))
        self.refill()
        try:
            async with asyncio.timeout(self._load_within):
                await self._loaded
        except TimeoutError:
            raise Mistake(f"bot {self._bot!r} was not loaded within {LOAD_WITHIN:g} s") from None

    def refill(self) -> None:
        while len(self._idle) < self._keep and not self._closed:
            self._idle.append(self._start(self))

    def hire(self, owner: Owner) -> Worker:
        """A worker for one match, warm if there is one."""
        if not self._idle:
            return self._start(owner)
        worker = self._idle.pop(0)
        worker.owner = owner
        return worker

    async def close(self) -> None:
        """End every worker, and whatever they have started."""
        self._closed = True
        with suppress(OSError):  # it has gone already
            self._control.shutdown(socket.SHUT_WR)
        await self._launcher_gone.wait()
        self._launcher.wait()
        self._control.close()
        for worker in (*self._running.values(), *self._starting):  # they have died with it
            worker.let_go()
        if self.ground is not None:
            self.ground.remove()

    def heard(self, worker: Worker, letter: bytes, body: bytes) -> None:
        """What an idle worker says."""
        if letter == b"X":
            self._cannot_load(worker, text_of(body))
        elif letter == b"L":
            if self._keep:
                worker.freeze()
            if not self._loaded.done():
                self._loaded.set_result(None)

    def died(self, worker: Worker, how: str) -> None:
        self._cannot_load(worker, f"bot {self._bot!r} ended while it was loaded: {how}")

    def _cannot_load(self, worker: Worker, text: str) -> None:
        worker.end()
        if worker in self._idle:
            self._idle.remove(worker)
        if not self._loaded.done():
            self._loaded.set_exception(Mistake(text))

    def _start(self, owner: Owner) -> Worker:
        worker = Worker(owner, launch=lambda fds: socket.send_fds(self._control, [b"start"], fds))
        self._starting.append(worker)
        return worker

    def _read(self) -> None:
        """What the launcher says."""
        said, fds, _, _ = socket.recv_fds(self._control, 256, 1)
        if not said:
            self._loop.remove_reader(self._control)
            self._launcher_gone.set()
            if not self._closed:
                self._alone()
            return
        letter, number, rest = said.decode().split(" ", 2)
        pid = int(number)
        if letter == "S":
            worker = self._running[pid] = self._starting.popleft()
            worker.started(pid, fds[0], self.ground.group(int(rest)) if self.ground else Tree(pid))
        elif letter == "E":
            code, _, excess = rest.partition(" ")
            self._running.pop(pid).exited(int(code), excess=excess)

    def _alone(self) -> None:
        """Without its launcher a host is of no use, and the workers have died with it."""
        if not self._loaded.done():
            self._loaded.set_exception(
                Mistake(f"bot {self._bot!r} cannot be started: the author's log says why")
            )
            return
        structlog.get_logger().error("launcher_died", code=self._launcher.wait())
        os._exit(1)


def _environment() -> dict[str, str]:
    """Ours, without our secrets; sets of the bot are in the same order every time."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("SHOTCLOCK_")}
    return {**ours, "PYTHONHASHSEED": "0"}
