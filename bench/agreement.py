"""Every search finds what plain minimax finds: the same value and the same move, on random positions of every game.

Values are drawn by lot, few and often equal, so that a search which takes the wrong one of two equal moves is caught.
"""

import argparse
import random
import time
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from rich.console import Console
from rich.table import Table as Grid

from bench.figures import WIDTH, progress
from bots import Proposal
from bots.search import AlphaBeta, Minimax, Played, Table, decide
from games import Position, Seat, find_game, game_names


@dataclass(frozen=True, slots=True)
class Task:
    """Where the positions of a game come from, and how much of each is searched: `width` moves at every node."""

    depth: int
    width: int
    options: tuple[dict[str, str], ...] = ({},)


TASKS = {
    "colosseum": Task(3, 5, ({"size": "6"}, {"size": "8"})),
    "reversi": Task(4, 5, ({}, {"size": "4"}, {"size": "6"})),
    "sudoku": Task(3, 3, ({"board": "random-2x3"}, {"board": "empty-2x2"}, {"board": "easy-2x2"})),
    "tetress": Task(3, 5),
    "tree": Task(6, 6),
}
#: For a game of somebody else's.
USUAL = Task(3, 4)


class Disagreement(AssertionError):  # noqa: N818 - that is what it is
    """A search found something else."""


def arbitrary(board: Any, seat: Seat) -> float:  # noqa: ANN401 - a board of any game
    """Few different values, so that many are equal; not the same for both seats, as some evaluations are not."""
    return zlib.crc32(repr((board.key, seat)).encode()) % 5 * (1 if board.seat == seat else -3)


def some(width: int) -> Any:  # noqa: ANN401 - an order for boards of any game
    """An order that is different at every node, and leaves most moves out where there are many."""

    def order(board: Any, moves: Sequence[Any]) -> Sequence[Any]:  # noqa: ANN401 - a board of any game
        start = zlib.crc32(repr(board.key).encode()) % len(moves)
        return [*moves[start:], *moves[:start]][:width]

    return order


def board_of(game: str, position: Position) -> Any:  # noqa: ANN401 - a board of any game
    """The game's own, or its rules where it has none that asks for all of them."""
    return (find_game(game).board or Played)(position)


def positions(game: str, seed: int) -> Iterator[Position]:
    """All that have a choice, of one random game after the other, each with the next set of options and variant."""
    found, task = find_game(game), TASKS.get(game, USUAL)
    rng = random.Random(seed)
    while True:
        for options in task.options:
            variant = rng.choice(found.variants)
            position = found.start(variant=variant, seed=rng.getrandbits(32), options=options)
            while moves := position.legal_moves():
                if len(moves) > 1:
                    yield position
                position = position.play(rng.choice(moves))


def last(proposals: Iterator[Proposal]) -> tuple[str, float | None, int | None]:
    *_, proposal = proposals
    return proposal.move, proposal.score, proposal.depth


def compare(game: str, position: Position, depth: int, table: Table) -> tuple[int, int]:
    """Nodes of the plain search and of one that prunes; raises Disagreement."""
    order = some(TASKS.get(game, USUAL).width)
    plain = Minimax(board_of(game, position), arbitrary, order=order)
    expected = last(decide(plain, depth))
    pruned = AlphaBeta(board_of(game, position), arbitrary, order=order)
    for search in (
        pruned,
        AlphaBeta(board_of(game, position), arbitrary, order=order, killers=False),
        # The second time all of it may be in the table.
        AlphaBeta(board_of(game, position), arbitrary, order=order, table=table),
        AlphaBeta(board_of(game, position), arbitrary, order=order, table=table),
    ):
        found = last(decide(search, depth))
        if found != expected:
            raise Disagreement(f"{expected} became {found} at depth {depth} in {game} {str(position)!r}")
    return plain.effort.nodes, pruned.effort.nodes


def agree(game: str, count: int, seed: int) -> tuple[int, int]:
    """So many positions, to every depth in turn, with tables that outlive them and hold a few hundred entries."""
    rng, source = random.Random(seed), positions(game, seed)
    deepest = TASKS.get(game, USUAL).depth
    # One for each seat that may search, since values are not the same for both.
    tables: dict[Seat, Table] = {1: Table(500), 2: Table(500)}
    all_plain, all_pruned = 0, 0
    for position in islice(source, count):
        plain, pruned = compare(game, position, rng.randint(1, deepest), tables[position.seat])
        all_plain += plain
        all_pruned += pruned
    return all_plain, all_pruned


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", metavar="GAME", nargs="*", help="default: every game")
    parser.add_argument("--positions", type=int, default=2000, help="of each game")
    parser.add_argument("--seed", type=int, default=1, help="other positions for another seed")
    arguments = parser.parse_args()
    grid = Grid("", "positions", "nodes, plain", "pruned", "seconds", title="plain minimax and alpha-beta")
    for game in arguments.games or game_names():
        progress(game)
        began = time.perf_counter()
        try:
            plain, pruned = agree(game, arguments.positions, arguments.seed)
        except Disagreement as disagreement:
            raise SystemExit(str(disagreement)) from None
        seconds = time.perf_counter() - began
        grid.add_row(game, f"{arguments.positions:,} agree", f"{plain:,}", f"{pruned:,}", f"{seconds:.1f}")
    Console(width=WIDTH).print(grid)


if __name__ == "__main__":
    main()
