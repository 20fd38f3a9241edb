"""The whole check of one record."""

import io
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO

from referee.audit.flaw import Data, Flaw, insist
from referee.audit.form import check_form
from referee.audit.reader import Entry, entries
from referee.audit.replay import Replay


class State(StrEnum):
    OK = "ok"  # finished, sealed, and nothing wrong
    BAD = "bad"
    UNFINISHED = "unfinished"  # nothing wrong as far as it goes


@dataclass(frozen=True, slots=True)
class Audited:
    """What was found. `entry` and `turn` say where it is wrong; `cut` says after how many entries it was cut off."""

    file: str
    state: State
    #: What the first entry, the verdict and the seal say; empty if they were not reached.
    begin: Data
    verdict: Data
    key: str
    turns: int
    notes: dict[str, int]
    flaw: str = ""
    entry: int | None = None
    turn: int | None = None
    cut: int | None = None


def audit_file(path: Path, keys: AbstractSet[str] = frozenset()) -> Audited:
    try:
        with path.open("rb") as file:
            return audit(file, name=str(path), keys=keys)
    except OSError as error:
        flaw = f"it cannot be read: {error.strerror}"
        return Audited(str(path), State.BAD, {}, {}, "", 0, {}, flaw=flaw)


def audit(file: BinaryIO, *, name: str = "", keys: AbstractSet[str] = frozenset()) -> Audited:
    """Stops at the first entry that is wrong."""
    replay = Replay(keys)
    together: list[Entry] = []
    number, counted, end = 0, 0, 0
    flaw, turn = "", None
    try:
        for entry in entries(file):
            turn = replay.turns + 1 if entry.data.get("kind") == "turn" else None
            check_form(entry.data)
            together.append(entry)
            if "more" not in entry.data:
                for one in together:
                    number = one.number
                    turn = replay.turns + 1 if one.data["kind"] == "turn" else None
                    replay.take(one)
                together, counted, end = [], entry.number + 1, entry.end
            number, turn = entry.number + 1, None
        cut = end < file.seek(0, io.SEEK_END)
        insist(not cut or replay.before != "seal", "there is more after the seal")
    except Flaw as found:
        flaw, cut = str(found), False
    finished = State.OK if replay.before == "seal" else State.UNFINISHED
    return Audited(
        name,
        State.BAD if flaw else finished,
        begin=replay.agreed,
        verdict=replay.verdict,
        key=replay.sealed_by,
        turns=replay.turns,
        notes=dict(replay.notes),
        flaw=flaw,
        entry=number if flaw else None,
        turn=turn,
        cut=counted if cut else None,
    )
