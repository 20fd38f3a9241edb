"""An append-only file of entries, each chained to the one before it.

An entry is one line: eight hex digits of its body's length, a space, eight of its CRC-32, a space, the body, a
newline. The body is JSON; its `seq` counts from 0 and its `prev` is the SHA-256 of the whole line before it. An entry
with `more` counts only together with the next one: they were committed as one.
"""

import fcntl
import json
import os
import zlib
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any, Self

from games import Mistake

#: `prev` of the first entry.
NOTHING = "0" * 64
_HEAD = 18
#: No entry of ours comes near.
LONGEST = 64 * 1024 * 1024

_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class Contents:
    """The entries that count, where in the file they end, and the hash of the last."""

    entries: tuple[dict[str, Any], ...]
    end: int
    last: str


EMPTY = Contents((), 0, NOTHING)


class Journal:
    """What `commit` has returned for is on the disk; entries appended since are in memory only.

    `append` is for the event loop and never waits. `commit` waits for the disk: it is for a thread, and whichever
    thread comes first writes everything that is there, in order.
    """

    def __init__(self, path: Path, fd: int, *, seq: int = 0, last: str = NOTHING) -> None:
        self.path = path
        self._fd = fd
        self._seq = seq
        self._last = last
        self._pending: deque[bytes] = deque()
        self._lock = Lock()

    @classmethod
    def create(cls, path: Path) -> Self:
        with _refusals(path, "write"):
            fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
            _hold(fd, path)
            folder = os.open(path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        return cls(path, fd)

    @classmethod
    def reopen(cls, path: Path) -> tuple[Self, Contents]:
        """To go on with a file; what a crash has left unfinished at its end is cut off."""
        with _refusals(path, "write"):
            fd = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
            _hold(fd, path)
            contents = read(path)
            os.ftruncate(fd, contents.end)
            os.fsync(fd)
        return cls(path, fd, seq=len(contents.entries), last=contents.last), contents

    @property
    def last(self) -> str:
        """The hash of the newest entry."""
        return self._last

    def append(self, entry: Mapping[str, object], *, more: bool = False) -> None:
        chained = {"seq": self._seq, "prev": self._last, **entry}
        body = _encode(chained | {"more": True} if more else chained).encode()
        line = b"%08x %08x %b\n" % (len(body), zlib.crc32(body), body)
        self._seq += 1
        self._last = sha256(line).hexdigest()
        self._pending.append(line)

    def commit(self) -> None:
        """A sync that fails is never tried again: the kernel may have dropped what it could not write."""
        with self._lock, _refusals(self.path, "write"):
            lines = b"".join(self._pending.popleft() for _ in range(len(self._pending)))
            while lines:
                lines = lines[os.write(self._fd, lines) :]
            os.fdatasync(self._fd)

    def close(self) -> None:
        os.close(self._fd)


def read(path: Path) -> Contents:
    """A file that is damaged before its end is a Mistake; one that a crash has cut off is not."""
    with _refusals(path, "read"):
        data = path.read_bytes()
    entries: list[dict[str, Any]] = []
    counted = EMPTY
    end, last = 0, NOTHING
    for line in _lines(data):
        entry = _entry(line)
        if entry is None or entry.get("seq") != len(entries) or entry.get("prev") != last:
            break
        entries.append(entry)
        end += len(line)
        last = sha256(line).hexdigest()
        if not entry.get("more"):
            counted = Contents(tuple(entries), end, last)
    if any(_entry(line) is not None for line in _lines(data[end:])):
        raise Mistake(f"{path} is damaged at entry {len(entries)}: `shotclock verify` says more")
    return counted


def _lines(data: bytes) -> Iterator[bytes]:
    start = 0
    while start < len(data):
        end = data.find(b"\n", start) + 1
        if not end:
            return
        yield data[start:end]
        start = end


def _entry(line: bytes) -> dict[str, Any] | None:
    body = line[_HEAD:-1]
    if line != b"%08x %08x %b\n" % (len(body), zlib.crc32(body), body) or len(body) > LONGEST:
        return None
    try:
        entry = json.loads(body)
    except ValueError:
        return None
    return entry if isinstance(entry, dict) else None


def _hold(fd: int, path: Path) -> None:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Mistake(f"{path} is being written by another referee: wait for it to end") from None


class _refusals:  # noqa: N801 - reads as a with statement
    """What the system refuses becomes one sentence."""

    def __init__(self, path: Path, what: str) -> None:
        self.path, self.what = path, what

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, FileExistsError):
            raise Mistake(f"record {self.path} is there already: no match is written twice") from error
        if isinstance(error, OSError):
            raise Mistake(f"cannot {self.what} the record {self.path}: {error.strerror or error}") from error
