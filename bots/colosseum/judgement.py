"""What the moves on a Colosseum board are worth by territory, from -1 for a sure loss to 1 for a sure win."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from bots.colosseum.evaluation import result
from bots.colosseum.territory import lanes
from games import Seat
from games.colosseum.grid import Grid
from games.colosseum.search import Board

#: No unfinished game is worth more.
ALMOST_SURE = 0.99


@dataclass(frozen=True, slots=True)
class Weights:
    """What things are worth: at most so much each, if one player has all there is."""

    #: Cells that a player is first to reach, and those among them within one turn.
    territory: float
    near: float
    #: Standing in the centre, while there are few walls: none, to `opening` walls per row.
    centre: float
    opening: float
    #: A wall that goes on from others or from the border, at each of its ends.
    continuation: float


class Judge:
    """Looks at a board by looking at all boards one move later; games that are over there count by their result.

    So a leaf sees every wall that separates the players at once, and a cell nobody can keep is not counted on.
    """

    def __init__(self, grid: Grid, weights: Weights) -> None:
        self._lanes = lanes(grid)
        self._weights = weights
        self._cells = grid.size**2
        self._central = central(grid)
        self._ends = ends(grid)
        #: What the moves were worth when they were put in order last, by how many were made before.
        self.worth: list[dict[int, float]] = []

    def values(self, board: Board, moves: Sequence[int]) -> list[float]:
        """Of the boards after these moves, for the player who makes them."""
        found = self._lanes.after(board, moves)
        territory, near = self._weights.territory / self._cells, self._weights.near / self._cells
        values = [
            territory * (own - rival) + near * (own_near - rival_near)
            if border
            else float((own > rival) - (own < rival))
            for own, rival, own_near, rival_near, border in zip(*found, strict=True)
        ]
        w = self._weights
        if w.continuation or w.centre:
            walls = board.grid.inner & ~board.sides
            opening = max(0.0, 1 - walls.bit_count() / (2 * w.opening * board.grid.size)) * w.centre
            for place, move in enumerate(moves):
                if found.border[place]:
                    first, second = self._ends[move]
                    values[place] += opening * self._central[move >> 2] + w.continuation * (bool(first & ~board.sides) + bool(second & ~board.sides))
        return values

    def leaf(self, board: Board, seat: Seat) -> float:
        """For the seat that searches: the best that the player to move can make of it."""
        if board.over():
            return float(result(board, seat))
        value = max(self.values(board, board.moves()))
        return value if board.seat == seat else -value

    def order(self, board: Board, moves: Sequence[int]) -> Sequence[int]:
        """The best first; a move that wins leaves nothing else to look at."""
        worth = dict(zip(moves, self.values(board, moves), strict=True))
        self.worth[len(board.played) :] = [worth]
        best = max(moves, key=worth.__getitem__)
        return [best] if worth[best] >= 1 else sorted(moves, key=worth.__getitem__, reverse=True)


@cache
def central(grid: Grid) -> list[float]:
    n = grid.size
    return [1 - (abs(2 * r - n + 1) + abs(2 * c - n + 1)) / (2 * n) for r in range(n) for c in range(n)]


@cache
def ends(grid: Grid) -> list[tuple[int, int]]:
    """By move, the sides that meet each end of its wall."""
    size = grid.size
    posts: dict[tuple[int, int], int] = {}
    ends = []
    for number in range(4 * size * size):
        row, column = divmod(number // 4, size)
        two = [((row, column), (row, column + 1)), ((row, column + 1), (row + 1, column + 1)), ((row + 1, column), (row + 1, column + 1)), ((row, column), (row + 1, column))][number % 4]
        ends.append(two)
        for post in two:
            posts[post] = posts.get(post, 0) | 1 << number
    return [tuple(posts[post] & ~grid.both[number] for post in two) for number, two in enumerate(ends)]
