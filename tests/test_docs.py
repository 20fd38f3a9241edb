"""The documents are true: nothing undocumented, nothing documented that is not there."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main

from bots import catalogue
from games import find_game, game_names
from referee.cli import application
from referee.verdict import Reason

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
CLI = (ROOT / "docs" / "cli.md").read_text()
CHANGELOG = (ROOT / "CHANGELOG.md").read_text()
GAMES = (ROOT / "docs" / "games.md").read_text()
GROUP = typer.main.get_group(application([]))


def commands(group: object, before: str = "") -> dict[str, object]:
    """By the words that call them: `record show` is a command of a group."""
    found: dict[str, object] = {}
    for name, command in getattr(group, "commands", {}).items():
        inner = commands(command, f"{before}{name} ")
        found |= inner or {f"{before}{name}": command}
    return found


COMMANDS = commands(GROUP)


def options(command: object) -> set[str]:
    parameters = getattr(command, "params", [])
    return {text for parameter in parameters for text in parameter.opts if text.startswith("--")} - {"--help"}


def section(name: str) -> str:
    found = re.search(rf"^## shotclock {name}$(.*?)(?=^## |\Z)", CLI, re.MULTILINE | re.DOTALL)
    assert found, f"docs/cli.md has no section for {name}"
    return found[1]


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_option_of_every_command_is_documented(name: str) -> None:
    """And no option is that does not exist."""
    documented = set(re.findall(r"^\| `(--[a-z-]+)", section(name), re.MULTILINE))
    assert documented == options(COMMANDS[name])


def test_every_documented_command_exists() -> None:
    """A section for each command and a command for each section."""
    assert set(re.findall(r"^## shotclock (.+)$", CLI, re.MULTILINE)) == set(COMMANDS)


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


def test_links_between_documents_lead_somewhere() -> None:
    """No page points to a page that is not there."""
    for page in [ROOT / "README.md", ROOT / "ARCHITECTURE.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\((?!http)([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize(
    ("command", "printed"),
    re.findall(r"```\n\$ shotclock (.+)\n((?:.*\n)*?)```", GAMES),
    ids=lambda text: text[:40],
)
def test_boards_of_the_games_page_are_what_show_prints(command: str, printed: str) -> None:
    """Every block is its command's output, to the letter."""
    done = subprocess.run(
        [sys.executable, "-m", "referee", *shlex.split(command)], capture_output=True, check=True, text=True
    )
    assert done.stdout == printed


@pytest.mark.parametrize("name", game_names())
def test_every_game_is_in_the_table_of_the_games_page(name: str) -> None:
    """With its variants and options, and with at least one board drawn."""
    (row,) = re.findall(rf"^\| \[{name}\]\(#.+$", GAMES, re.MULTILINE)
    _, _, variants, options, *_ = row.split("|")
    game = find_game(name)
    assert re.findall("`(.+?)`", variants) == list(game.variants)
    assert re.findall("`(.+?)`", options) == list(game.options)
    assert f"$ shotclock show {name}" in GAMES


@pytest.mark.parametrize("game", game_names())
def test_the_changelog_names_every_bot(game: str) -> None:
    """Those of a game, or of all, stand where the bots are listed."""
    listed = CHANGELOG.partition("- Bots, ")[2].partition("\n- ")[0]
    assert [bot.name for bot in catalogue.listed([game]) if f"`{bot.name}`" not in listed] == []
