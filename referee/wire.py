"""The one place where the referee's own types meet the messages of the contract."""

import math
from dataclasses import dataclass

from google.protobuf.duration_pb2 import Duration

from games import Mistake, Position, Proposal, Ruling, Seat
from referee.events import (
    Declined,
    Done,
    Event,
    Fault,
    FaultKind,
    Noise,
    Proposed,
    Ready,
    Resigned,
    SendEnd,
    SendTurn,
    Stopped,
    Terms,
)
from referee.seeds import derive
from referee.timing import SECOND, TimeControl
from shotclock.v1 import bot_pb2 as pb

MAJOR, MINOR = 1, 1
#: The first minor version whose bots answer pings.
PINGS_SINCE = 1
LONGEST_MOVE, LONGEST_STEP, LONGEST_NAME, LONGEST_NOTE, LONGEST_FAULT = 1000, 64, 64, 200, 2000

RULINGS = {
    Ruling.LOSES: pb.RULING_LOSES,
    Ruling.SKIPPED: pb.RULING_SKIPPED,
    Ruling.REPLACED: pb.RULING_REPLACED,
}
FAULTS = {
    pb.FAULT_KIND_RAISED: FaultKind.RAISED,
    pb.FAULT_KIND_KILLED: FaultKind.KILLED,
    pb.FAULT_KIND_OVER_MEMORY: FaultKind.OVER_MEMORY,
    pb.FAULT_KIND_OVER_PROCESSES: FaultKind.OVER_PROCESSES,
}


@dataclass(frozen=True, slots=True)
class Greeting:
    """Who a bot says it is, made fit to be shown."""

    name: str
    version: str
    author: str
    wants_legal_moves: bool
    custody: pb.Custody | None
    answers_pings: bool = False


def clean(text: str, limit: int) -> str:
    """Nothing from a bot reaches a terminal or a log with control characters in it, or at any length."""
    shown = text[: 2 * limit]
    if not shown.isprintable():
        shown = "".join(letter if letter.isprintable() else " " for letter in shown)
    shown = shown.strip()
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


def greeting(hello: pb.Hello, *, game: str, variant: str, bot: str) -> Greeting:
    """Refuses a bot of another protocol or another game, in a sentence for whoever named it."""
    name = clean(hello.name, LONGEST_NAME) or bot
    protocol = hello.protocol
    if protocol.major != MAJOR:
        change = "update Shotclock" if protocol.major > MAJOR else "update the bot"
        theirs = f"{protocol.major}.{protocol.minor}"
        raise Mistake(f"bot {bot!r} speaks protocol {theirs} and this referee {MAJOR}.{MINOR}: {change}")
    offered = {support.game: support.variants for support in hello.games}
    if game not in offered:
        games = clean(", ".join(offered), 200) or "no game at all"
        raise Mistake(f"bot {bot!r} does not play {game}: it plays {games}")
    if offered[game] and variant not in offered[game]:
        variants = clean(", ".join(offered[game]), 200)
        raise Mistake(f"bot {bot!r} does not play {game} {variant}: it plays {variants}")
    return Greeting(
        name=name,
        version=clean(hello.version, LONGEST_NAME),
        author=clean(hello.author, LONGEST_NAME),
        wants_legal_moves=hello.wishes.legal_moves,
        custody=hello.custody if hello.HasField("custody") else None,
        answers_pings=protocol.minor >= PINGS_SINCE,
    )


def duration(nanoseconds: int) -> Duration:
    seconds, nanos = divmod(nanoseconds, SECOND)
    return Duration(seconds=seconds, nanos=nanos)


def begin(terms: Terms, seat: Seat, *, position: Position, moves: list[str]) -> pb.ToBot:
    message = pb.Begin(
        match=terms.match_id,
        game=terms.game,
        variant=terms.variant,
        options=terms.options,
        seat=seat,
        seed=derive(terms.seed, "seat", seat),
        moves=moves,
        ready_within=duration(terms.ready_within),
        position=str(position),
        ruling=RULINGS[terms.ruling],
        thinks_off_turn=terms.ponder,
    )
    time = terms.time
    if not time.unlimited or time.nodes:
        message.time_control.CopyFrom(time_control(terms))
    return pb.ToBot(begin=message)


def time_control(terms: Terms) -> pb.TimeControl:
    """What a bot may know: of hidden lengths only the promise how they are drawn."""
    time = terms.time
    known = pb.TimeControl(
        hidden=time.hidden,
        promise=terms.lots.promise if terms.lots else "",
        cpu=time.cpu,
        cap=time.cap if time.cpu else 0,
        full_turns=time.full_turns,
        nodes=time.nodes or 0,
    )
    if not time.unlimited:
        known.grace.CopyFrom(duration(time.grace))
    if time.turn is not None and not time.hidden:
        known.turn.CopyFrom(duration(time.turn))
    if time.first is not None and not time.hidden:
        known.first_turn.CopyFrom(duration(time.first))
    if time.budget is not None:
        known.budget.CopyFrom(duration(time.budget))
    if time.increment:
        known.increment.CopyFrom(duration(time.increment))
    return known


def turn(effect: SendTurn, time: TimeControl) -> pb.ToBot:
    message = pb.Turn(
        turn=effect.turn,
        position=str(effect.position),
        moves=effect.moves,
        legal_moves=effect.legal_moves,
        nodes=time.nodes or 0,
    )
    if effect.thinking is not None and not time.hidden:
        message.clock.remaining.CopyFrom(duration(effect.thinking))
        message.clock.grace.CopyFrom(duration(time.grace))
    if effect.budget is not None:
        message.clock.budget.CopyFrom(duration(effect.budget))
    return pb.ToBot(turn=message)


def ping(number: int) -> pb.ToBot:
    return pb.ToBot(ping=pb.Ping(number=number))


def stop(number: int) -> pb.ToBot:
    return pb.ToBot(stop=pb.Stop(turn=number))


def end(effect: SendEnd) -> pb.ToBot:
    verdict = effect.verdict
    if verdict.void:
        result = pb.RESULT_VOID
    elif verdict.winner is None:
        result = pb.RESULT_DRAW
    else:
        result = pb.RESULT_WIN if verdict.winner == effect.seat else pb.RESULT_LOSS
    return pb.ToBot(
        end=pb.End(
            result=result,
            reason=verdict.reason.value,
            text=verdict.text,
            position=str(effect.position),
            moves=effect.moves,
            revealed=effect.revealed,
        )
    )


def event(seat: Seat, message: pb.ToReferee, at: int) -> Event:
    """What a message means to the match."""
    match message.WhichOneof("message"):
        case "proposal":
            said = message.proposal
            return Proposed(seat, said.turn, at, proposal(said), done=said.done)
        case "done":
            return Done(seat, message.done.turn, at)
        case "stopped":
            return Stopped(seat, message.stopped.turn, at)
        case "ready":
            return Ready(seat)
        case "decline":
            return Declined(seat, clean(message.decline.reason, LONGEST_NOTE))
        case "resign":
            return Resigned(seat)
        case "fault":
            fault = message.fault
            kind = FAULTS.get(fault.kind, FaultKind.DIED)
            return Fault(seat, fault.turn, at, kind, clean(fault.text, LONGEST_FAULT))
        case _:  # a second hello, or what a later version knows
            return Noise(seat)


def proposal(said: pb.Proposal) -> Proposal:
    score = said.score if said.HasField("score") and math.isfinite(said.score) else None
    return Proposal(
        move=clean(said.move, LONGEST_MOVE),
        score=score,
        depth=said.depth if said.HasField("depth") else None,
        nodes=said.nodes if said.HasField("nodes") else None,
        line=tuple(clean(move, LONGEST_STEP) for move in said.line[:32]),
        note=clean(said.note, LONGEST_NOTE),
    )
