"""A match on a terminal: cheap to draw, because whatever takes time here is the referee's own lag."""

import os
import shutil
import sys
import time
from collections.abc import Sequence
from enum import Enum, auto
from typing import TextIO

from rich.console import Console
from rich.table import Table

from games import Position, Proposal
from referee.driver import Watcher
from referee.events import Effect, Event, Fault, Proposed, TurnOver, TurnSent
from referee.fairness import Certificate, certify
from referee.match import Match
from referee.report import standing_data
from referee.series import Played
from referee.timing import MILLISECOND, format_duration
from referee.turn import Ending, Heard, TurnReport

#: Proposals shown of one turn; the first and the last ones tell most.
THOUGHTS = 6
FRAME_EVERY = 50 * MILLISECOND


class Show(Enum):
    """How much of a match is shown; less when somebody else uses the terminal meanwhile."""

    #: On a terminal that is tall enough one frame, drawn over and over.
    LIVE = auto()
    #: Turns as they end.
    TURNS = auto()
    #: For a person who sees the board at the prompt.
    VERDICT = auto()


class Screen:
    """Prints a match as it goes, on a terminal or anywhere else."""

    def __init__(self, out: TextIO | None = None, *, show: Show = Show.LIVE) -> None:
        self.show = show
        self.out = out or sys.stdout
        # A dumb terminal would show our escape codes.
        self.live = self.out.isatty() and os.environ.get("TERM") != "dumb"
        self.console = Console(file=self.out, highlight=False, markup=False, emoji=False)

    def announce(self, match: Match, names: tuple[str, str]) -> Watcher:
        self.head(match, names)
        if self.show is Show.VERDICT:
            return look_away
        self.write("\n")
        board = match.position.draw(colour=self.live)
        tall = shutil.get_terminal_size().lines > board.count("\n") + THOUGHTS + 8
        if self.show is Show.LIVE and self.live and tall:
            return Frame(self.out, match.position, names).watch
        self.write(board + "\n\n")
        return Lines(self.out, names).watch

    def head(self, match: Match, names: tuple[str, str]) -> None:
        terms = match.terms
        settings = "".join(f", {key} {value}" for key, value in terms.options.items())
        self.write(
            f"{terms.game} {terms.variant}{settings}, {terms.time}, seed {terms.seed}, match {terms.match_id}\n"
        )
        self.write(f"seat 1: {names[0]}    seat 2: {names[1]}\n")

    def write(self, text: str) -> None:
        self.out.write(text)
        self.out.flush()

    def verdict(self, played: Played) -> None:
        match, verdict = played.match, played.match.verdict
        board = "" if self.show is Show.VERDICT else match.position.draw(colour=self.live) + "\n\n"
        self.write(f"\n{board}")
        if verdict is None:
            return
        self.write(verdict_line(played) + "\n")
        for report in match.tainted:
            self.write(tainted_line(report, played.names) + "\n")
        for fault in match.faults:
            self.write(fault_line(fault, played.names) + "\n")
        self.console.print(timing_table(played))
        if not match.terms.time.unlimited:
            self.write(fairness_line(certify(match.trips, match.reports)) + "\n")
        if played.record is not None:
            self.write(f"record: {played.record}\n")

    def standings(self, games: Sequence[Played]) -> None:
        table = Table("bot", "games", "wins", "draws", "losses", "score", "points", title="series")
        for bot in (0, 1):
            row = standing_data(games, bot)
            cells = [row[key] for key in ("name", "games", "wins", "draws", "losses", "score", "points")]
            table.add_row(*(f"{cell:g}" if isinstance(cell, float) else str(cell) for cell in cells))
        self.console.print(table)


def look_away(_event: Event | Effect) -> None:
    """The watcher that shows nothing."""


class Lines:
    """One block of lines per turn: the move, then how the bot came to it."""

    def __init__(self, out: TextIO, names: tuple[str, str]) -> None:
        self.out = out
        self.names = names

    def watch(self, event: Event | Effect) -> None:
        if isinstance(event, TurnOver):
            self.out.write("\n".join(turn_lines(event.report, self.names)) + "\n")
            self.out.flush()


class Frame:
    """Board, last turns and the thinking under way, drawn in place a few times a second."""

    def __init__(self, out: TextIO, position: Position, names: tuple[str, str]) -> None:
        self.out = out
        self.names = names
        self.board = position.draw(colour=True)
        self.history: list[str] = []
        self.thoughts: list[str] = []
        self.sent = 0
        self.drawn = 0
        self.out.write("\x1b[2J")
        self.draw()

    def watch(self, event: Event | Effect) -> None:
        match event:
            case TurnSent(_, at):
                self.sent, self.thoughts = at, []
            case Proposed(_, _, at, proposal):
                self.thoughts = [*self.thoughts[-THOUGHTS + 1 :], thought_line(at - self.sent, proposal)]
                if time.monotonic_ns() - self.drawn > FRAME_EVERY:
                    self.draw()
            case TurnOver(report):
                self.board = (report.after or report.before).draw(colour=True)
                self.history = [*self.history[-3:], turn_lines(report, self.names)[0]]
                self.draw()
            case _:
                pass

    def draw(self) -> None:
        lines = [*self.board.splitlines(), "", *self.history, *self.thoughts]
        self.out.write("\x1b[H" + "".join(f"{line}\x1b[K\n" for line in lines) + "\x1b[J")
        self.out.flush()
        self.drawn = time.monotonic_ns()


def verdict_line(played: Played) -> str:
    verdict = played.match.verdict
    if verdict is None:
        return "unfinished"
    if verdict.void:
        outcome = "void"
    elif verdict.winner is None:
        outcome = "draw"
    else:
        outcome = f"{played.names[verdict.winner - 1]} (seat {verdict.winner}) wins"
    return f"{outcome}: {verdict.reason.value}, {verdict.text}"


def turn_lines(report: TurnReport, names: tuple[str, str]) -> list[str]:
    took = format_duration(report.ended - report.sent)
    move = report.move or "no move"
    effect = f"  {report.effect}" if report.effect else ""
    how = "  drawn by the referee" if report.replaced else ""
    who = f"turn {report.turn:>3}  {names[report.seat - 1]:<12}"
    if report.done is not None and report.ending is not Ending.DONE:
        took += f", done after {format_duration(report.done - report.sent)}"
    if report.cpu is not None:
        took += f", CPU {format_duration(report.cpu)}"
    head = f"{who} {move:<8}{effect}{how}  ({report.ending.value}, {took})"
    heard = report.heard
    if len(heard) <= THOUGHTS:
        return [head, *(heard_line(one, report.sent) for one in heard)]
    shown = [heard_line(one, report.sent) for one in (heard[0], *heard[-THOUGHTS + 1 :])]
    return [head, shown[0], f"            … {len(heard) - THOUGHTS} more", *shown[1:]]


def heard_line(heard: Heard, sent: int) -> str:
    line = thought_line(heard.at - sent, heard.proposal)
    return f"{line}  refused: {heard.refused}" if heard.refused else line


def thought_line(after: int, proposal: Proposal) -> str:
    said = f"{format_duration(after):>16}  {proposal.move[:40]:<8}"
    if proposal.score is not None:
        said += f"  score {proposal.score:g}"
    if proposal.depth is not None:
        said += f"  depth {proposal.depth}"
    if proposal.nodes is not None:
        said += f"  nodes {proposal.nodes}"
    return (said + (f"  {proposal.note}" if proposal.note else "")).rstrip()


def tainted_line(report: TurnReport, names: tuple[str, str]) -> str:
    who = f"{names[report.seat - 1]} (seat {report.seat})"
    return (
        f"turn {report.turn} of {who} was tainted: the referee was {format_duration(report.lag)} late itself"
    )


def fairness_line(certificate: Certificate) -> str:
    first, second = certificate.sides
    lags = f"worst lag {format_duration(first.worst)} and {format_duration(second.worst)}"
    if certificate.difference is None or certificate.bound is None:
        silent = " and ".join(
            str(seat) for seat, side in enumerate(certificate.sides, 1) if side.trip is None
        )
        return f"fairness: no certificate, since seat {silent} answered no pings; {lags}"
    trips = f"{format_duration(first.trip or 0)} and {format_duration(second.trip or 0)}"
    credit = ""
    if first.credit or second.credit:
        credit = f", credit {format_duration(first.credit)} and {format_duration(second.credit)}"
    apart, bound = format_duration(certificate.difference), format_duration(certificate.bound)
    return (
        f"fairness: usable windows differ by {apart}, at most {bound} (round trips {trips}{credit}, {lags})"
    )


def fault_line(fault: Fault, names: tuple[str, str]) -> str:
    return f"fault in turn {fault.turn}: {names[fault.seat - 1]} (seat {fault.seat}) {fault.kind.value}: {fault.text}"


def compare(then: TurnReport, now: TurnReport, *, names: tuple[str, str]) -> Table:
    """Two answers to one turn side by side: the move, what it did, and how each came to it."""
    table = Table("", *names, title=f"turn {then.turn}, seat {then.seat}")
    rows = {
        "move": [report.move or "none" for report in (then, now)],
        "effect": [report.effect for report in (then, now)],
        "ended": [
            f"{report.ending.value}, {format_duration(report.ended - report.sent)}" for report in (then, now)
        ],
        "thinking": [
            "\n".join(heard_line(one, report.sent).strip() for one in report.heard) for report in (then, now)
        ],
    }
    for name, cells in rows.items():
        table.add_row(name, *cells)
    return table


def timing_table(played: Played) -> Table:
    table = Table(
        "seat", "bot", "turns", "proposals", "median turn", "longest turn", "worst lag", title="timing"
    )
    for seat, name in enumerate(played.names, 1):
        reports = [report for report in played.match.reports if report.seat == seat]
        if not reports:
            table.add_row(str(seat), name, "0", "0", "-", "-", "-")
            continue
        took = sorted(report.ended - report.sent for report in reports)
        table.add_row(
            str(seat),
            name,
            str(len(reports)),
            str(sum(len(report.heard) for report in reports)),
            format_duration(took[len(took) // 2]),
            format_duration(took[-1]),
            format_duration(max(report.lag for report in reports)),
        )
    return table
