"""The `serve` command: host a bot until told to stop."""

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from games import Mistake, find_game, game_names, parse_memory
from server.address import Address, free_address
from server.author_log import AuthorLog
from server.custody import custody, parse_cores
from server.host import Host
from server.human import HumanSession
from server.limits import PROCESSES, Limits
from server.load import game_of, is_human
from server.session import Session
from server.staff import Staff
from server.terminal import Terminal, modes_kept

#: gRPC may hang when its event loop closes (grpc/grpc#40989); nothing is lost by leaving without it.
EXIT_WITHIN = 1.0


def serve(  # noqa: PLR0913 - each argument is an option of the command
    bot: Annotated[
        str,
        typer.Argument(
            help="A built-in such as greedy, or mybot.py:MyBot; options as in greedy,depth=3; or human."
        ),
    ],
    *,
    game: Annotated[
        str | None, typer.Option(help=f"{', '.join(game_names())}. Needed unless the bot's name says it.")
    ] = None,
    listen: Annotated[
        str, typer.Option(help="127.0.0.1:PORT, with 0 for any free port, or unix:PATH.")
    ] = "127.0.0.1:0",
    matches: Annotated[int, typer.Option(min=1, help="How many matches at once.")] = 4,
    author_log: Annotated[
        Path | None, typer.Option(help="Takes what the bot prints, up to 1 MiB. Default: stderr.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="What the bot is called. Default: as typed.")] = None,
    debug: Annotated[
        bool,
        typer.Option(
            "--debug",
            help="The bot gets this terminal, for breakpoint(), and is neither stopped nor replaced.",
        ),
    ] = False,
    memory: Annotated[
        str, typer.Option(help="What the bot may use, such as 250MB, or none. Default: the game's own.")
    ] = "",
    processes: Annotated[
        int, typer.Option(min=1, max=100_000, help="How many processes the bot may have at once.")
    ] = PROCESSES,
    cores: Annotated[
        str, typer.Option(help="The cores that the bot may use, such as 1 or 1,3; default: all.")
    ] = "",
) -> None:
    """Host a bot, or with `human` yourself, for the referee to call, until SIGTERM or Ctrl-C."""
    if sys.platform != "linux":
        raise Mistake("a bot can be hosted on Linux only")
    game = game_of(bot, game)
    limits = Limits(memory_limit(memory, game), processes)
    pinned = parse_cores(cores)
    address = free_address(listen)
    if is_human(bot):
        asyncio.run(_host_person(Offer(game, name or bot, 1), address))
        return
    offer = Offer(game, name or bot, matches)
    if debug:
        with modes_kept():
            hiring = Hiring(bot, limits, pinned, output=sys.stdout.fileno(), tell_author=_say_nothing)
            asyncio.run(_host_bot(hiring, offer, address, debug=True))
    else:
        with AuthorLog(author_log) as log:
            hiring = Hiring(bot, limits, pinned, output=log.output, tell_author=log.note)
            asyncio.run(_host_bot(hiring, offer, address, debug=False))


def memory_limit(text: str, game: str) -> int | None:
    """In bytes: as said, or the game's own."""
    if text:
        return parse_memory(text)
    megabytes = find_game(game).memory
    return None if megabytes is None else megabytes * 10**6


def _say_nothing(_text: str) -> None:
    """Under a debugger the author sees the host's log beside the bot."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What a host says of itself."""

    game: str
    name: str
    matches: int


@dataclass(frozen=True, slots=True)
class Hiring:
    """What workers are told to be, and where they and their host write to the author."""

    bot: str
    limits: Limits
    cores: list[int] | None
    output: int
    tell_author: Callable[[str], None]


async def _host_bot(hiring: Hiring, offer: Offer, address: Address, *, debug: bool) -> None:
    staff = Staff(
        hiring.bot,
        game=offer.game,
        limits=hiring.limits,
        cores=hiring.cores,
        output=hiring.output,
        debug=debug,
    )
    try:
        # Before the socket is there: whoever can connect can play.
        await staff.warm_up()
        session = partial(
            Session, hire=staff.hire, leave=staff.refill, tell_author=hiring.tell_author, debug=debug
        )
        host = Host(session, game=offer.game, name=offer.name, matches=offer.matches)
        host.hello.custody.CopyFrom(
            custody(hiring.limits, ground=staff.ground, freezes=not debug, cores=hiring.cores)
        )
        await _answer(host, address, shared=debug)
    finally:
        await staff.close()


async def _host_person(offer: Offer, address: Address) -> None:
    session = partial(HumanSession, game=find_game(offer.game), terminal=Terminal())
    # One person, one match.
    await _answer(Host(session, game=offer.game, name=offer.name, matches=1), address, shared=True)


async def _answer(host: Host, address: Address, *, shared: bool) -> None:
    """Be there for calls until told to stop; `shared` means that stdout belongs to a person or a debugger."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, stop.set)
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # or whoever started us sees to Ctrl-C
        loop.add_signal_handler(signal.SIGINT, stop.set)
    try:
        server, port = await host.start(address.text)
        typer.echo(f"listening on {address.with_port(port)}", err=shared)
        await stop.wait()
        watchdog = threading.Timer(EXIT_WITHIN, os._exit, [0])
        watchdog.daemon = True
        watchdog.start()
        await host.health.enter_graceful_shutdown()
        await server.stop(None)
    finally:
        if address.path is not None:
            address.path.unlink(missing_ok=True)
