"""Scores: the share of the points that a bot took, and how far it may be from what it is worth."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from random import Random

from referee.statistics.interval import CONFIDENCE, Interval, deviate, percentiles, worth_resampling
from referee.statistics.pair import Pair, pairs_of


@dataclass(frozen=True, slots=True)
class Tally:
    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def score(self) -> float | None:
        """The share of the points, 0 to 1; None without a game."""
        return self.points / self.games if self.games else None

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)


def tally(bot: str, pairs: Iterable[Pair]) -> Tally:
    games = Counter(points for pair in pairs_of(bot, pairs) for points in pair.points_of(bot))
    return Tally(games[1], games[0.5], games[0])


def wilson_interval(results: Tally, *, confidence: float = CONFIDENCE) -> Interval:
    """Wilson's, with a draw as half a win; draws vary less than wins and losses, so it is rather too wide."""
    score, games = results.score, results.games
    if score is None:
        return Interval(0, 1)
    square = deviate(confidence) ** 2
    middle = (score + square / (2 * games)) / (1 + square / games)
    reach = sqrt(square * (score * (1 - score) / games + square / (4 * games**2))) / (1 + square / games)
    return Interval(max(0, middle - reach), min(1, middle + reach)).around(score)


def pair_interval(
    bot: str, pairs: Iterable[Pair], *, rounds: int = 1000, seed: int = 0, confidence: float = CONFIDENCE
) -> Interval:
    """Of the bot's score, by drawing whole pairs again: the games of a pair have one start, so they are not two
    independent ones. Few pairs, or pairs that all ended alike, show no spread and would look certain; they get
    Wilson's interval.
    """
    pairs = pairs_of(bot, pairs)
    results = tally(bot, pairs)
    points = [pair.points_of(bot) for pair in pairs]
    if results.score is None or not worth_resampling([sum(games) / len(games) for games in points]):
        return wilson_interval(results, confidence=confidence)
    random = Random(seed)
    pairs_drawn = (
        random.choices([(sum(games), len(games)) for games in points], k=len(points)) for _ in range(rounds)
    )
    scores = [sum(won for won, _ in drawn) / sum(games for _, games in drawn) for drawn in pairs_drawn]
    return percentiles(scores, confidence).around(results.score)
