"""What a Reversi board is worth by where the discs lie: a weight for every square, own discs minus the rival's."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bots.reversi.squares import beside_corners, corners, middle_lines, ring
from bots.search import Evaluation, Order
from games import Mistake, Seat, Unknown
from games.reversi.grid import Grid, members
from games.reversi.search import NO_SQUARE, Board

#: For each weight the squares that have it, as bits.
Sectors = tuple[tuple[float, int], ...]


@dataclass(frozen=True, slots=True)
class Terms:
    """What an evaluation is made of; no weights are the evaluation's own."""

    eval: str = "four-sectors"
    weights: tuple[float, ...] = ()
    #: What a square that can be played is worth, in its weights: to the seat that searches, and against it.
    own_mobility: float = 2.0
    rival_mobility: float = 10.0
    #: What a disc is worth when the game is over.
    final: float = 1000.0

    def __post_init__(self) -> None:
        if self.eval not in EVALUATIONS:
            raise Unknown("evaluation", self.eval, EVALUATIONS)
        default = EVALUATIONS[self.eval].weights
        if self.weights and len(self.weights) != len(default):
            shown = f"{len(default)} weights ({'/'.join(map(str, default))})" if default else "no weights"
            raise Mistake(f"{self.eval} has {shown}, not {len(self.weights)}")

    def evaluation(self, grid: Grid, rng: random.Random) -> Evaluation[Board]:
        """For one turn; only `random-eval` draws lots."""
        found = EVALUATIONS[self.eval]
        return found.make(self, found.sectors(grid, self.weights or found.weights), rng)

    def order(self, grid: Grid) -> Order[Board] | None:
        """The heaviest squares first: likely to be good, whatever the discs turned over are worth."""
        found = EVALUATIONS[self.eval]
        if not found.weights:
            return None
        lightness = {NO_SQUARE: 0.0}
        for weight, squares in found.sectors(grid, self.weights or found.weights):
            lightness |= dict.fromkeys(members(squares), -weight)

        def ordered(_board: Board, moves: Sequence[int]) -> Sequence[int]:
            return sorted(moves, key=lightness.__getitem__)

        return ordered


def parse_weights(text: str) -> tuple[float, ...]:
    """Numbers with slashes between them, such as 0.8/0.4/0.2/0.1, or nothing."""
    try:
        return tuple(float(number) for number in text.split("/")) if text else ()
    except ValueError:
        raise Mistake(
            f"weights are numbers with slashes between them, such as 0.8/0.4, not {text!r}"
        ) from None


def by_map(terms: Terms, sectors: Sectors, _rng: random.Random) -> Evaluation[Board]:
    def evaluate(board: Board, seat: Seat) -> float:
        own, rival = board.own, board.rival
        if board.over():
            value = terms.final * (own.bit_count() - rival.bit_count())
        else:
            value = weigh(sectors, own) - weigh(sectors, rival)
        return value if board.seat == seat else -value

    return evaluate


def by_map_and_mobility(terms: Terms, sectors: Sectors, rng: random.Random) -> Evaluation[Board]:
    """The squares that the side to move can play count for the seat that searches, and more against it."""
    by_discs = by_map(terms, sectors, rng)

    def evaluate(board: Board, seat: Seat) -> float:
        value = by_discs(board, seat)
        playable = weigh(sectors, board.grid.playable(board.own, board.rival))
        # Nothing can be played when the game is over.
        return value + playable * (terms.own_mobility if board.seat == seat else -terms.rival_mobility)

    return evaluate


def by_lot(terms: Terms, sectors: Sectors, rng: random.Random) -> Evaluation[Board]:
    """A value from -1 to 1 for every position, the same all turn long: or no two searches could agree."""
    finished = by_map(terms, sectors, rng)
    lot = rng.getrandbits(60)

    def evaluate(board: Board, seat: Seat) -> float:
        if board.over():
            return finished(board, seat)
        value = hash((board.own, board.rival, lot)) % 20_001 / 10_000 - 1
        return value if board.seat == seat else -value

    return evaluate


def weigh(sectors: Sectors, discs: int) -> float:
    total = 0.0
    for weight, squares in sectors:
        total += weight * (discs & squares).bit_count()
    return total


def four_sectors(grid: Grid, weights: Sequence[float]) -> Sectors:
    """Corners and the four in the middle, the rest of the border, the second ring, all further rings."""
    border, second = ring(grid, 1), ring(grid, 2) & ~grid.centre
    special = corners(grid) | grid.centre
    third = grid.squares & ~(border | second | special)
    return tuple(zip(weights, (special, border & ~special, second, third), strict=True))


def five_sectors(grid: Grid, weights: Sequence[float]) -> Sectors:
    """Corners, their neighbours, the four in the middle, the rest of the two middle rows and columns, the rest."""
    at_corners, centre = corners(grid), grid.centre
    near = sum(on_border | diagonal for _, on_border, diagonal in beside_corners(grid)) & ~centre
    cross = middle_lines(grid) & ~(at_corners | near | centre)
    rest = grid.squares & ~(at_corners | near | centre | cross)
    return tuple(zip(weights, (at_corners, near, centre, cross, rest), strict=True))


def no_sectors(_grid: Grid, _weights: Sequence[float]) -> Sectors:
    return ()


@dataclass(frozen=True, slots=True)
class _Kind:
    """How the sectors are cut, what they weigh, and what is made of them."""

    sectors: Callable[[Grid, Sequence[float]], Sectors]
    weights: tuple[float, ...]
    make: Callable[[Terms, Sectors, random.Random], Evaluation[Board]]


EVALUATIONS = {
    "four-sectors": _Kind(four_sectors, (0.8, 0.4, 0.2, 0.1), by_map),
    "five-sectors": _Kind(five_sectors, (0.8, 0.4, 1.6, 0.1, 0.2), by_map),
    "five-sectors-as-coded": _Kind(four_sectors, (0.1, 0.8, 0.4, 0.2), by_map),
    "sectors-mobility": _Kind(four_sectors, (0.8, 0.4, 0.2, 0.1), by_map_and_mobility),
    "random-eval": _Kind(no_sectors, (), by_lot),
    "dummy": _Kind(no_sectors, (), by_map),
}
