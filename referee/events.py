"""The vocabulary of a match: what is agreed, what can happen to it, and what it asks for."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from games import Outcome, Position, Proposal, Ruling, Seat
from referee.lots import Lots
from referee.timing import SECOND, TimeControl
from referee.turn import TurnReport
from referee.verdict import Verdict

SEATS: tuple[Seat, Seat] = (1, 2)


#: How many processes a bot may have at once unless the organiser says otherwise.
PROCESSES = 64


@dataclass(frozen=True, slots=True)
class Terms:
    """What is agreed before the first move; together with the moves it says everything about a match."""

    match_id: str
    game: str
    variant: str
    options: Mapping[str, str]
    seed: int
    time: TimeControl
    ruling: Ruling
    ready_within: int = 10 * SECOND
    #: Under the ruling "skipped": how many of the newest proposals are looked at.
    newest: int = 16
    #: What a bot that is hosted here may use: bytes, and processes at once.
    memory: int | None = None
    processes: int = PROCESSES
    #: Whether bots may think on their rival's time.
    ponder: bool = False
    #: What hidden lengths of turns are drawn by.
    lots: Lots | None = None

    @property
    def messages(self) -> int:
        """How many messages of a bot are read in one of its turns: over twice what a paced host sends."""
        time = self.time
        longest = max(time.turn or 0, time.first or 0, time.longest or 0) or time.budget or 60 * SECOND
        return 1000 + 1000 * longest * time.cap // SECOND


# Events: what happens to a match. `at` is the referee's monotonic clock in nanoseconds.


@dataclass(frozen=True, slots=True)
class Ready:
    seat: Seat
    #: The round trips of pings to the bot, in nanoseconds; none if it answers none.
    trips: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Declined:
    seat: Seat
    text: str


@dataclass(frozen=True, slots=True)
class ReadyLine:
    """The time to get ready is over."""


@dataclass(frozen=True, slots=True)
class TurnSent:
    """The turn is being handed to the transport: its clock starts."""

    turn: int
    at: int


@dataclass(frozen=True, slots=True)
class TurnHanded:
    """The transport has taken the turn; what passed since it was sent is the referee's own lag."""

    turn: int
    at: int


@dataclass(frozen=True, slots=True)
class Proposed:
    seat: Seat
    turn: int
    at: int
    proposal: Proposal
    done: bool = False


@dataclass(frozen=True, slots=True)
class Done:
    seat: Seat
    turn: int
    at: int


@dataclass(frozen=True, slots=True)
class LineReached:
    turn: int
    at: int
    #: How late the referee was at its last appointment before the line.
    late_before: int = 0


@dataclass(frozen=True, slots=True)
class Drained:
    """Whatever had arrived when the line was reached has been read."""

    turn: int
    at: int


@dataclass(frozen=True, slots=True)
class Unavailable:
    """A bot could not be called again."""

    seat: Seat
    text: str


@dataclass(frozen=True, slots=True)
class CpuRead:
    """How much processor time a bot has used, since whenever its meter began to count."""

    turn: int
    at: int
    total: int
    #: Asked for while the bot thinks, to see whether its time is over.
    watching: bool = False


@dataclass(frozen=True, slots=True)
class Stopped:
    seat: Seat
    turn: int
    at: int


@dataclass(frozen=True, slots=True)
class Noise:
    """A message that means nothing to the match, but had to be read."""

    seat: Seat


class FaultKind(StrEnum):
    DIED = "died"
    RAISED = "raised"
    KILLED = "killed"
    OVER_MEMORY = "over_memory"
    OVER_PROCESSES = "over_processes"


@dataclass(frozen=True, slots=True)
class Fault:
    """What a host says has happened to its bot."""

    seat: Seat
    turn: int
    at: int
    kind: FaultKind
    text: str


@dataclass(frozen=True, slots=True)
class Resigned:
    seat: Seat


@dataclass(frozen=True, slots=True)
class Lost:
    """The stream of a bot has ended."""

    seat: Seat
    text: str


@dataclass(frozen=True, slots=True)
class Refusal:
    move: str
    text: str


@dataclass(frozen=True, slots=True)
class Judged:
    """What the rules say: the moves refused, and the position after the one that stands, if any."""

    turn: int
    refused: tuple[Refusal, ...]
    after: Position | None
    outcome: Outcome | None = None
    #: The move was drawn by the referee.
    replaced: bool = False
    #: Legal moves of the next turn, for a bot that asked for them.
    legal_moves: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Abandoned:
    text: str


@dataclass(frozen=True, slots=True)
class Committed:
    """Everything up to this Commit is safe."""

    number: int


Event = (
    Ready
    | Declined
    | ReadyLine
    | TurnSent
    | TurnHanded
    | Proposed
    | Done
    | LineReached
    | Drained
    | Unavailable
    | CpuRead
    | Stopped
    | Noise
    | Fault
    | Resigned
    | Lost
    | Judged
    | Abandoned
    | Committed
)


# Effects: what the driver must do, in this order.


@dataclass(frozen=True, slots=True)
class SendBegin:
    seat: Seat


@dataclass(frozen=True, slots=True)
class SendTurn:
    """To be answered with TurnSent by whoever hands it to the transport."""

    seat: Seat
    turn: int
    position: Position
    moves: tuple[str, ...]
    legal_moves: tuple[str, ...]
    #: How long the bot may think, None without a clock; and what is left of its budget, if it has one.
    thinking: int | None = None
    budget: int | None = None


@dataclass(frozen=True, slots=True)
class ReadCpu:
    """Give back CpuRead: at once, or after a moment if we are only `watching`."""

    seat: Seat
    turn: int
    watching: bool = False


@dataclass(frozen=True, slots=True)
class SendStop:
    seat: Seat
    turn: int


@dataclass(frozen=True, slots=True)
class SendEnd:
    seat: Seat
    verdict: Verdict
    position: Position
    moves: tuple[str, ...]
    #: The secret that hidden lengths of turns were drawn by.
    revealed: str = ""


@dataclass(frozen=True, slots=True)
class SetLine:
    """Give back LineReached once `at` has come."""

    turn: int
    at: int


@dataclass(frozen=True, slots=True)
class Drain:
    """Read whatever has arrived, then give back Drained."""

    turn: int


@dataclass(frozen=True, slots=True)
class CallAgain:
    """End the stream of this bot and begin a new one with a fresh bot; answered with Ready or Unavailable."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class StopReading:
    """Read nothing more from this bot until its next turn."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Judge:
    """Ask the rules, off the loop, for the first of `moves` that is valid; answered with Judged."""

    turn: int
    position: Position
    moves: tuple[str, ...]
    #: If none is, draw a move for the bot.
    replace: bool


@dataclass(frozen=True, slots=True)
class TurnOver:
    """For the record and for whoever watches."""

    report: TurnReport


@dataclass(frozen=True, slots=True)
class TripsMeasured:
    """For the record: the round trips of pings to each seat, the first one first."""

    trips: tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class TurnTainted:
    """For the record and for whoever watches: the referee was too slow, and the turn is played again."""

    report: TurnReport


@dataclass(frozen=True, slots=True)
class MatchOver:
    """For the record and for whoever watches."""

    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Commit:
    """Make the record safe, then give back Committed: until then nobody is told what it says."""

    number: int


Effect = (
    SendBegin
    | SendTurn
    | SendStop
    | SendEnd
    | SetLine
    | ReadCpu
    | Drain
    | CallAgain
    | StopReading
    | Judge
    | TripsMeasured
    | TurnOver
    | TurnTainted
    | MatchOver
    | Commit
)
