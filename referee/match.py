"""The rules of a match as a pure state machine: events in, effects out, no clock or network of its own."""

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from functools import partial

from games import Position, Ruling, Seat, other
from referee.events import (
    SEATS,
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
    Judged,
    LineReached,
    Lost,
    MatchOver,
    Noise,
    Proposed,
    ReadCpu,
    Ready,
    ReadyLine,
    Refusal,
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
    TurnOver,
    TurnSent,
    TurnTainted,
    Unavailable,
)
from referee.thinking import Thinking
from referee.turn import Ending, Heard, TurnReport
from referee.verdict import Reason, Verdict

#: The most that a bot is given for its way is the thinking time divided by this.
CREDIT_CAP = 100
#: How often one turn is played again.
RERUNS = 3


class Match:
    """Exactly one verdict, exactly one move per turn: the newest valid proposal that arrived by the line."""

    def __init__(
        self,
        terms: Terms,
        position: Position,
        *,
        past: Sequence[TurnReport] = (),
        legal_moves: tuple[str, ...] = (),
        remote: AbstractSet[Seat] = frozenset(),
    ) -> None:
        """`past` are the turns of a match that goes on; `legal_moves` are for a bot that moves first and wants them.

        Seats in `remote` are called over a network.
        """
        self.terms = terms
        self.start = past[0].before if past else position
        self.position = past[-1].after or past[-1].before if past else position
        self.moves = [report.move for report in past if report.after is not None]
        self.reports = list(past)
        self.budgets: dict[Seat, int | None] = dict.fromkeys(SEATS, terms.time.budget)
        self.budgets |= {report.seat: report.budget for report in past}
        self.faults: list[Fault] = []
        #: Turns that were played again, because the referee was too slow at their line.
        self.tainted: list[TurnReport] = []
        #: All round trips measured so far.
        self.trips: dict[Seat, tuple[int, ...]] = dict.fromkeys(SEATS, ())
        self._measured: dict[Seat, tuple[int, ...]] = dict.fromkeys(SEATS, ())
        self._remote = remote
        self.verdict: Verdict | None = None
        #: There is a verdict, it is in the record and both bots have been told.
        self.over = False
        self.thinking: Thinking | None = None
        #: Of the turn that is to be sent next.
        self._legal_moves = legal_moves
        self._turns = {seat: sum(report.seat == seat for report in past) for seat in SEATS}
        #: The last commit, and how it goes on once the record is safe.
        self._commits = 0
        self._then: Callable[[], list[Effect]] = list
        self._ready: set[Seat] = set()
        #: The first turn has come.
        self._opened = False
        #: Who is called again, and how often that was done in this turn.
        self._again: Seat | None = None
        self._reruns = 0
        self._told: dict[Seat, int] = {seat: len(self.moves) for seat in SEATS}
        self._messages: dict[Seat, int] = dict.fromkeys(SEATS, 0)

    def position_at(self, turn: int) -> Position:
        """The position after so many turns; 0 is the start."""
        return self.start if not turn else self.reports[turn - 1].after or self.reports[turn - 1].before

    def begin(self) -> list[Effect]:
        return [SendBegin(seat) for seat in SEATS]

    def handle(self, event: Event) -> list[Effect]:  # noqa: C901, PLR0912 - one line per kind of event
        if isinstance(event, Committed):
            return self._then() if event.number == self._commits else []
        if self.verdict:
            return []
        self._overhear(event)
        match event:
            case Ready(seat, trips):
                return self._on_ready(seat, trips)
            case Declined(seat, text):
                return self._on_declined(seat, text)
            case ReadyLine():
                return self._on_ready_line()
            case TurnSent(turn, at):
                return self._on_sent(turn, at)
            case TurnHanded(turn, at):
                if self.thinking and self.thinking.turn == turn and self.thinking.ending is None:
                    self.thinking.handed = at
                return []
            case Proposed():
                return self._on_proposed(event)
            case Done(seat, turn, at):
                thinking = self._current(seat, turn, at)
                return self._counted(seat, self._on_done(thinking, at) if thinking else [])
            case LineReached():
                return self._on_line(event)
            case Drained(turn, at):
                return self._on_drained(turn, at)
            case Unavailable(seat, text):
                return self._not_again(text) if seat == self._again else []
            case CpuRead():
                return self._on_cpu(event)
            case Stopped(seat) | Noise(seat):
                return self._counted(seat, [])
            case Fault():
                return self._on_fault(event)
            case Resigned(seat):
                return self._loses(seat, Reason.RESIGNED, "resigned")
            case Lost(seat, text) if seat == self._again:
                return self._not_again(f"seat {seat} left: {text}")
            case Lost(seat, text):
                return self._loses(seat, Reason.DISCONNECTED, f"left the match: {text}")
            case Judged():
                return self._on_judged(event)
            case Abandoned(text):
                return self._void(Reason.ABANDONED, text)

    # Before the first turn.

    def _on_ready(self, seat: Seat, trips: tuple[int, ...]) -> list[Effect]:
        if seat in self._ready:
            return self._counted(seat, [])
        self._ready.add(seat)
        self._again = None
        self._measured[seat] = trips
        if len(self._ready) < 2:
            return []
        news = [] if self._opened else self._open()
        return [*news, *self._start_turn(self._legal_moves)]

    def _open(self) -> list[Effect]:
        self._opened = True
        for seat in SEATS:
            self.trips[seat] += self._measured[seat]
        measured = (self._measured[1], self._measured[2])
        return [TripsMeasured(measured)] if any(measured) else []

    def _on_declined(self, seat: Seat, text: str) -> list[Effect]:
        if seat in self._ready:  # too late to get out of it
            return self._counted(seat, [])
        if self._again:
            return self._not_again(f"seat {seat} declined: {text}")
        return self._void(Reason.DECLINED, f"seat {seat} declined: {text}")

    def _on_ready_line(self) -> list[Effect]:
        if self._opened:
            return []
        absent = [seat for seat in SEATS if seat not in self._ready]
        if len(absent) == 2:
            return self._void(Reason.NO_SHOW, "neither bot was ready in time")
        return self._loses(absent[0], Reason.NO_SHOW, "was not ready in time") if absent else []

    # A turn: sent, heard, ended, judged.

    def _start_turn(self, legal_moves: tuple[str, ...]) -> list[Effect]:
        seat, turn = self.position.seat, len(self.moves) + 1
        self.thinking = Thinking(turn, seat, time=self._thinking_time(seat, turn))
        self._turns[seat] += 1
        self._messages[seat] = 0
        self._legal_moves = legal_moves
        # What the bot used before its turn is not charged.
        return [ReadCpu(seat, turn)] if self.terms.time.cpu else self._send_turn(self.thinking)

    def _send_turn(self, thinking: Thinking) -> list[Effect]:
        seat, legal_moves = thinking.seat, self._legal_moves
        news, budget = self._news(seat), self.budgets[seat]
        return [SendTurn(seat, thinking.turn, self.position, news, legal_moves, thinking.time, budget)]

    def _thinking_time(self, seat: Seat, turn: int) -> int | None:
        time, limit = self.terms.time, self.terms.time.turn
        if time.first is not None and not self._turns[seat]:
            limit = time.first
        elif limit is not None and time.longest is not None and self.terms.lots is not None:
            limit = self.terms.lots.length(turn, shortest=limit, longest=time.longest)
        return min((one for one in (limit, self.budgets[seat]) if one is not None), default=None)

    def _on_sent(self, turn: int, at: int) -> list[Effect]:
        thinking = self.thinking
        if thinking is None or thinking.turn != turn or thinking.sent is not None:
            return []
        thinking.sent = at
        if thinking.time is None:
            return []
        time = self.terms.time
        thinking.credit = self._credit(thinking.seat, thinking.time)
        thinking.line = at + thinking.time * time.cap + time.grace + thinking.credit
        watch: list[Effect] = [ReadCpu(thinking.seat, turn, watching=True)] if time.cpu else []
        return [SetLine(turn, thinking.line), *watch]

    def _credit(self, seat: Seat, time: int) -> int:
        """A bot that delays its answers to pings gains no more than the cap."""
        if not self.terms.time.latency_credit or seat not in self._remote:
            return 0
        return min(*self.trips[seat], time // CREDIT_CAP) if self.trips[seat] else 0

    def _on_cpu(self, read: CpuRead) -> list[Effect]:
        """Before the turn, while the bot thinks, or when it has ended: then the turn can be settled."""
        thinking = self.thinking
        if thinking is None or thinking.turn != read.turn or (thinking.ending and read.watching):
            return []
        if thinking.meter is None:
            thinking.meter = read.total
            return self._send_turn(thinking)
        used = read.total - thinking.meter
        if thinking.ending:
            if thinking.cpu is not None:
                return []
            thinking.cpu = used
            return self._settle(thinking)
        if thinking.time is None or thinking.line is None or thinking.spent is not None:
            return []
        if used < thinking.time:
            return [ReadCpu(thinking.seat, thinking.turn, watching=True)]
        thinking.spent = read.at
        thinking.line = min(thinking.line, read.at + self.terms.time.grace + thinking.credit)
        return [SetLine(thinking.turn, thinking.line)]

    def _on_done(self, thinking: Thinking, at: int) -> list[Effect]:
        if thinking.done is not None:
            return []
        thinking.done = at
        return [] if self.terms.time.full_turns else self._end_turn(thinking, Ending.DONE, at)

    def _on_proposed(self, event: Proposed) -> list[Effect]:
        thinking = self._current(event.seat, event.turn, event.at)
        if thinking is None or thinking.done is not None:
            self._note_late(event)
            return self._counted(event.seat, [])
        thinking.heard.append(Heard(event.at, event.proposal))
        if thinking.line is None and len(thinking.heard) > self.terms.messages:
            del thinking.heard[: -self.terms.newest]  # without a line there is no end to them
        return self._counted(event.seat, self._on_done(thinking, event.at) if event.done else [])

    def _on_line(self, reached: LineReached) -> list[Effect]:
        thinking = self.thinking
        if thinking is None or thinking.turn != reached.turn or thinking.ending or thinking.line is None:
            return []
        if reached.at < thinking.line:  # a timer that fired early is no reason to steal time
            return [SetLine(thinking.turn, thinking.line)]
        if thinking.doubted is not None:
            return []
        # Up to half of the grace is what the grace is for; beyond it, what arrived meanwhile is in doubt.
        if max(reached.late_before, reached.at - thinking.line) > self.terms.time.grace // 2:
            thinking.doubted = reached.at
            return [Drain(thinking.turn)]
        return self._stop_at_line(thinking, reached.at)

    def _on_drained(self, turn: int, at: int) -> list[Effect]:
        thinking = self.thinking
        if thinking is None or thinking.turn != turn or thinking.ending or thinking.doubted is None:
            return []
        # Nobody can tell when it came; if nothing did, the referee's lag has changed nothing.
        return (
            self._taint(thinking, at) if thinking.overran else self._stop_at_line(thinking, thinking.doubted)
        )

    def _stop_at_line(self, thinking: Thinking, at: int) -> list[Effect]:
        # Where processor time counts, the line may come although little of it was used.
        used_up = thinking.spent is not None or not self.terms.time.cpu
        late = used_up and thinking.time == self.budgets[thinking.seat]
        stop: list[Effect] = [] if thinking.done is not None else [SendStop(thinking.seat, thinking.turn)]
        return [*stop, *self._end_turn(thinking, Ending.LATE if late else Ending.LINE, at)]

    def _on_fault(self, fault: Fault) -> list[Effect]:
        if not self.believes(fault):
            return self._counted(fault.seat, [])
        self.faults.append(fault)
        if fault.seat == self._again:
            return self._not_again(f"seat {fault.seat} {fault.kind.value}: {fault.text}")
        if not self._opened:
            return self._loses(
                fault.seat, reason_of(fault), f"{fault.kind.value} before the first turn: {fault.text}"
            )
        thinking = self._current(fault.seat, fault.turn, fault.at)
        if thinking is None:
            return self._counted(fault.seat, [])
        thinking.fault = fault
        return self._end_turn(thinking, Ending.FAULT, fault.at)

    def believes(self, fault: Fault) -> bool:
        """A fault is news if it is of a turn of the bot's own, and the first of its kind there."""
        own = any(
            one.turn == fault.turn and one.seat == fault.seat for one in (*self.reports, self.thinking) if one
        )
        known = any(
            (one.seat, one.turn, one.kind) == (fault.seat, fault.turn, fault.kind) for one in self.faults
        )
        return (own or not self._opened or fault.seat == self._again) and not known

    # A turn on which the referee's own lag could have changed what was accepted: nobody is blamed for it.

    def _overhear(self, event: Event) -> None:
        thinking = self.thinking
        if (
            isinstance(event, Proposed | Done | Fault)
            and thinking is not None
            and thinking.line is not None
            and thinking.of(event.seat, event.turn)
            and event.at > thinking.line
            and thinking.done is None
        ):
            thinking.overran = True

    def _taint(self, thinking: Thinking, at: int) -> list[Effect]:
        seat, turn = thinking.seat, thinking.turn
        thinking.ended = at
        report = thinking.receipt(Judged(turn, (), None), before=self.position, budget=self.budgets[seat])
        self.tainted.append(report)
        self.thinking = None
        self.faults = [fault for fault in self.faults if (fault.seat, fault.turn) != (seat, turn)]
        self._turns[seat] -= 1
        self._told[seat] = len(self.moves)
        self._ready.discard(seat)
        self._again = seat
        self._reruns += 1
        if self._reruns > RERUNS:
            return [TurnTainted(report), *self._not_again(f"the referee was too slow {self._reruns} times")]
        return [TurnTainted(report), self._commit(lambda: [CallAgain(seat)])]

    def _not_again(self, why: str) -> list[Effect]:
        turn = len(self.moves) + 1
        return self._void(Reason.TAINTED, f"turn {turn} could not be played again: {why}")

    def _end_turn(self, thinking: Thinking, ending: Ending, at: int) -> list[Effect]:
        thinking.ending, thinking.ended = ending, at
        return [ReadCpu(thinking.seat, thinking.turn)] if self.terms.time.cpu else self._settle(thinking)

    def _settle(self, thinking: Thinking) -> list[Effect]:
        self._charge(thinking)
        accepted = [heard.proposal.move for heard in reversed(thinking.heard) if not heard.refused]
        if thinking.ending is Ending.LATE:
            accepted = []
        if self.terms.ruling is not Ruling.SKIPPED:
            accepted = accepted[:1]
        replace = self.terms.ruling is Ruling.REPLACED
        if accepted or replace:
            return [
                Judge(thinking.turn, self.position, tuple(accepted[: self.terms.newest]), replace=replace)
            ]
        return self._without_move(thinking, ())

    def _charge(self, thinking: Thinking) -> None:
        """Grace is neither charged nor given."""
        left = self.budgets[thinking.seat]
        if left is not None and thinking.time is not None and thinking.sent is not None:
            used = max(0, thinking.ended - thinking.sent - thinking.credit)
            used = used if thinking.cpu is None else thinking.cpu
            more = 0 if thinking.ending is Ending.LATE else self.terms.time.increment
            self.budgets[thinking.seat] = left - min(used, thinking.time) + more

    def _on_judged(self, judged: Judged) -> list[Effect]:
        thinking = self.thinking
        if thinking is None or thinking.turn != judged.turn or not thinking.ending:
            return []
        if judged.after is None:
            return self._without_move(thinking, judged.refused)
        report = self._report(thinking, judged)
        self.position = judged.after
        self.moves.append(judged.after.last)
        if judged.outcome is None:
            return [TurnOver(report), self._commit(partial(self._start_turn, judged.legal_moves))]
        ended = judged.outcome
        scores = f"{ended.scores[0]} : {ended.scores[1]}"
        verdict = Verdict(ended.winner, Reason.FINISHED, f"{ended.reason}, {scores}", ended.scores)
        return [TurnOver(report), *self._finish(verdict)]

    def _without_move(self, thinking: Thinking, refused: tuple[Refusal, ...]) -> list[Effect]:
        report = self._report(thinking, Judged(thinking.turn, refused, None))
        if refused:
            reason, text = Reason.ILLEGAL, f"played an illegal move: {refused[0].text}"
        elif thinking.fault:
            reason, text = reason_of(thinking.fault), f"{thinking.fault.kind.value}: {thinking.fault.text}"
        elif thinking.ending is Ending.LATE:
            reason, text = Reason.LATE, "used up its time for the game"
        elif thinking.done is not None:
            reason, text = Reason.NO_MOVE, "said it was done without proposing a move"
        else:
            reason, text = Reason.NO_MOVE, "proposed no move before the line"
        return [TurnOver(report), *self._loses(thinking.seat, reason, text)]

    # What the above share.

    def _current(self, seat: Seat, turn: int, at: int) -> Thinking | None:
        """The turn this message may still change."""
        thinking = self.thinking
        return thinking if thinking and thinking.of(seat, turn) and thinking.accepts(at) else None

    def _note_late(self, event: Proposed) -> None:
        thinking = self.thinking
        if (
            thinking
            and thinking.of(event.seat, event.turn)
            and thinking.sent is not None
            and thinking.ending is None
            and thinking.done is None
        ):
            thinking.heard.append(Heard(event.at, event.proposal, refused="late"))

    def _counted(self, seat: Seat, effects: list[Effect]) -> list[Effect]:
        self._messages[seat] += 1
        if self.thinking and self.thinking.line is None:
            return effects  # a bot without a clock is heard until it is done
        return [*effects, StopReading(seat)] if self._messages[seat] == self.terms.messages else effects

    def _news(self, seat: Seat) -> tuple[str, ...]:
        news = tuple(self.moves[self._told[seat] :])
        self._told[seat] = len(self.moves)
        return news

    def _report(self, thinking: Thinking, judged: Judged) -> TurnReport:
        report = thinking.receipt(judged, before=self.position, budget=self.budgets[thinking.seat])
        self.reports.append(report)
        self._reruns = 0
        return report

    def _loses(self, seat: Seat, reason: Reason, text: str) -> list[Effect]:
        return self._finish(Verdict(other(seat), reason, f"seat {seat} {text}", self.position.scores))

    def _void(self, reason: Reason, text: str) -> list[Effect]:
        return self._finish(Verdict(None, reason, text, self.position.scores, void=True))

    def _finish(self, verdict: Verdict) -> list[Effect]:
        self.verdict = verdict
        return [MatchOver(verdict), self._commit(partial(self._say_end, verdict))]

    def _say_end(self, verdict: Verdict) -> list[Effect]:
        self.over = True
        # An abandoned match may go on, with lengths that are still to be drawn.
        told = self.terms.lots.secret if self.terms.lots and verdict.reason is not Reason.ABANDONED else ""
        return [SendEnd(seat, verdict, self.position, self._news(seat), told) for seat in SEATS]

    def _commit(self, then: Callable[[], list[Effect]]) -> Commit:
        """Nobody is told before the record is safe; a newer commit takes the place of an older one."""
        self._commits += 1
        self._then = then
        return Commit(self._commits)


def reason_of(fault: Fault) -> Reason:
    excesses = {FaultKind.OVER_MEMORY: Reason.OVER_MEMORY, FaultKind.OVER_PROCESSES: Reason.OVER_PROCESSES}
    return excesses.get(fault.kind, Reason.CRASHED)
