"""`shotclock play`: one refereed match, or a series, between two bots."""

import asyncio
import json
import secrets
from pathlib import Path
from typing import Annotated

import typer

from games import Mistake, Ruling, find_game
from referee.driver import Watcher
from referee.events import Effect, Event, Terms
from referee.match import Match
from referee.report import match_data, series_data
from referee.screen import Screen
from referee.seeds import derive
from referee.series import Fixture, Played, play_series
from referee.start import (
    BoardName,
    GameName,
    Settings,
    VariantName,
    chosen_variant,
    first_position,
    start_options,
)
from referee.timing import SECOND, TimeControl, parse_duration


def play(  # noqa: PLR0913 - each argument is an option of the command
    game: GameName,
    bots: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[BOT BOT]",
            help="Two bots: greedy; greedy,depth=3; mybot.py:Greedy; package.module:Greedy; "
            "'exec:./mybot --listen {address}'; grpc://host:port; unix:path. Default: random random.",
        ),
    ] = None,
    *,
    variant: VariantName = "",
    board: BoardName = "",
    option: Settings = None,
    turn: Annotated[
        str, typer.Option(help="Thinking time per turn, such as 200ms; the game's own by default.")
    ] = "",
    grace: Annotated[str, typer.Option(help="How long after that a message may still arrive.")] = "5ms",
    ruling: Annotated[
        Ruling | None, typer.Option(help="What a turn without a valid move means; the game's own by default.")
    ] = None,
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
    series_seed = secrets.randbits(32) if seed is None else seed
    fixtures = [
        Fixture(
            Terms(
                match_id=f"{secrets.token_hex(4)}-{number}",
                game=found.name,
                variant=chosen_variant(found, variant),
                options=start_options(board, option or []),
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
    terms = fixtures[0].terms
    # A wrong board is told before any bot is started.
    first_position(found, variant=terms.variant, options=terms.options, seed=terms.seed)
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


def in_silence(_match: Match, _names: tuple[str, str]) -> Watcher:
    def watch(_event: Event | Effect) -> None:
        pass

    return watch
