"""Gives one turn of a recorded match to a bot again."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, suppress
from dataclasses import replace

from games import Mistake, find_game
from referee import wire
from referee.connection import connected, stream
from referee.driver import Contender, conduct
from referee.events import SEATS, Effect, Event, TurnOver
from referee.launch import check_metered, started
from referee.match import Match
from referee.record import Recorded
from referee.series import working_folder
from referee.turn import TurnReport


async def rerun(recorded: Recorded, match: Match, turn: int, bot: str) -> TurnReport:
    """The same position, moves so far, clock and seed; the bot sits at both seats, and the match ends with the turn."""
    terms = replace(recorded.terms, match_id=f"{recorded.terms.match_id}-turn-{turn}")
    if terms.time.longest is not None:
        length = match.reports[turn - 1].thinking
        terms = replace(terms, time=replace(terms.time, turn=length, longest=None), lots=None)
    if terms.time.cpu:
        check_metered(bot)
    once_more = Match(terms, match.position_at(0), past=match.reports[: turn - 1])
    game = find_game(terms.game)
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(working_folder(None))
        judges = stack.enter_context(ThreadPoolExecutor(1, thread_name_prefix="judge"))
        running = await stack.enter_async_context(started(bot, game=game.name, folder=folder, name="bot"))
        await running.listening()
        channel = await stack.enter_async_context(connected(running.address, bot=bot))
        meter = running.meter() if terms.time.cpu else None
        contenders = {}
        for seat in SEATS:
            call, hello = await stack.enter_async_context(stream(channel, bot=bot))
            greeting = wire.greeting(hello, game=terms.game, variant=terms.variant, bot=bot)
            contenders[seat] = Contender(seat, call, greeting, meter)
        reports: list[TurnReport] = []

        def watch(event: Event | Effect) -> None:
            if isinstance(event, TurnOver):
                reports.append(event.report)
                playing.cancel()

        playing = asyncio.ensure_future(
            conduct(once_more, game, contenders, judges=judges, watch=watch, commit=None)
        )
        with suppress(asyncio.CancelledError):
            await playing
    if not reports:
        verdict = once_more.verdict
        raise Mistake(f"bot {bot!r} did not play the turn: {verdict.text if verdict else 'no verdict'}")
    return reports[0]
