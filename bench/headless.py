"""A match without bots or a network, written down like any other: whoever holds it says what happens, and when."""

import time
from dataclasses import replace
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from games import Proposal, Seat, find_game
from referee.events import (
    CallAgain,
    Commit,
    Committed,
    CpuRead,
    Done,
    Drain,
    Drained,
    Effect,
    Event,
    Fault,
    FaultKind,
    Judge,
    LineReached,
    Proposed,
    ReadCpu,
    Ready,
    SendTurn,
    Terms,
    TurnSent,
    Unavailable,
)
from referee.journal import Journal
from referee.judge import judge
from referee.match import Match
from referee.record import Entrant, Series, remote_seats, restore, understand
from referee.recorder import Recorder
from referee.series import with_lots

DRAIN = 2_000_000
ENTRANTS = (Entrant("greedy", "Greedy", "1.0", "us"), Entrant("random", "Random"))


class Headless:
    """Nanoseconds pass only in `wait`. Both bots are ready from the start."""

    def __init__(self, match: Match, recorder: Recorder, *, sync: bool = True) -> None:
        self.match = match
        self.game = find_game(match.terms.game)
        self.recorder = recorder
        self.sync = sync
        #: Not before the recorder's own clock, which counts from its making.
        self.now = time.monotonic_ns()
        #: What all bots have used; whoever holds this says so with `use`.
        self.cpu = 0
        #: What is read only when the referee has come to a line late.
        self.pending: list[Event] = []
        #: Whether a bot that is called again answers.
        self.there = True

    def seated(self, *trips: tuple[int, ...]) -> "Headless":
        """`trips` are the round trips of pings to each seat."""
        first, second = trips or ((), ())
        self.take(self.match.begin())
        self.happen(Ready(1, first), Ready(2, second))
        return self

    def happen(self, *events: Event) -> None:
        for event in events:
            self.recorder.watch(event)
            self.take(self.match.handle(event))

    def take(self, effects: list[Effect]) -> None:
        for effect in effects:
            self.recorder.watch(effect)
            match effect:
                case ReadCpu(watching=False):
                    self.happen(CpuRead(effect.turn, self.now, self.cpu))
                case SendTurn(_, turn):
                    self.take(self.match.handle(TurnSent(turn, self.now)))
                case Drain(turn):
                    self.wait(DRAIN)
                    self.happen(*self.pending, Drained(turn, self.now))
                    self.pending = []
                case CallAgain(seat):
                    self.happen(Ready(seat) if self.there else Unavailable(seat, "nobody answers"))
                case Judge():
                    self.happen(judge(self.game, effect, seed=self.match.terms.seed, wishes=()))
                case Commit(number):
                    if self.sync or self.match.verdict:
                        self.recorder.commit()
                    self.happen(Committed(number))
                case _:
                    pass

    # What can happen in a turn, each after some time.

    @property
    def seat(self) -> Seat:
        return self.match.position.seat

    @property
    def turn(self) -> int:
        return len(self.match.moves) + 1

    def wait(self, nanoseconds: int) -> None:
        self.now += nanoseconds

    def use(self, nanoseconds: int) -> None:
        """Processor time of the bot, which the referee sees at once."""
        self.cpu += nanoseconds
        self.happen(CpuRead(self.turn, self.now, self.cpu, watching=True))

    def propose(self, move: str, *, after: int = 1000, done: bool = False, note: str = "") -> None:
        self.wait(after)
        self.happen(Proposed(self.seat, self.turn, self.now, Proposal(move, note=note), done=done))

    def play(self, move: str, *, after: int = 1000) -> None:
        self.propose(move, after=after, done=True)

    def say_done(self, *, after: int = 1000) -> None:
        self.wait(after)
        self.happen(Done(self.seat, self.turn, self.now))

    def fail(self, kind: FaultKind, text: str, *, after: int = 1000) -> None:
        self.wait(after)
        self.happen(Fault(self.seat, self.turn, self.now, kind, text))

    def stall(self, move: str, *, late: int) -> None:
        """The referee comes to the line so late, and reads this proposal only then."""
        thinking = self.match.thinking
        if thinking is None or thinking.line is None:
            raise ValueError("no line is set")
        at = thinking.line + late + 1
        self.pending = [Proposed(self.seat, self.turn, at, Proposal(move))]
        self.reach_line(late=late)

    def reach_line(self, *, late: int = 1000) -> None:
        """`late` is the referee's own lag."""
        thinking = self.match.thinking
        if thinking is None or thinking.line is None:
            raise ValueError("no line is set")
        self.now = max(self.now, thinking.line) + late
        self.happen(LineReached(self.turn, self.now))


def new(
    path: Path,
    terms: Terms,
    key: Ed25519PrivateKey,
    *,
    series: Series | None = None,
    entrants: tuple[Entrant, Entrant] = ENTRANTS,
    sync: bool = True,
) -> Headless:
    game = find_game(terms.game)
    start = game.start(variant=terms.variant, seed=terms.seed, options=terms.options)
    match = Match(terms, start, remote=remote_seats(entrants))
    recorder = Recorder(Journal.create(path), match, key)
    recorder.begin(entrants, series)
    return Headless(match, recorder, sync=sync)


def resumed(path: Path, key: Ed25519PrivateKey, *, entrants: tuple[Entrant, Entrant] = ENTRANTS) -> Headless:
    journal, contents = Journal.reopen(path)
    recorded = understand(contents, path)
    match = restore(replace(recorded, terms=with_lots(recorded.terms, key)))
    recorder = Recorder(journal, match, key)
    recorder.go_on(entrants)
    return Headless(match, recorder)
