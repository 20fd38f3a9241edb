"""What earlier searches found about positions, by key."""

from collections.abc import Hashable
from typing import Any, NamedTuple

#: The value of an entry is exact, or the true one is at least, or at most, that.
EXACT, LEAST, MOST = 0, 1, 2


class Entry(NamedTuple):
    """What a search of `depth` plies found for the seat to move."""

    depth: int
    bound: int
    value: float
    move: Any
    #: Every line below ended with the game, so a deeper search would find the same.
    complete: bool


class Table:
    """Holds at most `size` entries, those written or asked for last among them.

    Two generations: when the young one has half the size it becomes the old one, whose entries go unless they are asked
    for again. An entry is written in one step, and only once its search is done; so an interrupt may lose entries, and
    never leaves a wrong one.
    """

    def __init__(self, size: int = 1 << 18) -> None:
        self._half = max(1, size // 2)
        self._young: dict[Hashable, Entry] = {}
        self._old: dict[Hashable, Entry] = {}

    def __len__(self) -> int:
        return len(self._young.keys() | self._old.keys())

    def get(self, key: Hashable) -> Entry | None:
        entry = self._young.get(key)
        if entry is None:
            entry = self._old.get(key)
            if entry is not None:
                self.put(key, entry)
        return entry

    def put(self, key: Hashable, entry: Entry) -> None:
        if len(self._young) >= self._half and key not in self._young:
            # In this order, an interrupt in between leaves one dictionary in both places, which is as good.
            self._old = self._young
            self._young = {}
        self._young[key] = entry

    def clear(self) -> None:
        self._old = {}
        self._young = {}
