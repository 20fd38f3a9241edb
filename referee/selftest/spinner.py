"""A bot that thinks as hard as it can, counting in a shared file; run as a plain script, imports nothing of ours."""

import ctypes
import mmap
import os
import signal
import sys
from pathlib import Path

PR_SET_PDEATHSIG = 1


def main() -> None:
    parent, path = int(sys.argv[1]), sys.argv[2]
    # Also while it is stopped: nobody else would ever wake it.
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        sys.exit(1)
    with Path(path).open("r+b") as file:
        counter = memoryview(mmap.mmap(file.fileno(), 8)).cast("Q")
    while True:
        for _ in range(1000):
            pass
        counter[0] += 1


if __name__ == "__main__":
    main()
