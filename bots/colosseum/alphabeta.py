"""Alpha-beta on a few moves per board, ever deeper, for the cells that each player can reach."""

from collections.abc import Iterator

from bots import search
from bots.bot import Turn
from bots.colosseum.evaluation import Terms, order, winning_wall
from bots.options import at_least
from games import Proposal
from games.colosseum import Colosseum
from games.colosseum.search import Board


class AlphaBeta:
    """Deepens on the moves that look best: as many as the board has rows, and `extra`.

    A rival with three walls gets the fourth at once. Moves that leave the mover with three walls are not looked at
    while there are others. A cell within the steps of one turn is worth `reach`, a wall on a side of the other player
    `beside`, a game `win`. It deepens up to `depth` plies, for `nodes` nodes (0: any number), and until `margin`
    seconds before the line if the clock is shown.
    """

    def __init__(
        self,
        *,
        depth: int = 15,
        extra: int = 3,
        margin: float = 0.1,
        nodes: int = 0,
        reach: float = 1.0,
        beside: float = 2.0,
        win: float = 10_000.0,
    ) -> None:
        at_least(1, depth=depth)
        at_least(0, extra=extra, margin=margin, nodes=nodes)
        self._depth = depth
        self._extra = extra
        self._margin = margin
        self._nodes = nodes
        self._terms = Terms(reach, beside, win)

    def think(self, position: Colosseum, turn: Turn) -> Iterator[Proposal]:
        board = Board(position)
        wall = winning_wall(board)
        if wall is not None:
            yield Proposal(board.text(wall), score=self._terms.win, depth=1, nodes=1)
            return
        deadline = None if turn.deadline is None else turn.deadline - self._margin
        its_search = search.AlphaBeta(
            board,
            self._terms.leaf,
            order=order(self._terms, self._extra),
            effort=search.Effort(search.node_limit(turn, self._nodes), deadline),
        )
        yield from search.deepen(its_search, range(1, self._depth + 1))
