"""Who is kept to which core, and what a record says of how bots were kept."""

import json
import os
from pathlib import Path

import pytest

from games import Mistake
from referee.cores import Cores, split_cores
from referee.record import read_record
from tests.playing import shotclock


@pytest.mark.parametrize(
    ("text", "allowed", "split"),
    [
        ("auto", {0}, None),
        ("auto", {0, 1}, Cores((0,), (1,))),
        ("auto", {2, 3, 5}, Cores((2,), (3, 5))),
        ("off", {0, 1}, None),
        ("3,1,0", {0, 1, 2, 3}, Cores((3,), (0, 1))),
    ],
)
def test_the_cores_are_split(
    monkeypatch: pytest.MonkeyPatch, text: str, allowed: set[int], split: Cores | None
) -> None:
    """The first is for the referee, the others are for the bots; where there is one, everybody uses it."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: allowed)
    assert split_cores(text) == split


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("both", "is no list of cores"),
        ("0", "must name the referee's core first"),
        ("0,0", "must name the referee's core first"),
        ("0,7777", "there is no core 7777 for us"),
    ],
)
def test_a_wrong_list_is_one_sentence(text: str, words: str) -> None:
    with pytest.raises(Mistake, match=words):
        split_cores(text)


async def test_a_match_that_goes_on_keeps_its_limits(tmp_path: Path) -> None:
    """The record has them; the hosts of the second referee say the same as those of the first."""
    asked = "--memory 300MB --processes 9 --records . --json --board easy-2x2".split()
    done = await shotclock("play", "sudoku", "greedy", "greedy", *asked, folder=tmp_path)
    record = tmp_path / json.loads(done.out)["record"]
    begin, *_ = record.read_bytes().splitlines(keepends=True)
    record.write_bytes(begin)
    done = await shotclock("play", "--resume", str(record), "--json", folder=tmp_path)
    assert done.code == 0, done.err
    terms = read_record(record).terms
    assert (terms.memory, terms.processes, terms.ponder) == (300_000_000, 9, False)
    first, resume = (json.loads(line[18:]) for line in record.read_bytes().splitlines()[:2])
    assert resume["kind"] == "resume"
    for entry in (first, resume):
        for bot in entry["bots"]:
            custody = bot["custody"]
            assert (custody["memory"], custody["processes"], custody["off_turn"]) == (
                300_000_000,
                9,
                "frozen",
            )
            assert custody["memory_by"] in {"sampled", "cgroup v1", "cgroup v2"}
            if len(os.sched_getaffinity(0)) > 1:
                assert not set(entry["cores"]) & set(custody["cores"])
