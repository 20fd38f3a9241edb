"""Records of every kind of match, made without bots, and forged ones."""

import io
import json
import zlib
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from bench.headless import new, resumed
from games import Ruling
from referee.audit.audit import Audited, audit
from referee.events import Abandoned, Declined, Fault, FaultKind, Lost, ReadyLine, Resigned, Terms
from referee.key import public_hex
from referee.record import Entrant, Series
from referee.seeds import derive
from referee.series import with_lots
from referee.timing import MILLISECOND, TimeControl

Data = dict[str, Any]

KEY, FOREIGN = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()
TURN, GRACE = 200 * MILLISECOND, 5 * MILLISECOND
LINE = TURN + GRACE
TERMS = Terms(
    match_id="m-1",
    game="sudoku",
    variant="classic",
    options={"board": "easy-2x2"},
    seed=7,
    time=TimeControl(TURN, GRACE),
    ruling=Ruling.LOSES,
)
EMPTY = replace(TERMS, options={"board": "empty-2x2"})
TRIPS = (1_900_000, 1_700_000, 1_800_000)
CLOSER = 1_100_000
STALL = 60 * MILLISECOND
REMOTE = (Entrant("grpc://far.example:50051", "Far"), Entrant("random", "Random"))
SERIES = Series("m", 4, 99, ("random", "greedy"))


def finished(path: Path) -> None:
    table = new(path, TERMS, KEY).seated()
    while not table.match.over:
        table.play(table.match.position.legal_moves()[0])


def eventful(path: Path) -> None:
    """Skips to the newest valid proposal; the line, a fault, a taboo, and an end by an illegal move."""
    time = TimeControl(TURN, GRACE, first=2 * TURN, budget=5 * TURN)
    table = new(path, replace(EMPTY, time=time, ruling=Ruling.SKIPPED, newest=2), KEY).seated()
    table.propose("r1c1=1", note="safe")
    table.propose("r1c1=5")
    table.say_done()
    table.propose("r1c2=2")
    table.propose("r3c3=1", after=2 * TURN + GRACE)
    table.reach_line()
    table.propose("r3c3=3")
    table.wait(1000)
    table.happen(Fault(2, 2, table.now, FaultKind.KILLED, "it would not stop"))
    table.fail(FaultKind.RAISED, "ValueError: no idea")
    table.play("r1c4=4")
    table.propose("r2c1=3")
    table.propose("good evening")
    table.propose("")
    table.reach_line()


def replaced(path: Path) -> None:
    """Moves are drawn for a bot that has none and for one that cheats, up to a full board."""
    table = new(path, replace(EMPTY, ruling=Ruling.REPLACED, seed=3), KEY).seated()
    table.say_done()
    table.play("r9c9=9")
    while not table.match.over:
        table.reach_line()


def used_up(path: Path) -> None:
    """A budget; what was proposed within it does not count once it is used up without a word."""
    table = new(path, replace(TERMS, time=TimeControl(None, GRACE, budget=TURN)), KEY).seated()
    table.play("r1c4=1", after=TURN // 2)
    table.play("r3c4=3", after=TURN + 1)
    table.propose("r4c1=3")
    table.reach_line()


def incremented(path: Path) -> None:
    """A budget that grows with every turn in time, and is used up all the same."""
    time = TimeControl(None, GRACE, budget=TURN, increment=TURN // 10)
    table = new(path, replace(TERMS, time=time), KEY).seated()
    table.play("r1c4=1", after=TURN // 2)
    table.play("r3c4=3", after=1)
    table.propose("r4c1=3")
    table.reach_line()


def drawn(path: Path) -> None:
    """Hidden lengths by lot, to the end of the game, also after the referee was killed in between."""
    time = TimeControl(TURN, GRACE, longest=4 * TURN, hidden=True, first=TURN // 2)
    table = new(path, with_lots(replace(TERMS, time=time), KEY), KEY).seated()
    table.play("r1c4=1")
    table.play("r3c4=3")
    table.recorder.close()
    table = resumed(path, KEY).seated()
    table.propose("r4c1=3")
    table.reach_line()
    table.propose("r3c1=2")
    table.reach_line()


def full_turns(path: Path) -> None:
    """Every turn lasts to its line; what comes after `done` is not heard."""
    table = new(path, replace(TERMS, time=TimeControl(TURN, GRACE, full_turns=True)), KEY).seated()
    table.play("r1c4=1")
    table.propose("r4c1=3")
    table.reach_line()
    table.propose("r3c4=3")
    table.reach_line()
    table.say_done()
    table.propose("r4c1=3")
    table.reach_line()


def metered(path: Path) -> None:
    """Processor time: a turn in time, one that uses its time up, one that sleeps to the cap, and a budget used up."""
    time = TimeControl(TURN, GRACE, budget=TURN + TURN // 2, cpu=True, cap=3)
    table = new(path, replace(TERMS, time=time), KEY).seated()
    table.use(TURN // 4)
    table.play("r1c4=1", after=TURN)
    table.propose("r3c4=1")
    table.use(TURN + 7)
    table.propose("r3c4=3", after=GRACE)
    table.reach_line()
    table.propose("r4c1=3", after=2 * TURN)
    table.reach_line()
    table.propose("r3c1=2")
    table.use(TURN // 2)
    table.reach_line()


def unclocked(path: Path) -> None:
    table = new(path, replace(TERMS, time=TimeControl(None, GRACE)), KEY).seated()
    table.play("r1c4=1", after=10**12)
    table.say_done()


def silent(path: Path) -> None:
    table = new(path, TERMS, KEY).seated()
    table.propose("r1c4=1", after=LINE + 1)
    table.reach_line()


def crashed(path: Path) -> None:
    table = new(path, TERMS, KEY).seated()
    table.play("r1c4=1")
    table.fail(FaultKind.DIED, "exit code 3")


def over_memory(path: Path) -> None:
    table = new(path, TERMS, KEY)
    table.take(table.match.begin())
    table.happen(Fault(2, 0, table.now, FaultKind.OVER_MEMORY, "300 MB"))


def over_processes(path: Path) -> None:
    table = new(path, TERMS, KEY).seated()
    table.play("r1c4=1")
    table.fail(FaultKind.OVER_PROCESSES, "70 processes of 64")


def illegal(path: Path) -> None:
    table = new(path, TERMS, KEY).seated()
    table.propose("r1c4=1")
    table.play("r1c1=1")


def went_on(path: Path) -> None:
    """By another referee, after two turns; the first one had waited long, and the second one counts anew."""
    table = new(path, TERMS, FOREIGN)
    table.wait(10**15)
    table.seated().play("r1c4=1")
    table.play("r3c4=3")
    table.propose("r4c1=3")
    table.happen(Abandoned("the referee was told to stop"))
    table.recorder.close()
    table = resumed(path, KEY).seated()
    table.play("r4c1=3")
    table.play("r3c1=2")


def in_series(path: Path) -> None:
    """The second game of its series: the bot named first sits at seat 2."""
    terms = replace(TERMS, match_id="m-2", seed=derive(99, "pair", 0))
    table = new(path, terms, KEY, series=SERIES).seated()
    table.happen(Resigned(2))


def disconnected(path: Path) -> None:
    table = new(path, TERMS, KEY).seated()
    table.play("r1c4=1")
    table.happen(Lost(1, "it closed its stream"))


def no_show(path: Path) -> None:
    new(path, TERMS, KEY).happen(ReadyLine())


def declined(path: Path) -> None:
    new(path, TERMS, KEY).happen(Declined(2, "no place is free"))


def tainted(path: Path) -> None:
    """Two turns had to be played again, one of them twice; then the game goes on to its end."""
    table = new(path, TERMS, KEY).seated(TRIPS, TRIPS[1:])
    table.propose("r1c4=1")
    table.stall("r3c4=3", late=STALL)
    table.play("r1c4=1")
    for _ in range(2):
        table.stall("r3c4=3", late=STALL)
    while not table.match.over:
        table.play(table.match.position.legal_moves()[0])


def not_again(path: Path) -> None:
    """A turn is tainted, and its bot cannot be called again."""
    table = new(path, TERMS, KEY).seated(TRIPS, TRIPS)
    table.play("r1c4=1")
    table.there = False
    table.stall("r3c4=3", late=STALL)


def credited(path: Path) -> None:
    """A bot far away gets its round trip on top, up to the cap, and is charged less; also after a resume."""
    time = TimeControl(TURN, GRACE, first=TURN // 4, budget=2 * TURN, latency_credit=True)
    table = new(path, replace(TERMS, time=time), KEY, entrants=REMOTE).seated(TRIPS, TRIPS)
    table.play("r1c4=1", after=TURN // 4 + GRACE + TURN // 400)
    table.play("r3c4=3")
    table.recorder.close()
    table = resumed(path, KEY, entrants=REMOTE).seated((CLOSER,), TRIPS)
    table.propose("r4c1=3", after=TURN + GRACE + CLOSER)
    table.reach_line(late=0)
    table.play("r3c1=2")


def abandoned(path: Path) -> None:
    table = new(path, TERMS, KEY).seated()
    table.play("r1c4=1")
    table.happen(Abandoned("the referee was told to stop"))


def one_move(path: Path, board: Path, move: str) -> None:
    table = new(path, replace(TERMS, options={"board": str(board)}), KEY).seated()
    table.play(move)
    table.happen(Resigned(2))


def recorded(play: Callable[[Path], None], folder: Path) -> bytes:
    path = folder / f"{play.__name__}.match"
    if not path.exists():
        play(path)
    return path.read_bytes()


def audited(data: bytes, *keys: Ed25519PrivateKey) -> Audited:
    return audit(io.BytesIO(data), keys={public_hex(key) for key in keys})


def bodies(data: bytes) -> list[Data]:
    return [json.loads(line[18:]) for line in data.splitlines()]


def line_of(body: bytes) -> bytes:
    return b"%08x %08x %b\n" % (len(body), zlib.crc32(body), body)


def forged(entries: list[Data], key: Ed25519PrivateKey = FOREIGN) -> bytes:
    """What somebody with a key of his own can do: numbers, chain, checksums and seal are in order."""
    lines: list[bytes] = []
    previous = "0" * 64
    for number, entry in enumerate(entries):
        signed = {}
        if entry.get("kind") in ("begin", "resume", "seal") and "key" in entry:
            signed["key"] = public_hex(key)
        if entry.get("kind") == "seal" and "signature" in entry:
            signed["signature"] = key.sign(f"shotclock record {previous}".encode()).hex()
        changed = entry | {"seq": number, "prev": previous} | signed
        lines.append(line_of(json.dumps(changed, ensure_ascii=False, separators=(",", ":")).encode()))
        previous = sha256(lines[-1]).hexdigest()
    return b"".join(lines)
