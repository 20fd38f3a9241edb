"""`shotclock bots`: the bots that are installed."""

import inspect
import json
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Annotated

import typer

from games import Unknown, game_names


@dataclass(frozen=True, slots=True)
class Listed:
    """A bot of one game, with the first line of what it says about itself."""

    game: str
    name: str
    summary: str
    #: With their defaults; None where there is none.
    options: dict[str, object]

    @property
    def text(self) -> str:
        options = [
            name if value is None else f"{name}={_typed(value)}" for name, value in self.options.items()
        ]
        return ",".join([self.name, *options])


def bots(
    game: Annotated[str, typer.Argument(help="Only the bots of this game.")] = "",
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
) -> None:
    """List the bots that are installed, with their options as they stand if nothing is said."""
    if game and game not in game_names():
        raise Unknown("game", game, game_names())
    found = sorted(listed([game] if game else game_names()), key=lambda bot: (bot.game, bot.name))
    if as_json:
        keys = ("game", "name", "summary", "options")
        typer.echo(json.dumps([{key: getattr(bot, key) for key in keys} for bot in found]))
        return
    for name in dict.fromkeys(bot.game for bot in found):
        typer.echo(name)
        for bot in found:
            if bot.game == name:
                typer.echo(f"  {bot.text}\n      {bot.summary}")


def listed(games: list[str]) -> Iterator[Listed]:
    """A bot whose entry point names no game is one of every game's that has none of that name."""
    entries = entry_points(group="shotclock.bots")
    for entry in entries:
        place, _, name = entry.name.rpartition(".")
        summary, options = described(entry)
        for game in games:
            if place == game or (not place and f"{game}.{name}" not in entries.names):
                yield Listed(game, name, summary, options)


def described(entry: EntryPoint) -> tuple[str, dict[str, object]]:
    """One bot that is broken must not hide the others."""
    try:
        bot = entry.load()
        parameters = inspect.signature(bot).parameters.values()
    except Exception as error:  # noqa: BLE001 - whatever a stranger's module does when it is imported
        return f"broken: {entry.value}: {type(error).__name__}: {error}", {}
    summary = (inspect.getdoc(bot) or "").partition("\n")[0]
    return summary, {p.name.rstrip("_"): None if p.default is p.empty else p.default for p in parameters}


def _typed(value: object) -> str:
    """As one types it."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
