"""The studies of experiments/ can be played in both sizes, and docs/results.md tells what came out of them."""

import re
from pathlib import Path

import pytest

from bench.results import Asked, parts, table
from games import Mistake
from referee.tournament.estimate import estimate
from referee.tournament.ledger import Charter, Entry, Game, Side
from referee.tournament.reader import read_spec
from referee.tournament.schedule import Schedule
from server.load import load

ROOT = Path(__file__).parent.parent
SPECS = sorted((ROOT / "experiments").glob("*.toml"))
RESULTS = (ROOT / "docs" / "results.md").read_text()

#: Of a quick size, two at a time; as if bots used all of their time, which most do not.
MOST_SECONDS = 300
MOST_GAMES = 150


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_both_sizes_of_every_study_can_be_played(path: Path) -> None:
    """Every bot is there and takes its options, and the name is the file's."""
    full, quick = read_spec(path, quick=False), read_spec(path, quick=True)
    assert (full.name, quick.name) == (path.stem, f"{path.stem}-quick")
    assert full.about
    games = {cell.agreed.game.name for cell in (*full.cells, *quick.cells)}
    for bot in {*full.bots, *quick.bots}:
        for game in games:
            load(bot.bot, game)


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_the_quick_size_takes_minutes(path: Path) -> None:
    """And is the smaller one."""
    full, quick = read_spec(path, quick=False), read_spec(path, quick=True)
    effort = estimate(quick, Schedule(quick), jobs=2)
    assert effort.games <= MOST_GAMES
    assert effort.games < 2 * Schedule(full).known
    assert (effort.seconds or 0) <= MOST_SECONDS


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_the_results_of_every_study_are_told(path: Path) -> None:
    """With the command that plays it, and the one that prints a table of it."""
    assert re.search(rf"^shotclock tournament experiments/{path.name}( |$)", RESULTS, re.MULTILINE)
    assert re.search(rf"^python bench/results\.py results/{path.stem}(-quick)?( |$)", RESULTS, re.MULTILINE)


def test_no_study_is_told_that_is_not_there() -> None:
    """A file that was renamed is renamed in the document, too."""
    assert set(re.findall(r"experiments/([\w-]+\.toml)", RESULTS)) == {path.name for path in SPECS}


CHARTER = Charter(
    name="study",
    format="gauntlet",
    seed=1,
    bots=(Entry("deep", "minimax,depth=9"), Entry("flat", "minimax,depth=1"), Entry("greedy", "greedy")),
    axes={"turn": ("500ms", "100ms")},
    cells=({"turn": "500ms"}, {"turn": "100ms"}),
    fixed={},
    games=2,
    command="",
)


def played(
    cell: int, bots: tuple[str, str], winner: int | None, *, void: bool = False, nodes: int = 0
) -> Game:
    first, second = (
        Side(bot, score=0, turns=2, thought_ms=8.0, longest_ms=5.0, nodes=nodes, depth=None) for bot in bots
    )
    return Game(
        match="",
        cell=cell,
        round=1,
        meeting=0,
        pair=0,
        number=1,
        sides=(first, second),
        winner=winner,
        void=void,
        reason="finished",
        text="board full, 3 : 1",
        faults=(),
        tainted=0,
        difference_ms=None,
        bound_ms=None,
        seconds=1.0,
    )


GAMES = (
    played(0, ("deep", "greedy"), 1, nodes=300),
    played(0, ("greedy", "deep"), 1, nodes=100),
    played(1, ("deep", "greedy"), None, nodes=20),
    played(1, ("flat", "greedy"), 2),
    played(1, ("flat", "greedy"), 1, void=True),
)


def shown(*by: str, show: str = "won-drawn-lost", across: str = "", ratio: bool = False) -> list[list[str]]:
    return table(CHARTER, list(parts(CHARTER, GAMES)), Asked(by, show.split(","), across, ratio))


def test_results_are_grouped_by_what_is_asked_for() -> None:
    """By bots in their order, by options of bots, by seats; what counts for nothing is left out."""
    assert shown("bot") == [
        ["bot", "won-drawn-lost"],
        ["deep", "1-1-1"],
        ["flat", "0-0-1"],
        ["greedy", "2-1-1"],
    ]
    assert shown("kind", "depth")[1:] == [
        ["minimax", "1", "0-0-1"],
        ["minimax", "9", "1-1-1"],
        ["greedy", "", "2-1-1"],
    ]
    assert ["deep", "2", "0-0-1"] in shown("bot", "seat")
    assert shown("ending", "rival")[1] == ["board full", "deep", "1-1-1"]


def test_values_stand_side_by_side_with_their_ratio() -> None:
    """In the order of the axis; where there is nothing, nothing is shown."""
    assert shown("bot", show="nodes a turn", across="turn", ratio=True) == [
        ["bot", "500ms nodes a turn", "100ms nodes a turn", "ratio of nodes a turn"],
        ["deep", "100", "10", "10.0"],
        ["flat", "", "0", ""],
        ["greedy", "100", "5", "20.0"],
    ]


def test_a_column_or_figure_that_is_not_there_is_a_mistake() -> None:
    """And those that are there are named."""
    with pytest.raises(Mistake, match="'size' is no column of these results: there are bot, depth"):
        shown("size")
    with pytest.raises(Mistake, match="'luck' is no figure: there are games"):
        shown("bot", show="luck")
