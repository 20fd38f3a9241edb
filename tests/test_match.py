"""The rules of a match, on an injected clock: not one test here waits or opens a connection."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import Proposal, Ruling, Seat
from referee.events import (
    Abandoned,
    Committed,
    Declined,
    Done,
    Event,
    Fault,
    FaultKind,
    LineReached,
    Lost,
    MatchOver,
    Noise,
    Proposed,
    Ready,
    ReadyLine,
    Resigned,
    SendBegin,
    SendEnd,
    SendStop,
    SendTurn,
    SetLine,
    Stopped,
    StopReading,
)
from referee.timing import TimeControl
from referee.turn import Ending
from referee.verdict import Reason
from tests.table import BUDGET, GRACE, LINE, SENT, TURN, Table


def test_the_clock_starts_when_the_turn_is_handed_over_and_its_line_includes_the_grace() -> None:
    """Thinking time plus grace after the turn was sent."""
    table = Table().seated()
    assert table.seen(SendBegin) == [SendBegin(1), SendBegin(2)]
    assert table.seen(SetLine) == [SetLine(1, LINE)]


@pytest.mark.parametrize(("at", "stands"), [(LINE - 1, "r1c4=3"), (LINE, "r1c4=3"), (LINE + 1, "r3c1=2")])
def test_a_proposal_counts_if_it_arrives_by_the_line_to_the_nanosecond(at: int, stands: str) -> None:
    """The newest proposal at or before the line is the move, one after it is not."""
    table = Table().seated()
    table.propose("r3c1=2", at=SENT + 1)
    table.propose("r1c4=3", at=at)
    table.say(LineReached(1, LINE + 2))
    assert table.match.moves == [stands]
    assert [heard.refused for heard in table.match.reports[0].heard] == ["", "" if at <= LINE else "late"]


def test_only_a_late_proposal_loses() -> None:
    """Nothing in time is a missing move, and the record shows what came too late."""
    table = Table().seated()
    table.propose("r1c4=3", at=LINE + 1)
    table.say(LineReached(1, LINE + 2))
    assert (table.verdict.winner, table.verdict.reason) == (2, Reason.NO_MOVE)
    assert table.match.reports[0].heard[0].refused == "late"


def test_a_timer_that_fires_early_steals_no_time() -> None:
    """The line is set again and the turn goes on."""
    table = Table().seated()
    table.say(LineReached(1, LINE - 1))
    assert table.seen(SetLine) == [SetLine(1, LINE), SetLine(1, LINE)]
    table.propose("r1c4=3", at=LINE)
    table.say(LineReached(1, LINE))
    assert table.match.moves == ["r1c4=3"]


def test_stop_is_sent_at_the_line_but_not_after_done() -> None:
    """A bot that has said done is not told to stop."""
    table = Table().seated()
    table.propose("r1c4=3", done=True)
    assert table.seen(SendStop) == []
    table.propose("r3c1=2", turn=2, seat=2)
    table.say(LineReached(2, LINE))
    assert table.seen(SendStop) == [SendStop(2, 2)]


def test_done_ends_the_turn_at_once_and_nothing_after_it_counts() -> None:
    """Whatever comes later in that turn is not even looked at."""
    table = Table().seated()
    table.propose("r1c4=3")
    table.say(Done(1, 1, SENT + 5))
    table.propose("r3c1=2", at=SENT + 6)
    assert table.match.moves == ["r1c4=3"]
    assert table.match.reports[0].ending is Ending.DONE
    assert table.match.reports[0].ended == SENT + 5


def test_done_without_a_proposal_is_a_missing_move() -> None:
    """It loses where missing moves lose."""
    table = Table().seated()
    table.say(Done(1, 1, SENT + 5))
    assert (table.verdict.winner, table.verdict.reason) == (2, Reason.NO_MOVE)


def test_a_late_done_does_not_end_a_turn() -> None:
    """The line does."""
    table = Table().seated()
    table.propose("r1c4=3")
    table.say(Done(1, 1, LINE + 1))
    assert table.match.moves == []
    table.say(LineReached(1, LINE + 2))
    assert table.match.reports[0].ending is Ending.LINE
    assert table.match.reports[0].lag == 2


def test_messages_of_another_turn_or_from_the_rival_are_ignored() -> None:
    """Neither can play in my turn."""
    table = Table().seated()
    table.propose("r1c4=3", turn=2)
    table.propose("r1c4=3", turn=1, seat=2)
    table.say(Done(2, 1, SENT), Stopped(2, 9, SENT))
    assert table.match.moves == []
    table.say(LineReached(1, LINE))
    assert table.verdict.reason is Reason.NO_MOVE


def test_each_bot_is_told_every_move_since_its_last_turn_once() -> None:
    """Its own standing move comes first."""
    table = Table().seated()
    table.propose("r1c4=3", done=True)
    table.propose("r3c1=2", turn=2, seat=2, done=True)
    table.propose("r4c4=2", turn=3, done=True)
    told = [effect.moves for effect in table.seen(SendTurn) if isinstance(effect, SendTurn)]
    assert told == [(), ("r1c4=3",), ("r1c4=3", "r3c1=2"), ("r3c1=2", "r4c4=2")]


def test_a_taboo_passes_the_turn_and_the_second_time_it_loses() -> None:
    """The board stays, the report says why, and the same move again is illegal."""
    table = Table().seated()
    table.propose("r1c4=4", done=True)
    assert "taboo" in table.match.reports[0].effect
    assert table.match.position.seat == 2
    table.propose("r1c4=4", turn=2, seat=2, done=True)
    assert (table.verdict.winner, table.verdict.reason) == (1, Reason.ILLEGAL)
    assert "taboo" in table.verdict.text


def test_an_illegal_newest_proposal_loses_even_after_a_valid_one() -> None:
    """Under "loses" only the newest is judged."""
    table = Table().seated()
    table.propose("r1c4=3")
    table.propose("r1c3=3", done=True)
    assert (table.verdict.winner, table.verdict.reason) == (2, Reason.ILLEGAL)
    assert [bool(heard.refused) for heard in table.match.reports[0].heard] == [False, True]


def test_skipped_goes_back_to_the_last_valid_proposal_among_the_newest() -> None:
    """A forgiving referee looks back, but not for ever."""
    forgiving = Table(ruling=Ruling.SKIPPED, newest=2).seated()
    for move in ("r3c1=2", "r1c4=3", "garbage"):
        forgiving.propose(move)
    forgiving.say(Done(1, 1, SENT))
    assert forgiving.match.moves == ["r1c4=3"]
    strict = Table(ruling=Ruling.SKIPPED, newest=2).seated()
    for move in ("r1c4=3", "garbage", "rubbish"):
        strict.propose(move)
    strict.say(Done(1, 1, SENT))
    assert strict.verdict.reason is Reason.ILLEGAL


def test_replaced_draws_the_same_random_move_from_the_same_seed() -> None:
    """Nobody loses, and the report says who chose the move."""
    moves = []
    for said in ("r1c3=3", None):
        table = Table(ruling=Ruling.REPLACED).seated()
        if said:
            table.propose(said)
        table.say(LineReached(1, LINE))
        assert table.match.verdict is None
        assert table.match.reports[0].replaced
        moves.append(table.match.moves)
    assert moves[0] == moves[1]
    assert len(moves[0]) == 1


@pytest.mark.parametrize("kind", [FaultKind.DIED, FaultKind.RAISED])
def test_a_fault_ends_the_turn_with_what_had_arrived(kind: FaultKind) -> None:
    """With a proposal the move stands, without one the bot has crashed."""
    fault = Fault(1, 1, SENT + 9, kind, "boom")
    table = Table().seated()
    table.propose("r1c4=3")
    table.say(fault)
    assert table.match.moves == ["r1c4=3"]
    assert table.match.reports[0].ending is Ending.FAULT
    empty = Table().seated()
    empty.say(fault)
    assert (empty.verdict.winner, empty.verdict.reason) == (2, Reason.CRASHED)
    assert "boom" in empty.verdict.text


def test_over_memory_has_a_reason_of_its_own() -> None:
    """Authors must see the difference to a crash."""
    table = Table().seated()
    table.say(Fault(1, 1, SENT, FaultKind.OVER_MEMORY, "612 MB"))
    assert table.verdict.reason is Reason.OVER_MEMORY


def test_a_fault_after_the_turn_is_recorded_and_changes_nothing() -> None:
    """The worker that had to be killed at the stop has cost its bot no game."""
    table = Table().seated()
    table.propose("r1c4=3")
    table.say(LineReached(1, LINE), Fault(1, 1, LINE + 9, FaultKind.KILLED, "did not stop"))
    assert table.match.verdict is None
    assert [fault.kind for fault in table.match.faults] == [FaultKind.KILLED]


def test_a_fault_is_believed_once_and_only_of_a_turn_of_its_own() -> None:
    """Neither the rival's turn nor one to come nor the same again is taken down."""
    table = Table().seated()
    table.propose("r1c4=3", done=True)
    for turn in (0, 2, 3, 1, 1):
        table.say(Fault(1, turn, SENT, FaultKind.KILLED, "x"))
    assert [(fault.seat, fault.turn) for fault in table.match.faults] == [(1, 1)]
    assert table.match.verdict is None
    assert table.match.thinking is not None
    assert (table.match.thinking.turn, table.match.thinking.ending) == (2, None)


def test_who_leaves_or_resigns_loses() -> None:
    """Also while the rival is on turn."""
    for event, reason in ((Lost(2, "gone"), Reason.DISCONNECTED), (Resigned(2), Reason.RESIGNED)):
        table = Table().seated()
        table.say(event)
        assert (table.verdict.winner, table.verdict.reason, table.verdict.void) == (1, reason, False)


def test_who_is_not_ready_in_time_does_not_show() -> None:
    """One absent loses, two absent make the match void, and later the line means nothing."""
    one = Table()
    one.say(Ready(1), ReadyLine())
    assert (one.verdict.winner, one.verdict.reason) == (1, Reason.NO_SHOW)
    both = Table()
    both.say(ReadyLine())
    assert (both.verdict.winner, both.verdict.void) == (None, True)
    seated = Table().seated()
    seated.say(ReadyLine())
    assert seated.match.verdict is None


def test_declining_is_no_loss_but_only_before_ready() -> None:
    """A bot cannot get out of a lost game by declining it."""
    full = Table()
    full.say(Declined(1, "full"))
    assert (full.verdict.void, full.verdict.reason) == (True, Reason.DECLINED)
    late = Table().seated()
    late.say(Declined(1, "I am losing"))
    assert late.match.verdict is None


def test_reading_stops_at_the_limit_and_the_last_read_proposal_stands() -> None:
    """A flood costs the flooder its newest words and nobody else anything."""
    table = Table().seated()
    limit = table.match.terms.messages
    for number in range(limit):
        assert table.seen(StopReading) == []
        table.propose("r1c4=3" if number == limit - 1 else "r3c1=2")
    assert table.seen(StopReading) == [StopReading(1)]
    table.say(LineReached(1, LINE))
    assert table.match.moves == ["r1c4=3"]


def test_without_a_clock_a_bot_is_heard_until_it_is_done() -> None:
    """Nothing else would end its turn; of a flood only the newest proposals are kept."""
    table = Table(time=TimeControl(None, GRACE)).seated()
    limit = table.match.terms.messages
    for _ in range(limit + 1):
        table.propose("r3c1=2")
    table.propose("r1c4=3", done=True)
    assert table.seen(StopReading) == []
    assert table.match.moves == ["r1c4=3"]
    assert len(table.match.reports[0].heard) < limit


@pytest.mark.parametrize(
    "event", [Noise(1), Ready(1), Stopped(1, 1, SENT), Fault(1, 9, SENT, FaultKind.DIED, "x")]
)
def test_reading_stops_whatever_is_said_too_often(event: Event) -> None:
    """Every message that had to be read counts, not only proposals."""
    table = Table().seated()
    for _ in range(table.match.terms.messages):
        assert table.seen(StopReading) == []
        table.say(event)
    assert table.seen(StopReading) == [StopReading(1)]


def test_reading_stops_before_the_first_turn_too() -> None:
    """A bot that says ready for ever does not keep the referee busy while its rival loads."""
    table = Table()
    for _ in range(table.match.terms.messages + 1):
        table.say(Ready(1))
    assert table.seen(StopReading) == [StopReading(1)]
    table.say(Ready(2))
    assert table.match.thinking is not None


def test_without_a_clock_there_is_no_line() -> None:
    """A turn lasts until the bot is done."""
    table = Table(time=TimeControl(None, GRACE)).seated()
    assert table.seen(SetLine) == []
    table.propose("r1c4=3", at=SENT + 10**15, done=True)
    assert table.match.moves == ["r1c4=3"]


def test_a_move_is_told_to_nobody_before_it_is_safe() -> None:
    """Neither the next turn nor the end is sent until the record is on disk."""
    table = Table().seated()
    table.safe = False
    table.propose("r1c4=3", done=True)
    assert len(table.seen(SendTurn)) == 1
    table.say(Committed(1))
    assert len(table.seen(SendTurn)) == 2
    table.say(Resigned(2))
    assert (len(table.seen(MatchOver)), len(table.seen(SendEnd)), table.match.over) == (1, 0, False)
    table.say(Committed(2))
    assert (len(table.seen(SendEnd)), table.match.over) == (2, True)


def test_who_leaves_while_the_record_is_written_gets_no_next_turn() -> None:
    """The end waits for the newer commit, and tells every move that the dropped turn would have told."""
    table = Table().seated()
    table.safe = False
    table.propose("r1c4=3", done=True)
    table.say(Lost(2, "gone"), Committed(1))
    assert (len(table.seen(SendTurn)), table.seen(SendEnd)) == (1, [])
    table.say(Committed(2))
    assert [end.moves for end in table.seen(SendEnd) if isinstance(end, SendEnd)] == 2 * [("r1c4=3",)]


def test_a_budget_is_charged_up_to_done_and_bounds_the_turn() -> None:
    """Grace is neither charged nor refilled; the shorter of turn and budget gives the line."""
    table = Table(time=TimeControl(TURN, GRACE, budget=BUDGET)).seated()
    table.propose("r1c4=3", at=SENT + TURN + 1, done=True)
    assert table.match.budgets == {1: BUDGET - TURN, 2: BUDGET}
    assert table.match.reports[0].budget == BUDGET - TURN
    table.propose("r3c1=2", at=SENT + 7, turn=2, seat=2, done=True)
    assert table.match.budgets == {1: BUDGET - TURN, 2: BUDGET - 7}
    assert table.seen(SetLine)[2] == SetLine(3, SENT + BUDGET - TURN + GRACE)
    resumed = Table(time=TimeControl(TURN, GRACE, budget=BUDGET), past=table.match.reports)
    assert resumed.match.budgets == table.match.budgets
    (third,) = [sent for sent in table.seen(SendTurn) if isinstance(sent, SendTurn) and sent.turn == 3]
    assert (third.thinking, third.budget) == (BUDGET - TURN, BUDGET - TURN)


def test_a_budget_that_runs_out_is_late_whatever_was_proposed() -> None:
    """Unlike the line of a turn, where the last proposal stands."""
    table = Table(time=TimeControl(None, GRACE, budget=BUDGET)).seated()
    table.propose("r1c4=3")
    table.say(LineReached(1, SENT + BUDGET + GRACE))
    assert (table.verdict.winner, table.verdict.reason) == (2, Reason.LATE)
    assert (table.match.reports[0].ending, table.match.reports[0].budget) == (Ending.LATE, 0)


def test_a_first_turn_may_be_longer() -> None:
    """For each bot its own first turn of the game, also after a resume."""
    time = TimeControl(TURN, GRACE, first=3 * TURN)
    table = Table(time=time).seated()
    for turn, (seat, move) in enumerate([(1, "r1c4=3"), (2, "r3c1=2"), (1, "r3c2=4")], 1):
        table.propose(move, turn=turn, seat=1 if seat == 1 else 2, done=True)
    lines = [line.at - SENT - GRACE for line in table.seen(SetLine) if isinstance(line, SetLine)]
    assert lines == [3 * TURN, 3 * TURN, TURN, TURN]
    resumed = Table(time=time, past=table.match.reports).seated()
    assert resumed.seen(SetLine) == [SetLine(4, SENT + TURN + GRACE)]
    assert resumed.match.position == table.match.position


def test_an_abandoned_match_is_void_and_both_are_told() -> None:
    """Ctrl-C is nobody's loss."""
    table = Table().seated()
    table.say(Abandoned("stopped by hand"))
    assert table.verdict.void
    assert [effect.seat for effect in table.seen(SendEnd) if isinstance(effect, SendEnd)] == [1, 2]


def test_a_game_played_out_ends_by_its_own_rules() -> None:
    """The verdict carries the game's reason and scores."""
    table = Table().seated()
    position = table.match.position
    while table.match.verdict is None:
        position = table.match.position
        turn = len(table.match.moves) + 1
        move = next(
            move for move in position.legal_moves() if not position.play(move).effect.startswith("taboo")
        )
        table.propose(move, turn=turn, seat=position.seat, done=True)
    assert table.verdict.reason is Reason.FINISHED
    assert "board full" in table.verdict.text
    assert table.verdict.scores == table.match.position.scores


def events() -> Iterator[st.SearchStrategy[Event]]:
    seats: st.SearchStrategy[Seat] = st.sampled_from([1, 2])
    turns = st.integers(0, 4)
    times = st.integers(SENT - 10, LINE + 10)
    moves = st.sampled_from(["r1c4=3", "r1c4=4", "r1c3=3", "r3c1=2", "r4c4=2", "", "garbage"])
    yield st.builds(Proposed, seats, turns, times, st.builds(Proposal, moves), done=st.booleans())
    yield st.builds(Done, seats, turns, times)
    yield st.builds(LineReached, turns, times)
    yield st.builds(Stopped, seats, turns, times)
    yield st.builds(Noise, seats)
    yield st.builds(Fault, seats, turns, times, st.sampled_from(FaultKind), st.just("x"))
    yield st.builds(Lost, seats, st.just("x"))
    yield st.builds(Ready, seats)
    yield st.builds(Declined, seats, st.just("x"))
    yield st.just(ReadyLine())


@given(
    st.lists(st.one_of(*events()), max_size=40),
    st.sampled_from(Ruling),
)
def test_whatever_happens_every_turn_has_one_move_and_every_match_one_verdict(
    happenings: list[Event], ruling: Ruling
) -> None:
    """Hostile or confused bots cannot bring the state machine out of order."""
    table = Table(ruling=ruling)
    for event in happenings:
        table.say(event)
    match = table.match
    ends = [effect.seat for effect in table.seen(SendEnd) if isinstance(effect, SendEnd)]
    assert ends == ([1, 2] if match.verdict else [])
    assert [report.turn for report in match.reports] == list(range(1, len(match.reports) + 1))
    assert [report.move for report in match.reports if report.after] == match.moves
    for report in match.reports:
        accepted = [heard for heard in report.heard if heard.at <= LINE]
        assert all(heard.refused == "late" for heard in report.heard if heard.at > LINE)
        if report.after and ruling is Ruling.LOSES:
            assert report.move == accepted[-1].proposal.move
