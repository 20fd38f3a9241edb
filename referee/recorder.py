"""Writes a match down as it happens."""

import os
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from games import Mistake
from referee.events import Effect, Event, Fault, MatchOver, TripsMeasured, TurnOver, TurnTainted
from referee.fairness import certify
from referee.journal import Journal
from referee.key import load_key, public_hex, seal
from referee.match import Match
from referee.record import (
    SUFFIX,
    Entrant,
    Series,
    begin_entry,
    fault_entry,
    resume_entry,
    tainted_entry,
    trips_entry,
    turn_entry,
    verdict_entry,
)
from referee.verdict import Reason


@dataclass(frozen=True, slots=True)
class Archive:
    """Where records go, and what seals them."""

    folder: Path
    key: Ed25519PrivateKey

    def path(self, match_id: str) -> Path:
        return self.folder / f"{match_id}{SUFFIX}"

    def set_aside(self, match_id: str) -> None:
        """Keeps the record of a game that is void, out of the way of the one that takes its place."""
        path = self.path(match_id)
        if path.exists():
            number = 1 + sum(1 for _ in self.folder.glob(f"{match_id}.void-*"))
            path.rename(self.folder / f"{match_id}.void-{number}")


def open_archive(folder: Path | None) -> Archive:
    """Our own folder is made when needed; one that a user names must be there, or a slip of the pen makes a new one."""
    if folder is None:
        folder = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "shotclock"
        folder /= "records"
        make_folder(folder)
    elif not folder.is_dir():
        raise Mistake(f"there is no folder {folder} for records: make it first")
    return Archive(folder, load_key())


def make_folder(folder: Path, *, of: str = "records") -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        TemporaryFile(dir=folder).close()  # one that is there already may take no files
    except OSError as error:
        raise Mistake(f"cannot use the folder {folder} for {of}: {error.strerror}") from error


class Recorder:
    """Everything that `watch` saw before a `commit` is on the disk after it."""

    def __init__(self, journal: Journal, match: Match, key: Ed25519PrivateKey) -> None:
        self.path = journal.path
        self._journal = journal
        self._match = match
        self._key = key
        self._epoch = time.monotonic_ns()

    def begin(self, entrants: tuple[Entrant, Entrant], series: Series | None) -> None:
        terms, position = self._match.terms, self._match.position
        public = public_hex(self._key)
        self._journal.append(begin_entry(terms, entrants, position=position, series=series, key=public))
        self.commit()

    def go_on(self, entrants: tuple[Entrant, Entrant]) -> None:
        turn = len(self._match.moves) + 1
        self._journal.append(resume_entry(entrants, turn=turn, key=public_hex(self._key)))
        self.commit()

    def watch(self, event: Event | Effect) -> None:
        match event:
            case Fault() if self._match.verdict is None and self._match.believes(event):
                self._journal.append(fault_entry(event, epoch=self._epoch), more=True)
            case TripsMeasured(trips):
                self._journal.append(trips_entry(trips), more=True)
            case TurnTainted(report):
                self._journal.append(tainted_entry(report, epoch=self._epoch))
            case TurnOver(report):
                over = self._match.verdict is not None
                self._journal.append(turn_entry(report, epoch=self._epoch), more=over)
            case MatchOver(verdict) if verdict.reason is not Reason.ABANDONED:
                # An abandoned match can go on later, so it gets no verdict.
                entry = verdict_entry(
                    verdict,
                    position=self._match.position,
                    lots=self._match.terms.lots,
                    fairness=certify(self._match.trips, self._match.reports),
                )
                self._journal.append(entry, more=True)
                self._journal.append(seal(self._key, self._journal.last))
            case _:
                pass

    def commit(self) -> None:
        self._journal.commit()

    def close(self) -> None:
        self._journal.close()
