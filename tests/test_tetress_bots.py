"""The bots of Tetress: the utility they go by, what each looks at, and how the champion spends its time."""

import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache, partial
from math import inf

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bots import Proposal, Turn
from bots.search import Effort
from bots.tetress.alphabeta import AlphaBeta, GreedyAlphaBeta, Reach, Varied, own_turns
from bots.tetress.champion import Champion
from bots.tetress.death import PREPARED, DeathAware, deadly
from bots.tetress.greedy import Greedy
from bots.tetress.keyed import KeyedBoard
from bots.tetress.narrow import CERTAIN, Room
from bots.tetress.plan import Plan
from bots.tetress.room import RoomBoard
from bots.tetress.utility import Utility
from games import Mistake, Seat, other
from games.tetress import Tetress
from games.tetress.position import LAST_PLY, open_placements
from games.tetress.search import Board
from games.tetress.torus import SIDE, cell_bit

Cell = tuple[int, int]

#: Games whose endings are short enough to try everything.
ENDINGS = (15, 17, 18, 19, 22, 23, 29)


@cache
def game(seed: int) -> tuple[Tetress, ...]:
    """All positions of a game between players who draw lots."""
    rng = random.Random(seed)
    line = [Tetress()]
    while line[-1].outcome() is None:
        line.append(line[-1].play(rng.choice(line[-1].legal_moves())))
    return tuple(line)


@st.composite
def reached(draw: st.DrawFn) -> Tetress:
    line = game(draw(st.integers(0, 9)))
    return line[draw(st.integers(0, len(line) - 2))]


def ending(seed: int, plies: int = 4, left: int = 4) -> Tetress:
    """A position from which lots ended the game in so many plies; the last ply of all is `left` plies away."""
    line = game(seed)
    position = line[-1 - plies]
    last = LAST_PLY - left
    return replace(position, plies=last + (last + position.plies) % 2)


def turn(seat: Seat = 1, *, budget: float | None = None) -> Turn:
    return Turn(1, seat, random.Random(1), budget=budget)


def last(proposals: Iterable[Proposal]) -> Proposal:
    *_, found = proposals
    return found


def cells(tokens: int) -> set[Cell]:
    return {(row, column) for row in range(SIDE) for column in range(SIDE) if tokens & cell_bit(row, column)}


def sides(position: Tetress, seat: Seat) -> tuple[int, int]:
    return (position.red, position.blue) if seat == 1 else (position.blue, position.red)


def plain_utility(before: Tetress, after: Tetress, seat: Seat) -> float:
    """Cell by cell, as the words have it."""
    ours, theirs = (cells(tokens) for tokens in sides(after, seat))
    taken = ours | theirs

    def open_sides(tokens: set[Cell]) -> int:
        steps = ((0, 1), (0, 10), (1, 0), (10, 0))
        return sum(
            ((row + down) % SIDE, (column + right) % SIDE) not in taken
            for row, column in tokens
            for down, right in steps
        )

    our_loss, their_loss = (
        max(0, was.bit_count() - len(now))
        for was, now in zip(sides(before, seat), (ours, theirs), strict=True)
    )
    counts = [sum(cell[axis] == line for cell in taken) for axis in (0, 1) for line in range(SIDE)]
    return (
        10 * (open_sides(ours) - open_sides(theirs))
        + 125 * (len(ours) - len(theirs))
        + 300 * (their_loss - our_loss)
        + 5 * (sum(count >= 8 for count in counts) - sum(count <= 2 for count in counts))
    )


def result(board: Board) -> int:
    """What the side to move gets in the end, by trying everything: 1, 0 or -1."""
    moves = board.moves()
    if not moves:
        own, rival = board.own.bit_count(), board.rival.bit_count()
        return (own > rival) - (own < rival) if board.plies >= LAST_PLY else -1
    best = -1
    for move in moves:
        board.make(move)
        best = max(best, -result(board))
        board.undo()
        if best == 1:
            break
    return best


@settings(deadline=None, max_examples=40)
@given(position=reached(), seat=st.sampled_from([1, 2]), lot=st.integers(0, 1000))
def test_the_utility_is_what_the_words_say(position: Tetress, seat: Seat, lot: int) -> None:
    """For all moves together, and for one once it is made, also when it was asked for before."""
    utility = Utility()
    board = KeyedBoard(position)
    moves = board.moves()
    # Those that clear a line are few, and the ones that go wrong.
    shuffled = random.Random(lot).sample(moves, len(moves))
    clearing = [move for move in shuffled if position.play(board.text(move)).effect]
    values = dict(zip(moves, utility.values(board, moves, seat), strict=True))
    for move in (*clearing[:3], *shuffled[:4]):
        expected = plain_utility(position, position.play(board.text(move)), seat)
        board.make(move)
        assert [values[move], utility.of_last(board, seat), utility.of_last(board, seat)] == [expected] * 3
        board.undo()


@settings(deadline=None, max_examples=25)
@given(position=reached(), lot=st.integers(0, 1000))
def test_boards_follow_their_tokens(position: Tetress, lot: int) -> None:
    """Keys, sets of placements and their worth are those of a new board, after moves and after taking them back."""
    room, rng = Room(tokens=0.02), random.Random(lot)
    keyed, roomy = KeyedBoard(position), RoomBoard(position)
    line = [position]
    while (moves := roomy.moves()) and len(line) < 5:
        assert roomy.clearing() & roomy.own_open == sum_of_clearing(line[-1], roomy)
        for value, move in rng.sample(room.ranked(roomy), min(4, len(moves))):
            roomy.make(move)
            assert value == pytest.approx(-room.value(roomy, roomy.seat))
            roomy.undo()
        move = rng.choice(moves)
        line.append(line[-1].play(roomy.text(move)))
        keyed.make(move)
        roomy.make(move)
        assert state(keyed, roomy) == state(KeyedBoard(line[-1]), RoomBoard(line[-1]))
    while len(line) > 1:
        line.pop()
        keyed.undo()
        roomy.undo()
        assert state(keyed, roomy) == state(KeyedBoard(line[-1]), RoomBoard(line[-1]))


def state(keyed: KeyedBoard, roomy: RoomBoard) -> tuple[object, ...]:
    open_now = open_placements(roomy.own, roomy.rival, roomy.plies)
    assert roomy.count() == open_now.bit_count()
    assert roomy.moves() == Board.moves(roomy)
    return keyed.tokens_key, roomy.fit, roomy.own_open, roomy.rival_open


def sum_of_clearing(position: Tetress, board: RoomBoard) -> int:
    """The set of the moves whose effect the rules name."""
    moves = dict(zip(position.legal_moves(), single_bits(board.own_open), strict=True))
    return sum(bit for move, bit in moves.items() if position.play(move).effect)


def single_bits(bits: int) -> list[int]:
    return [1 << place for place in range(bits.bit_length()) if bits >> place & 1]


def with_placements(least: int, most: int) -> Tetress:
    """A position in which the side to move has so many."""
    return next(
        position
        for seed in range(40)
        for position in game(seed)
        if least <= len(position.legal_moves()) <= most and position.plies > 1
    )


def test_greedy_takes_the_highest_utility() -> None:
    """Whichever of the best it draws."""
    position = with_placements(60, 200)
    found = last(Greedy().think(position, turn()))
    values = {
        move: plain_utility(position, position.play(move), position.seat) for move in position.legal_moves()
    }
    assert values[found.move] == found.score == max(values.values())


def plain_search(before: Tetress, position: Tetress, depth: int, width: int, seat: Seat) -> float:
    """Minimax over the best few, on positions."""
    moves = position.legal_moves() if depth else []
    if not moves:
        return plain_utility(before, position, seat)
    maximises = position.seat == seat
    after = [position.play(move) for move in moves]
    after.sort(key=lambda it: plain_utility(position, it, seat), reverse=maximises)
    values = [plain_search(position, it, depth - 1, width, seat) for it in after[: width or None]]
    return max(values) if maximises else min(values)


@pytest.mark.parametrize(("depth", "width", "most"), [(2, 3, 60), (2, 0, 12), (4, 2, 20)])
def test_alpha_beta_finds_what_plain_minimax_finds_among_the_best(depth: int, width: int, most: int) -> None:
    """At a leaf the position before is the leaf's parent; MIN keeps the lowest by the same utility."""
    position = with_placements(2, most)
    bot = AlphaBeta(depth=depth, width=width)
    found = last(bot.think(position, turn()))
    assert found.depth == depth
    assert found.score == plain_search(position, position, depth, width, position.seat)


@pytest.mark.parametrize(
    ("placements", "depth", "width"), [(51, 2, 10), (50, 4, 5), (26, 4, 5), (25, 6, 3), (2, 6, 3)]
)
def test_varied_looks_deeper_the_fewer_placements_there_are(placements: int, depth: int, width: int) -> None:
    """On both sides of each threshold."""
    assert Varied().reach(placements) == Reach(depth, width)


def test_varied_plays_the_only_placement_and_searches_others() -> None:
    """The depth told is the depth searched."""
    assert [it.depth for it in Varied().think(with_placements(1, 1), turn())] == [1]
    assert last(Varied().think(with_placements(51, 400), turn())).depth == 2
    assert last(Varied().think(with_placements(26, 50), turn())).depth == 4
    assert last(Varied(few_depth=3).think(with_placements(2, 25), turn())).depth == 3


def test_greedy_alpha_beta_searches_from_forty_placements_on() -> None:
    """Greedy above that, and the threshold is an option."""
    position = with_placements(40, 40)
    assert last(GreedyAlphaBeta().think(position, turn())).depth == 4
    assert last(GreedyAlphaBeta(many=39).think(position, turn())).depth == 1


def plainly_deadly(position: Tetress, move: str, lookahead: int) -> bool:
    after = position.play(move)
    return any(
        all(plainly_deadly(replied, own, lookahead - 2) for own in replied.legal_moves())
        if lookahead > 2
        else not replied.legal_moves()
        for replied in map(after.play, after.legal_moves())
        if replied.plies < LAST_PLY
    )


@pytest.mark.parametrize("lookahead", [2, 4])
def test_a_move_is_deadly_if_a_reply_leaves_no_placement(lookahead: int) -> None:
    """As trying all replies finds; both kinds of moves are among the cases."""
    found = set()
    for seed in range(20):
        position = game(seed)[-1 - lookahead]
        board = RoomBoard(position)
        if board.count() * board.rival_open.bit_count() > 400:
            continue
        for move in board.moves()[:3]:
            expected = plainly_deadly(position, board.text(move), lookahead)
            assert deadly(board, move, lookahead, Effort()) == expected
            found.add(expected)
    assert found == {True, False}


def test_death_aware_skips_what_is_deadly() -> None:
    """It takes the first in the order of utility that is not, and the very first if all are or there are too many."""
    kinds = set()
    for seed in range(25):
        position = game(seed)[-3]
        seat = position.seat
        moves = position.legal_moves()
        values = {move: plain_utility(position, position.play(move), seat) for move in moves}
        safe = [value for move, value in values.items() if not plainly_deadly(position, move, 2)]
        found = last(DeathAware().think(position, turn(seat)))
        assert values[found.move] == (max(safe) if safe else max(values.values()))
        unchecked = last(DeathAware(most=len(moves) - 1).think(position, turn(seat)))
        assert values[unchecked.move] == max(values.values())
        kinds.add((bool(safe), values[found.move] == max(values.values())))
    assert kinds == {(True, True), (True, False), (False, True)}


def test_the_end_by_plies_is_no_death() -> None:
    """With no placements after the last ply tokens count, so nothing is skipped for it."""
    position = replace(game(1)[20], plies=LAST_PLY - 2)
    assert not any(deadly(RoomBoard(position), move, 2, Effort()) for move in RoomBoard(position).moves())


def test_death_aware_has_prepared_its_first_move() -> None:
    """The second where the first is blocked, whichever seat it has."""
    first, second = PREPARED
    assert last(DeathAware().think(Tetress(), turn())).move == first
    for red, expected in ((first, second), ("2-5,2-6,2-7,2-8", second), ("5-5,5-6,5-7,5-8", first)):
        assert last(DeathAware().think(Tetress().play(red), turn(2))).move == expected


@given(
    left=st.floats(0, 1000),
    plies=st.integers(0, LAST_PLY - 1),
    late=st.floats(0, 0.03),
    plan=st.builds(Plan, st.integers(1, 100), st.floats(0.03, 1), st.floats(0, 100)),
)
def test_a_plan_never_runs_out_of_time(left: float, plies: int, late: float, plan: Plan) -> None:
    """Even if every turn takes longer by what is kept in reserve; as long as there was enough for that."""
    turns = own_turns(plies)
    assume(left >= turns * plan.reserve)
    for later in range(turns):
        share = plan.share(left, turns - later)
        assert 0 <= share <= plan.longest
        left -= share + late
    assert left >= -1e-6


def test_a_plan_spends_most_in_the_turns_that_games_have() -> None:
    """Of 30 s more than half in the first 25 turns, and something in every turn."""
    champion, left, shares = Champion(), 30.0, []
    plan = Plan(champion.spread, champion.reserve, champion.longest)
    for turns in range(75, 0, -1):
        shares.append(plan.share(left, turns))
        left -= shares[-1]
    assert sum(shares[:25]) > 15
    assert min(shares) > 0


def test_the_champion_has_a_move_and_no_more_when_its_budget_is_spent() -> None:
    """It ends by itself: a budget that runs out is lost."""
    assert [it.depth for it in Champion().think(game(1)[12], turn(budget=0.0))] == [1]


@pytest.mark.parametrize("bot", [Champion, AlphaBeta, Varied, GreedyAlphaBeta, DeathAware])
@pytest.mark.parametrize("back", [4, 20])
def test_nodes_decide_where_a_search_ends(bot: Callable[..., Champion], back: int) -> None:
    """Two new bots say the same to the letter, and no search spends more."""
    position = game(3)[-1 - back]
    one, two = (list(bot(nodes=40).think(position, turn(position.seat))) for _ in range(2))
    assert one == two
    assert all((it.nodes or 0) <= 40 for it in one[1:])


@pytest.mark.parametrize("seed", ENDINGS)
def test_the_champion_plays_endings_without_a_mistake(seed: int) -> None:
    """Where it looks at everything its score has the sign of what trying everything finds, and its move keeps that."""
    position = ending(seed)
    expected = result(Board(position))
    found = last(Champion(wide=1000, root=1000).think(position, turn(position.seat)))
    assert found.score is not None
    assert (found.score > 0) - (found.score < 0) == expected
    assert -result(Board(position.play(found.move))) == expected


@pytest.mark.parametrize("seed", ENDINGS)
def test_what_a_narrow_search_says_is_certain_is_true(seed: int) -> None:
    """Also when it looks at two moves only: a loss is believed only when all moves lose."""
    position = ending(seed)
    found = last(Champion(wide=0, width=2, root=2).think(position, turn(position.seat)))
    assert found.score is not None
    if abs(found.score) >= CERTAIN:
        assert result(Board(position)) == (1 if found.score > 0 else -1)


def test_the_champion_leaves_a_lost_first_choice() -> None:
    """With two moves looked at in the root, it finds the others as soon as those lose."""
    saved = 0
    for seed in range(40):
        position = game(seed)[-3]
        board = RoomBoard(position)
        first = {move for _, move in Room(tokens=0.02).ranked(board)[:2]}
        safe = [move for move in board.moves() if not deadly(board, move, 2, Effort())]
        if safe and first.isdisjoint(safe):
            found = last(Champion(root=2, depth=2).think(position, turn(position.seat)))
            assert board.number(found.move) in safe
            saved += 1
    assert saved


@pytest.mark.parametrize(
    "make",
    [
        partial(AlphaBeta, depth=0),
        partial(AlphaBeta, width=-1),
        partial(Varied, few_depth=0),
        partial(GreedyAlphaBeta, nodes=-1),
        partial(DeathAware, lookahead=3),
        partial(DeathAware, lookahead=0),
        partial(Champion, spread=0),
        partial(Champion, reserve=-inf),
        partial(Champion, width=0),
        partial(Champion, root=1),
        partial(Greedy, near_full=-1),
    ],
)
def test_an_option_that_makes_no_sense_is_refused(make: Callable[[], object]) -> None:
    """In one sentence, when the bot is made."""
    with pytest.raises(Mistake, match="option"):
        make()


def test_the_rival_sees_the_same_utility_turned_round() -> None:
    """Apart from the lines, which count for neither side."""
    position = with_placements(60, 200)
    board = KeyedBoard(position)
    moves, seat = board.moves(), board.seat
    utility = Utility(lines=0.0)
    ours, theirs = (utility.values(board, moves, it) for it in (seat, other(seat)))
    assert ours == [-value for value in theirs]
