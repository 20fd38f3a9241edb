"""Damaged positions and moves, by the thousand: each must be refused in one sentence, or be as good as any."""

import argparse
import random
import time
from collections import Counter

from rich.console import Console
from rich.table import Table as Grid

from bench.figures import WIDTH, progress
from games import Game, find_game, game_names
from games.conformance import Broken, Case, Trial, cases, judge_move, judge_text
from games.mutation import mutated

#: Games of random moves whose positions are damaged, per variant.
GAMES = 20


def fuzz(case: Case, texts: int, seed: int) -> Counter[str]:
    """So many positions and as many moves."""
    rng = random.Random(seed)
    places = [position for number in range(GAMES) for position in case.playout(number, 0).positions]
    moves = [position.last for position in places if position.last]
    done: Counter[str] = Counter()
    for _ in range(texts):
        text = mutated(str(rng.choice(places)), rng)
        done["positions taken" if judge_text(case.game, text) else "positions refused"] += 1
        move = mutated(rng.choice(moves), rng)
        done["moves taken" if judge_move(rng.choice(places), move) else "moves refused"] += 1
    return done


def fuzz_game(game: Game, texts: int, seed: int, grid: Grid) -> None:
    share = cases(game, Trial())
    for case in share:
        began = time.perf_counter()
        done = fuzz(case, -(-texts // len(share)), seed)
        seconds = time.perf_counter() - began
        progress(f"{case}: {seconds:.1f} s")
        columns = ("positions refused", "positions taken", "moves refused", "moves taken")
        grid.add_row(str(case), *(f"{done[column]:,}" for column in columns), f"{seconds:.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", metavar="GAME", nargs="*", help="default: every game")
    parser.add_argument("--texts", type=int, default=100_000, help="positions and moves, so many of each")
    parser.add_argument("--seed", type=int, default=1, help="other texts for another seed")
    arguments = parser.parse_args()
    title = f"damaged texts, seed {arguments.seed}: nothing but clean refusals"
    grid = Grid("", "positions refused", "taken", "moves refused", "taken", "seconds", title=title)
    try:
        for name in arguments.games or game_names():
            fuzz_game(find_game(name), arguments.texts, arguments.seed, grid)
    except Broken as broken:
        raise SystemExit(f"broken: {broken}") from None
    Console(width=WIDTH).print(grid)


if __name__ == "__main__":
    main()
