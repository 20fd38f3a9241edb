"""From what a user types to a bot, or to one sentence."""

import sys
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from games import Mistake, game_names
from server.load import game_of, load
from tests.hosting import hosted, stream_to

#: Whatever is installed.
GAMES = ", ".join(game_names())


def built_in(game: str | None) -> str:
    """The names to choose from; a bot without a game is for all of them."""
    names = [entry.name.rpartition(".") for entry in entry_points(group="shotclock.bots")]
    return ", ".join(sorted({bot for its_game, _, bot in names if game is None or its_game in {game, ""}}))


BOTS = """
class Plain:
    def think(self, position, turn): return "a"

class Tuned(Plain):
    def __init__(
        self, depth: int = 3, *, width: float = 0.5, fast: bool = False, book: str = "", seed: int | None = None,
        guess=7,
    ):
        self.options = (depth, width, fast, book, seed, guess)

class Late(Plain):
    def __init__(self, depth: "int"): self.depth = depth

class Open(Plain):
    def __init__(self, **options): self.options = options

class Odd(Plain):
    def __init__(self, table: dict = None): pass

class Mute: pass

number = 7
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of an author's to be in; what loading does to this process is undone."""
    (tmp_path / "mine.py").write_text(BOTS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


@pytest.mark.parametrize("text", ["greedy", "mine.py:Plain", "./mine.py:Plain", "mine:Plain", "mine:Tuned"])
def test_ways_to_name_a_bot(text: str) -> None:
    assert callable(load(text, "sudoku").make().think)


def test_options_are_keywords_of_the_class() -> None:
    """Converted as annotated, or like the default; what is not said keeps its default."""
    made = load("mine.py:Tuned,depth=9,width=1,fast=yes,book=a b,seed=4,guess=8", "sudoku").make()
    assert vars(made)["options"] == (9, 1.0, True, "a b", 4, 8)
    assert vars(load("mine.py:Tuned,fast=FALSE", "sudoku").make())["options"] == (3, 0.5, False, "", None, 7)
    assert vars(load("mine.py:Late,depth=2", "sudoku").make())["depth"] == 2
    assert vars(load("mine.py:Open,a=1", "sudoku").make())["options"] == {"a": "1"}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("greedier", f"unknown sudoku bot 'greedier': choose from {built_in('sudoku')}"),
        ("greedy,depth=3", "greedy has no option 'depth': it takes none"),
        ("champion,solve=-1", "option solve is 0 or more, not -1"),
        ("mine.py", "mine.py may hold several bots: name the class, as in mine.py:MyBot"),
        ("yours.py:Plain", "there is no file yours.py in {folder}"),
        ("yours:Plain", "there is no module yours in {folder} or among the installed ones"),
        ("mine.py:Plane", "there is no class 'Plane' in mine.py: it has Plain, Tuned, Late, Open, Odd, Mute"),
        (
            "mine.py:number",
            "there is no class 'number' in mine.py: it has Plain, Tuned, Late, Open, Odd, Mute",
        ),
        ("mine.py:Mute", "mine.py:Mute has no method think(self, position, turn), so it is no bot"),
        (
            "mine.py:Tuned,dept=3",
            "mine.py:Tuned has no option 'dept': it takes depth, width, fast, book, seed, guess",
        ),
        ("mine.py:Tuned,depth=x", "option depth of mine.py:Tuned must be a whole number, not 'x'"),
        ("mine.py:Tuned,width=x", "option width of mine.py:Tuned must be a number, not 'x'"),
        ("mine.py:Tuned,fast=x", "option fast of mine.py:Tuned must be yes or no, not 'x'"),
        ("mine.py:Tuned,depth", "'depth' in 'mine.py:Tuned,depth' is no option: write name=value"),
        ("mine.py:Tuned,depth=1,depth=2", "option 'depth' is given twice in 'mine.py:Tuned,depth=1,depth=2'"),
        ("mine.py:Late", "mine.py:Late needs option depth: write mine.py:Late,depth=..."),
        (
            "mine.py:Odd,table=x",
            "option table of mine.py:Odd cannot be given here: only whole numbers, numbers, yes or no, and texts can",
        ),
    ],
)
def test_a_mistake_is_one_sentence(folder: Path, text: str, sentence: str) -> None:
    with pytest.raises(Mistake) as mistake:
        load(text, "sudoku")
    assert str(mistake.value) == sentence.format(folder=folder)


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("x = 1\nif", "SyntaxError: invalid syntax (broken.py, line 2)"),
        ("\n1 / 0", "ZeroDivisionError: division by zero (broken.py, line 2)"),
        ("import nosuch", "ModuleNotFoundError: No module named 'nosuch' (broken.py, line 1)"),
        (
            "import json\n\njson.loads('x')",
            "JSONDecodeError: Expecting value: line 1 column 1 (char 0) (broken.py, line 3)",
        ),
        ("raise SystemExit", "SystemExit (broken.py, line 1)"),
    ],
)
@pytest.mark.parametrize("name", ["broken.py", "broken"])
def test_an_error_in_the_authors_file_names_the_line(
    folder: Path, name: str, source: str, sentence: str
) -> None:
    (folder / "broken.py").write_text(source)
    with pytest.raises(Mistake) as mistake:
        load(f"{name}:Bot", "sudoku")
    assert str(mistake.value) == f"{name} cannot be imported: {sentence}"


def test_the_game_goes_without_saying_for_a_built_in() -> None:
    assert game_of("dummy,depth=3", None) == "reversi"
    assert game_of("mine.py:Plain", "sudoku") == "sudoku"


@pytest.mark.parametrize(
    ("text", "game", "sentence"),
    [
        ("greedy", "chess", f"unknown game 'chess': choose from {GAMES}"),
        ("mine.py:Plain", None, f"mine.py:Plain may play any game: say which with --game, one of {GAMES}"),
        ("greedier", None, f"unknown bot 'greedier': choose from {built_in(None)}"),
    ],
)
def test_a_game_that_cannot_be_known(text: str, game: str | None, sentence: str) -> None:
    with pytest.raises(Mistake) as mistake:
        game_of(text, game)
    assert str(mistake.value) == sentence


async def test_an_authors_files_neither_hide_ours_nor_are_hidden(folder: Path) -> None:
    """Siblings are imported, but a games.py, random.py or server/ of hers does not take the place of ours."""
    for name in ("games.py", "random.py", "json.py", "traceback.py"):
        (folder / name).write_text("raise RuntimeError(__file__)")
    (folder / "server").mkdir()
    (folder / "server" / "__init__.py").write_text("raise RuntimeError(__file__)")
    (folder / "helper.py").write_text("MOVE = 'from helper'")
    (folder / "bots.py").write_text(
        "from games import Proposal\nimport helper\nclass Mine:\n  def think(self, *_): return helper.MOVE"
    )
    async with hosted("bots.py:Mine", folder) as host, stream_to(host) as stream:
        assert await stream.think(1) == ["from helper"]
