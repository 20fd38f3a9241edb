"""`shotclock trace`: a search, printed node by node."""

import json
from enum import StrEnum
from math import inf, isfinite
from pathlib import Path
from typing import Annotated

import typer

from bots.search import AlphaBeta, best_moves
from bots.search.trace import AlphaBetaTrace, PlainTrace, Step
from bots.search.tree import dot as drawn
from bots.tree import worth
from games import Mistake, other
from games.tree import Tree
from games.tree.load import load
from games.tree.node import DEEPEST
from games.tree.search import Board

app = typer.Typer(help="Print a search node by node.")


class Kind(StrEnum):
    """The ways to search."""

    PLAIN = "plain"
    ALPHABETA = "alphabeta"


TRACES = {Kind.PLAIN: PlainTrace, Kind.ALPHABETA: AlphaBetaTrace}


@app.callback()
def trace() -> None:
    """Print a search node by node."""


@app.command()
def tree(
    search: Annotated[Kind, typer.Argument(help="How to search.")] = Kind.ALPHABETA,
    *,
    player: Annotated[
        int, typer.Option(min=0, max=2, help="Who searches, 1 or 2; if the other is to move, it moves first.")
    ] = 0,
    depth: Annotated[int, typer.Option(min=0, help="Plies looked ahead; 0 is to the leaves.")] = 0,
    position: Annotated[str, typer.Option(help="A position as `show tree` prints it.")] = "",
    file: Annotated[str, typer.Option(help="A TOML file with a tree of your own.")] = "",
    dot: Annotated[Path | None, typer.Option(help="Write the tree that was searched, for Graphviz.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Search the simple game tree and print each node with its value so far, and with the window if there is one."""
    start = begin(position, file)
    if player == other(start.seat):
        start = start.play(best_move(start))
    if not start.legal_moves():
        raise Mistake(f"the game is over at {start.node.name}: there is nothing to search")
    watched = TRACES[search](Board(start), worth, start.node.name)
    value = watched.value(depth or DEEPEST, -inf, inf)
    if dot is not None:
        try:
            dot.write_text(drawn(watched.tree), "utf-8")
        except OSError as error:
            raise Mistake(f"{dot} cannot be written: {error.strerror}") from error
    windows = search is Kind.ALPHABETA
    if as_json:
        steps = [step_data(step, windows=windows) for step in watched.steps]
        data = {"position": str(start), "player": start.seat, "search": search.value, "value": value}
        typer.echo(json.dumps(data | {"steps": steps}))
        return
    for step in watched.steps:
        typer.echo(step.with_window if windows else str(step))


def begin(position: str, file: str) -> Tree:
    if position and file:
        raise Mistake("--position says everything about a tree: leave out --file")
    return Tree.parse(position) if position else Tree(load(file))


def best_move(position: Tree) -> str:
    """As its player finds it, looking at everything."""
    board = Board(position)
    *_, best = best_moves(AlphaBeta(board, worth), DEEPEST, board.moves())
    return board.text(best.move)


def step_data(step: Step, *, windows: bool) -> dict[str, object]:
    """What is infinite is null."""
    numbers = {"value": step.value} | ({"alpha": step.alpha, "beta": step.beta} if windows else {})
    return {"node": step.name} | {name: n if isfinite(n) else None for name, n in numbers.items()}
