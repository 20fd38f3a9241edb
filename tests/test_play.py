"""The `play` command as a user types it, and the bots it can be given."""

import asyncio
import fcntl
import json
import os
import pty
import re
import shlex
import signal
import struct
import sys
import termios
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from games import find_game
from referee.record import read_record
from tests.hosting import hosted, write_bot
from tests.playing import PATIENCE, all_ended, descendants, leftovers, play, private, shotclock, start
from tests.windows import window

THINKER = "yield position.legal_moves()[0]\nwhile True: pass"
OWN_FILE = """
from helper import last

class Mine:
    def think(self, position, turn):
        yield last(position.legal_moves())
"""


async def play_json(*arguments: str, folder: Path) -> Any:  # noqa: ANN401 - whatever JSON says
    done = await shotclock("--log-level", "error", "play", "sudoku", *arguments, "--json", folder=folder)
    assert (done.code, done.err) == (0, "")
    assert done.out.count("\n") == 1
    return json.loads(done.out)


async def test_a_match_as_one_json_object(tmp_path: Path) -> None:
    """It holds result, reason, scores, timing, and moves that lead to these scores when they are played again."""
    arguments = "greedy minimax --board easy-3x3 --turn 50ms --seed 7".split()
    match = await play_json(*arguments, folder=tmp_path)
    assert (match["reason"], match["seed"], match["turn_ms"], match["faults"]) == ("finished", 7, 50.0, [])
    assert [bot["name"] for bot in match["bots"]] == ["greedy", "minimax"]

    position = find_game("sudoku").start(variant="classic", seed=7, options={"board": "easy-3x3"})
    for move, turn in zip(match["moves"], match["turns"], strict=True):
        assert (turn["seat"], turn["move"]) == (position.seat, move)
        position = position.play(move)
        assert turn["effect"] == position.effect
    outcome = position.outcome()
    assert outcome is not None
    assert (match["winner"], match["scores"]) == (outcome.winner, list(outcome.scores))
    assert match["result"] == (f"seat {outcome.winner} wins" if outcome.winner else "draw")
    assert match["position"] == str(position)

    for turn in match["turns"]:
        assert turn["line_ms"] == 55.0
        times = [proposal["at_ms"] for proposal in turn["proposals"]]
        assert times == sorted(times)
        assert 0 < times[0] <= times[-1] <= turn["ended_ms"]
        in_time = [proposal for proposal in turn["proposals"] if "refused" not in proposal]
        assert in_time[-1]["move"] == turn["move"]
    assert any(proposal.get("depth", 0) > 1 for turn in match["turns"] for proposal in turn["proposals"])


async def test_a_budget_and_a_longer_first_turn(tmp_path: Path) -> None:
    """A first turn may take longer than the others; what is charged is missing from the budget later."""
    arguments = "greedy minimax --board easy-2x2 --turn 50ms --first-turn 200ms --budget 900ms".split()
    match = await play_json(*arguments, folder=tmp_path)
    assert (match["turn_ms"], match["first_turn_ms"], match["budget_ms"]) == (50.0, 200.0, 900.0)
    turns = [turn for turn in match["turns"] if turn["seat"] == 2]
    assert [turn["line_ms"] for turn in turns[:2]] == [205.0, 55.0]
    left = [turn["budget_ms"] for turn in turns]
    assert left == sorted(left, reverse=True)
    assert 0 < left[-1] < left[0] < 900


async def test_a_seed_makes_a_match_repeatable(tmp_path: Path) -> None:
    """The same seed gives the same moves, another one gives others."""
    games = [
        await play("greedy", "greedy", folder=tmp_path, board="easy-3x3", seed=seed) for seed in (7, 7, 8)
    ]
    first, again, other = (game.match.moves for game in games)
    assert first == again
    assert first != other


async def test_a_series_alternates_the_seats(tmp_path: Path) -> None:
    """Every pair of games starts from one seed, and the standings add up."""
    series = await play_json(*"greedy random --board easy-2x2 --games 4 --seed 7".split(), folder=tmp_path)
    games = series["games"]
    assert [[bot["name"] for bot in game["bots"]] for game in games] == 2 * [
        ["greedy", "random"],
        ["random", "greedy"],
    ]
    seeds = [game["seed"] for game in games]
    assert (seeds[0], seeds[2]) == (seeds[1], seeds[3])
    assert seeds[0] != seeds[2]
    assert len({game["match"] for game in games}) == 4
    for name, row in zip(("greedy", "random"), series["standings"], strict=True):
        seats = [1 + [bot["name"] for bot in game["bots"]].index(name) for game in games]
        wins = sum(game["winner"] == seat for game, seat in zip(games, seats, strict=True))
        draws = sum(game["winner"] is None for game in games)
        points = sum(game["scores"][seat - 1] for game, seat in zip(games, seats, strict=True))
        assert (row["name"], row["games"]) == (name, 4)
        assert (row["wins"], row["draws"], row["losses"]) == (wins, draws, 4 - wins - draws)
        assert (row["score"], row["points"]) == (wins + draws / 2, points)


async def test_a_series_ends_with_a_table(tmp_path: Path) -> None:
    """Each game is shown with who sits where, then one row per bot."""
    arguments = "play sudoku greedy random --board easy-2x2 --games 4".split()
    done = await shotclock(*arguments, folder=tmp_path)
    assert done.code == 0
    seats = [line.split()[2::3] for line in done.out.splitlines() if line.startswith("seat 1: ")]
    assert seats == 2 * [["greedy", "random"], ["random", "greedy"]]
    table = done.out.rpartition("series")[2]
    rows = re.findall(r"│ (greedy|random) +│ 4 +│ (\d) +│ (\d) +│ (\d) +│", table)
    assert [row[0] for row in rows] == ["greedy", "random"]
    (_, wins, draws, losses), (_, *rival) = rows
    assert rival == [losses, draws, wins]


async def test_a_match_in_plain_lines(tmp_path: Path) -> None:
    """The board, each turn with how the bot came to its move, the verdict and its reason, the timing."""
    done = await shotclock(*"play sudoku greedy minimax --board easy-2x2 --turn 1s".split(), folder=tmp_path)
    assert done.code == 0
    assert "\x1b" not in done.out
    head, _, rest = done.out.partition("turn   1")
    assert "sudoku classic, board easy-2x2, 1 s a turn, seed " in head
    assert "seat 1: greedy    seat 2: minimax" in head
    assert " 1 | 4  2 | 3  . |" in head
    assert re.match(r"  greedy       r\dc\d=\d    \d points?  \(done, [\d.]+ (µs|ms)\)\n", rest)
    assert re.search(r"\n +[\d.]+ (µs|ms)  r\dc\d=\d    score -?\d+  depth \d  nodes \d+\n", rest)
    assert re.search(
        r"\d+ : \d+, board full\n\n(greedy|minimax) \(seat \d\) wins: finished, board full, ", rest
    )
    table = rest.partition("timing")[2]
    assert re.findall(r"│ (\d) +│ (greedy|minimax) +│ 2 ", table) == [("1", "greedy"), ("2", "minimax")]


@asynccontextmanager
async def served(listen: str, folder: Path) -> AsyncIterator[str]:
    """A greedy bot that somebody else has started; what to type for it."""
    async with hosted("greedy", folder, "--listen", listen) as host:
        yield host.address if host.address.startswith("unix:") else f"grpc://{host.address}"


@pytest.mark.parametrize("listen", ["127.0.0.1:0", "unix:own.sock"])
async def test_bots_that_are_served_already(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, listen: str
) -> None:
    """`serve` prints its address, `play` finds it there, on both seats at once and again for the next match."""
    monkeypatch.chdir(tmp_path)
    async with served(listen, tmp_path) as bot:
        assert bot.startswith("grpc://127.0.0.1:" if ":0" in listen else f"unix:{tmp_path}/own.sock")
        for pair in ((bot, "random"), (bot, bot)):
            match = await play_json(*pair, "--board", "easy-2x2", folder=tmp_path)
            assert match["reason"] == "finished"
            assert (match["bots"][0]["bot"], match["bots"][0]["name"]) == (bot, "greedy")


@pytest.mark.parametrize("bot", ["mine.py:Mine", "mine:Mine"])
async def test_a_bot_in_a_file_of_the_users_own(tmp_path: Path, bot: str) -> None:
    """A class beside its helper module is enough: nothing is installed and nothing inherited."""
    (tmp_path / "mine.py").write_text(OWN_FILE)
    (tmp_path / "helper.py").write_text("def last(moves): return moves[-1]")
    match = await play_json(bot, "greedy", "--board", "easy-2x2", folder=tmp_path)
    assert (match["reason"], match["bots"][0]["name"]) == ("finished", bot)
    assert match["moves"][0] == "r4c1=3"


async def test_a_bot_that_is_a_command(tmp_path: Path) -> None:
    """`exec:` starts any program that listens where it is told to, and ends it after the match."""
    serve = f"{shlex.quote(sys.executable)} -m referee serve random --game sudoku --listen {{address}}"
    match = await play_json(f"exec:{serve}", "greedy", "--board", "easy-2x2", folder=tmp_path)
    assert (match["reason"], match["bots"][0]["name"]) == ("finished", "random")
    assert leftovers(tmp_path) == []


@asynccontextmanager
async def under_way(folder: Path) -> AsyncIterator[tuple[asyncio.subprocess.Process, set[int]]]:
    """A match in the middle of a long turn, with all the processes it has started."""
    thinker = write_bot(folder, THINKER)
    process = await start("play", "sudoku", "greedy", thinker, "--turn", "1m", folder=folder)
    try:
        async with asyncio.timeout(PATIENCE):
            assert process.stdout is not None
            while not (line := await process.stdout.readline()).startswith(b"turn   1  greedy"):
                assert line
        processes = descendants(process.pid)
        assert len(processes) >= 6  # two hosts, each with a worker and its spare
        yield process, processes
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
async def test_ctrl_c_ends_a_match_in_order(tmp_path: Path, kind: signal.Signals) -> None:
    """One sentence, exit code 130, and no process and no folder is left; so does `kill`, and a terminal that closes."""
    async with under_way(tmp_path) as (process, processes):
        process.send_signal(kind)
        async with asyncio.timeout(PATIENCE):
            _, errors = await process.communicate()
        assert process.returncode == 130
        (record,) = (tmp_path / "state" / "shotclock" / "records").iterdir()
        assert errors.decode() == f"shotclock: stopped, to go on: shotclock play --resume {record}\n"
        await all_ended(processes)
        assert leftovers(tmp_path) == []


async def test_no_bot_outlives_a_killed_referee(tmp_path: Path) -> None:
    """A referee that cannot clean up takes its hosts and their workers with it all the same."""
    async with under_way(tmp_path) as (process, processes):
        process.kill()
        await all_ended(processes)


@pytest.mark.parametrize("arguments", [[], ["--json"]])
async def test_a_reader_who_leaves_is_no_error(tmp_path: Path, arguments: list[str]) -> None:
    """As in `shotclock play ... | head -1`: no traceback, exit code 1, nothing left behind."""
    reader, writer = os.pipe()
    try:
        bots = (write_bot(tmp_path, THINKER), "greedy", "--board", "easy-2x2", "--turn", "100ms")
        process = await start(
            *("--log-level", "error", "play", "sudoku", *bots, *arguments), folder=tmp_path, stdout=writer
        )
    finally:
        os.close(writer)
        os.close(reader)
    async with asyncio.timeout(PATIENCE):
        _, errors = await process.communicate()
    assert (process.returncode, errors) == (1, b"")
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize("command", ["games", "play sudoku --board easy-2x2", "play tree --json"])
async def test_output_that_cannot_be_written_is_told_in_a_sentence(tmp_path: Path, command: str) -> None:
    """As on a disk that is full: exit code 2, nothing left behind."""
    full = os.open("/dev/full", os.O_WRONLY)
    try:
        process = await start("--log-level", "error", *command.split(), folder=tmp_path, stdout=full)
    finally:
        os.close(full)
    async with asyncio.timeout(PATIENCE):
        _, errors = await process.communicate()
    sentence = "shotclock: cannot write the output: No space left on device, make room\n"
    assert (process.returncode, errors.decode()) == (2, sentence)
    assert leftovers(tmp_path) == []


async def test_a_match_is_played_though_its_output_is_closed(tmp_path: Path) -> None:
    """Whoever wants neither output nor log gets the record."""
    command = f"exec {sys.executable} -P -m referee play sudoku --board easy-2x2 --records . >&- 2>&-"
    process = await asyncio.create_subprocess_exec(
        *("bash", "-c", command), cwd=tmp_path, env=os.environ | private(tmp_path)
    )
    async with asyncio.timeout(PATIENCE):
        assert await process.wait() == 0
    (record,) = tmp_path.glob("*.match")
    assert read_record(record).verdict is not None


async def test_a_character_set_without_our_letters_ends_no_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it lacks is shown as a question mark."""
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    done = await shotclock(*"play sudoku greedy greedy --board easy-2x2".split(), folder=tmp_path)
    assert done.code == 0
    assert re.search(r"fairness: usable windows differ by [\d.]+ (\?|m)s", done.out)


def read_all(terminal: int) -> str:
    shown = b""
    try:
        while chunk := os.read(terminal, 65536):
            shown += chunk
    except OSError:  # how Linux says that the other side has been closed
        pass
    return shown.decode()


async def test_a_terminal_is_drawn_on(tmp_path: Path) -> None:
    """The board is drawn over and over in place, and at the end the verdict stays below it."""
    terminal, other_side = pty.openpty()
    try:
        fcntl.ioctl(other_side, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 100, 0, 0))
        arguments = "play sudoku greedy minimax --board easy-2x2 --turn 1s".split()
        process = await start(*arguments, folder=tmp_path, stdout=other_side)
    finally:
        os.close(other_side)
    reading = asyncio.create_task(asyncio.to_thread(read_all, terminal))
    try:
        async with asyncio.timeout(PATIENCE):
            await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()
        shown = await reading
        os.close(terminal)
    assert process.returncode == 0
    first, *frames, end = shown.partition("\x1b[2J")[2].split("\x1b[J")
    assert first.startswith("\x1b[H")
    assert len(frames) >= 4  # one per turn at least
    assert all(frame.startswith("\x1b[H") and " 2 | 1  3 | 2  4 |" in frame for frame in frames)
    assert "turn   4  minimax" in frames[-1]
    assert re.search(r"(greedy|minimax) \(seat \d\) wins: finished, board full, \d+ : \d+", end)
    assert "timing" in end


async def test_a_dumb_terminal_gets_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It cannot draw in place, and would show the codes for it."""
    monkeypatch.setenv("TERM", "dumb")
    arguments = "play sudoku greedy greedy --board easy-2x2 --turn 1s".split()
    async with window(*arguments, folder=tmp_path) as terminal:
        shown = await terminal.shows("record: ")
        assert "turn   4  greedy" in shown
        assert "\x1b" not in shown
        assert await terminal.ends() == 0
