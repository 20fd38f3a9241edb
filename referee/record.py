"""The record of a match: what its entries say, as they are written and as they are read again."""

import os
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from games import Game, IllegalMove, Mistake, Position, Proposal, Ruling, Seat, find_game
from referee import journal
from referee.events import SEATS, Fault, FaultKind, Terms
from referee.fairness import Certificate
from referee.lots import Lots
from referee.match import Match
from referee.timing import TimeControl
from referee.turn import Ending, Heard, TurnReport
from referee.verdict import Reason, Verdict

#: Of the entries; one that is read and unknown is refused.
FORMAT = 2
SUFFIX = ".match"

Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Custody:
    """How a bot was kept within bounds, and by which means; of a bot that we do not host we know nothing."""

    memory: int | None = None
    memory_by: str = ""
    processes: int | None = None
    processes_by: str = ""
    #: Whether it could think on its rival's time: "frozen", "not frozen", "allowed".
    off_turn: str = "not frozen"
    frozen_by: str = ""
    cores: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot at its seat: as the organiser named it, and who it says it is."""

    bot: str
    name: str
    version: str = ""
    author: str = ""
    custody: Custody = Custody()

    @property
    def remote(self) -> bool:
        """Whether it is called over a network, as far as its name tells."""
        return self.bot.startswith("grpc://")


@dataclass(frozen=True, slots=True)
class Series:
    """What a match is one game of; `bots` as they were named, the first at seat 1 in the first game."""

    series_id: str
    games: int
    seed: int
    bots: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Recorded:
    """A record as far as it was read."""

    terms: Terms
    entrants: tuple[Entrant, Entrant]
    series: Series | None
    start: str
    began: str
    key: str
    turns: tuple[Data, ...]
    faults: tuple[Data, ...]
    trips: tuple[Data, ...]
    tainted: tuple[Data, ...]
    verdict: Verdict | None
    sealed: bool


# Writing. Times within a turn are nanoseconds since it was sent; others since the match began or went on.


def begin_entry(
    terms: Terms, entrants: tuple[Entrant, Entrant], *, position: Position, series: Series | None, key: str
) -> Data:
    time = terms.time
    plan = None
    if series is not None:
        plan = {"id": series.series_id, "games": series.games, "seed": series.seed, "bots": list(series.bots)}
    return {
        "kind": "begin",
        "format": FORMAT,
        "shotclock": version("shotclock"),
        "match": terms.match_id,
        "series": plan,
        "game": terms.game,
        "variant": terms.variant,
        "options": dict(terms.options),
        "seed": terms.seed,
        "time": {
            "turn": time.turn,
            "longest": time.longest,
            "promise": terms.lots and terms.lots.promise,
            "hidden": time.hidden,
            "first": time.first,
            "budget": time.budget,
            "increment": time.increment,
            "grace": time.grace,
            "cpu": time.cpu,
            "cap": time.cap,
            "full_turns": time.full_turns,
            "nodes": time.nodes,
            "latency_credit": time.latency_credit,
        },
        "ruling": terms.ruling.value,
        "newest": terms.newest,
        "messages": terms.messages,
        "ready_within": terms.ready_within,
        "memory": terms.memory,
        "processes": terms.processes,
        "ponder": terms.ponder,
        "cores": own_cores(),
        "bots": entrants_data(entrants),
        "position": str(position),
        "began": now(),
        "key": key,
    }


def resume_entry(entrants: tuple[Entrant, Entrant], *, turn: int, key: str) -> Data:
    return {
        "kind": "resume",
        "turn": turn,
        "cores": own_cores(),
        "bots": entrants_data(entrants),
        "began": now(),
        "key": key,
    }


def trips_entry(trips: tuple[tuple[int, ...], tuple[int, ...]]) -> Data:
    return {"kind": "trips", "trips": [list(one) for one in trips]}


def turn_entry(report: TurnReport, *, epoch: int) -> Data:
    return {
        "kind": "turn",
        **receipt_data(report, epoch=epoch),
        "move": report.move or None,
        "effect": report.effect,
        "replaced": report.replaced,
        "after": None if report.after is None else str(report.after),
        "cpu": report.cpu,
        "budget": report.budget,
    }


def tainted_entry(report: TurnReport, *, epoch: int) -> Data:
    return {"kind": "tainted", **receipt_data(report, epoch=epoch)}


def receipt_data(report: TurnReport, *, epoch: int) -> Data:
    sent = report.sent
    return {
        "turn": report.turn,
        "seat": report.seat,
        "position": str(report.before),
        "sent": sent - epoch,
        "handed": None if report.handed is None else report.handed - sent,
        "thinking": report.thinking,
        "credit": report.credit,
        "spent": None if report.spent is None else report.spent - sent,
        "line": None if report.line is None else report.line - sent,
        "done": None if report.done is None else report.done - sent,
        "ended": report.ended - sent,
        "ending": report.ending.value,
        "heard": [
            {"at": heard.at - sent, **proposal_data(heard.proposal), "refused": heard.refused}
            for heard in report.heard
        ],
    }


def fault_entry(fault: Fault, *, epoch: int) -> Data:
    data = fault_data(fault)
    return {"kind": "fault", "fault": data.pop("kind"), **data, "at": fault.at - epoch}


def verdict_entry(verdict: Verdict, *, position: Position, lots: Lots | None, fairness: Certificate) -> Data:
    return {
        "kind": "verdict",
        "winner": verdict.winner,
        "reason": verdict.reason.value,
        "text": verdict.text,
        "scores": list(verdict.scores),
        "void": verdict.void,
        "position": str(position),
        "revealed": lots and lots.secret,
        "fairness": {
            "seats": [asdict(side) for side in fairness.sides],
            "difference": fairness.difference,
            "bound": fairness.bound,
        },
        "ended": now(),
    }


def proposal_data(proposal: Proposal) -> Data:
    return {name: value for name, value in asdict(proposal).items() if value not in (None, "", ())}


def fault_data(fault: Fault) -> Data:
    return {"seat": fault.seat, "turn": fault.turn, "kind": fault.kind.value, "text": fault.text}


def entrants_data(entrants: tuple[Entrant, Entrant]) -> list[Data]:
    return [
        {
            "seat": seat,
            "bot": one.bot,
            "name": one.name,
            "version": one.version,
            "author": one.author,
            "custody": custody_data(one.custody),
        }
        for seat, one in enumerate(entrants, 1)
    ]


def custody_data(custody: Custody) -> Data:
    return {**asdict(custody), "cores": None if custody.cores is None else list(custody.cores)}


def own_cores() -> list[int]:
    """Those that the referee may use."""
    return sorted(os.sched_getaffinity(0))


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


# Reading.


def read_record(path: Path) -> Recorded:
    return understand(journal.read(path), path)


def understand(contents: journal.Contents, path: Path) -> Recorded:
    if not contents.entries:
        raise Mistake(f"{path} holds no match: its first entry never reached the disk")
    begin = contents.entries[0]
    if begin.get("kind") != "begin" or begin.get("format") != FORMAT:
        raise Mistake(f"{path} is no record that this Shotclock can read: it wants format {FORMAT}")
    by_kind: dict[str, list[Data]] = {
        kind: [] for kind in ("turn", "fault", "trips", "tainted", "verdict", "seal", "resume")
    }
    for entry in contents.entries[1:]:
        by_kind.get(entry["kind"], []).append(entry)
    first, second = map(entrant_of, begin["bots"])
    plan = begin["series"]
    verdict = by_kind["verdict"][-1] if by_kind["verdict"] else None
    return Recorded(
        terms=terms_of(begin, revealed=verdict["revealed"] if verdict else None),
        entrants=(first, second),
        series=plan and Series(plan["id"], plan["games"], plan["seed"], (plan["bots"][0], plan["bots"][1])),
        start=begin["position"],
        began=begin["began"],
        key=begin["key"],
        turns=tuple(by_kind["turn"]),
        faults=tuple(by_kind["fault"]),
        trips=tuple(by_kind["trips"]),
        tainted=tuple(by_kind["tainted"]),
        verdict=verdict_of(verdict) if verdict else None,
        sealed=bool(by_kind["seal"]),
    )


def entrant_of(bot: Data) -> Entrant:
    custody = bot["custody"]
    cores = custody["cores"] and tuple(custody["cores"])
    return Entrant(
        bot["bot"], bot["name"], bot["version"], bot["author"], Custody(**{**custody, "cores": cores})
    )


def terms_of(begin: Data, *, revealed: str | None) -> Terms:
    time: Data = dict(begin["time"])
    promise = time.pop("promise")
    return Terms(
        match_id=begin["match"],
        game=begin["game"],
        variant=begin["variant"],
        options=begin["options"],
        seed=begin["seed"],
        time=TimeControl(**time),
        ruling=Ruling(begin["ruling"]),
        ready_within=begin["ready_within"],
        newest=begin["newest"],
        memory=begin["memory"],
        processes=begin["processes"],
        ponder=begin["ponder"],
        lots=promise and Lots(promise, revealed or ""),
    )


def verdict_of(entry: Data) -> Verdict:
    scores = (entry["scores"][0], entry["scores"][1])
    return Verdict(entry["winner"], Reason(entry["reason"]), entry["text"], scores, void=entry["void"])


def restore(recorded: Recorded, *, wishes: AbstractSet[Seat] = frozenset()) -> Match:
    """The match as it stood when the record ends; `wishes` are the seats that want their legal moves."""
    game = find_game(recorded.terms.game)
    start = position = game.parse(recorded.start)
    reports: list[TurnReport] = []
    for turn in recorded.turns:
        after = position_after(game, position, turn)
        reports.append(report_of(turn, before=position, after=after))
        position = after or position
    legal_moves = tuple(position.legal_moves()) if position.seat in wishes else ()
    remote = remote_seats(recorded.entrants)
    match = Match(recorded.terms, start, past=reports, legal_moves=legal_moves, remote=remote)
    for entry in recorded.trips:
        for seat in SEATS:
            match.trips[seat] += tuple(entry["trips"][seat - 1])
    match.tainted = [
        report_of(turn, before=match.position_at(turn["turn"] - 1), after=None) for turn in recorded.tainted
    ]
    match.faults = [fault_of(fault) for fault in recorded.faults]
    match.verdict = recorded.verdict
    match.over = recorded.verdict is not None
    return match


def remote_seats(entrants: tuple[Entrant, Entrant]) -> frozenset[Seat]:
    return frozenset(seat for seat, one in zip(SEATS, entrants, strict=True) if one.remote)


def position_after(game: Game, position: Position, turn: Data) -> Position | None:
    if turn["move"] is None:
        return None
    try:
        after = position.play(turn["move"])
    except IllegalMove:
        after = None
    # An oracle that could not decide then may decide now: what was recorded stands.
    return after if after is not None and str(after) == turn["after"] else game.parse(turn["after"])


def report_of(turn: Data, *, before: Position, after: Position | None) -> TurnReport:
    sent = turn["sent"]
    return TurnReport(
        turn=turn["turn"],
        seat=turn["seat"],
        before=before,
        after=after,
        heard=tuple(heard_of(heard, sent) for heard in turn["heard"]),
        ending=Ending(turn["ending"]),
        sent=sent,
        line=None if turn["line"] is None else sent + turn["line"],
        ended=sent + turn["ended"],
        replaced=turn.get("replaced", False),
        budget=turn.get("budget"),
        thinking=turn["thinking"],
        done=None if turn["done"] is None else sent + turn["done"],
        cpu=turn.get("cpu"),
        spent=None if turn["spent"] is None else sent + turn["spent"],
        handed=None if turn["handed"] is None else sent + turn["handed"],
        credit=turn["credit"],
    )


def heard_of(heard: Data, sent: int) -> Heard:
    said = Proposal(
        move=heard.get("move", ""),
        score=heard.get("score"),
        depth=heard.get("depth"),
        nodes=heard.get("nodes"),
        line=tuple(heard.get("line", ())),
        note=heard.get("note", ""),
    )
    return Heard(sent + heard["at"], said, heard["refused"])


def fault_of(fault: Data) -> Fault:
    return Fault(fault["seat"], fault["turn"], fault["at"], FaultKind(fault["fault"]), fault["text"])
