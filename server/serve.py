"""The `serve` command: host a bot until told to stop."""

import asyncio
import os
import signal
import sys
import threading
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from games import Mistake, find_game, game_names
from server.address import Address, free_address
from server.author_log import AuthorLog
from server.host import Host
from server.human import HumanSession
from server.load import game_of, is_human
from server.session import Session
from server.staff import Staff
from server.terminal import Terminal, modes_kept

#: gRPC may hang when its event loop closes (grpc/grpc#40989); nothing is lost by leaving without it.
EXIT_WITHIN = 1.0


def serve(
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
) -> None:
    """Host a bot, or with `human` yourself, for the referee to call, until SIGTERM or Ctrl-C."""
    if sys.platform != "linux":
        raise Mistake("a bot can be hosted on Linux only")
    game = game_of(bot, game)
    address = free_address(listen)
    offer = Offer(game, name or bot, matches)
    if is_human(bot):
        asyncio.run(_host_person(offer, address))
    elif debug:
        with modes_kept():
            asyncio.run(_host_bot(bot, offer, address, output=sys.stdout.fileno(), debug=True))
    else:
        with AuthorLog(author_log) as log:
            asyncio.run(_host_bot(bot, offer, address, output=log.output, debug=False))


@dataclass(frozen=True, slots=True)
class Offer:
    """What a host says of itself."""

    game: str
    name: str
    matches: int


async def _host_bot(bot: str, offer: Offer, address: Address, *, output: int, debug: bool) -> None:
    staff = Staff(bot, game=offer.game, output=output, debug=debug)
    try:
        # Before the socket is there: whoever can connect can play.
        await staff.warm_up()
        session = partial(Session, hire=staff.hire, leave=staff.refill, debug=debug)
        host = Host(session, game=offer.game, name=offer.name, matches=offer.matches)
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
