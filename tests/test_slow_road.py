"""The delay proxy that the benches put between a referee and its bots."""

import asyncio
import random
import time

from bench.proxy import Delay, slow_road
from tests.playing import PATIENCE

TEXT = bytes(range(256)) * 1000


async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(1000):
        writer.write(data)
    writer.close()


async def test_a_slow_road_keeps_every_byte_in_order_and_none_comes_early() -> None:
    """There and back takes both delays at least, whatever the jitter, and an end of the stream gets through."""
    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with asyncio.timeout(PATIENCE), server, slow_road(port, Delay(0.03, 0.01), seed=1) as slow:
        reader, writer = await asyncio.open_connection("127.0.0.1", slow)
        sent = time.monotonic()
        writer.write(TEXT)
        assert await reader.readexactly(len(TEXT)) == TEXT
        assert time.monotonic() - sent >= 0.04
        writer.write_eof()
        assert await reader.read() == b""
        writer.close()


def test_delays_are_the_same_for_the_same_seed() -> None:
    """A run can be repeated."""
    delay = Delay(0.05, 0.02)
    first, again = random.Random(7), random.Random(7)
    drawn = [delay.draw(first) for _ in range(100)]
    assert drawn == [delay.draw(again) for _ in range(100)]
    assert 0.03 <= min(drawn) < max(drawn) <= 0.07
