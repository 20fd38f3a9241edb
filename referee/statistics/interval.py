"""Intervals of confidence, and what they are made from."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

CONFIDENCE = 0.95

#: With fewer pairs than this, resampling them mistakes luck for certainty.
FEW = 10


@dataclass(frozen=True, slots=True)
class Interval:
    """Both ends are finite, and `low` is not above `high`."""

    low: float
    high: float

    def around(self, estimate: float) -> "Interval":
        """Widened where the estimate lies outside."""
        return Interval(min(self.low, estimate), max(self.high, estimate))


def deviate(confidence: float) -> float:
    """How many standard deviations on either side hold this share of a normal distribution."""
    return NormalDist().inv_cdf((1 + confidence) / 2)


def percentiles(values: Sequence[float], confidence: float) -> Interval:
    """What holds this share of the values; there must be one."""
    ordered = sorted(values)
    outside = int((1 - confidence) / 2 * len(ordered))
    return Interval(ordered[outside], ordered[-1 - outside])


def worth_resampling(results: Sequence[float]) -> bool:
    """Whether these results of pairs can show how results vary: they are not few, and not all alike."""
    return len(results) >= FEW and len(set(results)) > 1
