"""The documents are true: nothing undocumented, nothing documented that is not there."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main

from games import find_game
from referee.cli import application
from referee.verdict import Reason

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
CLI = (ROOT / "docs" / "cli.md").read_text()
GAMES = (ROOT / "docs" / "games.md").read_text()
GROUP = typer.main.get_group(application([]))


def options(command: object) -> set[str]:
    parameters = getattr(command, "params", [])
    return {text for parameter in parameters for text in parameter.opts if text.startswith("--")} - {"--help"}


def section(name: str) -> str:
    found = re.search(rf"^## shotclock {name}$(.*?)(?=^## |\Z)", CLI, re.MULTILINE | re.DOTALL)
    assert found, f"docs/cli.md has no section for {name}"
    return found[1]


@pytest.mark.parametrize("name", sorted(GROUP.commands))
def test_every_option_of_every_command_is_documented(name: str) -> None:
    """And no option is that does not exist."""
    documented = set(re.findall(r"^\| `(--[a-z-]+)", section(name), re.MULTILINE))
    assert documented == options(GROUP.commands[name])


def test_every_documented_command_exists() -> None:
    """A section for each command and a command for each section."""
    assert set(re.findall(r"^## shotclock (\S+)$", CLI, re.MULTILINE)) == set(GROUP.commands)


def test_global_options_are_documented() -> None:
    """Those before the command."""
    before = CLI.partition("## shotclock")[0]
    assert all(f"| `{option}`" in before for option in options(GROUP))


def test_every_reason_is_documented() -> None:
    """A verdict that needs looking up can be looked up."""
    reasons = section("play").partition("### Reasons")[2]
    assert set(re.findall(r"^\| `([a-z_]+)` \|", reasons, re.MULTILINE)) == set(Reason)


def test_what_json_prints_is_documented() -> None:
    """Every key of the object, and of a turn in it, is named."""
    arguments = ["play", "sudoku", "greedy", "greedy", "--board", "easy-2x2", "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "referee", *arguments], capture_output=True, check=True, text=True
    )
    match = json.loads(done.stdout)
    keys = {*match, *match["turns"][0], *match["bots"][0]}
    assert [key for key in sorted(keys) if f"`{key}`" not in section("play")] == []


def test_the_first_two_commands_of_the_readme_are_play_and_test() -> None:
    """A newcomer types them in this order."""
    commands = re.findall(r"^\$ (.+)$", README, re.MULTILINE)
    assert commands[:2] == ["make play", "make test"]


def test_what_make_play_runs_is_what_the_readme_says() -> None:
    """The transcript belongs to the command."""
    makefile = (ROOT / "Makefile").read_text()
    (command,) = re.findall(r"^\t\$\(BIN\)/(shotclock play .+)$", makefile, re.MULTILINE)
    assert command in README


@pytest.mark.parametrize("command", re.findall(r"^\$ shotclock (play .+)$", README, re.MULTILINE))
def test_commands_of_the_readme_run(command: str, tmp_path: Path) -> None:
    """Every `shotclock play` line in the README works as it is printed."""
    (tmp_path / "mybot.py").write_text("\n".join(re.findall(r"```python\n(.*?)```", README, re.DOTALL)))
    arguments = [word.strip("'") for word in command.split()]
    done = subprocess.run(
        [sys.executable, "-P", "-m", "referee", *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, "wins" in done.stdout or "draw" in done.stdout) == (0, True), done.stderr


@pytest.mark.parametrize(
    ("game", "text"),
    re.findall(r"^## (\w+)$(?:(?!^## ).)*?^```\n([^\n]+)\n```$", GAMES, re.MULTILINE | re.DOTALL),
)
def test_positions_in_the_documents_are_positions(game: str, text: str) -> None:
    """The example of every game is the canonical text of one."""
    assert str(find_game(game).parse(text)) == text


def test_links_between_documents_lead_somewhere() -> None:
    """No page points to a page that is not there."""
    for page in [ROOT / "README.md", ROOT / "ARCHITECTURE.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\((?!http)([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
