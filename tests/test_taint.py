"""The referee's own lag: a turn that it may have spoilt is played again, and nobody is blamed."""

import pytest

from games import Proposal
from referee.events import (
    CallAgain,
    Declined,
    Done,
    Drain,
    Event,
    Fault,
    FaultKind,
    LineReached,
    Lost,
    Proposed,
    Ready,
    ReadyLine,
    SendTurn,
    TurnTainted,
    Unavailable,
)
from referee.match import RERUNS
from referee.timing import MILLISECOND, TimeControl
from referee.verdict import Reason
from tests.table import CLOCK, GRACE, LATE, LINE, SENT, TURN, Table


def stalled(*unread: Event, time: TimeControl = CLOCK) -> Table:
    """The referee did not look from before the line of the first turn until 60 ms after it."""
    table = Table(time=time).seated()
    table.propose("r3c1=2")
    table.unread = list(unread)
    table.say(LineReached(1, LATE))
    return table


SPOKEN = Proposed(1, 1, LATE + 1, Proposal("r1c4=3"))


@pytest.mark.parametrize("unread", [SPOKEN, Done(1, 1, LATE + 1), Fault(1, 1, LATE + 1, FaultKind.DIED, "x")])
def test_a_stall_across_the_line_taints_the_turn_if_something_was_read_only_then(unread: Event) -> None:
    """It may have come in time: the turn is recorded as tainted, and the same bot is called again."""
    table = stalled(unread)
    assert (table.match.verdict, table.match.moves, table.match.reports) == (None, [], [])
    (tainted,) = table.match.tainted
    assert (tainted.turn, tainted.seat, tainted.after, tainted.line) == (1, 1, None, LINE)
    assert table.seen(TurnTainted) == [TurnTainted(tainted)]
    assert table.seen(CallAgain) == [CallAgain(1)]


def test_a_tainted_turn_is_played_again_with_a_new_clock() -> None:
    """The same turn, the same position, its full time, also if it was the first; what was said before is forgotten."""
    time = TimeControl(TURN, GRACE, first=2 * TURN, budget=9 * TURN)
    table = stalled(Proposed(1, 1, LATE + TURN + 1, Proposal("r1c4=3")), time=time)
    table.say(LineReached(1, LATE + TURN))
    table.say(Ready(1))
    first, again = table.seen(SendTurn)
    assert first == again
    assert table.match.budgets[1] == 9 * TURN
    table.propose("r4c4=2", done=True)
    assert table.match.moves == ["r4c4=2"]
    assert [heard.proposal.move for heard in table.match.reports[0].heard] == ["r4c4=2"]
    assert [effect.seat for effect in table.seen(SendTurn) if isinstance(effect, SendTurn)] == [1, 1, 2]


def test_a_stall_across_the_line_in_which_nothing_came_changes_nothing() -> None:
    """The newest proposal of before stands, and whoever had none has none."""
    table = stalled()
    assert (table.match.moves, table.match.tainted) == (["r3c1=2"], [])
    assert table.match.reports[0].lag == LATE - LINE
    silent = Table().seated()
    silent.say(LineReached(1, LATE))
    assert (silent.verdict.winner, silent.verdict.reason) == (2, Reason.NO_MOVE)


def test_a_stall_in_mid_turn_changes_nothing() -> None:
    """What was read late, but by the line, counts like anything else."""
    table = Table().seated()
    table.propose("r1c4=3", at=SENT + 120 * MILLISECOND)
    table.say(LineReached(1, LINE + 1))
    assert (table.match.moves, table.match.tainted) == (["r1c4=3"], [])
    assert table.seen(Drain) == []


@pytest.mark.parametrize(("late_before", "tainted"), [(GRACE // 2, False), (GRACE // 2 + 1, True)])
def test_a_stall_that_ends_just_at_the_line_counts_too(late_before: int, tainted: bool) -> None:
    """A referee that was on time at the line may still be behind with reading."""
    table = Table().seated()
    table.propose("r3c1=2")
    table.propose("r1c4=3", at=LINE + 1)
    table.say(LineReached(1, LINE + 2, late_before))
    assert (table.match.moves == [], bool(table.match.tainted)) == (tainted, tainted)


@pytest.mark.parametrize(
    "event",
    [
        Unavailable(1, "nobody answers"),
        Lost(1, "gone"),
        Declined(1, "full"),
        Fault(1, 1, LATE + 9, FaultKind.RAISED, "x"),
    ],
)
def test_a_bot_that_cannot_be_called_again_makes_the_match_void(event: Event) -> None:
    """It is not lost through the referee's fault."""
    table = stalled(SPOKEN)
    table.say(ReadyLine())
    assert table.match.verdict is None
    table.say(event)
    assert (table.verdict.winner, table.verdict.void, table.verdict.reason) == (None, True, Reason.TAINTED)
    assert table.verdict.text.startswith("turn 1 could not be played again: ")


def test_a_rival_that_leaves_meanwhile_loses_all_the_same() -> None:
    """The referee's fault is no excuse for others."""
    table = stalled(SPOKEN)
    table.say(Unavailable(2, "x"), Fault(2, 2, LATE, FaultKind.DIED, "x"))
    assert table.match.verdict is None
    table.say(Lost(2, "gone"))
    assert (table.verdict.winner, table.verdict.reason) == (1, Reason.DISCONNECTED)


def test_a_referee_that_is_always_too_slow_gives_up() -> None:
    """A turn is played again a few times and no more."""
    table = stalled(SPOKEN)
    for _ in range(RERUNS):
        assert table.match.verdict is None
        table.say(Ready(1), LineReached(1, LATE))
    assert (table.verdict.void, table.verdict.reason) == (True, Reason.TAINTED)
    assert len(table.match.tainted) == RERUNS + 1
