"""How much the searches do: nodes a second, depths, branches cut and memory, beside older figures where there are any.

Every bot plays one game against itself, broken off at the end of each turn, in a process of its own. A depth is
finished when the search goes on to the next one or ends by itself.
"""

import argparse
import json
import statistics
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from typing import Any

from rich.console import Console
from rich.table import Table as Grid

from bench.figures import WIDTH, progress
from games import find_game

Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Older:
    """What was measured before us, as it is told."""

    depth: str = ""
    finished: str = ""
    cut: str = ""
    moves: str = ""
    longest: str = ""
    memory: str = ""

    @property
    def row(self) -> list[str]:
        columns = (self.depth, self.finished, self.cut, self.moves, "", self.longest, self.memory)
        return ["  older figures", "", "", *columns]


@dataclass(frozen=True, slots=True)
class Setting:
    """What is played, by which bots as far as they are there, and for how long a turn."""

    game: str
    seconds: float
    bots: tuple[str, ...]
    options: dict[str, str] = field(default_factory=dict)
    older: Older | None = None


SUDOKU = ("minimax", "minimax-ordered", "champion")
SETTINGS = (
    Setting("colosseum", 2.0, ("alphabeta", "champion"), {"size": "12"}, Older(depth="2 to 6")),
    Setting(
        *("sudoku", 1.0, SUDOKU, {"board": "easy-3x3"}),
        Older(finished="45, 43, 17, 15", cut="71,120", moves="about 170"),
    ),
    Setting("sudoku", 1.0, SUDOKU, {"board": "empty-3x3"}, Older(moves="about 170")),
    Setting("reversi", 1.0, ("alphabeta,depth=5", "champion")),
    Setting("tetress", 1.0, ("alphabeta", "champion"), older=Older(longest="6", memory="250 allowed")),
)


def there(setting: Setting) -> list[str]:
    """The bots of a setting that are installed."""
    names = {entry.name for entry in entry_points(group="shotclock.bots")}
    return [bot for bot in setting.bots if f"{setting.game}.{bot.partition(',')[0]}" in names]


def measure(setting: Setting, bot: str, *, scale: float, turns: int, seed: int) -> Data:
    asked = {
        "game": setting.game,
        "options": setting.options,
        "bot": bot,
        "seconds": setting.seconds * scale,
        "turns": turns,
        "seed": seed,
    }
    command = [sys.executable, "-m", "bench.thinking", json.dumps(asked)]
    found: Data = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return found


def row(setting: Setting, bot: str, found: Data) -> list[str]:
    turns = found["turns"]
    seconds = sum(turn["seconds"] for turn in turns)
    nodes, cuts = (sum(turn[name] for turn in turns) for name in ("nodes", "cuts"))
    deepest = [turn["finished"][-1] for turn in turns if turn["finished"]]
    limit = find_game(setting.game).memory
    return [
        f"{setting.game} {bot} {' '.join(setting.options.values())}",
        str(len(turns)),
        f"{nodes / seconds:,.0f}",
        f"{min(deepest)} / {statistics.median(deepest):g} / {max(deepest)}" if deepest else "-",
        ", ".join(map(str, finished(turns))),
        f"{cuts:,}" if cuts else "-",
        second_depth(turns),
        f"{max(turn['first'] for turn in turns) * 1000:.0f}",
        f"{max(turn['seconds'] for turn in turns):.2f}",
        f"{found['memory']:.0f}" + (f" of {limit}" if limit else ""),
    ]


def finished(turns: Sequence[Data]) -> list[int]:
    """How many searches were finished at depth 1, 2, 3, and at all greater ones."""
    counts = [0, 0, 0, 0]
    for turn in turns:
        for depth in turn["finished"]:
            counts[min(depth, len(counts)) - 1] += 1
    return counts


def second_depth(turns: Sequence[Data]) -> str:
    """The number of legal moves in the first turn that finished depth 2 or more."""
    return next((str(turn["legal"]) for turn in turns if max(turn["finished"], default=0) > 1), "-")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", metavar="GAME", nargs="*", help="default: every game with a setting")
    parser.add_argument("--scale", type=float, default=1.0, help="turns so many times as long")
    parser.add_argument("--turns", type=int, default=0, help="play no more than so many (0: to the end)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    grid = Grid(
        *("one game against itself", "turns", "nodes/s", "depth min / median / max"),
        *("finished at depth 1, 2, 3, more", "cut", "moves at first depth 2"),
        *("first ms", "longest s", "MB"),
    )
    for setting in SETTINGS:
        if arguments.games and setting.game not in arguments.games:
            continue
        for bot in there(setting):
            progress(f"{setting.game} {bot} {setting.options}")
            found = measure(setting, bot, scale=arguments.scale, turns=arguments.turns, seed=arguments.seed)
            grid.add_row(*row(setting, bot, found))
        if setting.older is not None:
            grid.add_row(*setting.older.row)
        grid.add_section()
    Console(width=WIDTH).print(grid)


if __name__ == "__main__":
    main()
