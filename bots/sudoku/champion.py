"""The strongest Sudoku bot here: it counts gaps, knows what is taboo, and passes when that is best."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import log

from bots.bot import Turn
from bots.options import at_least
from bots.search import Effort, Spent, Table
from bots.sudoku.doom import doomed
from bots.sudoku.endgame import Endgame
from bots.sudoku.gaps import Gaps, Option
from bots.sudoku.minimax import lead
from bots.sudoku.ordered import MinimaxOrdered
from bots.sudoku.solutions import solutions
from games import Proposal
from games.sudoku import Sudoku
from games.sudoku.move import Move
from games.sudoku.oracle import solution, unsolvable


class Champion:
    """Deepens over the gaps with a table, takes a pass for a move, and solves the end of the game exactly."""

    def __init__(
        self,
        *,
        most: int = 64,
        tries: int = 500,
        ask: int = 400,
        worth: int = 300,
        parity: float = 1.0,
        nodes: int = 0,
        table: int = 200_000,
    ) -> None:
        at_least(0, most=most, tries=tries, ask=ask, parity=parity, nodes=nodes)
        at_least(1, worth=worth, table=table)
        self._most = most
        self._tries = tries
        self._ask = ask
        self._worth = worth
        self._parity = parity
        self._nodes = nodes
        self._table = table
        self._elsewhere = MinimaxOrdered(nodes=nodes)

    def think(self, position: Sudoku, turn: Turn) -> Iterator[Proposal]:
        if position.territory is not None:
            yield from self._elsewhere.think(position, turn)
            return
        yield Proposal(likely(position))
        gaps, complete = self._read(position)
        place = position.shape.place
        ahead = lead(position)
        effort = Effort.of_turn(turn, turns=position.cells.count(0), limit=self._nodes)

        def text(move: int) -> str:
            cell, value = gaps.moves[move]
            return f"{place(cell)}={value}"

        order: list[Option] = []
        try:
            for every_pass in (False, True) if complete else (False,):
                search = Endgame(
                    gaps,
                    table=Table(self._table),
                    effort=effort,
                    parity=self._parity,
                    every_pass=every_pass,
                )
                if not order:
                    order = search.options(gaps.start)
                    yield Proposal(text(order[0][1]))
                    depth = int(log(self._worth, len(order) + 1)) or 1
                else:
                    first = order[0]
                    order = sorted(search.options(gaps.start), key=lambda option: option != first)
                    depth = 1000
                while not search.complete:
                    for option, gain in search.best_moves(depth, list(order)):
                        yield Proposal(text(option[1]), score=ahead + gain, depth=min(depth, len(order)), nodes=effort.nodes)
                        order.remove(option)
                        order.insert(0, option)
                    depth += 1
        except Spent:
            return

    def _read(self, position: Sudoku) -> tuple[Gaps, bool]:
        shape = position.shape
        found = solutions(position, most=self._most, tries=self._tries)
        taken = {((m.row - 1) * shape.side + m.column - 1, m.value) for m in position.taboo}
        everything = (2 << shape.side) - 2
        legal = []
        for cell, (row, column, block) in enumerate(shape.regions):
            if not position.cells[cell]:
                free = everything & ~(position.used[row] | position.used[column] | position.used[block])
                legal += [(cell, value) for value in range(1, shape.side + 1) if free >> value & 1 and (cell, value) not in taken]
        if found is not None:
            return Gaps(shape, legal, found), True
        one = solution(shape, position.cells)
        if len(legal) <= self._ask:
            dead = unsolvable(shape, position.cells, legal)
        else:
            dead = set(doomed(position)) - taken
        return Gaps(shape, [move for move in legal if move in dead or one[move[0]] == move[1]], [one]), False


def likely(position: Sudoku) -> str:
    """A move that takes most points, or else leaves least to the rival, found without looking further."""
    shape = position.shape
    left = [shape.side - used.bit_count() for used in position.used]

    def rank(move: str) -> tuple[int, int]:
        row, column, _ = Move.parse(move)
        three = [left[region] for region in shape.regions[(row - 1) * shape.side + column - 1]]
        return three.count(1), -three.count(2)

    return max(position.legal_moves(), key=rank)
