"""How strong our bots are: each champion against the others of its game, and what the reports claim of their bots.

Games come in pairs from the same start, seats swapped. Every pair has a seed of its own, with moves drawn by lot where
the start would always be the same. Contests run side by side, one on each core.
"""

import argparse
import os
import shlex
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import entry_points
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.contest import Result, contest
from bench.figures import WIDTH, progress

HASTY = Path(__file__).with_name("hasty.py")
#: What stands after this in the Markdown file is the table.
MARK = "<!-- table -->"
COLUMNS = ("game", "bot", "rival", "clock", "won-drawn-lost", "score", "95 %", "depth", "forfeits", "goal")
#: Where games of the same bots differ: boards, or moves drawn by lot.
STARTS = {
    "colosseum": ("",),
    "reversi": ("opening=6",),
    "sudoku": ("board=easy-3x3", "board=empty-3x3 opening=8", "board=random-3x4", "board=random-4x4"),
    "tetress": ("opening=2",),
}
#: The strongest others of each game, after `random`.
RIVALS = {
    "colosseum": ("greedy", "alphabeta"),
    "reversi": ("greedy", "alphabeta,depth=4,eval=sectors-mobility", "minimax,depth=3"),
    "sudoku": ("greedy", "minimax-ordered", "minimax-two-free"),
    "tetress": ("greedy", "death-aware", "alphabeta-varied"),
}

INSTALLED = {entry.name for entry in entry_points(group="shotclock.bots")}


@dataclass(frozen=True, slots=True)
class Scale:
    """How much of it there is: a full run takes hours."""

    games: int
    turn: str
    budget: str
    #: Of the contests that show that nobody is late.
    hurried: int
    #: Of those that the reports played a hundred times.
    hundred: int
    #: Of those in which a champion has ten times as long as its rival, itself; and how long, in milliseconds.
    longer: int
    long: int


SCALES = {
    "tiny": Scale(games=2, turn="50ms", budget="2s", hurried=0, hundred=2, longer=2, long=50),
    "short": Scale(games=6, turn="100ms", budget="6s", hurried=2, hundred=20, longer=4, long=500),
    "full": Scale(games=40, turn="500ms", budget="30s", hurried=100, hundred=100, longer=40, long=1000),
}


@dataclass(frozen=True, slots=True)
class Contest:
    """Some games between two bots; the goal is the least score, or None."""

    game: str
    bot: str
    rival: str
    clock: str
    games: int
    goal: float | None = None

    def play(self, seed: int) -> Result:
        starts = STARTS[self.game][: max(1, self.games // 2)]
        pairs = [self.games // 2 // len(starts)] * len(starts)
        for extra in range(self.games // 2 % len(starts)):
            pairs[extra] += 1
        found: list[Result] = []
        for start, number in zip(starts, pairs, strict=True):
            options = [part for option in start.split() for part in ("--option", option)]
            # Not pinned: the bots of contests that run side by side would all be on the same core.
            arguments = [*shlex.split(self.clock), *options, "--cores", "off", "--seed", str(seed)]
            arguments += ["--games", str(2 * number)]
            found.append(contest(self.game, (self.bot, self.rival), arguments))
        return Result([game for result in found for game in result.games])

    def row(self, result: Result) -> list[str]:
        low, high = result.interval
        names = [name.replace(f"{HASTY}:", "") for name in (self.bot, self.rival)]
        return [
            self.game,
            *names,
            self.clock.replace("--", ""),
            result.tally,
            f"{result.score:.1%}",
            f"{low:.0%} to {high:.0%}",
            f"{result.depth:.1f}",
            str(result.forfeits),
            self._goal(result),
        ]

    def _goal(self, result: Result) -> str:
        if self.goal is None:
            return "no forfeit, " + ("missed" if result.forfeits else "met")
        return f"{self.goal:.0%}, " + ("met" if result.score >= self.goal else "missed")


def champions(scale: Scale) -> Iterator[Contest]:
    for game, rivals in RIVALS.items():
        clock = f"--budget {scale.budget}" if game == "tetress" else f"--turn {scale.turn}"
        for rival in ("random", *rivals):
            if rival == "random" or f"{game}.{rival.partition(',')[0]}" in INSTALLED:
                yield Contest(game, "champion", rival, clock, scale.games, 0.9)


def claims(scale: Scale) -> Iterator[Contest]:
    """Of the reports."""
    budget = f"--budget {scale.budget}"
    yield Contest("tetress", "death-aware", "random", budget, scale.hundred, 0.84)
    yield Contest("tetress", "greedy-alphabeta", "random", budget, scale.hundred, 0.66)
    yield Contest("colosseum", "alphabeta", "random", f"--turn {scale.turn}", scale.games, 1.0)


def longer(scale: Scale) -> Iterator[Contest]:
    for game in RIVALS:
        hasty = f"{HASTY}:Hasty,game={game},seconds={scale.long / 10_000:g}"
        yield Contest(game, "champion", hasty, f"--turn {scale.long}ms", scale.longer, 0.55)


def hurried(scale: Scale) -> Iterator[Contest]:
    for name in sorted(INSTALLED) if scale.hurried else ():
        game, _, bot = name.rpartition(".")
        if game in RIVALS:
            yield Contest(game, bot, "random", "--turn 50ms", scale.hurried)


PARTS = {part.__name__: part for part in (champions, claims, longer, hurried)}


def write(file: Path, told: str, rows: list[list[str]]) -> None:
    """Replaces the table; after every contest, so that a night cut short is not lost."""
    head = file.read_text().partition(MARK)[0]
    lines = [COLUMNS, ["---"] * len(COLUMNS), *rows]
    table = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    file.write_text(f"{head}{MARK}\n\n{datetime.now(UTC).date()}, `{told}`:\n\n{table}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="only these games")
    parser.add_argument(
        "--scale", choices=SCALES, default="short", help="full is for a night, tiny shows that it works"
    )
    parser.add_argument("--part", choices=PARTS, action="append", help="only this part; may be given again")
    parser.add_argument("--turn", help="another time per turn than the scale's")
    parser.add_argument("--number", type=int, help="another number of games than the scale's, even")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", type=Path, help="the Markdown file whose table is replaced")
    asked = parser.parse_args()
    scale = SCALES[asked.scale]
    scale = replace(scale, turn=asked.turn or scale.turn)
    if asked.number:
        scale = replace(
            scale, games=asked.number, hundred=asked.number, longer=asked.number, hurried=asked.number
        )
    every = [one for part in asked.part or PARTS for one in PARTS[part](scale)]
    todo = [one for one in every if not asked.games or one.game in asked.games]
    told = shlex.join(["python", "bench/strength.py", *sys.argv[1:]])
    with ThreadPoolExecutor(asked.jobs) as pool:
        futures = [pool.submit(one.play, asked.seed) for one in todo]
        rows = []
        for number, (one, future) in enumerate(zip(todo, futures, strict=True), 1):
            rows.append(one.row(future.result()))
            progress(f"{number} of {len(todo)}: {', '.join(rows[-1])}")
            if asked.write:
                write(asked.write, told, rows)
    table = Table(title=f"{asked.scale}, seed {asked.seed}, {asked.jobs} at a time")
    for column in COLUMNS:
        table.add_column(column)
    for row in rows:
        table.add_row(*row)
    Console(width=WIDTH).print(table)


if __name__ == "__main__":
    main()
