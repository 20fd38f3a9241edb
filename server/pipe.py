"""The host's end of the pipe to a worker process."""

import asyncio
import json
import mmap
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Protocol

from server.interrupt import SIGNAL
from server.worker import line

#: Far above what our worker ever says in one line: a bot that writes to the socket itself must not fill our memory.
LONGEST_LINE = 256 * 1024
#: How long a worker may take to end by itself once its match is over, to write its files.
END_WITHIN = 0.1
#: Chunks of 64 KiB that are still read once it has ended; a process that got away may write for ever.
MOST_LAST_WORDS = 64


def text_of(body: bytes) -> str:
    """A text that a worker sent, fit to be shown; a bot may have written anything to its socket."""
    try:
        text = str(json.loads(body))
    except (ValueError, RecursionError):
        text = "an answer that is no text"
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _environment() -> dict[str, str]:
    """Ours, without our secrets; sets and dicts of the bot are in the same order every time."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("SHOTCLOCK_")}
    return {**ours, "PYTHONHASHSEED": "0"}


class Owner(Protocol):
    """Who is told what a worker says; `letter` as in worker.py."""

    def heard(self, worker: "Worker", letter: bytes, body: bytes) -> None: ...

    def died(self, worker: "Worker", how: str) -> None:
        """Called once, after the last line was heard; not for a worker that the host killed or ended."""


class Worker:
    """One process, one bot object, one match at most; from `kill` or `end` on its owner hears nothing more."""

    def __init__(self, game: str, bot: str, *, output: int, owner: Owner) -> None:
        self.owner: Owner | None = owner
        self.ready = False
        #: How many of the moves of its match it knows.
        self.told = 0
        self._loop = asyncio.get_running_loop()
        self._turns = 0
        self._heard = b""
        self._unsent = b""
        self._socket, far = socket.socketpair()
        self._socket.setblocking(False)  # noqa: FBT003 - its only argument
        stop = os.memfd_create("stop")
        os.ftruncate(stop, mmap.PAGESIZE)
        self._stop = memoryview(mmap.mmap(stop, mmap.PAGESIZE)).cast("Q")
        self._process = subprocess.Popen(  # noqa: S603 - our own module; without preexec_fn nothing forks gRPC
            # -P: a `server` folder where the user happens to be must not be taken for ours.
            [
                sys.executable,
                "-P",
                "-m",
                "server.worker",
                str(far.fileno()),
                str(stop),
                str(os.getpid()),
                game,
                bot,
            ],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            pass_fds=(far.fileno(), stop),
            start_new_session=True,
            env=_environment(),
        )
        far.close()
        os.close(stop)
        self.pid = self._process.pid
        #: Done when it has ended and is reaped.
        self.gone: asyncio.Future[None] = self._loop.create_future()
        self._loop.add_reader(self._socket, self.read)
        # A child of the bot may hold the socket open, so its end tells nothing about the worker.
        self._watch = os.pidfd_open(self.pid)
        self._loop.add_reader(self._watch, self._exited)

    @property
    def thought(self) -> bool:
        return self._turns > 0

    def begin(self, *, seat: int, seed: int) -> None:
        self._send(line("B", {"seat": seat, "seed": seed}))

    def turn(self, told: Mapping[str, object]) -> None:
        self._turns += 1
        self._send(line("T", told))

    def interrupt(self) -> None:
        """Stop the turn under way; the number says which, so that the signal cannot hit another one."""
        self._stop[0] = self._turns
        if not self.gone.done():
            os.kill(self.pid, SIGNAL)

    def kill(self) -> None:
        self.owner = None
        self._kill_group()

    def end(self) -> None:
        """Let it end by itself, so that its files are written, but not for long."""
        self.owner = None
        self.interrupt()
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._loop.call_later(END_WITHIN, self._kill_group)

    def read(self) -> bool:
        """Hear what the worker has said by now; False if that was nothing."""
        try:
            data = self._socket.recv(64 * 1024)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        if not data:
            self._loop.remove_reader(self._socket)
            return False
        *lines, self._heard = (self._heard + data).split(b"\n")
        for words in lines:
            # Whoever hears a line may let go of this worker.
            if self.owner is not None:
                self.owner.heard(self, words[:1], words[1:])
        if len(self._heard) > LONGEST_LINE:
            self._kill_group()
        return True

    def _send(self, words: bytes) -> None:
        self._unsent += words
        try:
            sent = self._socket.send(self._unsent)
        except BlockingIOError:
            sent = 0
        except OSError:  # it has ended; its owner will hear
            self._unsent = b""
            return
        self._unsent = self._unsent[sent:]
        if self._unsent:
            self._loop.add_writer(self._socket, self._send, b"")
        else:
            self._loop.remove_writer(self._socket)

    def _kill_group(self) -> None:
        # Not reaped before `gone`, so the number cannot belong to anybody else.
        if not self.gone.done():
            with suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)

    def _exited(self) -> None:
        # What the bot left behind in its process group goes with it.
        self._kill_group()
        code = self._process.wait()
        for _ in range(MOST_LAST_WORDS):
            if self.owner is None or not self.read():
                break
        self._loop.remove_reader(self._socket)
        self._loop.remove_writer(self._socket)
        self._socket.close()
        self._loop.remove_reader(self._watch)
        os.close(self._watch)
        self.gone.set_result(None)
        if self.owner is not None:
            self.owner.died(
                self, f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
            )
