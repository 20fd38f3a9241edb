"""The strongest Reversi bot here: room to move, safe discs, and the end of the game searched out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from bots.bot import Turn
from bots.options import at_least
from bots.reversi.endgame import ALL, Endgame
from bots.reversi.squares import beside_corners, corners, ring
from bots.search import AlphaBeta, Effort, Evaluation, Order, Spent, Table, deepen, stretch
from bots.search.deepening import DEEPEST
from games import Proposal, Seat
from games.reversi import Reversi
from games.reversi.grid import Grid, members
from games.reversi.search import NO_SQUARE, Board

#: How much longer one more empty square takes.
ONE_MORE = 2.3


@dataclass(frozen=True, slots=True)
class Weights:
    """What things are worth, in discs at the end of the game."""

    mobility: float
    frontier: float
    corner: float
    diagonal: float
    beside: float
    stable: float
    final: float


class Champion:
    """Deepens with a table on mobility, frontier, corners and stable discs, and plays the last moves without a mistake.

    `solve` is how many empty squares it searches to the end in a turn of 0.1 s, after looking `ahead` so many plies; a
    turn that is known to be longer or shorter takes more or fewer. `depth` caps the plies looked ahead before that (0:
    no cap), `nodes` the nodes of a turn (0: any number), `table` the positions remembered. A square to play is worth
    `mobility`, a disc with an empty neighbour `frontier`, a corner `corner`, a disc on the border that can never be
    turned `stable`, a disc next to an empty corner `diagonal` or `beside`; one disc more in the end is worth `final`.
    """

    def __init__(  # noqa: PLR0913 - each argument is an option
        self,
        *,
        solve: int = 14,
        ahead: int = 6,
        depth: int = 0,
        nodes: int = 0,
        table: int = 300_000,
        mobility: float = 1.0,
        frontier: float = -0.5,
        corner: float = 8.0,
        diagonal: float = -5.0,
        beside: float = -1.5,
        stable: float = 2.0,
        final: float = 100.0,
    ) -> None:
        at_least(0, solve=solve, depth=depth, nodes=nodes)
        at_least(1, ahead=ahead, table=table)
        self._solve = solve
        self._ahead = ahead
        self._depth = depth or DEEPEST
        self._nodes = nodes
        self._weights = Weights(mobility, frontier, corner, diagonal, beside, stable, final)
        self._table = Table(table)
        self._ends = Table(table)

    def think(self, position: Reversi, turn: Turn) -> Iterator[Proposal]:
        grid, empty = position.grid, position.grid.size**2 - sum(position.scores)
        effort = Effort.of_turn(turn, turns=empty // 2, limit=self._nodes)
        search = AlphaBeta(
            Board(position),
            evaluation(grid, self._weights),
            order=order(grid),
            effort=effort,
            table=self._table,
        )
        solving = empty <= self._solve + stretch(turn, ONE_MORE)
        last = Proposal("")
        for last in deepen(search, range(1, (min(self._ahead, self._depth) if solving else self._depth) + 1)):
            yield last
        if solving and last.depth is not None:
            try:
                yield from solved(position, Endgame(grid, table=self._ends, effort=effort), last.move, effort)
            except Spent:
                return


def solved(position: Reversi, endgame: Endgame, first: str, effort: Effort) -> Iterator[Proposal]:
    """First whether a move wins, or at least draws, then the greatest difference of discs; `first` is tried first."""
    board = Board(position)
    empty = position.grid.size**2 - sum(position.scores)
    moves = []
    for move in board.moves():
        text = board.text(move)
        board.make(move)
        moves.append((text, board.own, board.rival))
        board.undo()
    moves.sort(key=lambda move: move[0] != first)
    for least, most in ((-1, 1), (-ALL, ALL)):
        best = least
        for place in range(len(moves)):
            text, own, rival = moves[place]
            value = -endgame.value(own, rival, -most, -best)
            if value > best:
                best = value
                yield Proposal(
                    text, score=value, depth=empty, nodes=effort.nodes, line=(text,), note="to the end"
                )
                moves.insert(0, moves.pop(place))
                if best >= most:
                    break


@cache
def evaluation(grid: Grid, weights: Weights) -> Evaluation[Board]:
    """In discs, for any size of board."""
    at_corners, border = corners(grid), ring(grid, 1)
    around = [(corner, beside | diagonal, diagonal) for corner, beside, diagonal in beside_corners(grid)]
    low, high = grid.shifts[0], grid.shifts[2]
    squares, shifts, playable = grid.squares, grid.shifts, grid.playable
    mobility, frontier, corner_weight = weights.mobility, weights.frontier, weights.corner
    diagonal_weight, beside_weight = weights.diagonal, weights.beside

    def stable(discs: int) -> int:
        """Those that hang together with a corner along the border."""
        safe = discs & at_corners
        while True:
            grown = safe | (safe << low | safe >> low | safe << high | safe >> high) & discs & border
            if grown == safe:
                return safe.bit_count()
            safe = grown

    def evaluate(board: Board, seat: Seat) -> float:
        own, rival = board.own, board.rival
        own_moves, rival_moves = playable(own, rival), playable(rival, own)
        if not own_moves and not rival_moves:
            value = weights.final * (own.bit_count() - rival.bit_count())
            return value if board.seat == seat else -value
        empty = squares & ~(own | rival)
        open_sides = 0
        for shift in shifts:
            open_sides |= empty << shift | empty >> shift
        value = mobility * (own_moves.bit_count() - rival_moves.bit_count()) + frontier * (
            (own & open_sides).bit_count() - (rival & open_sides).bit_count()
        )
        if (own | rival) & at_corners:
            value += corner_weight * ((own & at_corners).bit_count() - (rival & at_corners).bit_count())
            value += weights.stable * (stable(own) - stable(rival))
        for corner, near, diagonal in around:
            if empty & corner and (own | rival) & near:
                value += diagonal_weight * ((own & diagonal > 0) - (rival & diagonal > 0))
                beside = near ^ diagonal
                value += beside_weight * ((own & beside).bit_count() - (rival & beside).bit_count())
        return value if board.seat == seat else -value

    return evaluate


@cache
def order(grid: Grid) -> Order[Board]:
    """Corners first, then the border, squares that open a corner last."""
    ranks = dict.fromkeys([NO_SQUARE, *grid.names], 2)
    ranks |= dict.fromkeys(members(ring(grid, 1)), 1)
    for corner, beside, diagonal in beside_corners(grid):
        ranks |= dict.fromkeys(members(corner), 0)
        ranks |= dict.fromkeys(members(beside), 3)
        ranks |= dict.fromkeys(members(diagonal), 4)
    rank = ranks.__getitem__

    def ordered(_board: Board, moves: Sequence[int]) -> Sequence[int]:
        return sorted(moves, key=rank)

    return ordered
