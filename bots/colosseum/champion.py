"""The strongest Colosseum bot here: who gets to more cells first, looked at for every move there is."""

from collections.abc import Iterator
from math import inf, nextafter

from bots.bot import Turn
from bots.colosseum.judgement import Judge, Weights
from bots.options import at_least
from bots.search import AlphaBeta, Effort, Table, deepen
from bots.search.deepening import DEEPEST
from games import Proposal, Seat
from games.colosseum import Colosseum
from games.colosseum.search import Board

#: A sure win; a sure loss is as much below zero.
SURE = 1.0
#: Of a budget for the whole game, a turn takes its share of so many per row of the board.
TURNS_PER_ROW = 4


class Champion:
    """Deepens with a table on the cells that each player is first to reach, and stops when the game is decided.

    """

    def __init__(  # noqa: PLR0913 - each argument is an option
        self,
        *,
        depth: int = 0,
        nodes: int = 0,
        table: int = 200_000,
        full: int = 3,
        less: int = 12,
        territory: float = 0.6,
        near: float = 0.2,
        centre: float = 0.0,
        opening: float = 2.0,
        continuation: float = 0.0,
    ) -> None:
        at_least(0, depth=depth, nodes=nodes)
        at_least(1, full=full, table=table)
        self._depth = depth or DEEPEST
        self._nodes = nodes
        self._late = (full, less)
        self._weights = Weights(territory, near, centre, opening, continuation)
        self._table = Table(table)

    def think(self, position: Colosseum, turn: Turn) -> Iterator[Proposal]:
        judge = Judge(position.grid, self._weights)
        effort = Effort.of_turn(turn, turns=TURNS_PER_ROW * position.grid.size, limit=self._nodes)
        search = Search(Board(position), judge, late=self._late, effort=effort, table=self._table)
        yield from deepen(search, range(1, self._depth + 1), certain=SURE)


class Search(AlphaBeta[Board]):
    """Looks at every move, and less deep at those late in the order unless they turn out better than the rest.

    So whatever it calls a sure win or loss is one.
    """

    def __init__(
        self, board: Board, judge: Judge, *, late: tuple[int, int], effort: Effort, table: Table
    ) -> None:
        super().__init__(board, judge.leaf, order=judge.order, effort=effort, table=table)
        self._judge = judge
        self._late, self._very_late = late

    def after(self, seat: Seat, depth: int, alpha: float, beta: float, *, place: int = 0) -> float:
        played = self.board.played
        worth = self._judge.worth[len(played) - 1][played[-1]]
        if not depth:
            if worth <= alpha:
                # What the rival does next makes it no better.
                self.horizons += 1
                return worth
        elif place >= self._late:
            less = 1 if place < self._very_late and worth > alpha else 2
            value = super().after(seat, max(0, depth - less), alpha, nextafter(alpha, inf))
            if value <= alpha:
                return value
        return super().after(seat, depth, alpha, beta)
