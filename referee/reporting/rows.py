"""The rows of the tables: plain values, every number of them finite."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Result:
    """Of a bot in some games; without a game there is no score, and no interval of it."""

    games: int
    wins: int
    draws: int
    losses: int
    points: float
    score: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Standing:
    """`rating` has a `bound` where results give no value: then it only ranks, and one end of the interval is meant."""

    rank: int
    bot: str
    result: Result
    rating: float
    rating_low: float
    rating_high: float
    bound: str
    forfeits: int
    faults: int


@dataclass(frozen=True, slots=True)
class Encounter:
    """A bot against a rival; `better` is the probability that it is better, None if they never met."""

    bot: str
    rival: str
    result: Result
    better: float | None


@dataclass(frozen=True, slots=True)
class Effort:
    """What a bot took. `depth` is a mean over turns, and like nodes None where it tells none."""

    turns: int
    depth: float | None
    nodes_a_turn: float | None
    thought_ms_a_turn: float | None
    thought_ms_a_game: float | None
    longest_ms: float | None


@dataclass(frozen=True, slots=True)
class View:
    """A bot in the games with these settings, whatever the other axes were."""

    setting: Mapping[str, str]
    bot: str
    result: Result
    forfeits: int
    effort: Effort


@dataclass(frozen=True, slots=True)
class Seating:
    """A bot at one seat."""

    bot: str
    seat: int
    result: Result


@dataclass(frozen=True, slots=True)
class Ending:
    """In how many of a bot's games it came to this end; the kinds are those of `KINDS`, then its own forfeits."""

    bot: str
    kind: str
    games: int


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something that a bot did wrong: it lost these games for it (`forfeit`), or went on."""

    bot: str
    kind: str
    forfeit: bool
    games: int
    times: int
    text: str
    matches: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Timing:
    """Differences and bounds are of the games that have a certificate, in milliseconds."""

    certified: int
    uncertified: int
    median_ms: float | None
    worst_ms: float | None
    bound_ms: float | None
    tainted_turns: int
    tainted_games: int
    within: int


@dataclass(frozen=True, slots=True)
class Longest:
    """Of a bot under one limit per turn (None: none, or not known); `over` games had a longer think."""

    bot: str
    limit_ms: float | None
    longest_ms: float
    games: int
    over: int


@dataclass(frozen=True, slots=True)
class Test:
    """A sequential test in one cell: the ratio after every pair, and what it says at the end."""

    setting: Mapping[str, str]
    bot: str
    rival: str
    elo0: float
    elo1: float
    alpha: float
    beta: float
    lower: float
    upper: float
    ratios: tuple[float, ...]
    decision: str
