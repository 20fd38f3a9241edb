"""Colosseum Survival: its rules, its texts, its lots, and the games of the original engine."""

import io
import json
import random
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots import Turn
from games import BadText, IllegalMove, Outcome, Ruling, Seat, Unknown, find_game
from games.colosseum import GAME, Colosseum
from games.colosseum.lots import draw_start, random_walk
from games.colosseum.search import Board
from games.perft import count, count_on_board
from referee.screen import Screen
from referee.seeds import derive
from referee.verdict import Reason
from tests.playing import play, shotclock, verdict_of
from tests.rules import check_no_move, check_no_position, check_refused, check_search_board

#: The position with walls of the golden counts.
GOLDEN = "6 5,0 0,5 1 0,0,r/0,2,d/4,3,d/5,4,r"
VECTORS = Path(__file__).parent / "vectors" / "colosseum.jsonl"
GAMES = [json.loads(line) for line in VECTORS.read_text().splitlines()]
STEPS = {"u": (-1, 0), "r": (0, 1), "d": (1, 0), "l": (0, -1)}
OPPOSITE = {"u": "d", "r": "l", "d": "u", "l": "r"}

Place = tuple[int, int]


class Naive:
    """The rules once more, on sets of coordinates and with nothing clever."""

    def __init__(self, position: Colosseum) -> None:
        size, first, second, seat, walls = str(position).split(" ")
        self.size = int(size)
        self.players: list[Place] = [self.place(first), self.place(second)]
        self.mover = int(seat) - 1
        self.walls: set[tuple[int, int, str]] = set()
        for wall in walls.split("/") if walls != "-" else []:
            row, column, side = wall.split(",")
            self.put_up(int(row), int(column), side)

    @staticmethod
    def place(text: str) -> Place:
        row, column = text.split(",")
        return int(row), int(column)

    def put_up(self, row: int, column: int, side: str) -> None:
        down, right = STEPS[side]
        self.walls |= {(row, column, side), (row + down, column + right, OPPOSITE[side])}

    def open_sides(self, row: int, column: int) -> list[tuple[str, Place]]:
        found = []
        for side, (down, right) in STEPS.items():
            there = (row + down, column + right)
            on_board = 0 <= there[0] < self.size and 0 <= there[1] < self.size
            if on_board and (row, column, side) not in self.walls:
                found.append((side, there))
        return found

    def walk(self, start: Place, steps: int, closed: Place | None) -> set[Place]:
        found = {start}
        for _ in range(steps):
            found |= {there for here in found for _, there in self.open_sides(*here) if there != closed}
        return found

    def legal_moves(self) -> list[str]:
        own, rival = self.players[self.mover], self.players[1 - self.mover]
        if rival not in self.walk(own, self.size**2, None):
            return []
        cells = sorted(self.walk(own, (self.size + 1) // 2, rival))
        return [f"{row},{column},{side}" for row, column in cells for side, _ in self.open_sides(row, column)]

    def scores(self) -> tuple[int, int]:
        first, second = (self.walk(place, self.size**2, None) for place in self.players)
        return (0, 0) if first == second else (len(first), len(second))


@st.composite
def reached(draw: st.DrawFn) -> Colosseum:
    """A position that random legal moves lead to, some of them the last of a game."""
    rng = random.Random(draw(st.integers(0, 10_000)))
    position = draw_start(rng, draw(st.sampled_from([6, 7, 8, 12])))
    for _ in range(draw(st.integers(0, 40))):
        if position.outcome() is None:
            position = position.play(rng.choice(position.legal_moves()))
    return position


def test_the_game_is_found_by_its_name_and_brings_its_own_terms() -> None:
    """2 s a turn and 30 s for the first, 500 MB, and a missing move is replaced."""
    assert find_game("colosseum") is GAME
    assert (GAME.clock.turn, GAME.clock.first, GAME.memory) == (2.0, 30.0, 500)
    assert GAME.ruling is Ruling.REPLACED


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("5 0,0 4,4 1 -", [32, 1024, 43516]),
        ("6 0,0 5,5 1 -", [32, 1024, 48948]),
        ("7 0,0 6,6 1 -", [50, 2500]),
        (GOLDEN, [31, 961, 42290]),
    ],
)
def test_move_sequences_are_as_many_as_they_should_be(text: str, counts: list[int]) -> None:
    """The golden counts, on the board for search and (two plies) on positions; a finished game has no children."""
    position = Colosseum.parse(text)
    board = Board(position)
    assert [count_on_board(board, depth) for depth in range(1, len(counts) + 1)] == counts
    assert [count(position, depth) for depth in (1, 2)] == counts[:2]


def test_the_golden_game_ends_two_to_thirty_four() -> None:
    """Five plies, in the last of which the first player walls itself in."""
    position = Colosseum.parse(GOLDEN)
    for move in ("5,0,r", "0,5,l", "4,0,u", "2,5,l"):
        position = position.play(move)
        assert (position.outcome(), position.scores, position.effect) == (None, (0, 0), "")
    position = position.play("4,0,r")
    assert position.outcome() == Outcome(2, (2, 34), "separated")
    assert position.effect == "separated: 2 for player 1, 34 for player 2"
    assert position.legal_moves() == []
    with pytest.raises(IllegalMove, match="comes after the end: the players are separated"):
        position.play("4,0,d")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game['setup']['n']}-{len(game['plies'])}")
def test_a_game_of_the_original_engine_ply_by_ply(game: dict[str, Any]) -> None:
    """Seat, number of legal moves and result agree."""
    setup = game["setup"]
    (row, column), (rows, columns) = setup["players"]
    walls = "/".join(f"{row},{column},{side}" for row, column, side in setup["walls"])
    position = Colosseum.parse(f"{setup['n']} {row},{column} {rows},{columns} 1 {walls or '-'}")
    for ply in game["plies"]:
        assert (position.seat, len(position.legal_moves())) == (ply["seat"], ply["legal"])
        assert position.outcome() is None
        position = position.play(ply["move"])
        assert position.last == ply["move"]
        assert Colosseum.parse(str(position)) == position
    result = game["result"]
    assert position.outcome() == Outcome(result["winner"] or None, tuple(result["scores"]), result["reason"])


def test_all_games_of_the_original_engine_are_there() -> None:
    """The games above are those the README of the vectors counts, draws and nobody's cells among them."""
    assert (len(GAMES), sum(len(game["plies"]) for game in GAMES)) == (20, 732)
    assert sum(game["result"]["winner"] == 0 for game in GAMES) == 3
    assert sum(sum(game["result"]["scores"]) < game["setup"]["n"] ** 2 for game in GAMES) == 12


def test_an_area_without_a_player_belongs_to_nobody() -> None:
    """A wall that closes it is told, the game goes on, and its cells count for neither in the end."""
    position = Colosseum.parse("5 0,1 4,4 1 0,0,d").play("0,1,l")
    assert (position.effect, position.outcome()) == ("cuts off 1 cell", None)
    position = Colosseum.parse("5 0,1 4,4 2 0,0,r/0,0,d/0,1,r/3,4,d").play("4,4,l")
    assert position.outcome() == Outcome(1, (23, 1), "separated")


def test_equal_areas_are_a_draw() -> None:
    """A wall down the middle of an even board."""
    walls = "/".join(f"{row},2,r" for row in range(5))
    position = Colosseum.parse(f"6 5,2 0,3 1 {walls}").play("5,2,r")
    assert position.outcome() == Outcome(None, (18, 18), "separated")


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("6,0,u", "6,0,u is not on the board: rows and columns go from 0 to 5"),
        ("0,100,u", "0,100,u is not on the board"),
        ("0,5,l", "player 2 stands on that cell"),
        ("1,0,u", "1,0,u is out of reach: 3 steps from 5,0 do not lead there"),
        ("5,0,d", "the lower side of that cell has a wall already"),
        ("5,0,l", "the left side of that cell has a wall already"),
        ("4,3,d", "out of reach"),
    ],
)
def test_a_move_the_rules_refuse_names_its_reason(move: str, reason: str) -> None:
    """Board, rival, reach and wall are told apart."""
    check_refused(Colosseum.parse(GOLDEN), move, reason)


def test_a_walk_goes_round_the_rival_and_round_walls() -> None:
    """What is near can be out of reach, and staying is always allowed."""
    position = Colosseum.parse("6 0,0 0,1 1 1,0,r/2,0,r")
    assert {move[:3] for move in position.legal_moves()} == {"0,0", "1,0", "2,0", "3,0"}


@pytest.mark.parametrize(
    "move",
    [
        *("", "pass", "4,0", "4,0,U", "4,0,x", "4,0,u ", " 4,0,u", "4,0,u\n", "4 0 u", "04,0,u", "-1,0,u"),
        *("+4,0,u", "4,0,ur", "\u0664,0,u", "x" * 10_000_000, "9" * 10_000_000 + ",0,u"),
    ],
    ids=lambda move: ascii(move[:12]),
)
def test_a_text_that_is_no_move_is_refused_and_not_echoed_at_length(move: str) -> None:
    """There is one spelling of every move; anything else is illegal, in one short sentence."""
    check_no_move(Colosseum.parse(GOLDEN), move, "is no move: write 4,0,u")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "has 1$"),
        (GOLDEN + " ", "has 6$"),
        (GOLDEN + "\n", "is no inner wall"),
        (GOLDEN.replace("6 ", "4 ", 1), "the size of a position is one of 5, .*, 12, not '4'"),
        (GOLDEN.replace("6 ", "13 ", 1), "not '13'"),
        (GOLDEN.replace("6 ", "06 ", 1), "not '06'"),
        (GOLDEN.replace("6 ", "\u0666 ", 1), "not '.u0666'"),
        (GOLDEN.replace("5,0 ", "6,0 "), "cell 6,0 is not on the board: rows and columns go from 0 to 5"),
        (GOLDEN.replace("5,0 ", "5,6 "), "cell 5,6 is not on the board"),
        (GOLDEN.replace("5,0 ", "05,0 "), "written 4,0 for row 4, column 0, not '05,0'"),
        (GOLDEN.replace("5,0 ", "\u0665,0 "), "not '.u0665,0'"),
        (GOLDEN.replace("5,0 ", "5 "), "not '5'"),
        (GOLDEN.replace("0,5 ", "5,0 "), "both players stand on 5,0"),
        (GOLDEN.replace(" 1 ", " 0 "), "the seat to move is 1 or 2, not '0'"),
        (GOLDEN.replace("0,0,r", "0,0,l"), "'0,0,l' is no inner wall: write 4,0,r or 4,0,d"),
        (GOLDEN.replace("0,0,r", "1,0,u"), "'1,0,u' is no inner wall"),
        (GOLDEN.replace("5,4,r", "5,4,d"), "'5,4,d' is no inner wall"),
        (GOLDEN.replace("5,4,r", "5,5,r"), "'5,5,r' is no inner wall"),
        (GOLDEN.replace("5,4,r", "6,4,r"), "'6,4,r' is no inner wall"),
        (GOLDEN.replace("0,0,r", "00,0,r"), "'00,0,r' is no inner wall"),
        (GOLDEN.replace("0,0,r", ""), "'' is no inner wall"),
        (GOLDEN.replace("0,0,r", "-"), "'-' is no inner wall"),
        (GOLDEN.replace("0,2,d", "0,0,r"), "have 0,0,r after 0,0,r"),
        (GOLDEN.replace("0,2,d", "5,2,r"), "have 4,3,d after 5,2,r"),
        (GOLDEN.replace("0,0,r/0,2,d", "0,2,d/0,2,r"), "have 0,2,r after 0,2,d"),
        (" " * 10_000_000, "at most 3000 characters, this text has 10000000"),
        (GOLDEN + "/" + "\U0001f600" * 1000, "is no inner wall"),
    ],
    ids=range(27),
)
def test_a_text_that_is_no_position_is_refused_with_what_and_where(text: str, reason: str) -> None:
    """One short sentence says what is wrong; only the canonical text is taken."""
    check_no_position(Colosseum.parse, text, reason)


def canonical_or_refused(text: str) -> None:
    try:
        position = Colosseum.parse(text)
    except BadText:
        return
    assert str(position) == text


@given(st.text(alphabet="56120,/-urdl \u0663_+", max_size=60))
def test_whatever_parses_is_canonical(text: str) -> None:
    """Junk never gets further than a sentence about it."""
    canonical_or_refused(text)


def test_the_longest_position_can_be_read() -> None:
    """All walls of the largest board fit into the length that `parse` takes."""
    sides = [(row, column, side) for row in range(12) for column in range(12) for side in "rd"]
    border = {(row, 11, "r") for row in range(12)} | {(11, column, "d") for column in range(12)}
    inner = [f"{row},{column},{side}" for row, column, side in sides if (row, column, side) not in border]
    text = f"12 11,10 11,11 1 {'/'.join(inner)}"
    assert str(Colosseum.parse(text)) == text
    assert Colosseum.parse(text).scores == (1, 1)


@settings(deadline=None, max_examples=60)
@given(reached())
def test_moves_and_scores_are_those_of_a_naive_board(position: Colosseum) -> None:
    """Legal moves in order, and areas, found again by walking from cell to cell."""
    naive = Naive(position)
    assert position.legal_moves() == naive.legal_moves()
    assert position.scores == naive.scores()


@settings(deadline=None, max_examples=30)
@given(reached())
def test_legal_moves_are_exactly_the_moves_that_play_takes(position: Colosseum) -> None:
    """Over all cells and sides, a move is listed if and only if it is not refused."""
    legal = position.legal_moves()
    for move in position.grid.texts:
        if move in legal:
            after = position.play(move)
            assert (after.last, after.seat) == (move, 3 - position.seat)
        else:
            with pytest.raises(IllegalMove):
                position.play(move)
    assert bool(legal) == (position.outcome() is None)


@settings(deadline=None, max_examples=40)
@given(reached(), st.randoms(use_true_random=False))
def test_a_search_board_agrees_with_the_position(position: Colosseum, rng: random.Random) -> None:
    """Through any sequence of makes and undos: moves, scores, end and key; no two positions have the same key."""
    keys: dict[object, Colosseum] = {}

    def agree(board: Board, position: Colosseum) -> None:
        assert (board.count(), board.scores) == (len(board.moves()), position.scores)
        assert keys.setdefault(board.key, position) == position

    check_search_board(Board, position, rng, agree)


@given(st.integers(0, 2**32), st.none() | st.sampled_from(range(6, 13)))
def test_a_start_is_symmetric_and_open(seed: int, size: int | None) -> None:
    """Exactly 2 (N // 2 - 1) inner walls, walls and players their own reflection, nobody separated."""
    options = {} if size is None else {"size": str(size)}
    start = GAME.start(variant="standard", seed=seed, options=options)
    assert isinstance(start, Colosseum)
    assert start == GAME.start(variant="standard", seed=seed, options=options)
    naive = Naive(start)
    assert naive.size == (size or naive.size)
    assert naive.size in range(6, 13)
    last = naive.size - 1
    assert len(naive.walls) == 2 * 2 * (naive.size // 2 - 1)
    assert naive.walls == {(last - row, last - column, OPPOSITE[side]) for row, column, side in naive.walls}
    (row, column), second = naive.players
    assert second == (last - row, last - column) != (row, column)
    assert (start.seat, start.outcome(), start.last) == (1, None, "")


def test_every_size_is_drawn_and_a_given_one_changes_nothing_else() -> None:
    """Seeds lead to all sizes; asking for the size that a seed leads to gives the same start."""
    sizes = Counter[int]()
    for seed in range(200):
        start = draw_start(random.Random(seed))
        sizes[start.grid.size] += 1
        assert draw_start(random.Random(seed), start.grid.size) == start
    assert set(sizes) == set(range(6, 13))


@pytest.mark.parametrize("size", ["5", "13", "06", "six", "", "\u0666", "9" * 100_000])
def test_a_size_that_is_none_is_refused(size: str) -> None:
    """One sentence with the sizes there are."""
    with pytest.raises(
        BadText, match="option size of colosseum is one of 6, 7, 8, 9, 10, 11, 12, not "
    ) as refusal:
        GAME.start(variant="standard", seed=0, options={"size": size})
    assert len(str(refusal.value)) < 130


def test_start_refuses_an_unknown_variant_and_option() -> None:
    """The sentence names what there is to choose from."""
    with pytest.raises(Unknown, match="unknown variant of colosseum 'classic': choose from standard"):
        GAME.start(variant="classic", seed=0, options={})
    with pytest.raises(Unknown, match="unknown option of colosseum 'board': choose from opening, size"):
        GAME.start(variant="standard", seed=0, options={"board": "x"})


def walk_chances(naive: Naive) -> dict[str, float]:
    """How likely each move is as a random walk: 0 to K steps, each to a free neighbour, then an open side."""
    own, rival = naive.players[naive.mover], naive.players[1 - naive.mover]
    most = (naive.size + 1) // 2
    at = {own: 1.0}
    chances: defaultdict[str, float] = defaultdict(float)
    for steps in range(most + 1):
        for place, chance in at.items():
            sides = [side for side, _ in naive.open_sides(*place)]
            for side in sides:
                chances[f"{place[0]},{place[1]},{side}"] += chance / (most + 1) / len(sides)
        after: defaultdict[Place, float] = defaultdict(float)
        for place, chance in at.items():
            free = [there for _, there in naive.open_sides(*place) if there != rival] or [place]
            for there in free:
                after[there] += chance / len(free)
        at = dict(after) if steps < most else at
    return dict(chances)


@pytest.mark.parametrize("text", [GOLDEN, "6 0,0 0,1 1 0,0,d", "6 2,2 2,3 2 2,3,d/3,3,r"])
def test_the_stand_in_is_a_random_walk(text: str) -> None:
    """Its moves come as often as steps, turns and sides drawn by lot give; a player who is boxed in stays."""
    position = Colosseum.parse(text)
    chances = walk_chances(Naive(position))
    count = 20_000
    drawn = Counter(random_walk(position, random.Random(seed)) for seed in range(count))
    assert set(drawn) <= set(chances)
    assert sum(abs(drawn[move] / count - chance) for move, chance in chances.items()) < 0.06


@settings(deadline=None, max_examples=60)
@given(reached(), st.integers())
def test_the_stand_in_is_legal_and_repeatable(position: Colosseum, seed: int) -> None:
    """Whatever the position, and the same for the same numbers."""
    if position.outcome() is None:
        move = GAME.stand_in(position, random.Random(seed))
        assert move in position.legal_moves()
        assert move == GAME.stand_in(position, random.Random(seed))


def test_draw_shows_walls_players_and_the_last_move() -> None:
    """The newest wall is drawn with #, or inverted in colour, and so is the player who moved."""
    position = Colosseum.parse("5 1,1 4,4 1 0,0,r/2,2,d").play("1,2,u")
    assert position.draw().splitlines() == [
        "      0   1   2   3   4",
        "   +---+---+---+---+---+",
        " 0 |   |               |",
        "   +   +   +###+   +   +",
        " 1 |        [1]        |",
        "   +   +   +   +   +   +",
        " 2 |                   |",
        "   +   +   +---+   +   +",
        " 3 |                   |",
        "   +   +   +   +   +   +",
        " 4 |                 2 |",
        "   +---+---+---+---+---+",
        "player 2 to move, at most 3 steps",
    ]
    coloured = position.draw(colour=True)
    assert "\x1b[7m---\x1b[0m" in coloured
    assert "\x1b[7m 1 \x1b[0m" in coloured
    assert "#" not in Colosseum.parse(str(position)).draw()
    ended = Colosseum.parse("5 0,0 4,4 1 0,0,d").play("0,0,r")
    assert ended.draw().splitlines()[2] == " 0 |[1]#               |"
    assert ended.draw().endswith("\n1 : 24, separated")


class Cheat:
    """Stays and tries to build on the border."""

    def think(self, position: Colosseum, turn: Turn) -> str:
        row, column = str(position).split(" ")[turn.seat].split(",")
        return f"{row},{column},out"


async def test_a_match_between_random_bots(tmp_path: Path) -> None:
    """Two processes play it to its end, and the moves lead there again."""
    played = await play("random", "random", folder=tmp_path, game="colosseum", options={"size": "6"})
    verdict = verdict_of(played)
    assert verdict.reason is Reason.FINISHED
    position = GAME.start(variant="standard", seed=7, options={"size": "6"})
    for move in played.match.moves:
        position = position.play(move)
    outcome = position.outcome()
    assert outcome is not None
    assert (verdict.winner, verdict.scores) == (outcome.winner, outcome.scores)


async def test_an_illegal_move_is_replaced_by_the_seeded_walk(tmp_path: Path) -> None:
    """The match goes on with a move from the match seed, and report and screen say who drew it."""
    out = io.StringIO()
    cheat = f"{__file__}:Cheat"
    played = await play(
        cheat,
        "random",
        folder=tmp_path,
        game="colosseum",
        options={"size": "6"},
        announce=Screen(out).announce,
    )
    assert verdict_of(played).reason is Reason.FINISHED
    lines = [line for line in out.getvalue().splitlines() if line.startswith("turn ")]
    seats: dict[Seat, bool] = {1: True, 2: False}
    for report, line in zip(played.match.reports, lines, strict=True):
        assert report.replaced is seats[report.seat]
        assert ("drawn by the referee" in line) is seats[report.seat]
        if report.replaced:
            rng = random.Random(derive(7, "stand-in", report.turn))
            assert report.move == random_walk(Colosseum.parse(str(report.before)), rng)
            assert "is no move" in report.heard[-1].refused


async def test_a_wrong_size_on_the_command_line_is_one_sentence(tmp_path: Path) -> None:
    """Exit code 2 before any bot is started."""
    done = await shotclock("play", "colosseum", "--option", "size=20", folder=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert done.err == "shotclock: option size of colosseum is one of 6, 7, 8, 9, 10, 11, 12, not '20'\n"
