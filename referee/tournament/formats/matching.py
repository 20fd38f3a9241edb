"""How many can be paired at once if not everybody may meet everybody: Edmonds' algorithm."""

from collections.abc import Sequence
from dataclasses import dataclass, field


def most_pairs(neighbours: Sequence[Sequence[int]]) -> int:
    """The size of the largest matching of a graph, given who is next to whom."""
    mates: dict[int, int] = {}
    for one, nearby in enumerate(neighbours):
        free = next((other for other in nearby if other not in mates), None)
        if one not in mates and free is not None:
            mates[one], mates[free] = free, one
    for root in range(len(neighbours)):
        if root not in mates:
            Tree(neighbours, mates, root).augment()
    return len(mates) // 2


@dataclass(slots=True)
class Tree:
    """Paths from a bot without a mate that leave and enter the matching by turns; a cycle of odd length is treated as
    one bot, its base.
    """

    neighbours: Sequence[Sequence[int]]
    mates: dict[int, int]
    root: int
    parents: dict[int, int] = field(default_factory=dict)
    bases: list[int] = field(init=False)
    #: From where the tree can grow.
    outer: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.bases = list(range(len(self.neighbours)))
        self.outer = [self.root]

    def augment(self) -> None:
        """Makes the matching larger by one if a path leads from the root to another bot without a mate."""
        end = self.grow()
        while end is not None:
            parent = self.parents[end]
            following = self.mates.get(parent)
            self.mates[end], self.mates[parent] = parent, end
            end = following

    def grow(self) -> int | None:
        for one in self.outer:  # which gets longer on the way
            for other in self.neighbours[one]:
                if self.bases[one] == self.bases[other] or self.mates.get(one) == other:
                    continue
                if other == self.root or self.mates.get(other) in self.parents:
                    self.contract(one, other)
                elif other not in self.parents:
                    self.parents[other] = one
                    if other not in self.mates:
                        return other
                    self.outer.append(self.mates[other])
        return None

    def contract(self, one: int, other: int) -> None:
        """An edge between two ends of paths closes a cycle of odd length; all on it can be ends of paths now."""
        base = self.meeting_point(one, other)
        cycle = self.turn_round(one, base, other) | self.turn_round(other, base, one)
        for bot, old in enumerate(self.bases):
            if old in cycle:
                self.bases[bot] = base
                if bot not in self.outer:
                    self.outer.append(bot)

    def meeting_point(self, one: int, other: int) -> int:
        passed = {self.bases[one]}
        while self.bases[one] != self.root and self.bases[one] in self.mates:
            one = self.parents[self.mates[self.bases[one]]]
            passed.add(self.bases[one])
        while self.bases[other] not in passed:
            other = self.parents[self.mates[self.bases[other]]]
        return self.bases[other]

    def turn_round(self, bot: int, base: int, child: int) -> set[int]:
        """Lets paths also run the other way round the cycle, from its base over the new edge."""
        passed: set[int] = set()
        while self.bases[bot] != base:
            mate = self.mates[bot]
            passed |= {self.bases[bot], self.bases[mate]}
            self.parents[bot] = child
            bot, child = self.parents[mate], mate
        return passed
