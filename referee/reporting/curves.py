"""How a bot's answer grows during a turn, from the proposals in records.

At each instant the newest proposal so far stands. A curve says over many turns how often it was already the one that
was played, and how its score and depth compare with those at the end.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, quantiles
from typing import Any

from referee.timing import TimeControl

#: Where a curve is looked at: from 1/64 of the turn to all of it, four times between one half and the next.
SHARES = tuple(2.0 ** (-step / 4) for step in range(24, -1, -1))
#: "What if the turn had been so long?"
HALVES = (1 / 2, 1 / 4, 1 / 8)


@dataclass(frozen=True, slots=True)
class Instant:
    """What stood at one share of a turn; no `same` before the first proposal."""

    same: bool | None
    #: Reported, less what was reported at the end.
    score: float | None
    depth: float | None


@dataclass(frozen=True, slots=True)
class Curve:
    """Over `turns` of a bot, one value for each of SHARES. `other` and `none` are the rest of `same`.

    Scores are medians and quartiles, since some bots call a won game a million; None where no turn had one.
    """

    bot: str
    records: int
    turns: int
    same: tuple[float, ...]
    other: tuple[float, ...]
    none: tuple[float, ...]
    score: tuple[float | None, ...]
    score_low: tuple[float | None, ...]
    score_high: tuple[float | None, ...]
    depth: tuple[float | None, ...]


def instants(turn: dict[str, Any], time: TimeControl) -> tuple[Instant, ...] | None:
    """What stood at each of SHARES of a turn as a record has it; None for a turn without a move of the bot's own."""
    heard = [proposal for proposal in turn["heard"] if not proposal["refused"] and proposal.get("move")]
    if turn["move"] is None or turn.get("replaced") or not heard:
        return None
    final = heard[-1]
    length = length_of(turn, time)
    found = []
    for share in SHARES:
        until = length * share if share < 1 else final["at"]
        standing = next((proposal for proposal in reversed(heard) if proposal["at"] <= until), None)
        if standing is None:
            found.append(Instant(None, None, None))
            continue
        score, end = standing.get("score"), final.get("score")
        known = score is not None and end is not None
        found.append(
            Instant(standing["move"] == final["move"], score - end if known else None, standing.get("depth"))
        )
    return tuple(found)


def length_of(turn: dict[str, Any], time: TimeControl) -> int:
    """Nanoseconds: what the bot was given, or what it took where it was free to choose (a budget, no clock) and where
    time is not that of the clock.
    """
    given: int | None = turn["thinking"]
    taken: int = turn["ended"] if turn["done"] is None else turn["done"]
    return taken if given is None or time.budget is not None or time.cpu else given


def curve(bot: str, turns: Sequence[tuple[Instant, ...]], *, records: int) -> Curve:
    """There must be a turn."""
    columns = list(zip(*turns, strict=True))
    same = tuple(share_of(column, same=True) for column in columns)
    scores = [
        quartiles([instant.score for instant in column if instant.score is not None]) for column in columns
    ]
    depths = [[instant.depth for instant in column if instant.depth is not None] for column in columns]
    return Curve(
        bot,
        records,
        len(turns),
        same,
        tuple(share_of(column, same=False) for column in columns),
        tuple(share_of(column, same=None) for column in columns),
        tuple(middle for _, middle, _ in scores),
        tuple(low for low, _, _ in scores),
        tuple(high for _, _, high in scores),
        tuple(fmean(depth) if depth else None for depth in depths),
    )


def share_of(column: Sequence[Instant], *, same: bool | None) -> float:
    return sum(instant.same is same for instant in column) / len(column)


def quartiles(values: Sequence[float]) -> tuple[float | None, float | None, float | None]:
    if not values:
        return None, None, None
    low, middle, high = quantiles([*values, *values] if len(values) == 1 else values, method="inclusive")
    return low, middle, high


def shorter(found: Curve, share: float) -> tuple[float, float]:
    """In which share of the turns the move would have been another one, or none, had the turn been so long."""
    place = SHARES.index(share)
    return found.other[place], found.none[place]
