"""Every installed game keeps what all games promise."""

from collections.abc import Callable

import pytest

from bench.fuzz import fuzz
from games import Mistake, find_game, game_names
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


@pytest.mark.parametrize("name", game_names())
def test_an_opening_is_drawn_by_lot(name: str) -> None:
    """The same seed gives the same moves, more of them never end the game, and none leave the start as it is."""
    game = find_game(name)

    def opened(moves: str, seed: int = 3) -> str:
        position = game.open(variant=game.variants[0], seed=seed, options={"opening": moves})
        assert (position.last, position.outcome()) == ("", None)
        return str(position)

    start = str(game.start(variant=game.variants[0], seed=3, options={}))
    assert opened("0") == start != opened("1") == opened("1")
    assert opened("5") != opened("5", seed=4)


@pytest.mark.parametrize("text", ["-1", "two", "1001", "9" * 5000, "", "²"])
def test_a_wrong_number_of_opening_moves(text: str) -> None:
    """Is told in a sentence."""
    game = find_game("reversi")
    with pytest.raises(Mistake, match="option opening is a number of moves from 0 to 1000, not '"):
        game.open(variant="standard", seed=0, options={"opening": text})
