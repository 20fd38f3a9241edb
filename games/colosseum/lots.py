"""Whatever is drawn by lot: the start, and the walk that stands in for a missing move."""

import random

from games.colosseum.grid import SIZES, grid
from games.colosseum.position import Colosseum


def draw_start(rng: random.Random, size: int | None = None) -> Colosseum:
    """Walls and players are symmetric about the centre; the players are connected. The size too, if none is given."""
    # Drawn in any case, so that a size that is given and the same one drawn lead to the same start.
    drawn = rng.choice(SIZES)
    its_grid = grid(size or drawn)
    count = its_grid.size**2

    def with_reflection(side: int) -> int:
        cell, direction = divmod(side, 4)
        return its_grid.both[side] | its_grid.both[4 * (count - 1 - cell) + (direction ^ 2)]

    pairs = sorted({with_reflection(side) for side in its_grid.listed(its_grid.inner)})
    walls = sum(rng.sample(pairs, its_grid.size // 2 - 1))
    while True:
        first = rng.randrange(count)
        second = count - 1 - first
        if first == second:
            continue
        start = Colosseum(its_grid, its_grid.inner & ~walls, (first, second))
        if start.outcome() is None:
            return start


def random_walk(position: Colosseum, rng: random.Random) -> str:
    """Any number of steps that is allowed, each to any free neighbour, then a wall on any open side."""
    board, sides = position.grid, position.sides
    own, rival = position.bits()

    def open_sides() -> list[int]:
        return board.listed(own * 15 & sides)

    for _ in range(rng.randint(0, board.steps)):
        free = [board.behind[side] for side in open_sides() if board.behind[side] != rival]
        if not free:
            break
        own = rng.choice(free)
    return board.texts[rng.choice(open_sides())]
