"""Every installed game keeps what all games promise."""

from collections.abc import Callable

import pytest

from bench.fuzz import fuzz
from games import find_game, game_names
from games.conformance import CHECKS, Case, Trial, cases
from tests import symmetries

#: How the games are tried out, where that is not as usual.
TRIALS = {
    "colosseum": Trial(options=[{"size": "6"}], symmetries=symmetries.COLOSSEUM),
    "reversi": Trial(options=[{}, {"size": "6"}], symmetries=symmetries.REVERSI),
    # In the territory variants a player without a cell to play in is skipped.
    "sudoku": Trial(
        options=[{"board": "empty-2x2"}, {"board": "easy-3x3"}],
        alternates=False,
        symmetries=symmetries.SUDOKU,
    ),
    "tetress": Trial(symmetries=symmetries.TETRESS),
}
CASES = [case for name in game_names() for case in cases(find_game(name), TRIALS.get(name, Trial()))]


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_every_game_keeps_every_promise(check: Callable[[Case], None], case: Case) -> None:
    """The same suite that the author of an outside game runs."""
    check(case)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_damaged_texts_do_no_harm(case: Case) -> None:
    """A short run of what `make fuzz` does for long: most texts are refused, a few are as good as any."""
    done = fuzz(case, texts=1000, seed=1)
    assert done["positions refused"] + done["positions taken"] == 1000
    assert done["moves refused"] + done["moves taken"] == 1000
    assert done["positions refused"] > 800


@pytest.mark.parametrize("name", game_names())
def test_a_game_bears_the_name_it_is_found_by(name: str) -> None:
    """What a user types is what the record says."""
    assert find_game(name).name == name
