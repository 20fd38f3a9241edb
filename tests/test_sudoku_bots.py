"""The Sudoku bots that add to plain minimax, sample, or solve the end of the game."""

import random
import subprocess
import sys
from collections import Counter
from functools import cache
from itertools import islice
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots import Proposal, Turn
from bots.search import Effort, Table
from bots.sudoku.alphabeta import Search
from bots.sudoku.champion import Champion, likely
from bots.sudoku.doom import doomed
from bots.sudoku.endgame import Endgame
from bots.sudoku.gaps import Gaps
from bots.sudoku.mcts import Mcts
from bots.sudoku.minimax import Minimax, lead
from bots.sudoku.ordered import MinimaxOrdered
from bots.sudoku.random import Random
from bots.sudoku.solutions import solutions
from bots.sudoku.variants import MinimaxBoth, MinimaxEmpty, MinimaxTwoFree, two_free
from games import Mistake, Seat
from games.sudoku import GAME, Sudoku
from games.sudoku import search as boards
from games.sudoku.boards import load
from games.sudoku.oracle import solution

SEARCHERS = [Minimax, MinimaxEmpty, MinimaxTwoFree, MinimaxBoth, MinimaxOrdered, Mcts, Champion]
#: Row 1 lacks one value, all else lacks more.
ONE_GAP = "classic 2x2 1,2,3,./.,.,.,./.,.,.,./.,.,.,. 0:0 1 -"


def turn(seed: int = 1, seat: Seat = 1, moves: tuple[str, ...] = ()) -> Turn:
    return Turn(number=1, seat=seat, rng=random.Random(seed), moves=moves)


def late(board: str, gaps: int, seed: int) -> Sudoku:
    """A position with at most so many gaps after random moves, none of them taboo."""
    rng = random.Random(seed)
    position = load(board)
    while position.cells.count(0) > gaps:
        position = position.play(list(Random().think(position, Turn(1, 1, rng)))[-1])
    return position


def text(position: Sudoku, cell: int, value: int) -> str:
    return f"{position.shape.place(cell)}={value}"


def test_random_never_ends_with_a_taboo_move_and_draws_the_others_alike() -> None:
    """Its last word is one of the moves that leave a solution, each about as often as the next."""
    position = late("random-2x3", 12, 1)
    taboo = set(position.taboo_moves())
    assert taboo
    draws = Counter(list(Random().think(position, turn(seed)))[-1] for seed in range(600))
    assert set(draws) == set(position.legal_moves()) - taboo
    assert min(draws.values()) > 600 / len(draws) / 2


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_fewer_filled_counts_only_where_the_searching_seat_is_to_move(depth: int) -> None:
    """It is the weight times the share of empty cells; at odd depths the rival is to move, and nothing is added."""
    position = Sudoku.parse(ONE_GAP)
    move = (15, 4)
    values = [
        Search(boards.Table(position), Effort(), empty=empty).value(
            move, 0, depth=depth, alpha=-inf, beta=inf
        )
        for empty in (0.0, 0.1)
    ]
    share = (13 - depth) / 16
    assert values[1] - values[0] == pytest.approx(0.1 * share if depth == 2 else 0)


def test_two_free_sorts_cells_by_their_values_and_those_with_two_last() -> None:
    """Cells with 1, 3, 4 and then 2 values, in the order in which they came where equal."""
    moves = [(0, 1), (0, 2), (1, 1), (1, 2), (1, 3), (2, 4), (3, 1), (3, 2), (3, 3), (3, 4)]
    two_free(moves, 2)
    assert [cell for cell, _ in moves] == [2, 1, 1, 1, 3, 3, 3, 3, 0, 0]
    two_free(moves, 4)
    assert [cell for cell, _ in moves] == [2, 0, 0, 1, 1, 1, 3, 3, 3, 3]


@pytest.mark.parametrize("bot", [MinimaxTwoFree, MinimaxBoth])
def test_two_free_is_the_order_of_the_root(bot: type[MinimaxTwoFree | MinimaxBoth]) -> None:
    """Where nothing scores, the first move searched is in a cell with the fewest values, two excepted."""
    position = load("easy-3x3")
    admitted = Counter(cell for cell, _ in boards.Table(position).moves())
    _, first = islice(bot().think(position, turn()), 2)
    fewest = min(count for count in admitted.values() if count != 2)
    (chosen,) = (cell for cell in admitted if first.move.startswith(f"{position.shape.place(cell)}="))
    assert admitted[chosen] == fewest


@pytest.mark.parametrize("bot", [MinimaxEmpty, MinimaxTwoFree, MinimaxBoth])
def test_the_variants_of_minimax_agree_with_it_where_the_game_is_searched_out(
    bot: type[MinimaxEmpty | MinimaxTwoFree | MinimaxBoth],
) -> None:
    """Neither an order nor a tenth of a point changes the value of four last cells."""
    *_, plain = Minimax().think(load("easy-2x2"), turn())
    *_, varied = bot().think(load("easy-2x2"), turn())
    assert varied.score == pytest.approx(plain.score, abs=0.1)


@settings(deadline=None, max_examples=15)
@given(st.sampled_from(["random-2x3", "random-3x3"]), st.integers(8, 25), st.integers(0, 1000))
def test_doomed_moves_are_taboo_and_complete_nothing(board: str, gaps: int, seed: int) -> None:
    """The cheap test never calls a move unsolvable that is not."""
    position = late(board, gaps, seed)
    found = {text(position, cell, value) for cell, value in doomed(position)}
    assert found <= set(position.taboo_moves())
    assert not any(position.points(move) for move in found)


def test_doomed_finds_a_value_without_a_cell() -> None:
    """The second block has one cell left for a 1: neither another value there nor a 1 in its column can stand."""
    position = Sudoku.parse("classic 2x2 1,.,.,./.,.,.,2/.,.,.,./.,.,.,. 0:0 1 -")
    found = {text(position, cell, value) for cell, value in doomed(position)}
    assert {"r2c3=3", "r2c3=4", "r3c3=1", "r4c3=1"} <= found
    assert "r2c3=1" not in found


def test_ordered_proposes_a_random_move_then_the_one_with_most_points() -> None:
    """Before any search, which then begins at depth 2."""
    position = Sudoku.parse("classic 2x2 1,2,3,./.,.,.,./.,.,.,./2,1,4,. 0:0 1 -")
    firsts = set()
    for seed in range(40):
        first, second, searched = islice(MinimaxOrdered(most=0).think(position, turn(seed)), 3)
        firsts.add(first.move)
        assert position.points(second.move) == 1
        assert searched.depth == 2
    assert len(firsts) > 5


def passed(bot: MinimaxOrdered, position: Sudoku) -> Proposal:
    *_, last = bot.think(position, turn())
    return last


def test_ordered_passes_only_where_every_move_loses_ground() -> None:
    """Its last word is a taboo move where the best value is below the lead, and no taboo move it knows of elsewhere."""
    kinds = set()
    for seed in range(20, 30):
        position = late("random-2x3", 7, seed)
        bot = MinimaxOrdered(depth=2)
        last = passed(bot, position)
        assert last.score is not None
        loses = last.score < lead(position) and bool(bot.passes)
        assert (last.note == "pass") == loses
        assert (last.move in bot.passes) == loses
        kinds.add(loses)
    assert kinds == {True, False}


def test_ordered_with_an_absolute_pass_compares_with_zero() -> None:
    """Far ahead it does not pass for a loss of ground that a relative one passes for."""
    position = late("random-2x3", 7, 24)
    scores = (90, 0) if position.seat == 1 else (0, 90)
    ahead = Sudoku(position.shape, position.cells, scores, position.seat)
    assert passed(MinimaxOrdered(depth=2), ahead).note == "pass"
    absolute = MinimaxOrdered(depth=2, pass_="absolute")  # noqa: S106 - no password
    assert not passed(absolute, ahead).note


def test_ordered_keeps_its_list_prunes_it_and_renews_it_when_empty() -> None:
    """What is still legal stays as it is, though there would be more; only an empty list is built again."""
    position = late("random-2x3", 14, 3)
    bot = MinimaxOrdered(depth=2, nodes=1)
    list(bot.think(position, turn()))
    found = bot.passes
    assert len(found) > 1
    assert set(found) <= set(position.taboo_moves())
    kept, gone = found[0], "r1c1=1"
    bot.passes = [kept, gone]
    list(bot.think(position, turn()))
    assert bot.passes == [kept]
    bot.passes = [gone]
    list(bot.think(position, turn()))
    assert bot.passes == found


def test_ordered_looks_for_passes_only_within_its_range() -> None:
    """Outside of 20 to 85 percent the list stays empty."""
    position = late("random-2x3", 14, 3)
    for bot in (MinimaxOrdered(nodes=1, least=70.0), MinimaxOrdered(nodes=1, most=50.0)):
        list(bot.think(position, turn()))
        assert bot.passes == []


def test_ordered_raises_the_lower_bound_when_a_turn_ends_before_the_list_is_complete(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By ten points, once for each such turn."""

    class Stop(BaseException):
        pass

    def interrupted(_: Sudoku) -> None:
        raise Stop

    position = late("random-2x3", 14, 3)
    filled = 100 * (36 - position.cells.count(0)) / 36
    bot = MinimaxOrdered(depth=2, nodes=1, least=filled - 5)
    with monkeypatch.context() as patch:
        patch.setattr("bots.sudoku.ordered.doomed", interrupted)
        with pytest.raises(Stop):
            list(bot.think(position, turn()))
    list(bot.think(position, turn()))
    assert bot.passes == []
    unhurried = MinimaxOrdered(depth=2, nodes=1, least=filled - 5)
    list(unhurried.think(position, turn()))
    assert unhurried.passes


def test_mcts_goes_on_with_the_tree_of_the_moves_played() -> None:
    """After two moves that it has seen the root is their node, with its visits."""
    position = load("easy-2x2")
    bot = Mcts(nodes=300)
    list(bot.think(position, turn()))
    child = max(bot._mcts.root.children, key=lambda node: node.visits)
    reply = max(child.children, key=lambda node: node.visits)
    visits = reply.visits
    after = position.play(child.text).play(reply.text)
    assert after.cells.count(0) == position.cells.count(0) - 2
    list(bot.think(after, turn(moves=(child.text, reply.text))))
    assert bot._mcts.root is reply
    assert reply.visits == visits + 300


def test_mcts_takes_a_rejected_move_for_a_change_of_turns_and_nothing_else() -> None:
    """It never goes down to where the rejected value stands; what it then proposes is legal."""
    position = late("random-2x3", 12, 1)
    bot = Mcts(nodes=200)
    list(bot.think(position, turn(seat=position.seat)))
    taboo = position.taboo_moves()[0]
    after = position.play(taboo)
    assert after.seat != position.seat
    proposals = list(bot.think(after, turn(seat=after.seat, moves=(taboo,))))
    assert bot._mcts.root.key == (
        *after.cells,
        after.seat,
        *((cell, value) for cell, value in tabooed(after)),
    )
    assert bot._mcts.root.visits == 200
    assert {proposal.move for proposal in proposals} <= set(after.legal_moves())


def tabooed(position: Sudoku) -> list[tuple[int, int]]:
    side = position.shape.side
    return sorted(((row - 1) * side + column - 1, value) for row, column, value in position.taboo)


def test_mcts_begins_anew_after_moves_it_does_not_know() -> None:
    """A tree that has not seen the moves is left."""
    position = load("random-2x3")
    bot = Mcts(nodes=3)
    list(bot.think(position, turn()))
    seen = {child.text for child in bot._mcts.root.children}
    move = next(move for move in position.legal_moves() if move not in seen)
    after = position.play(move)
    list(bot.think(after, turn(seat=2, moves=(move,))))
    assert bot._mcts.root.visits == 3


def brute(position: Sudoku) -> tuple[int, dict[str, int]]:
    """What the side to move gains by its best move and by each, by the rules alone."""

    @cache
    def gain(position: Sudoku) -> int:
        if position.outcome() is not None:
            return 0
        return max(gains(position).values())

    def gains(position: Sudoku) -> dict[str, int]:
        level = Sudoku(position.shape, position.cells, (0, 0), 1, position.taboo)
        found = {}
        for move in level.legal_moves():
            after = level.play(move)
            found[move] = after.scores[0] - gain(Sudoku(after.shape, after.cells, (0, 0), 1, after.taboo))
        return found

    each = gains(position)
    return max(each.values()), each


@settings(deadline=None, max_examples=40, derandomize=True)
@given(st.sampled_from(["empty-2x2", "random-2x3"]), st.integers(1, 6), st.integers(0, 10_000))
def test_the_endgame_is_solved_as_by_brute_force(board: str, gaps: int, seed: int) -> None:
    """Passes and several solutions included: the same value, and a move that has it."""
    position = late(board, gaps, seed)
    found = solutions(position, most=100, tries=10_000)
    assert found
    puzzle = Gaps(position.shape, boards.Table(position).moves(), found)
    exact = Endgame(puzzle, table=Table(), effort=Effort(), every_pass=True)
    value, each = brute(position)
    *_, best = exact.best_moves(1000, exact.options(puzzle.start))
    assert best.gain == value
    assert each[text(position, *puzzle.moves[best.option[1]])] == value
    assert exact.complete
    first, *_ = (*exact.best_moves(1000, exact.options(puzzle.start), floor=-0.5, ceiling=0.5), None)
    assert (first is not None) == (value >= 0)


def test_solutions_are_all_or_none() -> None:
    """As many as there are, or None where there are too many or it takes too long."""
    position = Sudoku.parse("classic 2x2 1,2,3,4/3,4,1,2/2,1,4,3/4,3,2,. 0:0 1 -")
    assert solutions(position, most=1, tries=10) == [(1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)]
    empty = load("empty-2x2")
    assert len(solutions(empty, most=288, tries=100_000) or ()) == 288
    assert solutions(empty, most=287, tries=100_000) is None
    assert solutions(empty, most=288, tries=100) is None


def test_the_oracle_gives_a_solution() -> None:
    """It keeps what stands and is a full board by the rules; there is none where none can be."""
    position = load("random-3x3")
    found = solution(position.shape, position.cells)
    assert found is not None
    assert all(held in (0, value) for held, value in zip(position.cells, found, strict=True))
    assert Sudoku(position.shape, found).outcome() is not None
    dead = Sudoku.parse("classic 2x2 1,2,.,4/.,.,.,./.,.,3,./.,.,.,. 0:0 1 -")
    assert solution(dead.shape, dead.cells) is None


def test_points_on_offer_are_counted_cell_by_cell() -> None:
    """The gap of row 1 completes row and block, one of the two in row 3 its column."""
    position = Sudoku.parse("classic 2x2 1,2,3,./3,4,1,2/2,1,.,./4,3,2,1 0:0 1 -")
    found = solutions(position, most=1, tries=10)
    assert found
    puzzle = Gaps(position.shape, boards.Table(position).moves(), found)
    assert sorted(puzzle.on_offer(puzzle.start)) == [1, 3]


def test_the_horizon_goes_to_who_fills_the_last_gap() -> None:
    """With every pass used; the more passes there are, the less it counts."""
    for seed in range(10):
        position = late("random-2x3", 10, seed)
        found = solutions(position, most=100, tries=10_000)
        assert found
        puzzle = Gaps(position.shape, boards.Table(position).moves(), found)
        passes = puzzle.taboo(puzzle.start).bit_count()
        assert passes == len(position.taboo_moves())
        offer = sorted(puzzle.on_offer(puzzle.start), reverse=True)
        taken = sum(offer[::2]) - sum(offer[1::2])
        horizon = Endgame(puzzle, table=Table(), effort=Effort(), parity=8.0, doubt=0.5)
        value = horizon.value(puzzle.start, 0, -inf, inf)
        assert value - taken == pytest.approx((8 if passes % 2 else -8) / (1 + passes / 2))


def test_champion_begins_with_the_most_points_or_the_least_given_away() -> None:
    """Before it looks at anything else."""
    assert likely(Sudoku.parse(ONE_GAP)) == "r1c4=4"
    two_left = Sudoku.parse("classic 2x2 1,2,.,./.,.,.,./.,.,.,./.,.,.,. 0:0 1 -")
    assert not likely(two_left).startswith(("r1", "r2c1", "r2c2"))


def test_champion_wins_easy_2x2_by_a_pass() -> None:
    """The board is lost for the first player when nobody passes."""
    *_, plain = Minimax().think(load("easy-2x2"), turn())
    *_, last = Champion().think(load("easy-2x2"), turn())
    assert plain.score is not None
    assert plain.score < 0
    assert last.score is not None
    assert last.score > 0
    assert last.note == "to the end"


@pytest.mark.parametrize("board", ["easy-3x3", "random-3x4"])
def test_champion_never_passes_by_accident(board: str) -> None:
    """Early on every proposal but the first is legal and leaves a solution."""
    position = load(board)
    _, *later = Champion(nodes=60, tries=50, ask=1000).think(position, turn())
    moves = {proposal.move for proposal in later}
    assert moves
    assert moves <= set(position.legal_moves())
    assert not moves & set(position.taboo_moves())


@pytest.mark.parametrize("bot", SEARCHERS)
def test_a_node_limit_makes_a_searcher_the_same_on_every_machine(bot: type[Minimax]) -> None:
    """The same proposals twice, each with score, depth and nodes, and never more nodes than that."""
    position = late("random-3x3", 30, 1)
    first = list(bot(nodes=150).think(position, turn(5)))
    assert first == list(bot(nodes=150).think(position, turn(5)))
    said = [proposal for proposal in first if proposal.score is not None]
    assert said
    assert all(proposal.depth and proposal.nodes is not None for proposal in said)
    assert max(proposal.nodes or 0 for proposal in said) <= 150
    with pytest.raises(Mistake, match="option nodes is 0 or more, not -1"):
        bot(nodes=-1)


@pytest.mark.parametrize("variant", ["rows", "border", "random"])
@pytest.mark.parametrize("bot", SEARCHERS)
def test_every_searcher_plays_territories_by_the_rules(bot: type[Minimax], variant: str) -> None:
    """Every proposal of a whole game could stand."""
    position = GAME.start(variant=variant, seed=1, options={"board": "random-2x3"})
    rng = random.Random(1)
    assert isinstance(position, Sudoku)
    while position.outcome() is None:
        proposals = list(bot(nodes=30).think(position, Turn(1, position.seat, rng)))
        assert {proposal.move for proposal in proposals} <= set(position.legal_moves())
        position = position.play(proposals[-1].move)


def test_options_that_make_no_sense_are_refused() -> None:
    """One sentence each."""
    with pytest.raises(Mistake, match="unknown kind of pass 'never': choose from absolute, relative"):
        MinimaxOrdered(pass_="never")  # noqa: S106 - no password
    with pytest.raises(Mistake, match="option c is 0 or more, not -1"):
        Mcts(c=-1)
    with pytest.raises(Mistake, match="option ahead is 1 or more, not 0"):
        Champion(ahead=0)


def test_the_champion_imports_its_oracle_before_the_clock() -> None:
    """A turn that ends in the middle of an import costs the process that thinks."""
    code = "import sys; from bots.sudoku.champion import Champion; Champion(); print('pysat.solvers' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout == "True\n"
