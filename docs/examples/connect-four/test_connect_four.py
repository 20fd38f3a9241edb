"""Connect Four keeps what every game promises, and its own rules."""

import pytest
from connect_four import GAME, ConnectFour

from games import IllegalMove, Outcome
from games.conformance import Symmetry, Trial, conformance


def mirrored(text: str) -> str:
    return "/".join(reversed(text.split("/")))


def mirrored_move(move: str) -> str:
    return str(8 - int(move))


test_conformance = conformance(GAME, Trial(symmetries=[Symmetry("mirrored", mirrored, mirrored_move)]))


@pytest.mark.parametrize(
    "moves",
    ["1 2 1 2 1 2 1", "1 1 2 2 3 3 4", "1 2 2 3 3 4 3 4 4 6 4", "7 6 6 5 5 4 5 4 4 2 4"],
    ids=["upright", "level", "rising", "falling"],
)
def test_four_in_a_line_win(moves: str) -> None:
    """In every direction, and nothing can be played after it."""
    position = ConnectFour(("",) * 7)
    for move in moves.split():
        assert position.outcome() is None
        position = position.play(move)
    assert position.outcome() == Outcome(1, (1, 0), "four in a line")


def test_a_full_column_takes_no_disc() -> None:
    """The reason names the move."""
    with pytest.raises(IllegalMove, match="3: the column is full"):
        ConnectFour.parse("-/-/XOXOXO/-/-/-/-").play("3")
