"""The model of Bradley, Terry and Davidson with a seat advantage, and where its likelihood is greatest."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, fsum, inf, log, log1p, sqrt
from operator import mul

#: A tenfold chance to win is 400 points, as in Elo's scale.
POINTS = 400 / log(10)

#: The seat advantage is taken from a normal distribution around 0 with a deviation of 400 points, and two games of
#: equals, of which a third was drawn, are taken as seen: so both have a finite best value whatever was played (all
#: won by seat 1, no draws, nothing but draws), and some dozens of real games drown it.
SEAT_PRECISION = (POINTS / 400) ** 2
SEEN_GAMES, SEEN_DRAWS = 2, 2 / 3

#: No step goes further in any direction; beyond, the likelihood is no parabola at all.
LONGEST = 3.0
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Cell:
    """All games of two bots in which `home` had seat 1; a bootstrap counts with weights that are not whole."""

    home: int
    away: int
    wins: float
    draws: float
    losses: float


@dataclass(frozen=True, slots=True)
class Model:
    """A point in it is a list: the strength of each bot, the seat advantage, the logarithm of the draw parameter.

    A win of seat 1 has the weight exp(d/2), of seat 2 exp(-d/2), a draw the draw parameter, where d is the difference
    in strength plus the seat advantage. `precision` is that of a normal distribution around 0 from which strengths are
    taken; with 0 it is the likelihood alone, and the mean of all strengths, which no game tells, is kept at 0.
    """

    bots: int
    cells: Sequence[Cell]
    precision: float = 0


@dataclass(frozen=True, slots=True)
class View:
    """The log-likelihood at a point, its slope, and its curvature with the sign turned (the information)."""

    height: float
    slope: list[float]
    information: list[list[float]]


def view(model: Model, point: Sequence[float]) -> View:
    """The information has only its lower triangle."""
    bots = model.bots
    seat, draw = point[bots], exp(point[bots + 1])
    level = 0.0 if model.precision else 1.0
    total = fsum(point[:bots])
    height = (
        -(model.precision * fsum(map(mul, point[:bots], point)) + level * total**2 + SEAT_PRECISION * seat**2)
        / 2
    )
    slope = [-model.precision * strength - level * total for strength in point[:bots]]
    information = [[level] * row + [level + model.precision] for row in range(bots)]
    drawn = draw / (2 + draw)
    height += SEEN_DRAWS * point[bots + 1] - SEEN_GAMES * log(2 + draw)
    slope += [-SEAT_PRECISION * seat, SEEN_DRAWS - SEEN_GAMES * drawn]
    information.append([0.0] * bots + [SEAT_PRECISION])
    information.append([0.0] * (bots + 1) + [SEEN_GAMES * drawn * (1 - drawn)])
    seat_row, draw_row = information[bots], information[bots + 1]
    for cell in model.cells:
        games = cell.wins + cell.draws + cell.losses
        apart = point[cell.home] - point[cell.away] + seat
        # In terms of the favourite's weight, so that nothing overflows.
        half = exp(-abs(apart) / 2)
        favourite = 1 / (1 + half * (half + draw))
        outsider, even = favourite * half * half, favourite * half * draw
        lead = (favourite - outsider) / 2 if apart >= 0 else (outsider - favourite) / 2
        height += (cell.wins - cell.losses) * apart / 2 + cell.draws * point[bots + 1]
        height -= games * (abs(apart) / 2 + log1p(half * (half + draw)))
        pull = (cell.wins - cell.losses) / 2 - games * lead
        slope[cell.home] += pull
        slope[cell.away] -= pull
        slope[bots] += pull
        slope[bots + 1] += cell.draws - games * even
        bend = games * ((favourite + outsider) / 4 - lead * lead)
        cross = -games * even * lead
        information[cell.home][cell.home] += bend
        information[cell.away][cell.away] += bend
        information[max(cell.home, cell.away)][min(cell.home, cell.away)] -= bend
        seat_row[cell.home] += bend
        seat_row[cell.away] -= bend
        seat_row[bots] += bend
        draw_row[cell.home] += cross
        draw_row[cell.away] -= cross
        draw_row[bots] += cross
        draw_row[bots + 1] += games * even * (1 - even)
    return View(height, slope, information)


def summit(
    model: Model, start: Sequence[float] = (), *, tilt: Sequence[float] = (), accuracy: float = 1e-6
) -> list[float]:
    """Where the log-likelihood is greatest, after the linear function `tilt` is added to it; by Newton's method.

    It is concave, and steps that do not lead up are halved, so any start will do.
    """
    size = model.bots + 2
    point = list(start) or [0.0] * size
    tilt = tilt or [0.0] * size
    here = view(model, point)
    for _ in range(100):
        slope = [own + added for own, added in zip(here.slope, tilt, strict=True)]
        step = solve(factor(here.information), slope)
        longest = max(map(abs, step))
        if longest < accuracy:
            # What is left after this step is about the square of it.
            return [old + change for old, change in zip(point, step, strict=True)]
        shorten = min(1.0, LONGEST / longest)
        while shorten > 1e-9:
            there = [old + shorten * change for old, change in zip(point, step, strict=True)]
            seen = view(model, there)
            gain = seen.height - here.height + shorten * fsum(map(mul, tilt, step))
            if gain >= -ROUNDING * (1 + abs(here.height)):
                break
            shorten /= 2
        else:
            break  # as high as rounding lets us see
        point, here = there, seen
    return point


def variances(model: Model, point: Sequence[float]) -> list[float]:
    """Of each strength, relative to the mean of all, from the information at this point."""
    triangle = factor(view(model, point).information)
    # The mean of all strengths is independent of the rest: what is known of it is the prior or our own convention.
    of_mean = 1 / ((model.precision or model.bots) * model.bots) if model.bots else 0
    return [
        max(0.0, fsum(value * value for value in forward(triangle, unit(bot, model.bots + 2))) - of_mean)
        for bot in range(model.bots)
    ]


def edge(model: Model, top: Sequence[float], *, bot: int, fall: float, side: int) -> float:
    """How far down (side -1) or up (1) the strength of a bot can be until the log-likelihood, with everything else at
    its best, is lower than at the top by `fall`.

    Tilting the likelihood ever more moves its summit along just those points. The root of the fall is nearly
    proportional to the force of the tilt.
    """
    highest = view(model, top).height
    direction = [-side / model.bots] * model.bots + [0.0, 0.0]
    direction[bot] += side
    low, high = 0.0, inf
    force = 1.0
    point = list(top)
    for _ in range(60):
        point = summit(model, point, tilt=[force * part for part in direction], accuracy=1e-4)
        fallen = max(0.0, highest - view(model, point).height)
        if abs(fallen - fall) < 1e-3 * fall:
            break
        if fallen < fall:
            low = force
        else:
            high = force
        guess = force * sqrt(fall / fallen) if fallen else inf
        force = guess if low < guess < high else (low + min(high, 3 * low + 1)) / 2
    return point[bot]


def factor(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Cholesky's: a lower triangle that is the root of a positive definite matrix, of which it reads the lower half."""
    triangle: list[list[float]] = []
    for row in matrix:
        new: list[float] = []
        for column, above in enumerate(triangle):
            new.append((row[column] - sum(map(mul, new, above))) / above[column])
        # Rounding can make a pivot that is nearly 0 negative.
        new.append(sqrt(max(1e-12, row[len(new)] - sum(map(mul, new, new)))))
        triangle.append(new)
    return triangle


def forward(triangle: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Solves triangle * x = right."""
    solved: list[float] = []
    for row, value in zip(triangle, right, strict=True):
        solved.append((value - sum(map(mul, solved, row))) / row[len(solved)])
    return solved


def solve(triangle: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Solves matrix * x = right, where `triangle` is the root of the matrix."""
    left = forward(triangle, right)
    for place in reversed(range(len(left))):
        left[place] /= triangle[place][place]
        for above in range(place):
            left[above] -= triangle[place][above] * left[place]
    return left


def unit(place: int, size: int) -> list[float]:
    return [float(one == place) for one in range(size)]
