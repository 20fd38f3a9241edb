"""A game as the referee and the command line see it, and the games that are installed."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from importlib.metadata import entry_points
from typing import Protocol

from games.clock import Clock
from games.errors import Unknown
from games.position import Position

ONE_SECOND = Clock(turn=1.0)


class Ruling(StrEnum):
    """What becomes of a turn without a valid move."""

    LOSES = "loses"
    SKIPPED = "skipped"
    REPLACED = "replaced"


class Start(Protocol):
    def __call__(self, *, variant: str, seed: int, options: Mapping[str, str]) -> Position: ...


def uniform(position: Position, rng: random.Random) -> str:
    return rng.choice(position.legal_moves())


@dataclass(frozen=True, slots=True)
class Game:
    """Everything a game brings; a new game is one of these behind a `shotclock.games` entry point."""

    name: str
    summary: str
    notation: str
    variants: tuple[str, ...]
    start: Start
    parse: Callable[[str], Position]
    #: Names and one-line explanations of what `start` takes in `options`.
    options: Mapping[str, str] = field(default_factory=dict)
    #: Unless the organiser says otherwise.
    clock: Clock = ONE_SECOND
    #: What a bot may use in all, in megabytes of 10**6 bytes; None is no limit.
    memory: int | None = None
    ruling: Ruling = Ruling.LOSES
    #: The move that stands in for a missing one under the ruling "replaced".
    stand_in: Callable[[Position, random.Random], str] = uniform


def game_names() -> list[str]:
    return sorted(entry_points(group="shotclock.games").names)


def find_game(name: str) -> Game:
    for entry in entry_points(group="shotclock.games", name=name):
        game: Game = entry.load()
        return game
    raise Unknown("game", name, game_names())
