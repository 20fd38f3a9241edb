"""How one bot fares against another: games in pairs from the same start, seats swapped.

A win counts 1 and a draw one half. The interval holds the score that endless games would give in 95 of 100 cases; it is
Wilson's, so that a clean sweep of few games does not look like certainty.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from bench.figures import WIDTH

#: Standard deviations to either side that hold 95 of 100 cases.
SURE = 1.96

Data = dict[str, Any]


def interval(score: float, games: int) -> tuple[float, float]:
    """Both ends, for a mean score from 0 to 1."""
    spread = SURE**2 / games
    middle = score + spread / 2
    reach = SURE * sqrt(score * (1 - score) / games + spread / (4 * games))
    return (middle - reach) / (1 + spread), (middle + reach) / (1 + spread)


def played(game: str, bots: Sequence[str], arguments: Sequence[str]) -> list[Data]:
    """The matches of a series, as the command tells them."""
    with tempfile.TemporaryDirectory() as records:
        shotclock = [str(Path(sys.executable).with_name("shotclock")), "play"]
        command = [*shotclock, game, *bots, "--records", records, "--json", *arguments]
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    series = json.loads(output)
    games: list[Data] = series["games"]
    return games


def row(name: str, games: Sequence[tuple[Data, int]]) -> list[str]:
    """The results of the games that a bot had, each with the seat it had."""
    winners = [(match["winner"], seat) for match, seat in games]
    wins = sum(winner == seat for winner, seat in winners)
    draws = sum(winner is None for winner, _ in winners)
    score = (wins + draws / 2) / len(games)
    low, high = interval(score, len(games))
    turns = [turn for match, seat in games for turn in match["turns"] if turn["seat"] == seat]
    depths = [turn["proposals"][-1].get("depth", 0) for turn in turns if turn["proposals"]]
    faults = sum(fault["seat"] == seat for match, seat in games for fault in match["faults"])
    return [
        name,
        f"{wins}-{draws}-{len(games) - wins - draws}",
        f"{score:.3f}",
        f"{low:.3f} to {high:.3f}",
        f"{statistics.mean(depths):.1f}" if depths else "-",
        f"{max(turn['ended_ms'] for turn in turns):.0f}",
        str(faults),
    ]


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
    matches = played(asked.game, [asked.bot, asked.rival], arguments)
    # The first bot has seat 1 in the first game of a pair and seat 2 in the second.
    games = [(match, 1 + number % 2) for number, match in enumerate(matches)]
    clock = [f"{asked.turn} a turn"] if asked.turn else []
    clock += [f"{asked.budget} a game"] if asked.budget else []
    found = Table(
        title=f"{asked.game}: {asked.bot} against {asked.rival},"
        f" {' and '.join(clock) or 'own clock'}, seed {asked.seed}"
    )
    for column in (
        "games of " + asked.bot,
        "won-drawn-lost",
        "score",
        "95 %",
        "mean depth",
        "longest ms",
        "faults",
    ):
        found.add_column(column)
    for name, part in (("all", games), ("as first", games[::2]), ("as second", games[1::2])):
        found.add_row(*row(name, part))
    Console(width=WIDTH).print(found)


if __name__ == "__main__":
    main()
