"""What is logged: one line per match, one per fault, and what the bots themselves had to say."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.hosting import write_bot
from tests.playing import shotclock

FAULTY = (
    "print('thinking of', turn.number)\nyield position.legal_moves()[0]\nraise RuntimeError('out of ideas')"
)


def lines(text: str) -> list[dict[str, Any]]:
    """Log lines; a host's file holds what it printed, too."""
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


async def test_json_lines_tell_every_match_and_every_fault_once(tmp_path: Path) -> None:
    """A series of two: each match has its one line, each fault has its own with match and seat."""
    bot = write_bot(tmp_path, FAULTY)
    arguments = f"--log-format json play sudoku {bot} greedy --board easy-2x2 --games 2 --json".split()
    done = await shotclock(*arguments, folder=tmp_path)
    assert done.code == 0
    logged = [json.loads(line) for line in done.err.splitlines()]
    games = json.loads(done.out)["games"]
    finished = [line for line in logged if line["event"] == "match_finished"]
    assert [line["match_id"] for line in finished] == [game["match"] for game in games]
    for line, game in zip(finished, games, strict=True):
        assert (line["reason"], line["winner"], line["scores"]) == (
            "finished",
            game["winner"],
            game["scores"],
        )
        assert (line["turns"], line["faults"]) == (len(game["turns"]), len(game["faults"]))
        assert (line["level"], line["game"]) == ("info", "sudoku")
    faults = [line for line in logged if line["event"] == "bot_fault"]
    assert len(faults) >= 4
    keys = ("match_id", "seat", "turn", "kind", "text")
    assert [tuple(line[key] for key in keys) for line in faults] == [
        (game["match"], *(fault[key] for key in keys[1:])) for game in games for fault in game["faults"]
    ]
    assert {(line["match_id"], line["seat"]) for line in faults} == {
        (games[0]["match"], 1),
        (games[1]["match"], 2),
    }
    assert {line["level"] for line in faults} == {"warning"}
    assert len(logged) == len(finished) + len(faults)


async def test_console_lines_are_for_people(tmp_path: Path) -> None:
    """The default: a time, a level, the event and its facts, without colours where nobody sees them."""
    done = await shotclock(*"play sudoku greedy greedy --board easy-2x2 --json".split(), folder=tmp_path)
    (line,) = done.err.splitlines()
    match = json.loads(done.out)["match"]
    assert "[info     ] match_finished " in line
    assert f"match_id={match} reason=finished" in line
    assert line.isprintable()


@pytest.mark.parametrize(
    ("level", "events"),
    [("warning", {"bot_fault"}), ("info", {"bot_fault", "match_finished"}), ("error", set())],
)
async def test_a_level_silences_what_is_below_it(tmp_path: Path, level: str, events: set[str]) -> None:
    """A match with faults says nothing on stderr when only errors are asked for."""
    options = f"--log-format json --log-level {level}".split()
    bots = (write_bot(tmp_path, FAULTY), "greedy")
    done = await shotclock(*options, "play", "sudoku", *bots, "--board", "easy-2x2", folder=tmp_path)
    assert done.code == 0
    assert {json.loads(line)["event"] for line in done.err.splitlines()} == events


async def test_logs_of_hosts_and_authors_are_kept(tmp_path: Path) -> None:
    """`--logs` keeps, per bot, its host's lines with match and seat, and what its author's code printed."""
    bot = write_bot(tmp_path, FAULTY)
    arguments = f"play sudoku greedy {bot} --board easy-2x2 --logs kept/here --json".split()
    done = await shotclock(*arguments, folder=tmp_path)
    match = json.loads(done.out)
    kept = {path.name: path.read_text() for path in (tmp_path / "kept" / "here").iterdir()}
    assert sorted(kept) == ["bot1.host.log", "bot1.log", "bot2.host.log", "bot2.log"]

    for seat, faults in ((1, 0), (2, 2)):
        logged = lines(kept[f"bot{seat}.host.log"])
        assert {(line["match_id"], line["seat"]) for line in logged} == {(match["match"], seat)}
        (served,) = [line for line in logged if line["event"] == "match_served"]
        assert (served["game"], served["turns"], served["faults"]) == ("sudoku", 2, faults)
        assert len([line for line in logged if line["event"] == "bot_fault"]) == faults

    assert kept["bot1.log"] == ""
    said = kept["bot2.log"].splitlines()
    assert [line for line in said if line.startswith("thinking")] == ["thinking of 2", "thinking of 4"]
    assert said.count("RuntimeError: out of ideas") == 2
