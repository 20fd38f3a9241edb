"""`shotclock play`: one refereed match, or a series, between two bots."""

import asyncio
import json
import os
import secrets
import shlex
import signal
from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from games import Mistake, Ruling, find_game, parse_memory
from referee.cli import Stopped
from referee.cores import Cores, pin, split_cores
from referee.driver import Watcher
from referee.events import PROCESSES
from referee.launch import HUMAN, Stage
from referee.match import Match
from referee.plan import Agreement, Plan, planned, resumed
from referee.recorder import make_folder
from referee.report import match_data, series_data
from referee.screen import Screen, Show, look_away
from referee.series import Played, play_series
from referee.start import BoardName, GameName, Settings, VariantName, chosen_variant, start_options
from referee.time_control import combined, from_file, from_options, time_control

#: What may be said when a match goes on; all else stands in its record.
WITH_RESUME = {"resume", "cores", "logs", "as_json"}


def play(  # noqa: PLR0913 - each argument is an option of the command
    context: typer.Context,
    game: GameName = "",
    bots: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[BOT BOT]",
            help="Two bots: greedy; greedy,depth=3; mybot.py:Greedy; package.module:Greedy; "
            "'exec:./mybot --listen {address}'; grpc://host:port; unix:path; human. Default: random random.",
        ),
    ] = None,
    *,
    variant: VariantName = "",
    board: BoardName = "",
    option: Settings = None,
    turn: Annotated[
        str,
        typer.Option(
            help="Thinking time per turn, such as 200ms; with --hidden also 200ms..800ms, drawn for every turn."
            " The game's own by default."
        ),
    ] = "",
    time: Annotated[
        Path | None,
        typer.Option(help="A TOML file with a table [time]; options go before what it says."),
    ] = None,
    no_clock: Annotated[
        bool,
        typer.Option("--no-clock", help="No time limit; on a terminal, your bots may stop at breakpoint()."),
    ] = False,
    first_turn: Annotated[
        str, typer.Option(help="Thinking time for a bot's first turn, if that is another.")
    ] = "",
    budget: Annotated[
        str, typer.Option(help="Thinking time for all turns of a bot together, such as 30s or 3m.")
    ] = "",
    increment: Annotated[
        str, typer.Option(help="Added to the budget after every turn of a bot that was in time.")
    ] = "",
    grace: Annotated[
        str, typer.Option(help="How long after that a message may still arrive; 5ms by default.")
    ] = "",
    hidden: Annotated[
        bool | None, typer.Option("--hidden/--shown", help="Tell bots nothing about how long a turn lasts.")
    ] = None,
    cpu: Annotated[
        bool | None, typer.Option("--cpu/--wall", help="Count the processor time that a bot uses.")
    ] = None,
    cap: Annotated[
        int | None,
        typer.Option(help="With --cpu: how many times as much may pass on the clock; 10 by default."),
    ] = None,
    full_turns: Annotated[
        bool | None,
        typer.Option("--full-turns/--no-full-turns", help="A turn lasts to its line, also after `done`."),
    ] = None,
    nodes: Annotated[
        int | None, typer.Option(help="Nodes that a bot may look at in a turn; bots obey by themselves.")
    ] = None,
    latency_credit: Annotated[
        bool | None,
        typer.Option(
            "--latency-credit/--no-latency-credit",
            help="Give grpc:// bots their round trip on top of every turn, at most 1 % of it.",
        ),
    ] = None,
    ruling: Annotated[
        Ruling | None, typer.Option(help="What a turn without a valid move means; the game's own by default.")
    ] = None,
    memory: Annotated[
        str, typer.Option(help="What a bot may use, such as 250MB, or none; the game's own by default.")
    ] = "",
    processes: Annotated[
        int | None, typer.Option(min=1, max=100_000, help="How many processes a bot may have at once; 64.")
    ] = None,
    ponder: Annotated[
        bool,
        typer.Option("--ponder", help="Bots may think on their rival's time; else they are frozen then."),
    ] = False,
    cores: Annotated[
        str,
        typer.Option(
            help="auto: the first core for the referee, others for bots; off; or a list such as 0,2,3."
        ),
    ] = "auto",
    games: Annotated[int, typer.Option(min=1, max=100_000, help="Play a series, seats alternating.")] = 1,
    seed: Annotated[int | None, typer.Option(min=0, help="Makes starts and bots repeatable.")] = None,
    records: Annotated[
        Path | None, typer.Option(help="Keep the records in this folder instead of your own.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(help="Go on with an unfinished match (its record) or series (its folder).")
    ] = None,
    logs: Annotated[
        Path | None, typer.Option(help="Keep what the bots and their hosts print in this folder.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Play a match between two bots and print how it went."""
    limit = parse_memory(memory) if memory else None
    split = split_cores(cores)
    if logs is not None:  # before the match: afterwards it would be too late for them
        make_folder(logs, of="logs")
    stage = Stage(logs, output=2 if as_json else 1)
    if resume is not None:
        check_alone(resume, context)
        run(resumed(resume), stage, split, as_json=as_json)
        return
    found = find_game(game)
    asked = from_options(
        turn=turn,
        first=first_turn,
        budget=budget,
        increment=increment,
        grace=grace,
        hidden=hidden,
        cpu=cpu,
        cap=cap,
        full_turns=full_turns,
        nodes=nodes,
        latency_credit=latency_credit,
        clock=False if no_clock else None,
    )
    agreed = Agreement(
        game=found,
        variant=chosen_variant(found, variant),
        options=start_options(board, option or []),
        time=time_control(found.clock, combined(from_file(time) if time else {}, asked)),
        ruling=ruling or found.ruling,
        bots=two_bots(bots or []),
        games=games,
        seed=secrets.randbits(32) if seed is None else seed,
        memory=limit if memory or found.memory is None else found.memory * 10**6,
        processes=processes or PROCESSES,
        ponder=ponder,
    )
    run(planned(agreed, records), stage, split, as_json=as_json)


def check_alone(resume: Path, context: typer.Context) -> None:
    """An option that the record has answered already would be ignored, and the user would not know."""
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if parameter.name in WITH_RESUME or source is None or source.name != "COMMANDLINE":
            continue
        if not parameter.opts[0].startswith("-"):
            raise Mistake(f"{resume} says what is played: give no game or bots with --resume")
        option = "/".join([parameter.opts[0], *parameter.secondary_opts])
        raise Mistake(f"{resume} says what was agreed: give no {option} with --resume")


def run(plan: Plan, stage: Stage, cores: Cores | None, *, as_json: bool) -> None:
    """Plays what is left to play, and shows it with what was played before."""
    by_id = {one.match.terms.match_id: one for one in plan.played}
    debug = not plan.clocked and os.isatty(0)
    screen = Screen(show=Show.VERDICT if HUMAN in plan.bots else Show.TURNS if debug else Show.LIVE)

    def finished(one: Played) -> None:
        by_id[one.match.terms.match_id] = one  # a game that is void may be played again
        if not as_json:
            screen.verdict(one)

    try:
        if plan.fixtures:
            terms = plan.fixtures[0].terms
            stage = replace(
                stage,
                debug=debug,
                memory=memory_text(terms.memory),
                processes=terms.processes,
                cores=cores.bots if cores else None,
            )
            pin(cores)
            playing = play_series(
                plan.game,
                plan.bots,
                plan.fixtures,
                announce=in_silence if as_json else screen.announce,
                archive=plan.archive,
                stage=stage,
                finished=finished,
            )
            asyncio.run(unless_told_to_end(playing))
        elif not as_json and len(by_id) == 1:
            screen.verdict(next(iter(by_id.values())))
    except (KeyboardInterrupt, asyncio.CancelledError):
        how = f"shotclock play --resume {shlex.quote(str(plan.record))}"
        raise Stopped(f"stopped, to go on: {how}") from None
    played = [by_id[match_id] for match_id in plan.order if match_id in by_id]
    if as_json:
        data = (
            match_data(played[0]) if plan.series is None else series_data(played, plan.bots, plan.series.seed)
        )
        typer.echo(json.dumps(data))
    elif plan.series is not None:
        screen.standings(played)


async def unless_told_to_end(playing: Coroutine[None, None, None]) -> None:
    """Asyncio sees to Ctrl-C; whoever ends us in another way wants no bot and no folder left behind either."""
    task = asyncio.current_task()
    for kind in (signal.SIGTERM, signal.SIGHUP):
        if (
            task and signal.getsignal(kind) is signal.SIG_DFL
        ):  # nohup, for one, wants the second to be ignored
            asyncio.get_running_loop().add_signal_handler(kind, task.cancel)
    await playing


def memory_text(limit: int | None) -> str:
    """As --memory of a host takes it, to the byte."""
    return "none" if limit is None else f"{limit / 1000:.3f}KB"


def two_bots(bots: list[str]) -> tuple[str, str]:
    if not bots:
        return ("random", "random")
    if len(bots) != 2:
        raise Mistake(f"a match needs two bots, not {len(bots)}: name two, or none for random against random")
    return (bots[0], bots[1])


def in_silence(_match: Match, _names: tuple[str, str]) -> Watcher:
    return look_away
