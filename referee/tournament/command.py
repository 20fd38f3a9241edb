"""`shotclock tournament`: hundreds of games from one TOML file, resumed by the same command."""

import asyncio
import os
import shlex
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from games import Mistake
from referee.cli import Stopped
from referee.selftest.measure import measure
from referee.tournament.crew import shares
from referee.tournament.estimate import estimate, pairs_in_all
from referee.tournament.ledger import Charter, Ledger
from referee.tournament.outcome import outcomes
from referee.tournament.progress import Progress, Unminded, span, standings
from referee.tournament.reader import read_spec
from referee.tournament.run import Run, opened
from referee.tournament.schedule import Schedule
from referee.tournament.spec import Spec

MOST_JOBS = 256


def tournament(
    spec: Annotated[
        Path, typer.Argument(metavar="SPEC.toml", help="What is played; see docs/tournaments.md.")
    ],
    *,
    out: Annotated[
        Path | None, typer.Option(help="The folder of its results; results/NAME by default.")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="The smaller settings of its table [quick].")
    ] = False,
    jobs: Annotated[
        str, typer.Option(help="Games played side by side; auto is as many as this machine is fit for.")
    ] = "auto",
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Only check it, and tell how many games it is and how long it takes."),
    ] = False,
) -> None:
    """Play a tournament, or go on with it; Ctrl-C lets running games finish, twice stops now."""
    asked = read_spec(spec, quick=quick)
    folder = out or Path("results", asked.name)
    again = ["shotclock", "tournament", str(spec), *(["--quick"] if quick else [])]
    again += ["--out", str(out)] if out else []
    again += ["--jobs", jobs] if jobs != "auto" else []
    schedule = Schedule(asked)
    console = Unminded(highlight=False)
    number = slots(jobs, asked)
    if dry_run:
        announce(console, asked, schedule, number, before=0)
        return
    charter = charter_of(asked, shlex.join(again))
    with opened(folder, charter) as ledger:
        schedule.resume(ledger.games)
        if not schedule.over:
            announce(console, asked, schedule, number, before=2 * schedule.played)
            run = conduct(asked, schedule, ledger, folder, console, number)
            games = run.games
            if not schedule.over:
                done, known = 2 * schedule.played, 2 * schedule.known
                console.print(standings(games, [bot.name for bot in asked.bots]))
                raise Stopped(f"stopped after {done} of {known} games, to go on: {shlex.join(again)}")
        console.print(standings(ledger.games, [bot.name for bot in asked.bots]))
        for sentence in outcomes(charter, ledger.games):
            say(console, sentence)
    say(console, f"all {2 * schedule.played} games are in {folder}; for pictures: shotclock report {folder}")


def conduct(
    spec: Spec, schedule: Schedule, ledger: Ledger, folder: Path, console: Console, number: int
) -> Run:
    progress = Progress(console, [bot.name for bot in spec.bots], ledger.games)
    cores = shares(number, sorted(os.sched_getaffinity(0)))

    async def play() -> Run:
        run = Run(spec, schedule, ledger, progress)
        await run.play(folder, cores)
        return run

    with progress.shown():
        return asyncio.run(play())


def announce(console: Console, spec: Spec, schedule: Schedule, number: int, *, before: int) -> None:
    found = estimate(spec, schedule, jobs=number)
    parts = [f"{spec.name}: {len(spec.bots)} bots, {spec.format}"]
    parts += [f"{len(spec.cells)} cells"] if len(spec.cells) > 1 else []
    parts.append(f"{'at most ' if spec.format == 'sprt' else ''}{found.games} games to play")
    parts += [f"{before} played before"] if before else []
    parts.append(f"{number} at a time")
    if found.seconds is not None:
        parts.append(f"at most about {span(found.seconds)}")
    say(console, ", ".join(parts))


def say(console: Console, text: str) -> None:
    console.print(text, markup=False, soft_wrap=True)


def slots(text: str, spec: Spec) -> int:
    """How many games at a time; a clock that others disturb is not worth much."""
    cores = len(os.sched_getaffinity(0))
    if text == "auto":
        if all(cell.agreed.time.unlimited for cell in spec.cells):
            return cores
        return max(1, min(cores, asyncio.run(measure(matches=None, say=lambda _: None)).matches))
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MOST_JOBS):
        raise Mistake(f"--jobs {text} is neither auto nor a number from 1 to {MOST_JOBS}")
    return int(text)


def charter_of(spec: Spec, command: str) -> Charter:
    return Charter(
        name=spec.name,
        format=spec.format,
        seed=spec.seed,
        bots=spec.bots,
        axes=spec.axes,
        cells=tuple(cell.axes for cell in spec.cells),
        fixed=spec.fixed,
        games=spec.games,
        command=command,
        about=spec.about,
        planned=None if spec.format in {"knockout", "sprt"} else 2 * len(spec.cells) * pairs_in_all(spec),
        sprt=spec.sprt if spec.format == "sprt" else None,
    )
