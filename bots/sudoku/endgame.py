"""The rest of a game searched over its gaps, to some depth or to the end, deliberate passes included."""

from collections.abc import Iterator, Sequence
from math import inf
from typing import NamedTuple

from bots.search import Effort, Table
from bots.search.table import EXACT, LEAST, MOST, Entry
from bots.sudoku.gaps import Gaps, Option, State


class Best(NamedTuple):
    """The best so far, and by how much its mover will gain on the rival."""

    option: Option
    gain: float


class Endgame:
    """Values are what the side to move will gain on its rival from there on, so they hold whatever the scores are.

    With `every_pass` a complete value is exact. Without it only the pass that lives longest is tried, and only where
    the number of passes is odd: of an even number the rival has the last, and all is as before the first.
    """

    def __init__(
        self, gaps: Gaps, *, table: Table, effort: Effort, parity: float = 0.0, every_pass: bool = False
    ) -> None:
        self._gaps = gaps
        self._table = table
        self._effort = effort
        self._parity = parity
        self._every_pass = every_pass
        #: How many values are estimates.
        self._estimates = 0
        #: Whether none was in the last search from the root.
        self.complete = False

    def best_moves(
        self, depth: int, options: Sequence[Option], *, floor: float = -inf, ceiling: float = inf
    ) -> Iterator[Best]:
        """Each of these that is better than `floor` and all before it, to a depth of 1 or more; `ceiling` is enough."""
        best, estimates = floor, self._estimates
        for option in options:
            _, _, points, after = option
            gain = points - self.value(after, depth - 1, points - ceiling, points - best)
            if gain > best:
                best = gain
                yield Best(option, gain)
                if gain >= ceiling:
                    break
        self.complete = self._estimates == estimates

    def options(self, state: State) -> list[Option]:
        """The likely best first."""
        gaps = self._gaps
        taboo = gaps.taboo(state)
        found = gaps.placements(state, taboo)
        if self._every_pass:
            found += gaps.passes(state, taboo)
        elif taboo.bit_count() & 1:
            found += gaps.passes(state, taboo & -taboo)
        found.sort()
        return found

    def value(self, state: State, depth: int, alpha: float, beta: float) -> float:
        """Inside the window from `alpha` to `beta` it is exact, outside a bound."""
        if not state[0]:
            return 0
        self._effort.spend()
        if not depth:
            self._estimates += 1
            return self._estimate(state)
        key, table = state[1], self._table
        entry = table.get(key)
        if entry is not None and (entry.complete or entry.depth == depth):
            known = entry.value
            if entry.bound == EXACT or (known >= beta if entry.bound == LEAST else known <= alpha):
                self._estimates += not entry.complete
                return known
        options = self.options(state)
        if entry is not None:
            favourite = entry.move
            options.sort(key=lambda option: option[1] != favourite)
        best, best_move, low, estimates = -inf, -1, alpha, self._estimates
        for _, move, points, after in options:
            value = points - self.value(after, depth - 1, points - beta, points - alpha)
            if value > best:
                best, best_move = value, move
                if value >= beta:
                    self._effort.cuts += 1
                    break
                alpha = max(alpha, value)
        bound = LEAST if best >= beta else EXACT if best > low else MOST
        table.put(key, Entry(depth, bound, best, best_move, complete=self._estimates == estimates))
        return best

    def _estimate(self, state: State) -> float:
        """Points are taken in turns, then safe moves are made in turns; who has none left gives something away."""
        points, tempi = self._gaps.outlook(state)
        points.sort(reverse=True)
        gain = sum(points[::2]) - sum(points[1::2])
        return gain + (self._parity if (len(points) + tempi) & 1 else -self._parity)
