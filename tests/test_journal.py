"""The file under a record: what was committed is there after any crash, and nothing else is."""

import errno
import os
from pathlib import Path

import pytest

from games import Mistake
from referee.journal import EMPTY, Journal, read


def entries(path: Path) -> list[object]:
    return [entry["text"] for entry in read(path).entries]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    journal = Journal.create(tmp_path / "a.match")
    for text in ("one", "two"):
        journal.append({"text": text})
        journal.commit()
    journal.close()
    return journal.path


def test_what_is_committed_is_there(path: Path) -> None:
    """In order, numbered and chained."""
    assert entries(path) == ["one", "two"]
    first, second = read(path).entries
    assert (first["seq"], second["seq"]) == (0, 1)
    assert first["prev"] == "0" * 64 != second["prev"]


def test_what_is_only_appended_is_not(path: Path) -> None:
    """The disk is touched by a commit alone, so never while a clock runs."""
    before = path.read_bytes()
    journal, _ = Journal.reopen(path)
    journal.append({"text": "three"})
    assert path.read_bytes() == before
    journal.commit()
    journal.close()
    assert entries(path) == ["one", "two", "three"]


def test_going_on_cuts_off_what_a_crash_left_unfinished(path: Path) -> None:
    """Half an entry at the end is no entry, and the chain goes on from the last whole one."""
    whole = path.read_bytes()
    path.write_bytes(whole + b"00000020 deadbeef {")
    journal, contents = Journal.reopen(path)
    assert (len(contents.entries), path.read_bytes()) == (2, whole)
    journal.append({"text": "three"})
    journal.commit()
    journal.close()
    assert entries(path) == ["one", "two", "three"]


def test_entries_of_one_commit_count_together_or_not_at_all(path: Path) -> None:
    """An entry with more to come is dropped when the rest is missing."""
    journal, _ = Journal.reopen(path)
    journal.append({"text": "three"}, more=True)
    alone = len(path.read_bytes())
    journal.append({"text": "four"})
    journal.commit()
    journal.close()
    assert entries(path) == ["one", "two", "three", "four"]
    whole = path.read_bytes()
    path.write_bytes(whole[: whole.rindex(b"\n", 0, -1) + 1])
    assert entries(path) == ["one", "two"]
    assert read(path).end == alone


def test_damage_in_the_middle_is_not_taken_for_a_crash(path: Path) -> None:
    """A crash takes the end; anything else is somebody's doing, and nothing is cut off."""
    damaged = path.read_bytes().replace(b"one", b"ONE")
    path.write_bytes(damaged)
    with pytest.raises(Mistake, match="damaged at entry 0"):
        Journal.reopen(path)
    assert path.read_bytes() == damaged


def test_nobody_writes_where_somebody_writes(path: Path) -> None:
    """Two referees never go on with the same match."""
    journal, _ = Journal.reopen(path)
    with pytest.raises(Mistake, match="another referee"):
        Journal.reopen(path)
    journal.close()
    Journal.reopen(path)[0].close()


def test_a_record_is_never_replaced(path: Path) -> None:
    """A new match does not take the file of another."""
    with pytest.raises(Mistake, match="there already"):
        Journal.create(path)
    assert entries(path) == ["one", "two"]


def test_a_sync_that_fails_is_told_and_never_tried_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a failed sync the kernel may have forgotten the data, so a second try would lie."""
    journal, _ = Journal.reopen(path)
    syncs = []

    def fail(fd: int) -> None:
        syncs.append(fd)
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, "fdatasync", fail)
    journal.append({"text": "three"})
    with pytest.raises(Mistake, match=r"cannot write the record .* Input/output error"):
        journal.commit()
    assert len(syncs) == 1
    journal.close()


def test_an_empty_file_holds_nothing(tmp_path: Path) -> None:
    """As a referee leaves it that died before the first entry reached the disk."""
    (tmp_path / "a.match").touch()
    assert read(tmp_path / "a.match") == EMPTY
