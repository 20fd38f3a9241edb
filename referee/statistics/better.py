"""How probable it is that one bot is better than another."""

from collections import Counter
from collections.abc import Iterable
from math import atan, cos, exp, log, pi, sin, sqrt, tan

from referee.statistics.pair import Pair, pairs_between

#: Before the first game, how many pairs of each kind are taken as seen: by half points, and by whole ones.
PRIOR = 0.5


def probability_better(bot: str, rival: str, pairs: Iterable[Pair]) -> float:
    """That its expected points in a pair are more than half, after the pairs that the two played.

    The shares of the five results of a pair are unknown, with a Dirichlet distribution: what was counted, plus
    PRIOR. Shares are gamma variables over their sum, so the question is whether a sum of four of them, taken with
    the lead that each result gives, is positive (even pairs drop out). Its characteristic function is known, and
    Gil-Pelaez' formula turns that into one smooth integral: the answer is exact, and the two views add up to 1.
    """
    leads = Counter(pair.lead_of(bot) for pair in pairs_between(bot, rival, pairs))
    whole, half = leads[1] + leads[-1] + 2 * PRIOR, leads[0.5] + leads[-0.5] + 2 * PRIOR
    whole_lead, half_lead = leads[1] - leads[-1], leads[0.5] - leads[-0.5]

    def integrand(angle: float) -> float:
        wave = tan(angle)
        small = atan(wave / 2)
        size = exp(whole * log(cos(angle)) + half * log(cos(small)))
        return size * sin(whole_lead * angle + half_lead * small) / (sin(angle) * cos(angle))

    # Beyond its reach the integrand is below 1e-20, since cos(x) < exp(-x²/2).
    reach = min(pi / 2, sqrt(96 / (whole + half / 4)))
    phase = (abs(whole_lead) + abs(half_lead)) * reach
    steps = 400 + 16 * int(phase)
    width = reach / steps
    # The middles of the steps, since both ends of the integrand are limits. For so smooth a function that is enough.
    return min(1, max(0, 0.5 + width / pi * sum(integrand((step + 0.5) * width) for step in range(steps))))
