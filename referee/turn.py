"""One turn as it was played, for the record and for whoever watches."""

from dataclasses import dataclass
from enum import StrEnum

from games import Position, Proposal, Seat


class Ending(StrEnum):
    """What ended a bot's thinking."""

    DONE = "done"
    LINE = "line"
    LATE = "late"  # the budget for the game was used up
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Heard:
    """A proposal that arrived, and why it did not count, if it did not."""

    at: int
    proposal: Proposal
    refused: str = ""


@dataclass(frozen=True, slots=True)
class TurnReport:
    """One turn with its timing receipt: enough to judge it again."""

    turn: int
    seat: Seat
    before: Position
    #: The position after the move that stands; None if none does.
    after: Position | None
    heard: tuple[Heard, ...]
    ending: Ending
    sent: int
    line: int | None
    #: When the referee saw the turn end.
    ended: int
    #: The move was drawn by the referee.
    replaced: bool = False
    #: What is left of the bot's budget, if it has one.
    budget: int | None = None
    #: How long the bot might think, None without a clock.
    thinking: int | None = None
    #: When the bot said that it was done, if it did.
    done: int | None = None
    #: Processor time that the bot used, where that is its time; and when the referee saw that it was used up.
    cpu: int | None = None
    spent: int | None = None
    #: When the transport took the turn.
    handed: int | None = None
    #: What the bot was given on top for its way.
    credit: int = 0

    @property
    def move(self) -> str:
        return self.after.last if self.after else ""

    @property
    def effect(self) -> str:
        return self.after.effect if self.after else ""

    @property
    def lag(self) -> int:
        """How late the referee itself was: in handing the turn over, and at the line."""
        handing = 0 if self.handed is None else self.handed - self.sent
        if self.line is None or self.ending not in {Ending.LINE, Ending.LATE}:
            return handing
        return handing + self.ended - self.line
