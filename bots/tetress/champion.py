"""The strongest Tetress bot here: it counts the placements that each side has left; a hole holds none."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from bots.bot import Turn
from bots.options import at_least
from bots.search import Effort, Table, deepen, node_limit
from bots.search.deepening import DEEPEST
from bots.tetress.alphabeta import own_turns
from bots.tetress.narrow import CERTAIN, Breadth, Narrow, Room
from bots.tetress.plan import Plan
from bots.tetress.room import RoomBoard
from games import Proposal
from games.tetress import Tetress

#: A node may take a millisecond.
LOOK_EVERY = 4


@dataclass(kw_only=True)
class Champion:
    """Deepens with a table on the placements that each side has left, and proves wins and losses among the last ones.

    Of more than `wide` placements it looks at the `width` best, at the root at the `root` best, and at the others if
    those lose; a token more than the rival's is worth `tokens`, and more towards the last ply. A budget is spread over
    `spread` turns at most, less `reserve` seconds for each that may come, and no turn of a budget takes longer than
    `longest` seconds. `depth` caps the plies looked ahead (0: no cap), `nodes` the nodes of a turn (0: any number),
    `table` the positions remembered.
    """

    wide: int = 20
    width: int = 12
    root: int = 60
    tokens: float = 0.02
    spread: int = 24
    reserve: float = 0.03
    longest: float = 3.0
    depth: int = 0
    nodes: int = 0
    table: int = 60_000
    _plan: Plan = field(init=False, repr=False)

    def __post_init__(self) -> None:
        # A search does not look at an only move.
        at_least(2, root=self.root)
        at_least(1, table=self.table)
        at_least(0, depth=self.depth, nodes=self.nodes)
        self._plan = Plan(self.spread, self.reserve, self.longest)
        self._breadth = Breadth(self.wide, self.width)
        self._room = Room(self.tokens)
        self._known = Table(self.table)

    def think(self, position: Tetress, turn: Turn) -> Iterator[Proposal]:
        began = time.monotonic()
        board = RoomBoard(position)
        ranked = self._room.ranked(board)
        value, first = ranked[0]
        yield Proposal(board.text(first), score=value, depth=1, nodes=len(ranked), line=(board.text(first),))
        if len(ranked) == 1 or not position.plies:
            # On the empty board all places are alike.
            return
        deadline = None
        if turn.budget is not None:
            deadline = began + self._plan.share(turn.budget, own_turns(position.plies))
        effort = Effort(node_limit(turn, self.nodes), deadline, look_every=LOOK_EVERY)
        search = Narrow(board, self._room, self._breadth, effort=effort, table=self._known)
        moves = [move for _, move in ranked]
        yield from considered(search, moves, self.root, range(2, (self.depth or DEEPEST) + 1))


def considered(search: Narrow, moves: list[int], first: int, depths: range) -> Iterator[Proposal]:
    """Deepen on the first few moves, and if they lose on the others."""
    value = 0.0
    # With the best of those that lose beside them, so that even a single other is searched.
    for part in (moves[:first], [*moves[first:], moves[0]]):
        for proposal in deepen(search, depths, moves=part, certain=CERTAIN):
            # The first of a part is proposed before any search.
            if proposal.score is not None:
                value = proposal.score
                yield proposal
        if value > -CERTAIN:
            return
