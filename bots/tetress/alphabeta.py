"""Alpha-beta on the utility of the last placement, over the few placements that are best at once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from bots import search
from bots.bot import Turn
from bots.options import at_least
from bots.search import Effort
from bots.tetress.greedy import by_utility
from bots.tetress.keyed import KeyedBoard
from bots.tetress.utility import Utility
from games import Proposal
from games.tetress import Tetress
from games.tetress.position import LAST_PLY


@dataclass(frozen=True, slots=True)
class Reach:
    """How far to look: so many plies, and so many placements at each (0: all)."""

    depth: int
    width: int

    def __post_init__(self) -> None:
        at_least(1, depth=self.depth)
        at_least(0, width=self.width)


def own_turns(plies: int) -> int:
    """How many turns the side to move has left, this one among them, if the game lasts to the last ply."""
    return (LAST_PLY - plies + 1) // 2


def look_ahead(
    utility: Utility, position: Tetress, turn: Turn, *, reach: Reach, nodes: int
) -> Iterator[Proposal]:
    """Propose the placement of the highest utility, then whatever alpha-beta finds better.

    No table of positions is kept: what a leaf is worth depends on the position before it.
    """
    board = KeyedBoard(position)
    seat = board.seat

    def best(board: KeyedBoard, moves: Sequence[int]) -> Sequence[int]:
        return utility.ranked(board, moves, seat)[: reach.width or None]

    effort = Effort.of_turn(turn, turns=own_turns(position.plies), limit=nodes)
    values, greedy = by_utility(utility, board, turn.rng)
    yield greedy
    tree = search.AlphaBeta(board, utility.of_last, order=best, effort=effort)
    decided = search.decide(tree, reach.depth, moves=list(values)[: reach.width or None])
    # The first is the same move once more.
    yield from islice(decided, 1, None)


@dataclass(kw_only=True)
class AlphaBeta(Utility):
    """Looks `depth` plies ahead at the `width` placements of the best utility (0: all of them).

    `nodes` caps the nodes of a turn (0: any number). The other options weigh the utility, as for greedy.
    """

    depth: int = 2
    width: int = 10
    nodes: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least(0, nodes=self.nodes)
        self._reach = Reach(self.depth, self.width)

    def think(self, position: Tetress, turn: Turn) -> Iterator[Proposal]:
        yield from look_ahead(self, position, turn, reach=self._reach, nodes=self.nodes)


@dataclass(kw_only=True)
class Varied(Utility):
    """Looks deeper and at fewer placements, the fewer there are.

    With more than `many` placements it looks `many_depth` plies ahead at the `many_width` best, with more than `few`
    `some_depth` at the `some_width` best, else `few_depth` at the `few_width` best. `nodes` caps the nodes of a turn
    (0: any number). The other options weigh the utility, as for greedy.
    """

    many: int = 50
    few: int = 25
    many_depth: int = 2
    many_width: int = 10
    some_depth: int = 4
    some_width: int = 5
    few_depth: int = 6
    few_width: int = 3
    nodes: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least(0, many=self.many, few=self.few, nodes=self.nodes)
        self._far = Reach(self.few_depth, self.few_width)
        self._middle = Reach(self.some_depth, self.some_width)
        self._near = Reach(self.many_depth, self.many_width)

    def reach(self, placements: int) -> Reach:
        if placements > self.many:
            return self._near
        return self._middle if placements > self.few else self._far

    def think(self, position: Tetress, turn: Turn) -> Iterator[Proposal]:
        reach = self.reach(KeyedBoard(position).count())
        yield from look_ahead(self, position, turn, reach=reach, nodes=self.nodes)


@dataclass(kw_only=True)
class GreedyAlphaBeta(Utility):
    """Greedy with more than `many` placements, else looks `depth` plies ahead at the `width` best.

    `nodes` caps the nodes of a turn (0: any number). The other options weigh the utility, as for greedy.
    """

    many: int = 40
    depth: int = 4
    width: int = 4
    nodes: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least(0, many=self.many, nodes=self.nodes)
        self._reach = Reach(self.depth, self.width)

    def think(self, position: Tetress, turn: Turn) -> Iterator[Proposal]:
        board = KeyedBoard(position)
        if board.count() > self.many:
            yield by_utility(self, board, turn.rng)[1]
        else:
            yield from look_ahead(self, position, turn, reach=self._reach, nodes=self.nodes)
