"""Kills the referee at random instants of a series and goes on with it: every result must be there once, and the same.

The bots are deterministic, so a series that was disturbed must end like one that was not.
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
from referee.verdict import Verdict

BOTS = ("greedy", "minimax,depth=2")
SERIES = ["play", "sudoku", *BOTS, "--board", "random-2x3", "--turn", "5s", "--seed", "7"]
#: After so many resumes a series must have ended.
PATIENCE = 20

#: By the number of the game: its moves and its verdict.
Results = dict[str, tuple[tuple[str, ...], Verdict | None]]


class Run:
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
        shotclock = [sys.executable, "-P", "-m", "referee", "--log-level", "error", *command, "--json"]
        return subprocess.Popen(
            shotclock, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )

    def results(self) -> Results:
        (series,) = self.records.iterdir()
        found: Results = {}
        for file in series.iterdir():
            record = read_record(file)
            number = record.terms.match_id.rpartition("-")[2]
            if number in found:
                raise SystemExit(f"game {number} is there twice")
            found[number] = tuple(turn["move"] for turn in record.turns), record.verdict
        return found


def undisturbed(games: int) -> tuple[Results, float]:
    with tempfile.TemporaryDirectory(prefix="kill-") as name:
        run = Run(Path(name), games)
        began = time.monotonic()
        finish(run.start())
        return run.results(), time.monotonic() - began


def finish(process: subprocess.Popen[bytes]) -> None:
    _, errors = process.communicate()
    if process.returncode:
        raise SystemExit(f"a referee ended with {process.returncode}: {errors.decode()}")


def killed(games: int, *, takes: float, rng: random.Random) -> tuple[Results, int]:
    """A series whose referees are killed at random instants until one of them comes through."""
    with tempfile.TemporaryDirectory(prefix="kill-", ignore_cleanup_errors=True) as name:
        run = Run(Path(name), games)
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
    parser.add_argument("--kills", type=int, default=200, help="at least so many")
    parser.add_argument("--games", type=int, default=6, help="of each series")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    rng = random.Random(asked.seed)
    expected, takes = undisturbed(asked.games)
    progress(f"undisturbed: {len(expected)} games in {takes:.1f} s")
    kills = series = equal = 0
    while kills < asked.kills:
        results, times = killed(asked.games, takes=takes, rng=rng)
        series, kills, equal = series + 1, kills + times, equal + (results == expected)
        progress(f"{kills} of {asked.kills} kills, {equal} of {series} series as undisturbed")
    table = Table("kills", "series", "games", "series equal to the undisturbed one")
    table.add_row(str(kills), str(series), str(series * asked.games), f"{equal} of {series}")
    Console().print(table)
    sys.exit(equal != series)


if __name__ == "__main__":
    main()
