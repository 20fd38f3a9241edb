"""Kills the referee at random instants of a series or a tournament, and goes on: every result is there once, the same.

The bots are deterministic, so what was disturbed must end like what was not.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.figures import progress
from referee.record import read_record
from referee.tournament.ledger import read_games
from referee.verdict import Verdict

BOTS = ("greedy", "minimax,depth=2")
SERIES = ["play", "sudoku", *BOTS, "--board", "random-2x3", "--turn", "5s", "--seed", "7"]
TOURNAMENT = """
game = "sudoku"
bots = ["greedy", "random", "minimax", "minimax-two-free"]
options.board = "random-2x3"
time = {clock = false, nodes = 100}
"""
#: After so many resumes it must have ended.
PATIENCE = 20

#: By the name of the game: its moves and its verdict.
Results = dict[str, tuple[tuple[str, ...], Verdict | None]]


class Series:
    """One series in a folder of its own, under one referee after the other."""

    def __init__(self, folder: Path, games: int) -> None:
        self.records = folder / "records"
        self.records.mkdir()
        self.begin = [*SERIES, "--games", str(games), "--records", str(self.records)]
        self.environment = {**os.environ, "XDG_CONFIG_HOME": str(folder), "TMPDIR": str(folder)}

    def start(self) -> subprocess.Popen[bytes]:
        """Goes on with the series if a match of it had begun."""
        command = self.begin
        for series in self.records.iterdir():
            if any(file.read_bytes().count(b"\n") for file in series.iterdir()):
                command = ["play", "--resume", str(series)]
            else:  # not one entry reached the disk: there is nothing to go on with
                for file in series.iterdir():
                    file.unlink()
                series.rmdir()
        return shotclock([*command, "--json"], self.environment)

    def results(self) -> Results:
        (series,) = self.records.iterdir()
        found = [(file.stem.rpartition("-")[2], contents(file)) for file in series.iterdir()]
        if len(dict(found)) < len(found):
            raise SystemExit("a game is there twice")
        return dict(found)


class Tournament:
    """One tournament in a folder of its own; the same command begins it and goes on with it."""

    def __init__(self, folder: Path, games: int) -> None:
        self.spec = folder / "kill.toml"
        self.spec.write_text(f"games = {games}\n{TOURNAMENT}")
        self.out = folder / "out"
        self.environment = {**os.environ, "XDG_CONFIG_HOME": str(folder), "TMPDIR": str(folder)}

    def start(self) -> subprocess.Popen[bytes]:
        return shotclock(
            ["tournament", str(self.spec), "--out", str(self.out), "--jobs", "2"], self.environment
        )

    def results(self) -> Results:
        games = [game.match for game in read_games(self.out)]
        if len(set(games)) < len(games):
            raise SystemExit("a game is there twice")
        return {match: contents(self.out / "records" / f"{match}.match") for match in games}


Kind = type[Series] | type[Tournament]
KINDS: dict[str, Kind] = {"series": Series, "tournament": Tournament}


def shotclock(arguments: list[str], environment: dict[str, str]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-P", "-m", "referee", "--log-level", "error", *arguments]
    return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def contents(file: Path) -> tuple[tuple[str, ...], Verdict | None]:
    record = read_record(file)
    return tuple(turn["move"] for turn in record.turns), record.verdict


def undisturbed(kind: Kind, games: int) -> tuple[Results, float]:
    with tempfile.TemporaryDirectory(prefix="kill-") as name:
        run = kind(Path(name), games)
        began = time.monotonic()
        finish(run.start())
        return run.results(), time.monotonic() - began


def finish(process: subprocess.Popen[bytes]) -> None:
    _, errors = process.communicate()
    if process.returncode:
        raise SystemExit(f"a referee ended with {process.returncode}: {errors.decode()}")


def killed(kind: Kind, games: int, *, takes: float, rng: random.Random) -> tuple[Results, int]:
    """One whose referees are killed at random instants until one of them comes through."""
    with tempfile.TemporaryDirectory(prefix="kill-", ignore_cleanup_errors=True) as name:
        run = kind(Path(name), games)
        for kills in range(PATIENCE):
            process = run.start()
            try:
                _, errors = process.communicate(timeout=rng.uniform(0, takes))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.communicate()
                continue
            if process.returncode:
                raise SystemExit(f"a referee ended with {process.returncode}: {errors.decode()}")
            return run.results(), kills
        finish(run.start())
        return run.results(), PATIENCE


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="?", choices=KINDS, default="series")
    parser.add_argument("--kills", type=int, default=200, help="at least so many")
    parser.add_argument("--games", type=int, default=6, help="of each series, or of two bots of a tournament")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    rng = random.Random(asked.seed)
    kind = KINDS[asked.what]
    expected, takes = undisturbed(kind, asked.games)
    progress(f"undisturbed: {len(expected)} games in {takes:.1f} s")
    kills = number = equal = 0
    while kills < asked.kills:
        results, times = killed(kind, asked.games, takes=takes, rng=rng)
        number, kills, equal = number + 1, kills + times, equal + (results == expected)
        progress(f"{kills} of {asked.kills} kills, {equal} of {number} as undisturbed")
    table = Table("kills", f"times the same {asked.what}", "games", "equal to the undisturbed one")
    table.add_row(str(kills), str(number), str(number * len(expected)), f"{equal} of {number}")
    Console().print(table)
    sys.exit(equal != number)


if __name__ == "__main__":
    main()
