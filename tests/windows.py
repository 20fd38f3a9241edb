"""Terminal windows with a person in front of them, for tests."""

import asyncio
import codecs
import fcntl
import os
import pty
import re
import struct
import sys
import termios
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.playing import PATIENCE, descendants, private

#: Makes its stdin the controlling terminal, so that Ctrl-C there is a signal, and turns into another program.
LOGIN = "import os, sys; os.login_tty(0); os.execv(sys.argv[1], sys.argv[1:])"
CTRL_C, CTRL_D = "\x03", "\x04"
#: Colours, and what a line editor says to the terminal; not what draws in place.
_ESCAPES = re.compile(r"\x1b\[(\d*m|\?\d+[hl])|\r")


class Window:
    """What is on the screen is read once: each `shows` goes on where the last one found what it looked for."""

    def __init__(self, process: asyncio.subprocess.Process, keyboard: int, tty: int) -> None:
        self.process = process
        self.started: set[int] = set()
        self._keyboard = keyboard
        self._tty = tty
        self._screen = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._news = asyncio.Event()
        self._modes = termios.tcgetattr(tty)
        asyncio.get_running_loop().add_reader(keyboard, self._read)

    def types(self, text: str) -> None:
        os.write(self._keyboard, text.encode())

    async def shows(self, *texts: str) -> str:
        """Waits for the first of `texts`; what was shown up to and with it."""
        pattern = re.compile("|".join(map(re.escape, texts)))
        try:
            async with asyncio.timeout(PATIENCE):
                while not (found := pattern.search(self._screen)):
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise AssertionError(f"{texts} not shown, but {self._screen!r}") from None
        shown, self._screen = self._screen[: found.end()], self._screen[found.end() :]
        self.started |= descendants(self.process.pid)
        return shown

    async def ends(self) -> int:
        """Its exit code; by then the terminal must be as it was."""
        async with asyncio.timeout(PATIENCE):
            code = await self.process.wait()
        assert termios.tcgetattr(self._tty) == self._modes
        return code

    def _read(self) -> None:
        # A letter or an escape code may come in two parts.
        self._screen = _ESCAPES.sub("", self._screen + self._decoder.decode(os.read(self._keyboard, 65536)))
        self._news.set()


@asynccontextmanager
async def window(*arguments: str, folder: Path) -> AsyncIterator[Window]:
    """The `shotclock` command in a terminal of its own, run in `folder` and with its temporary files there."""
    keyboard, tty = pty.openpty()
    process = None
    try:
        fcntl.ioctl(tty, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 100, 0, 0))
        inherited = {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "LINES"}}
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", LOGIN, sys.executable, "-P", "-m", "referee", *arguments),
            stdin=tty,
            stdout=tty,
            stderr=tty,
            cwd=folder,
            env=inherited | private(folder),
        )
        yield Window(process, keyboard, tty)
    finally:
        asyncio.get_running_loop().remove_reader(keyboard)
        if process is not None and process.returncode is None:
            process.kill()
            await process.wait()
        os.close(keyboard)
        os.close(tty)
