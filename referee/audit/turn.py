"""One turn judged again from its receipt: what was in time, and which move must stand."""

import random
from dataclasses import dataclass, replace

from games import Game, IllegalMove, Position
from games.sudoku import Sudoku
from games.sudoku.move import Move
from games.sudoku.oracle import LARGE
from referee.audit.clock import in_time
from referee.audit.flaw import Data, insist, insist_same
from referee.audit.seeds import derived


@dataclass(frozen=True, slots=True)
class Standing:
    """What the rules make of a turn; `after` is None if no move stands."""

    after: Position | None
    replaced: bool
    #: By the text of the move.
    refused: dict[str, str]
    #: The oracle could not decide, then or now, so that the record is believed.
    undecided: bool = False


def check_arrivals(turn: Data, *, messages: int) -> None:
    heard = turn["heard"]
    insist(
        len(heard) <= messages, f"{len(heard)} proposals were heard, but only {messages} messages are read"
    )
    before = 0
    for number, one in enumerate(heard, 1):
        at = one["at"]
        insist(at >= before, f"proposal {number} came after {at} ns, earlier than the one before it")
        insist(at <= turn["ended"], f"proposal {number} came after {at} ns, when the turn had ended")
        before = at


def check_faults(turn: Data, faults: list[Data]) -> Data | None:
    """The fault that ended the turn: the first of this bot in this turn and by the line, if any was so soon."""
    sent, ended = turn["sent"], turn["ended"]
    for fault in faults:
        at = fault["at"] - sent
        if (fault["seat"], fault["turn"]) == (turn["seat"], turn["turn"]) and 0 <= at <= ended:
            if turn["ending"] == "fault" and at == ended:
                return fault
            insist(
                at == ended or not in_time(at, turn["line"]),
                f"a fault of the bot after {at} ns must have ended it",
            )
    insist(turn["ending"] != "fault", "no fault entry before it says what ended it")
    return None


def stand(game: Game, position: Position, turn: Data, agreed: Data) -> Standing:
    """Which move must stand."""
    refused: dict[str, str] = {}
    for move in judged_moves(turn, ruling=agreed["ruling"], newest=agreed["newest"]):
        try:
            after = position.play(move)
        except IllegalMove as refusal:
            refused[move] = str(refusal)
        else:
            return believed(Standing(after, replaced=False, refused=refused), position, turn)
    if agreed["ruling"] != "replaced":
        return Standing(None, replaced=False, refused=refused)
    insist(bool(position.legal_moves()), "there is no move left that could stand in")
    rng = random.Random(derived(agreed["seed"], "stand-in", turn["turn"]))
    after = position.play(game.stand_in(position, rng))
    return believed(Standing(after, replaced=True, refused=refused), position, turn)


def judged_moves(turn: Data, *, ruling: str, newest: int) -> list[str]:
    """Those that the rules were asked about, the newest first."""
    if turn["ending"] == "late":
        return []
    accepted = [one.get("move", "") for one in reversed(turn["heard"]) if in_time(one["at"], turn["line"])]
    return accepted[: newest if ruling == "skipped" else 1]


def believed(standing: Standing, position: Position, turn: Data) -> Standing:
    """The record's word against ours, where the oracle of a 25x25 Sudoku gave up on one of both occasions."""
    after = standing.after
    if not isinstance(position, Sudoku) or not isinstance(after, Sudoku) or position.shape.side != LARGE:
        return standing
    move = Move.parse(after.last)
    unsure = position.settle(move, answer=None)
    undecided = after.effect == unsure.effect
    ways = [position.settle(move, answer=answer) for answer in (True, False)] if undecided else [unsure]
    for way in ways:
        if (str(way), way.effect) == (turn["after"], turn["effect"]):
            return replace(standing, after=way, undecided=True)
    return replace(standing, undecided=undecided)


def check_standing(turn: Data, standing: Standing) -> None:
    after = standing.after
    insist_same("move", turn["move"], after.last if after else None)
    insist_same("effect", turn["effect"], after.effect if after else "")
    insist_same("replaced", turn["replaced"], standing.replaced)
    insist_same("after", turn["after"], str(after) if after else None)


def check_refusals(turn: Data, refused: dict[str, str]) -> bool:
    """Whether the rules still use the words they used then, which is no matter of right or wrong."""
    as_now = True
    for number, one in enumerate(turn["heard"], 1):
        said, now = one["refused"], refused.get(one.get("move", ""), "")
        if not in_time(one["at"], turn["line"]):
            insist_same(f"refused of proposal {number}", said, "late")
        elif now:
            insist(said not in {"", "late"}, f"proposal {number} is against the rules: {now}")
            as_now &= said == now
        else:
            insist_same(f"refused of proposal {number}", said, "")
    return as_now


def newest_refusal(turn: Data) -> str:
    """As recorded; there is one only if the rules have refused every move they were asked about."""
    return next((one["refused"] for one in reversed(turn["heard"]) if in_time(one["at"], turn["line"])), "")
