"""The process in which a bot thinks, started before the clock; it never imports gRPC or protobuf.

A line on its socket to the host is one letter and a JSON value:

    host to worker   B begin     T turn
    worker to host   L loaded    X refused: text
                     Y ready     P proposal    D done    S stopped    R raised: text
"""

import gc
import io
import json
import math
import mmap
import operator
import os
import random
import socket
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from bots import Bot, Proposal, Turn
from games import Mistake, Position, find_game
from server.interrupt import Interrupted, Interrupts
from server.load import Loaded, describe, load

#: Leaves room for what a message of 64 KiB carries besides.
LONGEST_PROPOSAL = 60_000
LONGEST_TEXT = 2000

_END = object()
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def line(letter: str, value: object = None) -> bytes:
    return f"{letter}{'' if value is None else _encode(value)}\n".encode()


def work(socket_fd: int, stop_fd: int, *, game: str, bot: str) -> None:
    """Load the bot, then play the one match that the host may ask for."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # or a killed bot's last words are lost
    interrupts = Interrupts(memoryview(mmap.mmap(stop_fd, mmap.PAGESIZE)).cast("Q"))
    interrupts.install()
    host = socket.socket(fileno=socket_fd)
    for fd in (socket_fd, stop_fd):
        os.set_inheritable(fd, False)  # noqa: FBT003 - the bot's own programs have no business with the host

    def say(words: bytes) -> None:
        try:
            host.sendall(words)
        except OSError:  # the host has gone
            os._exit(0)

    try:
        rules = find_game(game)
        loaded = load(bot, game)
    except Mistake as mistake:
        say(line("X", str(mistake)))
        return
    say(line("L"))
    with host.makefile("rb") as requests:
        play(requests, say, parse=rules.parse, loaded=loaded, interrupts=interrupts)


def play(
    requests: Iterable[bytes],
    say: Callable[[bytes], None],
    *,
    parse: Callable[[str], Position],
    loaded: Loaded,
    interrupts: Interrupts,
) -> None:
    """One match: begin, then turns until the host hangs up."""
    requests = iter(requests)
    begin = next(requests, b"")
    if not begin:
        return
    asked = json.loads(begin[1:])
    random.seed(asked["seed"])
    try:
        bot = loaded.make()
    except BaseException as error:  # noqa: BLE001 - a bot may raise anything, SystemExit too
        say(line("R", _complain(error, loaded)))
        return
    # What is there before the first turn stays: to look through it for garbage takes milliseconds, and no interrupt is
    # heard meanwhile.
    gc.collect()
    gc.freeze()
    say(line("Y"))
    for interrupts.turn, request in enumerate(requests, 1):
        told = json.loads(request[1:])
        try:
            turn = Turn(
                number=told["number"],
                seat=asked["seat"],
                rng=random.Random(f"{asked['seed']}/{told['number']}"),
                moves=tuple(told["moves"]),
                deadline=told["deadline"],
                budget=told["budget"],
                off_turn=asked["off_turn"],
                nodes=told["nodes"],
            )
            for words in think(bot, parse(told["position"]), turn, interrupts=interrupts):
                say(words)
        except Interrupted:
            say(line("S"))
        except BaseException as error:  # noqa: BLE001 - a bot may raise anything, SystemExit too
            complaint = _complain(error, loaded)
            # An error on the way out of an interrupted turn is for the author's log alone.
            say(line("S") if interrupts.due else line("R", complaint))


def think(bot: Bot[Any], position: Position, turn: Turn, *, interrupts: Interrupts) -> Iterator[bytes]:
    """What the host is to be told, as the bot comes up with it."""
    thoughts = interrupts.guard(lambda: bot.think(position, turn))
    if isinstance(thoughts, str | Proposal):
        # In one write, so that the host reads both at once and makes one message of them.
        yield proposal(thoughts) + line("D")
        return
    if thoughts is not None:
        if not isinstance(thoughts, Iterator):
            raise _wrong(thoughts)
        try:
            while (thought := interrupts.guard(lambda: next(thoughts, _END))) is not _END:
                yield proposal(thought)
        finally:
            if close := getattr(thoughts, "close", None):
                close()
    yield line("D")


def proposal(thought: object) -> bytes:
    """The line for what a bot gave; raises if it is not what think() may give."""
    if isinstance(thought, str):
        words = line("P", {"move": thought})
    elif isinstance(thought, Proposal) and isinstance(thought.move, str):
        words = line("P", _fields(thought))
    else:
        raise _wrong(thought)
    if len(words) > LONGEST_PROPOSAL:
        raise ValueError(f"a proposal takes at most {LONGEST_PROPOSAL} bytes, got {len(words)}")
    return words


def _fields(thought: Proposal) -> dict[str, object]:
    fields: dict[str, object] = {"move": thought.move}
    if thought.score is not None:
        if not math.isfinite(thought.score):
            raise ValueError(f"a proposal's score must be finite, got {thought.score}")
        fields["score"] = float(thought.score)
    for name, number, bits in (("depth", thought.depth, 32), ("nodes", thought.nodes, 64)):
        if number is not None:
            # NumPy's whole numbers are welcome, and JSON does not know them.
            fields[name] = operator.index(number)
            if not 0 <= number < 2**bits:
                raise ValueError(f"a proposal's {name} must be at least 0 and below 2**{bits}, got {number}")
    if thought.line:
        fields["line"] = [str(move) for move in thought.line]
    if thought.note:
        fields["note"] = str(thought.note)[:200]
    return fields


def _wrong(thought: object) -> TypeError:
    return TypeError(f"think() must give move texts or Proposal, got {type(thought).__name__}")


def _complain(error: BaseException, loaded: Loaded) -> str:
    traceback.print_exception(error)
    # An author's text may hold halves of characters, which cannot be sent.
    return describe(error, loaded.folder)[:LONGEST_TEXT].encode(errors="backslashreplace").decode()
