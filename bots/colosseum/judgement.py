"""What the moves on a Colosseum board are worth by territory, from -1 for a sure loss to 1 for a sure win."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from bots.colosseum.evaluation import result
from bots.colosseum.territory import lanes
from games import Seat
from games.colosseum.grid import Grid
from games.colosseum.search import Board

#: A sure win; a sure loss is as much below zero.
SURE = 1.0


@dataclass(frozen=True, slots=True)
class Weights:
    """What there is to have on a board, each as a share of a sure win; together less than one."""

    #: All cells, for the player who is first to reach them; and again for those within one turn.
    territory: float
    near: float
    #: The middle of the board, while it has no wall; nothing once it has `opening` walls per row.
    centre: float
    opening: float
    #: An end of the wall just put up that meets another wall or the border.
    continuation: float

    @property
    def most(self) -> float:
        return abs(self.territory) + abs(self.near) + abs(self.centre) + 2 * abs(self.continuation)


class Judge:
    """Looks at a board by looking at every board one move later, where a game that is over counts by its result.

    So no leaf is blind to a wall that separates the players, and a value of SURE is proven.
    """

    def __init__(self, grid: Grid, weights: Weights) -> None:
        self._lanes = lanes(grid)
        self._weights = weights
        self._ends = ends(grid)
        self._middle = middle(grid)
        #: By the moves made before, what each move was worth when they were last put in order.
        self.worth: list[dict[int, float]] = []

    def values(self, board: Board, moves: Sequence[int]) -> list[float]:
        """Of the boards after these moves, for the player who makes them."""
        found, weights, size = self._lanes.after(board, moves), self._weights, board.grid.size
        territory, near = weights.territory / size**2, weights.near / size**2
        walls = ~board.sides
        built = (board.grid.inner & walls).bit_count() / 2
        centre = weights.centre * max(0.0, 1 - built / (weights.opening * size))
        continuation, ends_of, middle_of = weights.continuation, self._ends, self._middle
        values = []
        for move, own, rival, own_near, rival_near, border in zip(moves, *found, strict=True):
            if border:
                value = territory * (own - rival) + near * (own_near - rival_near)
                if continuation:
                    one, other = ends_of[move]
                    value += continuation * ((one & walls != 0) + (other & walls != 0))
                if centre:
                    value += centre * middle_of[move // 4]
                values.append(value)
            else:
                values.append(SURE * ((own > rival) - (own < rival)))
        return values

    def leaf(self, board: Board, seat: Seat) -> float:
        """For the seat that searches: the best that the player to move can make of it."""
        if board.over():
            return SURE * result(board, seat)
        value = max(self.values(board, board.moves()))
        return value if board.seat == seat else -value

    def order(self, board: Board, moves: Sequence[int]) -> Sequence[int]:
        """The best first; beside a move that wins no other needs a look."""
        worth = dict(zip(moves, self.values(board, moves), strict=True))
        self.worth[len(board.played) :] = [worth]
        best = max(moves, key=worth.__getitem__)
        return [best] if worth[best] >= SURE else sorted(moves, key=worth.__getitem__, reverse=True)


@cache
def ends(grid: Grid) -> tuple[tuple[int, int], ...]:
    """By move, the sides that meet one end of its wall and those that meet the other; the border's are among them."""
    size = grid.size
    corners = ((0, 0), (0, 1), (1, 1), (1, 0))
    meeting: dict[tuple[int, int], int] = {}
    posts = []
    for side in range(4 * size * size):
        row, column = divmod(side // 4, size)
        # Sides go round the cell as its corners do.
        one, other = corners[side % 4], corners[(side + 1) % 4]
        posts.append(((row + one[0], column + one[1]), (row + other[0], column + other[1])))
        for post in posts[-1]:
            meeting[post] = meeting.get(post, 0) | 1 << side
    return tuple(
        (meeting[one] & ~grid.both[side], meeting[other] & ~grid.both[side])
        for side, (one, other) in enumerate(posts)
    )


@cache
def middle(grid: Grid) -> tuple[float, ...]:
    """By cell, from 0 in a corner of the board to 1 in its middle."""
    last = grid.size - 1
    return tuple(
        1 - (abs(2 * row - last) + abs(2 * column - last)) / (2 * last)
        for row in range(grid.size)
        for column in range(grid.size)
    )
