"""The sequential probability ratio test: play on until it is clear which of two hypotheses holds."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from math import log

from games import Mistake
from referee.statistics.pair import Pair, pairs_between

#: The share of the points that each of the five results of a pair gives: 0, ½, 1, 1½ or 2 of 2.
SHARES = (0, 0.25, 0.5, 0.75, 1)

#: Beyond this, an expected score can hardly be told from 0 or 1.
MOST = 2000


class Decision(Enum):
    ACCEPT = "accept"
    REJECT = "reject"
    GO_ON = "go on"


@dataclass(frozen=True, slots=True)
class Sprt:
    """Is the bot stronger by `elo1` (accept), or only by `elo0` (reject)?

    `alpha` is the risk to accept at elo0, `beta` the risk to reject at elo1.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not -MOST <= self.elo0 < self.elo1 <= MOST:
            raise Mistake(
                f"elo0 must be below elo1, and both from -{MOST} to {MOST}, not {self.elo0} and {self.elo1}"
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise Mistake(
                f"alpha and beta are risks between 0 and 0.5 (0.05 is usual), not {self.alpha} and {self.beta}"
            )

    @property
    def lower(self) -> float:
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        return log((1 - self.beta) / self.alpha)

    def ratio(self, counts: Sequence[int]) -> float:
        """The generalised log-likelihood ratio: for each hypothesis the shares of the five results are those that
        make the counts most likely among all with its expected score; no normal approximation.
        """
        return log_likelihood(counts, expected(self.elo1)) - log_likelihood(counts, expected(self.elo0))

    def decide(self, counts: Sequence[int]) -> Decision:
        ratio = self.ratio(counts)
        if ratio >= self.upper:
            return Decision.ACCEPT
        return Decision.REJECT if ratio <= self.lower else Decision.GO_ON


def pentanomial(bot: str, rival: str, pairs: Iterable[Pair]) -> tuple[int, int, int, int, int]:
    """How many of their pairs gave the bot 0, ½, 1, 1½ and 2 points; a pair that lacks a game is not counted."""
    whole = [pair for pair in pairs_between(bot, rival, pairs) if len(pair.points) == 2]
    leads = Counter(pair.lead_of(bot) for pair in whole)
    return (leads[-1], leads[-0.5], leads[0], leads[0.5], leads[1])


def expected(elo: float) -> float:
    """The score that goes with a difference in strength, by the logistic curve."""
    return 1 / (1 + 10 ** (-elo / 400))


def log_likelihood(counts: Sequence[int], score: float) -> float:
    """Of the counts under the likeliest shares with this mean, less what it is without a condition on the mean.

    Those shares are count / (1 + tilt * (share - score)), up to a factor. The tilt ends where the divisor of a
    result would become negative; a result that never came up takes the rest of the probability there, so counts of
    zero need no special care.
    """
    seen = [(count, share - score) for count, share in zip(counts, SHARES, strict=True) if count]
    low, high = -1 / (1 - score), 1 / score
    for _ in range(60):
        tilt = (low + high) / 2
        divisors = [1 + tilt * apart for _, apart in seen]
        if sum(count * apart / divisor for (count, apart), divisor in zip(seen, divisors, strict=True)) > 0:
            low = tilt
        else:
            high = tilt
    return -sum(count * log(1 + tilt * apart) for count, apart in seen)
