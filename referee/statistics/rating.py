"""Ratings: the strengths of all bots at once, from all games, in points of Elo's scale around a mean of 0."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import chain
from math import exp, log, sqrt
from random import Random

from referee.statistics.davidson import POINTS, Cell, Model, edge, summit, variances
from referee.statistics.interval import CONFIDENCE, Interval, deviate, percentiles, worth_resampling
from referee.statistics.pair import Pair
from referee.statistics.reach import Reach, reach

#: In points, the deviation of the strengths of bots, where results alone do not tell them.
DEVIATION = 600


class Bound(Enum):
    """What can be said of a bot whose rating has no likeliest value."""

    AT_LEAST = "at least"
    AT_MOST = "at most"
    #: Between bots that it never lost to and others that it never took a point from, or tied to nobody.
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Rating:
    """With a bound, `points` is a guess that lets it be ranked, and only the end of the interval that the bound names
    is a statement: "at least `interval.low`", "at most `interval.high`".
    """

    bot: str
    points: float
    interval: Interval
    bound: Bound | None
    games: int

    @property
    def limit(self) -> float | None:
        """The number that goes with "at least" or "at most"."""
        ends = {Bound.AT_LEAST: self.interval.low, Bound.AT_MOST: self.interval.high}
        return ends.get(self.bound) if self.bound else None


@dataclass(frozen=True, slots=True)
class Ratings:
    """The best bot first; the advantage of seat 1 is in points, `draws` the share of draws between equal bots."""

    ratings: tuple[Rating, ...]
    seat_advantage: float
    draws: float


def rate(
    pairs: Iterable[Pair],
    *,
    bots: Sequence[str] = (),
    rounds: int = 200,
    seed: int = 0,
    confidence: float = CONFIDENCE,
) -> Ratings:
    """The joint maximum of the likelihood of all games; `bots` may name some that have not played yet.

    Where results do not tie all bots together (one is unbeaten, say), the likelihood grows for ever as some strengths
    do. Then strengths are taken from a wide normal distribution (DEVIATION), which makes everything finite, and
    those that hang on it have a bound: where the likelihood, with everything else at its best, has fallen to
    1 - `confidence` of the greatest. Of an unbeaten bot that is about the chance of such a sweep, so the bound is a
    one-sided interval and hardly depends on the distribution, as the curvature at the maximum would.

    Intervals are of a bot's strength relative to the mean, by `rounds` of a bootstrap over pairs. A pair gets a
    random weight (exponential) instead of being drawn some times or never, so what ties the bots together is never
    lost on the way. A bot with few pairs, or whose pairs all ended alike, gets its interval from the curvature
    of the likelihood: its own pairs cannot show how much they vary.
    """
    pairs = sorted(pair for pair in pairs if pair.points)
    names = list(
        dict.fromkeys([*bots, *sorted({name for pair in pairs for name in (pair.first, pair.second)})])
    )
    number = {name: place for place, name in enumerate(names)}
    games = [list(games_of(pair, number)) for pair in pairs]
    ties = reach(len(names), points_taken(chain.from_iterable(games)))
    precision = 0.0 if ties.whole else (POINTS / DEVIATION) ** 2
    model = Model(len(names), cells(games, [1.0] * len(games)), precision)
    top = summit(model)
    strengths = centred(top[: model.bots])
    spread = variances(model, top)
    z, fall = deviate(confidence), -log(1 - confidence)

    results: dict[str, list[float]] = {name: [] for name in names}
    played: Counter[str] = Counter()
    for pair in pairs:
        for name in (pair.first, pair.second):
            results[name].append(pair.lead_of(name) / len(pair.points))
            played[name] += len(pair.points)
    bounds = [bound_of(place, ties) if played[name] else Bound.UNKNOWN for place, name in enumerate(names)]
    resampled = [
        bound is None and worth_resampling(results[name]) for name, bound in zip(names, bounds, strict=True)
    ]
    drawn = list(bootstrap(games, model, top, rounds=rounds, seed=seed)) if any(resampled) else []

    ratings = []
    for place, name in enumerate(names):
        strength, reach_of = strengths[place], z * sqrt(spread[place])
        interval = Interval(strength - reach_of, strength + reach_of)
        bound = bounds[place]
        if resampled[place] and drawn:
            interval = percentiles([one[place] for one in drawn], confidence)
        elif bound is Bound.AT_LEAST:
            low = edge(model, top, bot=place, fall=fall, side=-1)
            interval = Interval(low, max(low, interval.high))
        elif bound is Bound.AT_MOST:
            high = edge(model, top, bot=place, fall=fall, side=1)
            interval = Interval(min(high, interval.low), high)
        interval = interval.around(strength)
        ratings.append(
            Rating(
                name,
                strength * POINTS,
                Interval(interval.low * POINTS, interval.high * POINTS),
                bound,
                played[name],
            )
        )
    # Rounded, so that equals stay in the order given whatever the last digit is.
    ratings.sort(key=lambda rating: -round(rating.points, 6))
    draw = exp(top[-1])
    return Ratings(tuple(ratings), top[-2] * POINTS, draw / (2 + draw))


#: Who had seat 1, who seat 2, and the points of seat 1.
Game = tuple[int, int, float]


def games_of(pair: Pair, number: dict[str, int]) -> Iterator[Game]:
    first, second = number[pair.first], number[pair.second]
    for place, points in enumerate(pair.points):
        yield (second, first, 1 - points) if place % 2 else (first, second, points)


def points_taken(games: Iterable[Game]) -> Iterator[tuple[int, int]]:
    for home, away, points in games:
        if points > 0:
            yield home, away
        if points < 1:
            yield away, home


def cells(games: Sequence[Sequence[Game]], weights: Sequence[float]) -> list[Cell]:
    counts: dict[tuple[int, int], list[float]] = {}
    for pair, weight in zip(games, weights, strict=True):
        for home, away, points in pair:
            counts.setdefault((home, away), [0.0, 0.0, 0.0])[int(2 - 2 * points)] += weight
    return [Cell(home, away, *count) for (home, away), count in counts.items()]


def bound_of(bot: int, ties: Reach) -> Bound | None:
    if not ties.outside(bot):
        return None
    above, below = ties.above(bot), ties.below(bot)
    if above == below:
        return Bound.UNKNOWN
    return Bound.AT_LEAST if above else Bound.AT_MOST


def bootstrap(
    games: Sequence[Sequence[Game]], model: Model, top: Sequence[float], *, rounds: int, seed: int
) -> Iterator[list[float]]:
    """Strengths as they might have come out."""
    random = Random(seed)
    for _ in range(rounds):
        weights = [random.expovariate(1) for _ in games]
        drawn = Model(model.bots, cells(games, weights), model.precision)
        yield centred(summit(drawn, top, accuracy=0.03)[: model.bots])


def centred(strengths: Sequence[float]) -> list[float]:
    """Around a mean of exactly 0."""
    mean = sum(strengths) / len(strengths) if strengths else 0
    return [strength - mean for strength in strengths]
