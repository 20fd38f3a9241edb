"""`shotclock play`: one refereed match, or a series, between two bots."""

import asyncio
import json
import secrets
from pathlib import Path
from typing import Annotated

import typer

from games import Game, Mistake, Ruling, Unknown, find_game, parse_memory
from referee.driver import Watcher
from referee.events import Effect, Event, Terms
from referee.match import Match
from referee.report import match_data, series_data
from referee.screen import Screen
from referee.seeds import derive
from referee.series import Fixture, Played, play_series
from referee.timing import SECOND, TimeControl, parse_duration


def play(  # noqa: PLR0913 - each argument is an option of the command
    game: Annotated[str, typer.Argument(help="The game, such as sudoku.")],
    bots: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[BOT BOT]",
            help="Two bots: greedy; greedy,depth=3; mybot.py:Greedy; package.module:Greedy; "
            "'exec:./mybot --listen {address}'; grpc://host:port; unix:path. Default: random random.",
        ),
    ] = None,
    *,
    variant: Annotated[str, typer.Option(help="A variant of the game; its first one by default.")] = "",
    board: Annotated[
        str, typer.Option(help="Start position by name or file; short for --option board=...")
    ] = "",
    option: Annotated[
        list[str] | None, typer.Option(help="A setting of the game, NAME=VALUE; repeatable.")
    ] = None,
    turn: Annotated[
        str, typer.Option(help="Thinking time per turn, such as 200ms; the game's own by default.")
    ] = "",
    grace: Annotated[str, typer.Option(help="How long after that a message may still arrive.")] = "5ms",
    ruling: Annotated[
        Ruling | None, typer.Option(help="What a turn without a valid move means; the game's own by default.")
    ] = None,
    memory: Annotated[
        str, typer.Option(help="What a bot may use, such as 250MB, or none; the game's own by default.")
    ] = "",
    games: Annotated[int, typer.Option(min=1, max=100_000, help="Play a series, seats alternating.")] = 1,
    seed: Annotated[int | None, typer.Option(min=0, help="Makes starts and bots repeatable.")] = None,
    logs: Annotated[
        Path | None, typer.Option(help="Keep what the bots and their hosts print in this folder.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Play a match between two bots and print how it went."""
    found = find_game(game)
    pair = two_bots(bots or [])
    if variant and variant not in found.variants:
        raise Unknown(f"variant of {game}", variant, found.variants)
    if memory:
        parse_memory(memory)  # a mistake is told before any bot is started
    series_seed = secrets.randbits(32) if seed is None else seed
    fixtures = [
        Fixture(
            Terms(
                match_id=f"{secrets.token_hex(4)}-{number}",
                game=found.name,
                variant=variant or found.variants[0],
                options=start_options(found, board, option or []),
                # Both games of a pair start alike; a single game takes the seed as it is.
                seed=series_seed if games == 1 else derive(series_seed, "pair", (number - 1) // 2),
                time=TimeControl(
                    turn=parse_duration(turn) if turn else round((found.clock.turn or 1) * SECOND),
                    grace=parse_duration(grace),
                ),
                ruling=ruling or found.ruling,
            ),
            home=(number - 1) % 2,
        )
        for number in range(1, games + 1)
    ]
    check_start(found, fixtures[0].terms)
    played: list[Played] = []
    screen = Screen()

    def finished(one: Played) -> None:
        played.append(one)
        if not as_json:
            screen.verdict(one)

    asyncio.run(
        play_series(
            found,
            pair,
            fixtures,
            announce=in_silence if as_json else screen.announce,
            logs=logs,
            finished=finished,
            memory=memory,
        )
    )
    if as_json:
        data = match_data(played[0]) if games == 1 else series_data(played, pair, series_seed)
        typer.echo(json.dumps(data))
    elif games > 1:
        screen.standings(played)


def two_bots(bots: list[str]) -> tuple[str, str]:
    if not bots:
        return ("random", "random")
    if len(bots) != 2:
        raise Mistake(f"a match needs two bots, not {len(bots)}: name two, or none for random against random")
    return (bots[0], bots[1])


def start_options(game: Game, board: str, settings: list[str]) -> dict[str, str]:
    options = {"board": board} if board else {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise Mistake(f"{setting!r} is no setting: write NAME=VALUE")
        options[name] = value
    for name in options:
        if name not in game.options:
            raise Unknown(f"option of {game.name}", name, game.options)
    return options


def check_start(game: Game, terms: Terms) -> None:
    """A wrong board is told before any bot is started."""
    game.start(variant=terms.variant, seed=terms.seed, options=terms.options)


def in_silence(_match: Match, _names: tuple[str, str]) -> Watcher:
    def watch(_event: Event | Effect) -> None:
        pass

    return watch
