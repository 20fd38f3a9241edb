"""Tetress: its rules, its texts, its search board, and the games of the original engine."""

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import IllegalMove, Outcome, Unknown, find_game
from games.tetress import GAME, Tetress
from games.tetress.placement import PLACEMENTS, SHAPES
from games.tetress.search import Board
from tests.playing import play, verdict_of
from tests.rules import check_no_move, check_no_position, check_refused, check_search_board

EMPTY = "standard " + "/".join(["." * 11] * 11) + " 0"
WIPE_OUT = ("0-0,0-1,0-2,0-3", "0-4,0-5,0-6,0-7", "0-8,0-9,0-10,1-8")
VECTORS = Path(__file__).parent / "vectors" / "tetress.jsonl"
GAMES = [json.loads(line) for line in VECTORS.read_text().splitlines()]

Cell = tuple[int, int]


def played(*moves: str) -> Tetress:
    position = Tetress()
    for move in moves:
        position = position.play(move)
    return position


def text_of(rows: dict[int, str], plies: int) -> str:
    """The text of a position with these rows and no other tokens."""
    return f"standard {'/'.join(rows.get(row, '.' * 11) for row in range(11))} {plies}"


@st.composite
def reached(draw: st.DrawFn) -> Tetress:
    """A position that random legal moves lead to, finished games among them."""
    position = Tetress()
    rng = random.Random(draw(st.integers(0, 10_000)))
    for _ in range(draw(st.integers(0, 60))):
        if moves := position.legal_moves():
            position = position.play(rng.choice(moves))
    return position


def beside(cell: Cell) -> list[Cell]:
    row, column = cell
    return [
        ((row - 1) % 11, column),
        ((row + 1) % 11, column),
        (row, (column - 1) % 11),
        (row, (column + 1) % 11),
    ]


@cache
def every_placement() -> set[frozenset[Cell]]:
    """All sets of four cells that hang together on the torus, grown cell by cell."""
    grown = {frozenset([(row, column)]) for row in range(11) for column in range(11)}
    for _ in range(3):
        grown = {
            cells | {new} for cells in grown for cell in cells for new in beside(cell) if new not in cells
        }
    return grown


def move_of(cells: frozenset[Cell]) -> str:
    return ",".join(f"{row}-{column}" for row, column in sorted(cells))


def tokens_of(position: Tetress) -> dict[Cell, str]:
    rows = str(position).split(" ")[1].split("/")
    cells = {(row, column): held for row, text in enumerate(rows) for column, held in enumerate(text)}
    return {cell: held for cell, held in cells.items() if held != "."}


def naive_moves(position: Tetress) -> set[str]:
    """The rule as it is written, cell by cell."""
    tokens, own = tokens_of(position), "RB"[position.seat - 1]
    if position.plies == 150:
        return set()
    return {
        move_of(cells)
        for cells in every_placement()
        if not any(cell in tokens for cell in cells)
        and (position.plies < 2 or any(tokens.get(near) == own for cell in cells for near in beside(cell)))
    }


def test_the_game_is_found_by_its_name() -> None:
    """The installed entry point leads to the game whose rules are tested here, with its budget and memory."""
    assert find_game("tetress") is GAME
    assert (GAME.clock.budget, GAME.clock.turn, GAME.memory) == (180.0, None, 250)


def test_the_start_is_empty_and_allows_every_placement() -> None:
    """Nineteen shapes at 121 places, each with a text of its own, in ascending order of cells."""
    position = GAME.start(variant="standard", seed=5, options={})
    assert str(position) == EMPTY
    moves = position.legal_moves()
    assert len(SHAPES) == 19
    assert (len(moves), moves) == (2299, [str(placement) for placement in PLACEMENTS])
    assert set(moves) == {move_of(cells) for cells in every_placement()}
    assert [placement.number for placement in PLACEMENTS] == list(range(2299))


@pytest.mark.parametrize(
    ("move", "replies"),
    [
        ("4-4,4-5,5-4,5-5", 2110),
        ("0-0,0-10,10-0,10-10", 2110),
        ("3-3,3-4,3-5,3-6", 2082),
        ("0-0,1-0,9-0,10-0", 2082),
    ],
)
def test_the_second_ply_may_go_anywhere_free(move: str, replies: int) -> None:
    """After an O-piece 2110 replies, after an I-piece 2082, wherever it lies."""
    position = played(move)
    assert len(position.legal_moves()) == replies
    assert Board(position).count() == replies


def test_the_shortest_win_takes_three_plies() -> None:
    """Row 0 is cleared, Blue has no token left to touch, Red wins."""
    position = played(*WIPE_OUT)
    assert str(position) == text_of({1: "........R.."}, 3)
    assert position.effect == "cleared row 0"
    assert position.outcome() == Outcome(1, (1, 0), "no legal placement")
    assert position.legal_moves() == []
    with pytest.raises(IllegalMove, match="'5-5,5-6,5-7,5-8' comes after the end: no legal placement"):
        position.play("5-5,5-6,5-7,5-8")


def effect_of(ply: dict[str, Any]) -> str:
    effect = ply.get("effect", {"cleared_rows": [], "cleared_cols": []})
    lines = [f"row {row}" for row in effect["cleared_rows"]]
    lines += [f"column {column}" for column in effect["cleared_cols"]]
    return f"cleared {' and '.join(lines)}".replace(" and ", ", ", len(lines) - 2) if lines else ""


@pytest.mark.parametrize("game", GAMES, ids=range(len(GAMES)))
def test_a_game_of_the_original_engine_ply_by_ply(game: dict[str, Any]) -> None:
    """Seat, number of legal moves, cleared lines and result agree, on the search board too."""
    position = Tetress()
    board = Board(position)
    for ply in game["plies"]:
        legal = position.legal_moves()
        assert (position.seat, len(legal), board.count()) == (ply["seat"], ply["legal"], ply["legal"])
        assert (position.outcome(), board.over()) == (None, False)
        board.make(board.number(ply["move"]))
        position = position.play(ply["move"])
        assert (position.last, position.effect) == (ply["move"], effect_of(ply))
        assert Tetress.parse(str(position)) == position
        assert board.key == Board(position).key
    result = game["result"]
    assert position.outcome() == Outcome(result["winner"] or None, tuple(result["scores"]), result["reason"])
    assert (position.legal_moves(), board.moves(), board.over()) == ([], [], True)


def test_all_games_are_there() -> None:
    """The games above are those the README of the vectors counts, long ones and double clears among them."""
    plies = [ply for game in GAMES for ply in game["plies"]]
    effects = [ply["effect"] for ply in plies if "effect" in ply]
    assert (len(GAMES), len(plies), len(effects)) == (13, 725, 156)
    assert sum(bool(effect["cleared_rows"] and effect["cleared_cols"]) for effect in effects) == 5
    assert sum(game["result"]["reason"] == "150 plies" for game in GAMES) == 2
    assert sum(game["result"]["winner"] == 0 for game in GAMES) == 1


def test_crossing_lines_are_judged_on_the_filled_board_and_clear_together() -> None:
    """A row and a column that share the new cell both go, and nothing falls."""
    rows = dict.fromkeys(range(4, 11), "...R.......") | {0: "RRR.RRRBBBB", 10: "B..R......."}
    position = Tetress.parse(text_of(rows, 20))
    after = position.play("0-3,1-3,2-3,3-3")
    assert after.effect == "cleared row 0 and column 3"
    assert str(after) == text_of({10: "B.........."}, 21)


def test_more_than_two_lines_are_listed() -> None:
    """Rows first, ascending, then columns."""
    rows = dict.fromkeys(range(5, 9), "RRRRRRBBBB.")
    after = Tetress.parse(text_of(rows, 20)).play("5-10,6-10,7-10,8-10")
    assert after.effect == "cleared row 5, row 6, row 7 and row 8"
    assert after.scores == (0, 0)


def test_the_last_ply_counts_tokens_before_it_asks_for_placements() -> None:
    """After 150 plies more tokens win and equal ones draw, even if the player to move could not go on."""
    before = Tetress.parse(text_of({0: "RRRR......."} | {5: "BBBB......."}, 149))
    after = before.play("6-0,6-1,6-2,6-3")
    assert after.outcome() == Outcome(2, (4, 8), "150 plies")
    assert after.legal_moves() == []
    with pytest.raises(IllegalMove, match="comes after the end: 150 plies"):
        after.play("1-0,1-1,1-2,1-3")
    drawn = Tetress.parse(text_of({0: "RRRRRRRR...", 5: "BBBB......."}, 149)).play("6-0,6-1,6-2,6-3")
    assert drawn.outcome() == Outcome(None, (8, 8), "150 plies")
    stuck = Tetress.parse(text_of({5: "BBBB......."}, 150))
    assert stuck.outcome() == Outcome(2, (0, 4), "150 plies")


def test_touching_is_waived_by_the_number_of_the_ply_alone() -> None:
    """A player whose tokens are all gone may not start anew."""
    nothing_left = text_of({5: "BBBB......."}, 20)
    assert Tetress.parse(nothing_left).legal_moves() == []
    assert Tetress.parse(nothing_left).outcome() == Outcome(2, (0, 4), "no legal placement")


@pytest.mark.parametrize(
    "move", ["0-3,0-2,0-1,0-0", "0-1,0-3,0-0,0-2", "0-0,0-1,0-2,0-3"], ids=["down", "mixed", "up"]
)
def test_cells_may_stand_in_any_order(move: str) -> None:
    """The move is the same, and is remembered in ascending order."""
    position = played(move)
    assert (position, position.last) == (played("0-0,0-1,0-2,0-3"), "0-0,0-1,0-2,0-3")


def test_a_piece_may_wrap_round_both_edges() -> None:
    """The ascending order is that of the cells on the board."""
    position = played("10-10,10-0,0-10,0-0")
    assert position.last == "0-0,0-10,10-0,10-10"
    assert tokens_of(position) == dict.fromkeys([(0, 0), (0, 10), (10, 0), (10, 10)], "R")


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("0-3,1-3,2-3,3-3", "0-3,1-3,2-3,3-3: 0-3 is taken"),
        ("0-7,1-7,2-7,3-7", "0-7 is taken"),
        ("5-5,5-6,5-7,5-8", "5-5,5-6,5-7,5-8 touches no token of player 1"),
        ("1-4,1-5,1-6,1-7", "touches no token of player 1"),
        ("1-0,1-1,1-2,1-4", "1-0,1-1,1-2,1-4: these cells form no tetromino"),
        ("1-0,2-1,3-2,4-3", "form no tetromino"),
        ("1-0,1-1,1-2,1-2", "1-0,1-1,1-2,1-2 names a cell twice"),
        ("1-0,1-1,1-2,1-11", "rows and columns count from 0 to 10, 11 is none"),
        ("11-0,1-1,1-2,1-3", "11 is none"),
    ],
)
def test_a_move_the_rules_refuse_names_its_reason(move: str, reason: str) -> None:
    """Each condition is checked by itself and told in words; such a move is never among the legal ones."""
    check_refused(played(*WIPE_OUT[:2]), move, reason)


@pytest.mark.parametrize(
    "move",
    [
        *("", "pass", "0-0", "0-0,0-1,0-2", "0-0,0-1,0-2,0-3,0-4", "0-0, 0-1, 0-2, 0-3", "0-0,0-1,0-2,0-3\n"),
        *("00-0,0-1,0-2,0-3", "0-0,0-1,0-2,0-+3", "0-0,0-1,0-2,0--3", "0-0,0-1,0-2,0-\u0663"),
        *(
            "0:0,0:1,0:2,0:3",
            "a1,a2,a3,a4",
            "x" * 10_000_000,
            "0-0," * 2_500_000,
            "0-0,0-1,0-2,0-" + "9" * 10_000,
        ),
    ],
    ids=lambda move: ascii(move[:20]),
)
def test_a_text_that_is_no_move_is_refused_and_not_echoed_at_length(move: str) -> None:
    """A cell has one spelling; anything else is illegal, in one short sentence."""
    check_no_move(Tetress(), move, "is no move: write four cells, row-column, like")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "has 1$"),
        (EMPTY + " ", "has 4$"),
        (EMPTY + " 1", "has 4$"),
        (EMPTY + "\n", "the plies played are a number from 0 to 150, not '0.n'"),
        (EMPTY[:-1] + "00", "not '00'"),
        (EMPTY[:-1] + "-1", "not '-1'"),
        (EMPTY[:-1] + "151", "not '151'"),
        (EMPTY[:-1] + "\u0660", "not '.u0660'"),
        (EMPTY[:-1], "not ''"),
        (EMPTY.replace("standard", "classic"), "the variant of a position is standard, not 'classic'"),
        (EMPTY.replace("/........... 0", " 0"), "11 rows between slashes, not 10"),
        (text_of({3: "R" * 10}, 9), "row 3 has 11 cells, not 10"),
        (text_of({3: "R" * 12}, 9), "row 3 has 11 cells, not 12"),
        (text_of({3: "..r........"}, 1), "3-2 is 'r', neither R nor B nor ."),
        (text_of({3: "..\n........"}, 1), "3-2 is '.n'"),
        (text_of({3: "R" * 11}, 9), "row 3 is full: a full line would have been cleared"),
        (text_of(dict.fromkeys(range(11), ".B........."), 9), "column 1 is full"),
        (text_of({3: "RRRR......."}, 0), "4 R after ply 0: only 0 can have been laid"),
        (text_of({3: "RRRRBBBB..."}, 1), "4 B after ply 1: only 0 can have been laid"),
        (text_of({3: "RRRRRBBBB.."}, 2), "5 R after ply 2: only 4 can have been laid"),
        (text_of({3: "RRR........"}, 1), "3 tokens after ply 1: 1 missing, a cleared line takes 11"),
        (EMPTY[:-1] + "2", "0 tokens after ply 2: 8 missing"),
        (text_of({3: "RR........."}, 3), "2 tokens after ply 3: 10 missing"),
        (" " * 10_000_000, "at most 150 characters, this text has 10000000"),
    ],
    ids=range(24),
)
def test_a_text_that_is_no_position_is_refused_with_what_and_where(text: str, reason: str) -> None:
    """One short sentence says what is wrong; only the canonical text is taken."""
    check_no_position(Tetress.parse, text, reason)


@settings(deadline=None, max_examples=60)
@given(reached())
def test_legal_moves_are_those_that_looking_at_every_placement_finds(position: Tetress) -> None:
    """Each is listed once, and `play` takes these and refuses others."""
    legal = position.legal_moves()
    assert len(set(legal)) == len(legal)
    assert set(legal) == naive_moves(position)
    assert (position.outcome() is None) == bool(legal)
    rng = random.Random(str(position))
    for placement in rng.sample(PLACEMENTS, 50):
        if placement.text in legal:
            assert position.play(placement.text).last == placement.text
        else:
            with pytest.raises(IllegalMove):
                position.play(placement.text)


@settings(deadline=None, max_examples=60)
@given(reached(), st.randoms(use_true_random=False))
def test_a_move_fills_its_cells_and_clears_what_is_full(position: Tetress, rng: random.Random) -> None:
    """As worked out cell by cell: four tokens more, then every full row and column at once."""
    if not (moves := position.legal_moves()):
        return
    move = rng.choice(moves)
    tokens = tokens_of(position)
    for cell in move.split(","):
        row, column = cell.split("-")
        tokens[int(row), int(column)] = "RB"[position.seat - 1]
    rows = [row for row in range(11) if all((row, column) in tokens for column in range(11))]
    columns = [column for column in range(11) if all((row, column) in tokens for row in range(11))]
    left = {cell: token for cell, token in tokens.items() if cell[0] not in rows and cell[1] not in columns}
    after = position.play(move)
    assert tokens_of(after) == left
    assert after.effect == effect_of({"effect": {"cleared_rows": rows, "cleared_cols": columns}})
    assert (after.plies, after.seat) == (position.plies + 1, 3 - position.seat)


@settings(deadline=None, max_examples=60)
@given(reached(), st.randoms(use_true_random=False))
def test_the_search_board_agrees_with_the_position(position: Tetress, rng: random.Random) -> None:
    """Through any sequence of makes and undos it has the same moves, end and key; a key tells positions apart."""

    def agree(board: Board, position: Tetress) -> None:
        assert board.count() == len(board.moves())
        red, blue = (board.own, board.rival) if board.seat == 1 else (board.rival, board.own)
        assert str(Tetress(red, blue, board.plies)) == str(position)

    check_search_board(Board, position, rng, agree)


def test_draw_shows_coordinates_tokens_and_ply() -> None:
    """The last piece stands in brackets, also where it was cleared; in colour it is inverted."""
    position = played(*WIPE_OUT)
    lines = position.draw().splitlines()
    assert lines[:4] == [
        "    0  1  2  3  4  5  6  7  8  9 10",
        " 0  .  .  .  .  .  .  .  . [.][.][.]",
        " 1  .  .  .  .  .  .  .  . [R] .  .",
        " 2  .  .  .  .  .  .  .  .  .  .  .",
    ]
    assert lines[-1] == "R 1 : 0 B, after ply 3: no legal placement"
    assert position.draw(colour=True).count("\x1b[7m") == 4
    assert "\x1b[7m\x1b[31m R \x1b[0m" in position.draw(colour=True)
    assert played(*WIPE_OUT[:1]).draw().endswith("R 4 : 0 B, after ply 1: player 2 (B) to move")
    assert "[" not in Tetress().draw()


def test_start_refuses_an_unknown_variant_and_any_option() -> None:
    """The sentence names what there is to choose from."""
    with pytest.raises(Unknown, match="unknown variant of tetress 'classic': choose from standard"):
        GAME.start(variant="classic", seed=0, options={})
    with pytest.raises(Unknown, match="unknown option of tetress 'size': choose from opening"):
        GAME.start(variant="standard", seed=0, options={"size": "11"})


async def test_random_bots_play_a_match_over_grpc(tmp_path: Path) -> None:
    """A whole game between two processes, and its moves lead to its result."""
    match = await play("random", "random", folder=tmp_path, game="tetress", options={})
    position = played(*match.match.moves)
    outcome, verdict = position.outcome(), verdict_of(match)
    assert outcome is not None
    assert (verdict.reason, verdict.winner, verdict.scores) == ("finished", outcome.winner, outcome.scores)
