"""A tree from a TOML file: a table is a node with children, a number is a leaf."""

import tomllib
from importlib.resources import files

from games.errors import BadText, excerpt
from games.files import read_small
from games.tree.node import LONGEST, Node, check_depth, check_name, check_value

#: Bytes of a file, with room for comments.
LARGEST = 64_000


def load(name: str = "") -> Node:
    """The tree in a file of the user's, or the one that is shipped."""
    if not name:
        return _read((files("games.tree") / "default.toml").read_text("utf-8"))
    try:
        text = read_small(name, "tree", largest=LARGEST, encoding="UTF-8")
    except FileNotFoundError:
        raise BadText(f"there is no tree file {name}") from None
    try:
        return _read(text)
    except BadText as error:
        raise BadText(f"tree file {name}: {error}") from None


def _read(text: str) -> Node:
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadText(f"it is no TOML: {str(error)[:200]}") from None
    except RecursionError:
        raise BadText("it is nested too deeply") from None
    if len(table) != 1:
        raise BadText(f"it must have one root, like [A], and has {len(table)}")
    ((name, content),) = table.items()
    root = _node(name, content, 0)
    if root.value is not None:
        raise BadText(f"the root {name} must have children, like [{name}] with B = 1 below it")
    root.check_names()
    length = len(str(root))
    if length > LONGEST:
        raise BadText(f"the tree is too large: its text has {length} characters, and may have {LONGEST}")
    return root


def _node(name: str, content: object, depth: int) -> Node:
    check_name(name)
    if isinstance(content, int) and not isinstance(content, bool):
        check_value(name, content)
        return Node(name, content)
    if not isinstance(content, dict):
        raise BadText(f"{name} is {excerpt(str(content))}, neither a whole number nor a table of children")
    if not content:
        raise BadText(f"{name} has neither a value nor children")
    check_depth(name, depth)
    return Node(name, None, tuple(_node(child, below, depth + 1) for child, below in content.items()))
