"""Records as users meet them: written by play, shown, replayed, gone on with."""

import asyncio
import json
import os
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from games import Mistake
from referee.journal import read
from referee.pings import PINGS
from referee.play import play
from referee.record import read_record, restore
from tests.hosting import write_bot
from tests.playing import PATIENCE, Finished, all_ended, descendants, private, shotclock, start
from tests.windows import window

#: Slow enough to be caught in the middle of a match.
SLOW = "import time\ntime.sleep(0.05)\nyield position.legal_moves()[0]"


def records(folder: Path) -> list[Path]:
    return sorted((folder / "state" / "shotclock" / "records").rglob("*.match"))


async def played(folder: Path, command: str) -> Any:  # noqa: ANN401 - whatever JSON says
    done = await shotclock("--log-level", "error", *shlex.split(command), folder=folder)
    assert (done.code, done.err) == (0, "")
    return json.loads(done.out)


async def test_every_match_leaves_a_sealed_record(tmp_path: Path) -> None:
    """It says what --json says, and its seal is the key's that `shotclock key` shows."""
    match = await played(tmp_path, "play sudoku greedy minimax --board easy-2x2 --turn 1s --seed 7 --json")
    (path,) = records(tmp_path)
    assert match["record"] == str(path)
    *_, verdict, seal = read(path).entries
    assert (verdict["winner"], verdict["scores"]) == (match["winner"], match["scores"])
    restored = restore(read_record(path))
    assert restored.moves == match["moves"]
    assert [report.effect for report in restored.reports] == [turn["effect"] for turn in match["turns"]]
    shown = await shotclock("key", folder=tmp_path)
    public, where = shown.out.split()
    assert public == seal["key"]
    assert Path(where).stat().st_mode & 0o777 == 0o600
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
    key.verify(bytes.fromhex(seal["signature"]), f"shotclock record {seal['prev']}".encode())
    exported = await shotclock("key", "--export", "mine.pem", folder=tmp_path)
    assert exported.code == 0
    assert (tmp_path / "mine.pem").read_text().startswith("-----BEGIN PUBLIC KEY-----")


async def test_a_record_is_shown(tmp_path: Path) -> None:
    """As text with the verdict, or with --json entry by entry."""
    match = await played(tmp_path, "play sudoku greedy random --board easy-2x2 --json")
    text = await shotclock("record", "show", match["record"], folder=tmp_path)
    assert (text.code, text.err) == (0, "")
    assert match["text"] in text.out
    assert all(move in text.out for move in match["moves"])
    data = await shotclock("record", "show", match["record"], "--json", folder=tmp_path)
    kinds = [entry["kind"] for entry in json.loads(data.out)["entries"]]
    assert kinds == ["begin", "trips", *["turn"] * len(match["moves"]), "verdict", "seal"]


async def test_a_faulty_bot_leaves_its_fault_and_the_refused_move(tmp_path: Path) -> None:
    """The record explains the verdict."""
    bot = write_bot(tmp_path, "yield 'r1c1=9'\nraise RuntimeError('out of ideas')")
    await played(tmp_path, f"play sudoku {bot} greedy --board easy-2x2 --json")
    (path,) = records(tmp_path)
    trips, fault, turn, verdict = read(path).entries[1:-1]
    assert [len(one) for one in trips["trips"]] == [PINGS, PINGS]
    assert (fault["fault"], fault["turn"]) == ("raised", 1)
    assert "out of ideas" in fault["text"]
    assert (turn["ending"], turn["move"], turn["after"]) == ("fault", None, None)
    assert turn["heard"][0]["refused"] == verdict["text"].partition("illegal move: ")[2]
    assert (verdict["winner"], verdict["reason"]) == (2, "illegal")


async def test_a_colosseum_bot_that_cheats_is_walked_at_random(tmp_path: Path) -> None:
    """By the ruling of the game, and its record says so."""
    bot = write_bot(tmp_path, "yield '99,99,u'")
    match = await played(tmp_path, f"play colosseum {bot} random --option size=6 --seed 3 --json")
    assert (match["ruling"], match["reason"]) == ("replaced", "finished")
    turns = [entry for entry in read(Path(match["record"])).entries if entry["kind"] == "turn"]
    assert all(turn["replaced"] is (turn["seat"] == 1) for turn in turns)
    verified = await shotclock("verify", match["record"], folder=tmp_path)
    assert verified.code == 0


async def test_a_tetress_bot_whose_process_dies_loses(tmp_path: Path) -> None:
    """In whatever way it does."""
    bot = write_bot(tmp_path, "os.kill(os.getpid(), signal.SIGKILL)")
    match = await played(tmp_path, f"play tetress random {bot} --json")
    assert (match["winner"], match["reason"], match["budget_ms"]) == (1, "crashed", 180_000.0)


def series(folder: Path) -> str:
    return f"play sudoku {write_bot(folder, SLOW)} random --board easy-2x2 --games 4 --seed 7 --json"


async def kill_in_mid_series(folder: Path) -> None:
    """Once the second match has moves in its record."""
    process = await start("--log-level", "error", *series(folder).split(), folder=folder)
    async with asyncio.timeout(PATIENCE):
        while len(paths := records(folder)) < 2 or paths[1].read_bytes().count(b"\n") < 3:  # noqa: ASYNC110 - a file has no event
            await asyncio.sleep(0.001)
        processes = descendants(process.pid)
        process.kill()
        await process.communicate()
        await all_ended(processes)


async def test_a_killed_series_goes_on_to_the_same_results(tmp_path: Path) -> None:
    """Finished games are left alone, the one under way goes on from its last move, the others follow."""
    calm = tmp_path / "calm"
    calm.mkdir()
    expected = await played(calm, series(tmp_path))
    await kill_in_mid_series(tmp_path)
    folder = records(tmp_path)[0].parent
    finished = {path: path.read_bytes() for path in records(tmp_path) if read_record(path).verdict}
    went_on = await played(tmp_path, f"play --resume {folder} --json")
    assert went_on["standings"] == expected["standings"]
    for game, calm_game in zip(went_on["games"], expected["games"], strict=True):
        for key in ("moves", "scores", "winner", "seed", "position"):
            assert game[key] == calm_game[key]
    assert len(records(tmp_path)) == 4
    assert all(path.read_bytes() == data for path, data in finished.items())
    again = await played(tmp_path, f"play --resume {folder} --json")
    assert [game["moves"] for game in again["games"]] == [game["moves"] for game in went_on["games"]]


async def test_one_match_of_a_series_can_go_on(tmp_path: Path) -> None:
    """The record of one match is enough, wherever it is and whatever it is called."""
    await kill_in_mid_series(tmp_path)
    unfinished = [path for path in records(tmp_path) if read_record(path).verdict is None]
    moved = unfinished[0].rename(tmp_path / "renamed.match")
    before = read_record(moved)
    match = await played(tmp_path, f"play --resume {moved} --json")
    assert match["match"] == before.terms.match_id
    assert match["moves"][: len(before.turns)] == [turn["move"] for turn in before.turns]
    kinds = [entry["kind"] for entry in read(moved).entries]
    assert (kinds.count("resume"), kinds[-2:]) == (1, ["verdict", "seal"])


async def test_replay_prints_every_turn_without_a_terminal(tmp_path: Path) -> None:
    """The boards in order, then the verdict."""
    match = await played(tmp_path, "play sudoku greedy random --board easy-2x2 --json")
    done = await shotclock("replay", match["record"], folder=tmp_path)
    assert done.code == 0
    assert done.out.count("+------+------+") == 3 * (len(match["moves"]) + 1)
    assert match["text"] in done.out


async def test_a_turn_is_given_to_a_bot_again(tmp_path: Path) -> None:
    """The same bot with the same seed answers the same; another one is shown beside it."""
    match = await played(tmp_path, "play sudoku greedy random --board easy-3x3 --seed 7 --json")
    same = await shotclock("replay", match["record"], "--turn", "2", "--bot", "random", folder=tmp_path)
    assert (same.code, same.out.count(f"│ {match['moves'][1]} ")) == (0, 2)
    other = await shotclock(
        "replay", match["record"], "--turn", "3", "--bot", "minimax,depth=1", folder=tmp_path
    )
    assert other.code == 0
    assert "now: minimax,depth=1" in other.out
    assert "depth 1" in other.out


async def test_replay_steps_through_on_a_terminal(tmp_path: Path) -> None:
    """Forward, back, to the end, to the start, to a turn, autoplay, quit; the terminal is as before afterwards."""
    match = await played(tmp_path, "play sudoku greedy random --board easy-2x2 --json")
    turns = len(match["moves"])
    right, left, home, end = "\x1b[C", "\x1b[D", "\x1b[H", "\x1b[F"
    steps = [("", 0), (right, 1), (" ", 2), (left, 1), (end, turns), (home, 0), ("3\r", 3), ("a", turns)]
    async with window("replay", match["record"], "--every", "0.1", folder=tmp_path) as terminal:
        for keys, turn in steps:
            terminal.types(keys)
            await terminal.shows(f"turn {turn} of {turns}\n")
        terminal.types("q")
        assert await terminal.ends() == 0


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("play --resume nowhere.match", "there is no record nowhere.match to go on with"),
        ("play --resume text.match", "there is nothing to go on with in text.match: no match had begun"),
        ("play sudoku --resume a.match", "a.match says what is played: give no game or bots with --resume"),
        ("play sudoku --records nowhere", "there is no folder nowhere for records: make it first"),
        ("record show nowhere.match", "cannot read the record nowhere.match: No such file or directory"),
        ("record show text.match", "text.match holds no match: its first entry never reached the disk"),
        ("replay text.match", "text.match holds no match: its first entry never reached the disk"),
    ],
)
async def test_mistakes_with_records(tmp_path: Path, command: str, sentence: str) -> None:
    """One sentence, exit code 2."""
    (tmp_path / "text.match").write_text("Dear diary\n")
    done = await shotclock(*command.split(), folder=tmp_path)
    assert (done.code, done.err) == (2, f"shotclock: {sentence}\n")


@pytest.mark.parametrize(
    "option",
    [
        *("--variant classic", "--board easy-2x2", "--option board=easy-2x2", "--seed 1", "--games 2"),
        *("--turn 1s", "--first-turn 1s", "--budget 1s", "--increment 1s", "--grace 5ms", "--time a.toml"),
        *("--no-clock", "--hidden/--shown", "--cpu/--wall", "--cap 2", "--full-turns/--no-full-turns"),
        *("--nodes 1", "--latency-credit/--no-latency-credit", "--ruling loses", "--memory 250MB"),
        *("--processes 64", "--ponder", "--records ."),
    ],
)
def test_what_a_record_says_is_not_asked_for_again(option: str) -> None:
    """A match that goes on has its clock, its start and its limits: whoever names another is told, not ignored."""
    app = typer.Typer()
    app.command()(play)
    name = option.split(maxsplit=1)[0]
    sentence = re.escape(f"a.match says what was agreed: give no {name} with --resume")
    for typed in option.split("/"):
        with pytest.raises(Mistake, match=sentence):
            app(["--resume", "a.match", *typed.split()], standalone_mode=False)


async def limited(folder: Path, kilobytes: int) -> Finished:
    """Play with every file held to a size, which the kernel enforces as it does a full disk."""
    play = f"{sys.executable} -P -m referee play sudoku random random --board empty-3x3 --json"
    command = f"ulimit -f {kilobytes}; exec {play}"
    process = await asyncio.create_subprocess_exec(
        *("bash", "-c", command),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=os.environ | private(folder),
    )
    async with asyncio.timeout(PATIENCE):
        out, err = await process.communicate()
    return Finished(process.returncode, out.decode(), err.decode())


async def test_a_disk_that_is_full_ends_the_match_without_a_result(tmp_path: Path) -> None:
    """One sentence; what is in the record up to then counts, and there is no verdict."""
    done = await limited(tmp_path, 8)
    assert (done.code, done.out) == (2, "")
    (path,) = records(tmp_path)
    assert done.err == f"shotclock: cannot write the record {path}: File too large\n"
    record = read_record(path)
    assert record.verdict is None
    assert len(record.turns) > 1
    went_on = await played(tmp_path, f"play --resume {path} --json")
    assert went_on["moves"][: len(record.turns)] == [turn["move"] for turn in record.turns]


async def test_a_folder_that_takes_no_files(tmp_path: Path) -> None:
    """Told before the match begins."""
    done = await shotclock("play", "sudoku", "--records", "/sys/kernel", folder=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert "cannot write the record /sys/kernel/" in done.err
