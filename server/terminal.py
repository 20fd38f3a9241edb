"""The terminal of a person, or of a debugger; a pipe or a file will do."""

import asyncio
import os
import sys
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

#: A longer line is cut into several: somebody pipes a file without newlines.
LONGEST_LINE = 4096
STDIN = 0


class Terminal:
    """Nothing is read unless a question is open, and nothing after the end of its answer.

    So several programs can share one terminal, or one pipe, as long as they take turns. The modes of the terminal are
    never changed: the kernel lets a person correct a line until it is entered.
    """

    def __init__(self) -> None:
        self.has_screen = sys.stdout.isatty()
        self.has_keyboard = os.isatty(STDIN)
        self._loop = asyncio.get_running_loop()
        self._typed = b""
        self._answer: Callable[[str | None], None] | None = None

    def say(self, text: str) -> None:
        with suppress(OSError):  # nobody reads any more, and the next answer will be the end of the input
            sys.stdout.write(text)
            sys.stdout.flush()

    def ask(self, prompt: str, answer: Callable[[str | None], None]) -> None:
        """`answer` is called with the next line, or with None at the end of the input."""
        self.say(prompt)
        self._answer = answer
        try:
            self._loop.add_reader(STDIN, self._read)
        except OSError:  # a file, which can be read at any time and therefore not be waited for
            self._loop.call_soon(self._read_file)

    def drop(self) -> None:
        """Withdraw the question, and forget what was typed before and since."""
        self._withdraw()
        self._typed = b""
        with suppress(termios.error):  # no terminal, so nobody has typed too late
            termios.tcflush(STDIN, termios.TCIFLUSH)

    def _withdraw(self) -> None:
        self._answer = None
        with suppress(OSError):
            self._loop.remove_reader(STDIN)

    def _read_file(self) -> None:
        while not self._read():
            pass

    def _read(self) -> bool:
        """One byte, because the line after this one may be for somebody else; True if no more is wanted."""
        answer = self._answer
        if answer is None:
            return True
        try:
            byte = os.read(STDIN, 1)
        except BlockingIOError:
            return False
        except OSError:  # the terminal has gone
            byte = b""
        if byte not in {b"", b"\n"}:
            self._typed += byte
            if len(self._typed) < LONGEST_LINE:
                return False
        line, self._typed = self._typed.decode(errors="replace"), b""
        self._withdraw()
        if not (self.has_keyboard and byte):
            self.say(f"{line}\n")  # as if it had been typed here
        answer(line if line or byte else None)
        return True


@contextmanager
def modes_kept() -> Iterator[None]:
    """Leaves the terminal as it was: a debugger that is killed at its prompt does not."""
    try:
        modes = termios.tcgetattr(STDIN)
    except termios.error:
        yield
        return
    try:
        yield
    finally:
        termios.tcsetattr(STDIN, termios.TCSANOW, modes)
