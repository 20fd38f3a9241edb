"""Minimax on moves in order of points, which passes the turn on purpose when every move loses ground."""

from collections.abc import Iterator
from dataclasses import replace

from bots.bot import Turn
from bots.options import at_least
from bots.search import Effort
from bots.sudoku.alphabeta import Search
from bots.sudoku.doom import doomed
from bots.sudoku.minimax import DEEPEST, deepen, lead
from games import Proposal, Unknown
from games.sudoku import Sudoku
from games.sudoku.move import Move
from games.sudoku.search import Table

#: What a value is compared with before the turn is passed.
PASSES = ("relative", "absolute")


class MinimaxOrdered:
    """Minimax that begins at depth `first` with the moves that complete most, and passes by a taboo move if all lose.

    With pass=relative a move loses that leads to less than the lead there is, with pass=absolute one that leads to less
    than zero. Moves to pass with are looked for while the board is from `least` to `most` percent full; `least` rises
    by `step` when a turn is too short for that. `depth` caps the plies (0: no cap), `nodes` the nodes of a turn (0: any
    number).
    """

    def __init__(
        self,
        *,
        pass_: str = "relative",  # noqa: S107 - no password
        least: float = 20.0,
        most: float = 85.0,
        step: float = 10.0,
        first: int = 2,
        depth: int = 0,
        nodes: int = 0,
    ) -> None:
        if pass_ not in PASSES:
            raise Unknown("kind of pass", pass_, PASSES)
        at_least(0, least=least, most=most, step=step, depth=depth, nodes=nodes)
        at_least(1, first=first)
        self._relative = pass_ == PASSES[0]
        self._least = least
        self._most = most
        self._step = step
        self._first = first
        self._depth = depth or DEEPEST
        self._nodes = nodes
        #: Moves that make the puzzle unsolvable.
        self.passes: list[str] = []
        self._building = False
        self._lowest = least

    def forget(self) -> None:
        """Be as new."""
        self.passes.clear()
        self._least = self._lowest
        self._building = False

    def think(self, position: Sudoku, turn: Turn) -> Iterator[Proposal]:
        legal = position.legal_moves()
        turn.rng.shuffle(legal)
        yield Proposal(legal[0])
        legal.sort(key=position.points, reverse=True)
        yield Proposal(legal[0])
        self._renew_passes(position, set(legal))
        passes = self.passes
        if legal[0] in passes:
            legal = [move for move in legal if move not in passes]
            yield Proposal(legal[0])
        # On the taboo list they are out of the search, so that the turn never passes by accident.
        board = Table(replace(position, taboo=position.taboo | set(map(Move.parse, passes))))
        moves = board.moves()
        turn.rng.shuffle(moves)
        moves.sort(key=lambda move: board.points(move[0]), reverse=True)
        effort = Effort.of_turn(turn, turns=len(moves), limit=self._nodes)
        ahead = lead(position)
        yield from deepen(
            Search(board, effort),
            moves,
            ahead,
            range(self._first, self._depth + 1),
            instead=turn.rng.choice(passes) if passes else "",
            floor=ahead if self._relative else 0,
        )

    def _renew_passes(self, position: Sudoku, legal: set[str]) -> None:
        """Drop what is no longer legal; look for new ones if none is left."""
        if self._building:
            self._least += self._step
            self._building = False
        self.passes = [move for move in self.passes if move in legal]
        filled = 100 - 100 * position.cells.count(0) / len(position.cells)
        if not self.passes and self._least <= filled <= self._most:
            self._building = True
            place = position.shape.place
            self.passes = [
                move for cell, value in doomed(position) if (move := f"{place(cell)}={value}") in legal
            ]
            self._building = False
