"""`shotclock show` and `shotclock games`: positions and games, drawn and described."""

import json
from pathlib import Path

import pytest

from games import find_game, game_names
from games.clock import Clock
from referee.catalogue import clock_text, description, game_data
from tests.playing import shotclock

TABOO = "classic 2x2 1,2,.,./.,.,.,./.,.,3,./.,.,.,. 0:0 1 -"
SHOWN = """\
  1  player 1  r1c4=4  taboo: no solution left, the turn passes
  2  player 2  r1c4=3

     1  2   3  4
   +------+------+
 1 | 1  2 | . [3]|
 2 | .  . | .  . |
   +------+------+
 3 | .  . | 3  . |
 4 | .  . | .  . |
   +------+------+
0 : 0, player 1 to move

player 1 to move, 30 legal moves
position: classic 2x2 1,2,.,3/.,.,.,./.,.,3,./.,.,.,. 0:0 1 r1c4=4
"""


@pytest.mark.parametrize(
    "moves", [["r1c4=4", "r1c4=3"], ["--moves", "r1c4=4", "r1c4=3"], ["--moves", "r1c4=4 r1c4=3"]]
)
async def test_moves_are_played_out(tmp_path: Path, moves: list[str]) -> None:
    """Each with who made it and what it did, then the board, what is next, and the text of the position."""
    done = await shotclock("show", "sudoku", "--position", TABOO, *moves, folder=tmp_path)
    assert (done.code, done.err, done.out) == (0, "", SHOWN)


async def test_a_start_is_drawn(tmp_path: Path) -> None:
    """The start of a game, as `play` would begin it."""
    done = await shotclock(*"show sudoku --board easy-2x2".split(), folder=tmp_path)
    start = find_game("sudoku").start(variant="classic", seed=0, options={"board": "easy-2x2"})
    assert done.out == f"{start.draw()}\n\nplayer 1 to move, 5 legal moves\nposition: {start}\n"


async def test_the_end_of_a_game_is_told(tmp_path: Path) -> None:
    """Who won, the score and the reason take the place of legal moves."""
    text = "classic 2x2 1,2,3,4/3,4,1,2/2,1,4,3/4,3,2,. 6:0 2 -"
    done = await shotclock("show", "sudoku", "--position", text, "r4c4=1", folder=tmp_path)
    assert "\nplayer 2 wins, 6 : 7, board full\n" in done.out
    draw = text.replace("6:0", "7:0")
    done = await shotclock("show", "sudoku", "--position", draw, "r4c4=1", folder=tmp_path)
    assert "\ndraw, 7 : 7, board full\n" in done.out


async def test_a_position_as_one_json_object(tmp_path: Path) -> None:
    """With every move, every legal move, and the outcome if there is one."""
    done = await shotclock("show", "sudoku", "--position", TABOO, "r1c4=4", "--json", folder=tmp_path)
    data = json.loads(done.out)
    after = find_game("sudoku").parse(TABOO).play("r1c4=4")
    assert data == {
        "game": "sudoku",
        "start": TABOO,
        "moves": [{"seat": 1, "move": "r1c4=4", "effect": after.effect, "position": str(after)}],
        "position": str(after),
        "seat": 2,
        "scores": [0, 0],
        "legal_moves": after.legal_moves(),
        "outcome": None,
    }
    full = "classic 2x2 1,2,3,4/3,4,1,2/2,1,4,3/4,3,2,1 6:7 1 -"
    data = json.loads((await shotclock("show", "sudoku", "--position", full, "--json", folder=tmp_path)).out)
    assert data["outcome"] == {"winner": 2, "scores": [6, 7], "reason": "board full"}
    assert (data["seat"], data["legal_moves"]) == (None, [])


@pytest.mark.parametrize(
    ("moves", "sentence"),
    [
        (["r1c4=3", "r1c3=3"], "move 2 of 2 is refused: r1c3=3: 3 stands in row 1 already"),
        (["x"], "move 1 of 1 is refused: 'x' is no move: write r3c4=7 for a 7 in row 3, column 4"),
        (["\udcff"], "move 1 of 1 is refused: '\\udcff' is no move"),
    ],
)
async def test_a_refused_move_is_named(tmp_path: Path, moves: list[str], sentence: str) -> None:
    """Which one of them it was, and why; nothing is drawn."""
    done = await shotclock("show", "sudoku", "--position", TABOO, *moves, folder=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"shotclock: {sentence}")
    assert done.err.count("\n") == 1


async def test_games_are_listed(tmp_path: Path) -> None:
    """One line each, or everything as JSON."""
    lines = (await shotclock("games", folder=tmp_path)).out.splitlines()
    assert [line.split()[0] for line in lines] == game_names()
    assert all(line.endswith(find_game(line.split()[0]).summary) for line in lines)
    listed = json.loads((await shotclock("games", "--json", folder=tmp_path)).out)
    assert listed == [game_data(find_game(name)) for name in game_names()]


async def test_one_game_is_described(tmp_path: Path) -> None:
    """Variants, moves, options, clock, memory and ruling."""
    done = await shotclock("games", "sudoku", folder=tmp_path)
    sudoku = find_game("sudoku")
    assert done.out == description(sudoku) + "\n"
    for text in (sudoku.summary, sudoku.notation, "option board", "500 ms a turn", "no limit", "loses: "):
        assert text in done.out
    data = json.loads((await shotclock("games", "sudoku", "--json", folder=tmp_path)).out)
    assert data == game_data(sudoku)
    assert (data["turn_ms"], data["budget_ms"], data["memory_mb"]) == (500, None, None)


def test_every_kind_of_clock_can_be_told() -> None:
    """Time per turn, a longer first turn, a budget, none."""
    assert clock_text(Clock(turn=2, first=30)) == "2 s a turn, 30 s for a player's first turn"
    assert clock_text(Clock(budget=180)) == "180 s a player for the whole game"
    assert clock_text(Clock()) == "none"
