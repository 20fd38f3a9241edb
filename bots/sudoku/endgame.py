"""The rest of a game searched to the end, deliberate passes included."""

from collections.abc import Iterator
from math import inf
from typing import NamedTuple

from bots.search import Effort, Table
from bots.search.table import EXACT, LEAST, MOST, Entry
from bots.sudoku.gaps import Gaps, Option, State


class Best(NamedTuple):
    """The best move so far, as its number, and by how much the mover will gain on its rival."""

    move: int
    gain: float
    depth: int


class Endgame:
    """Values are what the side to move will gain on its rival from there on, so they hold whatever the scores are.

    With `every_pass` a value that is complete is exact. Without it only the pass that lives longest is tried, and only
    where the number of passes is odd: of an even number the rival has the last, which takes the first one back.
    """

    def __init__(
        self, gaps: Gaps, *, table: Table, effort: Effort, parity: float, every_pass: bool = False
    ) -> None:
        self._gaps = gaps
        self._table = table
        self._effort = effort
        self._parity = parity
        self._every_pass = every_pass
        self._horizons = 0
        #: Whether nothing was cut short in the last search from the root.
        self.complete = False

    def best_moves(self, depth: int, order: list[Option]) -> Iterator[Best]:
        """Each of these moves that is better than all before it; a depth of 1 is the move alone."""
        best = -inf
        horizons = self._horizons
        for option in order:
            gain = option.points - self.value(option.after, depth - 1, -inf, option.points - best)
            if gain > best:
                best = gain
                yield Best(option.move, gain, depth)
        self.complete = self._horizons == horizons

    def choices(self, state: State) -> list[Option]:
        """The moves of a state, the likely best first: points, then what opens nothing, then a pass."""
        gaps = self._gaps
        taboo = gaps.taboo(state)
        options = gaps.options(state, taboo)
        if taboo and self._every_pass:
            passes = taboo
            while passes:
                low = passes & -passes
                passes ^= low
                move = low.bit_length() - 1
                options.append(Option(move, gaps.passed(state, move), 0, 0.5))
        elif taboo.bit_count() & 1:
            move = (taboo & -taboo).bit_length() - 1
            options.append(Option(move, gaps.passed(state, move), 0, 0.5))
        options.sort(key=_rank)
        return options

    def value(self, state: State, depth: int, alpha: float, beta: float) -> float:
        if not state.gaps:
            return 0
        self._effort.spend()
        if depth <= 0:
            self._horizons += 1
            return self._estimate(state)
        key = state.legal
        entry = self._table.get(key)
        favourite = -1
        if entry is not None:
            if entry.complete or entry.depth == depth:
                known = entry.value
                if entry.bound == EXACT or (known >= beta if entry.bound == LEAST else known <= alpha):
                    self._horizons += not entry.complete
                    return known
            favourite = entry.move
        choices = self.choices(state)
        if favourite >= 0:
            choices.sort(key=lambda option: option.move != favourite)
        best, best_move, low, horizons = -inf, -1, alpha, self._horizons
        for move, after, points, _ in choices:
            value = points - self.value(after, depth - 1, points - beta, points - alpha)
            if value > best:
                best, best_move = value, move
                if value >= beta:
                    break
                alpha = max(alpha, value)
        bound = LEAST if best >= beta else EXACT if best > low else MOST
        self._table.put(key, Entry(depth, bound, best, best_move, complete=self._horizons == horizons))
        return best

    def _estimate(self, state: State) -> float:
        """Both take points as long as there are some; then it counts who is likely to fill the last gap."""
        gaps, value, sign = self._gaps, 0, 1
        while True:
            taboo = gaps.taboo(state)
            best = max(gaps.options(state, taboo), key=_points)
            if not best.points:
                break
            value += sign * best.points
            sign = -sign
            state = best.after
            if not state.gaps:
                return value
        last = (state.gaps.bit_count() + taboo.bit_count()) & 1
        return value + sign * (self._parity if last else -self._parity)


def _rank(option: Option) -> tuple[int, float]:
    return -option.points, option.opens


def _points(option: Option) -> tuple[int, float]:
    return option.points, -option.opens
