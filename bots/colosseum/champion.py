"""The strongest Colosseum bot here: who gets to more cells first, looked at for every move there is."""

from collections.abc import Iterator
from math import inf, nextafter

from bots.bot import Turn
from bots.colosseum.judgement import SURE, Judge, Weights
from bots.options import at_least
from bots.search import AlphaBeta, Effort, Table, deepen
from bots.search.deepening import DEEPEST
from games import Mistake, Proposal, Seat
from games.colosseum import Colosseum
from games.colosseum.search import Board

#: Of a budget for the whole game, a turn takes its share of so many per row of the board.
TURNS_PER_ROW = 4


class Champion:
    """Deepens with a table on the cells that each player is first to reach, until the game is decided.

    All cells are worth `territory`, those within one turn `near` as well, each end of the new wall that meets another
    `continuation`, the middle of the board `centre`, less with every wall and nothing from `opening` walls per row on;
    a sure win is worth 1 and a sure loss -1. Every move is searched: the first `full` of a board to the whole depth,
    the others one ply less, from the place `late` on two, and again to the whole depth if they look better then.
    `depth` caps the plies (0: no cap), `nodes` the nodes of a turn (0: any number), `table` the positions remembered.
    """

    def __init__(  # noqa: PLR0913 - each argument is an option
        self,
        *,
        depth: int = 0,
        nodes: int = 0,
        table: int = 200_000,
        full: int = 3,
        late: int = 12,
        territory: float = 0.6,
        near: float = 0.2,
        continuation: float = 0.01,
        centre: float = 0.0,
        opening: float = 2.0,
    ) -> None:
        at_least(0, depth=depth, nodes=nodes)
        at_least(1, full=full, late=late, table=table)
        at_least(0.1, opening=opening)
        self._depth = depth or DEEPEST
        self._nodes = nodes
        self._places = (full, late)
        self._weights = Weights(territory, near, centre, opening, continuation)
        if not self._weights.most < SURE:
            raise Mistake(
                "territory, near, centre and twice continuation are together below 1, which is a sure win, "
                f"not {self._weights.most:g}"
            )
        self._table = Table(table)

    def think(self, position: Colosseum, turn: Turn) -> Iterator[Proposal]:
        board, judge = Board(position), Judge(position.grid, self._weights)
        moves = judge.order(board, board.moves())
        if judge.worth[0][moves[0]] >= SURE:
            yield Proposal(board.text(moves[0]), score=SURE, depth=1, nodes=1)
            return
        effort = Effort.of_turn(turn, turns=TURNS_PER_ROW * position.grid.size, limit=self._nodes)
        search = Search(board, judge, places=self._places, effort=effort, table=self._table)
        yield from deepen(search, range(1, self._depth + 1), moves=moves, certain=SURE)


class Search(AlphaBeta[Board]):
    """Looks at every move, but less deep at those late in the order unless they then look better than the best so far.

    No move is left out, so what it calls a sure win or a sure loss is one.
    """

    def __init__(
        self, board: Board, judge: Judge, *, places: tuple[int, int], effort: Effort, table: Table
    ) -> None:
        super().__init__(board, judge.leaf, order=judge.order, effort=effort, table=table)
        self._judge = judge
        self._full, self._late = places

    def after(self, seat: Seat, depth: int, alpha: float, beta: float, *, place: int = 0) -> float:
        played = self.board.played
        worth = self._judge.worth[len(played) - 1][played[-1]]
        if not depth:
            if worth <= alpha:
                # The rival's next move will hardly make it better; a game that is not yet lost is not taken for lost.
                self.horizons += 1
                return worth
        elif place >= self._full:
            less = 1 if place < self._late and worth > alpha else 2
            value = super().after(seat, max(0, depth - less), alpha, nextafter(alpha, inf))
            if value <= alpha:
                return value
        return super().after(seat, depth, alpha, beta)
