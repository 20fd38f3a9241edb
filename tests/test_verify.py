"""Whoever changes a record is found out: by its bytes, by its seal, or by the rules."""

import asyncio
import copy
import dataclasses
import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import games.sudoku.position
from games import Mistake, find_game
from games.sudoku import Sudoku
from referee import journal
from referee.audit import folder as folder_of_records
from referee.audit import reader, replay, verify
from referee.audit.audit import State
from referee.audit.flaw import Flaw
from referee.audit.reader import entries
from referee.key import public_hex
from tests import recording
from tests.hosting import write_bot
from tests.playing import PATIENCE, all_ended, descendants, private, shotclock, start
from tests.recording import FOREIGN, KEY, LINE, Data, audited, bodies, forged, line_of, recorded

DOCS = Path(__file__).parent.parent / "docs"

Play = Callable[[Path], None]
PLAYED_AGAIN = "tainted: the referee says that it was late itself, so the turn was played again"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Each kind of record is made once."""
    return tmp_path_factory.mktemp("records")


@pytest.mark.parametrize(
    ("play", "reason", "notes"),
    [
        (recording.finished, "finished", []),
        (recording.eventful, "illegal", []),
        (recording.replaced, "finished", []),
        (recording.used_up, "late", []),
        (recording.unclocked, "no_move", []),
        (recording.incremented, "late", []),
        (recording.drawn, "finished", []),
        (recording.full_turns, "no_move", []),
        (recording.metered, "late", []),
        (recording.silent, "no_move", []),
        (recording.crashed, "crashed", []),
        (recording.over_memory, "over_memory", []),
        (recording.over_processes, "over_processes", []),
        (recording.illegal, "illegal", []),
        (recording.went_on, "finished", []),
        (recording.in_series, "resigned", ["resigned: only the referee saw it"]),
        (recording.disconnected, "disconnected", ["disconnected: only the referee saw it"]),
        (recording.no_show, "no_show", ["no_show: only the referee saw it"]),
        (recording.declined, "declined", ["declined: only the referee saw it"]),
        (recording.credited, "finished", []),
        (recording.tainted, "finished", [PLAYED_AGAIN]),
        (recording.not_again, "tainted", [PLAYED_AGAIN, "tainted: only the referee saw it"]),
    ],
)
def test_nothing_is_wrong_with_what_the_referee_wrote(
    folder: Path, play: Play, reason: str, notes: list[str]
) -> None:
    """Every way to end, every ruling, with and without clock and budget, also after a resume."""
    result = audited(recorded(play, folder), KEY)
    assert (result.state, result.flaw, result.verdict["reason"]) == (State.OK, "", reason)
    assert list(result.notes) == notes
    assert result.key == public_hex(KEY)


def test_a_match_without_a_verdict_is_unfinished(folder: Path) -> None:
    """Nothing is wrong with it, and it is not called finished either."""
    result = audited(recorded(recording.abandoned, folder), KEY)
    assert (result.state, result.turns, result.cut) == (State.UNFINISHED, 1, None)


# Changes of bytes: every place, every bit.


def test_a_cut_at_any_byte_loses_no_commit_and_is_no_finished_record(folder: Path, tmp_path: Path) -> None:
    """A referee that goes on finds every commit before the cut and nothing else; verify calls none of them ok."""
    data = recorded(recording.finished, folder)
    ends = list(commit_ends(data))
    cut_file = tmp_path / "cut.match"
    for length in range(len(data)):
        cut = data[:length]
        cut_file.write_bytes(cut)
        safe = max((end for end in ends if end[0] <= length), default=(0, 0))
        contents = journal.read(cut_file)
        assert (contents.end, len(contents.entries)) == safe, length
        result = audited(cut)
        assert result.state is State.UNFINISHED, length
        assert result.cut == (None if length == safe[0] else safe[1]), length
    cut_file.write_bytes(data)
    assert (journal.read(cut_file).end, audited(data).state) == (len(data), State.OK)


def commit_ends(data: bytes) -> Iterator[tuple[int, int]]:
    """Where each commit ends in the file, and how many entries there are up to there."""
    end = 0
    for count, line in enumerate(data.splitlines(keepends=True), 1):
        end += len(line)
        if b'"more":true' not in line:
            yield end, count


def test_no_bit_of_a_finished_record_can_change_unseen(folder: Path) -> None:
    """Nearly every flip breaks a line or its checksum; whatever does not is judged to the end."""
    data = recorded(recording.finished, folder)
    unseen = []
    for place in range(len(data)):
        for bit in range(8):
            flipped = bytearray(data)
            flipped[place] ^= 1 << bit
            if reads_well(flipped) and audited(bytes(flipped)).state is State.OK:
                unseen.append((place, bit))
    assert reads_well(bytearray(data))
    assert unseen == []


def reads_well(data: bytearray) -> bool:
    """The file alone, without the rules: every line is whole and fits the one before."""
    try:
        *_, last = entries(io.BytesIO(data))
    except (Flaw, ValueError):  # a flaw, or no entry at all
        return False
    return last.end == len(data)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b'"seed":7', b'"seed": 7'),
        (b'"seed":7', b'"seed":7.0e0'),
        (b'"seed":7', b'"seed":8,"seed":7'),
        (b'"seed":7', b'"seed":NaN'),
        (b'"name":"Greedy"', b'"name":"Gr\\u0065edy"'),
        (b'"name":"Greedy"', b'"name":"\\ud800"'),
        (b'"name":"Greedy"', b'"name":"\xff"'),
        (b'"name":"Greedy"', b'"name":' + 100_000 * b"["),
        (b'"seed":7', b'"seed":' + 5000 * b"7"),
    ],
)
def test_a_body_can_be_written_in_one_way_only(folder: Path, before: bytes, after: bytes) -> None:
    """Another spelling of the same entry, with a fitting checksum, is found in that entry."""
    first, _, rest = recorded(recording.finished, folder).partition(b"\n")
    assert before in first
    result = audited(line_of(first[18:].replace(before, after)) + rest)
    assert (result.state, result.entry) == (State.BAD, 0)
    assert "JSON" in result.flaw


def test_every_entry_is_held_by_the_next(folder: Path) -> None:
    """One that was changed to something just as good, checksum and all, is betrayed by the one after it."""
    lines = recorded(recording.finished, folder).splitlines(keepends=True)
    changes = [(0, b'"author":"us"', b'"author":"me"'), (2, b'"sent":', b'"sent":9')]
    for number, before, after in changes:
        changed = line_of(lines[number][18:-1].replace(before, after))
        assert changed != lines[number]
        result = audited(b"".join([*lines[:number], changed, *lines[number + 1 :]]))
        assert (result.state, result.entry) == (State.BAD, number + 1)
        assert result.flaw.startswith("it does not name the hash of the entry before")


def test_entries_are_numbered(folder: Path) -> None:
    """By whoever redoes everything else, too."""
    last = recorded(recording.finished, folder).splitlines(keepends=True)
    body = json.loads(last[-1][18:]) | {"seq": 7}
    result = audited(b"".join([*last[:-1], line_of(json.dumps(body, separators=(",", ":")).encode())]))
    assert (result.entry, result.flaw) == (6, "its number is 7, but must be 6")


def test_no_line_is_read_without_end(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of any size is read in little memory."""
    monkeypatch.setattr(reader, "LONGEST", 500)
    result = audited(recorded(recording.finished, folder))
    assert (result.entry, result.flaw) == (0, "its line is longer than 500 bytes")


@pytest.mark.parametrize("more", [b"x", b"\n", b"{}", line_of(b"{}"), b"\0" * 100])
def test_nothing_may_follow_the_seal(folder: Path, more: bytes) -> None:
    """Neither a whole line nor a piece of one."""
    data = recorded(recording.finished, folder)
    result = audited(data + more)
    assert (result.state, result.entry) == (State.BAD, len(bodies(data)))


def test_a_seal_can_be_written_in_one_way_only(folder: Path) -> None:
    """No entry after it holds its hash, so its own form must leave no choice."""
    *lines, seal = recorded(recording.finished, folder).splitlines(keepends=True)
    body = json.loads(seal[18:])
    ways: list[Data] = [
        body | {"signature": body["signature"].upper()},
        body | {"key": body["key"].upper()},
        dict(reversed(body.items())),
        body | {"note": ""},
        body | {"seq": float(body["seq"])},
        body | {"more": False},
        body | {"more": True},
    ]
    for way in ways:
        changed = line_of(json.dumps(way, separators=(",", ":")).encode())
        result = audited(b"".join(lines) + changed)
        assert (result.state, result.entry) == (State.BAD, body["seq"]), way


# Changes of meaning, by somebody who redoes the chain and seals with a key of his own.


def entry_of(all_entries: list[Data], kind: str, number: int = 1) -> Data:
    return [entry for entry in all_entries if entry["kind"] == kind][number - 1]


def put(kind: str, number: int = 1, **changes: object) -> Callable[[list[Data]], None]:
    """Other values in the entry, the `number`th of its kind."""
    return lambda found: entry_of(found, kind, number).update(changes)


def put_time(**changes: int | str | None) -> Callable[[list[Data]], None]:
    return lambda found: entry_of(found, "begin")["time"].update(changes)


def kept(**changes: object) -> Callable[[list[Data]], None]:
    """Other values in the custody of the first bot."""
    return lambda found: entry_of(found, "begin")["bots"][0]["custody"].update(changes)


def put_heard(turn: int, proposal: int, **changes: object) -> Callable[[list[Data]], None]:
    return lambda found: entry_of(found, "turn", turn)["heard"][proposal].update(changes)


def put_fairness(**changes: int) -> Callable[[list[Data]], None]:
    return lambda found: entry_of(found, "verdict")["fairness"].update(changes)


def drop(kind: str, number: int = 1) -> Callable[[list[Data]], None]:
    return lambda found: found.remove(entry_of(found, kind, number))


def drop_heard(turn: int, proposal: int) -> Callable[[list[Data]], None]:
    return lambda found: entry_of(found, "turn", turn)["heard"].pop(proposal)


def repeat(kind: str, number: int = 1) -> Callable[[list[Data]], None]:
    def change(found: list[Data]) -> None:
        entry = entry_of(found, kind, number)
        found.insert(found.index(entry), copy.deepcopy(entry))

    return change


def all_of(*changes: Callable[[list[Data]], object]) -> Callable[[list[Data]], None]:
    def change(found: list[Data]) -> None:
        for one in changes:
            one(found)

    return change


def swap_bots(found: list[Data]) -> None:
    first, second = found[0]["bots"]
    first["bot"], second["bot"] = second["bot"], first["bot"]


def a_little_shorter(number: int) -> Callable[[list[Data]], None]:
    """A turn whose length was drawn."""

    def change(found: list[Data]) -> None:
        turn = entry_of(found, "turn", number)
        turn.update(thinking=turn["thinking"] - 1, line=turn["line"] - 1)

    return change


def swap_turns(found: list[Data]) -> None:
    found[1], found[2] = found[2], found[1]


def another_first_move(found: list[Data]) -> None:
    """Played well enough, were it not for what follows."""
    turn = entry_of(found, "turn")
    start = find_game("sudoku").parse(turn["position"])
    after = start.play(start.legal_moves()[-1])
    turn["heard"][0]["move"] = turn["move"] = after.last
    turn.update(effect=after.effect, after=str(after))


def cut_off_before_the_last_turn(found: list[Data]) -> None:
    """The loser gives up instead."""
    found.remove(entry_of(found, "turn", 4))
    position = entry_of(found, "turn", 3)["after"]
    entry_of(found, "verdict").update(
        winner=1, reason="illegal", text="seat 2 played an illegal move: so they say", position=position
    )


OTHER_START = "classic 2x2 4,2,3,./1,3,2,4/.,1,4,./.,4,1,. 0:0 1 -"
UNDECIDED = "oracle undecided"
NOBODY: Data = {"trip": None, "credit": 0, "lag": 0, "worst": 0}
FAIR: Data = {"seats": [NOBODY, NOBODY], "difference": None, "bound": None}


@pytest.mark.parametrize(
    ("play", "change", "entry", "flaw"),
    [
        # The moves.
        (recording.finished, put("turn", 2, move="r1c4=2"), 2, 'move is "r1c4=2", but must be'),
        (recording.finished, put_heard(2, 0, move="r1c1=1"), 2, "move is"),
        (recording.finished, another_first_move, 2, "position is"),
        (recording.finished, put("turn", 2, after=OTHER_START), 2, "after is"),
        (recording.finished, put("turn", 2, effect="7 points"), 2, "effect is"),
        (recording.finished, put("turn", 2, effect=UNDECIDED), 2, f'effect is "{UNDECIDED}"'),
        (recording.finished, put("turn", 2, replaced=True), 2, "replaced is true"),
        (recording.finished, put("turn", 2, move=None, after=None, effect=""), 2, "move is null"),
        (recording.finished, put("turn", 2, position=OTHER_START), 2, "position is"),
        (recording.eventful, put("turn", 4, effect="", after=OTHER_START), 6, "effect is"),
        # The order.
        (recording.finished, put("turn", 2, seat=1), 2, "seat is 1, but must be 2"),
        (recording.finished, put("turn", 2, turn=3), 2, "turn is 3, but must be 2"),
        (recording.finished, drop("turn", 2), 2, "turn is 3, but must be 2"),
        (recording.finished, drop("turn", 1), 1, "turn is 2, but must be 1"),
        (recording.finished, repeat("turn", 2), 3, "turn is 2, but must be 3"),
        (recording.finished, swap_turns, 1, "turn is 2, but must be 1"),
        (recording.finished, repeat("begin"), 1, "no begin can follow"),
        (recording.finished, drop("begin"), 0, "no turn can follow"),
        (recording.finished, drop("verdict"), 5, "no seal can follow"),
        (recording.finished, repeat("verdict"), 6, "no verdict can follow"),
        (recording.finished, drop("turn", 4), 4, "nothing before it makes the match end by finished"),
        (
            recording.finished,
            cut_off_before_the_last_turn,
            4,
            "nothing before it makes the match end by illegal",
        ),
        (recording.finished, put("turn", 1, more=True), 1, "but the match goes on"),
        (recording.finished, put("begin", more=True), 0, 'begin has a key "more"'),
        (recording.finished, lambda found: entry_of(found, "turn", 4).pop("more"), 4, "but it decides"),
        (recording.finished, lambda found: entry_of(found, "verdict").pop("more"), 5, 'no key "more"'),
        (recording.eventful, lambda found: entry_of(found, "fault").pop("more"), 3, 'no key "more"'),
        (recording.went_on, put("resume", turn=2), 3, "turn is 2, but must be 3"),
        (recording.went_on, lambda found: found[3]["bots"][0].update(bot="minimax"), 3, "bots is"),
        (recording.went_on, drop("resume"), 3, "before what precedes it"),
        # The clock.
        (recording.eventful, put_heard(2, 1, at=2 * LINE, refused=""), 2, "when the turn had ended"),
        (recording.eventful, put_heard(2, 1, at=LINE + 200_000_000, refused=""), 2, 'move is "r1c2=2"'),
        (recording.eventful, put_heard(2, 1, refused=""), 2, 'refused of proposal 2 is ""'),
        (recording.eventful, put_heard(2, 0, at=405_000_001, refused="late"), 2, "move is"),
        (recording.eventful, put_heard(2, 0, refused="late"), 2, "refused of proposal 1"),
        (recording.eventful, put_heard(1, 0, at=2001), 1, "proposal 2 came after 2000 ns, earlier than"),
        (recording.eventful, put("turn", 2, line=LINE), 2, "line is"),
        (recording.eventful, put("turn", 2, line=None), 2, "line is null"),
        (recording.eventful, put("turn", 2, ended=LINE), 2, "before the line"),
        (recording.eventful, put("turn", 2, ending="done"), 2, "past the line"),
        (recording.eventful, put("turn", 2, ending="late"), 2, 'ending is "late"'),
        (recording.eventful, put("turn", 2, budget=700_000_000), 2, "budget is 700000000"),
        (recording.eventful, put("turn", 2, budget=None), 2, "budget is null"),
        (recording.eventful, put_time(budget=10**10), 1, "budget is"),
        (recording.eventful, put_time(turn=10**8), 5, "thinking is"),
        (recording.eventful, put_time(first=None), 1, "thinking is"),
        (recording.eventful, put_time(grace=0), 1, "line is"),
        (recording.finished, put("turn", 2, sent=0), 2, "before what precedes it"),
        (recording.finished, put("turn", 2, ending="line"), 2, "before the line"),
        (recording.unclocked, put("turn", 1, ending="line"), 1, "there is no clock"),
        (recording.used_up, put("turn", 3, ending="line"), 3, 'ending is "line"'),
        (recording.eventful, put("begin", messages=1), 1, "only 1 messages are read"),
        (recording.incremented, put_time(increment=0), 1, "budget is"),
        (recording.incremented, put("turn", 1, budget=100_000_000), 1, "budget is"),
        (recording.incremented, put("turn", 3, budget=20_000_000), 3, "budget is"),
        (recording.incremented, put_time(hidden=True), 0, "hidden is true, but there is a budget"),
        (recording.drawn, a_little_shorter(3), 6, "thinking of turn 3 is"),
        (recording.drawn, put("turn", 4, thinking=900_000_000, line=905_000_000), 5, "must be from"),
        (recording.drawn, put("turn", 1, thinking=300_000_000, line=305_000_000), 1, "thinking is 300000000"),
        (recording.drawn, put("verdict", revealed="0" * 64), 6, "the hash of revealed"),
        (recording.drawn, put("verdict", revealed=None), 6, "revealed is null"),
        (recording.drawn, put_time(promise="0" * 64), 6, "the hash of revealed"),
        (recording.drawn, put_time(promise=None), 0, "promise is there if"),
        (recording.drawn, put_time(longest=800_000_001), 6, "thinking of turn"),
        (recording.drawn, put_time(longest=1), 0, "longest is less than turn"),
        (recording.drawn, put_time(hidden=False), 0, "drawn only where they are hidden"),
        (recording.finished, put("verdict", revealed="0" * 64), 5, "revealed is"),
        (recording.full_turns, put_time(full_turns=False), 1, "done is"),
        (recording.full_turns, put("turn", 1, ending="done", ended=1000), 1, "turns are full"),
        (recording.full_turns, put("turn", 3, done=None), 4, "text is"),
        (recording.full_turns, put("turn", 1, done=999), 1, "heard after the bot was done"),
        (recording.full_turns, put("turn", 1, done=LINE + 1), 1, "later than the turn lasted"),
        (recording.finished, put("turn", 1, done=1), 1, "done is 1"),
        (recording.metered, put("turn", 1, cpu=1), 1, "budget is"),
        (recording.metered, put("turn", 1, cpu=None), 1, "cpu is there if"),
        (recording.metered, put("turn", 2, cpu=1), 2, "cpu is less than thinking"),
        (recording.metered, put("turn", 2, spent=None), 2, "line is"),
        (recording.metered, put("turn", 3, spent=1), 3, "cpu is less than thinking"),
        (recording.metered, put("turn", 4, ending="line"), 4, 'ending is "line"'),
        (recording.metered, put_time(cap=4), 1, "line is"),
        (recording.metered, put_time(cpu=False), 0, "cap is for processor time"),
        (recording.finished, put("turn", 1, cpu=1), 1, "cpu is there if"),
        (recording.unclocked, put_time(hidden=True), 0, "hidden is true, but there is no clock"),
        # What was proposed.
        (recording.finished, drop_heard(2, 0), 2, "move is"),
        (recording.eventful, drop_heard(5, 2), 7, "move is null"),
        (recording.eventful, put("begin", newest=1), 1, "move is"),
        (recording.eventful, put("begin", newest=3), 7, "move is null"),
        (recording.eventful, put("begin", ruling="loses"), 1, "move is"),
        (recording.eventful, put_heard(5, 1, refused=""), 7, "proposal 2 is against the rules"),
        (recording.eventful, put_heard(5, 0, refused="no"), 7, "refused of proposal 1"),
        (recording.illegal, put("begin", ruling="replaced"), 1, "move is null"),
        (recording.illegal, drop_heard(1, 1), 1, "move is null"),
        (recording.replaced, put("begin", seed=4), 1, "move is"),
        (recording.replaced, put("begin", ruling="loses"), 1, "move is"),
        (recording.replaced, put("turn", 1, replaced=False), 1, "replaced is false"),
        # How bots were kept.
        (recording.finished, put("begin", ponder=True), 0, 'off_turn is "not frozen"'),
        (recording.finished, kept(off_turn="frozen"), 0, 'off_turn is "frozen"'),
        (recording.finished, kept(memory=10**9), 0, "memory is 1000000000 by"),
        (recording.finished, kept(processes_by="sampled"), 0, "processes is None by"),
        # Faults.
        (recording.crashed, drop("fault"), 2, "no fault entry before it"),
        (recording.crashed, put("fault", seat=1), 2, "turn 2 is no turn of seat 1"),
        (recording.crashed, put("fault", turn=4), 2, "turn 4 is no turn of seat 2"),
        (recording.crashed, put("fault", seat=1, turn=1), 3, "no fault entry before it"),
        (recording.crashed, repeat("fault"), 3, "it was told before"),
        (recording.crashed, put("fault", at=0), 2, "before what precedes it"),
        (recording.crashed, put("fault", fault="over_memory"), 4, 'reason is "crashed"'),
        (recording.crashed, put("fault", text="a meteorite"), 4, "text is"),
        (
            recording.eventful,
            put("fault", 1, seat=1, turn=3),
            5,
            "a fault of the bot after 2000 ns must have ended it",
        ),
        (recording.eventful, put("fault", 2, at=0), 4, "before what precedes it"),
        (recording.over_memory, drop("fault"), 1, "no fault entry before it"),
        (recording.over_memory, put("fault", seat=1), 2, "winner is 1, but must be 2"),
        # The start.
        (recording.finished, put("begin", position=OTHER_START), 0, "position is"),
        (recording.finished, put("begin", position="upside down"), 0, "a position has 6 fields"),
        (recording.finished, put("begin", game="chess"), 0, "unknown game 'chess'"),
        (recording.finished, put("begin", variant="blitz"), 0, "unknown variant of sudoku 'blitz'"),
        (recording.finished, put("begin", options={"board": "empty-2x2"}), 0, "position is"),
        (recording.finished, put("begin", options={"colour": "red"}), 0, "unknown option of sudoku 'colour'"),
        (recording.finished, lambda found: found[0]["bots"].reverse(), 0, "the seats of bots is [2, 1]"),
        (recording.finished, lambda found: found[0]["bots"].pop(), 0, "the seats of bots is [1]"),
        (recording.in_series, put("begin", match="m-3"), 0, "seed is"),
        (recording.in_series, put("begin", match="m-1"), 0, "bots is"),
        (recording.in_series, put("begin", match="n-2"), 0, "the series in match"),
        (recording.in_series, put("begin", match="m-5"), 0, "no game of its series"),
        (recording.in_series, put("begin", match="m-x"), 0, "no game of its series"),
        (recording.in_series, swap_bots, 0, "bots is"),
        # The verdict.
        (recording.finished, put("verdict", winner=2), 5, "winner is 2, but must be 1"),
        (recording.finished, put("verdict", winner=None), 5, "winner is null"),
        (recording.finished, put("verdict", scores=[10, 8]), 5, "scores is"),
        (recording.finished, put("verdict", text="board full, 7 : 10"), 5, "text is"),
        (recording.finished, put("verdict", position=OTHER_START), 5, "position is"),
        (recording.finished, put("verdict", void=True), 5, "void is true"),
        (recording.finished, put("verdict", reason="resigned", text="seat 2 resigned"), 5, "reason is"),
        (recording.illegal, put("verdict", reason="no_move"), 2, 'reason is "no_move"'),
        (recording.silent, put("verdict", reason="crashed"), 2, 'reason is "crashed"'),
        (recording.silent, put("verdict", text="seat 1 was unlucky"), 2, "text is"),
        (recording.disconnected, put("verdict", winner=1), 2, "its text does not fit a winner 1"),
        (recording.disconnected, put("verdict", winner=None), 2, "its text does not fit"),
        (recording.disconnected, put("verdict", reason="crashed"), 2, "no fault entry before it"),
        (recording.disconnected, put("verdict", reason="late"), 2, "nothing before it makes the match end"),
        (
            recording.disconnected,
            put("verdict", reason="abandoned"),
            2,
            "nothing before it makes the match end",
        ),
        (recording.disconnected, put("verdict", reason="no_show"), 2, "no_show cannot be after a turn"),
        (recording.disconnected, put("verdict", void=True), 2, "void is true"),
        (recording.no_show, put("verdict", winner=1), 1, "its text does not fit a winner 1"),
        (recording.no_show, put("verdict", void=False), 1, "void is false"),
        (recording.declined, put("verdict", winner=1), 1, "winner is 1"),
        # Fairness: the way of each bot, what it was given for it, and turns that were played again.
        (recording.credited, put("turn", 1, credit=0), 2, "credit is 0, but must be 500000"),
        (recording.credited, put("turn", 2, credit=500_000), 3, "credit is 500000, but must be 0"),
        (recording.credited, put("turn", 3, credit=1_700_000), 6, "credit is 1700000, but must be 1100000"),
        (recording.credited, put("turn", 1, budget=350_000_001), 2, "budget is"),
        (recording.credited, put("turn", 1, line=55_000_000), 2, "line is"),
        (recording.credited, put_time(latency_credit=False), 2, "credit is 500000, but must be 0"),
        (recording.credited, lambda found: found[0]["bots"][0].update(bot="random"), 2, "credit is"),
        (recording.credited, put("trips", 2, trips=[[9], [9]]), 6, "credit is"),
        (recording.credited, drop("trips"), 1, "credit is"),
        (recording.credited, put("verdict", fairness=FAIR), 8, "fairness is"),
        (recording.credited, put_fairness(difference=0), 8, "fairness is"),
        (recording.credited, put_fairness(bound=10**9), 8, "fairness is"),
        (recording.credited, put("turn", 1, handed=77), 8, "fairness is"),
        (recording.credited, put("turn", 1, handed=10**9), 2, "when it had ended"),
        (recording.tainted, put("trips", trips=[[1], [1]]), 9, "fairness is"),
        (recording.tainted, put("trips", trips=[[1]]), 1, "trips is"),
        (recording.tainted, repeat("trips"), 2, "no trips can follow"),
        (recording.tainted, put("tainted", ended=LINE), 2, "before the line"),
        (recording.tainted, put("tainted", ending="done"), 2, "ending is"),
        (recording.tainted, put("tainted", line=LINE + 1), 2, "line is"),
        (recording.tainted, put("tainted", turn=2), 2, "turn is 2, but must be 1"),
        (recording.tainted, put("tainted", position=OTHER_START), 2, "position is"),
        (recording.tainted, put("tainted", more=True), 2, 'tainted has a key "more"'),
        (recording.not_again, put("verdict", winner=1, void=False), 4, "winner is 1"),
        (recording.not_again, put("verdict", void=False), 4, "void is false"),
        (
            recording.not_again,
            put("verdict", text="turn 1 could not be played again: x"),
            4,
            "its text does not fit",
        ),
        (recording.not_again, drop("tainted"), 3, "no turn before it was tainted"),
        (recording.finished, put("verdict", reason="tainted"), 5, "reason is"),
    ],
)
def test_a_forgery_is_found_where_it_is(
    folder: Path, play: Play, change: Callable[[list[Data]], object], entry: int, flaw: str
) -> None:
    """Chain, checksums and seal are in order: the rules and the clock tell, and name the first wrong entry."""
    found = bodies(recorded(play, folder))
    change(found)
    result = audited(forged(found))
    assert (result.state, result.entry) == (State.BAD, entry), result.flaw
    assert flaw in result.flaw
    kind = found[entry]["kind"] if entry < len(found) else ""
    assert (result.turn is not None) == (kind == "turn")


def test_a_record_sealed_by_another_key_is_found_if_the_key_is_known(folder: Path) -> None:
    """Somebody may play a whole match himself; only the key tells that the referee did not."""
    data = recorded(recording.finished, folder)
    copied = forged(bodies(data))
    assert audited(copied).state is State.OK
    assert audited(data, FOREIGN, KEY).state is State.OK
    result = audited(copied, KEY)
    assert (result.state, result.entry) == (State.BAD, 6)
    assert result.flaw == f"it is sealed by another key than asked for: {public_hex(FOREIGN)}"


def test_a_seal_is_of_the_key_named_before_and_for_this_record(folder: Path) -> None:
    """Neither a key that nobody announced nor a seal cut out of another record will do."""
    data = recorded(recording.finished, folder)
    foreign = forged(bodies(data)).splitlines(keepends=True)[-1]
    own = data.splitlines(keepends=True)
    body = json.loads(own[-1][18:]) | {"key": public_hex(FOREIGN)}
    other_key = line_of(json.dumps(body, separators=(",", ":")).encode())
    assert audited(b"".join([*own[:-1], other_key])).flaw.startswith("key is")
    body = json.loads(own[-1][18:]) | {"signature": json.loads(foreign[18:])["signature"]}
    other_seal = line_of(json.dumps(body, separators=(",", ":")).encode())
    result = audited(b"".join([*own[:-1], other_seal]))
    assert (result.entry, result.flaw) == (6, "its signature is not of this key for this record")


#: What only the referee and the bots can know, as far as the rest allows; who changes it must break the seal.
TAKEN_ON_TRUST = {
    *("begin.shotclock", "begin.match", "begin.messages", "begin.ready_within", "begin.began"),
    *("begin.time.hidden", "begin.time.nodes"),
    *("begin.time.latency_credit", "turn.handed"),  # if nothing came of it
    *("begin.bots.bot", "begin.seed", "begin.newest"),  # if nothing was drawn by it and nobody went on
    *(f"{kind}.bots.{of}" for kind in ("begin", "resume") for of in ("name", "version", "author")),
    *(f"{kind}.{of}" for kind in ("begin", "resume") for of in ("cores", "bots.custody.cores")),
    *("begin.memory", "begin.processes"),
    *("resume.began", "verdict.ended"),
    *("turn.sent", "turn.heard.at", "turn.heard.note"),
    *("turn.heard.move", "fault.fault", "fault.text", "fault.at"),  # if it made no difference
    *("begin.options.board", "turn.heard.refused"),  # with a note
}
MOMENT = "2026-11-18T09:30:00.000+00:00"
VALUES: list[Any] = [None, True, 0, 1, 2, -1, 1.5, 10**30, "", "x", "died", MOMENT, [], ["x"], {}, {"x": 1}]


def test_any_value_at_any_place_is_judged(folder: Path) -> None:
    """A wrong type is a finding like any other, never a failure; and it is known what nobody can check."""
    unseen: set[str] = set()
    for play in (recording.eventful, recording.went_on, recording.crashed):
        found = bodies(recorded(play, folder))
        for number, entry in enumerate(found):
            for place in places(entry):
                name = ".".join([entry["kind"], *(step for step in place if isinstance(step, str))])
                for value in [*VALUES, *neighbours(entry, place)]:
                    changed = [*found[:number], copy.deepcopy(entry), *found[number + 1 :]]
                    if replace_at(changed[number], place, value) and unnoticed(changed, number):
                        unseen.add(name)
    assert unseen == TAKEN_ON_TRUST


def unnoticed(changed: list[Data], number: int) -> bool:
    """Nothing before the entry that was changed may be blamed."""
    result = audited(forged(changed))
    assert result.entry is None or result.entry >= number, (number, result)
    return result.state is State.OK


Place = tuple[str | int, ...]


def places(value: Any, here: Place = ()) -> Iterator[Place]:  # noqa: ANN401 - anything can stand in JSON
    """Every key and index in an entry, but for what a forger makes anew."""
    steps: list[Any] = []
    if isinstance(value, dict):
        steps = [key for key in value if key not in {"seq", "prev", "key", "signature"}]
    elif isinstance(value, list):
        steps = list(range(len(value)))
    for step in steps:
        yield (*here, step)
        yield from places(value[step], (*here, step))


def neighbours(entry: Any, place: Place) -> list[int]:  # noqa: ANN401 - anything can stand in JSON
    """The numbers next to the one that is there."""
    for step in place:
        entry = entry[step]
    return [entry - 1, entry + 1] if type(entry) is int else []


def replace_at(entry: Any, place: Place, value: object) -> bool:  # noqa: ANN401 - anything can stand in JSON
    """Whether it was something else before."""
    for step in place[:-1]:
        entry = entry[step]
    before = entry[place[-1]]
    entry[place[-1]] = value
    return before != value or type(before) is not type(value)


@pytest.mark.parametrize("play", [recording.eventful, recording.went_on])
def test_every_key_must_be_there_and_no_other(folder: Path, play: Play) -> None:
    """A key more, a key less and a key out of order are found in their entry."""
    found = bodies(recorded(play, folder))
    for number, entry in enumerate(found):
        for name in entry.keys() - {"seq", "prev", "more"}:
            less, turned = copy.deepcopy(found), copy.deepcopy(found)
            del less[number][name]
            turned[number][name] = turned[number].pop(name)
            is_last = [*entry][-1] == name
            for changed in [less] if is_last else [less, turned]:
                result = audited(forged(changed))
                assert (result.state, result.entry) == (State.BAD, number), (name, result.flaw)
        more = copy.deepcopy(found)
        more[number]["comment"] = "fine"
        assert audited(forged(more)).entry == number


# What can only be said, not judged.


def test_a_start_from_a_file_stands_as_recorded(folder: Path, tmp_path: Path) -> None:
    """No file that a record names is opened, not even one that is there."""
    pipe = tmp_path / "board.txt"
    os.mkfifo(pipe)  # to open it would wait for ever
    found = bodies(recorded(recording.finished, folder))
    found[0]["options"]["board"] = str(pipe)
    result = audited(forged(found))
    assert (result.state, result.flaw) == (State.OK, "")
    assert list(result.notes) == ["the start is a file of the organiser's and stands as recorded"]


@pytest.mark.parametrize("board", ["no-such-board", "x" * 5000, "\0", ""])
def test_a_start_that_cannot_be_made_again_stands_as_recorded(folder: Path, board: str) -> None:
    """Which is said."""
    found = bodies(recorded(recording.finished, folder))
    found[0]["options"]["board"] = board
    result = audited(forged(found))
    assert (result.state, result.flaw) == (State.OK, "")
    assert next(iter(result.notes)).startswith("the start stands as recorded: ")


@pytest.mark.parametrize(
    ("play", "position", "flaw"),
    [
        (recording.silent, "classic 2x2 1,2,3,4/3,4,1,2/2,1,4,3/4,3,2,1 0:0 1 -", "the game is over"),
        (recording.replaced, "classic 2x2 1,3,4,2/2,4,3,./4,1,2,3/3,2,.,1 0:0 1 -", "no move left"),
    ],
)
def test_a_start_as_recorded_may_be_no_start_at_all(
    folder: Path, play: Play, position: str, flaw: str
) -> None:
    """Whatever cannot be played on is found in the first turn."""
    found = bodies(recorded(play, folder))
    found[0]["options"]["board"] = "my/board.txt"
    found[0]["position"] = found[1]["position"] = position
    result = audited(forged(found))
    assert (result.state, result.entry) == (State.BAD, 1)
    assert flaw in result.flaw


def test_a_start_is_written_in_one_way_only(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if a game is generous in what it reads."""
    generous = dataclasses.replace(find_game("sudoku"), parse=lambda text: Sudoku.parse(text.strip()))
    monkeypatch.setattr(replay, "game_named", lambda _: generous)
    found = bodies(recorded(recording.no_show, folder))
    found[0]["options"]["board"] = "my/board.txt"
    found[0]["position"] += " "
    result = audited(forged(found))
    assert (result.state, result.entry) == (State.BAD, 0)


def test_rules_may_find_other_words_for_a_refusal(folder: Path) -> None:
    """An old record is no worse for it."""
    found = bodies(recorded(recording.illegal, folder))
    entry_of(found, "turn")["heard"][1]["refused"] = "no"
    entry_of(found, "verdict")["text"] = "seat 1 played an illegal move: no"
    result = audited(forged(found))
    assert (result.state, result.flaw) == (State.OK, "")
    assert list(result.notes) == ["refusals that the rules word differently today"]


LARGE_BOARD = "5 5\n" + 25 * (25 * ". " + "\n")


@pytest.mark.parametrize("then", [True, None, False])
@pytest.mark.parametrize("now", [True, None, False])
def test_what_the_oracle_could_not_decide_stands_as_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, then: bool | None, now: bool | None
) -> None:
    """On a 25x25 board, if it gave up then or gives up now; if it says the opposite, something is wrong."""
    board = tmp_path / "large.txt"
    board.write_text(LARGE_BOARD)
    path = tmp_path / "large.match"
    monkeypatch.setattr(games.sudoku.boards, "solvable", lambda *_: None)
    monkeypatch.setattr(games.sudoku.position, "solvable", lambda *_: then)
    recording.one_move(path, board, "r1c1=1")
    monkeypatch.setattr(games.sudoku.position, "solvable", lambda *_: now)
    result = audited(path.read_bytes())
    if None in {then, now} or then is now:
        assert (result.state, result.flaw) == (State.OK, "")
    else:
        assert (result.state, result.entry) == (State.BAD, 1)
    assert any("undecided" in note for note in result.notes) == (None in {then, now})


# The command.


@pytest.fixture
def several(folder: Path, tmp_path: Path) -> Path:
    """A folder with a finished match, an unfinished one, one that was cut off, and a forged one below."""
    here = tmp_path / "several"
    (here / "deeper").mkdir(parents=True)
    data = recorded(recording.finished, folder)
    (here / "good.match").write_bytes(data)
    (here / "stopped.match").write_bytes(recorded(recording.abandoned, folder))
    (here / "torn.match").write_bytes(data[:2000])
    changed = bodies(data)
    changed[2]["seat"] = 1
    (here / "deeper" / "forged.match").write_bytes(forged(changed))
    (here / "no record.txt").write_text("nothing")
    return here


@pytest.mark.usefixtures("several")
async def test_one_record_is_told_in_a_few_lines(tmp_path: Path) -> None:
    """What was played, how it ended, and who says so."""
    done = await shotclock("verify", "several/good.match", "--key", public_hex(KEY), folder=tmp_path)
    assert (done.code, done.err) == (0, "")
    first, match, *rest = done.out.splitlines()
    assert first == "several/good.match: ok"
    assert match.startswith("match m-1: sudoku classic, began 20")
    assert rest == [
        "seat 1: Greedy    seat 2: Random",
        "seat 1 wins: finished, board full, 10 : 7",
        "4 turns",
        f"sealed by {public_hex(KEY)}",
    ]


@pytest.mark.parametrize(
    ("arguments", "code", "line"),
    [
        ("deeper/forged.match", 1, "deeper/forged.match: bad, entry 2 (turn 2): seat is 1, but must be 2"),
        ("torn.match", 0, "torn.match: unfinished, cut off after entry 1"),
        ("stopped.match", 0, "stopped.match: unfinished"),
        ("stopped.match --finished", 1, "stopped.match: unfinished"),
    ],
)
async def test_what_is_wrong_is_named_first_and_by_exit_code(
    several: Path, arguments: str, code: int, line: str
) -> None:
    """The entry, the turn, and what it should have been."""
    done = await shotclock("verify", *arguments.split(), folder=several)
    assert (done.code, done.out.splitlines()[0]) == (code, line)


@pytest.mark.usefixtures("several")
async def test_a_folder_gives_a_table_and_a_line_for_each_bad_record(tmp_path: Path) -> None:
    """Records below it, too; other files are none of them."""
    done = await shotclock("verify", "several", folder=tmp_path)
    first, *table = done.out.splitlines()
    assert (done.code, done.err) == (1, "")
    assert first == "several/deeper/forged.match: bad, entry 2 (turn 2): seat is 1, but must be 2"
    rows = [[cell.strip() for cell in row.split("│")[1:-1]] for row in table if "│" in row]
    assert rows == [["bad", "", "1"], ["ok", "finished", "1"], ["unfinished", "", "2"], ["all", "", "4"]]


@pytest.mark.usefixtures("several")
async def test_json_tells_everything_about_every_record(tmp_path: Path) -> None:
    """One object, however many records."""
    done = await shotclock("verify", "several", "--json", folder=tmp_path)
    told = json.loads(done.out)
    assert done.code == 1
    assert {key: told[key] for key in ("files", "ok", "bad", "unfinished")} == {
        "files": 4,
        "ok": 1,
        "bad": 1,
        "unfinished": 2,
    }
    forgery, good, *_ = told["records"]
    assert (forgery["entry"], forgery["turn"], forgery["flaw"]) == (2, 2, "seat is 1, but must be 2")
    assert (good["state"], good["match"], good["winner"], good["turns"]) == ("ok", "m-1", 1, 4)
    assert (told["reasons"], good["key"]) == ({"finished": 1}, public_hex(KEY))


@pytest.mark.parametrize(
    ("paths", "keys", "sentence"),
    [
        (["nowhere.match"], [], "there is no record nowhere.match"),
        (["several", "good.match"], [], "there is no record good.match"),
        (["nothing"], [], "there is no record in the folder nothing: records are called *.match"),
        (["several"], ["abc"], "abc is neither 64 hex digits nor a file with a public key: No such file"),
        (["several"], ["several/good.match"], "several/good.match holds no Ed25519 public key"),
    ],
)
def test_a_mistake_is_one_sentence(
    several: Path, paths: list[str], keys: list[str], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is checked by halves."""
    monkeypatch.chdir(several.parent)
    Path("nothing").mkdir()
    with pytest.raises(Mistake) as mistake:
        verify.verify([Path(path) for path in paths], key=keys)
    assert str(mistake.value).startswith(sentence)


@pytest.mark.usefixtures("several")
async def test_a_mistake_is_told_by_exit_code(tmp_path: Path) -> None:
    """As with any command."""
    done = await shotclock("verify", "nowhere.match", folder=tmp_path)
    assert (done.code, done.out, done.err) == (2, "", "shotclock: there is no record nowhere.match\n")


async def test_what_play_wrote_is_verified_with_the_exported_key(tmp_path: Path) -> None:
    """From two commands to a third: a series in which moves are drawn, under the referee's own key and no other."""
    (tmp_path / "records").mkdir()
    bot = write_bot(tmp_path, "yield 'r1c1=1'")
    played = (
        f"play sudoku {bot} greedy --board easy-2x2 --ruling replaced --games 2 --records records".split()
    )
    assert (await shotclock(*played, folder=tmp_path)).code == 0
    assert (await shotclock(*"key --export public.pem".split(), folder=tmp_path)).code == 0
    done = await shotclock(*"verify records --key public.pem --finished --json".split(), folder=tmp_path)
    told = json.loads(done.out)
    assert (done.code, told["ok"], told["files"]) == (0, 2, 2)
    other_key = await shotclock("verify", "records", "--key", public_hex(FOREIGN), folder=tmp_path)
    assert other_key.code == 1
    assert other_key.out.count("sealed by another key") == 2


@pytest.mark.usefixtures("several")
async def test_what_json_prints_is_documented(tmp_path: Path) -> None:
    """Every key, of the whole and of a record."""
    told = json.loads((await shotclock("verify", "several", "--json", folder=tmp_path)).out)
    page = (DOCS / "cli.md").read_text().partition("## shotclock verify")[2]
    assert [key for key in [*told, *told["records"][0]] if f"`{key}`" not in page] == []


@pytest.mark.parametrize(("name", "code"), [("good", 0), ("deeper/forged", 1), ("torn", 1)])
def test_the_program_in_the_documents_finds_what_no_rules_are_needed_for(
    several: Path, name: str, code: int
) -> None:
    """Whoever trusts nobody's code but his own starts from there."""
    (program,) = re.findall(r"```python\n(.*?)```", (DOCS / "record.md").read_text(), re.DOTALL)
    arguments = [sys.executable, "-c", program, str(several / f"{name}.match"), public_hex(KEY)]
    assert subprocess.run(arguments, check=False, capture_output=True).returncode == code


def test_many_records_are_shared_out_and_come_back_in_order(folder: Path, tmp_path: Path) -> None:
    """Other processes find the same as this one."""
    data = recorded(recording.finished, folder)
    for number in range(folder_of_records.MANY):
        (tmp_path / f"{number:03}.match").write_bytes(data)
    (tmp_path / "040.match").write_bytes(data.replace(b'"turn":3', b'"turn":4'))
    files = folder_of_records.records_in([tmp_path, tmp_path / "040.match"])
    results = list(folder_of_records.audit_all(files, frozenset()))
    assert [Path(result.file) for result in results] == files == sorted(tmp_path.iterdir())
    bad = [result for result in results if result.state is not State.OK]
    assert [Path(result.file).name for result in bad] == ["040.match"]


def test_progress_is_a_line_now_and_then_without_a_terminal(
    several: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On stderr, with what is known so far."""
    monkeypatch.setattr(verify, "EVERY", -1.0)
    with pytest.raises(Exception) as ended:  # noqa: PT011 - typer's own
        verify.verify([several])
    assert getattr(ended.value, "exit_code", None) == 1
    assert capsys.readouterr().err.splitlines() == [
        f"{number} of 4 records checked, 1 bad" for number in range(1, 5)
    ]


async def test_a_terminal_shows_a_bar_that_goes_away(several: Path, tmp_path: Path) -> None:
    """Only the result stays."""
    terminal, other_side = pty.openpty()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", "referee", "verify", str(several)),
        stdout=asyncio.subprocess.PIPE,
        stderr=other_side,
        env=os.environ | private(tmp_path) | {"TERM": "xterm"},
    )
    os.close(other_side)
    out, _ = await process.communicate()
    shown = os.read(terminal, 100_000).decode()
    os.close(terminal)
    assert "4/4" in shown
    assert "1 bad" in shown
    assert "forged.match: bad" in out.decode()


def test_a_record_cannot_write_on_the_terminal(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Names in it are a stranger's text."""
    found = bodies(recorded(recording.finished, folder))
    found[0]["bots"][0]["name"] = "\x1b[2Jgone\u202e"
    path = tmp_path / "rude.match"
    path.write_bytes(forged(found))
    verify.verify([path])
    assert "seat 1: �[2Jgone�" in capsys.readouterr().out


def test_a_file_that_cannot_be_read_is_bad(tmp_path: Path) -> None:
    """One of many must not end the check of the others."""
    missing = tmp_path / "gone.match"
    (result,) = folder_of_records.audit_all([missing], frozenset())
    assert (result.state, result.entry, result.flaw) == (
        State.BAD,
        None,
        "it cannot be read: No such file or directory",
    )


def test_a_process_that_is_killed_ends_the_command_with_a_sentence(folder: Path) -> None:
    """It does not wait for an answer that will never come."""
    recorded(recording.finished, folder)
    results = folder_of_records.audit_all([folder / "finished.match"] * 20_000, frozenset())
    next(results)
    for process in grandchildren(os.getpid()):
        os.kill(process, signal.SIGKILL)
    with pytest.raises(Mistake, match="a process that checked records was killed"):
        list(results)


async def test_no_process_outlives_the_command(folder: Path, tmp_path: Path) -> None:
    """Not even if it is killed, when it can tell nobody."""
    data = recorded(recording.finished, folder)
    for number in range(2000):
        (tmp_path / f"{number}.match").write_bytes(data)
    process = await start("verify", ".", folder=tmp_path)
    patience = time.monotonic() + PATIENCE
    while not grandchildren(process.pid):
        assert time.monotonic() < patience
    family = descendants(process.pid)
    process.kill()
    async with asyncio.timeout(PATIENCE):
        await process.communicate()
        await all_ended(family)


def grandchildren(pid: int) -> set[int]:
    """The processes that check: children of one that was started to start them."""
    everyone = descendants(pid)
    return set().union(*(descendants(process) for process in everyone))
