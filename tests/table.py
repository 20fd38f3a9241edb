"""A match on an injected clock, for tests of its rules: nothing waits, nothing opens a connection."""

from collections.abc import Sequence

from games import Proposal, Ruling, Seat, find_game
from referee.events import (
    Commit,
    Committed,
    CpuRead,
    Drain,
    Drained,
    Effect,
    Event,
    Judge,
    Proposed,
    ReadCpu,
    Ready,
    SendTurn,
    Terms,
    TurnSent,
)
from referee.judge import judge
from referee.lots import Lots
from referee.match import Match
from referee.timing import MILLISECOND, TimeControl
from referee.turn import TurnReport
from referee.verdict import Verdict

GAME = find_game("sudoku")
#: r1c4=4 is legal and leaves no solution; r1c3=3 is illegal; r1c4=3 scores nothing.
START = "classic 2x2 1,2,.,./.,.,.,./.,.,3,./.,.,.,. 0:0 1 -"
SENT = 1_000_000_000
TURN, GRACE = 200 * MILLISECOND, 5 * MILLISECOND
LINE = SENT + TURN + GRACE
CLOCK = TimeControl(TURN, GRACE)
BUDGET = 300 * MILLISECOND
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
