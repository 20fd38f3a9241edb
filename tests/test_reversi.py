"""Reversi: its rules, its texts, its search board, and the games of the original engine."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import BadText, IllegalMove, Outcome, Position, Unknown, find_game
from games.perft import count_on_board
from games.reversi import GAME, Reversi
from games.reversi.grid import SIZES, grid
from games.reversi.search import Board
from tests.playing import play, verdict_of
from tests.rules import check_no_move, check_no_position, check_refused, check_search_board

START = "standard ......../......../......../...WB.../...BW.../......../......../........ 1"
#: Black must pass: only White can play, at a1 and a2.
STUCK = "standard .BBW/.BWW/WWWW/WWWW 1"
VECTORS = Path(__file__).parent / "vectors" / "reversi.jsonl"
GAMES = [json.loads(line) for line in VECTORS.read_text().splitlines()]

Cell = tuple[int, int]


def start(size: int = 8) -> Reversi:
    return Reversi.start(grid(size))


def played(*moves: str) -> Reversi:
    position = start()
    for move in moves:
        position = position.play(move)
    return position


@st.composite
def reached(draw: st.DrawFn) -> Reversi:
    """A position that random legal moves lead to, finished games among them."""
    position = start(draw(st.sampled_from([4, 4, 6, 6, 8, 16])))
    rng = random.Random(draw(st.integers(0, 10_000)))
    for _ in range(draw(st.integers(0, 70))):
        if moves := position.legal_moves():
            position = position.play(rng.choice(moves))
    return position


def naive_flips(cells: dict[Cell, str], place: Cell, own: str) -> set[Cell]:
    """The rule as a person applies it: walk over the rival's discs until an own one ends the run."""
    flipped: set[Cell] = set()
    if cells[place] != ".":
        return flipped
    for step in [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]:
        run = []
        row, column = place[0] + step[0], place[1] + step[1]
        while cells.get((row, column), ".") not in (".", own):
            run.append((row, column))
            row, column = row + step[0], column + step[1]
        if cells.get((row, column)) == own:
            flipped.update(run)
    return flipped


def cells_of(position: Position) -> dict[Cell, str]:
    rows = str(position).split(" ")[1].split("/")
    return {(row, column): disc for row, text in enumerate(rows) for column, disc in enumerate(text)}


def test_the_game_is_found_by_its_name() -> None:
    """The installed entry point leads to the game whose rules are tested here, with a second a turn."""
    assert find_game("reversi") is GAME
    assert (GAME.clock.turn, GAME.variants) == (1.0, ("standard",))


def test_the_start_has_white_on_d4_and_e5() -> None:
    """Black moves first and has four moves, each turning one disc over."""
    position = GAME.start(variant="standard", seed=5, options={})
    assert str(position) == START
    assert position.legal_moves() == ["d3", "c4", "f5", "e6"]
    after = position.play("d3")
    assert str(after) == "standard ......../......../...B..../...BB.../...BW.../......../......../........ 2"
    assert (after.last, after.effect, after.scores) == ("d3", "1 disc flipped", (4, 1))


@pytest.mark.parametrize("size", SIZES)
def test_every_even_size_starts_in_its_middle(size: int) -> None:
    """Four discs, White on the falling diagonal, and four moves."""
    position = GAME.start(variant="standard", seed=0, options={"size": str(size)})
    cells = cells_of(position)
    assert len(cells) == size * size
    low, high = size // 2 - 1, size // 2
    assert {place: disc for place, disc in cells.items() if disc != "."} == {
        (low, low): "W",
        (low, high): "B",
        (high, low): "B",
        (high, high): "W",
    }
    assert len(position.legal_moves()) == 4


@pytest.mark.parametrize(
    ("depth", "count"),
    [(1, 4), (2, 12), (3, 56), (4, 244), (5, 1396), (6, 8200), (7, 55092), (8, 390216)],
)
def test_move_sequences_from_the_start_are_as_many_as_is_known(depth: int, count: int) -> None:
    """A pass is one ply; a finished game has no children."""
    assert count_on_board(Board(start()), depth) == count


@pytest.mark.parametrize("game", GAMES, ids=range(len(GAMES)))
def test_a_game_of_the_original_engine_ply_by_ply(game: dict[str, Any]) -> None:
    """Seat, number of legal moves, discs turned over and result agree, on the search board too."""
    position = start(game["setup"]["size"])
    board = Board(position)
    for ply in game["plies"]:
        legal = position.legal_moves()
        assert (position.seat, len(legal)) == (ply["seat"], ply["legal"])
        assert (position.outcome(), board.over()) == (None, False)
        flipped = 0
        if ply["move"] != "pass":
            place = (int(ply["move"][1:]) - 1, ord(ply["move"][0]) - ord("a"))
            flipped = len(naive_flips(cells_of(position), place, "BW"[position.seat - 1]))
        board.make(board.number(ply["move"]))
        position = position.play(ply["move"])
        effect = "" if not flipped else "1 disc flipped" if flipped == 1 else f"{flipped} discs flipped"
        assert (position.last, position.effect) == (ply["move"], effect)
        assert Reversi.parse(str(position)) == position
        assert board.key == Board(position).key
    result = game["result"]
    assert position.outcome() == Outcome(result["winner"] or None, tuple(result["scores"]), result["reason"])
    assert (position.legal_moves(), board.moves(), board.over()) == ([], [], True)


def test_all_games_are_there() -> None:
    """The games above are those the README of the vectors counts, passes and early ends among them."""
    assert (len(GAMES), sum(len(game["plies"]) for game in GAMES)) == (22, 1329)
    assert sum(any(ply["move"] == "pass" for ply in game["plies"]) for game in GAMES) == 8
    assert sum(game["result"]["reason"] == "neither side can move" for game in GAMES) == 4


def test_a_player_without_a_square_must_pass() -> None:
    """The pass is the only legal move, a ply of its own, and turns nothing over."""
    position = Reversi.parse(STUCK)
    assert (position.legal_moves(), position.outcome()) == (["pass"], None)
    after = position.play("pass")
    assert str(after) == STUCK[:-1] + "2"
    assert (after.last, after.effect) == ("pass", "")
    assert after.legal_moves() == ["a1", "a2"]


def test_empty_squares_are_awarded_to_nobody() -> None:
    """A game that ends early is counted as it stands."""
    position = Reversi.parse("standard BBB./BBBB/BBBB/BBBB 2")
    assert position.outcome() == Outcome(1, (15, 0), "neither side can move")
    assert position.legal_moves() == []


def test_equal_discs_are_a_draw() -> None:
    """A full board with as many discs on either side has no winner."""
    position = Reversi.parse("standard BBBB/BBBB/WWWW/WWWW 1")
    assert position.outcome() == Outcome(None, (8, 8), "board full")


@pytest.mark.parametrize(
    ("text", "move", "reason"),
    [
        (START, "d4", r"d4 holds a disc \(W\) already"),
        (START, "a1", "a1 turns no disc over"),
        (START, "d6", "d6 turns no disc over"),
        (START, "i1", "i1 is no square of this board: they go up to h8"),
        (START, "a9", "a9 is no square"),
        (START, "a10", "a10 is no square"),
        (START, "pass", "pass: there is a square to play, d3"),
        (STUCK, "a1", "a1 turns no disc over"),
        ("standard BBBB/BBBB/WWWW/WWWW 1", "pass", "'pass' comes after the end: board full"),
        ("standard BBB./BBBB/BBBB/BBBB 2", "d1", "'d1' comes after the end: neither side can move"),
    ],
)
def test_a_move_the_rules_refuse_names_its_reason(text: str, move: str, reason: str) -> None:
    """Each condition is told in words; such a move is never among the legal ones."""
    check_refused(Reversi.parse(text), move, reason)


@pytest.mark.parametrize(
    "move",
    [
        *("", "D3", "d3 ", " d3", "d3\n", "3d", "d03", "d+3", "d", "d0", "d-1", "d\u0663", "\uff443", "Pass"),
        *("passe", "d3,c4", "x" * 10_000_000, "d" + "3" * 10_000_000),
    ],
    ids=lambda move: ascii(move[:12]),
)
def test_a_text_that_is_no_move_is_refused_and_not_echoed_at_length(move: str) -> None:
    """There is one spelling of every move; anything else is illegal, in one short sentence."""
    check_no_move(start(), move, "is no move: write d3 for column d, row 3, or pass")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "has 1$"),
        (START + " ", "has 4$"),
        (START.replace(" 1", "  1"), "has 4$"),
        (START + "\n", r"the seat to move is 1 or 2, not '1.n'"),
        (START[:-1] + "3", "not '3'"),
        (START[:-1] + "01", "not '01'"),
        (START[:-1] + "\u0661", "not '.u0661'"),
        (START.replace("standard", "Standard"), "the variant of a position is standard, not 'Standard'"),
        (START.replace("/........ 1", " 1"), "even number of rows from 4 to 16 between slashes, not 7"),
        ("standard BW/WB 1", "not 2"),
        (f"standard {'/'.join(['.' * 8] * 18)} 1", "not 18"),
        (START.replace("...WB...", "...WB.."), "row 4 has 8 squares, not 7"),
        (START.replace("...WB...", "...WB...."), "row 4 has 8 squares, not 9"),
        (START.replace("...WB...", "...wB..."), "d4 is 'w', neither B nor W nor ."),
        (START.replace("...WB...", "\n..WB..."), "a4 is '.n', neither B nor W nor ."),
        (START.replace("...WB...", "\uff0e..WB..."), "a4 is '.uff0e'"),
        (START.replace("...WB...", "...W...."), "e4 is empty: the four squares in the middle never are"),
        (START.replace("W", "."), "d4 is empty"),
        (" " * 10_000_000, "at most 300 characters, this text has 10000000"),
    ],
    ids=range(19),
)
def test_a_text_that_is_no_position_is_refused_with_what_and_where(text: str, reason: str) -> None:
    """One short sentence says what is wrong; only the canonical text is taken."""
    check_no_position(Reversi.parse, text, reason)


@settings(deadline=None, max_examples=60)
@given(reached())
def test_moves_and_flips_are_those_that_walking_over_the_board_finds(position: Reversi) -> None:
    """Over all squares: listed, taken by `play` and turning over exactly what a naive walk does, or refused."""
    cells, own = cells_of(position), "BW"[position.seat - 1]
    legal = position.legal_moves()
    expected = []
    for row, column in cells:
        move = f"{'abcdefghijklmnop'[column]}{row + 1}"
        flipped = naive_flips(cells, (row, column), own)
        if flipped:
            expected.append(move)
            after = position.play(move)
            turned = dict.fromkeys([*flipped, (row, column)], own)
            assert cells_of(after) == cells | turned
            assert after.effect.startswith(f"{len(flipped)} disc")
        else:
            with pytest.raises(IllegalMove):
                position.play(move)
    assert [move for move in legal if move != "pass"] == expected
    assert (position.outcome() is None) == bool(legal)


@settings(deadline=None, max_examples=60)
@given(reached(), st.randoms(use_true_random=False))
def test_the_search_board_agrees_with_the_position(position: Reversi, rng: random.Random) -> None:
    """Through any sequence of makes and undos it has the same moves, end and key; a key tells positions apart."""

    def agree(board: Board, position: Reversi) -> None:
        black, white = (board.own, board.rival) if board.seat == 1 else (board.rival, board.own)
        assert str(Reversi(board.grid, black, white, board.seat)) == str(position)

    check_search_board(Board, position, rng, agree)


def test_draw_shows_coordinates_discs_and_score() -> None:
    """The board as a person reads it; the last disc stands in brackets, or inverted where there is colour."""
    position = played("d3", "c3")
    assert position.draw().splitlines() == [
        "    a  b  c  d  e  f  g  h",
        " 1  .  .  .  .  .  .  .  .",
        " 2  .  .  .  .  .  .  .  .",
        " 3  .  . [W] B  .  .  .  .",
        " 4  .  .  .  W  B  .  .  .",
        " 5  .  .  .  B  W  .  .  .",
        " 6  .  .  .  .  .  .  .  .",
        " 7  .  .  .  .  .  .  .  .",
        " 8  .  .  .  .  .  .  .  .",
        "B 3 : 3 W, player 1 (B) to move",
    ]
    assert position.draw(colour=True).count("\x1b[7m") == 1
    assert "\x1b[7m\x1b[1m W \x1b[0m" in position.draw(colour=True)
    assert "[" not in Reversi.parse(STUCK).play("pass").draw()
    assert (
        Reversi.parse("standard BBB./BBBB/BBBB/BBBB 2").draw().endswith("B 15 : 0 W, neither side can move")
    )


@pytest.mark.parametrize("size", SIZES)
def test_draw_is_aligned_at_every_size(size: int) -> None:
    """Two-digit rows move nothing."""
    header, *lines, _ = start(size).draw().splitlines()
    assert len(lines) == size
    assert {len(line) for line in (header, *lines)} == {3 * size + 2}


def test_start_refuses_an_unknown_variant_option_and_size() -> None:
    """The sentence names what there is to choose from."""
    with pytest.raises(Unknown, match="unknown variant of reversi 'classic': choose from standard"):
        GAME.start(variant="classic", seed=0, options={})
    with pytest.raises(Unknown, match="unknown option of reversi 'board': choose from opening, size"):
        GAME.start(variant="standard", seed=0, options={"board": "8"})
    for size in ("7", "2", "18", "08", "8 ", "eight", "", "\u0668", "8" * 10_000):
        with pytest.raises(BadText, match="an even number from 4 to 16, not '") as refusal:
            GAME.start(variant="standard", seed=0, options={"size": size})
        assert len(str(refusal.value)) < 120


async def test_random_bots_play_a_match_over_grpc(tmp_path: Path) -> None:
    """A whole game on a 6x6 board between two processes, and its moves lead to its result."""
    options = {"size": "6"}
    match = await play("random", "random", folder=tmp_path, game="reversi", options=options)
    position = start(6)
    for move in match.match.moves:
        position = position.play(move)
    outcome, verdict = position.outcome(), verdict_of(match)
    assert outcome is not None
    assert (verdict.reason, verdict.winner, verdict.scores) == ("finished", outcome.winner, outcome.scores)
