"""The bots of Competitive Sudoku, and the boards they search on."""

import random
import signal
from collections import Counter
from collections.abc import Iterator
from itertools import islice, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots import Proposal, Turn
from bots.random import Random
from bots.sudoku.greedy import Greedy
from bots.sudoku.minimax import Minimax
from games import Mistake
from games.sudoku import Sudoku
from games.sudoku.boards import load
from games.sudoku.search import Board, Table
from games.sudoku.shape import Shape, shape

SMALL = [(2, 2), (2, 3)]
LARGER = [*SMALL, (3, 3), (3, 4)]


def turn(seed: int = 1) -> Turn:
    return Turn(number=1, seat=1, rng=random.Random(seed))


@st.composite
def unfinished(draw: st.DrawFn, sizes: list[tuple[int, int]], most_empty: int = 1000) -> Sudoku:
    """A position some random plies into a game, taboo ones among them, that is not over."""
    its_shape = shape(*draw(st.sampled_from(sizes)))
    rng = random.Random(draw(st.integers(0, 10_000)))
    position = Sudoku(its_shape, (0,) * its_shape.side**2)
    plies = draw(st.integers(0, 60))
    while plies > 0 or position.cells.count(0) > most_empty:
        after = position.play(rng.choice(position.legal_moves()))
        if after.outcome() is not None:
            break
        position = after
        plies -= 1
    return position


def texts(board: Board) -> list[str]:
    return [f"{board.shape.place(cell)}={value}" for cell, value in board.moves()]


@pytest.mark.parametrize("kind", [Board, Table])
@settings(deadline=None, max_examples=20)
@given(position=unfinished(LARGER), rng=st.randoms(use_true_random=False))
def test_a_search_board_has_the_moves_and_points_of_the_rules(
    kind: type[Board], position: Sudoku, rng: random.Random
) -> None:
    """Along random play on both, down to a dead end or the full board, then all the way back."""
    board = kind(position)
    line = [position]
    while position.legal_moves():
        assert texts(board) == position.legal_moves()
        for cell, value in board.moves():
            assert board.points(cell) == position.points(f"{position.shape.place(cell)}={value}")
        cell, value = rng.choice(board.moves())
        board.make((cell, value))
        cells = (*position.cells[:cell], value, *position.cells[cell + 1 :])
        position = Sudoku(position.shape, cells, taboo=position.taboo)
        line.append(position)
    assert board.moves() == []
    for earlier in reversed(line[:-1]):
        board.undo()
        assert tuple(board.cells) == earlier.cells
        assert texts(board) == earlier.legal_moves()
        assert [board.points(cell) for cell, _ in board.moves()] == [
            earlier.points(move) for move in earlier.legal_moves()
        ]


@settings(deadline=None, max_examples=40)
@given(position=unfinished(LARGER), seed=st.integers())
def test_every_bot_proposes_only_legal_moves(position: Sudoku, seed: int) -> None:
    """Each proposal could stand as the move; none is on the taboo list."""
    legal = set(position.legal_moves())
    assert set(Random().think(position, turn(seed))) <= legal
    assert set(Greedy().think(position, turn(seed))) <= legal
    moves = [proposal.move for proposal in Minimax(depth=2).think(position, turn(seed))]
    assert moves
    assert set(moves) <= legal


def test_random_draws_every_legal_move_about_equally_often() -> None:
    """Over many turns no legal move is missing and none is favoured."""
    position = load("easy-2x2")
    draws = Counter(move for seed in range(1000) for move in Random().think(position, turn(seed)))
    assert set(draws) == set(position.legal_moves())
    assert min(draws.values()) > 1000 / len(draws) / 2


@settings(deadline=None, max_examples=60)
@given(position=unfinished(LARGER), seed=st.integers())
def test_greedy_takes_the_most_points(position: Sudoku, seed: int) -> None:
    """No legal move scores more than the one it proposes."""
    (move,) = Greedy().think(position, turn(seed))
    assert position.points(move) == max(map(position.points, position.legal_moves()))


def test_greedy_breaks_ties_at_random() -> None:
    """Every one of the best moves is taken on some turn."""
    position = Sudoku.parse("classic 2x2 1,2,3,./.,.,.,./.,.,.,./2,1,4,. 0:0 1 -")
    moves = {move for seed in range(50) for move in Greedy().think(position, turn(seed))}
    assert moves == {"r1c4=4", "r4c4=3"}


def naive(shape: Shape, cells: tuple[int, ...], taboo: set[str], depth: int) -> dict[str, int]:
    """What each move gains the mover over the opponent within `depth` plies, with no pruning and nothing kept."""
    gains = {}
    for cell, held in enumerate(cells):
        for value in range(1, shape.side + 1):
            move = f"{shape.place(cell)}={value}"
            if held or move in taboo or any(cells[peer] == value for peer in shape.peers[cell]):
                continue
            after = (*cells[:cell], value, *cells[cell + 1 :])
            full = sum(
                all(after[other] for other, theirs in enumerate(shape.regions) if region in theirs)
                for region in shape.regions[cell]
            )
            replies = naive(shape, after, taboo, depth - 1) if depth > 1 else {}
            gains[move] = (0, 1, 3, 7)[full] - max(replies.values(), default=0)
    return gains


@pytest.mark.parametrize("moves", ["table", "rescan"])
@settings(deadline=None, max_examples=25)
@given(position=unfinished(SMALL, most_empty=9), depth=st.integers(1, 4), seed=st.integers())
def test_minimax_finds_the_value_of_plain_minimax(
    moves: str, position: Sudoku, depth: int, seed: int
) -> None:
    """Its last word at a depth is a best move of that depth, and its score the lead that move leads to."""
    *_, last = Minimax(depth=depth, moves=moves).think(position, turn(seed))
    depth = min(depth, position.cells.count(0))
    gains = naive(position.shape, position.cells, set(map(str, position.taboo)), depth)
    first, second = position.scores
    lead = first - second if position.seat == 1 else second - first
    assert last.depth == depth
    assert last.score == lead + max(gains.values())
    assert gains[last.move] == max(gains.values())


def test_minimax_proposes_a_random_move_before_it_searches() -> None:
    """The first proposal claims nothing and is any legal move."""
    position = load("easy-2x2")
    first = [next(Minimax().think(position, turn(seed))) for seed in range(100)]
    assert {proposal.move for proposal in first} == set(position.legal_moves())
    assert {(proposal.depth, proposal.score) for proposal in first} == {(None, None)}


def test_minimax_stops_at_the_number_of_empty_cells() -> None:
    """Without a cap it deepens from 1 ply to the last cell, each depth with a value of its own."""
    proposals = list(Minimax().think(load("easy-2x2"), turn()))
    depths = [proposal.depth for proposal in proposals[1:] if proposal.depth is not None]
    assert depths == sorted(depths)
    assert set(depths) == {1, 2, 3, 4}
    nodes = [proposal.nodes for proposal in proposals[1:] if proposal.nodes is not None]
    assert nodes == sorted(set(nodes))


def test_minimax_starts_each_depth_with_the_best_move_of_the_last() -> None:
    """The first proposal of a depth repeats the move that the depth before ended with."""
    repeats = 0
    for seed in range(30):
        proposals = list(Minimax().think(load("easy-2x2"), turn(seed)))[1:]
        for before, after in pairwise(proposals):
            if before.depth != after.depth:
                assert before.move == after.move
                repeats += 1
            else:
                assert (before.score or 0) < (after.score or 0)
    assert repeats == 90


def test_minimax_prunes() -> None:
    """All of depths 1 to 3 and the start of depth 4 take far fewer nodes than there are lines of three moves."""
    position = load("easy-3x3")
    fourth = next(proposal for proposal in Minimax().think(position, turn()) if proposal.depth == 4)
    assert fourth.nodes is not None
    assert fourth.nodes < 0.05 * len(position.legal_moves()) ** 3


def test_minimax_sees_what_greedy_does_not() -> None:
    """Where most points now are fewer in the end, it leaves them."""
    position = load("easy-2x2")
    gains = naive(position.shape, position.cells, set(), 4)
    (greedy,) = Greedy().think(position, turn())
    *_, last = Minimax().think(position, turn())
    assert position.points(last.move) < position.points(greedy)
    assert gains[last.move] > gains[greedy]


def thoughts(seed: int) -> Iterator[Proposal]:
    return islice(Minimax(depth=2).think(load("random-3x3"), turn(seed)), 40)


def test_the_same_rng_gives_the_same_proposals() -> None:
    """A bot draws from its turn's own lot and from nothing else."""
    assert list(thoughts(7)) == list(thoughts(7))
    assert list(thoughts(7)) != list(thoughts(8))
    position = load("random-3x3")
    for bot in (Random(), Greedy()):
        assert list(bot.think(position, turn(7))) == list(bot.think(position, turn(7)))
        assert len({move for seed in range(20) for move in bot.think(position, turn(seed))}) > 1


def test_minimax_can_be_interrupted_anywhere_and_used_again() -> None:
    """A search broken off by a signal, as its host does it, leaves nothing behind that the next turn would see."""

    class Stop(BaseException):
        pass

    def stop(*_: object) -> None:
        raise Stop

    bot = Minimax()
    before = signal.signal(signal.SIGALRM, stop)
    try:
        for delay in (0.003, 0.011, 0.031):
            signal.setitimer(signal.ITIMER_REAL, delay)
            with pytest.raises(Stop):
                list(bot.think(load("easy-3x3"), turn()))
            assert list(bot.think(load("easy-2x2"), turn(2))) == list(
                Minimax().think(load("easy-2x2"), turn(2))
            )
    finally:
        signal.signal(signal.SIGALRM, before)


def test_minimax_refuses_options_it_does_not_know() -> None:
    """One sentence says what there is."""
    with pytest.raises(Mistake, match="depth=1 or more, or depth=0 for no cap, not depth=-1"):
        Minimax(depth=-1)
    with pytest.raises(Mistake, match="unknown kind of moves 'bits': choose from rescan, table"):
        Minimax(moves="bits")
