"""Everything that a report says, gathered once for the page, the files and the pictures."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from referee.reporting import tables, words
from referee.reporting.archive import Progress, Study, played_on, study
from referee.reporting.curves import HALVES, SHARES, shorter
from referee.reporting.results import Results
from referee.reporting.rows import (
    Encounter,
    Ending,
    Longest,
    Result,
    Seating,
    Standing,
    Test,
    Timing,
    Trouble,
    View,
)
from referee.statistics.rating import rate
from referee.tournament.outcome import outcomes
from referee.tournament.pairs import pairs_of_games

Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Report:
    """`order` has the bots as they are ranked, the best first."""

    results: Results
    days: tuple[str, str] | None
    planned: int | None
    standings: list[Standing]
    encounters: list[Encounter]
    #: In points of the rating scale, and the share of draws between equals.
    seat_advantage: float
    draws: float
    cells: list[View]
    #: By axis, and over all games under "".
    views: dict[str, list[View]]
    seatings: list[Seating]
    first_seat: Result
    endings: list[Ending]
    troubles: list[Trouble]
    timing: Timing
    longest: list[Longest]
    tests: list[Test]
    study: Study | None

    @property
    def order(self) -> tuple[str, ...]:
        return tuple(row.bot for row in self.standings)

    @property
    def axes(self) -> list[str]:
        return tables.swept(self.results.charter)

    @property
    def voided(self) -> int:
        return len(self.results.games) - len(self.results.counted)

    @property
    def unfinished(self) -> bool:
        return self.planned is not None and len(self.results.games) < self.planned


def gather(results: Results, *, curves: bool, sample: int, progress: Progress) -> Report:
    ratings = rate(pairs_of_games(results.games), bots=results.bots)
    standings = tables.standings(results, ratings)
    order = [row.bot for row in standings]
    charter = results.charter
    axes = tables.swept(charter)
    return Report(
        results=results,
        days=played_on(results.folder, results.games),
        planned=charter.planned,
        standings=standings,
        encounters=tables.encounters(results, order),
        seat_advantage=ratings.seat_advantage,
        draws=ratings.draws,
        cells=tables.views(results, list(charter.axes)),
        views={"": tables.views(results, []), **{axis: tables.views(results, [axis]) for axis in axes}},
        seatings=tables.seatings(results),
        first_seat=tables.first_seat(results),
        endings=tables.endings(results),
        troubles=tables.troubles(results),
        timing=tables.timing(results),
        longest=tables.longest_thinks(results),
        tests=tables.sequential_tests(results),
        study=study(results, sample=sample, progress=progress) if curves else None,
    )


def report_data(report: Report, figures: Sequence[str] = ()) -> Data:
    """For programs; `figures` are the names of those that were drawn."""
    results = report.results
    return {
        "tournament": asdict(results.charter),
        "days": report.days,
        "games_played": len(results.games),
        "games_counted": len(results.counted),
        "games_void": report.voided,
        "games_planned": report.planned,
        "unfinished": report.unfinished,
        "standings": [asdict(row) for row in report.standings],
        "crosstable": [asdict(row) for row in report.encounters],
        "seat_advantage": report.seat_advantage,
        "draws_between_equals": report.draws,
        "first_seat": asdict(report.first_seat),
        "seats": [asdict(row) for row in report.seatings],
        "cells": [asdict(row) for row in report.cells],
        "axes": {axis: [asdict(row) for row in rows] for axis, rows in report.views.items() if axis},
        "overall": [asdict(row) for row in report.views[""]],
        "endings": [asdict(row) for row in report.endings],
        "what_went_wrong": words.wrong(report.troubles),
        "faults": [asdict(row) for row in report.troubles],
        "timing": asdict(report.timing),
        "longest_thinks": [asdict(row) for row in report.longest],
        "sprt": [asdict(row) for row in report.tests],
        "outcomes": outcomes(report.results.charter, report.results.games),
        "curves": study_data(report.study) if report.study else None,
        "figures": list(figures),
        "games": [asdict(game) for game in results.games],
    }


def study_data(found: Study) -> Data:
    return {
        "shares": SHARES,
        "records": found.records,
        "missing": found.missing,
        "damaged": found.damaged,
        "bots": [
            {**asdict(one), "shorter": [shorter_data(share, *shorter(one, share)) for share in HALVES]}
            for one in found.curves
        ],
    }


def shorter_data(share: float, other: float, none: float) -> Data:
    return {"share": share, "other_move": other, "no_move": none}
