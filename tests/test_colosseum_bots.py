"""The Colosseum bots: what they see on a board, which moves they leave out, and what they find."""

import random
from collections import deque
from itertools import pairwise
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots import Proposal, Turn
from bots.colosseum.alphabeta import AlphaBeta
from bots.colosseum.champion import Champion
from bots.colosseum.evaluation import Terms, leaves_a_way_out, order, result, winning_wall
from bots.colosseum.greedy import Greedy
from bots.colosseum.judgement import Judge, Weights, ends, middle
from bots.colosseum.territory import lanes
from games import Mistake, Seat
from games.colosseum import Colosseum
from games.colosseum.grid import SIZES, grid
from games.colosseum.lots import draw_start
from games.colosseum.search import Board

EMPTY = "6 0,0 5,5 1 -"
#: The second player sits in a corner with three walls; the first can put up the fourth with 0,4,r.
CAUGHT = "6 0,3 0,5 1 0,5,d"
#: The same, and the gap is further away than the first player can walk.
FAR = "6 5,0 0,5 1 0,5,d"
#: No wall separates the players at once, but the first player can force it: two own moves and whatever comes between.
FORCED = "6 1,4 0,2 1 0,2,d/0,3,r/0,4,r/0,5,d/1,2,d/1,3,r/1,3,d/2,0,d/2,1,r/2,2,d/2,3,r/2,3,d/2,4,r/2,5,d/4,0,r/4,1,r"
BOTS = {"alphabeta": AlphaBeta, "champion": Champion}


def turn(seed: int = 1) -> Turn:
    return Turn(1, 1, random.Random(seed))


def last(bot: AlphaBeta | Champion | Greedy, position: Colosseum) -> Proposal:
    *_, proposal = bot.think(position, turn())
    return proposal


def reached(seed: int, *, size: int, plies: int) -> Colosseum:
    """A position after random moves, none of which ends the game."""
    rng = random.Random(seed)
    position = draw_start(rng, size)
    for _ in range(plies):
        after = position.play(rng.choice(position.legal_moves()))
        if after.outcome() is None:
            position = after
    return position


POSITIONS = st.builds(reached, st.integers(0, 10_000), size=st.sampled_from(SIZES), plies=st.integers(0, 30))


def board_after(text: str, *moves: str) -> Board:
    board = Board(Colosseum.parse(text))
    for move in moves:
        board.make(board.number(move))
    return board


@pytest.mark.parametrize(
    ("text", "moves", "value"),
    [
        pytest.param(EMPTY, [], 0, id="corners are alike"),
        pytest.param("6 2,2 5,5 1 -", [], 23 - 10, id="the centre has more cells within three steps"),
        pytest.param("6 2,2 5,5 1 -", ["2,2,u"], 22 - 10, id="a wall takes away cells"),
        pytest.param("6 0,0 0,1 1 -", ["0,0,r"], 7 - 12 + 2, id="a wall on a side of the rival"),
        pytest.param("6 0,0 0,1 1 -", ["0,0,r", "0,1,d"], 7 - 8, id="only the wall just put up counts"),
        pytest.param(CAUGHT, ["0,4,r"], 10_000, id="a game that is won"),
    ],
)
def test_the_evaluation_counts_cells_within_a_turn_and_the_wall_just_put_up(
    text: str, moves: list[str], value: float
) -> None:
    """For the player who searches; the other sees the same from the other side."""
    board = board_after(text, *moves)
    assert (Terms().leaf(board, 1), Terms().leaf(board, 2)) == (value, -value)


def test_a_rating_adds_a_win_and_takes_nothing_off_for_a_loss() -> None:
    """The player who walls itself in is rated by cells alone, though the game is lost."""
    terms = Terms(reach=1, beside=0, win=500)
    assert terms.rating(board_after(CAUGHT, "0,4,r")) > 500
    lost = board_after("6 0,0 5,5 1 0,0,r", "0,0,d")
    assert result(lost, 1) == -1
    assert terms.rating(lost) == 1 - 10
    assert terms.leaf(lost, 1) == -500


@pytest.mark.parametrize(
    ("text", "wall"),
    [(CAUGHT, "0,4,r"), (FAR, None), (EMPTY, None), ("6 0,4 0,5 1 0,3,r/0,4,d/0,5,d", None)],
    ids=["in reach", "out of reach", "more than one gap", "no more than a draw"],
)
def test_a_rival_with_three_walls_gets_the_fourth(text: str, wall: str | None) -> None:
    """If the gap can be reached and the rest is larger."""
    board = Board(Colosseum.parse(text))
    found = winning_wall(board)
    assert (found if found is None else board.text(found)) == wall


def test_alphabeta_and_champion_win_at_once() -> None:
    """One proposal by the check of alphabeta; the champion sees every wall that separates."""
    position = Colosseum.parse(CAUGHT)
    assert [proposal.move for proposal in AlphaBeta().think(position, turn())] == ["0,4,r"]
    (found,) = Champion().think(position, turn())
    assert (found.move, found.score) == ("0,4,r", 1)


@settings(deadline=None, max_examples=20, derandomize=True)
@given(POSITIONS)
def test_the_order_is_by_rating_and_cut_and_without_dead_ends(position: Colosseum) -> None:
    """As many moves as rows and three, none with three walls round the mover as long as there are others."""
    board, terms = Board(position), Terms()
    moves = board.moves()

    def rating(move: int) -> float:
        board.make(move)
        value = terms.rating(board)
        board.undo()
        return value

    def walls(move: int) -> int:
        board.make(move)
        count = 4 - (board.sides & board.rival * 15).bit_count()
        board.undo()
        return count

    found = list(order(terms, 3)(board, moves))
    allowed = [move for move in moves if walls(move) < 3] or moves
    assert all(leaves_a_way_out(board, move) == (walls(move) < 3) for move in moves)
    assert len(found) == min(len(allowed), position.grid.size + 3)
    assert set(found) <= set(allowed)
    assert [rating(move) for move in found] == sorted(map(rating, allowed), reverse=True)[: len(found)]


def test_moves_that_leave_three_walls_are_made_if_nothing_else_is_left() -> None:
    """A player in a corridor without side branches has only such moves."""
    corridor = "/".join(f"0,{column},d" for column in range(6))
    position = Colosseum.parse(f"6 0,0 0,1 1 {corridor}")
    assert position.legal_moves() == ["0,0,r"]
    assert last(AlphaBeta(), position).move == "0,0,r"


def test_greedy_takes_the_best_board_and_draws_lots_among_equals() -> None:
    """The best by the evaluation of alphabeta one ply deep; from a symmetric position there are several."""
    position = Colosseum.parse(EMPTY)
    proposals = [next(Greedy().think(position, turn(seed))) for seed in range(20)]
    (score,) = {proposal.score for proposal in proposals}
    values = {}
    for move in position.legal_moves():
        values[move] = Terms().leaf(board_after(EMPTY, move), 1)
    assert score == max(values.values())
    best = {move for move, value in values.items() if value == score}
    assert {proposal.move for proposal in proposals} == best
    assert len(best) > 1


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("size", [6, 12])
def test_proposals_are_legal_and_the_first_takes_one_look(name: str, size: int) -> None:
    """With one node to spend there is a first proposal; with more each tells score, depth and nodes."""
    position = draw_start(random.Random(size), size)
    first = list(BOTS[name](nodes=1).think(position, turn()))
    assert first[0].move in position.legal_moves()
    proposals = list(BOTS[name](nodes=150).think(position, turn()))
    assert proposals[0].move == first[0].move
    assert {proposal.move for proposal in proposals} <= set(position.legal_moves())
    for proposal in proposals[1:]:
        assert None not in (proposal.score, proposal.depth, proposal.nodes)
    assert proposals[-1].nodes is not None
    assert proposals[-1].nodes <= 150


@pytest.mark.parametrize("name", BOTS)
def test_the_same_nodes_find_the_same(name: str) -> None:
    """A node limit makes a bot play alike on every machine."""
    position = draw_start(random.Random(7), 8)
    one, two = (list(BOTS[name](nodes=300).think(position, turn())) for _ in range(2))
    assert one == two
    assert one[-1].depth is not None
    assert one[-1].depth > 1


def test_alphabeta_stops_at_its_depth_and_before_the_line() -> None:
    """Without time left before its margin it keeps to the first of the order."""
    position = draw_start(random.Random(7), 6)
    assert last(AlphaBeta(depth=2), position).depth == 2
    late = Turn(1, 1, random.Random(1), deadline=0.0)
    assert len(list(AlphaBeta().think(position, late))) == 1


def test_options_change_what_is_best() -> None:
    """Weights, width and depth reach the search."""
    position = reached(7, size=7, plies=5)
    plain = last(AlphaBeta(depth=2), position)
    assert last(AlphaBeta(depth=2, reach=2, beside=0), position).score != plain.score
    wide = last(AlphaBeta(depth=2, extra=100), position)
    assert plain.nodes is not None
    assert wide.nodes is not None
    assert wide.nodes > plain.nodes
    champion = last(Champion(depth=2), position)
    others = (
        Champion(depth=2, territory=0.1),
        Champion(depth=2, near=0),
        Champion(depth=2, continuation=0.05),
    )
    for other in (*others, Champion(depth=2, centre=0.1), Champion(depth=2, centre=0.1, opening=9)):
        assert last(other, position).score != champion.score


@pytest.mark.parametrize(
    ("bot", "option", "value"),
    [
        (AlphaBeta, "depth", 0),
        (AlphaBeta, "extra", -1),
        (AlphaBeta, "margin", -0.1),
        (AlphaBeta, "nodes", -1),
        (Champion, "full", 0),
        (Champion, "late", 0),
        (Champion, "table", 0),
        (Champion, "opening", 0),
        (Champion, "territory", 0.9),
    ],
)
def test_options_out_of_range_are_refused(bot: type[AlphaBeta | Champion], option: str, value: float) -> None:
    """With a sentence that names the option."""
    with pytest.raises(Mistake, match=option):
        bot(**{option: value})  # type: ignore[arg-type] # any option


def distances(board: Board, start: int) -> dict[int, int]:
    """Steps from a cell to every cell connected with it, one cell at a time."""
    found, queue = {start: 0}, deque([start])
    while queue:
        cell = queue.popleft()
        for side in range(4 * cell, 4 * cell + 4):
            there = board.grid.behind[side].bit_length() // 4
            if board.sides >> side & 1 and there not in found:
                found[there] = found[cell] + 1
                queue.append(there)
    return found


@settings(deadline=None, max_examples=10, derandomize=True)
@given(POSITIONS)
def test_territory_is_who_is_nearer_also_when_separated(position: Colosseum) -> None:
    """As counted cell by cell on each board; without a border the two numbers are the scores of the rules."""
    board = Board(position)
    moves = board.moves()
    found = lanes(board.grid).after(board, moves)
    for place, move in enumerate(moves):
        board.make(move)
        own, rival = (distances(board, bit.bit_length() // 4) for bit in (board.rival, board.own))
        ours = {cell for cell, steps in own.items() if steps < rival.get(cell, inf)}
        theirs = {cell for cell, steps in rival.items() if steps <= own.get(cell, inf)}
        near = board.grid.steps
        assert found.own[place] == len(ours)
        assert found.rival[place] == len(theirs)
        assert found.own_near[place] == sum(own[cell] <= near for cell in ours)
        assert found.rival_near[place] == sum(rival[cell] <= near for cell in theirs)
        assert (found.border[place] == 0) == board.over()
        if board.over():
            scores = (found.own[place], found.rival[place])
            assert board.scores == (scores if position.seat == 1 else scores[::-1])
        board.undo()


@settings(deadline=None, max_examples=25, derandomize=True)
@given(POSITIONS)
def test_values_are_from_sure_loss_to_sure_win(position: Colosseum) -> None:
    """Only a game that is over is worth 1 or -1; a draw is worth 0; moves come best first."""
    judge = Judge(position.grid, Weights(0.6, 0.2, 0.1, 2.0, 0.01))
    board = Board(position)
    moves = board.moves()
    values = judge.values(board, moves)
    for move, value in zip(moves, values, strict=True):
        board.make(move)
        if board.over():
            assert value == result(board, position.seat)
        else:
            assert -1 < value < 1
        board.undo()
    assert judge.leaf(board, position.seat) == max(values)
    ordered = [values[moves.index(move)] for move in judge.order(board, moves)]
    assert all(one >= two for one, two in pairwise(ordered))
    assert len(ordered) == (1 if max(values) == 1 else len(moves))


def test_a_wall_goes_on_from_walls_and_border() -> None:
    """The ends of a wall, and what already meets them."""
    board = Board(Colosseum.parse("6 0,0 5,5 1 2,2,r"))

    def meets(text: str) -> list[bool]:
        return [one & ~board.sides != 0 for one in ends(board.grid)[board.number(text)]]

    assert meets("3,2,r") == [True, False]
    assert meets("3,3,l") == [False, True]
    assert meets("2,2,d") == [True, False]
    assert meets("4,2,r") == [False, False]
    assert meets("5,2,r") == [False, True]


def test_the_middle_is_worth_most() -> None:
    """From nothing in a corner."""
    worth = middle(grid(7))
    assert (worth[0], worth[24], max(worth)) == (0, 1, 1)


def forced(board: Board, plies: int) -> int:
    """1 if the player to move can force a win within so many plies, -1 if the rival can, else 0; move by move."""
    best = -1
    for move in board.moves():
        seat: Seat = board.seat
        board.make(move)
        value = result(board, seat) if board.over() else -forced(board, plies - 1) if plies > 1 else 0
        board.undo()
        if value == 1:
            return 1
        best = max(best, value)
    return best


def test_the_champion_finds_what_is_forced_within_three_plies() -> None:
    """Two plies of search and the look one move further: a win whenever brute force has one, no loss it has not."""
    seen = {-1: 0, 0: 0, 1: 0}
    for seed in range(60):
        position = reached(seed, size=6, plies=8 + seed % 22)
        board = Board(position)
        if 1 < board.count() < 20:
            score = last(Champion(depth=2, full=100), position).score
            expected = forced(board, 3)
            assert (score == 1) == (expected == 1)
            assert score != -1 or expected == -1
            seen[expected] += 1
    assert min(seen.values()) > 3


def test_the_champion_stops_once_the_game_is_decided() -> None:
    """A forced win ends the search, whatever nodes are left."""
    found = last(Champion(nodes=100_000), Colosseum.parse(FORCED))
    assert (found.score, found.depth) == (1, 2)
    assert found.nodes is not None
    assert found.nodes < 1000


def test_the_champion_remembers_between_turns_and_within_its_table() -> None:
    """The same board again costs fewer nodes; the table never holds more than it may."""
    position = draw_start(random.Random(7), 6)
    bot = Champion(depth=3, table=60)
    list(bot.think(position, turn()))
    assert 0 < len(bot._table) <= 60
    bot = Champion(depth=3)
    first, second = (last(bot, position) for _ in range(2))
    assert first.nodes is not None
    assert second.nodes is not None
    assert second.nodes < first.nodes
    assert (second.move, second.score) == (first.move, first.score)
