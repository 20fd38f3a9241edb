"""The strongest Colosseum bot here: who gets first to more cells, looked at for every move there is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import inf, nextafter

from bots.bot import Turn
from bots.colosseum.territory import lanes
from bots.options import at_least
from bots.search import AlphaBeta, Effort, Table, deepen
from bots.search.deepening import DEEPEST
from games import Proposal, Seat
from games.colosseum import Colosseum
from games.colosseum.grid import Grid
from games.colosseum.search import Board


@dataclass(frozen=True, slots=True)
class Weights:
    territory: float
    near: float
    sides: float
    centre: float
    border: float


class Champion:
    def __init__(  # noqa: PLR0913 - each argument is an option
        self,
        *,
        depth: int = 0,
        nodes: int = 0,
        table: int = 200_000,
        full: int = 6,
        gain: float = 0.0,
        territory: float = 0.6,
        near: float = 0.2,
        sides: float = 0.0,
        centre: float = 0.0,
        border: float = 0.0,
    ) -> None:
        at_least(0, depth=depth, nodes=nodes)
        at_least(1, full=full, table=table)
        self._depth = depth or DEEPEST
        self._nodes = nodes
        self._full = full
        self._gain = gain
        self._weights = Weights(territory, near, sides, centre, border)
        self._table = Table(table)

    def think(self, position: Colosseum, turn: Turn) -> Iterator[Proposal]:
        judge = Judge(position.grid, self._weights)
        search = Search(
            Board(position),
            judge.leaf,
            order=judge.order,
            effort=Effort.of_turn(turn, turns=position.grid.size**2 // 4, limit=self._nodes),
            table=self._table,
        )
        search.judge = judge
        search.full = self._full
        search.gain = self._gain
        yield from deepen(search, range(1, self._depth + 1), certain=1.0)


class Search(AlphaBeta[Board]):
    def after(self, seat, depth, alpha, beta, *, place=0):
        played = self.board.played
        static = self.judge.statics[len(played) - 1][played[-1]]
        if not depth:
            if static - self.gain <= alpha and place:
                self.horizons += 1
                return alpha
        elif place >= self.full:
            less = min(depth, 1 if place < 4 * self.full and static > alpha else 2)
            value = super().after(seat, depth - less, alpha, nextafter(alpha, inf))
            if value <= alpha:
                return value
        return super().after(seat, depth, alpha, beta)


class Judge:
    def __init__(self, grid: Grid, weights: Weights) -> None:
        self._lanes = lanes(grid)
        self.statics = {}
        self._w = weights
        self._cells = grid.size**2
        n = grid.size
        self._central = [1-(abs(2*r-n+1)+abs(2*c-n+1))/(2*n) for r in range(n) for c in range(n)]

    def values(self, board: Board, moves: Sequence[int]) -> list[float]:
        w = self._w
        found = self._lanes.after(board, moves)
        a, b = w.territory / self._cells, w.near / self._cells
        values = []
        for own, rival, on, rn, border in zip(*found, strict=True):
            if border:
                values.append(a * (own - rival) + b * (on - rn))
            else:
                values.append(float((own > rival) - (own < rival)))
        if w.border:
            for i, (own, rival, border) in enumerate(zip(found.own, found.rival, found.border)):
                if border:
                    values[i] += w.border * (own-rival)/self._cells/border
        if w.sides or w.centre:
            rs = (board.sides & board.rival * 15)
            for i, m in enumerate(moves):
                if found.border[i]:
                    if w.sides:
                        mine = (board.sides >> (m & ~3) & 15).bit_count() - 1
                        theirs = (rs & ~board.grid.both[m]).bit_count()
                        values[i] += w.sides * (SIDES[mine] - SIDES[theirs])
                    values[i] += w.centre * self._central[m >> 2]
        return values

    def leaf(self, board: Board, seat: Seat) -> float:
        if board.over():
            first, second = board.scores
            value = float((first > second) - (first < second))
            return value if seat == 1 else -value
        value = max(self.values(board, board.moves()))
        return value if board.seat == seat else -value

    def order(self, board: Board, moves: Sequence[int]) -> Sequence[int]:
        values = self.values(board, moves)
        best = max(values)
        by = dict(zip(moves, values))
        self.statics[len(board.played)] = by
        if best >= 1:
            return [moves[values.index(best)]]
        return sorted(moves, key=by.__getitem__, reverse=True)

SIDES = [-4, -2, -0.5, 0, 0]
