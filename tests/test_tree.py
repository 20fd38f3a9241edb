"""The simple game tree: its rules, its texts and its files."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import BadText, IllegalMove, Outcome, Ruling, Seat, Unknown, find_game
from games.tree import GAME, Tree
from games.tree.load import LARGEST
from games.tree.node import DEEPEST, LONGEST, Node
from games.tree.search import Board
from referee.verdict import Reason
from tests.playing import play, shotclock, verdict_of
from tests.rules import check_no_position, check_search_board

DEFAULT = "1 A(B(E=4,F=3),C(G(K=2,L=1),H=5),D(I=5,J(M=4,N=2,O=6,P=1)))"


def start(file: Path | None = None) -> Tree:
    options = {} if file is None else {"file": str(file)}
    return Tree.parse(str(GAME.start(variant="standard", seed=0, options=options)))


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """Any small tree, at any seat."""
    names = iter([f"n{number}" for number in draw(st.permutations(range(60)))])

    def node(depth: int) -> Node:
        count = draw(st.integers(0, 3)) if depth < 3 else 0
        name = next(names)
        if not count:
            return Node(name, draw(st.integers(-1_000_000, 1_000_000)))
        return Node(name, None, tuple(node(depth + 1) for _ in range(count)))

    return Tree(node(0), draw(st.sampled_from([1, 2])))


def test_the_game_is_found_by_its_name() -> None:
    """The installed entry point leads to the game whose rules are tested here; a missing move loses."""
    assert find_game("tree") is GAME
    assert GAME.ruling is Ruling.LOSES


def test_the_shipped_tree_is_the_one_to_check_a_search_by_hand() -> None:
    """Its nodes, its leaves and its value: 5, through D and then I."""

    def value(position: Tree) -> tuple[int, list[str]]:
        if position.outcome() is not None:
            return position.scores[0], []
        lines = [(value(position.play(move)), move) for move in position.legal_moves()]
        best = max if position.seat == 1 else min
        (worth, line), move = best(lines, key=lambda one: one[0][0])
        return worth, [move, *line]

    assert str(start()) == DEFAULT
    assert value(start()) == (5, ["D", "I"])


def test_players_go_down_to_a_leaf() -> None:
    """The leaf's value is the first player's score; the second gets 0."""
    position = start()
    assert (position.legal_moves(), position.seat, position.last) == (["B", "C", "D"], 1, "")
    position = position.play("C")
    assert (position.legal_moves(), position.seat, position.last) == (["G", "H"], 2, "C")
    assert (position.scores, position.effect, position.outcome()) == ((0, 0), "", None)
    assert str(position) == "2 C(G(K=2,L=1),H=5)"
    position = position.play("H")
    assert str(position) == "1 H=5"
    assert (position.scores, position.effect) == ((5, 0), "a leaf worth 5")
    assert position.outcome() == Outcome(1, (5, 0), "leaf H reached")
    assert position.legal_moves() == []


@pytest.mark.parametrize(("value", "winner"), [(1, 1), (0, None), (-1, 2)])
def test_the_sign_of_the_leaf_tells_who_wins(value: int, winner: Seat | None) -> None:
    """Nothing is a draw."""
    outcome = Tree.parse(f"2 A(B={value})").play("B").outcome()
    assert outcome == Outcome(winner, (value, 0), "leaf B reached")


@pytest.mark.parametrize("move", ["", "A", "E", "b", "B ", "B\n", "0", "x" * 10_000_000])
def test_a_move_that_is_no_child_is_refused(move: str) -> None:
    """One short sentence names the children there are."""
    with pytest.raises(IllegalMove, match=r"is no child of A: choose from B, C, D$") as refusal:
        start().play(move)
    assert len(str(refusal.value)) < 100


def test_nothing_comes_after_a_leaf() -> None:
    """The refusal says so."""
    with pytest.raises(IllegalMove, match="'E' comes after the end: E is a leaf"):
        Tree.parse("1 E=4").play("E")


def test_a_refusal_does_not_list_a_hundred_children() -> None:
    """Ten are enough to see what was meant."""
    children = ",".join(f"n{number}=1" for number in range(100))
    with pytest.raises(IllegalMove, match=r"choose from n0, .*, n9, \.\.\.$"):
        Tree.parse(f"1 A({children})").play("B")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "begins with the seat to move, 1 or 2, and a space, not with ''"),
        ("A(B=1)", r"not with 'A\(B=1\)'"),
        ("3 A(B=1)", "not with '3'"),
        ("01 A(B=1)", "not with '01'"),
        ("\u0661 A(B=1)", "not with '.u0661'"),
        ("1 ", "where this text has nothing"),
        ("1  A(B=1)", r"where this text has ' A\(B=1\)'"),
        ("1 A", "where this text has 'A'"),
        ("1 A()", r"where this text has '\)'"),
        ("1 A(B=1", r"after B in A comes a comma or a closing bracket, not nothing"),
        ("1 A(B=1,)", r"where this text has '\)'"),
        ("1 A(B=1;C=2)", "after B in A comes a comma or a closing bracket, not ';'"),
        ("1 A(B=1))", r"the tree ends before '\)'"),
        ("1 A(B=1)\n", "the tree ends before '.n'"),
        ("1 A(B=01)", "where this text has 'B=01"),
        ("1 A(B=-0)", "where this text has 'B=-0"),
        ("1 A(B=+1)", r"where this text has 'B=\+1"),
        ("1 A(B=1.5)", "not '.'"),
        ("1 A(B=\u0661)", "where this text has 'B=.u0661"),
        ("1 A(B=1000001)", "the value of B is not in -1000000 to 1000000"),
        ("1 A(B=" + "9" * 10_000 + ")", "where this text has 'B=9999"),
        ("1 A(\u0411=1)", "where this text has '.u0411=1"),
        ("1 A(" + "B" * 21 + "=1)", "where this text has 'BBBB"),
        ("1 A(B=1,B=2)", "the name B stands twice in the tree"),
        ("1 A(B(A=1))", "the name A stands twice in the tree"),
        ("1 " + "A(" * 5000, "more than 50 levels below its root, at A"),
        ("1 " + "x" * 10_000_000, "at most 20000 characters, this text has 10000000"),
    ],
    ids=range(27),
)
def test_a_text_that_is_no_position_is_refused_with_what_and_where(text: str, reason: str) -> None:
    """One short sentence says what is wrong; only the canonical text is taken."""
    check_no_position(Tree.parse, text, reason)


@given(
    st.text(alphabet="12AB=(),-0 \u0663_", max_size=30)
    | st.text(alphabet="AB=1(),", max_size=12).map("1 ".__add__)
)
def test_whatever_parses_is_canonical(text: str) -> None:
    """Junk never gets further than a sentence about it."""
    try:
        position = Tree.parse(text)
    except BadText:
        return
    assert str(position) == text


@given(trees(), st.randoms(use_true_random=False))
def test_a_search_board_agrees_with_the_position(position: Tree, rng: random.Random) -> None:
    """Down to a leaf and back: seat, moves, texts, end, scores and key."""

    def agree(board: Board, position: Tree) -> None:
        assert board.scores == position.scores

    check_search_board(Board, position, rng, agree)


def test_draw_shows_what_lies_below() -> None:
    """The node that the last move led to stands in brackets, or inverted in colour."""
    assert start().draw().splitlines()[:4] == ["A", "    B", "        E 4", "        F 3"]
    position = start().play("C")
    assert position.draw().splitlines() == [
        "[C]",
        "    G",
        "        K 2",
        "        L 1",
        "    H 5",
        "player 2 to move",
    ]
    assert position.draw(colour=True).startswith("\x1b[7mC\x1b[0m\n")
    assert position.play("H").draw() == "[H] 5\nleaf H reached"


def test_a_tree_of_the_users_own(tmp_path: Path) -> None:
    """Tables are nodes, numbers are leaves, children keep their order; comments may be in any language."""
    file = tmp_path / "mine.toml"
    file.write_text("# Bäume\n[top]\nleft = -3\n[top.right.far]\nz = 0\na = 1\n[top.right]\nnear-by = 2\n")
    assert str(start(file)) == "1 top(left=-3,right(far(z=0,a=1),near-by=2))"


def nested(levels: int) -> str:
    return "[" + ".".join(f"n{level}" for level in range(levels)) + "]\nleaf = 1"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "it must have one root, like .A., and has 0"),
        ("A = ", "it is no TOML: Invalid value"),
        ("[A]\nB = 1\nB = 2", "it is no TOML: Cannot overwrite a value"),
        ("[A]\nB = 1\n[C]\nD = 1", "it must have one root, like .A., and has 2"),
        ("A = 1", "the root A must have children"),
        ("[A]", "A has neither a value nor children"),
        ("[A]\nB = {}", "B has neither a value nor children"),
        ("[A]\nB = 1.5", "B is '1.5', neither a whole number nor a table of children"),
        ("[A]\nB = true", "B is 'True', neither"),
        ("[A]\nB = 'x'", "B is 'x', neither"),
        ("[A]\nB = [1, 2]", r"B is '\[1, 2\]', neither"),
        ("[A]\nB = 1000001", "the value of B is not in -1000000 to 1000000"),
        ("[A]\n'B 1' = 1", "'B 1' is no name of a node: take up to 20 of A to Z"),
        ("[A]\n'' = 1", "'' is no name of a node"),
        ('[A]\n"\u0411" = 1', "is no name of a node"),
        ("[A]\nB = { A = 1 }", "the name A stands twice in the tree"),
        (nested(DEEPEST + 1), f"more than {DEEPEST} levels below its root, at n{DEEPEST}"),
        ("A = " + "{a=" * 20_000, "it is n"),
        ("[A]\n" + "".join(f"n{number} = 1\n" for number in range(LONGEST // 6)), "the tree is too large"),
    ],
    ids=range(19),
)
def test_a_file_that_is_no_tree_is_refused(content: str, reason: str, tmp_path: Path) -> None:
    """One sentence with the file, the node and what is wrong with it."""
    file = tmp_path / "bad.toml"
    file.write_text(content)
    with pytest.raises(BadText, match=reason) as refusal:
        start(file)
    sentence = str(refusal.value)
    assert sentence.startswith(f"tree file {file}: ")
    assert len(sentence.removeprefix(f"tree file {file}: ")) < 160
    assert "\n" not in sentence


def test_the_deepest_tree_can_be_played_and_read(tmp_path: Path) -> None:
    """What the file allows, the text allows too."""
    file = tmp_path / "deep.toml"
    file.write_text(nested(DEEPEST))
    assert sum(1 for _ in below(start(file))) == DEEPEST


def below(position: Tree) -> Iterator[Tree]:
    while position.outcome() is None:
        position = Tree.parse(str(position.play(position.legal_moves()[0])))
        yield position


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    """Missing, a folder, too large, or no text."""
    with pytest.raises(BadText, match=r"there is no tree file .*none\.toml"):
        start(tmp_path / "none.toml")
    with pytest.raises(BadText, match="cannot be read: Is a directory"):
        start(tmp_path)
    file = tmp_path / "bad.toml"
    file.write_bytes(b"#" * (LARGEST + 1))
    with pytest.raises(BadText, match=f"is too large: a tree needs at most {LARGEST} bytes"):
        start(file)
    file.write_bytes(b"# \xff")
    with pytest.raises(BadText, match="is no plain UTF-8 text"):
        start(file)
    with pytest.raises(BadText, match="a tree is a name or a file, not "):
        start(Path("a\nb"))


def test_start_refuses_an_unknown_variant_and_option() -> None:
    """The sentence names what there is to choose from."""
    with pytest.raises(Unknown, match="unknown variant of tree 'binary': choose from standard"):
        GAME.start(variant="binary", seed=0, options={})
    with pytest.raises(Unknown, match="unknown option of tree 'board': choose from file"):
        GAME.start(variant="standard", seed=0, options={"board": "x"})


async def test_a_match_on_a_file_between_random_bots(tmp_path: Path) -> None:
    """The bots never see the file: the tree travels in the position."""
    file = tmp_path / "mine.toml"
    file.write_text("[A]\nB = { C = -7 }\n")
    played = await play("random", "random", folder=tmp_path, game="tree", options={"file": str(file)})
    verdict = verdict_of(played)
    assert (verdict.winner, verdict.reason, verdict.scores) == (2, Reason.FINISHED, (-7, 0))
    assert played.match.moves == ["B", "C"]


async def test_a_wrong_file_on_the_command_line_is_one_sentence(tmp_path: Path) -> None:
    """Exit code 2 before any bot is started."""
    (tmp_path / "bad.toml").write_text("[A]\nB = 1.5\n")
    done = await shotclock("play", "tree", "--option", "file=bad.toml", folder=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "shotclock: tree file bad.toml: B is '1.5', neither a whole number nor a table of children\n"
    )
