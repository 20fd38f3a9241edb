"""Time controls: on an injected clock what they mean, and how they are asked for."""

from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import Clock, Mistake, Proposal, find_game
from referee import wire
from referee.events import (
    Abandoned,
    CpuRead,
    Done,
    Fault,
    FaultKind,
    LineReached,
    Proposed,
    ReadCpu,
    Ready,
    Resigned,
    SendEnd,
    SendStop,
    SendTurn,
    SetLine,
)
from referee.lots import lots_of
from referee.time_control import combined, from_file, from_options, time_control
from referee.timing import MILLISECOND, SECOND, TimeControl
from referee.toml import LARGEST
from referee.turn import Ending
from referee.verdict import Reason
from tests.table import BUDGET, GRACE, LINE, SENT, TURN, Table

LOTS = lots_of("a secret")
DRAWN = TimeControl(TURN, GRACE, longest=5 * TURN, hidden=True)
METERED = TimeControl(TURN, GRACE, cpu=True, cap=10)
#: Where the clock alone ends a turn of processor time.
CAP = SENT + 10 * TURN + GRACE


def lines(table: Table) -> list[int]:
    return [line.at - SENT for line in table.seen(SetLine) if isinstance(line, SetLine)]


def play_on(table: Table) -> None:
    """Three turns, each done at once."""
    for turn, move in enumerate(("r1c4=3", "r3c1=2", "r4c4=2"), 1):
        table.propose(move, turn=turn, seat=1 if turn % 2 else 2, done=True)


# Hidden.


def test_lengths_are_drawn_by_the_secret_and_go_on_as_they_were() -> None:
    """One for each turn by its number, within the range; a referee that takes over draws the same."""
    table = Table(time=DRAWN, lots=LOTS).seated()
    play_on(table)
    lengths = [line - GRACE for line in lines(table)]
    assert lengths == [LOTS.length(turn, shortest=TURN, longest=5 * TURN) for turn in (1, 2, 3, 4)]
    assert len(set(lengths)) == 4
    assert [report.thinking for report in table.match.reports] == lengths[:3]
    resumed = Table(time=DRAWN, lots=LOTS, past=table.match.reports).seated()
    assert lines(resumed) == lines(table)[3:]


@given(st.text(), st.integers(1, 10**6), st.integers(1, 10**12), st.integers(0, 10**12))
def test_a_length_is_never_outside_its_range(secret: str, turn: int, shortest: int, more: int) -> None:
    """Whatever the secret."""
    length = lots_of(secret).length(turn, shortest=shortest, longest=shortest + more)
    assert shortest <= length <= shortest + more


def test_the_secret_is_promised_at_the_start_and_told_at_the_end() -> None:
    """But not when the match is abandoned: it may go on, with turns that are still to be drawn."""
    table = Table(time=DRAWN, lots=LOTS).seated()
    control = wire.begin(table.match.terms, 1, position=table.match.position, moves=[]).begin.time_control
    assert (control.hidden, control.promise) == (True, sha256(b"a secret").hexdigest())
    table.say(Resigned(1))
    ends = [end for end in table.seen(SendEnd) if isinstance(end, SendEnd)]
    assert [wire.end(end).end.revealed for end in ends] == ["a secret", "a secret"]
    abandoned = Table(time=DRAWN, lots=LOTS).seated()
    abandoned.say(Abandoned("stopped by hand"))
    assert [end.revealed for end in abandoned.seen(SendEnd) if isinstance(end, SendEnd)] == ["", ""]


# Increment.


def test_an_increment_is_added_after_every_turn_in_time_and_to_nothing_else() -> None:
    """A budget may grow beyond what it was; one that runs out gets nothing; grace is neither charged nor refilled."""
    time = TimeControl(None, GRACE, budget=BUDGET, increment=50)
    table = Table(time=time).seated()
    table.propose("r1c4=3", at=SENT + 10, done=True)
    table.propose("r3c1=2", at=SENT + BUDGET + GRACE, turn=2, seat=2, done=True)
    assert table.match.budgets == {1: BUDGET + 40, 2: 50}
    assert lines(table)[2] == BUDGET + 40 + GRACE
    table.say(LineReached(3, SENT + BUDGET + 40 + GRACE))
    assert (table.verdict.reason, table.match.budgets[1]) == (Reason.LATE, 0)


def test_an_increment_is_told() -> None:
    """With the budget it belongs to."""
    terms = Table(time=TimeControl(None, GRACE, budget=3 * SECOND, increment=SECOND)).match.terms
    control = wire.time_control(terms)
    assert (control.budget.seconds, control.increment.seconds, control.HasField("turn")) == (3, 1, False)


# Full turns.


def test_a_full_turn_lasts_to_its_line() -> None:
    """After `done` nothing counts, nothing is heard, and no stop is sent; without it everything is as ever."""
    table = Table(time=TimeControl(TURN, GRACE, full_turns=True)).seated()
    table.propose("r1c4=3", done=True)
    table.propose("r3c1=2", at=SENT + 5)
    table.propose("r3c1=2", at=LINE + 1)
    table.say(Done(1, 1, SENT + 6))
    assert table.match.reports == []
    table.say(LineReached(1, LINE + 2))
    (report,) = table.match.reports
    assert (report.move, report.ending, report.done, len(report.heard)) == ("r1c4=3", Ending.LINE, SENT, 1)
    assert table.seen(SendStop) == []
    table.say(LineReached(2, LINE))
    assert table.seen(SendStop) == [SendStop(2, 2)]


def test_a_full_turn_that_is_done_without_a_move_is_a_missing_move_at_the_line() -> None:
    """And a fault after `done` takes away nothing that was proposed before."""
    table = Table(time=TimeControl(TURN, GRACE, full_turns=True)).seated()
    table.propose("r1c4=3", done=True)
    table.say(Fault(1, 1, SENT + 9, FaultKind.DIED, "exit code 1"))
    assert table.match.moves == ["r1c4=3"]
    table.say(Done(2, 2, SENT + 5))
    assert table.match.verdict is None
    table.say(LineReached(2, LINE))
    assert (table.verdict.reason, "done without proposing" in table.verdict.text) == (Reason.NO_MOVE, True)


# Processor time.


def used(table: Table, nanoseconds: int, *, at: int = SENT, turn: int = 1) -> None:
    """The bot was seen to have used so much in its turn."""
    table.cpu += nanoseconds
    table.say(CpuRead(turn, at, table.cpu, watching=True))


def test_processor_time_ends_a_turn_and_the_clock_only_at_the_cap() -> None:
    """Grace is given after the moment at which the referee saw that the time was used up."""
    table = Table(time=METERED).seated()
    assert lines(table) == [CAP - SENT]
    table.propose("r3c1=2", at=SENT + 3 * TURN)
    used(table, TURN - 1, at=SENT + 3 * TURN)
    assert table.seen(ReadCpu)[-1] == ReadCpu(1, 1, watching=True)
    used(table, 1, at=SENT + 4 * TURN)
    line = SENT + 4 * TURN + GRACE
    assert lines(table)[-1] == line - SENT
    table.propose("r1c4=3", at=line)
    table.propose("r1c4=4", at=line + 1)
    table.cpu += 7
    table.say(LineReached(1, line))
    (report,) = table.match.reports
    assert (report.move, report.ending, report.cpu, report.spent) == (
        "r1c4=3",
        Ending.LINE,
        TURN + 7,
        SENT + 4 * TURN,
    )


def test_a_bot_that_sleeps_is_stopped_at_the_cap() -> None:
    """What it proposed stands, also with a budget: it was not late, for it has used nothing."""
    table = Table(time=TimeControl(None, GRACE, budget=TURN, cpu=True, cap=10)).seated()
    table.propose("r1c4=3", at=SENT + 9 * TURN)
    table.say(LineReached(1, CAP))
    assert table.match.moves == ["r1c4=3"]
    assert table.match.reports[0].ending is Ending.LINE
    assert table.match.budgets == {1: TURN, 2: TURN}


def test_a_budget_of_processor_time_is_charged_what_was_used_in_the_turn() -> None:
    """Not what was used before it, nor what passed on the clock; used up it is late."""
    table = Table(time=TimeControl(None, GRACE, budget=TURN, increment=5, cpu=True, cap=10)).seated()
    table.cpu += 30
    table.propose("r1c4=3", at=SENT + 2 * TURN, done=True)
    assert table.match.budgets == {1: TURN - 25, 2: TURN}
    table.propose("r3c1=2", turn=2, seat=2)
    used(table, TURN, turn=2)
    table.say(LineReached(2, LINE))
    assert (table.verdict.winner, table.verdict.reason) == (1, Reason.LATE)


def test_nothing_counts_before_the_meter_was_read() -> None:
    """A turn is not sent before, so an answer to it is no answer; and a late look at the meter changes nothing."""
    table = Table(time=METERED)
    table.cpu = 99
    table.seated()
    sent = [effect.turn for effect in table.seen(SendTurn) if isinstance(effect, SendTurn)]
    assert sent == [1]
    table.propose("r1c4=3", done=True)
    assert table.match.reports[0].cpu == 0
    table.say(CpuRead(1, SENT, 10**12, watching=True))
    assert lines(table) == [CAP - SENT, CAP - SENT]
    early = Table(time=METERED)
    match = early.match
    asked_for = [*match.handle(Ready(1)), *match.handle(Ready(2))]
    assert asked_for == [ReadCpu(1, 1)]
    assert match.handle(Proposed(1, 1, SENT, Proposal("r1c4=3"), done=True)) == []
    assert match.moves == []


# Nodes.


def test_a_node_limit_is_told_also_without_a_clock() -> None:
    """At the start and with every turn."""
    table = Table(time=TimeControl(None, GRACE, nodes=500)).seated()
    (sent,) = [effect for effect in table.seen(SendTurn) if isinstance(effect, SendTurn)]
    assert wire.turn(sent, table.match.terms.time).turn.nodes == 500
    assert wire.time_control(table.match.terms).nodes == 500
    begin = wire.begin(table.match.terms, 1, position=table.match.position, moves=[]).begin
    assert begin.HasField("time_control")
    assert not begin.time_control.HasField("grace")


# How it is asked for.

SUDOKU, TETRESS = find_game("sudoku").clock, find_game("tetress").clock
EVERYTHING = """
[other]
turn = 7

[time]
turn = "200ms..800ms"   # drawn
first = "30s"
hidden = true
grace = "10ms"
cpu = true
cap = 4
full_turns = true
nodes = 1000
"""


def asked(own: Clock = SUDOKU, /, **options: object) -> TimeControl:
    return time_control(own, from_options(**options))


def written(folder: Path, text: str) -> Path:
    path = folder / "time.toml"
    path.write_text(text)
    return path


def test_a_table_says_everything_that_options_say(tmp_path: Path) -> None:
    """Key by key; other tables of the file are left alone."""
    control = time_control(SUDOKU, from_file(written(tmp_path, EVERYTHING)))
    assert control == TimeControl(
        turn=200 * MILLISECOND,
        longest=800 * MILLISECOND,
        first=30 * SECOND,
        hidden=True,
        grace=10 * MILLISECOND,
        cpu=True,
        cap=4,
        full_turns=True,
        nodes=1000,
    )
    assert (
        str(control)
        == "200 ms to 800 ms a turn, 30 s the first, hidden, CPU time, full turns, 1000 nodes a turn"
    )
    options = asked(
        turn="200ms..800ms",
        first="30s",
        hidden=True,
        grace="10ms",
        cpu=True,
        cap=4,
        full_turns=True,
        nodes=1000,
    )
    assert options == control


def test_options_go_before_the_file(tmp_path: Path) -> None:
    """One by one; no clock takes away every time the file has."""
    file = from_file(written(tmp_path, EVERYTHING))
    control = time_control(SUDOKU, combined(file, from_options(turn="1s", hidden=False, cpu=None)))
    assert (control.turn, control.longest, control.hidden, control.first) == (
        SECOND,
        None,
        False,
        30 * SECOND,
    )
    unclocked = time_control(SUDOKU, combined(file, from_options(clock=False)))
    assert (unclocked.unlimited, unclocked.nodes, str(unclocked)) == (
        True,
        1000,
        "no clock, 1000 nodes a turn",
    )


def test_the_clock_of_the_game_is_the_default() -> None:
    """Also for what only changes how it counts."""
    assert asked() == TimeControl(500 * MILLISECOND)
    assert asked(hidden=True) == TimeControl(500 * MILLISECOND, hidden=True)
    assert asked(TETRESS, cpu=True) == TimeControl(None, budget=180 * SECOND, cpu=True, cap=10)
    assert str(asked(TETRESS, increment="1s")) == "180 s a game, 1 s more after a turn"


@pytest.mark.parametrize(
    ("clock", "options", "sentence"),
    [
        (SUDOKU, {"turn": "soon"}, "--turn: 'soon' is not a duration"),
        (SUDOKU, {"turn": "800ms..200ms", "hidden": True}, "--turn: '800ms..200ms' is no range"),
        (SUDOKU, {"turn": "200ms..800ms"}, "--turn is a range to draw from, which is for hidden lengths"),
        (SUDOKU, {"turn": "1s", "clock": False}, "--turn and --no-clock contradict each other"),
        (SUDOKU, {"hidden": True, "clock": False}, "--hidden and --no-clock contradict each other"),
        (SUDOKU, {"first": "1s"}, "--first-turn needs a time per turn or a budget"),
        (SUDOKU, {"cap": 3}, "--cap is for CPU time"),
        (SUDOKU, {"cap": 0, "cpu": True}, "--cap: 0 is no whole number from 1 to 1000"),
        (SUDOKU, {"nodes": 0}, "--nodes: 0 is no whole number from 1"),
        (SUDOKU, {"increment": "1s"}, "--increment needs a budget"),
        (SUDOKU, {"budget": "1s", "hidden": True}, "--hidden does not go with a budget"),
        (TETRESS, {"full_turns": True}, "--full-turns does not go with a budget"),
    ],
)
def test_what_cannot_be_is_told_by_option(clock: Clock, options: dict[str, object], sentence: str) -> None:
    """One sentence that says which option it is and why."""
    with pytest.raises(Mistake) as mistake:
        asked(clock, **options)
    assert str(mistake.value).startswith(sentence)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[time]\nturn = '1s'\n\nturns = 3", ", line 4: turns is no key of [time]: there are turn, first,"),
        ("[time]\n'turn' = 5", ", line 2: turn: 5 is not a duration"),
        ("turn = 1\n[time]\n  hidden = 'yes'", ", line 3: hidden: 'yes' is neither true nor false"),
        ("[time]\nnodes = true", ", line 2: nodes: True is no whole number"),
        ("time = {turn = '1s', budget = 'x'}", ": budget: 'x' is not a duration"),
        ("[clock]\nturn = '1s'", " has no table [time]"),
        ("time = 5", " has no table [time]"),
        ("[time", " is no TOML file: "),
        ("#" * (LARGEST + 1), " is too large"),
    ],
)
def test_what_is_wrong_in_a_file_is_told_by_line(tmp_path: Path, text: str, sentence: str) -> None:
    """The file, the line where it can be found, the key, and what is allowed."""
    path = written(tmp_path, text)
    with pytest.raises(Mistake) as mistake:
        time_control(SUDOKU, from_file(path))
    assert str(mistake.value).startswith(f"{path}{sentence}")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    """And one that is no text."""
    with pytest.raises(Mistake, match="cannot read the time control"):
        from_file(tmp_path / "nowhere.toml")
    (tmp_path / "picture.toml").write_bytes(b"\xff\xd8")
    with pytest.raises(Mistake, match="no UTF-8 text"):
        from_file(tmp_path / "picture.toml")
