"""The folder of a tournament as it is read for a report, checked so that nothing after this need doubt it."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from games import Mistake
from referee.tournament.ledger import CHARTER, LEDGER, Charter, Game, read_charter, read_games


@dataclass(frozen=True, slots=True)
class Results:
    """Every game names bots and a cell of the charter, and every number is finite."""

    folder: Path
    charter: Charter
    games: tuple[Game, ...]

    @property
    def bots(self) -> tuple[str, ...]:
        return tuple(entry.name for entry in self.charter.bots)

    @property
    def counted(self) -> tuple[Game, ...]:
        return tuple(game for game in self.games if not game.void)


def read_results(folder: Path) -> Results:
    charter = read_charter(folder)
    games = read_games(folder)
    check_charter(charter, folder)
    names = {entry.name for entry in charter.bots}
    for number, game in enumerate(games, 1):
        flaw = flaw_of(game, names, len(charter.cells))
        if flaw:
            raise Mistake(f"{folder / LEDGER}, line {number} is damaged: {flaw}")
    if not games:
        raise Mistake(f"no game of {folder} is over yet: report it when `tournament` has played one")
    return Results(folder, charter, tuple(games))


def check_charter(charter: Charter, folder: Path) -> None:
    texts = [charter.name, charter.format, charter.command, charter.about]
    texts += [text for entry in charter.bots for text in (entry.name, entry.bot)]
    texts += [text for name, values in charter.axes.items() for text in (name, *values)]
    texts += [text for cell in charter.cells for item in cell.items() for text in item]
    texts += [text for item in charter.fixed.items() for text in item]
    numbers = [charter.seed, charter.games, *(charter.sprt or {}).values()]
    if not all(isinstance(text, str) for text in texts) or not all(map(is_number, numbers)):
        raise Mistake(f"{folder / CHARTER} is damaged: a text or a number in it is something else")
    if len({entry.name for entry in charter.bots}) != len(charter.bots):
        raise Mistake(f"{folder / CHARTER} is damaged: two of its bots have the same name")
    if any(axis not in cell for cell in charter.cells for axis in charter.axes):
        raise Mistake(f"{folder / CHARTER} is damaged: a cell has no value for one of the axes")


def flaw_of(game: Game, names: Iterable[str], cells: int) -> str:
    """What cannot be, or nothing."""
    numbers = [game.seconds, game.tainted, game.cell, game.round, game.meeting, game.pair, game.number]
    optional = [game.difference_ms, game.bound_ms, *(side.depth for side in game.sides)]
    numbers += [number for number in optional if number is not None]
    for side in game.sides:
        numbers += [side.score, side.turns, side.thought_ms, side.longest_ms, side.nodes]
        if side.bot not in names:
            return f"{CHARTER} has no bot {side.bot!r}"
    if not all(map(is_number, numbers)):
        return "something that is no number stands where one belongs"
    if game.sides[0].bot == game.sides[1].bot:
        return f"{game.sides[0].bot!r} cannot meet itself"
    if not (isinstance(game.cell, int) and 0 <= game.cell < cells):
        return f"{CHARTER} has no cell {game.cell}"
    if game.winner not in {None, 1, 2} or any(fault.seat not in {1, 2} for fault in game.faults):
        return "a seat is 1 or 2"
    texts = [
        game.match,
        game.reason,
        game.text,
        *(one for fault in game.faults for one in (fault.kind, fault.text)),
    ]
    return "" if all(isinstance(text, str) for text in texts) else "a text is missing"


def is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
