"""Turns into another program that dies with the one that started it; run as a plain script, imports nothing of ours."""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main() -> None:
    parent, command = int(sys.argv[1]), sys.argv[2:]
    # Also on a shared terminal Ctrl-C is for the referee, which ends its bots in order.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:  # it was gone before we asked
            sys.exit(1)
    try:
        os.execvp(command[0], command)  # noqa: S606 - the command is the user's own, without a shell
    except OSError as error:
        sys.exit(f"shotclock: cannot start {command[0]!r}: {error.strerror}")


if __name__ == "__main__":
    main()
