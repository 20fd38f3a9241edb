"""How one bot fares against another: games in pairs from the same start, seats swapped.

A win counts 1 and a draw one half. The interval holds the score that endless games would give in 95 of 100 cases; it is
Wilson's, so that a clean sweep of few games does not look like certainty.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from rich.console import Console
from rich.table import Table

from bench.figures import WIDTH
from referee.statistics.score import Tally, wilson_interval

Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Result:
    """What a bot made of its games, each given with the seat that it had."""

    games: Sequence[tuple[Data, int]]

    @property
    def wins(self) -> int:
        return sum(match["winner"] == seat for match, seat in self.games)

    @property
    def draws(self) -> int:
        return sum(match["winner"] is None for match, _ in self.games)

    @property
    def score(self) -> float:
        return (self.wins + self.draws / 2) / len(self.games)

    @property
    def tally(self) -> str:
        return f"{self.wins}-{self.draws}-{len(self.games) - self.wins - self.draws}"

    @property
    def interval(self) -> tuple[float, float]:
        """Both ends, for a score from 0 to 1."""
        losses = len(self.games) - self.wins - self.draws
        found = wilson_interval(Tally(self.wins, self.draws, losses))
        return found.low, found.high

    @property
    def faults(self) -> int:
        return sum(fault["seat"] == seat for match, seat in self.games for fault in match["faults"])

    @property
    def forfeits(self) -> int:
        """Games that it lost otherwise than by the rules of the game."""
        lost = [match for match, seat in self.games if match["winner"] not in {seat, None}]
        return sum(match["reason"] != "finished" for match in lost)

    @property
    def turns(self) -> list[Data]:
        return [turn for match, seat in self.games for turn in match["turns"] if turn["seat"] == seat]

    @property
    def depth(self) -> float:
        """The mean over its turns of what it looked ahead in the end."""
        depths = [turn["proposals"][-1].get("depth", 0) for turn in self.turns if turn["proposals"]]
        return mean(depths) if depths else 0


def contest(game: str, bots: Sequence[str], arguments: Sequence[str]) -> Result:
    """For the first of the bots, which has seat 1 in the first game of a pair and seat 2 in the second."""
    with tempfile.TemporaryDirectory() as records:
        shotclock = [str(Path(sys.executable).with_name("shotclock")), "play"]
        command = [*shotclock, game, *bots, "--records", records, "--json", *arguments]
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    matches = json.loads(output)["games"]
    return Result([(match, 1 + number % 2) for number, match in enumerate(matches)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("bot")
    parser.add_argument("rival")
    parser.add_argument("--games", type=int, default=20, help="an even number")
    parser.add_argument("--turn", help="such as 500ms; the game's own clock by default")
    parser.add_argument("--budget", help="for all turns of a bot together, such as 30s")
    parser.add_argument("--option", action="append", default=[], help="a setting of the game, NAME=VALUE")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    if asked.games < 2 or asked.games % 2:
        parser.error(f"games come in pairs: --games is an even number, not {asked.games}")
    arguments = ["--games", str(asked.games), "--seed", str(asked.seed)]
    arguments += ["--turn", asked.turn] if asked.turn else []
    arguments += ["--budget", asked.budget] if asked.budget else []
    for option in asked.option:
        arguments += ["--option", option]
    played = contest(asked.game, [asked.bot, asked.rival], arguments).games
    clock = " ".join(filter(None, [asked.turn, asked.budget])) or "own clock"
    found = Table(title=f"{asked.game}: {asked.bot} against {asked.rival}, {clock}, seed {asked.seed}")
    for column in (
        f"games of {asked.bot}",
        "won-drawn-lost",
        "score",
        "95 %",
        "depth",
        "longest ms",
        "faults",
    ):
        found.add_column(column)
    for name, part in (("all", played), ("as first", played[::2]), ("as second", played[1::2])):
        result = Result(part)
        low, high = result.interval
        longest = max(turn["ended_ms"] for turn in result.turns)
        found.add_row(
            name,
            result.tally,
            f"{result.score:.3f}",
            f"{low:.3f} to {high:.3f}",
            f"{result.depth:.1f}",
            f"{longest:.0f}",
            str(result.faults),
        )
    Console(width=WIDTH).print(found)


if __name__ == "__main__":
    main()
