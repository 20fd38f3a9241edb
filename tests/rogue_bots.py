"""Bots that mean harm, for our own host to run; light to import, since every worker does."""

import mmap
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

from bots import Turn
from games import Proposal
from games.sudoku import Sudoku


def moves(position: Sudoku) -> list[str]:
    """The legal moves after which there is still a solution."""
    return [move for move in position.legal_moves() if "taboo" not in position.play(move).effect]


def host_socket() -> int:
    """The socket on which this worker talks with its host."""
    return next(fd for fd in range(3, 64) if _is_socket(fd))


def _is_socket(fd: int) -> bool:
    try:
        return stat.S_ISSOCK(os.fstat(fd).st_mode)
    except OSError:
        return False


class Flooder:
    def think(self, position: Sudoku, turn: Turn) -> Iterator[str]:
        last = moves(position)[-1]
        for _ in range(100_000 if turn.number == 1 else 1):
            yield "flood"
        yield last


class Escaper:
    def think(self, _position: Sudoku, _turn: Turn) -> str:
        return "\x1b[2J\x1b]0;mine\x07\u202e r1c1=\x00"


class Chatterbox:
    def think(self, _position: Sudoku, _turn: Turn) -> str:
        return "blah" * 10_000


class Surrogate:
    def think(self, _position: Sudoku, _turn: Turn) -> str:
        return "r1c1=\ud800"


class SurrogateError:
    def think(self, _position: Sudoku, _turn: Turn) -> str:
        raise ValueError("\x1b[31m\ud800")


class Unspeakable(Exception):  # noqa: N818 - named for what it is
    def __str__(self) -> str:
        raise RuntimeError("no")


class UnspeakableError:
    def think(self, _position: Sudoku, _turn: Turn) -> str:
        raise Unspeakable


class NotANumber:
    def think(self, position: Sudoku, _turn: Turn) -> Proposal:
        return Proposal(moves(position)[-1], score=float("nan"))


class LongLine:
    def think(self, position: Sudoku, _turn: Turn) -> Proposal:
        return Proposal(moves(position)[-1], line=("r1c1=1",) * 10_000)


class SlowStarter:
    def __init__(self) -> None:
        time.sleep(60)

    def think(self, _position: Sudoku, _turn: Turn) -> str:
        return "never"


class Printer:
    def think(self, position: Sudoku, _turn: Turn) -> str:
        print("x" * 5_000_000)  # noqa: T201 - what it is for
        return moves(position)[-1]


class OffTurnTalker:
    """Goes on proposing while the rival thinks."""

    def think(self, position: Sudoku, turn: Turn) -> str:
        def talk() -> None:
            while True:
                os.write(host, b'P{"move":"r1c1=1"}\n')
                time.sleep(0.001)

        if turn.number == 1:
            host = host_socket()
            threading.Thread(target=talk, daemon=True).start()
        return moves(position)[-1]


class Ignorer:
    def think(self, position: Sudoku, _turn: Turn) -> Iterator[str]:
        yield moves(position)[-1]
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
        while True:
            time.sleep(60)


class Standstill:
    def think(self, position: Sudoku, _turn: Turn) -> Iterator[str]:
        yield moves(position)[-1]
        os.kill(os.getpid(), signal.SIGSTOP)


class Hanger:
    """Lets go of everything that ties it to its host."""

    def think(self, position: Sudoku, _turn: Turn) -> Iterator[str]:
        yield moves(position)[-1]
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
        os.closerange(3, 256)
        time.sleep(60)


class Daemon:
    """Leaves three children behind: in its own group, in a session of its own, and without a parent."""

    def think(self, position: Sudoku, _turn: Turn) -> str:
        for own_session in (False, True):
            subprocess.Popen(["sleep", "1000"], start_new_session=own_session)
        daemonise()
        return moves(position)[-1]


class Patricide:
    """Kills the process that would clean up after it."""

    def think(self, _position: Sudoku, _turn: Turn) -> str:
        daemonise()
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(60)
        return "never"


def daemonise() -> None:
    """As it is done by the book: fork, a new session, fork again, and all files closed."""
    reader, writer = os.pipe()
    if not os.fork():
        os.setsid()
        if not os.fork():
            os.write(writer, b".")
            os.closerange(0, 256)
            time.sleep(1000)
        os._exit(0)
    os.wait()
    os.read(reader, 1)  # it runs


class Hog:
    """Takes memory in small steps and never stops."""

    def think(self, _position: Sudoku, _turn: Turn) -> Iterator[str]:
        yield from grow()


class MovingHog:
    def think(self, position: Sudoku, _turn: Turn) -> Iterator[str]:
        yield moves(position)[-1]
        yield from grow()


class HoggingStart:
    def __init__(self) -> None:
        list(grow())

    def think(self, _position: Sudoku, _turn: Turn) -> str:
        return "never"


class Gulper:
    """Takes ten gigabytes with one call."""

    def think(self, _position: Sudoku, _turn: Turn) -> str:
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | mmap.MAP_POPULATE
        return str(len(mmap.mmap(-1, 10 * 10**9, flags=flags)))


class Family:
    """Each of its children stays below the limit; every other one has left its group."""

    def think(self, _position: Sudoku, _turn: Turn) -> str:
        for number in range(6):
            if not os.fork():
                if number % 2:
                    os.setsid()
                held = b"x" * 30_000_000
                time.sleep(1000)
                os._exit(len(held) > 0)
        time.sleep(1000)
        return "never"


class ForkBomb:
    """Each process that it starts starts another, in a session of its own; all end by themselves at last."""

    def think(self, position: Sudoku, _turn: Turn) -> Iterator[str]:
        yield moves(position)[-1]
        for _ in range(100):
            try:
                if not os.fork():
                    os.setsid()
                    os.fork()
                    time.sleep(20)
                    os._exit(0)
            except OSError:  # the kernel gives it no more
                time.sleep(0.001)
        time.sleep(1000)


class SilentForkBomb(ForkBomb):
    def think(self, position: Sudoku, turn: Turn) -> Iterator[str]:
        return (move for move in super().think(position, turn) if not move)


class Sharer:
    """Its children see the same memory, which is there only once."""

    def think(self, position: Sudoku, turn: Turn) -> str:
        if turn.number > 2:
            return moves(position)[-1]
        self.held = b"x" * 40_000_000
        children = [subprocess_of_ours() for _ in range(4)]
        for read in children:
            os.read(read, 1)
        time.sleep(0.2)  # several looks
        return moves(position)[-1]


def subprocess_of_ours() -> int:
    """A fork that says when it is there, on the file descriptor that is returned."""
    reader, writer = os.pipe()
    if not os.fork():
        os.write(writer, b".")
        time.sleep(1000)
        os._exit(0)
    return reader


def grow() -> Iterator[str]:
    held = []
    while True:
        held.append(b"x" * 1_000_000)
    yield ""


class Liar:
    """Says so much to its host that is not so."""

    def think(self, position: Sudoku, _turn: Turn) -> str:
        words = [
            b'P{"move":"\\ud800"}',
            b'P{"move":"r1c1=1","score":NaN,"turn":7,"done":true}',
            b'P{"move":["r1c1=1"]}',
            b"P" + b"[" * 100_000,
            b"Y",
            b'X"not loaded"',
            b"\xff\xfe",
            b"P{}",
        ]
        with socket.socket(fileno=os.dup(host_socket())) as host:
            host.sendall(b"\n".join([*words, b""]))
        sys.stdout.write("said\n")
        return moves(position)[-1]
