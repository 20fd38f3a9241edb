"""A puzzle seen by its gaps: which cells are empty, what fits into them, and which moves only pass the turn."""

from collections import Counter
from collections.abc import Sequence

from games.sudoku.position import POINTS
from games.sudoku.shape import Shape

#: Three sets of bits: gaps, legal moves and solutions. The moves alone tell the states of one puzzle apart.
State = tuple[int, int, int]
#: A rank, the least being the likely best, the number of a move, its points, and the state it leads to.
Option = tuple[int, int, int, State]

#: Ranks: points come first, then what leaves no region with one gap, then a pass, then what leaves most.
FOR_A_POINT = -8
FOR_A_PASS = 1
FOR_A_REGION = 2


class Gaps:
    """Moves are numbered, those that most other moves make illegal last.

    A move that is in none of the solutions left is taboo: it passes the turn, once. The solutions may be all there are,
    or some of them if moves that are in none and not known to be taboo are left out.
    """

    def __init__(
        self, shape: Shape, moves: Sequence[tuple[int, int]], solutions: Sequence[Sequence[int]]
    ) -> None:
        known = set(moves)
        values = range(1, shape.side + 1)
        #: The moves that each makes illegal, itself among them.
        ends = {
            (cell, value): known.intersection(
                [*((cell, each) for each in values), *((peer, value) for peer in shape.peers[cell])]
            )
            for cell, value in moves
        }
        self.moves = sorted(moves, key=lambda move: len(ends[move]))
        numbers = {move: number for number, move in enumerate(self.moves)}
        bits = {cell: 1 << index for index, cell in enumerate(sorted({cell for cell, _ in moves}))}
        regions = [0] * (3 * shape.side)
        for cell, bit in bits.items():
            for region in shape.regions[cell]:
                regions[region] |= bit
        self.start: State = ((1 << len(bits)) - 1, (1 << len(moves)) - 1, (1 << len(solutions)) - 1)
        self._regions = [region for region in regions if region]
        #: For each move its cell's bit, the gaps of its row, column and block, and the moves that stay legal after it.
        self._facts = [
            (
                bits[move[0]],
                *(regions[region] for region in shape.regions[move[0]]),
                ~sum(1 << numbers[ended] for ended in ends[move]),
            )
            for move in self.moves
        ]
        #: For each move the solutions that it is in.
        self._within = [
            sum(1 << index for index, solution in enumerate(solutions) if solution[cell] == value)
            for cell, value in self.moves
        ]
        self._taboo: dict[int, int] = {}

    def taboo(self, state: State) -> int:
        """The legal moves that are in none of the solutions left, as bits."""
        _, legal, solutions = state
        found = self._taboo.get(solutions)
        if found is None:
            found = sum(1 << move for move, within in enumerate(self._within) if not within & solutions)
            self._taboo[solutions] = found
        return found & legal

    def placements(self, state: State, taboo: int) -> list[Option]:
        """All that fill a gap."""
        gaps, legal, solutions = state
        facts, within = self._facts, self._within
        found = []
        alive = legal ^ taboo
        while alive:
            low = alive & -alive
            alive ^= low
            move = low.bit_length() - 1
            bit, row, column, block, stays = facts[move]
            # What is left of each region: nothing, or one gap if there is no bit but the lowest.
            row, column, block = row & gaps ^ bit, column & gaps ^ bit, block & gaps ^ bit
            rank = 0
            if not row & row - 1:
                rank = FOR_A_REGION if row else FOR_A_POINT
            if not column & column - 1:
                rank += FOR_A_REGION if column else FOR_A_POINT
            if not block & block - 1:
                rank += FOR_A_REGION if block else FOR_A_POINT
            points = POINTS[(not row) + (not column) + (not block)] if rank < 0 else 0
            found.append((rank, move, points, (gaps ^ bit, legal & stays, solutions & within[move])))
        return found

    def passes(self, state: State, taboo: int) -> list[Option]:
        """One for each of these taboo moves."""
        gaps, legal, solutions = state
        found: list[Option] = []
        while taboo:
            low = taboo & -taboo
            taboo ^= low
            found.append((FOR_A_PASS, low.bit_length() - 1, 0, (gaps, legal ^ low, solutions)))
        return found

    def outlook(self, state: State) -> tuple[list[int], int]:
        """Points that can be had at once, cell by cell, and how many moves there are that give the rival none.

        Passes are among those moves; and one may take away another, so that it is an estimate.
        """
        gaps = state[0]
        last: list[int] = []
        unsafe = 0
        for region in self._regions:
            left = region & gaps
            rest = left & left - 1
            if not rest:
                if left:
                    last.append(left)
            elif not rest & rest - 1:
                unsafe |= left
        hot = Counter(last)
        for bit in hot:
            unsafe |= bit
        tempi = (gaps & ~unsafe).bit_count() + self.taboo(state).bit_count()
        return [POINTS[count] for count in hot.values()], tempi
