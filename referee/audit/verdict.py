"""The verdict that must follow, or that may."""

from dataclasses import dataclass

from games import Outcome, Seat, other
from referee.audit.flaw import Data, Flaw, insist, insist_same

#: Reasons that only the referee can have seen: the end of the text about the seat that loses, or its beginning.
SEEN = {"disconnected": "left the match: ", "resigned": "resigned", "no_show": "was not ready in time"}
#: Reasons that come before the first turn, after a start as after a resume.
OPENING = {"no_show", "declined"}
#: Faults that are reasons as well; all others are a crash.
EXCESSES = {"over_memory", "over_processes"}


@dataclass(frozen=True, slots=True)
class Due:
    """A verdict that leaves no choice."""

    winner: Seat | None
    reason: str
    text: str

    def check(self, verdict: Data) -> None:
        insist_same("reason", verdict["reason"], self.reason)
        insist_same("winner", verdict["winner"], self.winner)
        insist_same("text", verdict["text"], self.text)
        insist_same("void", verdict["void"], due=False)


def by_the_rules(outcome: Outcome) -> Due:
    first, second = outcome.scores
    return Due(outcome.winner, "finished", f"{outcome.reason}, {first} : {second}")


def without_move(turn: Data, *, refusal: str, fault: Data | None) -> Due:
    """`refusal` is why the rules refused the newest proposal, if there was one."""
    seat = turn["seat"]
    if refusal:
        reason, text = "illegal", f"played an illegal move: {refusal}"
    elif fault is not None:
        reason, text = reason_of(fault), f"{fault['fault']}: {fault['text']}"
    elif turn["ending"] == "late":
        reason, text = "late", "used up its time for the game"
    elif turn["done"] is not None:
        reason, text = "no_move", "said it was done without proposing a move"
    else:
        reason, text = "no_move", "proposed no move before the line"
    return Due(other(seat), reason, f"seat {seat} {text}")


def before_the_first_turn(fault: Data) -> Due:
    seat = fault["seat"]
    text = f"seat {seat} {fault['fault']} before the first turn: {fault['text']}"
    return Due(other(seat), reason_of(fault), text)


def reason_of(fault: Data) -> str:
    return str(fault["fault"]) if fault["fault"] in EXCESSES else "crashed"


def check_seen(verdict: Data, *, opening: bool, again: int | None) -> str:
    """A reason that is not in the entries, but possible. Gives a note.

    `opening` is before the first turn, `again` the turn that is to be played again.
    """
    reason, winner, text = verdict["reason"], verdict["winner"], verdict["text"]
    if reason not in SEEN and reason not in {"declined", "tainted"}:
        raise Flaw(f"nothing before it makes the match end by {reason}")
    insist(opening or reason not in OPENING, f"{reason} cannot be after a turn was played")
    if reason == "declined":
        insist_same("winner", winner, None)
        possible = text.startswith(("seat 1 declined: ", "seat 2 declined: "))
    elif reason == "tainted":
        insist(again is not None, "no turn before it was tainted")
        insist_same("winner", winner, None)
        possible = text.startswith(f"turn {again} could not be played again: ")
    elif winner is None:
        possible = reason == "no_show" and text == "neither bot was ready in time"
    else:
        says = f"seat {other(winner)} {SEEN[reason]}"
        possible = text.startswith(says) if reason == "disconnected" else text == says
    insist(possible, f"its text does not fit a winner {winner} by {reason}: {text:.100}")
    insist_same("void", verdict["void"], winner is None)
    return f"{reason}: only the referee saw it"
