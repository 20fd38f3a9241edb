"""Plays a tournament: hands out pairs of games to the slots, and writes down what comes back."""

import asyncio
import fcntl
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from games import Mistake
from referee.cores import Cores
from referee.tournament.crew import Slot, SlotLost, start_slot
from referee.tournament.ledger import (
    CHARTER,
    LEDGER,
    RECORDS,
    Charter,
    Game,
    Ledger,
    read_charter,
    write_charter,
)
from referee.tournament.order import agreement_data, game_of
from referee.tournament.schedule import Job, Schedule
from referee.tournament.spec import Spec

#: How often a pair is given to another slot because the process that played it has ended.
MOST_LOST = 3


class Watcher(Protocol):
    """Who shows how it goes."""

    def seen(self, run: "Run") -> None:
        """Called after every pair."""

    def stopping(self, run: "Run") -> None:
        """Called at the first Ctrl-C."""


class Run:
    """A tournament under way. Ctrl-C once: what runs is finished; twice: it is not."""

    def __init__(self, spec: Spec, schedule: Schedule, ledger: Ledger, watcher: Watcher) -> None:
        self.schedule = schedule
        self.games: list[Game] = list(ledger.games)
        #: Pairs that are being played.
        self.running: set[Job] = set()
        self._spec = spec
        self._ledger = ledger
        self._watcher = watcher
        self._stops = 0
        self._now = asyncio.Event()
        #: Slots that see whether a bot can be started.
        self._trying = 0
        self._lost = 0
        self._mistake: Mistake | None = None
        self._change = asyncio.Event()

    async def play(self, folder: Path, cores: list[Cores | None]) -> None:
        """Returns when all is played, or when it was told to stop."""
        trials = self._trials()
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, self.stop)
        loop.add_signal_handler(signal.SIGTERM, self.stop_now)
        try:
            await self._attend_all(folder, cores, trials)
        finally:
            loop.remove_signal_handler(signal.SIGINT)
            loop.remove_signal_handler(signal.SIGTERM)
        if self._mistake is not None:
            raise self._mistake

    def stop(self) -> None:
        if self._stops:
            self.stop_now()
        else:
            self._stops += 1
            self._watcher.stopping(self)
            self._wake()

    def stop_now(self) -> None:
        self._stops += 1
        self._now.set()

    @property
    def _goes_on(self) -> bool:
        return not self._stops and self._mistake is None

    async def _attend_all(self, folder: Path, cores: list[Cores | None], trials: list[Job]) -> None:
        async with asyncio.TaskGroup() as tasks:
            slots = [
                tasks.create_task(self._attend(number, folder, own, trials))
                for number, own in enumerate(cores, 1)
            ]
            tasks.create_task(self._hurry(slots))

    async def _hurry(self, slots: list[asyncio.Task[None]]) -> None:
        """Who waits for a game that nobody wants any more is called off."""
        waiting = asyncio.ensure_future(self._now.wait())
        await asyncio.wait(
            [waiting, asyncio.ensure_future(asyncio.wait(slots))], return_when=asyncio.FIRST_COMPLETED
        )
        waiting.cancel()
        for slot in slots:
            slot.cancel()

    def _trials(self) -> list[Job]:
        """Every bot once, so that one that cannot be started is known before the first game."""
        met = {(game.cell, side.bot) for game in self.games for side in game.sides}
        trials: dict[tuple[str, str], Job] = {}
        for cell in self.schedule.cells:
            name = self._spec.cells[cell.number].agreed.game.name
            for meeting in cell.meetings:
                job = Job(cell.number, meeting, 0)
                bots = [self._spec.bots[bot] for bot in (meeting.first, meeting.second)]
                new = [(name, bot.bot) for bot in bots if (cell.number, bot.name) not in met]
                if any(one not in trials for one in new):
                    trials |= dict.fromkeys(new, job)
        return list(dict.fromkeys(trials.values()))

    async def _attend(self, number: int, folder: Path, cores: Cores | None, trials: list[Job]) -> None:
        slot = await start_slot(number, folder, cores)
        try:
            while trials and self._goes_on:
                await self._try(slot, trials.pop())
            while self._trying and self._goes_on:
                await self._change.wait()
            while self._goes_on:
                job = self.schedule.next()
                if job is None:
                    if not self.running:
                        return
                    # What others play may open a new round.
                    await self._change.wait()
                    continue
                try:
                    await self._play(slot, job)
                except SlotLost as lost:
                    self._lost += 1
                    if self._lost > MOST_LOST:
                        self._mistake = Mistake(str(lost))
                        return
                    slot = await start_slot(number, folder, cores)
        finally:
            # Also when it is called off in the middle of a game: it ends its bots and takes its folder away.
            self._wake()
            await slot.end()

    async def _try(self, slot: Slot, job: Job) -> None:
        self._trying += 1
        try:
            await slot.ask({"agreed": agreement_data(self.schedule.agreement(job))})
        except Mistake as mistake:
            self._mistake = Mistake(f"{self._spec.origin}: {mistake}")
        finally:
            self._trying -= 1
            self._wake()

    async def _play(self, slot: Slot, job: Job) -> None:
        self.running.add(job)
        agreed = self.schedule.agreement(job)
        series = f"{self._spec.name}-{job.cell}-{job.meeting.number}"
        try:
            told = await slot.ask({"agreed": agreement_data(agreed), "series": series, "pair": job.pair})
        except Mistake as mistake:
            self._mistake = mistake
            return
        except SlotLost:
            self.schedule.give_back(job)
            raise
        finally:
            self.running.discard(job)
            self._wake()
        first, second = (self._spec.bots[bot].name for bot in (job.meeting.first, job.meeting.second))
        games = [game_of(told[0], job, 1, (first, second)), game_of(told[1], job, 2, (second, first))]
        new = self.schedule.take(job, games)
        if new:
            # On the disk before anything else is handed out; the wait is short, and the clocks run elsewhere.
            try:
                self._ledger.add(new)
            except OSError as error:
                self._mistake = Mistake(
                    f"cannot write the results of {new[0].match}: {error.strerror}, make room"
                )
                return
            self.games += new
        self._watcher.seen(self)

    def _wake(self) -> None:
        self._change.set()
        self._change = asyncio.Event()


@contextmanager
def opened(folder: Path, charter: Charter) -> Iterator[Ledger]:
    """The folder is ours alone meanwhile, and belongs to this tournament for ever."""
    try:
        (folder / RECORDS).mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise Mistake(f"cannot make the folder {folder} for the tournament: {error.strerror}") from None
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Mistake(
                f"a tournament is being played in {folder}: wait for its end, or name another folder with --out"
            ) from None
        if (folder / CHARTER).exists():
            before = read_charter(folder)
            begun = (folder / LEDGER).exists() and (folder / LEDGER).stat().st_size
            if begun and replace(before, command=charter.command, about=charter.about) != charter:
                raise Mistake(
                    f"{folder} holds another tournament, or this one with other settings: name another folder with"
                    " --out"
                )
        elif any((folder / RECORDS).iterdir()):
            raise Mistake(f"{folder} holds records of something else: name another folder with --out")
        write_charter(charter, folder)
        ledger = Ledger(folder)
        try:
            yield ledger
        finally:
            ledger.close()
    finally:
        os.close(lock)
