"""The rules of a match, on an injected clock: not one test here waits or opens a connection."""

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import Mistake, Proposal, Ruling, Seat, find_game
from referee.events import (
    Abandoned,
    CallAgain,
    Commit,
    Committed,
    CpuRead,
    Declined,
    Done,
    Drain,
    Drained,
    Effect,
    Event,
    Fault,
    FaultKind,
    Judge,
    LineReached,
    Lost,
    MatchOver,
    Noise,
    Proposed,
    ReadCpu,
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
    Terms,
    TripsMeasured,
    TurnHanded,
    TurnSent,
    TurnTainted,
    Unavailable,
)
from referee.fairness import Side, certify
from referee.judge import judge
from referee.lots import Lots
from referee.match import RERUNS, Match
from referee.timing import MILLISECOND, TimeControl, format_duration, parse_duration
from referee.turn import Ending, TurnReport
from referee.verdict import Reason, Verdict

GAME = find_game("sudoku")
#: r1c4=4 is legal and leaves no solution; r1c3=3 is illegal; r1c4=3 scores nothing.
START = "classic 2x2 1,2,.,./.,.,.,./.,.,3,./.,.,.,. 0:0 1 -"
SENT = 1_000_000_000
TURN, GRACE = 200 * MILLISECOND, 5 * MILLISECOND
LINE = SENT + TURN + GRACE
CLOCK = TimeControl(TURN, GRACE)
#: The referee was stalled across the line.
LATE = LINE + 60 * MILLISECOND


class Table:
    """A match whose clock is `SENT` at every turn, and whose rules answer at once."""

    def __init__(
        self,
        *,
        ruling: Ruling = Ruling.LOSES,
        time: TimeControl = CLOCK,
        newest: int = 16,
        past: Sequence[TurnReport] = (),
        lots: Lots | None = None,
        remote: frozenset[Seat] = frozenset(),
    ) -> None:
        self.match = Match(
            Terms(
                match_id="m",
                game="sudoku",
                variant="classic",
                options={},
                seed=7,
                time=time,
                ruling=ruling,
                newest=newest,
                lots=lots,
            ),
            GAME.parse(START),
            past=past,
            remote=remote,
        )
        self.effects: list[Effect] = []
        #: Whether the record is safe as soon as it is asked for.
        self.safe = True
        #: What is read only when the referee has come to a line late.
        self.unread: list[Event] = []
        #: What the meter of every bot says.
        self.cpu = 0
        self.take(self.match.begin())

    def seated(self) -> "Table":
        self.say(Ready(1), Ready(2))
        return self

    def say(self, *events: Event) -> None:
        for event in events:
            self.take(self.match.handle(event))

    def take(self, effects: list[Effect]) -> None:
        for effect in effects:
            self.effects.append(effect)
            match effect:
                case ReadCpu(watching=False):
                    self.say(CpuRead(effect.turn, SENT, self.cpu))
                case SendTurn(_, turn):
                    self.say(TurnSent(turn, SENT))
                case Drain(turn):
                    self.say(*self.unread, Drained(turn, LATE + 1))
                case Judge():
                    self.say(judge(GAME, effect, seed=7, wishes=()))
                case Commit(number) if self.safe:
                    self.say(Committed(number))
                case _:
                    pass

    def propose(
        self, move: str, *, at: int = SENT, turn: int = 1, seat: Seat = 1, done: bool = False
    ) -> None:
        self.say(Proposed(seat, turn, at, Proposal(move), done=done))

    def seen(self, kind: type) -> list[Effect]:
        return [effect for effect in self.effects if isinstance(effect, kind)]

    @property
    def verdict(self) -> Verdict:
        assert self.match.verdict is not None
        return self.match.verdict


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


BUDGET = 300 * MILLISECOND


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


@pytest.mark.parametrize(
    ("text", "nanoseconds"), [("200ms", 200_000_000), ("1.5s", 1_500_000_000), ("3m", 180_000_000_000)]
)
def test_durations_are_read(text: str, nanoseconds: int) -> None:
    """A number and a unit."""
    assert parse_duration(text) == nanoseconds


@pytest.mark.parametrize(
    "text", ["", "200", "ms", "-1s", "1e3s", "0ms", "٣s", "1 fortnight", "9" * 5000 + "s"]
)
def test_bad_durations_are_refused_with_an_example(text: str) -> None:
    """One sentence that says what to write."""
    with pytest.raises(Mistake, match=r"1\.5s|at least 1ms"):
        parse_duration(text)


def test_durations_are_shown_in_the_unit_that_suits() -> None:
    """Three digits are enough for a person."""
    shown = [
        format_duration(ns) for ns in (0, 905_123, 1_270_000, 200_000_000, 12_345_678_901, 4_000_000_000_000)
    ]
    assert shown == ["0 µs", "905 µs", "1.27 ms", "200 ms", "12.3 s", "4000 s"]


# The referee's own lag: a turn that it may have spoilt is played again, and nobody is blamed.


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


# How far away a bot is.

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
