"""One match, between the stream to the referee and the worker that thinks."""

import asyncio
import time
from collections.abc import Callable

import structlog

from server.outbox import Outbox
from server.pipe import Owner, Worker, text_of
from shotclock.v1 import bot_pb2 as pb

#: How long a worker may take to say that it has stopped before it is killed.
STOP_WITHIN = 0.003
#: The same for one that the machine gave no chance to say so: its memory is not to be lost for our fault.
STOP_AT_LAST = 0.5
LOOK_AGAIN = 0.0005
#: Begin.ready_within when it is absent.
READY_WITHIN = 10.0
#: How long a worker that is ready waits for its spare, as a part of READY_WITHIN.
SPARE_SHARE = 0.1

EXCESSES = {
    "over_memory": pb.FAULT_KIND_OVER_MEMORY,
    "over_processes": pb.FAULT_KIND_OVER_PROCESSES,
}


class OutOfOrderError(Exception):
    """The referee said something that the contract does not allow here; the text is one sentence."""


class Session:
    """At most one worker thinks, about at most one turn; a spare is ready to take its place with the next.

    A turn is *waiting* until the worker is ready and its last turn is over, then *under way* until it is over. A worker
    that dies at once and for ever must not keep the machine busy: a lost one is replaced by a new process only if it
    had thought before, otherwise when the next turn comes.
    """

    def __init__(
        self,
        begin: pb.Begin,
        outbox: Outbox,
        *,
        hire: Callable[[Owner], Worker],
        leave: Callable[[], None],
        tell_author: Callable[[str], None],
        debug: bool,
    ) -> None:
        """`leave` is called when the match is over. To `debug` is to have no spare and to stop no thinking."""
        self._leave = leave
        self._debug = debug
        self._begin = begin
        self._outbox = outbox
        self._hire = hire
        self._tell_author = tell_author
        self._loop = asyncio.get_running_loop()
        self._log = structlog.get_logger().bind(match_id=begin.match, seat=begin.seat)
        self._began = time.monotonic()
        self._moves = list(begin.moves)
        self._waiting: tuple[pb.Turn, float | None] | None = None
        #: The number of the turn under way, 0 when there is none.
        self._turn = 0
        self._stopping = False
        self._ready = False
        self._last_turn = self._turns = self._faults = 0
        #: For a worker that does not stop, or a spare that is not ready.
        self._timer: asyncio.TimerHandle | None = None
        self._worker: Worker | None = self._new_worker()
        self._spare: Worker | None = None if debug else self._new_worker()

    def receive(self, message: pb.ToBot) -> None:
        """What the referee says after begin; what we do not know is ignored."""
        kind = message.WhichOneof("message")
        if kind == "begin":
            raise OutOfOrderError("begin came twice: one call is one match")
        if kind == "turn":
            self._take_turn(message.turn)
        elif kind == "stop":
            self._stop(message.stop.turn)

    def _take_turn(self, message: pb.Turn) -> None:
        if not self._ready:
            raise OutOfOrderError(f"turn {message.turn} came before the bot was ready")
        if not message.turn:
            raise OutOfOrderError("a turn came without a number: turns count from 1")
        if self._waiting is not None or (self._turn and not self._stopping):
            raise OutOfOrderError(
                f"turn {message.turn} came while turn {self._last_turn} was under way: send stop first"
            )
        remaining = (
            message.clock.remaining.ToTimedelta().total_seconds() if message.HasField("clock") else None
        )
        self._waiting = message, None if remaining is None else time.monotonic() + remaining
        self._last_turn = message.turn
        self._turns += 1
        self._moves += message.moves
        if self._worker is None:
            self._fill_up()
        self._hand_over()

    def _stop(self, number: int) -> None:
        """Always answered, also when it crossed with the end of the turn."""
        if not self._ready:
            raise OutOfOrderError(f"stop of turn {number} came before the bot was ready")
        if self._turn != number or self._worker is None:
            if self._waiting is not None and self._waiting[0].turn == number:
                self._waiting = None
            self._outbox.put(pb.ToReferee(stopped=pb.Stopped(turn=number)))
        elif not self._stopping:
            self._stopping = True
            self._outbox.drop()
            if self._debug:  # somebody may be looking at its thoughts
                return
            self._worker.interrupt()
            at_last = self._loop.time() + STOP_AT_LAST
            self._timer = self._loop.call_later(STOP_WITHIN, self._overdue, self._worker, at_last)

    def close(self) -> None:
        """The match is over, or the referee has left."""
        self._dismiss()
        self._leave()
        self._log.info(
            "match_served",
            game=self._begin.game,
            turns=self._turns,
            proposals_sent=self._outbox.sent,
            proposals_dropped=self._outbox.dropped,
            faults=self._faults,
            duration=round(time.monotonic() - self._began, 3),
        )

    def heard(self, worker: Worker, letter: bytes, body: bytes) -> None:
        if letter == b"Y" and not worker.ready:
            worker.ready = True
            self._rest(worker)
            self._settle()
            self._hand_over()
        elif not worker.ready:
            if letter in {b"R", b"X"}:
                self._cannot_begin(worker, pb.FAULT_KIND_RAISED, text_of(body))
        elif worker is self._worker and self._turn:
            if letter in {b"D", b"S", b"R"}:
                self._end_turn(letter, body)
            elif letter == b"P" and not self._stopping:
                self._outbox.propose(body)

    def died(self, worker: Worker, how: str) -> None:
        kind = EXCESSES.get(worker.excess, pb.FAULT_KIND_DIED)
        if not worker.ready:
            self._cannot_begin(worker, kind, how)
        elif worker is self._spare:
            self._spare = None
        else:
            self._lose(worker, kind, how)

    def _new_worker(self) -> Worker:
        worker = self._hire(self)
        begin = self._begin
        worker.begin(seat=begin.seat, seed=begin.seed, off_turn=begin.thinks_off_turn)
        return worker

    def _settle(self) -> None:
        """Say ready once the worker is, and the spare too unless it takes long."""
        if self._ready or self._worker is None or not self._worker.ready:
            return
        if self._spare is None or self._spare.ready:
            self._say_ready()
        elif self._timer is None:
            within = self._begin.ready_within.ToTimedelta().total_seconds() or READY_WITHIN
            self._timer = self._loop.call_later(within * SPARE_SHARE, self._say_ready)

    def _say_ready(self) -> None:
        self._cancel_timer()
        self._ready = True
        self._outbox.put(pb.ToReferee(ready=pb.Ready()))

    def _cannot_begin(self, worker: Worker, kind: "pb.FaultKind.ValueType", text: str) -> None:
        """The bot's object could not be made."""
        worker.end()
        if worker is self._spare:
            self._spare = None
            self._settle()
            return
        self._worker = None
        self._fault(kind, text)
        if not self._ready:
            self._dismiss()
        elif self._waiting is not None:
            self._waiting = None

    def _hand_over(self) -> None:
        worker = self._worker
        if self._waiting is None or self._turn or worker is None or not worker.ready:
            return
        (message, deadline), self._waiting = self._waiting, None
        self._turn = message.turn
        self._outbox.open_turn(message.turn)
        moves, worker.told = self._moves[worker.told :], len(self._moves)
        budget = (
            message.clock.budget.ToTimedelta().total_seconds() if message.clock.HasField("budget") else None
        )
        worker.turn(
            {
                "number": message.turn,
                "position": message.position,
                "moves": moves,
                "deadline": deadline,
                "budget": budget,
                "nodes": message.nodes or None,
            }
        )

    def _end_turn(self, letter: bytes, body: bytes) -> None:
        if letter == b"R":
            self._fault(pb.FAULT_KIND_RAISED, text_of(body))
        elif letter == b"D" and not self._stopping:
            self._outbox.flush(done=True)
        self._over()

    def _over(self) -> None:
        """The turn under way has ended, however it did."""
        if self._stopping:
            self._cancel_timer()
            self._outbox.put(pb.ToReferee(stopped=pb.Stopped(turn=self._turn)))
        self._turn = 0
        self._stopping = False
        self._hand_over()
        if self._worker is not None and not self._turn:
            self._rest(self._worker)

    def _rest(self, worker: Worker) -> None:
        """Off its turn it gets no core, unless the match allows it or somebody debugs it."""
        if worker.ready and not (self._debug or self._begin.thinks_off_turn):
            worker.freeze()

    def _overdue(self, worker: Worker, at_last: float) -> None:
        # First what it has had, then what it has said: in the other order it may answer and fall asleep in between.
        starved = worker.starved and self._loop.time() < at_last
        worker.read()
        if not self._stopping or worker is not self._worker:
            return
        if starved:
            self._timer = self._loop.call_later(LOOK_AGAIN, self._overdue, worker, at_last)
            return
        worker.kill()
        self._lose(worker, pb.FAULT_KIND_KILLED, "it did not stop when it was told to")

    def _lose(self, worker: Worker, kind: "pb.FaultKind.ValueType", text: str) -> None:
        """The worker is gone; what it kept on `self` is lost, and the spare knows only what it will be told."""
        self._fault(kind, text)
        self._worker, self._spare = self._spare, None
        if self._turn:
            self._over()
        if worker.thought:
            self._fill_up()

    def _fill_up(self) -> None:
        if self._worker is None:
            self._worker, self._spare = self._spare or self._new_worker(), None
        if self._spare is None and not self._debug:
            self._spare = self._new_worker()

    def _fault(self, kind: "pb.FaultKind.ValueType", text: str) -> None:
        if not self._stopping:
            self._outbox.flush(done=False)
        self._faults += 1
        number = self._turn or self._last_turn
        self._outbox.put(pb.ToReferee(fault=pb.Fault(turn=number, kind=kind, text=text)))
        name = pb.FaultKind.Name(kind).removeprefix("FAULT_KIND_").lower()
        self._log.warning("bot_fault", kind=name, turn=number, text=text)
        self._tell_author(f"match {self._begin.match}, turn {number}: {name}: {text}")

    def _dismiss(self) -> None:
        self._cancel_timer()
        for worker in (self._worker, self._spare):
            if worker is not None:
                worker.end()
        self._worker = self._spare = None

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
