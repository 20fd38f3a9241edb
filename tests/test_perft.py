"""`shotclock perft`: the counts, two ways of counting, and what the command prints."""

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from bench import naive
from bench.rules import CONTESTS, Contest, halfway
from games import find_game, game_names
from games.perft import count, count_on_board, divide
from tests.playing import shotclock

INSTALLED = [contest for contest in CONTESTS if contest.game in game_names()]


@pytest.mark.parametrize(
    ("board", "counts"),
    [("easy-2x2", [5, 17, 39, 54]), ("empty-2x2", [64, 3392, 146_688]), ("easy-3x3", [119, 13_780])],
)
def test_sudoku_counts(board: str, counts: list[int]) -> None:
    """Taboo moves are sequences too: they pass the turn, and are legal once."""
    sudoku = find_game("sudoku")
    start = sudoku.start(variant="classic", seed=0, options={"board": board})
    assert [count(start, depth) for depth in range(1, len(counts) + 1)] == counts
    # The plain rules agree; they would take seconds for the last count of a larger board.
    plain, depths = naive.Sudoku.read(str(start)), range(1, 5 if board == "easy-2x2" else 3)
    assert [naive.perft(plain, depth) for depth in depths] == counts[: len(depths)]


@pytest.mark.parametrize("contest", INSTALLED, ids=lambda contest: contest.game)
def test_plain_rules_count_the_same(contest: Contest) -> None:
    """From the start and from the middle of a game, by positions, by the search board and by the plain rules."""
    game = find_game(contest.game)
    start = game.start(variant=game.variants[0], seed=5, options=contest.options)
    for position in [start, *halfway(game, contest)[:3]]:
        depth = 1 if len(position.legal_moves()) > 200 else 2
        expected = naive.perft(contest.read(str(position)), depth)
        assert count(position, depth) == expected
        assert sum(part for _, part in divide(game, position, depth)) == expected
        if game.board:
            assert count_on_board(game.board(position), depth) == expected


def test_a_finished_game_has_no_moves() -> None:
    """It is counted as nothing, at every depth."""
    over = find_game("sudoku").parse("classic 2x2 1,2,3,4/3,4,1,2/2,1,4,3/4,3,2,1 6:7 1 -")
    assert [count(over, depth) for depth in (1, 2)] == [0, 0]
    assert list(divide(find_game("sudoku"), over, 2)) == []


async def test_a_table_of_counts(tmp_path: Path) -> None:
    """One line per depth; --divide adds one line per first move, which sum up to the last count."""
    done = await shotclock(*"perft sudoku -d 3 --board easy-2x2 --divide".split(), folder=tmp_path)
    assert (done.code, done.err) == (0, "")
    head, _, parts = done.out.partition("\nof 3 moves, by the first:\n")
    assert re.findall(r"^ +(\d) +([\d,]+) +[\d.]+ +[\d,]+$", head, re.MULTILINE) == [
        *(("1", "5"), ("2", "17"), ("3", "39"))
    ]
    counts = dict(line.split() for line in parts.splitlines())
    assert len(counts) == 5
    assert sum(map(int, counts.values())) == 39


async def test_counts_as_one_json_object(tmp_path: Path) -> None:
    """From any position that a text says."""
    text = "classic 2x2 1,2,3,4/3,4,1,2/2,1,4,3/4,3,.,. 0:0 1 -"
    arguments = ("perft", "sudoku", "-d", "2", "--position", text, "--json")
    done = await shotclock(*arguments, "--divide", folder=tmp_path)
    assert (done.code, done.err, done.out.count("\n")) == (0, "", 1)
    data = json.loads(done.out)
    assert (data["game"], data["position"]) == ("sudoku", text)
    assert [(row["depth"], row["sequences"]) for row in data["depths"]] == [(1, 2), (2, 2)]
    assert data["divide"] == {"r4c3=2": 1, "r4c4=1": 1}
    assert "divide" not in json.loads((await shotclock(*arguments, folder=tmp_path)).out)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("sudoku", "Missing option '--depth' / '-d'"),
        ("sudoku -d 0", "Invalid value for '--depth' / '-d': Input should be greater"),
        ("chess -d 1", "unknown game 'chess': choose from "),
        ("sudoku -d 1 --board nope", "unknown board 'nope': choose from "),
        ("sudoku -d 1 --variant blitz", "unknown variant of sudoku 'blitz': choose from "),
        ("sudoku -d 1 --option colour=red", "unknown option of sudoku 'colour': choose from board"),
        ("sudoku -d 1 --position nonsense", "a position has "),
        (
            "sudoku -d 1 --board easy-2x2 --position x",
            "--position says everything about a position: leave out --variant, --board and --option",
        ),
    ],
)
async def test_mistakes(tmp_path: Path, arguments: str, sentence: str) -> None:
    """One sentence, exit code 2."""
    done = await shotclock("perft", *arguments.split(), folder=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"shotclock: {sentence}")
    assert done.err.count("\n") == 1


def test_a_long_count_tells_how_far_it_is() -> None:
    """On a terminal only, on stderr, and it is wiped away at the end."""
    terminal, other_side = pty.openpty()
    fcntl.ioctl(other_side, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 100, 0, 0))
    command = [
        sys.executable,
        "-c",
        "import referee.perft as p, referee.cli as c; p.LOOK_EVERY = 0; c.main()",
    ]
    try:
        arguments = "perft sudoku -d 2 --board easy-2x2".split()
        done = subprocess.run([*command, *arguments], stdout=subprocess.PIPE, stderr=other_side, check=True)
    finally:
        os.close(other_side)
    shown = os.read(terminal, 65536).decode()
    os.close(terminal)
    assert "\rdepth 2: 17 after 5 of 5 first moves\x1b[K" in shown
    assert shown.endswith("\r\x1b[K")
    assert b"\r" not in done.stdout
