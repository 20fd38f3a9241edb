"""Runs a program and ends whatever it has started; run as a plain script, imports nothing of ours.

It ends with its program, with the referee, and when it is told to; nothing that the program has started outlives it, in
whatever session and under whatever parent that has gone.
"""

import ctypes
import os
import signal
import sys
import time
from pathlib import Path

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
#: How long the program may take to end when it is told to; less than the referee waits for us.
END_WITHIN = 1.5
#: What was killed leaves its own children to us.
SWEEP_AGAIN = 0.005
SIGNALS = {signal.SIGTERM, signal.SIGCHLD}


def main() -> None:
    parent, cores, command = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
    # Also on a shared terminal Ctrl-C is for the referee, which ends its bots in order.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "linux":
        execute(command)
    # Not SIGKILL: there is something left to do then.
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    if os.getppid() != parent:  # it was gone before we asked
        sys.exit(1)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    if cores:
        os.sched_setaffinity(0, [int(core) for core in cores.split(",")])
    tether = os.getpid()
    program = os.fork()
    if not program:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != tether:
            os._exit(1)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        execute(command)
    code = watch(program)
    while sweep():
        time.sleep(SWEEP_AGAIN)
    sys.exit(code)


def execute(command: list[str]) -> None:
    try:
        os.execvp(command[0], command)  # noqa: S606 - the command is the user's own, without a shell
    except OSError as error:
        sys.exit(f"shotclock: cannot start {command[0]!r}: {error.strerror}")


def watch(program: int) -> int:
    """Returns once the program has ended, with its exit code as a shell would tell it."""
    give_up = None
    while True:
        heard = signal.sigtimedwait(SIGNALS, max(0, give_up - time.monotonic()) if give_up else 60)
        if heard is None and give_up:
            os.kill(program, signal.SIGKILL)
        elif heard and heard.si_signo == signal.SIGTERM:
            os.kill(program, signal.SIGTERM)
            give_up = give_up or time.monotonic() + END_WITHIN
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == program:
                code = os.waitstatus_to_exitcode(status)
                return code if code >= 0 else 128 - code
            if not pid:
                break


def sweep() -> int:
    """Kill what has become our child, and theirs next time; how many there were."""
    own = Path(f"/proc/self/task/{os.getpid()}/children")
    pids = [int(pid) for pid in own.read_text().split()]
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, os.WNOHANG)
    return len(pids)


if __name__ == "__main__":
    main()
