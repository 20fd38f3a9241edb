"""What a tournament's file may say, and the sentence for whatever it may not."""

from pathlib import Path

import pytest

from games import Mistake
from referee.tournament.reader import read_spec
from referee.tournament.spec import Spec

BASE = 'game = "sudoku"\nbots = ["greedy", "random"]\n'


def spec_of(text: str, folder: Path, *, quick: bool = False) -> Spec:
    path = folder / "spec.toml"
    path.write_text(text)
    return read_spec(path, quick=quick)


def test_little_is_needed(tmp_path: Path) -> None:
    """A game and two bots: everything else is as usual."""
    spec = spec_of(BASE, tmp_path)
    assert (spec.name, spec.format, spec.games, spec.seed) == ("spec", "round-robin", 2, 1)
    assert [bot.name for bot in spec.bots] == ["greedy", "random"]
    assert [cell.axes for cell in spec.cells] == [{}]


def test_every_list_is_an_axis(tmp_path: Path) -> None:
    """Every combination is a cell, whose terms have one value of each."""
    text = (
        BASE
        + '[options]\nboard = ["easy-2x2", "random-2x3"]\n[time]\nturn = ["100ms", "1s"]\nhidden = true\n'
    )
    spec = spec_of(text, tmp_path)
    assert spec.axes == {"board": ("easy-2x2", "random-2x3"), "turn": ("100ms", "1s")}
    assert spec.fixed == {"game": "sudoku", "hidden": "true"}
    assert [(cell.axes["board"], cell.agreed.time.turn) for cell in spec.cells] == [
        ("easy-2x2", 10**8),
        ("easy-2x2", 10**9),
        ("random-2x3", 10**8),
        ("random-2x3", 10**9),
    ]
    assert all(cell.agreed.options["board"] == cell.axes["board"] for cell in spec.cells)


def test_a_list_in_the_options_of_a_bot_makes_several_bots(tmp_path: Path) -> None:
    """Each is called by what sets it apart."""
    several = '{bot = "mcts", options = {c = [0.5, 2]}}, {name = "it", bot = "mcts", options = {c = [1]}}'
    text = f'game = "sudoku"\nbots = [{several}]\n'
    assert [(bot.name, bot.bot) for bot in spec_of(text, tmp_path).bots] == [
        ("mcts,c=0.5", "mcts,c=0.5"),
        ("mcts,c=2", "mcts,c=2"),
        ("it,c=1", "mcts,c=1"),
    ]


def test_the_quick_table_overrides(tmp_path: Path) -> None:
    """Key by key, and only if it is asked for."""
    text = (
        BASE
        + 'games = 20\n[time]\nturn = "1s"\nhidden = true\n[quick]\ngames = 2\n[quick.time]\nturn = "50ms"\n'
    )
    whole, quick = spec_of(text, tmp_path), spec_of(text, tmp_path, quick=True)
    assert (whole.name, whole.games, whole.cells[0].agreed.time.turn) == ("spec", 20, 10**9)
    assert (quick.name, quick.games, quick.cells[0].agreed.time.turn) == ("spec-quick", 2, 5 * 10**7)
    assert quick.cells[0].agreed.time.hidden


def test_seeds_do_not_hang_on_the_place_in_a_list(tmp_path: Path) -> None:
    """Another bot in front changes no game of the others."""
    two = spec_of(BASE, tmp_path)
    three = spec_of(BASE.replace("[", '["minimax", '), tmp_path)
    seeds = [
        spec.cells[0].between((spec.bots[-2], spec.bots[-1]), games=2, seed=spec.seed).seed
        for spec in (two, three)
    ]
    assert seeds[0] == seeds[1]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is empty"),
        ("bots = [", "is no TOML file"),
        ('bots = ["greedy", "random"]', "names no game"),
        ('game = "sudoku"', "has no bots"),
        ('game = "sudoku"\nbots = []', "has no bots"),
        ('game = "sudoku"\nbots = ["greedy"]', "line 2: bots: a tournament needs two bots or more"),
        ('game = "sudoku"\nbots = ["greedy", "greedy"]', "line 2: bots: two are called 'greedy'"),
        ('game = "sudoku"\nbots = "greedy"', "line 2: bots must be a list"),
        ('game = "sudoku"\nbots = [1, 2]', "line 2: bots: 1 is no bot"),
        (
            'game = "sudoku"\nbots = [{bot = "mcts", c = 1}]',
            "c is no key of a bot: there are bot, name, options",
        ),
        ('game = "chess"\nbots = ["a", "b"]', "line 1: game: unknown game 'chess': choose from colosseum"),
        (BASE + "turns = 3", "line 3: turns is no key: there are name, about, format"),
        (BASE + 'variant = "odd"', "line 3: variant: unknown variant of sudoku 'odd'"),
        (
            BASE + 'format = "league"',
            "line 3: format: 'league' is not known: choose from round-robin, gauntlet",
        ),
        (BASE + "games = 3", "line 3: games = 3: games come in pairs"),
        (BASE + "games = 0", "line 3: games: 0 is no whole number from 1"),
        (BASE + 'seed = "x"', "line 3: seed: 'x' is no whole number"),
        (BASE + "rounds = 3", "line 3: rounds is for the format swiss"),
        (BASE + 'rivals = ["random"]', "line 3: rivals is for the format gauntlet"),
        (BASE + 'format = "gauntlet"', "has no rivals"),
        (BASE + 'format = "swiss"\nrounds = 9', "9"),
        (BASE + 'name = "a/b"', "line 3: name: 'a/b' names a folder"),
        (BASE + 'ruling = "mercy"', "line 3: ruling: unknown ruling 'mercy'"),
        (BASE + 'memory = "lots"', "line 3: memory: "),
        (BASE + "processes = 0", "line 3: processes: 0 is no whole number"),
        (BASE + "ponder = 3", "line 3: ponder: 3 is neither true nor false"),
        (BASE + "time = 3", "line 3: time must be a table"),
        (BASE + '[time]\nturn = "soon"', "line 4: turn: 'soon' is not a duration"),
        (BASE + '[time]\nspeed = "soon"', "line 4: speed is no key of [time]: there are turn, first"),
        (BASE + '[time]\nturn = ["1s", "soon"]', "line 4: turn: 'soon' is not a duration"),
        (BASE + "[time]\nturn = []", "line 4: turn: a list that is swept needs values"),
        (
            BASE + '[time]\nturn = ["1s", "1s"]',
            "line 4: turn: a list that is swept needs values, each of them once",
        ),
        (BASE + '[options]\nboard = "none-9x9"', "line 4: board: "),
        (BASE + '[options]\ncolour = "red"', "line 4: colour: unknown option of sudoku 'colour'"),
        (BASE + "[options]\nboard = {a = 1}", "line 4: board: {'a': 1} must be a text, a number, or a list"),
        (BASE + "[sprt]\nelo0 = 1", "line 3: sprt is for the format sprt"),
        (
            BASE + 'format = "sprt"\n[sprt]\nelo2 = 1',
            "line 5: elo2 is no key of [sprt]: there are elo0, elo1",
        ),
        (BASE + 'format = "sprt"\n[sprt]\nelo0 = 50', "elo0 must be below elo1"),
        (BASE + 'format = "sprt"\n[sprt]\nalpha = 2', "line 5: alpha = 2 is a chance of error"),
        (BASE.replace('"random"', '"random", "minimax"') + 'format = "sprt"', "a test is between two bots"),
        (BASE + "[quick]\nturns = 3", "turns is no key of [quick]"),
        (
            BASE + f"[options]\nopening = {list(range(200))}\n[time]\nnodes = {list(range(1, 200))}",
            "the lists make 39800 combinations",
        ),
    ],
)
def test_a_mistake_is_told_with_its_place(tmp_path: Path, text: str, sentence: str) -> None:
    """One sentence: the file, the line where it can be known, what was wrong, and what is allowed."""
    with pytest.raises(Mistake) as caught:
        spec_of(text, tmp_path)
    assert str(tmp_path / "spec.toml") in str(caught.value)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_quick_settings_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(Mistake, match=r"has no table \[quick\]"):
        spec_of(BASE, tmp_path, quick=True)


def test_a_mistake_in_the_quick_table_has_the_line_of_the_quick_table(tmp_path: Path) -> None:
    with pytest.raises(Mistake, match="line 7: turn: 'soon'"):
        spec_of(BASE + '[time]\nturn = "1s"\n\n[quick.time]\nturn = "soon"\n', tmp_path, quick=True)
