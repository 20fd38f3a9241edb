"""`shotclock show`: draws a position, or where a list of moves leads."""

import json
import sys
from dataclasses import asdict, dataclass
from typing import Annotated

import typer

from games import Game, IllegalMove, Mistake, Outcome, Position, Seat, find_game
from referee.start import BoardName, GameName, PositionText, Seed, Settings, VariantName, opening


@dataclass(frozen=True, slots=True)
class Ply:
    """A move that was played."""

    seat: Seat
    move: str
    effect: str
    #: After the move.
    position: str


def show(  # noqa: PLR0913 - each argument is an option of the command
    game: GameName,
    moves: Annotated[
        list[str] | None, typer.Argument(metavar="[MOVE]...", help="Moves to play, in order.")
    ] = None,
    *,
    variant: VariantName = "",
    board: BoardName = "",
    option: Settings = None,
    seed: Seed = 0,
    position: PositionText = "",
    listed: Annotated[
        list[str] | None, typer.Option("--moves", help="The same: --moves d3 c3, or --moves 'd3 c3'.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Draw a position of a game, after the moves given if there are any."""
    found = find_game(game)
    start = opening(found, variant=variant, board=board, settings=option, seed=seed, text=position)
    # Of `--moves d3 c3` the first word is the option's and the others are arguments.
    first = [move for text in listed or [] for move in text.split()]
    plies, end = played_out(start, [*first, *(moves or [])])
    if as_json:
        typer.echo(json.dumps(position_data(found, start, plies, end)))
        return
    width = max((len(ply.move) for ply in plies), default=0)
    for number, ply in enumerate(plies, 1):
        typer.echo(f"{number:>3}  player {ply.seat}  {ply.move:<{width}}  {ply.effect}".rstrip())
    if plies:
        typer.echo()
    typer.echo(end.draw(colour=sys.stdout.isatty()))
    typer.echo()
    typer.echo(what_next(end))
    typer.echo(f"position: {end}")


def played_out(start: Position, moves: list[str]) -> tuple[list[Ply], Position]:
    plies = []
    position = start
    for number, move in enumerate(moves, 1):
        seat = position.seat
        try:
            position = position.play(move)
        except IllegalMove as refusal:
            raise Mistake(f"move {number} of {len(moves)} is refused: {refusal}") from None
        plies.append(Ply(seat, position.last, position.effect, str(position)))
    return plies, position


def what_next(position: Position) -> str:
    outcome = position.outcome()
    if outcome is None:
        legal = len(position.legal_moves())
        return f"player {position.seat} to move, {legal:,} legal move{'s' * (legal != 1)}"
    first, second = outcome.scores
    return f"{result(outcome)}, {first} : {second}, {outcome.reason}"


def result(outcome: Outcome) -> str:
    return "draw" if outcome.winner is None else f"player {outcome.winner} wins"


def position_data(game: Game, start: Position, plies: list[Ply], end: Position) -> dict[str, object]:
    outcome = end.outcome()
    return {
        "game": game.name,
        "start": str(start),
        "moves": [asdict(ply) for ply in plies],
        "position": str(end),
        "seat": end.seat if outcome is None else None,
        "scores": list(end.scores),
        "legal_moves": list(end.legal_moves()),
        "outcome": None if outcome is None else asdict(outcome),
    }
