"""`shotclock games`: what can be played here."""

import json
from typing import Annotated

import typer

from games import COMMON_OPTIONS, Clock, Game, Mistake, Ruling, find_game, game_names
from referee.timing import SECOND, format_duration

RULINGS = {
    Ruling.LOSES: "a turn without a valid move loses the game",
    Ruling.SKIPPED: "a turn is judged by its last valid proposal, and lost without one",
    Ruling.REPLACED: "a turn without a valid move gets a move drawn by lot",
}


def games(
    game: Annotated[str, typer.Argument(help="A game to tell everything about.")] = "",
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
) -> None:
    """List the games that are installed, or all there is to know about one."""
    if game:
        found = find_game(game)
        typer.echo(json.dumps(game_data(found)) if as_json else description(found))
        return
    names = game_names()
    if as_json:
        typer.echo(json.dumps([game_data(find_game(name)) for name in names]))
        return
    width = max(map(len, names), default=0)
    for name in names:
        typer.echo(f"{name:<{width}}  {summary(name)}")


def summary(name: str) -> str:
    """One game that is broken must not hide the others."""
    try:
        return find_game(name).summary
    except Mistake as mistake:
        return f"broken: {mistake}"


def description(game: Game) -> str:
    default, *others = game.variants
    rows = [
        ("variants", ", ".join([f"{default} (default)" if others else default, *others])),
        ("moves", game.notation),
        *((f"option {name}", text) for name, text in {**game.options, **COMMON_OPTIONS}.items()),
        ("clock", clock_text(game.clock)),
        ("memory", "no limit" if game.memory is None else f"{game.memory} MB"),
        ("ruling", f"{game.ruling.value}: {RULINGS[game.ruling]}"),
    ]
    width = max(len(name) for name, _ in rows)
    return "\n".join(
        [f"{game.name}: {game.summary}", "", *(f"{name:<{width}}  {text}" for name, text in rows)]
    )


def clock_text(clock: Clock) -> str:
    parts = [
        (clock.turn, "a turn"),
        (clock.first, "for a player's first turn"),
        (clock.budget, "a player for the whole game"),
    ]
    told = [f"{format_duration(round(limit * SECOND))} {what}" for limit, what in parts if limit is not None]
    return ", ".join(told) or "none"


def game_data(game: Game) -> dict[str, object]:
    return {
        "game": game.name,
        "summary": game.summary,
        "notation": game.notation,
        "variants": list(game.variants),
        "options": {**game.options, **COMMON_OPTIONS},
        "turn_ms": milliseconds(game.clock.turn),
        "first_turn_ms": milliseconds(game.clock.first),
        "budget_ms": milliseconds(game.clock.budget),
        "memory_mb": game.memory,
        "ruling": game.ruling.value,
    }


def milliseconds(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds * 1000, 3)
