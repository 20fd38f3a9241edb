"""The search library: every search finds what plain minimax finds, and an interrupt leaves nothing wrong behind."""

import random
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.agreement import agree, arbitrary, board_of, last, some
from bench.alarm import SetAlarm, Stop, alarm
from bots import Proposal, Turn
from bots.reversi.champion import Champion
from bots.reversi.fixed import AlphaBeta as FixedAlphaBeta
from bots.search import AlphaBeta, Effort, Mcts, Minimax, Spent, Table, decide, deepen, uniform, zobrist
from bots.search.table import EXACT, Entry
from bots.tree import worth
from games import Position, Seat, find_game, game_names
from games.reversi import Reversi
from games.reversi.search import Board as ReversiBoard
from games.tree import Tree
from games.tree.load import load
from games.tree.search import Board as TreeBoard

DEPTHS = {"colosseum": 2, "reversi": 3, "tetress": 2, "tree": 6}
GAMES = [name for name in game_names() if find_game(name).board is not None]
INTERRUPTS = 1000
#: Of each game; `bench/agreement.py` takes thousands.
POSITIONS = 120
WIDTH = 12
#: The first player wins with d3 and may lose with c1.
SMALL = "standard WB../WWWW/WWB./.BBB 1"


def reached(game: str, seed: int, plies: int) -> Position:
    """A position after so many random moves, or as many as the game has without its last."""
    rng = random.Random(seed)
    found = find_game(game)
    position = found.start(variant=found.variants[0], seed=seed, options={})
    for _ in range(plies):
        after = position.play(rng.choice(position.legal_moves()))
        if after.outcome() is not None:
            break
        position = after
    return position


def reversi(seed: int, plies: int) -> Reversi:
    position = reached("reversi", seed, plies)
    assert isinstance(position, Reversi)
    return position


def turn(number: int = 1, seat: Seat = 1, *, budget: float | None = None) -> Turn:
    return Turn(number, seat, random.Random(number), budget=budget)


@pytest.mark.parametrize("game", game_names())
def test_every_search_decides_as_plain_minimax_does(game: str) -> None:
    """The same value and the same move, with and without a table and killers, where many values are equal."""
    plain, pruned = agree(game, POSITIONS, seed=1)
    assert pruned < plain or game == "tree"


@pytest.mark.parametrize("game", GAMES)
def test_pruning_and_a_table_save_nodes(game: str) -> None:
    """Each on top of the other, over some positions."""
    nodes = dict.fromkeys(["plain", "pruned", "with table"], 0)
    for seed in range(8):
        position = reached(game, seed, 3 if game == "tree" else 8 + seed)
        if len(position.legal_moves()) > 1:
            searches: dict[str, Minimax[Any]] = {
                "plain": Minimax(board_of(game, position), arbitrary, order=some(WIDTH)),
                "pruned": AlphaBeta(board_of(game, position), arbitrary, order=some(WIDTH)),
                "with table": AlphaBeta(
                    board_of(game, position), arbitrary, order=some(WIDTH), table=Table()
                ),
            }
            for name, search in searches.items():
                list(deepen(search, range(1, DEPTHS[game] + 1)))
                nodes[name] += search.effort.nodes
    assert nodes["with table"] <= nodes["pruned"] < nodes["plain"] or game == "tree"


@settings(deadline=None, max_examples=30, derandomize=True)
@given(seed=st.integers(0, 1000), plies=st.integers(0, 60), depth=st.integers(2, 4))
def test_a_line_leads_to_the_value_it_promises(seed: int, plies: int, depth: int) -> None:
    """Played out on the board, the line of every proposal ends where the evaluation is the score."""
    position = reversi(seed, plies)
    for proposal in deepen(AlphaBeta(ReversiBoard(position), arbitrary), range(1, depth + 1)):
        if proposal.score is not None:
            board = ReversiBoard(position)
            for move in proposal.line:
                board.make(board.number(move))
            assert arbitrary(board, position.seat) == proposal.score
            assert proposal.move == proposal.line[0]


def test_deepening_ends_when_there_is_nothing_more_to_find() -> None:
    """The tree is three levels deep: the fourth depth meets no horizon and is the last."""
    search = AlphaBeta(TreeBoard(Tree(load())), worth)
    depths = [proposal.depth for proposal in deepen(search)]
    assert (depths[0], depths[-1]) == (None, 4)


def test_deepening_ends_with_a_sure_win() -> None:
    """A value that is as good as a win leaves nothing to look for."""
    *_, proposal = deepen(AlphaBeta(TreeBoard(Tree(load())), worth), certain=4)
    assert (proposal.move, proposal.score) == ("D", 5)


def test_each_depth_begins_with_the_best_moves_of_the_last() -> None:
    """The first proposal of a depth repeats the move that the depth before ended with."""
    before = None
    for proposal in deepen(AlphaBeta(ReversiBoard(reversi(1, 20)), arbitrary), range(1, 5)):
        if before is not None and before.depth is not None and before.depth != proposal.depth:
            assert proposal.move == before.move
        before = proposal


@pytest.mark.parametrize("limit", [1, 2, 17, 400])
def test_a_search_stops_after_exactly_so_many_nodes(limit: int) -> None:
    """And finds the same every time; the move proposed at once stands if there is nothing better."""
    runs = []
    for _ in range(2):
        search = AlphaBeta(ReversiBoard(reversi(5, 12)), arbitrary, effort=Effort(limit))
        runs.append(list(deepen(search)))
        assert search.effort.nodes == limit
    assert runs[0] == runs[1] != []


def test_no_node_is_spent_after_the_deadline() -> None:
    """A bot that shares out its own time stops by itself."""
    effort = Effort(deadline=0.0)
    with pytest.raises(Spent):
        effort.spend()
    shared = Effort.of_turn(turn(budget=0.0), turns=10)
    assert len(list(deepen(AlphaBeta(ReversiBoard(reversi(5, 12)), arbitrary, effort=shared)))) == 1
    assert shared.nodes == 0


def test_a_table_keeps_what_was_used_last_and_no_more_than_its_size() -> None:
    """Old entries go, except those that are asked for."""
    table = Table(10)
    for number in range(100):
        table.put(number, entry(number))
        assert table.get(0) == entry(0)
        assert len(table) <= 10
    assert table.get(99) == entry(99)
    assert table.get(50) is None
    table.clear()
    assert (len(table), table.get(0)) == (0, None)


def entry(number: int) -> Entry:
    return Entry(number, EXACT, number, None, complete=False)


def test_zobrist_keys_of_parts_make_the_key_of_the_whole() -> None:
    """A key can be kept up to date bit by bit."""
    lots = zobrist.numbers(121, "tokens")
    assert lots == zobrist.numbers(121, "tokens") != zobrist.numbers(121, "others")
    rng = random.Random(1)
    for _ in range(50):
        one, two = rng.getrandbits(121), rng.getrandbits(121)
        assert zobrist.key(one ^ two, lots) == zobrist.key(one, lots) ^ zobrist.key(two, lots)
    assert len({zobrist.key(1 << bit, lots) for bit in range(121)}) == 121


def win(board: Any, seat: Seat) -> float:  # noqa: ANN401 - a board of any game
    own, rival = (board.own, board.rival) if board.seat == seat else (board.rival, board.own)
    return float(own.bit_count() > rival.bit_count())


def sampler(exploration: float = 2.0) -> Mcts[Any]:
    return Mcts(uniform(win), exploration=exploration)


def sampled(mcts: Mcts[Any], position: Reversi, moves: Sequence[str] = (), limit: int = 60) -> list[Proposal]:
    board = ReversiBoard(position)
    mcts.follow(moves, board)
    return list(mcts.think(board, random.Random(3), effort=Effort(limit)))


def test_sampling_finds_the_best_move_of_the_tree() -> None:
    """With enough games the mean of a move nears what best play makes of it."""
    mcts: Mcts[TreeBoard] = Mcts(uniform(lambda board, seat: worth(board, seat) / 6), exploration=1.0)
    board = TreeBoard(Tree(load()))
    mcts.follow([], board)
    *_, best = mcts.think(board, random.Random(1), effort=Effort(2000))
    assert (best.move, board.key) == ("D", "A")
    visits = {child.text: child.visits for child in mcts.root.children}
    assert max(visits, key=lambda move: visits[move]) == "D"
    assert sum(visits.values()) == mcts.root.visits == 2000


def test_sampling_takes_the_move_that_wins_for_sure() -> None:
    """The other may win too, if the rival errs."""
    *_, proposal = sampled(sampler(), Reversi.parse(SMALL), limit=200)
    assert (proposal.move, proposal.score) == ("d3", 1.0)


def test_sampling_is_the_same_for_the_same_lots() -> None:
    """Games are counted as nodes, and so many are played."""
    position = reversi(4, 20)
    one, two = sampler(), sampler()
    assert sampled(one, position) == sampled(two, position)
    assert one.root.visits == 60


def test_the_sampled_tree_is_kept_for_the_moves_played() -> None:
    """The next turn begins with what this turn found below the moves; an unknown move begins anew."""
    mcts, position = sampler(), reversi(4, 30)
    sampled(mcts, position, limit=400)
    child = max(mcts.root.children, key=lambda node: node.visits)
    grandchild = max(child.children, key=lambda node: node.visits)
    after = position.play(child.text).play(grandchild.text)
    mcts.follow([child.text, grandchild.text], ReversiBoard(after))
    assert mcts.root is grandchild
    assert mcts.root.visits > 1
    mcts.follow(["a1", "h8"], ReversiBoard(position))
    assert mcts.root.visits == 0


def test_a_sampled_tree_of_another_position_is_not_used() -> None:
    """An interrupt may keep a turn from being followed: then the moves lead somewhere else, and the key says so."""
    mcts, position = sampler(), reversi(4, 30)
    sampled(mcts, position, limit=200)
    (child, *_) = mcts.root.children
    elsewhere = reversi(9, 30)
    mcts.follow([child.text], ReversiBoard(elsewhere))
    assert mcts.root.key == ReversiBoard(elsewhere).key
    assert mcts.root.visits == 0


def interrupted(thoughts: Iterator[Proposal], delay: float, set_alarm: SetAlarm) -> bool:
    """Think until the alarm, or to the end if that comes first."""
    try:
        set_alarm(delay)
        list(thoughts)
        set_alarm(0)
    except Stop:
        return True
    return False


def test_a_thousand_interrupts_leave_a_table_that_answers_as_a_new_one() -> None:
    """The table outlives searches that were broken off anywhere; what it says is still right."""
    rng = random.Random(1)
    positions = [reversi(seed, 10 + seed) for seed in range(8)]
    expected = [last(decide(AlphaBeta(ReversiBoard(each), arbitrary), 3)) for each in positions]
    table = Table(500)
    hits = 0
    with alarm() as set_alarm:
        for number in range(INTERRUPTS):
            place = number % len(positions)
            search = AlphaBeta(ReversiBoard(positions[place]), arbitrary, table=table)
            hits += interrupted(deepen(search), rng.uniform(1e-5, 2e-3), set_alarm)
            if number % 20 == 0:
                search = AlphaBeta(ReversiBoard(positions[place]), arbitrary, table=table)
                assert last(decide(search, 3)) == expected[place]
    assert hits > INTERRUPTS / 2


def test_a_champion_interrupted_anywhere_answers_as_a_new_one() -> None:
    """In every phase of the game, with all it remembers."""
    rng = random.Random(2)
    positions = [reversi(seed, 8 + 6 * seed) for seed in range(8)]
    expected = [last(Champion(depth=3, solve=8).think(each, turn())) for each in positions]
    bot = Champion(depth=3, solve=8)
    hits = 0
    with alarm() as set_alarm:
        for number in range(INTERRUPTS):
            place = number % len(positions)
            hits += interrupted(bot.think(positions[place], turn()), rng.uniform(1e-5, 1e-3), set_alarm)
            following = (place + 1) % len(positions)
            if number % 25 == 0:
                assert last(bot.think(positions[following], turn())) == expected[following]
    assert hits > INTERRUPTS / 10


def at_every_step(run: Callable[[], object], files: str, *, stride: int = 1) -> Iterator[int]:
    """Break off `run` at ever later bytecodes in these files, until it comes to its end."""
    for step in count(1, stride):
        left = step

        def trace(frame: FrameType, event: str, _argument: object) -> Any:  # noqa: ANN401 - a trace function
            nonlocal left
            if files not in frame.f_code.co_filename:
                return None
            frame.f_trace_opcodes = True
            if event == "opcode":
                left -= 1
                if left == 0:
                    raise Stop
            return trace

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            run()
        except Stop:
            sys.settrace(before)
            yield step
        else:
            return
        finally:
            sys.settrace(before)


def test_a_table_interrupted_at_any_step_is_right() -> None:
    """Whatever it still has is what was put there, and it takes more."""
    table = Table(4)
    steps = 0
    number = 0

    def fill() -> None:
        nonlocal number
        for _ in range(3):
            number += 1
            table.put(number, entry(number))
            table.get(number - 2)

    for step in at_every_step(fill, "search/table.py"):
        steps = step
        for known in range(number + 1):
            assert table.get(known) in (None, entry(known))
    assert steps > 50
    assert table.get(number) == entry(number)


def test_a_sampled_tree_interrupted_at_any_step_loses_no_move() -> None:
    """Every node still has a child for the first few of its moves, each once, and can be sampled on."""
    position = Reversi.parse(SMALL)
    mcts = sampler()

    def sample() -> None:
        sampled(mcts, position, limit=6)

    steps = list(at_every_step(sample, "search/mcts.py", stride=7))
    assert len(steps) > 100
    nodes = [mcts.root]
    while nodes:
        node = nodes.pop()
        tried = [child.move for child in node.children]
        assert tried == list(node.moves or ())[: len(tried)]
        nodes += node.children
    assert sampled(mcts, position)[-1].move in position.legal_moves()


def test_a_fixed_depth_bot_keeps_nothing() -> None:
    """So there is nothing that an interrupt could spoil."""
    bot = FixedAlphaBeta(depth=2)
    before = dict(vars(bot))
    list(bot.think(reversi(0, 0), turn()))
    assert vars(bot) == before
