"""`shotclock perft`: counts sequences of legal moves."""

import json
import sys
import time
from collections.abc import Iterable, Iterator
from typing import Annotated

import typer

from games import find_game
from games.perft import divide
from referee.start import BoardName, GameName, PositionText, Seed, Settings, VariantName, opening

#: Seconds between two looks at how far it is, on a terminal.
LOOK_EVERY = 0.2


def perft(  # noqa: PLR0913 - each argument is an option of the command
    game: GameName,
    *,
    depth: Annotated[int, typer.Option("--depth", "-d", min=1, max=200, help="Moves in a sequence.")],
    variant: VariantName = "",
    board: BoardName = "",
    option: Settings = None,
    seed: Seed = 0,
    position: PositionText = "",
    by_move: Annotated[bool, typer.Option("--divide", help="Count for each first move by itself.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Count the sequences of 1, 2, ... moves that the rules allow; a finished game has no moves."""
    found = find_game(game)
    start = opening(found, variant=variant, board=board, settings=option, seed=seed, text=position)
    first_moves = len(start.legal_moves())
    depths = []
    parts: dict[str, int] = {}
    if not as_json:
        typer.echo(f"depth {'sequences':>18} {'seconds':>10} {'per second':>12}")
    for plies in range(1, depth + 1):
        began = time.perf_counter()
        counting = divide(found, start, plies)
        parts = dict(watched(counting, plies, first_moves) if sys.stderr.isatty() else counting)
        seconds = time.perf_counter() - began
        sequences = sum(parts.values())
        depths.append({"depth": plies, "sequences": sequences, "seconds": round(seconds, 6)})
        if not as_json:
            typer.echo(
                f"{plies:>5} {sequences:>18,} {seconds:>10.3f} {sequences / max(seconds, 1e-9):>12,.0f}"
            )
    if as_json:
        data = {"game": found.name, "position": str(start), "depths": depths}
        typer.echo(json.dumps(data | {"divide": parts} if by_move else data))
    elif by_move:
        width = max(map(len, parts), default=0)
        typer.echo(f"\nof {depth} moves, by the first:")
        for move, sequences in parts.items():
            typer.echo(f"{move:<{width}} {sequences:>18,}")


def watched(counting: Iterable[tuple[str, int]], depth: int, first_moves: int) -> Iterator[tuple[str, int]]:
    """Says on the terminal how far a long count is, and takes it away when it is done."""
    looked = time.monotonic()
    total = 0
    for number, (move, sequences) in enumerate(counting, 1):
        total += sequences
        if time.monotonic() - looked > LOOK_EVERY:
            looked = time.monotonic()
            typer.echo(
                f"\rdepth {depth}: {total:,} after {number} of {first_moves} first moves\x1b[K",
                nl=False,
                err=True,
            )
        yield move, sequences
    typer.echo("\r\x1b[K", nl=False, err=True)
