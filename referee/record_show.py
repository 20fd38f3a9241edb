"""`shotclock record show`: a record as text or JSON."""

import json
from pathlib import Path
from typing import Annotated

import typer

from referee.journal import read
from referee.record import restore, understand
from referee.screen import Screen, turn_lines
from referee.series import Played

app = typer.Typer(no_args_is_help=True, help="Look into the record of a match.")


@app.callback()
def record() -> None:
    """Makes `show` a command of its own, so that others may join it."""


@app.command()
def show(
    file: Annotated[Path, typer.Argument(help="The record of a match.")],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print its entries as one JSON object.")] = False,
) -> None:
    """Print what a record says; `shotclock verify` tells whether it is true."""
    contents = read(file)
    recorded = understand(contents, file)
    if as_json:
        typer.echo(json.dumps({"entries": contents.entries}, ensure_ascii=False))
        return
    match = restore(recorded)
    played = Played(match, recorded.entrants, 0.0, file)
    screen = Screen()
    screen.head(match, played.names)
    screen.write(
        f"began {recorded.began}, sealed by key {recorded.key}\n" if recorded.sealed else "not sealed\n"
    )
    screen.write(f"\n{match.position_at(0).draw(colour=screen.live)}\n\n")
    for report in match.reports:
        screen.write("\n".join(turn_lines(report, played.names)) + "\n")
    screen.verdict(played)
    if recorded.verdict is None:
        screen.write(f"unfinished, to go on: shotclock play --resume {file}\n")
