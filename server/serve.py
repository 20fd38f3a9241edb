"""The `serve` command: host a bot until told to stop."""

import asyncio
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Annotated

import typer

from games import Mistake, find_game, game_names, parse_memory
from server.address import Address, free_address
from server.author_log import AuthorLog
from server.host import Host
from server.load import game_of
from server.staff import Staff

#: gRPC may hang when its event loop closes (grpc/grpc#40989); nothing is lost by leaving without it.
EXIT_WITHIN = 1.0


def serve(
    bot: Annotated[
        str,
        typer.Argument(help="A built-in such as greedy, or mybot.py:MyBot; options as in greedy,depth=3."),
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
    memory: Annotated[
        str, typer.Option(help="What the bot may use, such as 250MB, or none. Default: the game's own.")
    ] = "",
) -> None:
    """Host a bot for the referee to call, until SIGTERM or Ctrl-C."""
    if sys.platform != "linux":
        raise Mistake("a bot can be hosted on Linux only")
    game = game_of(bot, game)
    limit = memory_limit(memory, game)
    address = free_address(listen)
    with AuthorLog(author_log) as log:
        asyncio.run(
            _host(bot, game=game, name=name or bot, matches=matches, address=address, memory=limit, log=log)
        )


def memory_limit(text: str, game: str) -> int | None:
    """In bytes: as said, or the game's own."""
    if text:
        return parse_memory(text)
    megabytes = find_game(game).memory
    return None if megabytes is None else megabytes * 10**6


async def _host(
    bot: str, *, game: str, name: str, matches: int, address: Address, memory: int | None, log: AuthorLog
) -> None:
    staff = Staff(bot, game=game, memory=memory, log=log)
    try:
        # Before the socket is there: whoever can connect can play.
        await staff.warm_up()
        host = Host(staff, game=game, name=name, matches=matches)
        stop = asyncio.Event()
        for signum in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(signum, stop.set)
        server, port = await host.start(address.text)
        typer.echo(f"listening on {address.with_port(port)}")
        await stop.wait()
        watchdog = threading.Timer(EXIT_WITHIN, os._exit, [0])
        watchdog.daemon = True
        watchdog.start()
        await host.health.enter_graceful_shutdown()
        await server.stop(None)
    finally:
        await staff.close()
        if address.path is not None:
            address.path.unlink(missing_ok=True)
