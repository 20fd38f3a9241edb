"""Searches to a fixed depth: plain minimax, alpha-beta, and minimax without an opinion."""

from collections.abc import Iterator
from typing import ClassVar

from bots import search
from bots.bot import Turn
from bots.options import at_least
from bots.reversi.evaluation import Terms, parse_weights
from games import Proposal
from games.reversi import Reversi
from games.reversi.search import Board


class Minimax:
    """Looks `depth` plies ahead at every move there is, and weighs the squares that the discs lie on.

    `eval` is four-sectors, five-sectors, five-sectors-as-coded, sectors-mobility, random-eval or dummy; `weights` are
    those of its sectors, such as 0.8/0.4/0.2/0.1; `own_mobility` and `rival_mobility` are for sectors-mobility; `final`
    is the worth of a disc when the game is over. `nodes` caps the nodes of a turn (0: any number).
    """

    _search: ClassVar[type[search.Minimax[Board]]] = search.Minimax

    def __init__(
        self,
        *,
        depth: int = 3,
        eval: str = "four-sectors",  # noqa: A002 - what it is called on the command line
        weights: str = "",
        own_mobility: float = 2.0,
        rival_mobility: float = 10.0,
        final: float = 1000.0,
        nodes: int = 0,
    ) -> None:
        at_least(1, depth=depth)
        at_least(0, nodes=nodes)
        self._depth = depth
        self._nodes = nodes
        self._terms = Terms(eval, parse_weights(weights), own_mobility, rival_mobility, final)

    def think(self, position: Reversi, turn: Turn) -> Iterator[Proposal]:
        board = Board(position)
        its_search = self._search(
            board,
            self._terms.evaluation(position.grid, turn.rng),
            order=self._terms.order(position.grid),
            effort=search.Effort(search.node_limit(turn, self._nodes)),
        )
        yield from search.decide(its_search, self._depth, moves=board.moves())


class AlphaBeta(Minimax):
    """Takes the same move as minimax, leaving out what cannot matter.

    Its options are those of minimax.
    """

    _search: ClassVar[type[search.Minimax[Board]]] = search.AlphaBeta


class Dummy(Minimax):
    """Minimax for which all unfinished boards are alike."""

    def __init__(self, *, depth: int = 3, final: float = 1000.0, nodes: int = 0) -> None:
        super().__init__(depth=depth, eval="dummy", final=final, nodes=nodes)
