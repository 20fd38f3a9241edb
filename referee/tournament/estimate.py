"""How much a tournament is, before it starts."""

import random
from dataclasses import dataclass

from referee.plan import Agreement
from referee.timing import SECOND
from referee.tournament.schedule import Schedule
from referee.tournament.spec import Spec

#: Seconds that a game takes beside the thinking: the beginning, the record, messages.
BESIDE = 0.3
#: Plies that are played by lot to see how long a game is; a game without an end is as long as this.
LONGEST = 600


@dataclass(frozen=True, slots=True)
class Estimate:
    """`games` is the most, if a test may stop early; `seconds` is None without a clock."""

    games: int
    seconds: float | None


def estimate(spec: Spec, schedule: Schedule, *, jobs: int) -> Estimate:
    """Of what is left to play, as if every bot used all of its time."""
    lengths: dict[str, int] = {}
    seconds: float | None = 0.0
    games = 0
    in_all = pairs_in_all(spec)
    for cell, state in zip(spec.cells, schedule.cells, strict=True):
        left = 0 if state.over else 2 * max(0, in_all - len(state.played))
        if not left:
            continue
        games += left
        agreed = cell.agreed
        if agreed.time.unlimited or seconds is None:
            seconds = None
            continue
        start = f"{agreed.game.name} {agreed.variant} {sorted(agreed.options.items())}"
        if start not in lengths:
            lengths[start] = plies(agreed)
        seconds += left * (thinking(agreed, lengths[start]) + BESIDE)
    return Estimate(games, None if seconds is None else seconds / jobs)


def pairs_in_all(spec: Spec) -> int:
    """Of one cell: the most of a test, and without the pairs that decide a drawn meeting of a knockout."""
    bots = len(spec.bots)
    if spec.format == "swiss":
        return spec.rounds * (bots // 2) * spec.pairs
    if spec.format == "knockout":
        return (bots - 1) * spec.pairs
    return sum(meeting.pairs for meeting in spec.pairing().meetings(lambda _: None).meetings)


def thinking(agreed: Agreement, length: int) -> float:
    """Seconds of both bots in a game of this length."""
    time = agreed.time
    a_turn = (time.longest or time.turn or 0) + (time.grace if time.turn else 0)
    total = length * a_turn + 2 * max(0, (time.first or 0) - a_turn)
    if time.budget is not None:
        budgets = 2 * time.budget + length * time.increment
        total = min(total, budgets) if time.turn else budgets
    return total / SECOND


def plies(agreed: Agreement) -> int:
    """Of a game played by lot."""
    position = agreed.game.open(variant=agreed.variant, seed=1, options=agreed.options)
    rng = random.Random(1)
    for number in range(LONGEST):
        if position.outcome() is not None:
            return number
        position = position.play(agreed.game.stand_in(position, rng))
    return LONGEST
