"""Runs one match: reads and writes the streams, stamps arrivals, keeps the timer, asks the rules."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

import grpc

from games import Game, Mistake, Seat
from referee import wire
from referee.connection import Call, why
from referee.events import (
    Abandoned,
    CallAgain,
    Commit,
    Committed,
    CpuRead,
    Drain,
    Drained,
    Effect,
    Event,
    Judge,
    LineReached,
    Lost,
    MatchOver,
    Noise,
    ReadCpu,
    Ready,
    ReadyLine,
    SendBegin,
    SendEnd,
    SendStop,
    SendTurn,
    SetLine,
    StopReading,
    TripsMeasured,
    TurnHanded,
    TurnOver,
    TurnSent,
    TurnTainted,
    Unavailable,
)
from referee.judge import judge
from referee.match import Match
from referee.meter import Meter
from referee.pings import PING_WITHIN, PINGS, Pings
from referee.timing import MILLISECOND, SECOND
from shotclock.v1 import bot_pb2 as pb

#: How long the streams may take to close after `end`.
CLOSE_WITHIN = 0.5
#: When the referee looks before a line whether it is on time; what arrives from then on is in the grace.
LOOK_BEFORE = 5 * MILLISECOND
#: How long it then takes to read what had arrived before.
DRAIN_FOR = 0.002
#: How often the processor time of a bot is read while it thinks.
WATCH_EVERY = 0.004

T = TypeVar("T")

#: Sees every event and effect of a match as it happens.
Watcher = Callable[[Event | Effect], None]


@dataclass(slots=True)
class Contender:
    """A bot at the table: one reader and one writer task work on its stream."""

    seat: Seat
    call: Call
    greeting: wire.Greeting
    #: Where processor time counts.
    meter: Meter | None = None
    outbox: asyncio.Queue[pb.ToBot | None] = field(default_factory=asyncio.Queue)
    reading: asyncio.Event = field(default_factory=asyncio.Event)
    pings: Pings = field(default_factory=Pings)
    #: It has said that it is ready; the match is told when its pings are over.
    ready: bool = False
    seated: bool = False
    #: Another one sits in its place.
    gone: bool = False


#: Opens a new stream to the bot at a seat; a Mistake if that cannot be done.
Caller = Callable[[Seat], Awaitable[Contender]]


async def conduct(
    match: Match,
    game: Game,
    contenders: dict[Seat, Contender],
    *,
    judges: Executor,
    watch: Watcher,
    commit: Callable[[], None] | None,
    call: Caller | None = None,
) -> None:
    """Plays the match to its verdict; on cancellation it is abandoned and both bots are told.

    `commit` makes safe what `watch` has seen; it runs in a thread and nobody is told anything before it returns.
    Without it nothing is kept. `call` is for a turn that has to be played again by a fresh bot.
    """
    driver = Driver(match, game, contenders, judges=judges, watch=watch, commit=commit)
    failure: Exception | None = None
    async with asyncio.TaskGroup() as group:
        driver.group, driver.call = group, call
        for contender in contenders.values():
            driver.attend(contender)
        try:
            await driver.run()
        except asyncio.CancelledError:
            driver.happen(Abandoned("the referee was told to stop"))
            await asyncio.wait([driver.over], timeout=CLOSE_WITHIN)
            raise
        except Exception as error:  # noqa: BLE001 - raised below, outside of the group that would wrap it
            failure = error
        finally:
            for contender in contenders.values():
                contender.outbox.put_nowait(None)
                contender.reading.set()
            await asyncio.wait(driver.tasks, timeout=CLOSE_WITHIN)
            for task in driver.tasks:
                task.cancel()
    if failure is not None:
        raise failure


class Driver:
    """Performs the effects of a match and brings it the events; everything runs on one event loop."""

    def __init__(
        self,
        match: Match,
        game: Game,
        contenders: dict[Seat, Contender],
        *,
        judges: Executor,
        watch: Watcher,
        commit: Callable[[], None] | None,
    ) -> None:
        self.match = match
        self.game = game
        self.contenders = contenders
        self.judges = judges
        self.watch = watch
        self.commit = commit
        self.loop = asyncio.get_running_loop()
        self.over: asyncio.Future[None] = self.loop.create_future()
        self.group: asyncio.TaskGroup | None = None
        self.call: Caller | None = None
        self.tasks: list[asyncio.Task[None]] = []
        #: How late the last look before a line was.
        self.late_look = 0

    async def run(self) -> None:
        """Returns when there is a verdict; everything that happens, happens in `happen`."""
        self.loop.call_later(self.match.terms.ready_within / SECOND, self.reach_ready_line)
        self.perform(self.match.begin())
        await asyncio.shield(self.over)  # when we are cancelled, it is still to come

    def attend(self, contender: Contender) -> None:
        """A reader and a writer for its stream."""
        self.start(self.read(contender))
        self.start(self.write(contender))

    def start(self, work: Coroutine[None, None, None]) -> None:
        if self.group is None:
            raise ValueError("nobody would wait for it")
        self.tasks.append(self.group.create_task(work))

    def happen(self, event: Event) -> None:
        """One event at a time and at once: what a bot said is stamped, judged by the stamp and answered in one go."""
        if self.over.done():
            return
        try:
            self.watch(event)
            self.perform(self.match.handle(event))
        except Exception as error:  # noqa: BLE001 - a timer would swallow it, and the match would never end
            self.over.set_exception(error)
        else:
            if self.match.over:
                self.over.set_result(None)

    async def read(self, contender: Contender) -> None:
        """Never waits with a timeout: that would cancel the whole stream."""
        try:
            while True:
                await contender.reading.wait()
                message = await contender.call.read()
                at = time.monotonic_ns()
                if contender.gone:
                    return
                if not isinstance(message, pb.ToReferee):
                    closed = message is grpc.aio.EOF
                    how = (
                        "it closed its stream"
                        if closed
                        else "it sent bytes that are no message of the contract"
                    )
                    self.happen(Lost(contender.seat, how))
                    return
                if not self.concerns_pings(contender, message, at):
                    self.happen(wire.event(contender.seat, message, at))
        except grpc.aio.AioRpcError as error:
            if not contender.gone:
                self.happen(Lost(contender.seat, why(error)))
        except asyncio.CancelledError:
            if not contender.gone:  # or we have ended the call ourselves
                raise

    async def write(self, contender: Contender) -> None:
        """The only writer of its stream: two writes in flight lose a message."""
        try:
            while (message := await contender.outbox.get()) is not None:
                if message.HasField("turn"):
                    self.happen(TurnHanded(message.turn.turn, time.monotonic_ns()))
                await contender.call.write(message)
            await contender.call.done_writing()
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
            pass  # the reader sees the same end of the stream and says why
        except asyncio.CancelledError:
            if not contender.gone:
                raise

    # Before the first turn: who is ready, and how far away.

    def concerns_pings(self, contender: Contender, message: pb.ToReferee, at: int) -> bool:
        kind, pings = message.WhichOneof("message"), contender.pings
        if kind == "ready" and contender.greeting.answers_pings:
            if contender.ready:
                self.happen(Noise(contender.seat))
            else:
                contender.ready = True
                self.ping(contender)
                self.loop.call_later(PING_WITHIN, self.take_seat, contender)
            return True
        if kind == "pong" and pings.answered(message.pong.number, at):
            if len(pings.trips) < PINGS:
                self.ping(contender)
            else:
                self.take_seat(contender)
            return True
        return False

    def ping(self, contender: Contender) -> None:
        contender.pings.sent = time.monotonic_ns()
        contender.outbox.put_nowait(wire.ping(contender.pings.number))

    def take_seat(self, contender: Contender) -> None:
        """Once; whatever its pings have told by now is all."""
        if not contender.seated and not contender.gone:
            contender.seated = True
            contender.pings.sent = None
            self.happen(Ready(contender.seat, tuple(contender.pings.trips)))

    def reach_ready_line(self) -> None:
        if any(one.ready and not one.seated for one in self.contenders.values()):
            self.loop.call_later(PING_WITHIN, self.reach_ready_line)
        else:
            self.happen(ReadyLine())

    def perform(self, effects: list[Effect]) -> None:  # noqa: C901, PLR0912 - one case per kind of effect
        for effect in effects:
            self.watch(effect)
            match effect:
                case SendBegin(seat):
                    self.contenders[seat].reading.set()
                    begin = wire.begin(
                        self.match.terms, seat, position=self.match.position, moves=self.match.moves
                    )
                    self.contenders[seat].outbox.put_nowait(begin)
                case SendTurn(seat, turn):
                    message = wire.turn(effect, self.match.terms.time)
                    self.contenders[seat].reading.set()
                    sent = TurnSent(turn, time.monotonic_ns())
                    self.contenders[seat].outbox.put_nowait(message)
                    self.perform(self.match.handle(sent))
                case SendStop(seat, turn):
                    self.contenders[seat].outbox.put_nowait(wire.stop(turn))
                case SendEnd(seat):
                    self.contenders[seat].outbox.put_nowait(wire.end(effect))
                case SetLine(turn, at):
                    self.set_line(turn, at)
                case Drain(turn):
                    self.loop.call_later(DRAIN_FOR, self.drained, turn)
                case CallAgain(seat):
                    self.start(self.call_again(seat))
                case ReadCpu(watching=True):
                    self.loop.call_later(WATCH_EVERY, self.read_cpu, effect)
                case ReadCpu():
                    self.read_cpu(effect)
                case StopReading(seat):
                    self.contenders[seat].reading.clear()
                case Judge():
                    self.ask(effect)
                case Commit(number):
                    self.make_safe(Committed(number))
                case TripsMeasured() | TurnOver() | TurnTainted() | MatchOver():
                    pass  # for the watcher

    def set_line(self, turn: int, at: int) -> None:
        self.late_look = 0
        look = at - LOOK_BEFORE
        if look > time.monotonic_ns():
            self.loop.call_at(look / SECOND, self.look, look)
        self.loop.call_at(at / SECOND, self.reach_line, turn)

    def look(self, due: int) -> None:
        self.late_look = time.monotonic_ns() - due

    def reach_line(self, turn: int) -> None:
        self.happen(LineReached(turn, time.monotonic_ns(), self.late_look))

    def drained(self, turn: int) -> None:
        self.happen(Drained(turn, time.monotonic_ns()))

    async def call_again(self, seat: Seat) -> None:
        """The old stream ends without a word: whoever thinks there has nothing to do with the match any more."""
        before = self.contenders[seat]
        before.gone = True
        before.outbox.put_nowait(None)
        before.call.cancel()
        within = self.match.terms.ready_within / SECOND
        if self.call is None:
            self.happen(Unavailable(seat, f"seat {seat} is called only once"))
            return
        try:
            async with asyncio.timeout(within):
                contender = await self.call(seat)
        except TimeoutError:
            self.happen(Unavailable(seat, f"seat {seat} did not answer"))
        except Mistake as mistake:
            self.happen(Unavailable(seat, str(mistake)))
        else:
            self.contenders[seat] = contender
            self.attend(contender)
            self.perform([SendBegin(seat)])
            late = Unavailable(seat, f"seat {seat} was not ready in time")
            self.loop.call_later(within, self.happen, late)

    def read_cpu(self, asked: ReadCpu) -> None:
        """In a thread, since a bot may have started many processes; stamped here, in order with what it says."""
        meter = self.contenders[asked.seat].meter
        if meter is None:
            raise ValueError(f"nobody reads the processor time of seat {asked.seat}")
        if self.over.done() or self.match.verdict is not None:
            return

        def reading(total: int) -> Event:
            return CpuRead(asked.turn, time.monotonic_ns(), total, watching=asked.watching)

        self.off_the_loop(meter.read, then=reading)

    def make_safe(self, done: Committed) -> None:
        if self.commit is None:
            self.perform(self.match.handle(done))
        else:
            self.off_the_loop(self.commit, then=lambda _: done)

    def ask(self, asked: Judge) -> None:
        wishes = [seat for seat, contender in self.contenders.items() if contender.greeting.wants_legal_moves]
        question = partial(judge, self.game, asked, seed=self.match.terms.seed, wishes=wishes)
        self.off_the_loop(question, then=lambda ruling: ruling)

    def off_the_loop(self, work: Callable[[], T], *, then: Callable[[T], Event]) -> None:
        """Work that may take its time, in a thread; its result happens."""

        def finished(future: asyncio.Future[T]) -> None:
            if self.over.done() or future.cancelled():
                return
            if error := future.exception():
                self.over.set_exception(error)
            else:
                self.happen(then(future.result()))

        self.loop.run_in_executor(self.judges, work).add_done_callback(finished)
