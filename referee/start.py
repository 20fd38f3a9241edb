"""Where a game starts, as it is asked for on the command line."""

from typing import Annotated

import typer

from games import Game, Mistake, Position

GameName = Annotated[str, typer.Argument(help="The game, such as sudoku.")]
VariantName = Annotated[str, typer.Option(help="A variant of the game; its first one by default.")]
BoardName = Annotated[str, typer.Option(help="Start position by name or file; short for --option board=...")]
Settings = Annotated[list[str] | None, typer.Option(help="A setting of the game, NAME=VALUE; repeatable.")]
Seed = Annotated[
    int, typer.Option(min=0, help="For a start that is drawn by lot: the start of `play --seed`.")
]
PositionText = Annotated[
    str, typer.Option(help="A position as `show` prints it, in place of the start of a game.")
]


def chosen_variant(game: Game, name: str) -> str:
    return name or game.variants[0]


def start_options(board: str, settings: list[str]) -> dict[str, str]:
    options = {"board": board} if board else {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise Mistake(f"{setting!r} is no setting: write NAME=VALUE")
        options[name] = value
    return options


def opening(
    game: Game, *, variant: str, board: str, settings: list[str] | None, seed: int, text: str
) -> Position:
    """The position in `text`, or else the start that the other arguments ask for."""
    if not text:
        options = start_options(board, settings or [])
        return game.open(variant=chosen_variant(game, variant), options=options, seed=seed)
    if variant or board or settings:
        raise Mistake(
            "--position says everything about a position: leave out --variant, --board and --option"
        )
    return game.parse(text)
