"""`shotclock doctor`: what the clock of this machine is worth, here and now."""

import asyncio
import json
import sys
from collections.abc import Sequence
from typing import Annotated

import typer
from rich.bar import Bar
from rich.console import Console
from rich.table import Table

from games import Mistake
from referee.admission import MOST_MATCHES
from referee.selftest.fitness import GRACE, SPEED_KEPT, TURNS, UNCERTAIN, Figures, Sample, unfit
from referee.selftest.measure import measure
from referee.selftest.protection import Means, available
from referee.timing import MILLISECOND, format_duration, parse_duration

EXIT_UNFIT = 1
#: Of a bar, in characters.
WIDTH = 30


def doctor(
    *,
    turn: Annotated[
        str, typer.Option(help="Is this machine fit for turns of this length, such as 0.1s?")
    ] = "",
    matches: Annotated[
        int | None, typer.Option(min=1, max=MOST_MATCHES, help="Is it fit for so many matches at once?")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Measure how punctual this machine is, and tell which turns and how many matches at once are safe."""
    if sys.platform != "linux":
        raise Mistake("doctor looks at the machine of a referee, which runs on Linux: run it there")
    asked = parse_duration(turn) if turn else None
    say = progress if sys.stderr.isatty() else say_nothing
    figures = asyncio.run(measure(matches=matches, say=say))
    say("")
    flaws = unfit(figures, turn=asked, matches=matches)
    means = available()
    if as_json:
        typer.echo(json.dumps(data(figures, means, flaws, turn=asked, matches=matches)))
    else:
        show(figures, means, flaws, turn=asked, matches=matches)
    if flaws:
        raise typer.Exit(EXIT_UNFIT)


def progress(what: str) -> None:
    typer.echo(f"\rmeasuring {what}\x1b[K" if what else "\r\x1b[K", nl=False, err=True)


def say_nothing(_what: str) -> None:
    pass


def show(
    figures: Figures, means: Sequence[Means], flaws: Sequence[str], *, turn: int | None, matches: int | None
) -> None:
    console = Console(highlight=False)
    for table in (measured(figures), by_matches(figures), by_turn(figures, matches or 1), protection(means)):
        console.print(table)
        console.print()
    for sentence in conclusion(figures, flaws, turn=turn, matches=matches):
        console.print(sentence, soft_wrap=True)


def grid(title: str, *columns: str) -> Table:
    return Table(*columns, title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)


def measured(figures: Figures) -> Table:
    table = grid("Measured", "", "median", "p99", "worst", f"p99, {format_duration(GRACE)} wide (the grace)")
    for name, found in parts(figures).items():
        times = [format_duration(time) for time in (found.median, found.p99, found.worst)]
        table.add_row(name, *times, Bar(GRACE, 0, min(GRACE, found.p99), width=WIDTH))
    return table


def parts(figures: Figures) -> dict[str, Sample]:
    return {
        "timer, late by": figures.timer,
        "message there and back": figures.trip,
        f"freeze a bot ({figures.freezer})": figures.freeze,
        "thaw it": figures.thaw,
    }


def by_matches(figures: Figures) -> Table:
    table = grid("Matches at once", "", "line late by, p99", "speed a bot keeps", "", "safe")
    for level in figures.levels:
        table.add_row(
            *(f"{level.matches:>3}", format_duration(level.lag.p99), f"{level.speed:.0%}"),
            *(Bar(1, 0, min(1.0, level.speed), width=WIDTH), verdict(safe=level.matches <= figures.matches)),
        )
    return table


def by_turn(figures: Figures, matches: int) -> Table:
    crowd = "1 match" if matches == 1 else f"{matches} matches"
    table = grid(f"Turns, with {crowd}", "", "uncertain", "", "safe")
    unsure = figures.uncertain(matches)
    for turn in TURNS:
        share = unsure / turn
        table.add_row(
            *(f"{format_duration(turn):>6}", f"{min(share, 1):.1%}", Bar(1, 0, min(1.0, share), width=WIDTH)),
            verdict(safe=share <= UNCERTAIN),
        )
    return table


def verdict(*, safe: bool) -> str:
    return "[green]yes[/]" if safe else "[red]no[/]"


def protection(means: Sequence[Means]) -> Table:
    table = grid("Protection, for this user")
    table.show_header = False
    for one in means:
        table.add_row(one.name, verdict(safe=one.available), one.text)
    return table


def conclusion(figures: Figures, flaws: Sequence[str], *, turn: int | None, matches: int | None) -> list[str]:
    crowd = figures.matches
    if not crowd:
        safe = "no match is safe here and now"
    else:
        least = figures.turn(crowd)
        turns = f"turns of {format_duration(least)} or more" if least else "no turn of usual length"
        safe = f"safe here and now: {crowd} at once, {turns}"
    if flaws:
        return [safe, *(f"[red]unfit[/]: {flaw}" for flaw in flaws)]
    if turn is None and matches is None:
        return [safe]
    what = [f"turns of {format_duration(turn)}"] if turn else []
    what += [f"{matches} matches at once" if matches > 1 else "1 match at a time"] if matches else []
    return [safe, f"[green]fit[/] for {' and '.join(what)}"]


def data(
    figures: Figures, means: Sequence[Means], flaws: Sequence[str], *, turn: int | None, matches: int | None
) -> dict[str, object]:
    least = figures.turn(figures.matches) if figures.matches else None
    return {
        "cores": figures.cores,
        "timer": sample_data(figures.timer),
        "round_trip": sample_data(figures.trip),
        "freezer": figures.freezer,
        "freeze": sample_data(figures.freeze),
        "thaw": sample_data(figures.thaw),
        "levels": [
            {
                "matches": level.matches,
                "lag": sample_data(level.lag),
                "speed": round(level.speed, 3),
                "safe": level.matches <= figures.matches,
            }
            for level in figures.levels
        ],
        "protection": [{"name": one.name, "available": one.available, "text": one.text} for one in means],
        "limits": {
            "grace_ms": GRACE / MILLISECOND,
            "uncertain": UNCERTAIN,
            "speed": SPEED_KEPT,
        },
        "safe_matches": figures.matches,
        "safe_turn_ms": None if least is None else least / MILLISECOND,
        "asked": {"turn_ms": None if turn is None else turn / MILLISECOND, "matches": matches},
        "fit": not flaws,
        "flaws": list(flaws),
    }


def sample_data(found: Sample) -> dict[str, float]:
    return {
        "samples": found.count,
        "median_ms": found.median / MILLISECOND,
        "p99_ms": found.p99 / MILLISECOND,
        "worst_ms": found.worst / MILLISECOND,
    }
