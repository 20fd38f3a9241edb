"""A process that thinks in place of a bot, and how far it has come."""

import asyncio
import mmap
import os
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from games import Mistake
from referee.selftest import spinner


@dataclass(frozen=True, slots=True)
class Spinner:
    pid: int
    counter: memoryview

    @property
    def work(self) -> int:
        return self.counter[0]

    @property
    def state(self) -> str:
        """One letter, as in proc(5): R runs or wants to, T is stopped."""
        return Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[0]


@asynccontextmanager
async def spinning(folder: Path) -> AsyncIterator[Spinner]:
    """One process that keeps a core busy; yielded once it does."""
    path = folder / f"spinner-{time.monotonic_ns()}"
    path.write_bytes(bytes(8))
    with path.open("r+b") as file:
        counter = memoryview(mmap.mmap(file.fileno(), 8)).cast("Q")
    command = [sys.executable, "-I", "-S", spinner.__file__, str(os.getpid()), str(path)]
    try:
        process = await asyncio.create_subprocess_exec(*command, start_new_session=True)
    except OSError as error:
        raise Mistake(f"cannot start a process in place of a bot: {error.strerror}") from error
    try:
        while not counter[0]:
            if process.returncode is not None:
                raise Mistake(f"a process in place of a bot ended at once, with code {process.returncode}")
            await asyncio.sleep(0.002)
        yield Spinner(process.pid, counter)
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
