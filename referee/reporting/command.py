"""`shotclock report`: what a tournament showed, as tables, pictures and one page."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from referee.reporting import words
from referee.reporting.files import FIGURES, json_text, write_report
from referee.reporting.page import page
from referee.reporting.picture import Picture
from referee.reporting.report import Report, gather, report_data
from referee.reporting.results import read_results

NEEDS = "pictures need the extra: pip install 'shotclock[report]'"


def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder that `tournament` made.")],
    *,
    out: Annotated[Path | None, typer.Option(help="Write it here; DIR/report by default.")] = None,
    curves: Annotated[
        bool, typer.Option("--curves/--no-curves", help="Read records, for how answers grow during a turn.")
    ] = True,
    sample: Annotated[
        int, typer.Option(min=1, max=1_000_000, help="Read at most so many records for a bot in a cell.")
    ] = 20,
    figures: Annotated[bool, typer.Option("--figures/--no-figures", help="Draw pictures.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Write tables, pictures and one page about a tournament, also while it is played."""
    results = read_results(folder)
    found = gather(results, curves=curves, sample=sample, progress=progress("records"))
    drawn = draw(found) if figures else []
    data = report_data(found, [picture.name for picture in drawn])
    target = folder / "report" if out is None else out
    written = write_report(target, found, data, page(found, drawn), drawn)
    if as_json:
        typer.echo(json_text(data), nl=False)
        return
    say(found)
    tables = ", ".join(path.name for path in written[1:] if path.parent == target)
    typer.echo(f"{written[0]}\n  beside it: {tables}")
    if drawn:
        typer.echo(f"  {words.count(len(drawn), 'picture')} as SVG and PNG in {target / FIGURES}")


def draw(found: Report) -> list[Picture]:
    """None without matplotlib, and a sentence about it: everything else is there all the same."""
    try:
        from referee.reporting.figures.album import pictures  # an extra, and slow to import
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in {"matplotlib", "numpy"}:
            raise
        typer.echo(f"shotclock: {NEEDS}", err=True)
        return []
    shown = progress("pictures")
    drawn = []
    for number, picture in enumerate(pictures(found), 1):
        shown(number, 0)
        drawn.append(picture)
    end_line()
    return drawn


def progress(what: str) -> Callable[[int, int], None]:
    """On one line of a terminal; silent anywhere else."""

    def tell(number: int, of: int) -> None:
        if sys.stderr.isatty():
            total = f" of {of:,}" if of else ""
            sys.stderr.write(f"\r\x1b[K{what}: {number:,}{total}")
            if number == of:
                end_line()

    return tell


def end_line() -> None:
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")


def say(found: Report) -> None:
    console = Console()
    results = found.results
    table = Table(title=Text(words.plain(results.charter.name)), box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for column in ("", "bot", "W-D-L", "score", "rating", "forfeits"):
        name = column == "bot"
        table.add_column(column, justify="left" if name else "right", overflow="fold", no_wrap=not name)
    for row in found.standings:
        table.add_row(
            str(row.rank),
            Text(words.plain(row.bot)),
            words.wins_draws_losses(row.result),
            words.score(row.result),
            words.rating(row),
            str(row.forfeits),
        )
    console.print(table)
    if found.unfinished:
        console.print(Text(f"unfinished: {len(results.games)} of {found.planned} games are over"))
    if found.voided:
        console.print(Text(f"{words.count(found.voided, 'game')} void, and counted for nothing"))
    for sentence in words.wrong(found.troubles):
        console.print(Text(sentence))
    study = found.study
    if study is not None and study.missing + study.damaged:
        console.print(Text(words.left_out(study)))
