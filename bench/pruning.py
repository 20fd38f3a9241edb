"""What pruning is worth: games of Reversi in which both sides search alike, with and without it, beside older figures.

Every position is searched both ways, one after the other, and both must find the same move and the same value.
"""

import argparse
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table as Grid

from bench.figures import WIDTH, progress
from bots.reversi.evaluation import Terms
from bots.search import AlphaBeta, Found, Minimax, best_moves
from games.reversi import Reversi
from games.reversi.grid import grid
from games.reversi.search import Board

#: Random moves at the start of a game, so that games differ.
OPENING = 8


@dataclass(frozen=True, slots=True)
class Contest:
    """One evaluation at one depth; the older figures are seconds per game, plain and pruned."""

    evaluation: str
    depth: int
    older: tuple[float, float]
    goal: float


CONTESTS = (
    Contest("dummy", 3, (35.0, 6.7), 5.2),
    Contest("dummy", 4, (216.0, 22.4), 9.6),
    Contest("four-sectors", 3, (41.8, 17.4), 2.4),
    Contest("four-sectors", 4, (1200.0, 147.6), 8.1),
)
#: Every time is to be at most this part of the older one.
TENTH = 0.1


@dataclass(frozen=True, slots=True)
class Effort:
    """What it took, per game."""

    seconds: float
    nodes: float


def measure(contest: Contest, games: int) -> tuple[Effort, Effort]:
    """Plain and pruned."""
    totals = ([0.0, 0], [0.0, 0])
    for seed in range(games):
        for efforts in play(contest, seed):
            for total, effort in zip(totals, efforts, strict=True):
                total[0] += effort.seconds
                total[1] += effort.nodes
    plain, pruned = (Effort(seconds / games, nodes / games) for seconds, nodes in totals)
    return plain, pruned


def play(contest: Contest, seed: int) -> Iterator[tuple[Effort, Effort]]:
    """One game, each position searched both ways; equal moves are taken by lot."""
    rng = random.Random(seed)
    position = Reversi.start(grid(8))
    for _ in range(OPENING):
        position = position.play(rng.choice(position.legal_moves()))
    while position.outcome() is None:
        lots = rng.getrandbits(32)
        plain, found = search(Minimax, contest, position, lots)
        pruned, same = search(AlphaBeta, contest, position, lots)
        if (found.move, found.value) != (same.move, same.value):
            raise SystemExit(f"pruning has changed the move in {position}: {found} became {same}")
        yield plain, pruned
        position = position.play(Board(position).text(found.move))


def search(kind: type[Minimax[Any]], contest: Contest, position: Reversi, lots: int) -> tuple[Effort, Found]:
    """By the same steps as the bots take."""
    rng, terms = random.Random(lots), Terms(contest.evaluation)
    board = Board(position)
    moves = board.moves()
    rng.shuffle(moves)
    evaluate, order = terms.evaluation(position.grid, rng), terms.order(position.grid)
    its_search = kind(board, evaluate, order=order if kind is AlphaBeta else None)
    began = time.process_time()
    *_, found = best_moves(its_search, contest.depth, moves, tried=its_search.promising(moves, contest.depth))
    return Effort(time.process_time() - began, its_search.effort.nodes), found


def show(measured: list[tuple[Contest, Effort, Effort]]) -> None:
    table = Grid(
        "per game", "nodes", "seconds", "older, s", "a tenth", "nodes saved", "speed-up", "older", "goal"
    )
    for contest, plain, pruned in measured:
        name = f"{contest.evaluation}, depth {contest.depth}"
        before, after = contest.older
        table.add_row(
            f"{name}, plain", f"{plain.nodes:,.0f}", f"{plain.seconds:.3f}", f"{before:g}", met(plain, before)
        )
        ratio = plain.seconds / pruned.seconds
        table.add_row(
            *(
                f"{name}, pruned",
                f"{pruned.nodes:,.0f}",
                f"{pruned.seconds:.3f}",
                f"{after:g}",
                met(pruned, after),
            ),
            *(f"{plain.nodes / pruned.nodes:.1f}x", f"{ratio:.1f}x", f"{before / after:.1f}x"),
            f"{contest.goal}x, " + ("[green]met[/]" if ratio >= contest.goal else "[red]missed[/]"),
        )
    Console(width=WIDTH).print(table)


def met(effort: Effort, older: float) -> str:
    return "[green]met[/]" if effort.seconds <= TENTH * older else "[red]missed[/]"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=12, help="of each evaluation and depth")
    parser.add_argument("--depth", type=int, default=4, help="leave out what is deeper, to see that it works")
    arguments = parser.parse_args()
    measured = []
    for contest in CONTESTS:
        if contest.depth <= arguments.depth:
            progress(f"{contest.evaluation}, depth {contest.depth}")
            measured.append((contest, *measure(contest, arguments.games)))
    show(measured)


if __name__ == "__main__":
    main()
