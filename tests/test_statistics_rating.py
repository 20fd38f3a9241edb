"""Ratings from all games at once: where the likelihood has a maximum, and where it has none."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import exp, isfinite, log
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize

from referee.statistics.davidson import POINTS, SEAT_PRECISION, SEEN_DRAWS, SEEN_GAMES
from referee.statistics.pair import Pair
from referee.statistics.rating import Bound, Rating, Ratings, rate


def simulated(
    strengths: Sequence[float], *, pairs: int, seat: float = 0, draw: float = 0.5, seed: int = 1
) -> Iterator[Pair]:
    """All against all, by the model, strengths and seat advantage in points."""
    random = Random(seed)
    for (first, one), (second, other) in combinations(enumerate(strengths), 2):
        for _ in range(pairs):
            weights = [exp((one - other + side * seat) / POINTS / 2) for side in (1, -1)]
            points = [random.choices((1, 0, 0.5), (weight, 1 / weight, draw))[0] for weight in weights]
            yield Pair(f"bot{first}", f"bot{second}", tuple(points))


def of(ratings: Ratings, bot: str) -> Rating:
    return next(rating for rating in ratings.ratings if rating.bot == bot)


def log_likelihood(pairs: Sequence[Pair], bots: Sequence[str], point: Sequence[float]) -> float:
    """The same model in other words: straight from the weights of a win, a draw and a loss."""
    *strengths, seat, draw = point
    total = SEEN_DRAWS * draw - SEEN_GAMES * log(2 + exp(draw)) - SEAT_PRECISION * seat**2 / 2
    total -= sum(strengths) ** 2 / 2
    for pair in pairs:
        for place, points in enumerate(pair.points):
            lead = strengths[bots.index(pair.first)] - strengths[bots.index(pair.second)]
            lead += seat if place == 0 else -seat
            weights = {1: exp(lead / 2), 0.5: exp(draw), 0: exp(-lead / 2)}
            total += log(weights[points] / sum(weights.values()))
    return total


@pytest.mark.parametrize("seed", range(4))
def test_the_fit_is_the_maximum_of_the_likelihood(seed: int) -> None:
    """A general optimiser finds the same place."""
    played = list(simulated([100, 20, 0, -90], pairs=6, seat=60, seed=seed))
    bots = [f"bot{number}" for number in range(4)]
    found = optimize.minimize(
        lambda point: -log_likelihood(played, bots, point), np.zeros(6), method="BFGS", options={"gtol": 1e-5}
    ).x
    ours = rate(played, rounds=0)
    assert [of(ours, bot).points for bot in bots] == pytest.approx([POINTS * x for x in found[:4]], abs=0.1)
    assert ours.seat_advantage == pytest.approx(POINTS * found[4], abs=0.1)
    assert ours.draws == pytest.approx(exp(found[5]) / (2 + exp(found[5])), abs=1e-3)


def test_an_interval_without_bootstrap_has_the_curvature_of_the_likelihood() -> None:
    """The inverse of the second derivatives, taken by differences, of each strength relative to the mean of all."""
    played = list(simulated([60, 0, -60], pairs=4))
    bots = ["bot0", "bot1", "bot2"]
    ours = rate(played, rounds=0)
    draw = log(2 * ours.draws / (1 - ours.draws))
    top = np.array([*(of(ours, bot).points / POINTS for bot in bots), ours.seat_advantage / POINTS, draw])
    step = 1e-3 * np.eye(5)
    information = [
        [
            -sum(
                one * two * log_likelihood(played, bots, list(top + one * step[row] + two * step[column]))
                for one in (1, -1)
                for two in (1, -1)
            )
            / 4e-6
            for column in range(5)
        ]
        for row in range(5)
    ]
    less_mean = np.eye(3) - 1 / 3
    errors = np.sqrt(np.diag(less_mean @ np.linalg.inv(information)[:3, :3] @ less_mean))
    for bot, error in zip(bots, errors, strict=True):
        assert of(ours, bot).interval.high - of(ours, bot).points == pytest.approx(
            1.96 * error * POINTS, rel=1e-3
        )


def test_known_strengths_are_found_again() -> None:
    """From many games by the model itself: strengths, seat advantage and draws; best first, around 0."""
    strengths = [0, 240, -150, 60, -250, 100]
    ours = rate(simulated(strengths, pairs=150, seat=80, draw=0.7), rounds=50)
    assert [rating.bot for rating in ours.ratings] == ["bot1", "bot5", "bot3", "bot0", "bot2", "bot4"]
    assert sum(rating.points for rating in ours.ratings) == pytest.approx(0, abs=1e-6)
    for number, strength in enumerate(strengths):
        assert of(ours, f"bot{number}").points == pytest.approx(strength, abs=30)
    assert ours.seat_advantage == pytest.approx(80, abs=15)
    assert ours.draws == pytest.approx(0.7 / 2.7, abs=0.03)


@pytest.mark.parametrize("pairs", [2, 8])
def test_intervals_hold_the_truth_as_often_as_they_say(pairs: int) -> None:
    """About 95 of 100, from few pairs by the curvature and from more by the bootstrap."""
    strengths = [150, 50, 0, -60, -140]
    held = [
        rating.interval.low <= strengths[int(rating.bot[3:])] <= rating.interval.high
        for seed in range(40)
        for rating in rate(simulated(strengths, pairs=pairs, seed=seed), rounds=60).ratings
        if rating.bound is None
    ]
    assert 0.88 <= sum(held) / len(held) <= 0.99


def test_more_games_make_intervals_narrower() -> None:
    """Four times the pairs, about half the width."""
    widths = [
        of(rate(simulated([50, 0, -50], pairs=pairs), rounds=200), "bot1").interval for pairs in (40, 160)
    ]
    few, many = (interval.high - interval.low for interval in widths)
    assert many == pytest.approx(few / 2, rel=0.35)


def test_the_seat_is_not_taken_for_strength() -> None:
    """A bot that had seat 1 in all games is no better for it when others show what the seat is worth."""
    elsewhere = list(simulated([0, 0, 0], pairs=60, seat=200))
    lucky = [Pair("bot0", "late", (points,)) for points in (1, 1, 1, 0)] + [Pair("late", "bot0", (1,))]
    ours = rate([*elsewhere, *lucky], rounds=0)
    assert ours.seat_advantage == pytest.approx(200, abs=50)
    assert of(ours, "late").points > of(ours, "bot0").points


@pytest.mark.parametrize("pairs", [1, 3, 20])
def test_an_unbeaten_bot_has_a_bound(pairs: int) -> None:
    """A bot weaker than the bound would have won them all in less than one of twenty tries."""
    ours = rate([Pair("a", "b", (1, 1))] * pairs)
    best, last = ours.ratings
    assert (best.bound, last.bound) == (Bound.AT_LEAST, Bound.AT_MOST)
    assert (best.limit, last.limit) == (best.interval.low, last.interval.high)
    score = 0.05 ** (1 / (2 * pairs))
    assert 2 * best.interval.low == pytest.approx(400 * np.log10(score / (1 - score)), abs=30)


def test_only_the_unbeaten_one_of_many_has_a_bound() -> None:
    """The others, who took points from each other, set the standard; a bot that has not played is unknown."""
    played = list(simulated([40, 0, 0, -40], pairs=12))
    unbeaten = [Pair("top", f"bot{number}", (1, 1)) for number in range(4)]
    winless = [Pair("bot1", "low", (1, 1)), Pair("top", "low", (1, 1))]
    ours = rate([*played, *unbeaten, *winless], bots=["new"], rounds=50)
    bounds = {rating.bot: rating.bound for rating in ours.ratings if rating.bound}
    assert bounds == {"top": Bound.AT_LEAST, "low": Bound.AT_MOST, "new": Bound.UNKNOWN}
    assert [ours.ratings[0].bot, ours.ratings[-1].bot] == ["top", "low"]
    assert of(ours, "top").interval.low > of(ours, "bot0").points


def test_groups_that_never_met_cannot_be_compared() -> None:
    """Nothing is said of which is stronger, also if one of their bots has lost everything."""
    ours = rate([Pair("a", "b", (1, 0)), Pair("c", "d", (1, 0.5)), Pair("c", "d", (0, 0.5))])
    assert {rating.bound for rating in ours.ratings} == {Bound.UNKNOWN}
    chain = rate([Pair("a", "b", (1, 1)), Pair("b", "c", (1, 1))])
    assert [rating.bound for rating in chain.ratings] == [Bound.AT_LEAST, Bound.UNKNOWN, Bound.AT_MOST]


@pytest.mark.parametrize(
    "played",
    [
        [],
        [Pair("a", "b", ())],
        [Pair("a", "b", (0.5, 0.5))] * 500,
        [Pair("a", "b", (1, 0))] * 500,
        [Pair("a", "b", (0, 1))] * 500,
        [Pair("a", "b", (1, 1))] * 5000,
        [Pair("a", "b", (1, 1))] * 2000 + [Pair("a", "b", (0, 1))],
    ],
)
def test_extremes_have_finite_ratings(played: list[Pair]) -> None:
    """No games, all draws, all won by one seat or by one bot."""
    check(rate(played, bots=["a"], rounds=20))


def test_sixty_bots_are_rated() -> None:
    """Each met the next few and no others; ratings come out in about the right order."""
    strengths = [10 * number for number in range(60)]
    random = Random(2)
    played = [
        Pair(
            f"bot{one}", f"bot{other}", tuple(float(random.random() < 0.5 + (one - other) / 40) for _ in "12")
        )
        for one, other in combinations(range(60), 2)
        if other - one < 12
    ]
    ours = rate(played, rounds=3)
    check(ours)
    points = [of(ours, f"bot{number}").points for number in range(60)]
    assert np.corrcoef(strengths, points)[0, 1] > 0.97


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.permutations("abcde").map(lambda names: names[:2]),
            st.lists(st.sampled_from([0, 0.5, 1]), max_size=2).map(tuple),
        ),
        max_size=25,
    ),
    st.randoms(use_true_random=False),
)
def test_ratings_are_finite_and_in_their_intervals(
    results: list[tuple[list[str], tuple[float, ...]]], random: Random
) -> None:
    """Whatever was played, and in whatever order it ended."""
    played = [Pair(first, second, points) for (first, second), points in results]
    ours = rate(played, bots="abc", rounds=5)
    check(ours)
    random.shuffle(played)
    assert rate(played, bots="abc", rounds=5) == ours


def check(ratings: Ratings) -> None:
    assert isfinite(ratings.seat_advantage)
    assert 0 < ratings.draws < 1
    for rating in ratings.ratings:
        assert isfinite(rating.interval.low)
        assert rating.interval.low <= rating.points <= rating.interval.high
        assert isfinite(rating.interval.high)
        assert (rating.limit is None) == (rating.bound in {None, Bound.UNKNOWN})
