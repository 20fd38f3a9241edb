"""Alpha-beta to ever greater depths, on nothing but the points."""

from collections.abc import Iterator
from math import inf

from bots.bot import Turn
from bots.search import Effort, Spent, node_limit
from games import Mistake, Proposal, Unknown
from games.sudoku import Sudoku
from games.sudoku.search import Board, Table

_BOARDS = {"table": Table, "rescan": Board}


class Minimax:
    """Proposes the best root move found so far; every depth starts over with the last best move.

    `depth` caps the plies looked ahead (0: no cap); `moves` says whether the legal moves are kept in a table or
    looked up again at every node.
    """

    def __init__(self, *, depth: int = 0, moves: str = "table") -> None:
        if depth < 0:
            raise Mistake(f"minimax takes depth=1 or more, or depth=0 for no cap, not depth={depth}")
        if moves not in _BOARDS:
            raise Unknown("kind of moves", moves, _BOARDS)
        self._depth = depth
        self._board = _BOARDS[moves]

    def think(self, position: Sudoku, turn: Turn) -> Iterator[Proposal]:
        # An interrupt may leave the board between two states, so it lives for one turn only.
        search = _Search(self._board(position), Effort(node_limit(turn)))
        moves = search.board.moves()
        turn.rng.shuffle(moves)
        yield Proposal(_text(search.board, moves[0]))

        first, second = position.scores
        lead = first - second if position.seat == 1 else second - first
        gaps = position.cells.count(0)
        try:
            for depth in range(1, min(self._depth or gaps, gaps) + 1):
                best, best_move = -inf, moves[0]
                for move in moves:
                    value = search.value(move, lead, depth=depth, alpha=best, beta=inf)
                    if value > best:
                        best, best_move = value, move
                        text, nodes = _text(search.board, move), search.effort.nodes
                        yield Proposal(text, score=value, depth=depth, nodes=nodes)
                moves.remove(best_move)
                moves.insert(0, best_move)
        except Spent:
            return


class _Search:
    def __init__(self, board: Board, effort: Effort) -> None:
        self.board = board
        self.effort = effort

    def value(self, move: tuple[int, int], lead: int, *, depth: int, alpha: float, beta: float) -> float:
        """What the mover, now leading by `lead`, leads by after `move` and the best play of `depth` plies in all.

        A value outside the window from `alpha` to `beta` is only a bound. A dead end, where the next player has no
        legal move, is an end.
        """
        self.effort.spend()
        lead += self.board.points(move[0])
        if depth == 1:
            return lead
        mover = self.board.seat
        self.board.make(*move)
        replies = self.board.moves()
        best = -inf
        # Where the rival is skipped the mover goes on, and nothing changes sides.
        side = 1 if self.board.seat == mover else -1
        low, high = (alpha, beta) if side == 1 else (-beta, -alpha)
        for reply in replies:
            value = self.value(reply, side * lead, depth=depth - 1, alpha=max(low, best), beta=high)
            if value > best:
                best = value
                if best >= high:
                    break
        self.board.undo()
        return side * best if replies else lead


def _text(board: Board, move: tuple[int, int]) -> str:
    cell, value = move
    return f"{board.shape.place(cell)}={value}"
