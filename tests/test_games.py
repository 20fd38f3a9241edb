"""Every installed game keeps what all games promise."""

import re
from collections.abc import Callable

import pytest

from games import find_game, game_names
from games.conformance import CHECKS, Case, Symmetry, Trial, cases


def transposed(text: str) -> str:
    variant, size, cells, scores, seat, taboo = text.split(" ")
    rows = [row.split(",") for row in cells.split("/")]
    turned = "/".join(",".join(column) for column in zip(*rows, strict=True))
    moves = sorted(map(transposed_move, taboo.split(",")), key=numbers) if taboo != "-" else ["-"]
    return " ".join([variant, size, turned, scores, seat, ",".join(moves)])


def transposed_move(move: str) -> str:
    row, column, value = numbers(move)
    return f"r{column}c{row}={value}"


def numbers(move: str) -> list[int]:
    return [int(number) for number in re.findall("[0-9]+", move)]


#: How the games are played here, where that is not as all are.
TRIALS = {
    "sudoku": Trial(
        options=[{"board": "empty-2x2"}, {"board": "easy-3x3"}],
        alternates=False,
        symmetries=[Symmetry("transposed", transposed, transposed_move)],
    ),
}
CASES = [case for name in game_names() for case in cases(find_game(name), TRIALS.get(name, Trial()))]


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_every_game_keeps_every_promise(check: Callable[[Case], None], case: Case) -> None:
    """The same suite that the author of an outside game runs."""
    check(case)


@pytest.mark.parametrize("name", game_names())
def test_a_game_bears_the_name_it_is_found_by(name: str) -> None:
    """What a user types is what the record says."""
    assert find_game(name).name == name
