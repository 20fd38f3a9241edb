"""A game that lives in a package of its own is played like ours: the example of docs/add-a-game.md."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "docs" / "examples" / "connect-four"
PAGE = (ROOT / "docs" / "add-a-game.md").read_text()

#: What the installed package sees, and what it is asked.
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Python with the example installed beside Shotclock, in a folder that is no part of this tree."""
    folder = tmp_path_factory.mktemp("outside")
    source = shutil.copytree(EXAMPLE, folder / "source", ignore=shutil.ignore_patterns("__pycache__"))
    install = "install --quiet --disable-pip-version-check --no-index --no-deps --no-build-isolation"
    subprocess.run(
        [sys.executable, "-m", "pip", *install.split(), "--target", str(folder / "site"), str(source)],
        check=True,
        capture_output=True,
    )
    inherited = {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "LINES"}}

    def run_python(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-P", *arguments],
            cwd=source,
            env=inherited | {"PYTHONPATH": str(folder / "site")},
            capture_output=True,
            text=True,
            check=False,
        )

    return run_python


@pytest.mark.parametrize("bots", ["random random", "careful random"])
def test_it_is_played_over_grpc(run: Run, bots: str) -> None:
    """Hosts, workers and referee find the game and its bots by entry point."""
    arguments = f"--log-level error play connect-four {bots} --option width=5 --seed 4 --json".split()
    done = run("-m", "referee", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    match = json.loads(done.stdout)
    assert (match["game"], match["reason"], match["turn_ms"]) == ("connect-four", "finished", 500)
    assert [bot["name"] for bot in match["bots"]] == bots.split()
    assert match["position"].count("/") == 4
    assert sum(match["position"].count(disc) for disc in "XO") == len(match["moves"])


def test_it_is_listed_shown_and_counted(run: Run) -> None:
    """Commands about games are commands about this one too; its counts are those of the literature."""
    listed = run("-m", "referee", "games").stdout
    assert re.search("^connect-four  drop discs into columns", listed, re.MULTILINE)
    shown = run("-m", "referee", "show", "connect-four", *"4 4 3 3 5 5 2".split()).stdout
    assert " . [X] X  X  X  .  .\nfour in a line\n" in shown
    assert f"```\n{shown}```" in PAGE
    assert shown.endswith("\nplayer 1 wins, 1 : 0, four in a line\nposition: -/X/XO/XO/XO/-/-\n")
    counted = json.loads(run("-m", "referee", "perft", "connect-four", "-d", "5", "--json").stdout)
    assert [row["sequences"] for row in counted["depths"]] == [7, 49, 343, 2401, 16807]


def test_its_own_tests_pass(run: Run) -> None:
    """The conformance suite among them."""
    done = run("-m", "pytest", "-q", "-p", "no:cacheprovider", "test_connect_four.py")
    assert re.search(r"^\d+ passed in ", done.stdout, re.MULTILINE), done.stdout
    assert "every_legal_move_plays" in run("-m", "pytest", "--collect-only", "-q").stdout


def test_a_game_that_cannot_be_loaded_is_told_in_one_sentence(run: Run, tmp_path: Path) -> None:
    """And it does not hide the others."""
    broken = tmp_path / "broken-1.dist-info"
    broken.mkdir()
    (broken / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1\n")
    entries = "[shotclock.games]\nchess = chess_rules:GAME\ndraughts = json:dumps\n"
    (broken / "entry_points.txt").write_text(entries)
    (tmp_path / "chess_rules.py").write_text("GAME = 1 / 0\n")
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from referee.cli import main; main()"
    listed = run("-c", program, "games").stdout
    assert (
        "chess         broken: game 'chess' cannot be loaded from chess_rules:GAME: ZeroDivisionError"
        in listed
    )
    assert "sudoku        fill one puzzle" in listed
    for name, sentence in (
        ("chess", "game 'chess' cannot be loaded from chess_rules:GAME: ZeroDivisionError: division by zero"),
        ("draughts", "game 'draughts' is no game: json:dumps is no games.Game"),
    ):
        done = run("-c", program, "show", name)
        assert (done.returncode, done.stdout, done.stderr) == (2, "", f"shotclock: {sentence}\n")


def test_the_page_shows_the_files_as_they_are() -> None:
    """Every block of code in the text is a part of the example."""
    files = [path.read_text() for path in sorted(EXAMPLE.glob("*.*"))]
    blocks = re.findall(r"```(?:python|toml)\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) >= 6
    for block in blocks:
        for part in re.split(r"^ *\.\.\.\n", block, flags=re.MULTILINE):
            assert any(part.strip("\n") in text for text in files), part
