"""A turn under way: what has been heard of it so far."""

from dataclasses import dataclass, field

from games import Position, Seat
from referee.events import Fault, Judged
from referee.turn import Ending, Heard, TurnReport


@dataclass(slots=True)
class Thinking:
    """A turn under way; `sent` is None until it has been handed to the transport."""

    turn: int
    seat: Seat
    sent: int | None = None
    line: int | None = None
    heard: list[Heard] = field(default_factory=list)
    #: How long the bot may think; None without a clock.
    time: int | None = None
    ending: Ending | None = None
    ended: int = 0
    done: int | None = None
    fault: Fault | None = None
    #: What its meter said before the turn, and what it used; and when the referee saw that this was all.
    meter: int | None = None
    cpu: int | None = None
    spent: int | None = None
    handed: int | None = None
    credit: int = 0
    #: When the referee came to the line, if so late that it looks what has arrived first.
    doubted: int | None = None
    #: Something of this turn was read after the line.
    overran: bool = False

    def of(self, seat: Seat, turn: int) -> bool:
        return (self.seat, self.turn) == (seat, turn)

    def accepts(self, at: int) -> bool:
        """Whether a message may still change the turn: the acceptance rule is the last line."""
        if self.sent is None or self.ending:
            return False
        return self.line is None or at <= self.line

    def receipt(self, judged: Judged, *, before: Position, budget: int | None) -> TurnReport:
        refused = {refusal.move: refusal.text for refusal in judged.refused}
        heard = tuple(
            Heard(one.at, one.proposal, one.refused or refused.get(one.proposal.move, ""))
            for one in self.heard
        )
        return TurnReport(
            turn=self.turn,
            seat=self.seat,
            before=before,
            after=judged.after,
            heard=heard,
            ending=self.ending or Ending.LINE,
            sent=self.sent or 0,
            line=self.line,
            ended=self.ended,
            replaced=judged.replaced,
            budget=budget,
            thinking=self.time,
            done=self.done,
            cpu=self.cpu,
            spent=self.spent,
            handed=self.handed,
            credit=self.credit,
        )
