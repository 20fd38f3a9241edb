"""A game as the referee and the command line see it, and the games that are installed."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from importlib.metadata import entry_points
from typing import Any, Protocol

from games.board import SearchBoard
from games.clock import Clock
from games.errors import Mistake, Unknown
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
    #: The move that stands in for a missing one under the ruling "replaced"; it is given a position of this game.
    stand_in: Callable[[Any, random.Random], str] = uniform
    #: A position of this game made ready for search, where that is faster than playing on positions.
    board: Callable[[Any], SearchBoard[Any]] | None = None

    def check(self, variant: str, options: Mapping[str, str]) -> None:
        """What every `start` does first."""
        if variant not in self.variants:
            raise Unknown(f"variant of {self.name}", variant, self.variants)
        for name in options:
            if name not in self.options:
                raise Unknown(f"option of {self.name}", name, self.options)


def game_names() -> list[str]:
    return sorted(entry_points(group="shotclock.games").names)


def find_game(name: str) -> Game:
    for entry in entry_points(group="shotclock.games", name=name):
        try:
            game = entry.load()
        except Exception as error:  # whatever a stranger's module does when it is imported
            raise Mistake(
                f"game {name!r} cannot be loaded from {entry.value}: {type(error).__name__}: {error}"
            ) from error
        if not isinstance(game, Game):
            raise Mistake(f"game {name!r} is no game: {entry.value} is no games.Game")
        return game
    raise Unknown("game", name, game_names())
