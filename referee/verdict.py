"""How a match ended, and why: a value, never an exception."""

from dataclasses import dataclass
from enum import StrEnum

from games import Seat


class Reason(StrEnum):
    """Why a match is over; all but the first are the doing of a bot, an organiser or a person."""

    FINISHED = "finished"  # by the rules of the game
    ILLEGAL = "illegal"  # the move was refused by the rules
    NO_MOVE = "no_move"  # nothing valid arrived before the line
    LATE = "late"  # the budget for the game ran out
    CRASHED = "crashed"  # the bot's program failed and left no move
    OVER_MEMORY = "over_memory"
    OVER_PROCESSES = "over_processes"
    DISCONNECTED = "disconnected"  # the stream ended before the match did
    RESIGNED = "resigned"
    NO_SHOW = "no_show"  # not ready in time
    DECLINED = "declined"  # a host was full: not a loss
    TAINTED = "tainted"  # the referee was too slow, and the turn could not be played again: not a loss
    ABANDONED = "abandoned"  # the referee was told to stop


@dataclass(frozen=True, slots=True)
class Verdict:
    """`winner` is None for a draw and for a void match, which does not count."""

    winner: Seat | None
    reason: Reason
    text: str
    scores: tuple[int, int]
    void: bool = False
