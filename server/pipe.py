"""The host's end of the pipe to a worker process."""

import asyncio
import json
import mmap
import os
import signal
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Protocol

from server import linux
from server.interrupt import INTERRUPT
from server.outbox import PACE
from server.worker import line

#: Far above what our worker ever says in one line: a bot that writes to the socket itself must not fill our memory.
LONGEST_LINE = 256 * 1024
#: How long a worker may take to end by itself once its match is over, to write its files.
END_WITHIN = 0.1
#: Chunks of 64 KiB that are still read once it has ended; a process that got away may write for ever.
MOST_LAST_WORDS = 64
#: Reads within PACE until it counts as a flood.
MOST_READS = 16
#: Seconds on a core that are enough to stop.
FAIR_CHANCE = 0.002


def text_of(body: bytes) -> str:
    """A text that a worker sent, fit to be shown; a bot may have written anything to its socket."""
    try:
        text = str(json.loads(body))
    except (ValueError, RecursionError):
        text = "an answer that is no text"
    return "".join(letter if letter.isprintable() else " " for letter in text)


class Owner(Protocol):
    """Who is told what a worker says; `letter` as in worker.py."""

    def heard(self, worker: "Worker", letter: bytes, body: bytes) -> None: ...

    def died(self, worker: "Worker", how: str) -> None:
        """Called once, after the last line was heard; not for a worker that the host killed or ended."""


class Family(Protocol):
    """A worker's process with everything that it has started."""

    def processes(self) -> list[int]: ...

    def freeze(self) -> None: ...

    def thaw(self) -> None: ...


class Worker:
    """One process, one bot object, one match at most; after `kill` or `end` its owner hears nothing more."""

    def __init__(self, owner: Owner, *, launch: Callable[[list[int]], object]) -> None:
        """`launch` sends the worker's file descriptors to the launcher, whose answers are `started` and `exited`."""
        self.owner: Owner | None = owner
        self.ready = False
        #: The kind of fault, if it was killed for going over a limit.
        self.excess = ""
        #: How many of the moves of its match it knows.
        self.told = 0
        self._turns = 0
        self._heard = b""
        self._unsent = b""
        self._pid = 0
        self._family: Family | None = None
        self._frozen = False
        self._pidfd: int | None = None
        self._ran = 0.0
        self._reads = 0
        self._window = 0.0
        self._killed = False
        self._socket, far = socket.socketpair()
        self._socket.setblocking(False)  # noqa: FBT003 - its only argument
        stop = os.memfd_create("stop")
        os.ftruncate(stop, mmap.PAGESIZE)
        self._stop = memoryview(mmap.mmap(stop, mmap.PAGESIZE)).cast("Q")
        launch([far.fileno(), stop])
        far.close()
        os.close(stop)
        self._loop = asyncio.get_running_loop()
        self._listen()

    def started(self, pid: int, pidfd: int, family: Family) -> None:
        self._pid, self._pidfd, self._family = pid, pidfd, family
        if self._killed:
            self._signal(signal.SIGKILL)

    def exited(self, code: int, *, excess: str) -> None:
        """`excess` is the kind of fault and a text, if it was killed for going over a limit."""
        self.excess, _, by_how_much = excess.partition(" ")
        self._family = None  # its numbers are free for others
        # A child of the bot may hold the socket open, so its end tells nothing.
        for _ in range(MOST_LAST_WORDS):
            if self.owner is None or not self.read():
                break
        self.let_go()
        if self.owner is not None:
            how = f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
            self.owner.died(self, by_how_much or how)

    def let_go(self) -> None:
        """The process has ended, and this is no way to it any more."""
        self._loop.remove_reader(self._socket)
        self._loop.remove_writer(self._socket)
        self._socket.close()
        if self._pidfd is not None:
            os.close(self._pidfd)
            self._pidfd = None

    @property
    def thought(self) -> bool:
        return self._turns > 0

    def freeze(self) -> None:
        """No thinking, with all that it has started, until it is told something."""
        if self._family is not None and not self._frozen:
            self._frozen = True
            self._family.freeze()

    def _thaw(self) -> None:
        if self._family is not None and self._frozen:
            self._frozen = False
            self._family.thaw()

    def begin(self, *, seat: int, seed: int, off_turn: bool) -> None:
        self._thaw()
        self._send(line("B", {"seat": seat, "seed": seed, "off_turn": off_turn}))

    def turn(self, told: Mapping[str, object]) -> None:
        self._turns += 1
        # The message first: it is there when the worker wakes.
        self._send(line("T", told))
        self._thaw()

    def interrupt(self) -> None:
        """Stop the turn under way; the number says which, so that the signal cannot hit another one."""
        self._stop[0] = self._turns
        self._signal(INTERRUPT)
        self._ran = self._time_used()
        self._listen()

    @property
    def starved(self) -> bool:
        """Whether it could not stop when interrupted because it has hardly got a core since.

        Nor has anything that it has started: who keeps its own worker from a core is not starved.
        """
        try:
            return self._time_used() - self._ran < FAIR_CHANCE and linux.wants_core(self._pid)
        except OSError:  # it has ended
            return False

    def _time_used(self) -> float:
        """Seconds on a core."""
        used = 0.0
        for pid in self._family.processes() if self._family is not None else []:
            with suppress(OSError):  # it has ended
                used += linux.time_on_core(pid)
        return used

    def kill(self) -> None:
        """The launcher sees to the rest of its process group."""
        self.owner = None
        self._kill()

    def end(self) -> None:
        """Let it end by itself, so that its files are written, but not for long."""
        self.owner = None
        if self._socket.fileno() >= 0:
            self._thaw()
            self.interrupt()
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
            self._loop.call_later(END_WITHIN, self._kill)

    def _listen(self) -> None:
        if self._socket.fileno() >= 0:
            self._loop.add_reader(self._socket, self._readable)

    def _readable(self) -> None:
        self.read()
        now = self._loop.time()
        if now > self._window:
            self._window = now + PACE
            self._reads = 0
        self._reads += 1
        if self._reads == MOST_READS:
            # A flood: look again when the next proposal may be sent, and not a hundred times before.
            self._loop.remove_reader(self._socket)
            self._loop.call_later(self._window - now, self._listen)

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
            self._kill()
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

    def _kill(self) -> None:
        self._killed = True
        self._signal(signal.SIGKILL)

    def _signal(self, signum: signal.Signals) -> None:
        if self._pidfd is not None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._pidfd, signum)
