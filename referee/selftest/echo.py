"""A gRPC server that sends back what it gets, and the way to it: the road of a message between referee and bot."""

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc

from referee import tether
from referee.connection import OPTIONS, connected
from referee.launch import Started, end

SERVICE, METHOD = "shotclock.selftest", "Echo"
#: As long as the turn of a usual game.
MESSAGE = bytes(300)

Echo = grpc.aio.StreamStreamCall[bytes, bytes]


async def echo(requests: AsyncIterator[bytes], _context: object) -> AsyncIterator[bytes]:
    async for message in requests:
        yield message


async def serve(address: str) -> None:
    server = grpc.aio.server(options=OPTIONS)
    handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(echo)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, {METHOD: handler}),))
    server.add_insecure_port(address)
    await server.start()
    await server.wait_for_termination()


@asynccontextmanager
async def echoing(folder: Path) -> AsyncIterator[grpc.aio.Channel]:
    """A channel to such a server in another process."""
    address = f"unix:{folder}/echo.sock"
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", "-S", tether.__file__, str(os.getpid()), ""),
        *(sys.executable, "-P", "-m", "referee.selftest.echo", address),
        start_new_session=True,
    )
    try:
        await Started("echo", address, process).listening()
        async with connected(address, bot="echo") as channel:
            yield channel
    finally:
        await end(process)


@asynccontextmanager
async def stream(channel: grpc.aio.Channel) -> AsyncIterator[Echo]:
    call: Echo = channel.stream_stream(f"/{SERVICE}/{METHOD}")()
    try:
        yield call
    finally:
        call.cancel()


async def trip(call: Echo) -> int:
    """Nanoseconds there and back."""
    sent = time.monotonic_ns()
    await call.write(MESSAGE)
    await call.read()
    return time.monotonic_ns() - sent


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1]))
