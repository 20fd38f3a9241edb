"""One match or several between the same two bots, seats alternating, each pair of games from the same start."""

import asyncio
import secrets
import shutil
import tempfile
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import grpc
import structlog
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from games import Game, Mistake, Seat
from referee import wire
from referee.admission import OURS, Admission
from referee.connection import connected, stream
from referee.driver import Contender, Watcher, conduct
from referee.events import SEATS, Effect, Event, Fault, Terms, TurnTainted
from referee.journal import EMPTY, Journal
from referee.key import secret_for
from referee.launch import NO_STAGE, Stage, Started, check_metered, started
from referee.lots import lots_of
from referee.match import Match
from referee.meter import Meter
from referee.record import Custody, Entrant, Series, remote_seats, restore, understand
from referee.recorder import Archive, Recorder
from referee.timing import SECOND
from referee.verdict import Reason

log = structlog.get_logger()

#: How often a pair of games that is void through our fault is played again.
REPLAYS = 3


@dataclass(frozen=True, slots=True)
class Played:
    """A match that is over, and where its record is."""

    match: Match
    entrants: tuple[Entrant, Entrant]
    seconds: float
    record: Path | None

    @property
    def tainted(self) -> bool:
        """Void, through the referee's own fault."""
        return self.match.verdict is not None and self.match.verdict.reason is Reason.TAINTED

    @property
    def names(self) -> tuple[str, str]:
        return (self.entrants[0].name, self.entrants[1].name)


@dataclass(frozen=True, slots=True)
class Fixture:
    """One match to be played: `home` is the index of the bot that sits at seat 1."""

    terms: Terms
    home: int
    series: Series | None = None
    #: The record to go on with, unless it is where the archive has it.
    record: Path | None = None


#: Told of a match before it begins, gives the watcher for it.
Announce = Callable[[Match, tuple[str, str]], Watcher]


async def play_series(
    game: Game,
    bots: tuple[str, str],
    fixtures: Sequence[Fixture],
    *,
    announce: Announce,
    archive: Archive | None,
    stage: Stage = NO_STAGE,
    finished: Callable[[Played], None],
) -> None:
    """Starts both bots once and plays the fixtures one after the other; a match with a record goes on from there."""
    metered = any(fixture.terms.time.cpu for fixture in fixtures)
    if metered:
        for bot in bots:
            check_metered(bot)
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(working_folder(stage.logs))
        judges = stack.enter_context(ThreadPoolExecutor(1, thread_name_prefix="judge"))
        running = [
            await stack.enter_async_context(
                started(bot, game=game.name, folder=folder, name=f"bot{number}", stage=stage)
            )
            for number, bot in enumerate(bots, 1)
        ]
        # Both get going while we wait for the first.
        await asyncio.gather(*(one.listening() for one in running))
        channels = [await stack.enter_async_context(connected(one.address, bot=one.bot)) for one in running]
        seated = (
            place(running[0], channels[0], stage, metered=metered),
            place(running[1], channels[1], stage, metered=metered),
        )
        await play_fixtures(
            game, fixtures, seated, judges=judges, announce=announce, archive=archive, finished=finished
        )


async def play_fixtures(
    game: Game,
    fixtures: Sequence[Fixture],
    seated: tuple["Place", "Place"],
    *,
    judges: ThreadPoolExecutor,
    announce: Announce,
    archive: Archive | None,
    finished: Callable[[Played], None],
) -> None:
    """One after the other, between bots that are running; a pair that is void through our fault is played again."""
    games = deque(fixtures)
    replays: Counter[int] = Counter()
    while games:
        fixture = games.popleft()
        seats = (seated[fixture.home], seated[1 - fixture.home])
        played = await play_match(game, fixture, seats, judges=judges, announce=announce, archive=archive)
        finished(played)
        if played.tainted and fixture.series and replays[fixture.terms.seed] < REPLAYS:
            replays[fixture.terms.seed] += 1
            pair = pair_up_to(fixture)
            games.extendleft(reversed(pair))
            for one in pair:
                if archive is not None:
                    await asyncio.to_thread(archive.set_aside, one.terms.match_id)


def pair_up_to(fixture: Fixture) -> list[Fixture]:
    """The games of its pair that have been played: both have one start, so one without the other is not fair."""
    name, _, number = fixture.terms.match_id.rpartition("-")
    again = replace(fixture, record=None)
    if int(number) % 2:
        return [again]
    first = replace(fixture.terms, match_id=f"{name}-{int(number) - 1}")
    return [replace(again, terms=first, home=1 - fixture.home), again]


@dataclass(frozen=True, slots=True)
class Place:
    """Who sits at a seat: the bot as it was named, and the way to it."""

    bot: str
    channel: grpc.aio.Channel
    meter: Meter | None = None
    #: By a host of ours, which can be believed.
    hosted: bool = False
    #: Where we know.
    cores: tuple[int, ...] | None = None


def place(running: Started, channel: grpc.aio.Channel, stage: Stage, *, metered: bool) -> Place:
    return Place(
        running.bot,
        channel,
        running.meter() if metered else None,
        hosted=running.hosted,
        cores=cores_of(running, stage),
    )


async def play_match(
    game: Game,
    fixture: Fixture,
    seats: tuple[Place, Place],
    *,
    judges: ThreadPoolExecutor,
    announce: Announce,
    archive: Archive | None,
    admission: Admission = OURS,
) -> Played:
    terms = fixture.terms
    began = time.monotonic_ns()
    async with AsyncExitStack() as stack:
        stack.enter_context(admission.admitted())

        async def call(seat: Seat) -> Contender:
            place = seats[seat - 1]
            opened, hello = await stack.enter_async_context(stream(place.channel, bot=place.bot))
            greeting = wire.greeting(hello, game=terms.game, variant=terms.variant, bot=place.bot)
            return Contender(seat, opened, greeting, place.meter)

        contenders = {seat: await call(seat) for seat in SEATS}
        entrants = (
            entrant(seats[0], contenders[1].greeting, ponder=terms.ponder),
            entrant(seats[1], contenders[2].greeting, ponder=terms.ponder),
        )
        wishes = {seat for seat, contender in contenders.items() if contender.greeting.wants_legal_moves}
        prepare = partial(
            prepare_match, game, fixture, entrants=entrants, wishes=wishes, archive=archive, stack=stack
        )
        match, recorder = await asyncio.get_running_loop().run_in_executor(judges, prepare)
        watch = announce(match, (entrants[0].name, entrants[1].name))
        with structlog.contextvars.bound_contextvars(match_id=terms.match_id):
            await conduct(
                match,
                game,
                contenders,
                judges=judges,
                watch=all_of(logging_faults(match), *([recorder.watch] if recorder else []), watch),
                commit=recorder.commit if recorder else None,
                call=call,
            )
            seconds = (time.monotonic_ns() - began) / SECOND
            played = Played(match, entrants, seconds, recorder.path if recorder else None)
            log_match(played)
    return played


def entrant(place: Place, greeting: wire.Greeting, *, ponder: bool) -> Entrant:
    said = greeting.custody if place.hosted else None
    freedom = "allowed" if ponder else "not frozen"
    if said is None:
        custody = Custody(off_turn=freedom, cores=place.cores)
    else:
        custody = Custody(
            memory=said.memory or None,
            memory_by=said.memory_by,
            processes=said.processes or None,
            processes_by=said.processes_by,
            off_turn="frozen" if said.frozen_by and not ponder else freedom,
            frozen_by="" if ponder else said.frozen_by,
            cores=tuple(said.cores),
        )
    return Entrant(place.bot, greeting.name, greeting.version, greeting.author, custody)


def cores_of(running: Started, stage: Stage) -> tuple[int, ...] | None:
    """Of a program that we have started, as far as we have said so; a host says it itself."""
    return stage.cores if running.process is not None else None


def prepare_match(
    game: Game,
    fixture: Fixture,
    *,
    entrants: tuple[Entrant, Entrant],
    wishes: AbstractSet[Seat],
    archive: Archive | None,
    stack: AsyncExitStack,
) -> tuple[Match, Recorder | None]:
    """The match, new or as its record left it, with the record open; asks the rules and waits for the disk."""
    if archive is None:
        return new_match(game, with_lots(fixture.terms, None), wishes, remote_seats(entrants)), None
    path = fixture.record or archive.path(fixture.terms.match_id)
    journal, contents = Journal.reopen(path) if path.exists() else (Journal.create(path), EMPTY)
    stack.callback(journal.close)
    if contents.entries:
        recorded = understand(contents, path)
        match = restore(replace(recorded, terms=with_lots(recorded.terms, archive.key)), wishes=wishes)
        recorder = Recorder(journal, match, archive.key)
        recorder.go_on(entrants)
    else:
        match = new_match(game, with_lots(fixture.terms, archive.key), wishes, remote_seats(entrants))
        recorder = Recorder(journal, match, archive.key)
        recorder.begin(entrants, fixture.series)
    return match, recorder


def with_lots(terms: Terms, key: Ed25519PrivateKey | None) -> Terms:
    """With the secret that lengths of turns are drawn by, if they are; only the key that promised it knows it again."""
    if terms.time.longest is None:
        return terms
    lots = lots_of(secret_for(key, terms.match_id) if key else secrets.token_hex(32))
    if terms.lots is not None and terms.lots.promise != lots.promise:
        raise Mistake(
            f"match {terms.match_id} draws the lengths of its turns by another key than yours: go on with the"
            " key that began it"
        )
    return replace(terms, lots=lots)


def new_match(game: Game, terms: Terms, wishes: AbstractSet[Seat], remote: AbstractSet[Seat]) -> Match:
    position = game.open(variant=terms.variant, seed=terms.seed, options=terms.options)
    return Match(
        terms,
        position,
        legal_moves=tuple(position.legal_moves()) if position.seat in wishes else (),
        remote=remote,
    )


def all_of(*watchers: Watcher) -> Watcher:
    def watch(event: Event | Effect) -> None:
        for watcher in watchers:
            watcher(event)

    return watch


def logging_faults(match: Match) -> Watcher:
    def watch(event: Event | Effect) -> None:
        if isinstance(event, TurnTainted):
            lag = round(event.report.lag / 1e6, 3)
            log.warning("turn_tainted", seat=event.report.seat, turn=event.report.turn, lag_ms=lag)
        if isinstance(event, Fault) and match.believes(event):
            log.warning("bot_fault", seat=event.seat, turn=event.turn, kind=event.kind.value, text=event.text)

    return watch


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
        tainted=len(match.tainted),
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
