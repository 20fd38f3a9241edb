"""The file of a record, read from scratch: lines, checksums, numbers and chain."""

import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, BinaryIO

from referee.audit.flaw import Data, Flaw, insist

#: What the first entry names as the hash of the one before it.
NOTHING = "0" * 64
#: Bytes of a line: no entry comes near.
LONGEST = 64 * 1024 * 1024

_HEAD = re.compile(rb"([0-9a-f]{8}) ([0-9a-f]{8}) ")
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class Entry:
    """`previous` is the hash of the line before it; `end` is where in the file its own line ends."""

    number: int
    data: Data
    previous: str
    end: int


def entries(file: BinaryIO) -> Iterator[Entry]:
    """Up to the end of the file, or to the line that was cut off there."""
    number, previous, end = 0, NOTHING, 0
    while (line := file.readline(LONGEST)).endswith(b"\n"):
        data = body_of(line)
        insist(data.get("seq") == number, f"its number is {data.get('seq')!r:.40}, but must be {number}")
        insist(
            data.get("prev") == previous, "it does not name the hash of the entry before: one of both changed"
        )
        end += len(line)
        yield Entry(number, data, previous, end)
        number, previous = number + 1, sha256(line).hexdigest()
    insist(len(line) < LONGEST, f"its line is longer than {LONGEST} bytes")


def body_of(line: bytes) -> Data:
    """There is exactly one way to write a body, so that no byte of a file can change unseen."""
    head = _HEAD.match(line)
    if head is None:
        raise Flaw("its line does not begin with a length and a checksum")
    body = line[head.end() : -1]
    insist(int(head[1], 16) == len(body), f"its body has {len(body)} bytes, not {int(head[1], 16)}")
    insist(int(head[2], 16) == zlib.crc32(body), "its body does not have the checksum that it should")
    try:
        data: Any = json.loads(body)
        canonical = _encode(data).encode() == body
    except (ValueError, RecursionError):
        raise Flaw("its body is no JSON text") from None
    if not isinstance(data, dict) or not canonical:
        raise Flaw("its body is not a JSON object in the form in which we write it")
    return data
