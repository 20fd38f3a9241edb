"""Alpha-beta to ever greater depths, on nothing but the points."""

from collections.abc import Iterator
from math import inf

from bots.bot import Turn
from bots.options import at_least
from bots.search import Effort, Spent
from bots.sudoku.alphabeta import Move, Search
from games import Mistake, Proposal, Unknown
from games.sudoku import Sudoku
from games.sudoku.search import Board, Table

_BOARDS = {"table": Table, "rescan": Board}


class Minimax:
    """Proposes the best root move found so far; every depth starts over with the last best move.

    `depth` caps the plies looked ahead (0: no cap), `nodes` the nodes of a turn (0: any number); `moves` says whether
    the legal moves are kept in a table or looked up again at every node.
    """

    def __init__(self, *, depth: int = 0, nodes: int = 0, moves: str = "table") -> None:
        if depth < 0:
            raise Mistake(f"minimax takes depth=1 or more, or depth=0 for no cap, not depth={depth}")
        at_least(0, nodes=nodes)
        if moves not in _BOARDS:
            raise Unknown("kind of moves", moves, _BOARDS)
        self._depth = depth
        self._nodes = nodes
        self._board = _BOARDS[moves]

    def think(self, position: Sudoku, turn: Turn) -> Iterator[Proposal]:
        # An interrupt may leave the board between two states, so it lives for one turn only.
        board = self._board(position)
        moves = board.moves()
        turn.rng.shuffle(moves)
        yield Proposal(board.text(moves[0]))
        search = self.search(board, moves, Effort.of_turn(turn, turns=len(moves), limit=self._nodes))
        yield from deepen(search, moves, lead(position), range(1, (self._depth or DEEPEST) + 1))

    def search(self, board: Board, moves: list[Move], effort: Effort) -> Search:  # noqa: ARG002 - for others
        """How the root's moves, which it may put into another order, are valued."""
        return Search(board, effort)


#: More than any board has cells.
DEEPEST = 1000


def deepen(
    search: Search, moves: list[Move], ahead: int, depths: range, *, instead: str = "", floor: float = -inf
) -> Iterator[Proposal]:
    """Search these moves to each depth that there are cells for, and propose whatever is better.

    Moves worth less than `floor` are not proposed if there is another to take `instead`.
    """
    board = search.board
    if not instead:
        floor = -inf
    try:
        for depth in depths[: board.cells.count(0) + 1 - depths.start]:
            best, best_move = -inf, moves[0]
            for move in moves:
                value = search.value(move, ahead, depth=depth, alpha=best, beta=inf)
                if value > best:
                    best, best_move = value, move
                    if value >= floor:
                        yield Proposal(board.text(move), score=value, depth=depth, nodes=search.effort.nodes)
            if best < floor:
                yield Proposal(instead, score=best, depth=depth, nodes=search.effort.nodes, note="pass")
            moves.remove(best_move)
            moves.insert(0, best_move)
    except Spent:
        return


def lead(position: Sudoku) -> int:
    """How many points the seat to move has more than its rival."""
    first, second = position.scores
    return first - second if position.seat == 1 else second - first
