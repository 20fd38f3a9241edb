"""The page about writing a bot: its code is run, and its bots beat what they are said to beat."""

import json
import re
import runpy
from pathlib import Path

import pytest

from tests.playing import shotclock

PAGE = (Path(__file__).parent.parent / "docs" / "write-a-bot.md").read_text()
COMMANDS = re.findall(r"^\$ shotclock (.+)$", PAGE, re.MULTILINE)
#: Games of a series; the page has more.
GAMES = 4


@pytest.fixture
def mybot(tmp_path: Path) -> Path:
    """All code of the page, in one file as the reader has it."""
    file = tmp_path / "mybot.py"
    file.write_text("\n\n".join(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)))
    return file


@pytest.mark.parametrize("command", [each for each in COMMANDS if "greedy" in each], ids=str)
async def test_a_bot_of_the_page_beats_greedy(command: str, mybot: Path) -> None:
    """Most of the games of a series, as the command stands there."""
    words = command.replace("--games 10", f"--games {GAMES}").split()
    done = await shotclock(*words, "--json", folder=mybot.parent)
    matches = json.loads(done.out)["games"]
    # The first bot has seat 1 in the first game of a pair and seat 2 in the second.
    wins = sum(match["winner"] == 1 + number % 2 for number, match in enumerate(matches))
    assert (len(matches), wins > GAMES / 2) == (GAMES, True)


@pytest.mark.parametrize("command", [each for each in COMMANDS if "random" in each.split()], ids=str)
async def test_other_commands_of_the_page_run(command: str, mybot: Path) -> None:
    """To the end of the match, whoever wins."""
    done = await shotclock(*command.split(), "--json", folder=mybot.parent)
    assert json.loads(done.out)["reason"] == "finished"


def test_the_test_of_the_page_passes(mybot: Path) -> None:
    """As pytest would run it."""
    runpy.run_path(str(mybot))["test_it_leaves_no_region_to_finish"]()


def test_a_bot_with_nothing_but_an_evaluation_is_a_dozen_lines() -> None:
    """With its imports and its evaluation; empty lines do not count."""
    (code,) = [each for each in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL) if "class Deep" in each]
    assert sum(bool(line.strip()) for line in code.splitlines()) <= 12
