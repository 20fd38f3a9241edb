"""The simple game tree: two players go down a small tree by turns, to see how a search works."""

from collections.abc import Mapping

from games.game import Game, Ruling
from games.tree.load import load
from games.tree.position import Tree
from games.tree.search import Board

__all__ = ["GAME", "Tree"]


def start(*, variant: str, seed: int, options: Mapping[str, str]) -> Tree:  # noqa: ARG001 - no lots are drawn
    GAME.check(variant, options)
    return Tree(load(options["file"]) if "file" in options else load())


GAME = Game(
    name="tree",
    summary="go down a small tree by turns; the leaf's value is the first player's score, the second gets 0",
    notation="B goes down to the child B",
    variants=("standard",),
    start=start,
    parse=Tree.parse,
    options={"file": "a TOML file with a tree of your own (default: one of 16 nodes, A to P)"},
    ruling=Ruling.LOSES,
    board=Board,
)
