"""A game as the referee and the command line see it, and the games that are installed."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from importlib.metadata import entry_points
from typing import Any, Protocol

from games.board import SearchBoard
from games.clock import Clock
from games.errors import Mistake, Unknown, excerpt
from games.position import Position

ONE_SECOND = Clock(turn=1.0)
#: Options that every game takes, for whoever starts it by `open`.
COMMON_OPTIONS = {"opening": "how many moves are drawn by lot before the bots begin; none by default"}
MOST_DRAWN = 1000


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
    #: Names and one-line explanations of what `start` takes in `options`; the common ones not among them.
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
        known = [*self.options, *COMMON_OPTIONS]
        for name in options:
            if name not in known:
                raise Unknown(f"option of {self.name}", name, known)

    def open(self, *, variant: str, seed: int, options: Mapping[str, str]) -> Position:
        """Where a match begins: the start, or some moves after it. Also for games that forget to check."""
        self.check(variant, options)
        own = {name: text for name, text in options.items() if name not in COMMON_OPTIONS}
        position = self.start(variant=variant, seed=seed, options=own)
        drawn = _number_drawn(options.get("opening", "0"))
        if not drawn:
            return position
        rng = random.Random(f"opening {seed}")
        for _ in range(drawn):
            after = position.play(self.stand_in(position, rng))
            if after.outcome() is not None:
                break
            position = after
        # As if the match had begun there: no move led to it.
        return self.parse(str(position))


def _number_drawn(text: str) -> int:
    if not (
        text.isascii() and text.isdigit() and len(text) <= len(str(MOST_DRAWN)) and int(text) <= MOST_DRAWN
    ):
        raise Mistake(f"option opening is a number of moves from 0 to {MOST_DRAWN}, not {excerpt(text)}")
    return int(text)


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
