"""The certificate of fairness worked out again, from round trips and receipts."""

from collections.abc import Mapping, Sequence

from games import Seat
from referee.audit.clock import TIMED
from referee.audit.flaw import Data

#: Of the thinking time, at most one part in so many is given for the way.
CREDIT_CAP = 100


def credit(agreed: Data, seat: Seat, thinking: int | None, trips: Sequence[int]) -> int:
    """Only for bots that are called over a network, and only if it was agreed."""
    remote = agreed["bots"][seat - 1]["bot"].startswith("grpc://")
    if not agreed["time"]["latency_credit"] or not remote or not trips or thinking is None:
        return 0
    return min(*trips, thinking // CREDIT_CAP)


def certificate(trips: Mapping[Seat, Sequence[int]], turns: Mapping[Seat, Sequence[tuple[int, int]]]) -> Data:
    """`turns` are credit and lag of each turn of a seat."""
    sides = [side(trips[seat], turns[seat]) for seat in sorted(trips)]
    one, other = sides
    if one["trip"] is None or other["trip"] is None:
        return {"seats": sides, "difference": None, "bound": None}
    ways = [way["trip"] - way["credit"] for way in sides]
    return {
        "seats": sides,
        "difference": abs(ways[0] + one["lag"] - ways[1] - other["lag"]),
        "bound": abs(ways[0] - ways[1]) + one["worst"] + other["worst"],
    }


def side(trips: Sequence[int], turns: Sequence[tuple[int, int]]) -> Data:
    return {
        "trip": min(trips, default=None),
        "credit": middle([given for given, _ in turns]),
        "lag": middle([lag for _, lag in turns]),
        "worst": max((lag for _, lag in turns), default=0),
    }


def lag_of(turn: Data) -> int:
    """Of the referee: in handing the turn over, and at the line."""
    late: int = turn["ended"] - turn["line"] if turn["ending"] in TIMED else 0
    return late + (turn["handed"] or 0)


def middle(values: Sequence[int]) -> int:
    return sorted(values)[len(values) // 2] if values else 0
