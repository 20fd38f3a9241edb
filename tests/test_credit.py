"""How far away a bot is: what it is given for its way, and what the certificate says of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import Seat
from referee.events import LineReached, Ready, TripsMeasured, TurnHanded
from referee.fairness import Side, certify
from referee.timing import MILLISECOND, TimeControl
from referee.turn import Ending, TurnReport
from tests.table import CLOCK, GAME, GRACE, LINE, SENT, START, TURN, Table

FAR = frozenset[Seat]({1})
GENEROUS = TimeControl(TURN, GRACE, budget=9 * TURN, latency_credit=True)


@pytest.mark.parametrize(
    ("time", "trips", "remote", "credit"),
    [
        (GENEROUS, (1_700_000, 1_500_000, 1_900_000), FAR, 1_500_000),
        (GENEROUS, (90_000_000,), FAR, TURN // 100),
        (GENEROUS, (), FAR, 0),
        (GENEROUS, (1_500_000,), frozenset[Seat](), 0),
        (CLOCK, (1_500_000,), FAR, 0),
    ],
)
def test_a_remote_bot_gets_its_least_round_trip_up_to_a_hundredth_of_the_turn(
    time: TimeControl, trips: tuple[int, ...], remote: frozenset[Seat], credit: int
) -> None:
    """Only if that was agreed; the line comes later by as much, and the budget is charged less."""
    table = Table(time=time, remote=remote)
    table.say(Ready(1, trips), Ready(2, (400_000,)))
    assert table.seen(TripsMeasured) == [TripsMeasured((trips, (400_000,)))]
    table.propose("r1c4=3", at=LINE + credit, done=True)
    report = table.match.reports[0]
    assert (report.credit, report.line, report.ended, report.move) == (
        credit,
        LINE + credit,
        LINE + credit,
        "r1c4=3",
    )
    assert table.match.reports[0].budget == (8 * TURN if time.budget else None)
    table.propose("r3c1=2", turn=2, seat=2)
    table.say(LineReached(2, LINE))
    assert table.match.reports[1].credit == 0


def test_a_bot_is_charged_from_the_sending_to_its_done_less_its_credit() -> None:
    """And never less than nothing."""
    table = Table(time=GENEROUS, remote=FAR)
    table.say(Ready(1, (1_500_000,)), Ready(2))
    table.propose("r1c4=3", at=SENT + 10 * MILLISECOND, done=True)
    assert table.match.budgets[1] == 9 * TURN - 10 * MILLISECOND + 1_500_000
    table.propose("r3c1=2", turn=2, seat=2, done=True)
    table.propose("r4c4=2", turn=3, at=SENT + 1, done=True)
    assert table.match.budgets[1] == 9 * TURN - 10 * MILLISECOND + 1_500_000


def test_the_certificate_is_within_its_bound_whatever_the_lags() -> None:
    """It compares the usual windows, and the bound allows for the way of each bot and for the worst lags."""
    table = Table()
    table.say(Ready(1, (700, 500)), Ready(2, (450,)))
    for turn, (move, handed, late) in enumerate([("r1c4=3", 30, 9), ("r3c1=2", 10, 5), ("r4c4=2", 40, 0)], 1):
        seat: Seat = 1 if turn % 2 else 2
        table.say(TurnHanded(turn, SENT + handed))
        table.propose(move, turn=turn, seat=seat)
        table.say(LineReached(turn, LINE + late))
    certificate = certify(table.match.trips, table.match.reports)
    assert certificate.sides == (Side(500, 0, 40, 40), Side(450, 0, 15, 15))
    assert (certificate.difference, certificate.bound) == (75, 50 + 40 + 15)


@given(
    st.lists(st.integers(0, 10**9), min_size=1),
    st.lists(st.integers(0, 10**9), min_size=1),
    st.lists(st.tuples(st.sampled_from([1, 2]), st.integers(0, 10**8), st.integers(0, 10**8))),
)
def test_no_certificate_is_out_of_its_bound(
    first: list[int], second: list[int], turns: list[tuple[Seat, int, int]]
) -> None:
    """The bound follows from what is measured; a record in which it does not hold was not written by a referee."""
    position = GAME.parse(START)
    reports = [
        TurnReport(1, seat, position, None, (), Ending.LINE, SENT, LINE, LINE + late, handed=SENT + handed)
        for seat, handed, late in turns
    ]
    certificate = certify({1: first, 2: second}, reports)
    assert certificate.difference is not None
    assert certificate.bound is not None
    assert certificate.difference <= certificate.bound


def test_without_round_trips_there_is_no_certificate() -> None:
    """A bot that answers no pings could be anywhere."""
    certificate = certify({1: (5,), 2: ()}, [])
    assert (certificate.difference, certificate.bound) == (None, None)
