"""The process that starts workers; one per host, started by it.

It never imports gRPC, so it may fork, and a fork of a process that has imported the game is there in milliseconds. Its
socket keeps the bounds of messages:

    host to launcher   "start" with the worker's end of its socket and its stop page
    launcher to host   "S pid group" with a pidfd, in the order of the requests; the number is that of its control group
                       "E pid code" when it has ended, "E pid code kind text" when it was killed for going over a limit
"""

import json
import os
import select
import signal
import socket
import sys
import time

from games import find_game
from server.cgroup import ControlGroup, Ground
from server.limits import Limits, Watch
from server.linux import adopt_orphans, die_with_parent, give_way_in_need, kill_children
from server.tree import Tree
from server.worker import work

#: A process that was killed leaves its own children to us.
SWEEP_AGAIN = 0.005


def main() -> None:
    control_fd, parent, settings, bot = sys.argv[1:]
    told = json.loads(settings)
    die_with_parent(int(parent))
    adopt_orphans()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the host, and the host ends us
    find_game(told["game"])
    conversation, stop = launch(
        socket.socket(fileno=int(control_fd)),
        limits=Limits(**told["limits"]),
        ground=told["ground"] and Ground(**told["ground"]),
        cores=told["cores"],
    )
    work(conversation, stop, game=told["game"], bot=bot)


def launch(
    control: socket.socket, *, limits: Limits, ground: Ground | None, cores: list[int] | None
) -> list[int]:
    """Start a worker for every request; returns in the worker, with its file descriptors."""
    launcher = os.getpid()
    watch = Watch(limits)
    workers: dict[int, int] = {}
    groups: dict[int, ControlGroup | Tree] = {}
    greedy: dict[int, str] = {}
    leaving: list[ControlGroup | Tree] = []
    strays = number = 0
    while True:
        patience = SWEEP_AGAIN if strays or leaving else watch.look_after
        readable, _, _ = select.select([control.fileno(), *workers], [], [], patience)
        for fd in readable:
            if fd != control.fileno():
                pid = workers.pop(fd)
                group = groups.pop(pid)
                # The kernel may have ended it for its memory between two looks.
                _bury(control, pid, watch=fd, group=group, excess=greedy.pop(pid, "") or watch.choked(group))
                leaving.append(group)
                continue
            request, fds, _, _ = socket.recv_fds(control, 16, 2)
            if not request:
                _end([*leaving, *groups.values()])
            number += 1
            own_group = ground.group(number) if ground else None
            if own_group is not None:
                own_group.make(limits)
            pid = os.fork()
            if not pid:
                _settle_in(launcher, group=own_group, cores=cores)
                for held in (control.detach(), *workers):
                    os.close(held)
                return fds
            pidfd = os.pidfd_open(pid)
            workers[pidfd] = pid
            groups[pid] = own_group or Tree(pid)
            for held in fds:
                os.close(held)
            socket.send_fds(control, [b"S %d %d" % (pid, number)], [pidfd])
        # What left its worker's process group and lost its parent has become our child: it has no business any more.
        strays = kill_children(spare=set(workers.values()))
        leaving = [group for group in leaving if not group.remove()]
        for pid, words in watch.over(groups).items():
            greedy.setdefault(pid, words)
            groups[pid].kill()


def _settle_in(launcher: int, *, group: ControlGroup | None, cores: list[int] | None) -> None:
    """Who a worker belongs to, before anything of the bot runs in it."""
    if group is not None:
        group.join()
    # In the session of the host it shares its terminal, for a debugger, which can read it only in the same session.
    if os.getsid(0) != launcher:
        # A debugger would catch Ctrl-C, which is for the host here as well.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    else:
        os.setsid()
    die_with_parent(launcher)
    give_way_in_need()
    if cores:
        os.sched_setaffinity(0, cores)


def _bury(control: socket.socket, pid: int, *, watch: int, group: ControlGroup | Tree, excess: str) -> None:
    # Before reaping, while the number cannot belong to anybody else: what it left behind.
    group.kill()
    _, status = os.waitpid(pid, 0)
    os.close(watch)
    control.send(f"E {pid} {os.waitstatus_to_exitcode(status)} {excess}".encode())


def _end(groups: list[ControlGroup | Tree]) -> None:
    while kill_children(spare=set()):
        time.sleep(SWEEP_AGAIN)
    for group in groups:
        group.remove()
    sys.exit()


if __name__ == "__main__":
    main()
