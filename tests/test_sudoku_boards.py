"""The boards that come with Competitive Sudoku, and board files."""

import random
from pathlib import Path

import pytest

from games import BadText, Unknown
from games.sudoku import GAME, Sudoku
from games.sudoku.boards import board_names, load
from games.sudoku.oracle import solvable

SHIPPED = [
    *("easy-2x2", "easy-3x3"),
    *("empty-2x2", "empty-2x3", "empty-3x3", "empty-3x4", "empty-4x4"),
    "hard-3x3",
    *("random-2x3", "random-3x3", "random-3x4", "random-4x4"),
]


def test_the_shipped_boards_are_those_of_the_rules() -> None:
    """No board is missing and none is left over."""
    assert board_names() == SHIPPED


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_board_is_solvable_and_of_the_size_it_says(name: str) -> None:
    """Its name tells its size, an empty one has no clue, the others do."""
    position = load(name)
    assert str(position.shape) == name.partition("-")[2]
    assert solvable(position.shape, position.cells) is True
    assert any(position.cells) is not name.startswith("empty")
    assert (position.seat, position.scores, position.last) == (1, (0, 0), "")


def test_the_default_board_is_easy_3x3() -> None:
    """Without an option the game starts there, whatever the seed."""
    starts = {GAME.start(variant="classic", seed=seed, options={}) for seed in range(3)}
    assert starts == {load("easy-3x3")}
    assert 36 <= 81 - load("easy-3x3").cells.count(0) <= 45


@pytest.mark.parametrize("name", ["easy-3x3", "hard-3x3"])
def test_a_puzzle_has_exactly_one_solution(name: str) -> None:
    """In every empty cell one value alone leaves a solution."""
    position = load(name)
    for cell in (cell for cell, value in enumerate(position.cells) if not value):
        place = position.shape.place(cell)
        moves = [move for move in position.legal_moves() if move.startswith(f"{place}=")]
        assert sum(position.play(move).cells != position.cells for move in moves) == 1


def test_a_board_file_is_read_by_its_path(tmp_path: Path) -> None:
    """Any whitespace separates; the path is an option like a shipped name."""
    path = tmp_path / "mine.txt"
    path.write_text("2 3\n" + "1 . . . . .\t\n" + ". " * 30)
    position = GAME.start(variant="classic", seed=0, options={"board": str(path)})
    assert str(position) == f"classic 2x3 1,.,.,.,.,.{'/.,.,.,.,.,.' * 5} 0:0 1 -"


def test_a_board_of_the_largest_size_is_read(tmp_path: Path) -> None:
    """25 by 25 cells with two-digit values fit."""
    path = tmp_path / "large.txt"
    path.write_text("5 5 " + " ".join(map(str, range(1, 26))) + " ." * 600)
    assert load(str(path)).cells[:25] == tuple(range(1, 26))


def board(first_row: str) -> bytes:
    return b"2 2\n" + first_row.encode() + b"\n. . . .\n. . . .\n. . . .\n"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "it must begin with the rows and the columns of a block, like 3 3"),
        (b"2", "it must begin with"),
        (b"two 2", "it must begin with"),
        (b"7 7 .", "7x7 is no size of blocks: choose from 2x2, 2x3, 3x3, 3x4, 4x4, 5x5"),
        (b"3 2 .", "3x2 is no size"),
        (b"0 0", "0x0 is no size"),
        (b"2 2 . .", "2x2 blocks need 16 cells, the file has 2"),
        (board(". . . . ."), "2x2 blocks need 16 cells, the file has 17"),
        (board(". x . ."), "r1c2 is 'x', neither . nor a value from 1 to 4"),
        (board(". . . 5"), "r1c4 is '5'"),
        (board("0 . . ."), "r1c1 is '0'"),
        (board("-1 . . ."), "r1c1 is '-1'"),
        (board("1_0 . . ."), "r1c1 is '1_0'"),
        (board("9" * 5000 + " . . ."), "r1c1 is '999"),
        (board("1 . . 1"), "value 1 stands twice in row 1, again at r1c4"),
        (b"2 2 . 1 . . . . . . . . . . . 1 . .", "value 1 stands twice in column 2, again at r4c2"),
        (b"2 2 . . . . . . . . . . . 1 . . 1 .", "value 1 stands twice in block 4, again at r4c3"),
        (b"2 2 1 2 . . . . . 4 . . . . . . . 3", "has no solution"),
        (b"2 2 1 2 3 4 3 4 1 2 2 1 4 3 4 3 2 1", "has no empty cell to play in"),
        (b"\x00\xff\xfe", "is no plain ASCII text"),
        ("2 2 \u0661".encode(), "is no plain ASCII text"),
        (b". " * 20_000, "is too large: a board needs at most 20000 bytes"),
    ],
    ids=range(22),
)
def test_a_bad_board_file_is_refused_by_name_with_what_and_where(
    tmp_path: Path, data: bytes, reason: str
) -> None:
    """One sentence with the file and the fault."""
    path = tmp_path / "bad.txt"
    path.write_bytes(data)
    with pytest.raises(BadText, match=f"bad.txt.*{reason}") as refusal:
        load(str(path))
    assert len(str(refusal.value)) < 200 + len(str(path))


def test_a_missing_board_says_so(tmp_path: Path) -> None:
    """A path is missed as a file, a name as one of the shipped boards."""
    with pytest.raises(BadText, match=r"there is no board file .*/gone"):
        load(str(tmp_path / "gone"))
    with pytest.raises(BadText, match=r"there is no board file gone\.txt"):
        load("gone.txt")
    with pytest.raises(Unknown, match="unknown board 'esay-3x3': choose from easy-2x2, easy-3x3, "):
        load("esay-3x3")


@pytest.mark.parametrize("name", ["nul\0", "x" * 10_000_000, "\ud800"], ids=range(3))
def test_a_name_that_no_file_can_have_is_refused(name: str) -> None:
    """Neither the file system's own exceptions nor ten million characters come back."""
    with pytest.raises(BadText, match="a board is a name or a file, not") as refusal:
        load(name)
    assert len(str(refusal.value)) < 120


def test_a_directory_is_no_board(tmp_path: Path) -> None:
    """The system's reason is passed on in a sentence."""
    with pytest.raises(BadText, match="cannot be read: Is a directory"):
        load(str(tmp_path))


def test_a_name_longer_than_the_file_system_takes_is_refused() -> None:
    """No exception of the file system gets through."""
    with pytest.raises(BadText, match="cannot be read: File name too long"):
        load("x" * 500)


def test_shipped_boards_can_be_played_to_the_end() -> None:
    """Random play fills every board up to 9x9, and the scores are those of full boards."""
    rng = random.Random(1)
    for name in SHIPPED:
        position: Sudoku = load(name)
        if position.shape.side > 9:
            continue
        while position.outcome() is None:
            position = position.play(rng.choice(position.legal_moves()))
        assert 0 not in position.cells
        assert sum(position.scores) > 0
