"""A puzzle seen by its gaps: which cells are empty, what fits into them, and which moves only pass the turn."""

from collections.abc import Sequence
from typing import NamedTuple

from games.sudoku.position import POINTS
from games.sudoku.shape import Shape


class State(NamedTuple):
    """Three sets of bits, of cells, of moves and of solutions; the moves alone tell states of one puzzle apart."""

    gaps: int
    legal: int
    solutions: int


class Option(NamedTuple):
    """A move: its number, the state it leads to, its points, and how many regions it leaves with one gap."""

    move: int
    after: State
    points: int
    opens: float


class Gaps:
    """Moves are numbered, those that most other moves make illegal last.

    A move that is in none of the solutions left is taboo: it passes the turn, once. The solutions may be all there are;
    or only some, where moves that are in none of them and not known to be taboo must be left out.
    """

    def __init__(
        self,
        shape: Shape,
        moves: Sequence[tuple[int, int]],
        solutions: Sequence[Sequence[int]],
    ) -> None:
        known = set(moves)
        values = range(1, shape.side + 1)
        #: The moves that each makes illegal, itself among them.
        ends = {
            (cell, value): {(cell, each) for each in values} | {(peer, value) for peer in shape.peers[cell]}
            for cell, value in moves
        }
        ends = {move: ended & known for move, ended in ends.items()}
        self.moves = sorted(moves, key=lambda move: len(ends[move]))
        numbers = {move: number for number, move in enumerate(self.moves)}
        cells = sorted({cell for cell, _ in moves})
        bits = {cell: 1 << index for index, cell in enumerate(cells)}
        regions = {
            region: sum(bits[cell] for cell in cells if region in shape.regions[cell])
            for region in range(3 * shape.side)
        }
        self.start = State((1 << len(cells)) - 1, (1 << len(moves)) - 1, (1 << len(solutions)) - 1)
        #: For each move its cell's bit, the gaps of its three regions, and the moves that stay legal after it.
        self._facts = [
            (
                bits[move[0]],
                *(regions[region] for region in shape.regions[move[0]]),
                ~sum(1 << numbers[ended] for ended in ends[move]),
            )
            for move in self.moves
        ]
        self._within = [
            sum(1 << index for index, solution in enumerate(solutions) if solution[cell] == value)
            for cell, value in self.moves
        ]
        self._taboo: dict[int, int] = {}

    def taboo(self, state: State) -> int:
        """The legal moves that are in none of the solutions."""
        found = self._taboo.get(state.solutions)
        if found is None:
            found = sum(
                1 << move for move, within in enumerate(self._within) if not within & state.solutions
            )
            self._taboo[state.solutions] = found
        return found & state.legal

    def options(self, state: State, taboo: int) -> list[Option]:
        """What can be filled in."""
        gaps, legal, solutions = state
        facts, within = self._facts, self._within
        found = []
        alive = legal ^ taboo
        while alive:
            low = alive & -alive
            alive ^= low
            move = low.bit_length() - 1
            bit, row, column, block, stays = facts[move]
            # What is left of each region; a number less one shares no bit with it if it has one bit.
            row, column, block = row & gaps ^ bit, column & gaps ^ bit, block & gaps ^ bit
            completes = (not row) + (not column) + (not block)
            opens = (not row & row - 1) + (not column & column - 1) + (not block & block - 1) - completes
            after = State(gaps ^ bit, legal & stays, solutions & within[move])
            found.append(Option(move, after, POINTS[completes], opens))
        return found

    def passed(self, state: State, move: int) -> State:
        return State(state.gaps, state.legal ^ (1 << move), state.solutions)
