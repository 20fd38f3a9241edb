"""A node of a game tree, in text `B(E=4,F=3)` for children and `E=4` for a leaf."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from games.errors import BadText, excerpt

#: Characters of a tree's text, and levels below its root: far below what a message or a stack can hold.
LONGEST = 20_000
DEEPEST = 50
#: A leaf is worth at most this much, or as much less than nothing.
MOST = 1_000_000

_NAME = re.compile("[A-Za-z0-9_-]{1,20}")
_HEAD = re.compile(f"({_NAME.pattern})(?:=(0|-?[1-9][0-9]{{0,6}})(?![0-9])|\\()")


@dataclass(frozen=True, slots=True)
class Node:
    """A leaf has a value and no children, any other node children and no value. No name stands twice in a tree."""

    name: str
    value: int | None = None
    children: tuple["Node", ...] = ()

    def __str__(self) -> str:
        if self.value is not None:
            return f"{self.name}={self.value}"
        return f"{self.name}({','.join(map(str, self.children))})"

    def walk(self) -> Iterator["Node"]:
        """This node and all below it, parents first, children in their order."""
        yield self
        for child in self.children:
            yield from child.walk()

    @classmethod
    def parse(cls, text: str) -> Self:
        if len(text) > LONGEST:
            raise BadText(f"a tree has at most {LONGEST} characters, this text has {len(text)}")
        node, end = cls._parse(text, 0, 0)
        if end != len(text):
            raise BadText(f"the tree ends before {excerpt(text[end:])}")
        node.check_names()
        return node

    @classmethod
    def _parse(cls, text: str, start: int, depth: int) -> tuple[Self, int]:
        head = _HEAD.match(text, start)
        if head is None:
            found = excerpt(text[start:]) if text[start:] else "nothing"
            raise BadText(f"a tree has a leaf like E=4 or a node like B(E=4,F=3) where this text has {found}")
        name = head[1]
        if head[2] is not None:
            value = int(head[2])
            check_value(name, value)
            return cls(name, value), head.end()
        check_depth(name, depth)
        children = []
        end = head.end()
        while True:
            child, end = cls._parse(text, end, depth + 1)
            children.append(child)
            following, end = text[end : end + 1], end + 1
            if following == ")":
                return cls(name, None, tuple(children)), end
            if following != ",":
                found = excerpt(following) if following else "nothing"
                raise BadText(f"after {child.name} in {name} comes a comma or a closing bracket, not {found}")

    def check_names(self) -> None:
        seen = set()
        for node in self.walk():
            if node.name in seen:
                raise BadText(f"the name {node.name} stands twice in the tree")
            seen.add(node.name)


def check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise BadText(
            f"{excerpt(name)} is no name of a node: take up to 20 of A to Z, a to z, 0 to 9, _ and -"
        )


def check_value(name: str, value: int) -> None:
    if abs(value) > MOST:
        raise BadText(f"the value of {name} is not in -{MOST} to {MOST}")


def check_depth(name: str, depth: int) -> None:
    if depth >= DEEPEST:
        raise BadText(f"the tree has more than {DEEPEST} levels below its root, at {name}")
