"""What a Colosseum board is worth by the cells near each player, and which moves are worth a look."""

from collections.abc import Sequence
from dataclasses import dataclass

from bots.search import Order
from games import Seat
from games.colosseum.search import Board


@dataclass(frozen=True, slots=True)
class Terms:
    """What an evaluation is made of; the same for both players."""

    #: A cell within the steps of one turn.
    reach: float = 1.0
    #: A wall just put up on one of the other player's four sides.
    beside: float = 2.0
    #: A game that is won.
    win: float = 10_000.0

    def leaf(self, board: Board, seat: Seat) -> float:
        """For the seat that searches; a game that is over by its result."""
        if board.over():
            return self.win * result(board, seat)
        return self.unfinished(board, seat)

    def rating(self, board: Board) -> float:
        """Of the move just made, for the player who made it: only a win counts as more than the terms say."""
        seat: Seat = 2 if board.seat == 1 else 1
        won = self.win if board.over() and result(board, seat) > 0 else 0.0
        return won + self.unfinished(board, seat)

    def unfinished(self, board: Board, seat: Seat) -> float:
        """Own terms minus the other's. Only the player who moved last can have put up the wall just placed."""
        grid, own, rival = board.grid, board.own, board.rival
        near = grid.reach(board.sides, own, rival).bit_count()
        far = grid.reach(board.sides, rival, own).bit_count()
        value = self.reach * (near - far)
        if board.played and grid.both[board.played[-1]] & own * 15:
            value -= self.beside
        return value if board.seat == seat else -value


def result(board: Board, seat: Seat) -> int:
    """1, 0 or -1 for a game that is over: won, drawn or lost by this seat."""
    first, second = board.scores
    sign = (first > second) - (first < second)
    return sign if seat == 1 else -sign


def winning_wall(board: Board) -> int | None:
    """The move that puts up the last wall round a rival who has three already, if it can be made and wins."""
    grid = board.grid
    gaps = grid.listed(board.rival * 15 & board.sides)
    if len(gaps) != 1:
        return None
    (gap,) = gaps
    wall = (grid.both[gap] ^ 1 << gap).bit_length() - 1
    if wall not in board.moves():
        return None
    seat = board.seat
    board.make(wall)
    won = result(board, seat) > 0
    board.undo()
    return wall if won else None


def leaves_a_way_out(board: Board, move: int) -> bool:
    """Whether the player who makes the move has fewer than three walls then."""
    here = 15 << (move & ~3)
    return (board.sides & here).bit_count() > 2


def order(terms: Terms, extra: int) -> Order[Board]:
    """The best by rating, as many as the board has rows and `extra`; none that leaves three walls if others do not."""

    def rated(board: Board, move: int) -> float:
        board.make(move)
        value = terms.rating(board)
        board.undo()
        return value

    def ordered(board: Board, moves: Sequence[int]) -> Sequence[int]:
        safe = [move for move in moves if leaves_a_way_out(board, move)] or moves
        best = sorted(safe, key=lambda move: rated(board, move), reverse=True)
        return best[: board.grid.size + extra]

    return ordered
