"""What both benches share: the table where matches are played, and how figures are shown."""

import asyncio
import secrets
import statistics
import sys
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from games import Game, Ruling, find_game
from referee.connection import connected
from referee.events import Terms
from referee.launch import started
from referee.logs import LogFormat, LogLevel, configure
from referee.match import Match
from referee.play import in_silence
from referee.recorder import Archive
from referee.series import Fixture, Place, play_match, working_folder
from referee.timing import MILLISECOND, TimeControl
from referee.turn import TurnReport

HERE = Path(__file__).parent
INSTANT = f"{HERE / 'instant.py'}:Instant"

#: Hosts start new workers when a match is over; whatever is measured next waits until they are there.
SETTLE = 0.6
#: Of the tables, in characters: the same in a terminal and in a file.
WIDTH = 150


@dataclass(frozen=True, slots=True)
class Table:
    """Two hosted bots and what it takes to play matches between them."""

    game: Game
    seats: tuple[Place, Place]
    judges: ThreadPoolExecutor

    async def play(self, *, turn: int, ruling: Ruling, archive: Archive | None = None) -> list[TurnReport]:
        return (await self.match(turn=turn, ruling=ruling, archive=archive)).reports

    async def match(self, *, turn: int, ruling: Ruling, archive: Archive | None = None) -> Match:
        """One match on an empty 9x9 board; kept if there is an archive."""
        terms = Terms(
            match_id=f"bench-{secrets.token_hex(4)}",
            game=self.game.name,
            variant=self.game.variants[0],
            options={"board": "empty-3x3"},
            seed=1,
            time=TimeControl(turn=turn),
            ruling=ruling,
        )
        played = await play_match(
            self.game,
            Fixture(terms, home=0),
            self.seats,
            judges=self.judges,
            announce=in_silence,
            archive=archive,
        )
        verdict = played.match.verdict
        if verdict is None or verdict.reason.value != "finished":
            raise SystemExit(f"a match of this bench must go to its end, this one did not: {verdict}")
        return played.match


@asynccontextmanager
async def table(bots: tuple[str, str]) -> AsyncIterator[Table]:
    async with AsyncExitStack() as stack:
        game = find_game("sudoku")
        folder = stack.enter_context(working_folder(None))
        judges = stack.enter_context(ThreadPoolExecutor(1, thread_name_prefix="judge"))
        running = [
            await stack.enter_async_context(started(bot, game=game.name, folder=folder, name=f"bot{number}"))
            for number, bot in enumerate(bots, 1)
        ]
        await asyncio.gather(*(one.listening() for one in running))
        first, second = [
            Place(one.bot, await stack.enter_async_context(connected(one.address, bot=one.bot)))
            for one in running
        ]
        yield Table(game, (first, second), judges)


def quieten() -> None:
    """The bots of a bench fail on purpose; its own figures are all it has to say."""
    configure(LogFormat.CONSOLE, LogLevel.ERROR)


def progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def median(samples: Sequence[float]) -> float:
    return statistics.median(samples)


def p99(samples: Sequence[float]) -> float:
    """The sample that 99 of 100 do not exceed."""
    ordered = sorted(samples)
    return ordered[min(len(ordered) - 1, -(-99 * len(ordered) // 100) - 1)]


def ms(nanoseconds: float) -> str:
    return f"{nanoseconds / MILLISECOND:.3f}"
