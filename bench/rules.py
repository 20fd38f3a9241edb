"""How fast the rules are, beside the same rules written as plainly as can be; both count the same sequences."""

import argparse
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table as Grid

from bench import naive
from bench.figures import WIDTH, median, progress
from games import Game, Position, find_game, game_names
from games.perft import divide

#: Games of random moves, of which the positions halfway are looked at.
GAMES = 12


@dataclass(frozen=True, slots=True)
class Contest:
    """What a game is measured on."""

    game: str
    read: Callable[[str], Any]
    #: At least so many times as fast, in both rows.
    goal: float
    depth: int
    options: dict[str, str]


CONTESTS = (
    Contest("sudoku", naive.Sudoku.read, goal=3, depth=2, options={"board": "easy-3x3"}),
    Contest("reversi", naive.Reversi.read, goal=5, depth=7, options={}),
    Contest("tetress", naive.Tetress.read, goal=10, depth=2, options={}),
    Contest("colosseum", naive.Colosseum.read, goal=3, depth=3, options={"size": "6"}),
)


@dataclass(frozen=True, slots=True)
class Race:
    """Seconds for the same work, in each round: ours, then the plain one."""

    name: str
    unit: str
    amount: int
    ours: Sequence[float]
    plain: Sequence[float]

    @property
    def ratio(self) -> float:
        """Of each round by itself, since both ran under the same load."""
        return median([plain / ours for ours, plain in zip(self.ours, self.plain, strict=True)])


def raced(name: str, unit: str, *, ours: Callable[[], int], plain: Callable[[], int], rounds: int) -> Race:
    times: tuple[list[float], list[float]] = ([], [])
    results = set()
    for _ in range(rounds):
        for work, taken in zip((ours, plain), times, strict=True):
            began = time.process_time()
            results.add(work())
            taken.append(time.process_time() - began)
    if len(results) != 1:
        raise SystemExit(f"{name}: the two sets of rules do not agree, they count {sorted(results)}")
    return Race(name, unit, results.pop(), *times)


def halfway(game: Game, contest: Contest) -> list[Position]:
    found = []
    for seed in range(GAMES):
        rng = random.Random(seed)
        positions = [game.start(variant=game.variants[0], seed=seed, options=contest.options)]
        while positions[-1].outcome() is None:
            positions.append(positions[-1].play(rng.choice(positions[-1].legal_moves())))
        found.append(positions[len(positions) // 2])
    return found


def measure(contest: Contest, rounds: int, depth: int) -> list[Race]:
    game = find_game(contest.game)
    start = game.start(variant=game.variants[0], seed=0, options=contest.options)
    middle = halfway(game, contest)
    plain_start, plain_middle = contest.read(str(start)), [contest.read(str(position)) for position in middle]
    for position, plain in zip(middle, plain_middle, strict=True):
        if sorted(position.legal_moves()) != sorted(plain.moves()):
            raise SystemExit(f"{contest.game}: the two sets of rules do not agree on {position}")
    repeats = 20
    return [
        raced(
            f"{contest.game} perft {depth}",
            "sequences",
            ours=lambda: sum(count for _, count in divide(game, start, depth)),
            plain=lambda: naive.perft(plain_start, depth),
            rounds=rounds,
        ),
        raced(
            f"{contest.game} move lists",
            "lists",
            ours=lambda: len([position.legal_moves() for _ in range(repeats) for position in middle]),
            plain=lambda: len([plain.moves() for _ in range(repeats) for plain in plain_middle]),
            rounds=rounds,
        ),
    ]


def show(measured: list[tuple[Contest, list[Race]]]) -> None:
    grid = Grid("", "counted", "ours, per second", "plain, per second", "x plain", "goal")
    for contest, races in measured:
        for race in races:
            met = race.ratio >= contest.goal
            judged = "[green]met[/]" if met else f"[red]missed by {contest.goal - race.ratio:.1f}x[/]"
            rates = [f"{race.amount / median(times):,.0f}" for times in (race.ours, race.plain)]
            grid.add_row(
                *(race.name, f"{race.amount:,} {race.unit}", *rates),
                *(f"{race.ratio:.1f}x", f"{contest.goal:g}x, {judged}"),
            )
    Console(width=WIDTH).print(grid)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="of each count and list")
    parser.add_argument("--shallow", action="store_true", help="one move less deep, to see that it works")
    arguments = parser.parse_args()
    measured = []
    for contest in CONTESTS:
        if contest.game in game_names():
            progress(contest.game)
            depth = contest.depth - arguments.shallow
            measured.append((contest, measure(contest, arguments.rounds, depth)))
    show(measured)


if __name__ == "__main__":
    main()
