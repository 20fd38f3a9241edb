"""`shotclock trace tree`: searches printed node by node, as one writes them by hand, and the trees drawn."""

import json
import random
import re
from pathlib import Path

import pytest

from bots import Turn
from bots.search import Effort, Mcts, uniform
from bots.search.tree import Branch, dot, sampled
from bots.tree import AlphaBeta, Minimax, worth
from games.tree import Tree
from games.tree.load import load
from games.tree.search import Board
from tests.playing import play, shotclock, verdict_of

TRACES = {
    (
        "plain",
        1,
    ): """A -inf, B inf, E 4, B 4, F 3, B 3, A 3, C inf, G -inf, K 2, G 2, L 1, G 2, C 2, H 5, C 2, A 3,
        D inf, I 5, D 5, J -inf, M 4, J 4, N 2, J 4, O 6, J 6, P 1, J 6, D 5, A 5""",
    ("plain", 2): """D -inf, I -5, D -5, J inf, M -4, J -4, N -2, J -4, O -6, J -6, P -1, J -6, D -5""",
    (
        "alphabeta",
        1,
    ): """A -inf (-inf,inf), B inf (-inf,inf), E 4 (-inf,inf), B 4 (-inf,4), F 3 (-inf,4), B 3 (-inf,3),
        A 3 (3,inf), C inf (3,inf), G -inf (3,inf), K 2 (3,inf), G 2 (3,inf), L 1 (3,inf), G 2 (3,inf), C 2 (3,2),
        A 3 (3,inf), D inf (3,inf), I 5 (3,inf), D 5 (3,5), J -inf (3,5), M 4 (3,5), J 4 (4,5), N 2 (4,5), J 4 (4,5),
        O 6 (4,5), J 6 (6,5), D 5 (3,5), A 5 (5,inf)""",
    (
        "alphabeta",
        2,
    ): """D -inf (-inf,inf), I -5 (-inf,inf), D -5 (-5,inf), J inf (-5,inf), M -4 (-5,inf), J -4 (-5,-4),
        N -2 (-5,-4), J -4 (-5,-4), O -6 (-5,-4), J -6 (-5,-6), D -5 (-5,inf)""",
}


@pytest.mark.parametrize(("search", "player"), TRACES)
async def test_the_trace_is_the_one_written_by_hand(search: str, player: int, tmp_path: Path) -> None:
    """For both searches and both players, line by line."""
    done = await shotclock("trace", "tree", search, "--player", str(player), folder=tmp_path)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == re.split(r",\s+", TRACES[search, player])


async def test_a_tree_and_a_position_of_your_own(tmp_path: Path) -> None:
    """From a file, or from a text, which says who is to move."""
    (tmp_path / "mine.toml").write_text("[R]\nX = 1\nY = 2\n")
    done = await shotclock("trace", "tree", "plain", "--file", "mine.toml", folder=tmp_path)
    assert done.out.split("\n") == ["R -inf", "X 1", "R 1", "Y 2", "R 2", ""]
    done = await shotclock("trace", "tree", "plain", "--position", "2 R(X=1,Y=2)", folder=tmp_path)
    assert done.out.split("\n") == ["R -inf", "X -1", "R -1", "Y -2", "R -1", ""]


async def test_a_shallow_search_takes_what_is_below_for_nothing(tmp_path: Path) -> None:
    """At two plies G and J are leaves worth 0."""
    done = await shotclock("trace", "tree", "plain", "--depth", "2", folder=tmp_path)
    assert [line for line in done.out.splitlines() if line[0] in "GJ"] == ["G 0", "J 0"]


async def test_a_trace_as_one_json_object(tmp_path: Path) -> None:
    """What is infinite is null."""
    done = await shotclock("trace", "tree", "--json", folder=tmp_path)
    data = json.loads(done.out)
    assert (data["player"], data["search"], data["value"], len(data["steps"])) == (1, "alphabeta", 5, 27)
    assert data["steps"][0] == {"node": "A", "value": None, "alpha": None, "beta": None}
    assert data["steps"][-1] == {"node": "A", "value": 5, "alpha": 5, "beta": None}


async def test_the_searched_tree_as_a_drawing(tmp_path: Path) -> None:
    """All 16 nodes with their values; the two that alpha-beta never visits are dashed."""
    done = await shotclock("trace", "tree", "--dot", "tree.dot", folder=tmp_path)
    assert (done.code, done.err) == (0, "")
    drawing = (tmp_path / "tree.dot").read_text()
    assert len(re.findall("label=", drawing)) == 16
    assert len(re.findall("->", drawing)) == 15
    assert re.findall(r'label="(.)" style=dashed', drawing) == ["H", "P"]
    assert r'label="D\n5\n6 visits"' in drawing


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--position", "1 A=3"], "the game is over at A: there is nothing to search"),
        (
            ["--position", "1 A(B=1)", "--file", "x.toml"],
            "--position says everything about a tree: leave out --file",
        ),
        (["--position", "nonsense"], "a position begins with the seat to move"),
        (["--file", "x.toml"], "there is no tree file x.toml"),
        (["--dot", "no/such/place.dot"], "no/such/place.dot cannot be written: No such file or directory"),
        (["--player", "3"], "less than or equal to 2"),
        (["sideways"], "'sideways' is not one of 'plain', 'alphabeta'"),
    ],
)
async def test_mistakes_are_told_in_a_sentence(arguments: list[str], sentence: str, tmp_path: Path) -> None:
    """With exit code 2."""
    done = await shotclock("trace", "tree", *arguments, folder=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err


def test_a_drawing_is_cut_at_a_depth() -> None:
    """And a move may hold any character."""
    root = Branch("", 3, 1.5, (Branch('a"\\', 1, 2.0, (Branch("deep", 1, 3.0),)), Branch("left out")))
    assert dot(root, depth=1).splitlines() == [
        "digraph search {",
        "  node [shape=box];",
        r'  n0 [label="\n1.5\n3 visits"];',
        r'  n1 [label="a\"\\\n2\n1 visit"];',
        "  n0 -> n1;",
        '  n2 [label="left out" style=dashed];',
        "  n0 -> n2;",
        "}",
    ]
    assert "deep" in dot(root)


def test_a_sampled_tree_as_a_drawing() -> None:
    """Moves, means and visits of every node."""
    mcts: Mcts[Board] = Mcts(uniform(worth))
    board = Board(Tree(load()))
    mcts.follow([], board)
    list(mcts.think(board, random.Random(1), effort=Effort(50)))
    drawing = dot(sampled(mcts.root), depth=1)
    assert len(re.findall("->", drawing)) == 3
    assert "50 visits" in drawing
    for child in mcts.root.children:
        assert rf'label="{child.text}\n{child.mean:g}\n{child.visits} visits"' in drawing


@pytest.mark.parametrize("bot", [Minimax, AlphaBeta])
def test_both_tree_bots_take_the_best_child(bot: type[Minimax]) -> None:
    """Through D to I."""
    tree, turn = Tree(load()), Turn(1, 1, random.Random(1))
    *_, proposal = bot().think(tree, turn)
    assert (proposal.move, proposal.score, proposal.line) == ("D", 5, ("D", "I"))
    *_, proposal = bot().think(tree.play("D"), turn)
    assert (proposal.move, proposal.score) == ("I", -5)
    *_, proposal = bot(nodes=1).think(tree, turn)
    assert proposal.move == "B"


async def test_minimax_plays_alphabeta_over_the_wire(tmp_path: Path) -> None:
    """Down to I, worth 5 to the first player."""
    played = await play("minimax", "alphabeta", folder=tmp_path, game="tree", options={})
    assert (verdict_of(played).winner, played.match.moves) == (1, ["D", "I"])
