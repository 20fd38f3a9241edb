"""The process that starts workers; one per host, started by it.

It never imports gRPC, so it may fork, and a fork of a process that has imported the game is there in milliseconds. Its
socket keeps the bounds of messages:

    host to launcher   "start" with the worker's end of its socket and its stop page
    launcher to host   "S pid" with a pidfd, in the order of the requests
                       "E pid code" when it has ended, "E pid code bytes" when it was killed for using that much memory
"""

import os
import select
import signal
import socket
import sys
import time
from contextlib import suppress

from games import find_game
from server.limits import MemoryLimit
from server.linux import adopt_orphans, die_with_parent, give_way_in_need, kill_children
from server.worker import work

#: A process that was killed leaves its own children to us.
SWEEP_AGAIN = 0.005


def main() -> None:
    control_fd, parent, game, memory, bot = sys.argv[1:]
    die_with_parent(int(parent))
    adopt_orphans()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the host, and the host ends us
    find_game(game)
    limit = MemoryLimit(int(memory) if memory else None)
    conversation, stop = launch(socket.socket(fileno=int(control_fd)), limit)
    work(conversation, stop, game=game, bot=bot)


def launch(control: socket.socket, memory: MemoryLimit) -> list[int]:
    """Start a worker for every request; returns in the worker, with its file descriptors."""
    launcher = os.getpid()
    # In the session of the host it shares its terminal, for a debugger, which can read it only in the same session.
    shares = os.getsid(0) != launcher
    workers: dict[int, int] = {}
    greedy: dict[int, int] = {}
    strays = 0
    while True:
        patience = SWEEP_AGAIN if strays else memory.look_after
        readable, _, _ = select.select([control.fileno(), *workers], [], [], patience)
        for fd in readable:
            if fd != control.fileno():
                pid = workers.pop(fd)
                _bury(control, pid, watch=fd, used=greedy.pop(pid, 0))
                continue
            request, fds, _, _ = socket.recv_fds(control, 16, 2)
            if not request:
                _end()
            pid = os.fork()
            if not pid:
                if shares:
                    # A debugger would catch Ctrl-C, which is for the host here as well.
                    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
                else:
                    os.setsid()
                die_with_parent(launcher)
                give_way_in_need()
                for held in (control.detach(), *workers):
                    os.close(held)
                return fds
            watch = os.pidfd_open(pid)
            workers[watch] = pid
            for held in fds:
                os.close(held)
            socket.send_fds(control, [b"S %d" % pid], [watch])
        # What left its worker's process group and lost its parent has become our child: it has no business any more.
        strays = kill_children(spare=set(workers.values()))
        for pid, used in memory.over(workers.values()).items():
            greedy.setdefault(pid, used)
            with suppress(ProcessLookupError):  # it has not got a group of its own yet
                os.killpg(pid, signal.SIGKILL)


def _bury(control: socket.socket, pid: int, *, watch: int, used: int) -> None:
    # Before reaping, while the number cannot belong to anybody else: what it left behind in its process group.
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    os.close(watch)
    code = os.waitstatus_to_exitcode(status)
    control.send(b"E %d %d %d" % (pid, code, used) if used else b"E %d %d" % (pid, code))


def _end() -> None:
    while kill_children(spare=set()):
        time.sleep(SWEEP_AGAIN)
    sys.exit()


if __name__ == "__main__":
    main()
