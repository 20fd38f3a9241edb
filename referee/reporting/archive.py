"""The records of a tournament, as far as a report needs them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from games import Mistake
from referee.record import SUFFIX, Recorded, read_record
from referee.reporting.curves import Curve, Instant, curve, instants
from referee.reporting.results import Results
from referee.tournament.ledger import RECORDS, Game

#: Told how many records are read, of how many.
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Study:
    """What the records say, and how many of those that were wanted could not be read."""

    curves: tuple[Curve, ...]
    records: int
    missing: int
    damaged: int


def study(results: Results, *, sample: int, progress: Progress) -> Study:
    chosen = {bot: sampled(results, bot, sample) for bot in results.bots}
    wanted = [game for game in results.counted if any(game.match in matches for matches in chosen.values())]
    turns: dict[str, list[tuple[Instant, ...]]] = {bot: [] for bot in results.bots}
    records = dict.fromkeys(results.bots, 0)
    missing = damaged = 0
    for number, game in enumerate(wanted, 1):
        progress(number, len(wanted))
        path = record_path(results.folder, game)
        if path is None:
            missing += 1
            continue
        try:
            seen = thoughts(read_record(path))
        except (Mistake, ValueError, KeyError, TypeError, IndexError, AttributeError):
            # Whole lines that are no record of ours: `shotclock verify` would say more.
            damaged += 1
            continue
        for side, thought in zip(game.sides, seen, strict=True):
            if game.match in chosen[side.bot]:
                turns[side.bot] += thought
                records[side.bot] += 1
    curves = (curve(bot, found, records=records[bot]) for bot, found in turns.items() if found)
    return Study(tuple(curves), len(wanted), missing, damaged)


def sampled(results: Results, bot: str, most: int) -> frozenset[str]:
    """Matches of this bot, at most so many of each cell: the same ones every time, and none for being early."""
    by_cell: dict[int, list[str]] = {}
    for game in results.counted:
        if bot in {side.bot for side in game.sides}:
            by_cell.setdefault(game.cell, []).append(game.match)
    return frozenset(match for matches in by_cell.values() for match in sorted(matches, key=lot)[:most])


def lot(match: str) -> str:
    return sha256(match.encode()).hexdigest()


def record_path(folder: Path, game: Game) -> Path | None:
    """None if it is not there; a ledger that names a file elsewhere is not followed."""
    path = folder / RECORDS / f"{game.match}{SUFFIX}"
    return path if Path(game.match).name == game.match and path.is_file() else None


def thoughts(recorded: Recorded) -> tuple[list[tuple[Instant, ...]], list[tuple[Instant, ...]]]:
    """Of each seat."""
    seen: tuple[list[tuple[Instant, ...]], list[tuple[Instant, ...]]] = ([], [])
    for turn in recorded.turns:
        found = instants(turn, recorded.terms.time)
        if found is not None:
            seen[turn["seat"] - 1].append(found)
    return seen


def played_on(folder: Path, games: Sequence[Game]) -> tuple[str, str] | None:
    """The days on which the first and the last game began, by their records."""
    days = []
    for game in (games[0], games[-1]):
        path = record_path(folder, game)
        if path is None:
            return None
        try:
            days.append(str(read_record(path).began)[:10])
        except (Mistake, ValueError, KeyError, TypeError, IndexError, AttributeError):
            return None
    return min(days), max(days)
