"""The territory variants of Competitive Sudoku: who may use which cell, and who is skipped."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots import Turn
from bots.sudoku.minimax import Minimax
from games import BadText, IllegalMove, Outcome, Seat, other
from games.sudoku import GAME, Sudoku
from games.sudoku.boards import board_names, load
from games.sudoku.move import Move
from games.sudoku.search import Board, Table
from games.sudoku.territory import TERRITORIES
from referee.verdict import Reason
from tests.playing import play, verdict_of

TABOO = "taboo: no solution left, the turn passes"
ROWS = "rows 2x2 a,a,a,a/.,.,.,./.,.,.,./b,b,b,b 0:0 1 -"


def start(variant: str, board: str = "empty-2x2", seed: int = 0) -> Sudoku:
    position = GAME.start(variant=variant, seed=seed, options={"board": board})
    assert isinstance(position, Sudoku)
    return position


def cells_of(position: Sudoku, mark: str) -> set[int]:
    """The cells with a mark in the text of a position."""
    texts = str(position).split(" ")[2].replace("/", ",").split(",")
    return {cell for cell, text in enumerate(texts) if text == mark}


class Naive:
    """The rules once more: start sets, and who placed what, looked through again for every question."""

    def __init__(self, position: Sudoku) -> None:
        self.side = position.shape.side
        either = cells_of(position, "*")
        self.start: dict[Seat, set[int]] = {
            1: cells_of(position, "a") | either,
            2: cells_of(position, "b") | either,
        }
        self.placed: dict[Seat, set[int]] = {1: set(), 2: set()}

    def may_use(self, seat: Seat, position: Sudoku) -> set[int]:
        near = {
            (row + down) * self.side + column + right
            for row, column in (divmod(cell, self.side) for cell in self.placed[seat])
            for down in (-1, 0, 1)
            for right in (-1, 0, 1)
            if 0 <= row + down < self.side and 0 <= column + right < self.side
        }
        return {cell for cell in self.start[seat] | near if not position.cells[cell]}

    def legal_moves(self, position: Sudoku) -> list[str]:
        cells = sorted(self.may_use(position.seat, position))
        places = [divmod(cell, self.side) for cell in cells]
        anywhere = set(Sudoku(position.shape, position.cells, taboo=position.taboo).legal_moves())
        moves = [Move(row + 1, column + 1, value + 1) for row, column in places for value in range(self.side)]
        return [str(move) for move in moves if str(move) in anywhere]

    def after(self, before: Sudoku, after: Sudoku) -> Seat | None:
        """Whose turn it is after a move of `before.seat`; None at the end."""
        changed = [cell for cell, value in enumerate(after.cells) if value != before.cells[cell]]
        self.placed[before.seat] |= set(changed)
        for seat in (other(before.seat), before.seat):
            if self.may_use(seat, after):
                return seat
        return None


@st.composite
def starts(draw: st.DrawFn) -> Sudoku:
    """Any territory variant on a small board, some with clues."""
    names = [name for name in board_names() if name.endswith(("2x2", "2x3", "3x3"))]
    return start(
        draw(st.sampled_from(TERRITORIES)), draw(st.sampled_from(names)), seed=draw(st.integers(0, 1000))
    )


@st.composite
def reached(draw: st.DrawFn) -> Sudoku:
    """A position that random legal moves lead to, taboo ones among them."""
    position = draw(starts())
    rng = random.Random(draw(st.integers(0, 10_000)))
    for _ in range(draw(st.integers(0, 60))):
        if position.outcome() is None:
            position = position.play(rng.choice(position.legal_moves()))
    return position


def test_rows_are_owned_by_one_player_each() -> None:
    """The first player has the first row, the second the last; clues are nobody's."""
    assert str(start("rows")) == ROWS
    position = start("rows", "easy-3x3")
    empty = {cell for cell, value in enumerate(position.cells) if not value}
    assert cells_of(position, "a") == set(range(9)) & empty
    assert cells_of(position, "b") == set(range(72, 81)) & empty
    assert not cells_of(position, "*")


def test_the_border_is_shared() -> None:
    """Both players may use the outer ring."""
    assert str(start("border")) == "border 2x2 *,*,*,*/*,.,.,*/*,.,.,*/*,*,*,* 0:0 1 -"


@given(st.integers(0, 2**32), st.sampled_from(["empty-2x2", "empty-3x3", "empty-4x4"]))
def test_random_territory_comes_from_the_seed(seed: int, board: str) -> None:
    """N distinct cells each, the same for the same seed."""
    position = start("random", board, seed)
    assert position == start("random", board, seed)
    side = position.shape.side
    assert (len(cells_of(position, "a")), len(cells_of(position, "b"))) == (side, side)
    assert not cells_of(position, "*")


def test_random_territory_differs_between_seeds_and_leaves_something_to_play() -> None:
    """Also where nearly all cells are filled somebody has one of the empty ones."""
    positions = [start("random", "easy-2x2", seed) for seed in range(300)]
    assert len(set(positions)) > 20
    assert all(position.legal_moves() for position in positions)
    assert {position.seat for position in positions} == {1, 2}


def test_reach_grows_around_own_cells_only() -> None:
    """The 8 neighbours of a placed cell open to the player who placed it; the other gains nothing."""
    position = start("rows", "empty-3x3").play("r1c5=1")
    assert str(position).startswith("rows 3x3 a,a,a,a,1,a,a,a,a/.,.,.,a,a,a,.,.,./.,.,.,.,.,.,.,.,./")
    assert cells_of(position, "b") == set(range(72, 81))
    position = position.play("r9c1=1")
    assert cells_of(position, "b") == set(range(73, 81)) | {63, 64}


def test_a_cell_that_both_may_use_is_lost_to_both_when_filled() -> None:
    """And a player who reaches into the other's territory makes it common."""
    position = Sudoku.parse("rows 2x2 .,.,.,./.,a,.,./.,.,b,./.,.,.,. 0:0 1 -").play("r2c2=1")
    assert str(position) == "rows 2x2 a,a,a,./a,1,a,./a,a,*,./.,.,.,. 0:0 2 -"
    assert str(position.play("r3c3=1")) == "rows 2x2 a,a,a,./a,1,*,b/a,*,1,b/.,b,b,b 0:0 1 -"


def test_a_taboo_move_gives_no_reach() -> None:
    """The move joins the list, the turn passes, and the territory stays."""
    before = Sudoku.parse("rows 2x2 1,2,a,a/.,.,.,./.,.,3,./b,b,b,b 0:0 1 -")
    after = before.play("r1c4=4")
    assert (str(after), after.effect) == ("rows 2x2 1,2,a,a/.,.,.,./.,.,3,./b,b,b,b 0:0 2 r1c4=4", TABOO)


def test_a_cell_outside_the_territory_is_refused() -> None:
    """Whatever row, column and block would allow."""
    position = start("rows")
    with pytest.raises(IllegalMove, match="r4c1=1: the cell is outside the territory of player 1"):
        position.play("r4c1=1")
    with pytest.raises(IllegalMove, match="outside the territory"):
        position.play("r2c1=1")


def test_a_player_without_a_cell_is_skipped() -> None:
    """The other moves again and again, which is told; a skip is no ply."""
    position = Sudoku.parse("rows 2x2 1,2,a,a/3,4,.,./2,1,4,3/4,3,2,b 0:0 2 -").play("r4c4=1")
    assert (position.seat, position.effect) == (1, "3 points")
    position = position.play("r1c4=4")
    assert (position.seat, position.effect) == (1, "player 2 is skipped")
    position = position.play("r1c3=3")
    assert (position.seat, position.effect) == (1, "1 point, player 2 is skipped")


def test_a_taboo_move_before_a_skip_comes_back_to_the_same_player() -> None:
    """The turn passes to a player who cannot take it."""
    position = Sudoku.parse("rows 2x2 1,2,a,a/.,.,.,./.,.,3,./.,.,.,. 0:0 1 -")
    after = position.play("r1c4=4")
    assert (after.seat, after.effect) == (1, f"{TABOO}, player 2 is skipped")
    assert "r1c4=4" not in after.legal_moves()


def test_the_second_player_may_make_the_first_ply(tmp_path: Path) -> None:
    """Where the first has no cell at the start."""
    file = tmp_path / "board.txt"
    file.write_text("2 2  1 2 3 4  3 4 1 2  2 1 4 3  4 3 . .")
    position = start("rows", str(file))
    assert (position.seat, position.legal_moves()) == (2, ["r4c3=2", "r4c4=1"])
    assert str(position) == "rows 2x2 1,2,3,4/3,4,1,2/2,1,4,3/4,3,b,b 0:0 2 -"


def test_a_board_without_a_cell_for_anybody_is_refused(tmp_path: Path) -> None:
    """The sentence says which board and which variant."""
    file = tmp_path / "board.txt"
    file.write_text("2 2  1 2 3 4  3 . 1 2  2 1 4 3  4 3 2 1")
    for variant in ("rows", "border"):
        with pytest.raises(BadText, match=f"leaves neither player a cell to play in under {variant}"):
            start(variant, str(file))
    assert start("random", str(file)).legal_moves() == ["r2c2=4"]


def test_the_game_ends_when_nobody_has_a_cell() -> None:
    """Scores count as they stand; nothing more can be played."""
    position = Sudoku.parse("rows 2x2 1,2,3,a/.,.,.,./.,.,.,./.,.,.,. 0:3 1 -")
    assert position.outcome() is None
    ended = Sudoku.parse("rows 2x2 1,2,.,./.,.,.,./.,.,.,./.,.,.,. 0:3 1 -")
    assert ended.outcome() == Outcome(2, (0, 3), "no playable cell for either player")
    assert ended.legal_moves() == ended.taboo_moves() == []
    with pytest.raises(IllegalMove, match="comes after the end: no playable cell for either player"):
        ended.play("r1c3=3")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (ROWS.replace("rows", "row"), "one of classic, rows, border, random, not 'row'"),
        (ROWS.replace("rows", "classic"), "r1c1 is 'a', neither . nor a value from 1 to 4"),
        (ROWS.replace("a,a,a,a", "a,a,a,c"), r"r1c4 is 'c', neither . nor a nor b nor \* nor a value"),
        (ROWS.replace("a,a,a,a", "a,a,a,ab"), "r1c4 is 'ab'"),
        (ROWS.replace("a,a,a,a", "a,a,a,A"), "r1c4 is 'A'"),
        (ROWS.replace("a,a,a,a", "a,a,a,1a"), "r1c4 is '1a'"),
        (ROWS.replace("a,a,a,a", ".,.,.,."), "player 1 has no cell to play in, so that player 2 moves"),
        (ROWS.replace("0:0 1", "0:0 2").replace("b,b,b,b", "1,.,.,."), "player 2 has no cell to play in"),
    ],
    ids=range(8),
)
def test_a_text_that_is_no_position_is_refused(text: str, reason: str) -> None:
    """Marks belong to the territory variants, and the seat to move has a cell."""
    with pytest.raises(BadText, match=reason):
        Sudoku.parse(text)


@settings(deadline=None, max_examples=30)
@given(starts(), st.randoms(use_true_random=False))
def test_a_game_follows_the_rules_written_out_plainly(position: Sudoku, rng: random.Random) -> None:
    """Legal moves, turns, skips and the end agree with a board that keeps start sets and placed cells."""
    naive = Naive(position)
    while position.outcome() is None:
        moves = position.legal_moves()
        assert moves == naive.legal_moves(position) != []
        after = position.play(rng.choice(moves))
        expected = naive.after(position, after)
        if expected is None:
            assert after.outcome() is not None
            assert after.legal_moves() == []
        else:
            assert (after.outcome(), after.seat) == (None, expected)
            assert (after.seat == position.seat) == after.effect.endswith("is skipped")
        position = after


@settings(deadline=None, max_examples=15)
@given(reached())
def test_legal_moves_are_exactly_the_moves_that_play_takes(position: Sudoku) -> None:
    """Over all cells and values, a move is listed if and only if it is not refused; some are taboo."""
    numbers = range(1, position.shape.side + 1)
    every = [str(Move(row, column, value)) for row in numbers for column in numbers for value in numbers]
    legal = set(position.legal_moves())
    taboo = set()
    for move in every:
        if move in legal:
            if TABOO in position.play(move).effect:
                taboo.add(move)
        else:
            with pytest.raises(IllegalMove):
                position.play(move)
    assert set(position.taboo_moves()) == taboo


@pytest.mark.parametrize("kind", [Board, Table])
@settings(deadline=None, max_examples=25)
@given(position=reached(), rng=st.randoms(use_true_random=False))
def test_a_search_board_agrees_with_the_position(
    kind: type[Board], position: Sudoku, rng: random.Random
) -> None:
    """Seat, moves and points along moves that are placed, to the end of the game and back."""
    board = kind(position)
    line = []

    def agree(position: Sudoku) -> None:
        place = position.shape.place
        assert board.seat == position.seat
        assert [f"{place(cell)}={value}" for cell, value in board.moves()] == position.legal_moves()
        assert [board.points(cell) for cell, _ in board.moves()] == [
            position.points(move) for move in position.legal_moves()
        ]

    agree(position)
    while position.outcome() is None:
        line.append(position)
        taboo = set(position.taboo_moves())
        row, column, value = Move.parse(
            rng.choice([move for move in position.legal_moves() if move not in taboo])
        )
        position = position.play(f"r{row}c{column}={value}")
        board.make(((row - 1) * position.shape.side + column - 1, value))
        agree(position)
    for earlier in reversed(line):
        board.undo()
        agree(earlier)


def best_lead(board: Board, seat: Seat, depth: int) -> float:
    """What `seat` gains over the other by the best play of `depth` plies; a dead end is an end."""
    if depth == 0:
        return 0
    values = []
    for cell, value in board.moves():
        gain = board.points(cell) if board.seat == seat else -board.points(cell)
        board.make((cell, value))
        values.append(gain + best_lead(board, seat, depth - 1))
        board.undo()
    return (max if board.seat == seat else min)(values, default=0)


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_minimax_keeps_sides_apart_where_a_player_is_skipped(depth: int) -> None:
    """Its value is that of plain minimax, also along turns that do not alternate."""
    skips = 0
    for seed in range(40):
        position = start("random", "easy-2x2", seed)
        turn = Turn(number=1, seat=position.seat, rng=random.Random(1))
        *_, last = Minimax(depth=depth).think(position, turn)
        assert last.score == best_lead(Board(position), position.seat, depth)
        skips += position.play(last.move).effect.endswith("is skipped")
    assert skips > 3


def test_draw_marks_whose_cells_are_whose() -> None:
    """With a line that explains the marks while there is something to play."""
    position = Sudoku.parse("rows 2x2 .,.,.,./.,a,.,./.,.,b,./.,.,.,. 0:0 1 -").play("r2c2=1")
    assert position.draw().splitlines() == [
        "     1  2   3  4",
        "   +------+------+",
        " 1 | a  a | a  . |",
        " 2 | a [1]| a  . |",
        "   +------+------+",
        " 3 | a  a | *  . |",
        " 4 | .  . | .  . |",
        "   +------+------+",
        "0 : 0, player 2 to move",
        "a: player 1 may use the cell, b: player 2, *: both",
    ]
    ended = Sudoku.parse("rows 2x2 1,2,.,./.,.,.,./.,.,.,./.,.,.,. 0:3 1 -")
    assert ended.draw().endswith("\n0 : 3, no playable cell for either player")


def test_classic_positions_have_no_territory() -> None:
    """Their text says classic, and empty cells have one mark."""
    assert load("easy-2x2").territory is None
    assert load("easy-2x2").variant == "classic"


@pytest.mark.parametrize("variant", TERRITORIES)
async def test_a_match_over_grpc(variant: str, tmp_path: Path) -> None:
    """Two processes play it to its end, skipped players and all, and the moves lead there again."""
    played = await play(
        "random", "minimax,depth=1", folder=tmp_path, variant=variant, board="random-2x3", turn="2s"
    )
    verdict = verdict_of(played)
    assert verdict.reason is Reason.FINISHED, verdict
    position = start(variant, "random-2x3", seed=7)
    for move, report in zip(played.match.moves, played.match.reports, strict=True):
        assert report.seat == position.seat
        position = position.play(move)
    outcome = position.outcome()
    assert outcome is not None
    assert (verdict.winner, verdict.scores) == (outcome.winner, outcome.scores)
