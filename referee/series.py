"""One match or several between the same two bots, seats alternating, each pair of games from the same start."""

import asyncio
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc
import structlog

from games import Game, Seat
from referee import wire
from referee.connection import connected, stream
from referee.driver import Contender, Watcher, conduct
from referee.events import SEATS, Effect, Event, Fault, Terms
from referee.launch import started
from referee.match import Match
from referee.timing import SECOND

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Played:
    """A match that is over; `bots` and `names` are by seat, `bots` as the user typed them."""

    match: Match
    bots: tuple[str, str]
    names: tuple[str, str]
    seconds: float


@dataclass(frozen=True, slots=True)
class Fixture:
    """One match to be played: `home` is the index of the bot that sits at seat 1."""

    terms: Terms
    home: int


#: Told of a match before it begins, gives the watcher for it.
Announce = Callable[[Match, tuple[str, str]], Watcher]


async def play_series(
    game: Game,
    bots: tuple[str, str],
    fixtures: list[Fixture],
    *,
    announce: Announce,
    logs: Path | None,
    finished: Callable[[Played], None],
    memory: str = "",
) -> None:
    """Starts both bots once and plays the fixtures one after the other."""
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(working_folder(logs))
        judges = stack.enter_context(ThreadPoolExecutor(1, thread_name_prefix="judge"))
        running = [
            await stack.enter_async_context(
                started(bot, game=game.name, folder=folder, name=f"bot{number}", memory=memory)
            )
            for number, bot in enumerate(bots, 1)
        ]
        # Both get going while we wait for the first.
        await asyncio.gather(*(one.listening() for one in running))
        channels = [await stack.enter_async_context(connected(one.address, bot=one.bot)) for one in running]
        for fixture in fixtures:
            order = (fixture.home, 1 - fixture.home)
            seated = (channels[order[0]], channels[order[1]])
            seated_bots = (bots[order[0]], bots[order[1]])
            finished(
                await play_match(game, fixture.terms, seated, seated_bots, judges=judges, announce=announce)
            )


async def play_match(
    game: Game,
    terms: Terms,
    channels: tuple[grpc.aio.Channel, grpc.aio.Channel],
    bots: tuple[str, str],
    *,
    judges: ThreadPoolExecutor,
    announce: Announce,
) -> Played:
    loop = asyncio.get_running_loop()
    position = await loop.run_in_executor(
        judges, lambda: game.start(variant=terms.variant, seed=terms.seed, options=terms.options)
    )
    began = time.monotonic_ns()
    async with AsyncExitStack() as stack:
        contenders: dict[Seat, Contender] = {}
        for seat, channel, bot in zip(SEATS, channels, bots, strict=True):
            call, hello = await stack.enter_async_context(stream(channel, bot=bot))
            greeting = wire.greeting(hello, game=terms.game, variant=terms.variant, bot=bot)
            contenders[seat] = Contender(seat, call, greeting)
        wishes = contenders[position.seat].greeting.wants_legal_moves
        match = Match(terms, position, legal_moves=tuple(position.legal_moves()) if wishes else ())
        names = (contenders[1].greeting.name, contenders[2].greeting.name)
        watch = announce(match, names)
        with structlog.contextvars.bound_contextvars(match_id=terms.match_id):
            await conduct(match, game, contenders, judges=judges, watch=logging_faults(match, watch))
            played = Played(match, bots, names, (time.monotonic_ns() - began) / SECOND)
            log_match(played)
    return played


def logging_faults(match: Match, watch: Watcher) -> Watcher:
    def both(event: Event | Effect) -> None:
        if isinstance(event, Fault) and match.believes(event):
            log.warning("bot_fault", seat=event.seat, turn=event.turn, kind=event.kind.value, text=event.text)
        watch(event)

    return both


def log_match(played: Played) -> None:
    """The canonical line of a match."""
    match = played.match
    if match.verdict is None:
        return
    log.info(
        "match_finished",
        game=match.terms.game,
        bots=list(played.names),
        winner=match.verdict.winner,
        reason=match.verdict.reason.value,
        scores=list(match.verdict.scores),
        turns=len(match.reports),
        faults=len(match.faults),
        worst_lag_ms=round(max((report.lag for report in match.reports), default=0) / 1e6, 3),
        seconds=round(played.seconds, 3),
    )


@contextmanager
def working_folder(logs: Path | None) -> Iterator[Path]:
    """A private folder for sockets; if `logs` is given, the bots' logs are kept there."""
    folder = Path(tempfile.mkdtemp(prefix="shotclock-"))  # short, since a socket's path has 107 bytes
    try:
        yield folder
    finally:
        if logs is not None:
            logs.mkdir(parents=True, exist_ok=True)
            for log_file in folder.glob("*.log"):
                shutil.move(log_file, logs / log_file.name)
        shutil.rmtree(folder, ignore_errors=True)
