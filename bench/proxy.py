"""A slow road on this machine: a TCP proxy that keeps every byte for a time drawn from a seed, in each direction."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

CHUNK = 64 * 1024


@dataclass(frozen=True, slots=True)
class Delay:
    """Seconds for one direction; a chunk takes this long plus or minus up to `jitter`, and none overtakes another."""

    seconds: float
    jitter: float = 0.0

    def draw(self, rng: random.Random) -> float:
        return max(0.0, self.seconds + rng.uniform(-self.jitter, self.jitter))


@asynccontextmanager
async def slow_road(port: int, delay: Delay, *, seed: int) -> AsyncIterator[int]:
    """The port, on loopback, from which every byte to and from `port` takes its time."""
    lots = random.Random(seed)
    roads: set[asyncio.Task[None]] = set()

    async def connect(near_reader: asyncio.StreamReader, near_writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
        there, back = random.Random(lots.random()), random.Random(lots.random())
        for reader, writer, rng in ((near_reader, far_writer, there), (far_reader, near_writer, back)):
            road = asyncio.create_task(carry(reader, writer, delay, rng))
            roads.add(road)
            road.add_done_callback(roads.discard)

    server = await asyncio.start_server(connect, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for road in roads:
            road.cancel()
        await asyncio.gather(*roads, return_exceptions=True)


async def carry(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, delay: Delay, rng: random.Random
) -> None:
    """One direction of a connection: reading never waits for what is still on its way."""
    loop = asyncio.get_running_loop()
    under_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

    async def deliver() -> None:
        while True:
            due, data = await under_way.get()
            await asyncio.sleep(due - loop.time())
            if not data:
                return
            writer.write(data)
            await writer.drain()

    try:
        with suppress(ConnectionError):  # an end that is gone needs nothing delivered
            async with asyncio.TaskGroup() as group:
                group.create_task(deliver())
                due = 0.0
                data = b"-"
                while data:
                    data = await reader.read(CHUNK)
                    due = max(due, loop.time() + delay.draw(rng))
                    under_way.put_nowait((due, data))
    finally:
        writer.close()
