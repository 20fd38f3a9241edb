"""Runs one match: reads and writes the streams, stamps arrivals, keeps the timer, asks the rules."""

import asyncio
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

import grpc

from games import Game, Seat
from referee import wire
from referee.connection import Call, why
from referee.events import (
    Abandoned,
    Commit,
    Committed,
    CpuRead,
    Effect,
    Event,
    Judge,
    LineReached,
    Lost,
    MatchOver,
    ReadCpu,
    ReadyLine,
    SendBegin,
    SendEnd,
    SendStop,
    SendTurn,
    SetLine,
    StopReading,
    TurnOver,
    TurnSent,
)
from referee.judge import judge
from referee.match import Match
from referee.meter import Meter
from referee.timing import SECOND
from shotclock.v1 import bot_pb2 as pb

#: How long the streams may take to close after `end`.
CLOSE_WITHIN = 0.5
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


async def conduct(
    match: Match,
    game: Game,
    contenders: Mapping[Seat, Contender],
    *,
    judges: Executor,
    watch: Watcher,
    commit: Callable[[], None] | None,
) -> None:
    """Plays the match to its verdict; on cancellation it is abandoned and both bots are told.

    `commit` makes safe what `watch` has seen; it runs in a thread and nobody is told anything before it returns.
    Without it nothing is kept.
    """
    driver = Driver(match, game, contenders, judges=judges, watch=watch, commit=commit)
    failure: Exception | None = None
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(driver.read(contender)) for contender in contenders.values()]
        tasks += [group.create_task(write(contender)) for contender in contenders.values()]
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
            await asyncio.wait(tasks, timeout=CLOSE_WITHIN)
            for task in tasks:
                task.cancel()
    if failure is not None:
        raise failure


class Driver:
    """Performs the effects of a match and brings it the events; everything runs on one event loop."""

    def __init__(
        self,
        match: Match,
        game: Game,
        contenders: Mapping[Seat, Contender],
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

    async def run(self) -> None:
        """Returns when there is a verdict; everything that happens, happens in `happen`."""
        self.loop.call_later(self.match.terms.ready_within / SECOND, self.happen, ReadyLine())
        self.perform(self.match.begin())
        await asyncio.shield(self.over)  # when we are cancelled, it is still to come

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
                if not isinstance(message, pb.ToReferee):
                    closed = message is grpc.aio.EOF
                    how = (
                        "it closed its stream"
                        if closed
                        else "it sent bytes that are no message of the contract"
                    )
                    self.happen(Lost(contender.seat, how))
                    return
                self.happen(wire.event(contender.seat, message, at))
        except grpc.aio.AioRpcError as error:
            self.happen(Lost(contender.seat, why(error)))

    def perform(self, effects: list[Effect]) -> None:  # noqa: C901 - one case per kind of effect
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
                    self.loop.call_at(at / SECOND, self.reach_line, turn)
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
                case TurnOver() | MatchOver():
                    pass  # for the watcher

    def reach_line(self, turn: int) -> None:
        self.happen(LineReached(turn, time.monotonic_ns()))

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


async def write(contender: Contender) -> None:
    """The only writer of its stream: two writes in flight lose a message."""
    try:
        while (message := await contender.outbox.get()) is not None:
            await contender.call.write(message)
        await contender.call.done_writing()
    except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
        pass  # the reader sees the same end of the stream and says why
