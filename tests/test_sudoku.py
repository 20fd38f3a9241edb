"""Competitive Sudoku: its rules, its texts, and the games of the original engine."""

import json
import random
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import IllegalMove, Outcome, Seat, Unknown, find_game, other
from games.sudoku import GAME, Sudoku
from games.sudoku.move import Move
from games.sudoku.shape import SIZES, shape
from games.sudoku.territory import Territory
from tests.rules import check_no_move, check_no_position, check_refused

GOLDEN = "classic 2x2 1,2,.,./.,.,.,./.,.,3,./.,.,.,. 0:0 1 -"
TABOO = "taboo: no solution left, the turn passes"
VECTORS = Path(__file__).parent / "vectors" / "sudoku.jsonl"
GAMES = [json.loads(line) for line in VECTORS.read_text().splitlines()]


def empty(m: int, n: int) -> Sudoku:
    return Sudoku(shape(m, n), (0,) * (m * n) ** 2)


def board(name: str) -> Sudoku:
    return Sudoku.parse(str(GAME.start(variant="classic", seed=0, options={"board": name})))


@st.composite
def reached(draw: st.DrawFn) -> Sudoku:
    """A position that random legal moves lead to, taboo ones among them."""
    position = empty(*draw(st.sampled_from([(2, 2), (2, 3), (3, 3), (3, 4)])))
    rng = random.Random(draw(st.integers(0, 10_000)))
    for _ in range(draw(st.integers(0, 100))):
        if position.outcome() is None:
            position = position.play(rng.choice(position.legal_moves()))
    return position


def test_the_game_is_found_by_its_name() -> None:
    """The installed entry point leads to the game whose rules are tested here."""
    assert find_game("sudoku") is GAME


def test_a_move_that_leaves_no_solution_is_taboo_and_passes_the_turn() -> None:
    """The board and the score stay, the move joins the taboo list, the other seat moves."""
    before = Sudoku.parse(GOLDEN)
    assert "r1c4=4" in before.legal_moves()
    after = before.play("r1c4=4")
    assert str(after) == "classic 2x2 1,2,.,./.,.,.,./.,.,3,./.,.,.,. 0:0 2 r1c4=4"
    assert (after.last, after.effect) == ("r1c4=4", TABOO)
    assert set(before.legal_moves()) - set(after.legal_moves()) == {"r1c4=4"}


def test_a_move_that_completes_nothing_is_placed_for_no_points() -> None:
    """The value stands, nobody scores, nothing is worth saying."""
    after = Sudoku.parse(GOLDEN).play("r1c4=3")
    assert str(after) == "classic 2x2 1,2,.,3/.,.,.,./.,.,3,./.,.,.,. 0:0 2 -"
    assert (after.last, after.effect) == ("r1c4=3", "")


def test_the_last_cell_scores_seven_and_ends_the_game() -> None:
    """Row, column and block are complete at once, and the board is full."""
    before = Sudoku.parse("classic 2x2 1,2,3,4/3,4,1,2/2,1,4,3/4,3,2,. 6:0 2 -")
    assert before.legal_moves() == ["r4c4=1"]
    assert before.points("r4c4=1") == 7
    after = before.play("r4c4=1")
    assert after.effect == "7 points"
    assert after.outcome() == Outcome(2, (6, 7), "board full")
    assert after.legal_moves() == []
    with pytest.raises(IllegalMove, match="comes after the end: board full"):
        after.play("r4c4=1")


@pytest.mark.parametrize(
    ("cells", "move", "effect", "scores"),
    [
        ("1,2,3,./.,.,.,./.,.,.,./.,.,.,.", "r1c4=4", "1 point", (1, 0)),
        ("1,2,3,./.,.,1,2/.,.,.,./.,.,.,.", "r1c4=4", "3 points", (3, 0)),
        ("1,2,3,./3,4,1,2/2,1,4,3/.,.,.,1", "r1c4=4", "7 points", (7, 0)),
    ],
)
def test_points_for_regions_completed_at_once(
    cells: str, move: str, effect: str, scores: tuple[int, int]
) -> None:
    """One region scores 1, two 3, three 7, for the player who moved."""
    after = Sudoku.parse(f"classic 2x2 {cells} 0:0 1 -").play(move)
    assert (after.effect, after.scores) == (effect, scores)


def test_points_go_to_the_seat_that_moved() -> None:
    """The second player's points are the second number."""
    after = Sudoku.parse("classic 2x2 1,2,3,./.,.,.,./.,.,.,./.,.,.,. 5:2 2 -").play("r1c4=4")
    assert after.scores == (5, 3)


def test_equal_scores_are_a_draw() -> None:
    """A full board with equal scores has no winner."""
    after = Sudoku.parse("classic 2x2 1,2,3,4/3,4,1,2/2,1,4,3/4,3,2,. 0:7 1 -").play("r4c4=1")
    assert after.outcome() == Outcome(None, (7, 7), "board full")


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("r1c3=3", "3 stands in column 3 already"),
        ("r1c3=1", "1 stands in row 1 already"),
        ("r2c2=1", "1 stands in block 1 already"),
        ("r1c1=4", "the cell holds 1 already"),
        ("r0c3=4", "row 0 is not in 1 to 4"),
        ("r5c3=4", "row 5 is not in 1 to 4"),
        ("r1c0=4", "column 0 is not in 1 to 4"),
        ("r1c5=4", "column 5 is not in 1 to 4"),
        ("r1c3=0", "value 0 is not in 1 to 4"),
        ("r1c3=5", "value 5 is not in 1 to 4"),
        ("r1c4=4", "r1c4=4 is on the taboo list"),
    ],
)
def test_a_move_the_rules_refuse_names_its_reason(move: str, reason: str) -> None:
    """Each condition is checked by itself and told in words; such a move is never among the legal ones."""
    check_refused(Sudoku.parse(GOLDEN[:-1] + "r1c4=4"), move, reason)


@pytest.mark.parametrize(
    "move",
    [
        *("", "pass", "r1c4", "R1C4=3", "r1c4=3 ", " r1c4=3", "r1c4=3\n", "r1c4=3,r1c4=4"),
        *("r01c4=3", "r1c4=+3", "r-1c4=3", "r1c4=3_0", "r1c4=\u0663"),
        *("x" * 10_000_000, "r1c4=" + "9" * 10_000_000),
    ],
    ids=lambda move: ascii(move[:12]),
)
def test_a_text_that_is_no_move_is_refused_and_not_echoed_at_length(move: str) -> None:
    """There is one spelling of every move; anything else is illegal, in one short sentence."""
    check_no_move(Sudoku.parse(GOLDEN), move, "is no move: write r3c4=7")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "has 1$"),
        (GOLDEN + " ", "has 7$"),
        (GOLDEN.replace(" 0:0", "  0:0"), "has 7$"),
        (GOLDEN + "\n", "is no move"),
        (
            GOLDEN.replace("classic", "Classic"),
            "the variant of a position is one of classic, .*, not 'Classic'",
        ),
        (GOLDEN.replace("2x2", "2x4"), "the size of a position is one of 2x2, .*, not '2x4'"),
        (GOLDEN.replace("2x2", "02x2"), "not '02x2'"),
        (GOLDEN.replace("/.,.,.,. 0", " 0"), "4 rows between slashes, not 3"),
        (GOLDEN.replace("1,2,.,.", "1,2,."), "row 1 has 4 cells between commas, not 3"),
        (GOLDEN.replace("1,2,.,.", "1,2,.,5"), "r1c4 is '5', neither . nor a value from 1 to 4"),
        (GOLDEN.replace("1,2,.,.", "1,2,.,0"), "r1c4 is '0'"),
        (GOLDEN.replace("1,2,.,.", "1,02,.,."), "r1c2 is '02'"),
        (GOLDEN.replace("1,2,.,.", "1,+2,.,."), r"r1c2 is '\+2'"),
        (GOLDEN.replace("1,2,.,.", "1,\u0662,.,."), "r1c2 is '.u0662'"),
        (GOLDEN.replace("1,2,.,.", "1,2,.,1"), "value 1 stands twice in row 1, again at r1c4"),
        (GOLDEN.replace("1,2,.,./.", "1,2,.,./1"), "value 1 stands twice in column 1, again at r2c1"),
        (GOLDEN.replace("1,2,.,./.,.", "1,2,.,./.,1"), "value 1 stands twice in block 1, again at r2c2"),
        (GOLDEN.replace("0:0", "0:00"), "the scores of a position are written 3:0, not '0:00'"),
        (GOLDEN.replace("0:0", "-1:0"), "not '-1:0'"),
        (GOLDEN.replace("0:0", "\u0661:0"), "not '.u0661:0'"),
        (GOLDEN.replace("0:0 1", "0:0 3"), "the seat to move is 1 or 2, not '3'"),
        (GOLDEN.replace("0:0 1", "0:0 "), "not ''"),
        (GOLDEN[:-1], "'' is no move"),
        (GOLDEN[:-1] + "r1c4=5", "value 5 is not in 1 to 4"),
        (GOLDEN[:-1] + "r1c4=4,", "'' is no move"),
        (GOLDEN[:-1] + "r1c4=4,r1c4=4", "has r1c4=4 after r1c4=4"),
        (GOLDEN[:-1] + "r2c1=4,r1c4=4", "has r1c4=4 after r2c1=4"),
        (" " * 10_000_000, "at most 200000 characters, this text has 10000000"),
        ("classic 2x2 " + "\u0661" * 1000 + " 0:0 1 -", "4 rows between slashes, not 1"),
        (GOLDEN.replace("1,2,.,.", "1,2,.," + "\U0001f600" * 1000), "r1c4 is"),
    ],
    ids=range(30),
)
def test_a_text_that_is_no_position_is_refused_with_what_and_where(text: str, reason: str) -> None:
    """One short sentence says what is wrong; only the canonical text is taken."""
    check_no_position(Sudoku.parse, text, reason)


@settings(deadline=None, max_examples=30)
@given(reached())
def test_legal_moves_are_exactly_the_moves_that_play_takes(position: Sudoku) -> None:
    """Over all cells and values, a move is listed if and only if it is not refused."""
    side = position.shape.side
    rng = random.Random(str(position))
    every = [str(Move(row, column, value)) for row, column, value in _triples(side)]
    legal = set(position.legal_moves())
    for move in rng.sample(every, min(len(every), 150)):
        if move in legal:
            assert position.play(move).last == move
        else:
            with pytest.raises(IllegalMove):
                position.play(move)
    assert legal <= set(every)


def _triples(side: int) -> list[tuple[int, int, int]]:
    numbers = range(1, side + 1)
    return [(row, column, value) for row in numbers for column in numbers for value in numbers]


@settings(deadline=None, max_examples=30)
@given(reached())
def test_a_player_always_has_a_move_that_is_not_taboo(position: Sudoku) -> None:
    """Until the board is full, some legal move is placed: the one of a solution."""
    if position.outcome() is None:
        assert any(position.play(move).effect != TABOO for move in position.legal_moves())


@settings(deadline=None, max_examples=30)
@given(reached(), st.randoms(use_true_random=False))
def test_points_are_what_the_move_then_scores(position: Sudoku, rng: random.Random) -> None:
    """`points` foretells the gain of every legal move that is placed."""
    for move in rng.sample(position.legal_moves(), min(20, len(position.legal_moves()))):
        after = position.play(move)
        if after.effect != TABOO:
            assert sum(after.scores) - sum(position.scores) == position.points(move)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_an_empty_board_allows_every_value_everywhere(size: tuple[int, int]) -> None:
    """N cubed moves, in the order of row, column and value, each in its canonical text."""
    moves = empty(*size).legal_moves()
    assert moves == [str(Move(*triple)) for triple in _triples(size[0] * size[1])]


def _start(game: dict[str, Any]) -> Sudoku:
    setup = game["setup"]
    cells = tuple(setup["cells"])
    if game["variant"] == "classic":
        return Sudoku(shape(setup["m"], setup["n"]), cells)
    first, second = (sum(1 << cell for cell in own if not cells[cell]) for own in setup["start"])
    territory = Territory(game["variant"], (first, second))
    return Sudoku(shape(setup["m"], setup["n"]), cells, seat=territory.after(2), territory=territory)


def _effect(ply: dict[str, Any], seat: Seat) -> str:
    """In our words; `seat` is to move afterwards."""
    effect = ply.get("effect")
    words = []
    if effect is not None:
        words = [
            TABOO if effect == "taboo" else {1: "1 point", 3: "3 points", 7: "7 points"}[effect["points"]]
        ]
    if seat == ply["seat"]:
        words += [f"player {other(seat)} is skipped"]
    return ", ".join(words)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game['variant']}-{len(game['plies'])}")
def test_a_game_of_the_original_engine_ply_by_ply(game: dict[str, Any]) -> None:
    """Seat, number of legal moves, number of taboo moves, effect and result agree."""
    position = _start(game)
    for ply in game["plies"]:
        assert (position.seat, len(position.legal_moves())) == (ply["seat"], ply["legal"])
        if "taboo_count" in ply:
            assert len(position.taboo_moves()) == ply["taboo_count"]
        assert position.outcome() is None
        position = position.play(ply["move"])
        assert (position.last, position.effect) == (ply["move"], _effect(ply, position.seat))
        assert Sudoku.parse(str(position)) == position
    result = game["result"]
    assert position.outcome() == Outcome(result["winner"] or None, tuple(result["scores"]), result["reason"])


def test_all_games_of_the_original_engine_are_there() -> None:
    """The games above are those the README of the vectors counts."""
    variants = Counter(game["variant"] for game in GAMES)
    assert variants == {"classic": 20, "rows": 4, "border": 3}
    assert sum(len(game["plies"]) for game in GAMES) == 1669


@settings(deadline=None, max_examples=20)
@given(reached())
def test_taboo_moves_are_the_legal_moves_that_leave_no_solution(position: Sudoku) -> None:
    """All told at once they are those that `play` rejects one by one."""
    moves = position.legal_moves()
    expected = [move for move in moves if position.play(move).effect == TABOO]
    assert position.taboo_moves() == expected


@pytest.mark.parametrize(("passes", "sign"), [(False, -1), (True, 1)])
def test_easy_2x2_is_lost_without_passing_and_won_with_it(passes: bool, sign: int) -> None:
    """Played out in every way, the first player loses it unless taboo moves are used as passes."""

    @cache
    def value(position: Sudoku) -> int:
        if position.outcome() is not None:
            return position.scores[0] - position.scores[1]
        after = [position.play(move) for move in position.legal_moves()]
        values = [value(then) for then in after if passes or then.effect != TABOO]
        return max(values) if position.seat == 1 else min(values)

    position = board("easy-2x2")
    assert position.cells.count(0) == 4
    assert value(position) * sign > 0


def test_draw_shows_blocks_numbers_score_and_taboo_list() -> None:
    """The board as a person reads it; the last placed cell stands in brackets."""
    position = Sudoku.parse(GOLDEN).play("r1c4=4").play("r1c4=3")
    assert position.draw().splitlines() == [
        "     1  2   3  4",
        "   +------+------+",
        " 1 | 1  2 | . [3]|",
        " 2 | .  . | .  . |",
        "   +------+------+",
        " 3 | .  . | 3  . |",
        " 4 | .  . | .  . |",
        "   +------+------+",
        "0 : 0, player 1 to move",
    ]
    assert Sudoku.parse(GOLDEN).play("r1c4=4").draw().endswith("player 2 to move\ntaboo: r1c4=4")
    assert "\x1b[7m 3 \x1b[0m" in position.draw(colour=True)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_draw_is_aligned_at_every_size(size: tuple[int, int]) -> None:
    """Two-digit values widen every column alike."""
    position = empty(*size)
    largest = Sudoku(position.shape, (position.shape.side, *position.cells[1:]))
    lines = largest.draw().splitlines()[1:-1]
    assert len({len(line) for line in lines}) == 1
    assert len(lines) == position.shape.side + position.shape.n + 1


def test_start_refuses_an_unknown_variant_and_option() -> None:
    """The sentence names what there is to choose from."""
    with pytest.raises(
        Unknown, match="unknown variant of sudoku 'killer': choose from border, classic, random, rows"
    ):
        GAME.start(variant="killer", seed=0, options={})
    with pytest.raises(Unknown, match="unknown option of sudoku 'bord': choose from board"):
        GAME.start(variant="classic", seed=0, options={"bord": "easy-3x3"})
