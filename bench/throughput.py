"""Games a second of a tournament between bots that move at random, beside a plain loop that plays the same games.

The loop has no processes, no messages, no clock and no records: it is the limit that a referee cannot reach. Memory is
that of all processes of the tournament together, in its second and its last quarter.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.figures import WIDTH, progress
from games import find_game, game_names
from referee.tournament.ledger import read_games

#: Seconds between two looks at the processes.
LOOK = 0.25
PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(slots=True)
class Looks:
    """Bytes and open files of a process with all that it has started, over time."""

    memory: list[int] = field(default_factory=list)
    files: list[int] = field(default_factory=list)
    pids: set[int] = field(default_factory=set)

    def take(self, pid: int) -> None:
        pids = family(pid)
        self.pids |= set(pids)
        self.memory.append(sum(resident(one) for one in pids))
        self.files.append(open_files(pid))

    def quarter(self, number: int) -> int:
        """The most memory in a quarter of the time, in megabytes."""
        length = len(self.memory)
        part = self.memory[length * (number - 1) // 4 : length * number // 4]
        return round(max(part, default=0) / 10**6)

    @property
    def left(self) -> int:
        return sum(Path(f"/proc/{pid}").exists() for pid in self.pids)


def family(pid: int) -> list[int]:
    pids = [pid]
    for one in pids:
        with suppress(OSError):
            for task in os.scandir(f"/proc/{one}/task"):
                pids += map(int, Path(task.path, "children").read_text().split())
    return pids


def resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE
    except OSError:  # it has ended
        return 0


def open_files(pid: int) -> int:
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))  # noqa: PTH208 - counted, not looked at
    except OSError:  # it has ended
        return 0


def refereed(game: str, games: int, jobs: int) -> tuple[float, int, Looks]:
    """Seconds, turns, and what was seen meanwhile."""
    with tempfile.TemporaryDirectory(prefix="throughput-") as name:
        folder = Path(name)
        spec = folder / "throughput.toml"
        bots = '["random", {name = "other", bot = "random"}]'
        spec.write_text(f'game = "{game}"\nbots = {bots}\ngames = {games}\n[time]\nturn = "5s"\n')
        command = [
            sys.executable,
            "-P",
            "-m",
            "referee",
            "tournament",
            str(spec),
            "--out",
            str(folder / "out"),
        ]
        looks = Looks()
        began = time.monotonic()
        process = subprocess.Popen([*command, "--jobs", str(jobs)], stdout=subprocess.DEVNULL)
        over = threading.Event()

        def watch() -> None:
            while not over.wait(LOOK):
                looks.take(process.pid)

        watcher = threading.Thread(target=watch)
        watcher.start()
        code = process.wait()
        seconds = time.monotonic() - began
        over.set()
        watcher.join()
        played = read_games(folder / "out")
        if code or len(played) != games or any(one.reason != "finished" for one in played):
            raise SystemExit(f"{game}: exit code {code}, {len(played)} of {games} games")
        return seconds, sum(side.turns for one in played for side in one.sides), looks


def plain(game: str, games: int) -> float:
    """Seconds of the same number of games, two from each start."""
    rules = find_game(game)
    began = time.monotonic()
    for number in range(games):
        rng = random.Random(number)
        position = rules.open(variant=rules.variants[0], seed=number // 2, options={})
        while position.outcome() is None:
            position = position.play(rules.stand_in(position, rng))
    return time.monotonic() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="*", metavar="GAME", help="default: every game")
    parser.add_argument("--games", type=int, default=200, help="an even number")
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    columns = (
        "game",
        "games/s",
        "turns/s",
        "plain loop, games/s",
        "x plain",
        "MB early / late",
        "open files",
        "left over",
    )
    table = Table(*columns, title=f"{asked.games} games of random against random, {asked.jobs} at a time")
    for game in asked.game or game_names():
        progress(f"{game}: {asked.games} games by the referee")
        seconds, turns, looks = refereed(game, asked.games, asked.jobs)
        progress(f"{game}: {asked.games} games in a loop")
        loop = plain(game, asked.games)
        table.add_row(
            game,
            f"{asked.games / seconds:.1f}",
            f"{turns / seconds:.0f}",
            f"{asked.games / loop:.1f}",
            f"{loop / seconds:.3f}x",
            f"{looks.quarter(2)} / {looks.quarter(4)}",
            f"{max(looks.files[len(looks.files) // 2 :], default=0)}",
            f"{looks.left} processes",
        )
    Console(width=WIDTH).print(table)


if __name__ == "__main__":
    main()
