"""Where a bot's own stdout and stderr go: a bounded file, never the protocol."""

import os
import sys
import threading
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

import structlog

from games import Mistake

#: What is kept of everything that the workers of one host print.
LIMIT = 1024 * 1024
#: How long the last words may take at the end.
LAST_WORDS_WITHIN = 0.2


class AuthorLog:
    """The pipe behind `output` is always drained: a bot that prints megabytes neither waits nor fills a disk."""

    def __init__(self, path: Path | None) -> None:
        """Without a path: stderr."""
        try:
            self._file: BinaryIO = sys.stderr.buffer if path is None else path.open("ab", buffering=0)
        except OSError as error:
            raise Mistake(f"the author's log cannot be written to {path}: {error.strerror}") from error
        self._printed = 0
        self._source, self.output = os.pipe()
        # A second opening of the same pipe, so that it alone does not wait for room.
        self._notes = os.open(f"/proc/self/fd/{self.output}", os.O_WRONLY | os.O_NONBLOCK)
        # A thread, so that a slow disk or a terminal that stands still cannot hold up the event loop.
        self._thread = threading.Thread(target=self._drain, name="author-log", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self.output)
        os.close(self._notes)
        # A process that got away from its worker may still hold the other end.
        self._thread.join(LAST_WORDS_WITHIN)
        if self._printed > LIMIT:
            structlog.get_logger().warning("output_dropped", printed=self._printed, kept=LIMIT)

    def note(self, text: str) -> None:
        """The host's own word to the author; a bot that has filled the pipe does without."""
        with suppress(BlockingIOError):
            if self._file is not sys.stderr.buffer:  # where the host's log says the same
                os.write(self._notes, f"[{text}]\n".encode(errors="backslashreplace"))

    def _drain(self) -> None:
        while chunk := os.read(self._source, 64 * 1024):
            room = LIMIT - self._printed
            self._printed += len(chunk)
            if room >= 0:
                self._write(chunk[:room])
                if room < len(chunk):
                    self._write(f"\n[the rest is dropped: this log takes {LIMIT} bytes]\n".encode())

    def _write(self, chunk: bytes) -> None:
        try:
            self._file.write(chunk)
            self._file.flush()
        except (OSError, ValueError):
            # A full disk or a closed stderr is no reason to stop draining.
            return
