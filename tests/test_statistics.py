"""Scores, probabilities and tests of strength, compared with other ways to compute them."""

from itertools import pairwise
from math import isfinite, log
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from games import Mistake
from referee.statistics.better import PRIOR, probability_better
from referee.statistics.crosstable import crosstable
from referee.statistics.interval import Interval
from referee.statistics.pair import Pair
from referee.statistics.score import Tally, pair_interval, tally, wilson_interval
from referee.statistics.sprt import SHARES, Decision, Sprt, expected, pentanomial

POINTS = st.sampled_from([0, 0.5, 1])
RESULTS = st.lists(st.lists(POINTS, max_size=2).map(tuple), max_size=30)


def pairs(*points: tuple[float, ...]) -> list[Pair]:
    return [Pair("a", "b", games) for games in points]


def test_a_pair_gives_points_to_both() -> None:
    """What one bot wins the other loses; the lead is counted from an even share."""
    pair = Pair("a", "b", (1, 0.5))
    assert pair.points_of("b") == (0, 0.5)
    assert (pair.lead_of("a"), pair.lead_of("b")) == (0.5, -0.5)


@pytest.mark.parametrize(("rival", "points"), [("a", (1.0,)), ("b", (0.7,)), ("b", (float("nan"),))])
def test_no_pair_is_nonsense(rival: str, points: tuple[float, ...]) -> None:
    """Nobody meets itself, and a game gives 0, ½ or 1."""
    with pytest.raises(ValueError, match=r"cannot meet itself|gives 0, ½ or 1"):
        Pair("a", rival, points)


@pytest.mark.parametrize("games", [1, 2, 7, 40, 1000])
@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_the_interval_of_a_score_is_wilsons(games: int, confidence: float) -> None:
    """As an independent library has it, for any number of wins."""
    for wins in {0, 1, games // 3, games}:
        theirs = stats.binomtest(wins, games).proportion_ci(confidence_level=confidence, method="wilson")
        ours = wilson_interval(Tally(wins, 0, games - wins), confidence=confidence)
        assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_without_a_game_nothing_is_known() -> None:
    """No score, the widest interval, even chances, and a test that goes on."""
    assert Tally().score is None
    assert wilson_interval(Tally()) == pair_interval("a", pairs(())) == Interval(0, 1)
    assert probability_better("a", "b", []) == 0.5
    assert Sprt(0, 10).decide((0, 0, 0, 0, 0)) is Decision.GO_ON


def test_a_clean_sweep_is_not_certain() -> None:
    """Neither 2-0 nor a hundred pairs that all ended alike have a narrow interval: resampling would see no spread."""
    assert pair_interval("a", pairs((1, 1))) == wilson_interval(Tally(2)) != Interval(1, 1)
    assert pair_interval("a", pairs(*[(1, 0)] * 100)) == wilson_interval(Tally(100, 0, 100))


def test_pairs_are_resampled_whole() -> None:
    """Where each pair is shared, as by a start that decides the game, the score is known better than by single games;
    where a pair is won or lost as a whole, it is known worse.
    """
    shared = pairs(*[(1, 0)] * 45, *[(1, 1)] * 5)
    whole = pairs(*[(1, 1)] * 27, *[(0, 0)] * 23)
    for played, factor in ((shared, 0.5), (whole, 1.3)):
        ours, single = pair_interval("a", played), wilson_interval(tally("a", played))
        assert (ours.high - ours.low < factor * (single.high - single.low)) == (factor < 1)


def test_the_interval_of_pairs_agrees_with_the_normal_one() -> None:
    """For many pairs, the mean plus and minus its standard error."""
    random = Random(5)
    played = pairs(*[(random.choice((0, 0.5, 1)), random.choice((0.5, 1))) for _ in range(400)])
    shares = np.array([sum(pair.points) / 2 for pair in played])
    error = 1.96 * shares.std() / 20
    ours = pair_interval("a", played, rounds=4000)
    assert (ours.low, ours.high) == pytest.approx((shares.mean() - error, shares.mean() + error), abs=0.004)


@settings(deadline=None)
@given(RESULTS, st.randoms(use_true_random=False))
def test_scores_are_finite_and_in_their_intervals(points: list[tuple[float, ...]], random: Random) -> None:
    """Whatever was played, and in whatever order it ended."""
    played = pairs(*points)
    result = pair_interval("a", played, rounds=20)
    assert 0 <= result.low <= result.high <= 1
    score = tally("a", played).score
    assert score is None or result.low <= score <= result.high
    random.shuffle(played)
    assert pair_interval("a", played, rounds=20) == result


def test_the_crosstable_has_both_views() -> None:
    """A row for each bot in the order given, and empty tallies where two never met."""
    table = crosstable(["c", "a", "b"], [Pair("a", "b", (1, 0.5)), Pair("b", "a", (1,)), Pair("b", "c", ())])
    assert list(table) == ["c", "a", "b"]
    assert table["a"] == {"c": Tally(), "b": Tally(1, 1, 1)}
    assert table["b"]["a"] == Tally(1, 1, 1)
    assert sum(table["a"].values(), Tally()) == tally("a", [Pair("a", "b", (1, 0.5)), Pair("b", "a", (1,))])


@pytest.mark.parametrize(
    "points",
    [
        [(1, 1)],
        [(1, 0.5)],
        [(1,)],
        [(1, 1)] * 4 + [(0, 0)] * 2,
        [(1, 0.5)] * 9 + [(0, 0)] * 4 + [(1, 0)] * 30,
    ],
)
def test_the_chance_to_be_better_is_that_of_drawn_shares(points: list[tuple[float, ...]]) -> None:
    """Shares of the results of a pair drawn a million times from their distribution say the same as our integral."""
    leads = np.array([-1, -0.5, 0, 0.5, 1])
    counts = [sum(pair.lead_of("a") == lead for pair in pairs(*points)) + PRIOR for lead in leads]
    shares = np.random.default_rng(1).dirichlet(counts, 1_000_000)
    assert probability_better("a", "b", pairs(*points)) == pytest.approx(
        (shares @ leads > 0).mean(), abs=0.002
    )


@settings(deadline=None)
@given(RESULTS)
def test_the_chance_to_be_better_is_a_fair_one(points: list[tuple[float, ...]]) -> None:
    """Both chances add up to 1, one more pair won raises it, one more lost lowers it."""
    chances = [probability_better("a", "b", pairs(*points, *more)) for more in ([(0, 0)], [], [(1, 0.5)])]
    assert all(0 <= one <= other + 1e-9 <= 1 + 1e-9 for one, other in pairwise(chances))
    assert probability_better("b", "a", pairs(*points)) == pytest.approx(1 - chances[1], abs=1e-12)


@pytest.mark.parametrize("elo", [(0, 5), (-3, 20), (30, 100)])
@pytest.mark.parametrize(
    "counts",
    [
        (10, 50, 100, 60, 12),
        (0, 0, 7, 0, 0),
        (0, 0, 0, 0, 3),
        (4, 0, 0, 0, 0),
        (0, 3, 0, 9, 0),
        (1, 0, 0, 0, 1),
    ],
)
def test_the_ratio_is_that_of_the_likeliest_shares(elo: tuple[float, float], counts: tuple[int, ...]) -> None:
    """As a numeric maximiser finds it, under the condition on the mean; counts of zero included."""

    def likelihood(score: float) -> float:
        seen = np.array(counts) > 0

        def negative(shares: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
            return float(-(np.array(counts)[seen] * np.log(np.maximum(shares[seen], 1e-300))).sum())

        found = optimize.minimize(
            negative,
            np.array([0.2 * (1 - score), 0.2, 0.2, 0.2, 0.2 * score]),
            bounds=[(1e-12, 1)] * 5,
            constraints=[
                {"type": "eq", "fun": lambda shares: shares.sum() - 1},
                {"type": "eq", "fun": lambda shares: shares @ np.array(SHARES) - score},
            ],
            method="SLSQP",
            options={"ftol": 1e-14, "maxiter": 1000},
        )
        return -float(found.fun)

    theirs = likelihood(expected(elo[1])) - likelihood(expected(elo[0]))
    assert Sprt(*elo).ratio(counts) == pytest.approx(theirs, abs=2e-4)


def test_the_bounds_are_walds() -> None:
    """log(beta / (1 - alpha)) and log((1 - beta) / alpha): reached, the test is over."""
    test = Sprt(0, 10, alpha=0.05, beta=0.1)
    assert (test.lower, test.upper) == pytest.approx((log(0.1 / 0.95), log(0.9 / 0.05)))
    assert test.decide((0, 10, 50, 10, 0)) is Decision.GO_ON
    assert test.decide((100, 500, 1000, 620, 120)) is Decision.ACCEPT
    assert test.decide((120, 620, 1000, 500, 100)) is Decision.REJECT


@pytest.mark.parametrize("words", ["elo0 must be below", "alpha and beta are risks"])
def test_a_wrong_test_is_one_sentence(words: str) -> None:
    with pytest.raises(Mistake, match=words):
        Sprt(5, 5) if "elo" in words else Sprt(0, 5, alpha=0)


@pytest.mark.parametrize(("elo", "wrong"), [(0, Decision.ACCEPT), (100, Decision.REJECT)])
def test_the_test_errs_as_rarely_as_it_says(elo: float, wrong: Decision) -> None:
    """With a true strength at either hypothesis, about one in twenty is decided the wrong way, and all are decided."""
    random = Random(11)
    test = Sprt(0, 100)
    won = expected(elo) - 0.2
    errors = 0
    for _ in range(200):
        counts = [0] * 5
        while (decision := test.decide(counts)) is Decision.GO_ON:
            games = random.choices((2, 1, 0), (won, 0.4, 0.6 - won), k=2)
            counts[sum(games)] += 1
        errors += decision is wrong
    assert 1 <= errors <= 20


def test_only_whole_pairs_are_tested() -> None:
    """A pair that lacks a game would count as an even one; the view is that of the bot that is asked for."""
    played = [*pairs((1, 1), (1, 0.5), (1,), ()), Pair("b", "a", (1, 0)), Pair("a", "c", (1, 1))]
    assert pentanomial("a", "b", played) == (0, 0, 1, 1, 1)
    assert pentanomial("b", "a", played) == (1, 1, 1, 0, 0)


@settings(deadline=None)
@given(st.tuples(*[st.integers(0, 10_000)] * 5), st.floats(-2000, 1990), st.floats(1, 10))
def test_the_ratio_is_finite(counts: tuple[int, ...], elo: float, more: float) -> None:
    """For any counts, and turned round it is that of the other bot."""
    ratio = Sprt(elo, elo + more).ratio(counts)
    assert isfinite(ratio)
    assert Sprt(-elo - more, -elo).ratio(counts[::-1]) == pytest.approx(-ratio, rel=1e-6, abs=1e-4)
