"""A pair of games as it is asked of a slot, and the games as the slot tells them: plain data, for a pipe."""

from collections.abc import Sequence
from dataclasses import asdict
from statistics import mean
from typing import Any

from games import Ruling, Seat, find_game
from referee.fairness import certify
from referee.plan import Agreement
from referee.report import milliseconds
from referee.series import Fixture, Played
from referee.timing import MILLISECOND, TimeControl
from referee.tournament.ledger import Fault, Game, Side
from referee.tournament.schedule import Job
from referee.turn import TurnReport

Data = dict[str, Any]


def agreement_data(agreed: Agreement) -> Data:
    return {
        "game": agreed.game.name,
        "variant": agreed.variant,
        "options": dict(agreed.options),
        "time": asdict(agreed.time),
        "ruling": agreed.ruling.value,
        "bots": list(agreed.bots),
        "games": agreed.games,
        "seed": agreed.seed,
        "memory": agreed.memory,
        "processes": agreed.processes,
        "ponder": agreed.ponder,
    }


def agreement_of(data: Data) -> Agreement:
    read = {
        "game": find_game(data["game"]),
        "time": TimeControl(**data["time"]),
        "ruling": Ruling(data["ruling"]),
        "bots": tuple(data["bots"]),
    }
    return Agreement(**{**data, **read})


def fixtures_of(agreed: Agreement, series_id: str, pair: int) -> list[Fixture]:
    return [agreed.fixture(2 * pair + number, series_id=series_id) for number in (1, 2)]


def game_told(played: Played) -> Data:
    """Everything about a game but its place in the tournament, which the slot need not know."""
    match = played.match
    verdict = match.verdict
    if verdict is None:
        raise ValueError(f"match {match.terms.match_id} is not over")
    certificate = certify(match.trips, match.reports)
    return {
        "match": match.terms.match_id,
        "sides": [side_data(match.reports, seat, verdict.scores[seat - 1]) for seat in (1, 2)],
        "winner": verdict.winner,
        "void": verdict.void,
        "reason": verdict.reason.value,
        "text": verdict.text,
        "faults": [asdict(Fault(one.seat, one.turn, one.kind.value, one.text)) for one in match.faults],
        "tainted": len(match.tainted),
        "difference_ms": milliseconds(certificate.difference),
        "bound_ms": milliseconds(certificate.bound),
        "seconds": round(played.seconds, 3),
    }


def side_data(reports: Sequence[TurnReport], seat: Seat, score: int) -> Data:
    turns = [report for report in reports if report.seat == seat]
    thought = [(turn.ended if turn.done is None else turn.done) - turn.sent for turn in turns]
    last = [turn.heard[-1].proposal for turn in turns if turn.heard]
    depths = [proposal.depth for proposal in last if proposal.depth is not None]
    return {
        "score": score,
        "turns": len(turns),
        "thought_ms": round(sum(thought) / MILLISECOND, 3),
        "longest_ms": round(max(thought, default=0) / MILLISECOND, 3),
        "nodes": sum(proposal.nodes or 0 for proposal in last),
        "depth": round(mean(depths), 3) if depths else None,
    }


def game_of(told: Data, job: Job, number: int, names: tuple[str, str]) -> Game:
    """`number` is 1 or 2 within the pair; `names` are by seat."""
    sides = [Side(bot=name, **side) for name, side in zip(names, told.pop("sides"), strict=True)]
    faults = tuple(Fault(**fault) for fault in told.pop("faults"))
    return Game(
        cell=job.cell,
        round=job.meeting.round,
        meeting=job.meeting.number,
        pair=job.pair,
        number=number,
        sides=(sides[0], sides[1]),
        faults=faults,
        **told,
    )
