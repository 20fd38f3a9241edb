"""A match as plain data, for programs that read."""

from collections.abc import Sequence
from typing import Any

from referee.fairness import Certificate, certify
from referee.record import fault_data, proposal_data
from referee.series import Played
from referee.timing import MILLISECOND, TimeControl
from referee.turn import Heard, TurnReport

Data = dict[str, Any]


def match_data(played: Played) -> Data:
    """One match: the agreement, the moves, every turn with its timing, the result."""
    match, terms = played.match, played.match.terms
    return {
        "match": terms.match_id,
        "game": terms.game,
        "variant": terms.variant,
        "options": dict(terms.options),
        "seed": terms.seed,
        **time_data(terms.time),
        "ruling": terms.ruling.value,
        "bots": [
            {"seat": seat, "name": entrant.name, "bot": entrant.bot}
            for seat, entrant in enumerate(played.entrants, 1)
        ],
        **result_data(played),
        "moves": list(match.moves),
        "turns": [turn_data(report) for report in match.reports],
        "faults": [fault_data(fault) for fault in match.faults],
        "tainted": [turn_data(report) for report in match.tainted],
        "fairness": fairness_data(certify(match.trips, match.reports)),
        "position": str(match.position),
        "revealed": terms.lots.secret or None if terms.lots else None,
        "seconds": round(played.seconds, 3),
        "record": None if played.record is None else str(played.record),
    }


def time_data(time: TimeControl) -> Data:
    return {
        "turn_ms": milliseconds(time.turn),
        "longest_turn_ms": milliseconds(time.longest),
        "first_turn_ms": milliseconds(time.first),
        "budget_ms": milliseconds(time.budget),
        "increment_ms": milliseconds(time.increment),
        "grace_ms": milliseconds(time.grace),
        "hidden": time.hidden,
        "cpu": time.cpu,
        "cap": time.cap if time.cpu else None,
        "full_turns": time.full_turns,
        "nodes": time.nodes,
        "latency_credit": time.latency_credit,
    }


def fairness_data(certificate: Certificate) -> Data:
    return {
        "difference_ms": milliseconds(certificate.difference),
        "bound_ms": milliseconds(certificate.bound),
        "seats": [
            {
                "trip_ms": milliseconds(side.trip),
                "credit_ms": milliseconds(side.credit),
                "lag_ms": milliseconds(side.lag),
                "worst_lag_ms": milliseconds(side.worst),
            }
            for side in certificate.sides
        ],
    }


def result_data(played: Played) -> Data:
    verdict = played.match.verdict
    if verdict is None:
        return {"result": "unfinished"}
    return {
        "result": "void"
        if verdict.void
        else "draw"
        if verdict.winner is None
        else f"seat {verdict.winner} wins",
        "winner": verdict.winner,
        "reason": verdict.reason.value,
        "text": verdict.text,
        "scores": list(verdict.scores),
    }


def turn_data(report: TurnReport) -> Data:
    """Times are milliseconds since the turn was sent."""
    return {
        "turn": report.turn,
        "seat": report.seat,
        "move": report.move,
        "effect": report.effect,
        "replaced": report.replaced,
        "ending": report.ending.value,
        "thinking_ms": milliseconds(report.thinking),
        "credit_ms": milliseconds(report.credit),
        "line_ms": milliseconds(report.line - report.sent) if report.line is not None else None,
        "done_ms": milliseconds(report.done - report.sent) if report.done is not None else None,
        "ended_ms": milliseconds(report.ended - report.sent),
        "lag_ms": milliseconds(report.lag),
        "cpu_ms": milliseconds(report.cpu),
        "budget_ms": milliseconds(report.budget),
        "proposals": [heard_data(heard, report.sent) for heard in report.heard],
    }


def heard_data(heard: Heard, sent: int) -> Data:
    data: Data = {"at_ms": milliseconds(heard.at - sent), **proposal_data(heard.proposal)}
    return data | {"refused": heard.refused} if heard.refused else data


def milliseconds(nanoseconds: int | None) -> float | None:
    return None if nanoseconds is None else round(nanoseconds / MILLISECOND, 3)


def series_data(games: Sequence[Played], bots: tuple[str, str], seed: int) -> Data:
    return {
        "bots": list(bots),
        "seed": seed,
        "standings": [standing_data(games, home) for home in (0, 1)],
        "games": [match_data(played) for played in games],
    }


def standing_data(games: Sequence[Played], bot: int) -> Data:
    """How bot 0 or 1 of a series did; it sits at seat 1 in every even game if it is bot 0."""
    wins = draws = losses = void = points = 0
    for number, played in enumerate(games):
        verdict = played.match.verdict
        seat = 1 + (number + bot) % 2
        if verdict is None or verdict.void:
            void += 1
            continue
        wins += verdict.winner == seat
        draws += verdict.winner is None
        losses += verdict.winner == 3 - seat
        points += verdict.scores[seat - 1]
    name = games[0].names[bot] if games else ""
    return {
        "name": name,
        "games": len(games) - void,
        "wins": wins,
        "draws": draws,
        "losses": losses,
        "void": void,
        "score": wins + draws / 2,
        "points": points,
    }
