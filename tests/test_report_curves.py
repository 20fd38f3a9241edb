"""How answers grow during a turn, by value."""

from typing import Any

import pytest

from referee.reporting.curves import SHARES, curve, instants, shorter
from referee.timing import MILLISECOND, SECOND, TimeControl

TIME = TimeControl(100 * MILLISECOND)


def turn(*proposals: tuple[int, str], move: str | None = "last", **changes: object) -> dict[str, Any]:
    """Proposals are a time in milliseconds and a move; scores count from 10, depths from 1."""
    heard = [
        {"at": at * MILLISECOND, "move": said, "score": 10.0 * number, "depth": number, "refused": ""}
        for number, (at, said) in enumerate(proposals, 1)
    ]
    return {
        "thinking": 100 * MILLISECOND,
        "done": None,
        "ended": 105 * MILLISECOND,
        "move": move,
        "replaced": False,
        "heard": heard,
        **changes,
    }


def same_at(share: float, found: dict[str, Any], time: TimeControl = TIME) -> bool | None:
    seen = instants(found, time)
    assert seen is not None
    return seen[SHARES.index(share)].same


def test_at_each_instant_the_newest_proposal_stands() -> None:
    """First none, then another move, then the one that is played."""
    found = turn((20, "first"), (40, "last"))
    assert [same_at(share, found) for share in (1 / 8, 1 / 4, 1 / 2, 1)] == [None, False, True, True]


def test_a_move_that_was_left_and_taken_again_is_not_the_same_between() -> None:
    """What counts is what stood, not what had been seen."""
    found = turn((10, "last"), (40, "other"), (90, "last"))
    assert [same_at(share, found) for share in (1 / 4, 1 / 2, 1)] == [True, False, True]


def test_a_proposal_within_the_grace_counts_at_the_end_of_the_turn() -> None:
    """It was the move, so the whole turn always agrees."""
    assert same_at(1, turn((40, "other"), (103, "last"))) is True


def test_refused_proposals_do_not_stand() -> None:
    """The rules refused them then, too."""
    found = turn((10, "last"), (20, "wrong"))
    found["heard"][1]["refused"] = "no such cell"
    assert same_at(1 / 2, found) is True


@pytest.mark.parametrize("changes", [{"move": None}, {"replaced": True}, {"heard": []}])
def test_a_turn_without_a_move_of_its_own_is_left_out(changes: dict[str, Any]) -> None:
    """There is nothing to agree with."""
    assert instants(turn((10, "last"), **changes), TIME) is None


def test_on_a_budget_the_turn_is_as_long_as_it_took() -> None:
    """The bot was given much more and chose to stop."""
    found = turn(
        (4, "first"), (9, "last"), thinking=60 * SECOND, done=10 * MILLISECOND, ended=10 * MILLISECOND
    )
    assert same_at(1 / 2, found, TimeControl(None, budget=60 * SECOND)) is False
    assert same_at(1 / 2, found) is True


def test_a_curve_is_a_mean_over_turns() -> None:
    """Shares add up to 1, scores are beside those of the end, and at the end all agree."""
    turns = [instants(turn((20, "first"), (40, "last")), TIME), instants(turn((5, "last")), TIME)]
    found = curve("a", [one for one in turns if one], records=1)
    quarter = SHARES.index(1 / 4)
    assert (found.turns, found.same[quarter], found.other[quarter], found.none[quarter]) == (2, 0.5, 0.5, 0)
    assert (found.score[quarter], found.depth[quarter]) == (-5, 1)
    assert (found.same[-1], found.score[-1]) == (1, 0)
    assert shorter(found, 1 / 8) == (0, 0.5)


def test_a_bot_that_tells_no_scores_has_none() -> None:
    """Nothing is made up, and nothing is NaN."""
    found = turn((10, "last"))
    del found["heard"][0]["score"], found["heard"][0]["depth"]
    seen = instants(found, TIME)
    assert seen is not None
    assert set(curve("a", [seen], records=1).score) == {None}
    assert set(curve("a", [seen], records=1).depth) == {None}
