"""What a tournament has played so far: one line for each game, written once the game is over.

A folder of a tournament holds

    tournament.json   what is played: name, bots, cells with the value of every axis (see `Charter`)
    games.jsonl       the ledger
    records/          the record of every game, `<match>.match`
"""

import json
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from io import FileIO
from pathlib import Path
from typing import Any

from games import Mistake

CHARTER = "tournament.json"
LEDGER = "games.jsonl"
RECORDS = "records"
FORMAT = 1

Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Fault:
    """What a bot did wrong, or what happened to it, in plain words."""

    seat: int
    turn: int
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Side:
    """What one bot made of a game, and what it took: milliseconds and nodes over all its turns."""

    bot: str
    score: int
    turns: int
    thought_ms: float
    longest_ms: float
    nodes: int
    #: The mean of the depth that it had reached when a turn ended, over the turns in which it told one.
    depth: float | None


@dataclass(frozen=True, slots=True)
class Game:
    """One game that is over. `cell` is an index into the charter's cells, `sides` are by seat.

    Games come in pairs: game 1 and 2 have the same start and seed, with the seats swapped. A pair belongs to a meeting
    of two bots, which has a number in its cell.
    """

    match: str
    cell: int
    round: int
    meeting: int
    pair: int
    number: int
    sides: tuple[Side, Side]
    winner: int | None
    #: Nobody's fault but the referee's, three times in a row; it counts for nothing.
    void: bool
    reason: str
    text: str
    faults: tuple[Fault, ...]
    tainted: int
    difference_ms: float | None
    bound_ms: float | None
    seconds: float

    @property
    def forfeited(self) -> bool:
        """Decided otherwise than by the rules of the game."""
        return not self.void and self.reason != "finished"

    @property
    def first_points(self) -> float:
        """Of the first bot of the meeting, which has seat 1 in game 1 of a pair and seat 2 in game 2."""
        return 0.5 if self.winner is None else float(self.winner == self.number)

    def points(self, bot: str) -> float:
        """Of the first side with this name; a win counts 1, a draw one half."""
        seat = 1 if self.sides[0].bot == bot else 2
        return 0.5 if self.winner is None else float(self.winner == seat)


@dataclass(frozen=True, slots=True)
class Entry:
    """A bot of the tournament: `bot` is how it is started, `name` how it is called in tables, and unique."""

    name: str
    bot: str


@dataclass(frozen=True, slots=True)
class Charter:
    """What is played. A cell is one value for every axis, by name: {"board": "easy-2x2", "turn": "100ms"}.

    `axes` has the names and values of the settings that are swept, in the order of the specification.
    """

    name: str
    format: str
    seed: int
    bots: tuple[Entry, ...]
    axes: dict[str, tuple[str, ...]]
    cells: tuple[dict[str, str], ...]
    #: Every setting of every cell, as far as it is not an axis.
    fixed: dict[str, str]
    #: Games of a meeting, or at most so many for a test that may stop early.
    games: int
    #: To type, to go on or to do it again.
    command: str
    #: What a report says above its tables, in the words of the author.
    about: str = ""
    #: Of all meetings in all cells, where that is known from the start.
    planned: int | None = None
    #: Only for a test between two bots: elo0, elo1, alpha, beta.
    sprt: dict[str, float] | None = None


def write_charter(charter: Charter, folder: Path) -> None:
    path = folder / CHARTER
    unfinished = path.with_suffix(".new")
    unfinished.write_text(json.dumps({"format_version": FORMAT, **asdict(charter)}, indent=1) + "\n")
    unfinished.replace(path)


def read_charter(folder: Path) -> Charter:
    path = folder / CHARTER
    try:
        data = json.loads(path.read_text())
        if data.pop("format_version") != FORMAT:
            raise Mistake(f"{path} was written by another version of Shotclock")
        data["bots"] = tuple(Entry(**bot) for bot in data["bots"])
        data["axes"] = {name: tuple(values) for name, values in data["axes"].items()}
        data["cells"] = tuple(data["cells"])
        return Charter(**data)
    except FileNotFoundError:
        raise Mistake(f"there is no tournament in {folder}: name the folder that `tournament` made") from None
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise Mistake(f"cannot read {path}: {error}") from None


class Ledger:
    """Lines are only added, and each is on the disk before anybody is told."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / LEDGER
        # A crash may have left half a line, or half a pair: what is whole is written again.
        self.games = whole_pairs(read_games(folder))
        unfinished = self._path.with_suffix(".new")
        unfinished.write_text("".join(map(line_of, self.games)))
        unfinished.replace(self._path)
        self._file = FileIO(self._path, "a")

    def add(self, games: Iterable[Game]) -> None:
        """All games of a pair in one write, so that a pair is there whole or not at all."""
        new = list(games)
        self._file.write("".join(map(line_of, new)).encode())
        os.fsync(self._file.fileno())
        self.games += new

    def close(self) -> None:
        self._file.close()


def line_of(game: Game) -> str:
    return json.dumps(asdict(game), separators=(",", ":")) + "\n"


def read_games(folder: Path) -> list[Game]:
    """In the order in which they ended; a line that a crash cut off is left out."""
    path = folder / LEDGER
    try:
        lines = path.read_text().splitlines(keepends=True)
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise Mistake(f"cannot read {path}: {error}") from None
    games = []
    for number, line in enumerate(lines, 1):
        if not line.endswith("\n"):
            break
        try:
            games.append(game_of(json.loads(line)))
        except (ValueError, TypeError, KeyError):
            raise Mistake(
                f"{path}, line {number} is damaged: take the line out, and its game is played again"
            ) from None
    return games


def whole_pairs(games: Sequence[Game]) -> list[Game]:
    numbers = Counter((game.cell, game.meeting, game.pair) for game in games)
    return [game for game in games if numbers[game.cell, game.meeting, game.pair] == 2]


def game_of(data: Data) -> Game:
    sides = [Side(**side) for side in data.pop("sides")]
    faults = tuple(Fault(**fault) for fault in data.pop("faults"))
    return Game(sides=(sides[0], sides[1]), faults=faults, **data)
