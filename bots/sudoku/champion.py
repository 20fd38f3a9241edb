"""The strongest Sudoku bot here: it counts gaps, knows which moves are taboo, and passes where that is best."""

from collections.abc import Iterator
from math import inf, log

from bots.bot import Turn
from bots.options import at_least
from bots.search import Effort, Spent, Table, stretch
from bots.sudoku.doom import doomed
from bots.sudoku.endgame import Endgame
from bots.sudoku.gaps import Gaps
from bots.sudoku.minimax import DEEPEST, lead
from bots.sudoku.ordered import MinimaxOrdered
from bots.sudoku.solutions import solutions
from games import Proposal
from games.sudoku import Sudoku
from games.sudoku.move import Move
from games.sudoku.oracle import solution, unsolvable, warm_up

#: How much longer it takes to solve one more gap.
ONE_MORE = 2.2


class Champion:
    """Searches gaps instead of values, counts passes as moves, and solves the end of the game with all of them.

    `solve` is how many gaps it searches to the end in a turn of 0.1 s, after looking `ahead` so many plies; a turn that
    is known to be longer or shorter takes more or fewer. The first depth is the one that takes about `worth` nodes. At
    the horizon `parity` is what it is worth to be the one who fills the last gap if every pass is used, the less by
    `doubt` the more passes there are. Taboo moves are known from all solutions if there are at most `most`, found in so
    many `tries`; else from the oracle if at most `ask` moves are legal, else by a cheap test. `depth` caps the plies
    before the end (0: no cap), `nodes` the nodes of a turn (0: any number), `table` the states remembered. With
    territories it plays as minimax-ordered does.
    """

    def __init__(  # noqa: PLR0913 - each argument is an option
        self,
        *,
        solve: int = 13,
        ahead: int = 4,
        worth: int = 300,
        parity: float = 8.0,
        doubt: float = 0.5,
        most: int = 64,
        tries: int = 500,
        ask: int = 400,
        depth: int = 0,
        nodes: int = 0,
        table: int = 300_000,
    ) -> None:
        at_least(
            0,
            solve=solve,
            parity=parity,
            doubt=doubt,
            most=most,
            tries=tries,
            ask=ask,
            depth=depth,
            nodes=nodes,
        )
        at_least(1, ahead=ahead, worth=worth, table=table)
        self._solve = solve
        self._ahead = ahead
        self._worth = worth
        self._parity = parity
        self._doubt = doubt
        self._most = most
        self._tries = tries
        self._ask = ask
        self._depth = depth or DEEPEST
        self._nodes = nodes
        # An interrupt must not wait for thousands of entries to be freed, so they outlive their turn.
        self._states = Table(table)
        self._ends = Table(table)
        self._elsewhere = MinimaxOrdered(depth=depth, nodes=nodes)
        # Off the clock: a turn that ends during an import costs the process.
        warm_up()

    def forget(self) -> None:
        """Be as new."""
        self._states.clear()
        self._ends.clear()
        self._elsewhere.forget()

    def think(self, position: Sudoku, turn: Turn) -> Iterator[Proposal]:
        if position.territory is not None:
            yield from self._elsewhere.think(position, turn)
            return
        yield Proposal(likely(position))
        self._states.clear()
        self._ends.clear()
        left = position.cells.count(0)
        effort = Effort.of_turn(turn, turns=left // 2, limit=self._nodes)
        gaps = self._read(position)
        ahead, place = lead(position), position.shape.place

        def better(search: Endgame, depth: int, floor: float, ceiling: float) -> Iterator[Proposal]:
            for option, gain in search.best_moves(depth, tuple(order), floor=floor, ceiling=ceiling):
                order.remove(option)
                order.insert(0, option)
                cell, value = gaps.moves[option[1]]
                yield Proposal(
                    f"{place(cell)}={value}",
                    score=ahead + gain,
                    depth=min(depth, left),
                    nodes=effort.nodes,
                    note="to the end" if search.complete or depth == DEEPEST else "",
                )

        solving = left <= self._solve + stretch(turn, ONE_MORE)
        search = Endgame(gaps, table=self._states, effort=effort, parity=self._parity, doubt=self._doubt)
        order = search.options(gaps.start)
        first = int(log(self._worth, len(order) + 1)) or 1
        last = min(self._ahead, self._depth) if solving else self._depth
        try:
            for depth in range(min(first, last), last + 1):
                yield from better(search, depth, -inf, inf)
                if search.complete:
                    break
            if solving:
                search = Endgame(gaps, table=self._ends, effort=effort, every_pass=True)
                best = order[0]
                order = sorted(search.options(gaps.start), key=lambda option: option != best)
                # To know whether a move wins takes a fraction of the time that it takes to know by how much.
                yield from better(search, DEEPEST, -ahead - 0.5, -ahead + 0.5)
                yield from better(search, DEEPEST, -inf, inf)
        except Spent:
            return

    def _read(self, position: Sudoku) -> Gaps:
        """All that is known of the moves; those that may or may not be taboo are left out but for one solution's."""
        shape, cells = position.shape, position.cells
        legal = [
            (shape.side * (move.row - 1) + move.column - 1, move.value)
            for move in map(Move.parse, position.legal_moves())
        ]
        found = solutions(position, most=self._most, tries=self._tries)
        if found is not None:
            return Gaps(shape, legal, found)
        one = solution(shape, cells)
        taboo = unsolvable(shape, cells, legal) if len(legal) <= self._ask else set(doomed(position))
        if one is None:
            # Undecided, as it may be at 25x25: whatever is not known to be taboo may be filled in.
            fitting = dict(move for move in legal if move not in taboo)
            one = tuple(value or fitting[cell] for cell, value in enumerate(cells))
        return Gaps(
            shape,
            [(cell, value) for cell, value in legal if one[cell] == value or (cell, value) in taboo],
            [one],
        )


def likely(position: Sudoku) -> str:
    """A move that takes most, or else gives least away, found without looking further."""
    shape = position.shape
    left = [shape.side - used.bit_count() for used in position.used]

    def rank(move: str) -> tuple[int, int]:
        row, column, _ = Move.parse(move)
        its_left = [left[region] for region in shape.regions[(row - 1) * shape.side + column - 1]]
        return its_left.count(1), -its_left.count(2)

    return max(position.legal_moves(), key=rank)
