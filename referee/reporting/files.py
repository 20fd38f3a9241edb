"""The files of a report: tables as CSV, everything as JSON, pictures, the page."""

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from games import Mistake
from referee.record import SUFFIX
from referee.reporting.picture import Picture
from referee.reporting.report import Data, Report
from referee.reporting.rows import Effort, Result
from referee.tournament.ledger import RECORDS, Game

PAGE = "report.html"
DATA = "report.json"
FIGURES = "figures"

RESULT = [field.name for field in fields(Result)]
EFFORT = [field.name for field in fields(Effort)]


def write_report(
    folder: Path, report: Report, data: Data, page: str, pictures: Sequence[Picture]
) -> list[Path]:
    """What was written, the page first."""
    written: dict[str, str | bytes] = {
        PAGE: page,
        DATA: json_text(data),
        "standings.csv": standings(report),
        "crosstable.csv": crosstable(report),
        "cells.csv": cells(report),
        "games.csv": games(report),
    }
    for picture in pictures:
        written[f"{FIGURES}/{picture.name}.svg"] = picture.svg
        written[f"{FIGURES}/{picture.name}.png"] = picture.png
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if pictures:
            (folder / FIGURES).mkdir(exist_ok=True)
        for name, content in written.items():
            (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    except OSError as error:
        raise Mistake(f"cannot write the report into {folder}: {error.strerror or error}") from None
    return [folder / name for name in written]


def json_text(data: Data) -> str:
    """Refuses what is no number, as every reader of JSON would."""
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def standings(report: Report) -> str:
    columns = ["rank", "bot", *RESULT, "rating", "rating_low", "rating_high", "bound", "forfeits", "faults"]
    return table(columns, (flat(asdict(row)) for row in report.standings))


def crosstable(report: Report) -> str:
    return table(["bot", "rival", *RESULT, "better"], (flat(asdict(row)) for row in report.encounters))


def cells(report: Report) -> str:
    axes = list(report.results.charter.axes)
    rows = ({**flat(asdict(row)), **prefixed(row.setting)} for row in report.cells)
    return table([*prefixed(dict.fromkeys(axes, "")), "bot", *RESULT, "forfeits", *EFFORT], rows)


def games(report: Report) -> str:
    axes = list(report.results.charter.axes)
    columns = [
        "match",
        *prefixed(dict.fromkeys(axes, "")),
        *("round", "meeting", "pair", "number", "winner", "void", "reason", "text"),
        *(
            f"{name}_{seat}"
            for seat in (1, 2)
            for name in ("bot", "score", "turns", "thought_ms", "longest_ms", "nodes", "depth")
        ),
        *("faults", "tainted", "difference_ms", "bound_ms", "seconds", "record"),
    ]
    return table(columns, (game_row(report, game) for game in report.results.games))


def game_row(report: Report, game: Game) -> Data:
    row: Data = {
        **asdict(game),
        **prefixed(report.results.charter.cells[game.cell]),
        "winner": "" if game.winner is None else game.sides[game.winner - 1].bot,
        "void": int(game.void),
        "faults": "; ".join(f"{game.sides[one.seat - 1].bot}: {one.kind}: {one.text}" for one in game.faults),
        "record": f"{RECORDS}/{game.match}{SUFFIX}",
    }
    for seat, side in enumerate(game.sides, 1):
        row |= {f"{name}_{seat}": value for name, value in asdict(side).items()}
    return row


def prefixed(setting: Mapping[str, str]) -> dict[str, str]:
    """An axis may have the name of another column."""
    return {f"axis_{name}": value for name, value in setting.items()}


def flat(row: Data) -> Data:
    """With the values of a dataclass within it beside its own."""
    inner = {name: value for one in row.values() if isinstance(one, dict) for name, value in one.items()}
    return {**inner, **{name: value for name, value in row.items() if not isinstance(value, dict)}}


def table(columns: Sequence[str], rows: Iterable[Data]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([safe(column) for column in columns])
    writer.writerows([safe(row[column]) for column in columns] for row in rows)
    return text.getvalue()


def safe(value: Any) -> Any:  # noqa: ANN401 - whatever stands in a cell
    """A spreadsheet runs a text that begins like a formula, and texts come from bots: an apostrophe keeps it a text."""
    return (
        f"'{value}"
        if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r"))
        else value
    )
