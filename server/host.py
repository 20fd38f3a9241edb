"""The gRPC face of one bot: any number of calls, a limited number of matches."""

import asyncio
from collections.abc import AsyncIterator

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from games import Mistake
from server import linux
from server.outbox import Outbox
from server.pipe import Owner, Worker, text_of
from server.session import OutOfOrderError, Session
from shotclock.v1 import bot_pb2 as pb
from shotclock.v1 import bot_pb2_grpc

PROTOCOL = pb.ProtocolVersion(major=1, minor=0)
SERVICE = pb.DESCRIPTOR.services_by_name["BotService"].full_name

#: How long the bot's module may take to import.
LOAD_WITHIN = 10.0
#: A worker and a spare, so that a match begins at once; more are started only when no clock is likely to run.
IDLE = 2
#: A stray process that was killed may leave strays of its own.
SWEEP_AGAIN = 0.01
LONGEST_NAME = 64

Context = grpc.aio.ServicerContext[pb.ToBot, pb.ToReferee]


def options(calls: int) -> list[tuple[str, int]]:
    return [
        ("grpc.max_receive_message_length", 64 * 1024),
        ("grpc.max_metadata_size", 8 * 1024),
        ("grpc.max_concurrent_streams", calls),
        ("grpc.so_reuseport", 0),  # or two hosts could share a port and each get half of the matches
    ]


class Host(bot_pb2_grpc.BotServiceServicer):
    """Owns every worker process: from its start until it is reaped it is in `_workers`."""

    def __init__(self, bot: str, *, game: str, name: str, matches: int, output: int) -> None:
        shown = "".join(letter for letter in name if letter.isprintable())[:LONGEST_NAME]
        self.hello = pb.Hello(protocol=PROTOCOL, name=shown or "bot", games=[pb.GameSupport(game=game)])
        self._bot = bot
        self._game = game
        self._matches = matches
        self._output = output
        self._playing = 0
        self._closed = False
        self._idle: list[Worker] = []
        self._workers: set[Worker] = set()
        self._loaded: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.health = health.aio.HealthServicer()

    async def warm_up(self) -> None:
        """Returns once a bot could start; a bot that cannot be loaded is a Mistake."""
        linux.adopt_orphans()
        self._refill()
        try:
            async with asyncio.timeout(LOAD_WITHIN):
                await self._loaded
        except TimeoutError:
            raise Mistake(f"bot {self._bot!r} was not loaded within {LOAD_WITHIN:g} s") from None

    async def start(self, address: str) -> tuple[grpc.aio.Server, int]:
        """Serve on `address`; the port is what was asked for or what was free."""
        calls = 4 * self._matches + 16
        server = grpc.aio.server(options=options(calls), maximum_concurrent_rpcs=calls)
        bot_pb2_grpc.add_BotServiceServicer_to_server(self, server)
        health_pb2_grpc.add_HealthServicer_to_server(self.health, server)
        await self.health.set(SERVICE, health_pb2.HealthCheckResponse.SERVING)
        # Harmless as long as only this machine can call.
        reflection.enable_server_reflection((SERVICE, health.SERVICE_NAME, reflection.SERVICE_NAME), server)
        try:
            port = server.add_insecure_port(address)
        except RuntimeError as error:
            raise Mistake(f"cannot listen on {address}: {error}") from error
        await server.start()
        return server, port

    async def close(self) -> None:
        """End every worker, and whatever they started."""
        self._closed = True
        gone = [worker.gone for worker in self._workers]
        for worker in self._workers:
            worker.kill()
        await asyncio.gather(*gone)
        while linux.kill_orphans(own=set()):  # noqa: ASYNC110 - the kernel sets no asyncio.Event
            await asyncio.sleep(SWEEP_AGAIN)

    async def Describe(self, request: pb.DescribeRequest, context: object) -> pb.Hello:  # noqa: N802, ARG002
        return self.hello

    # The stub has a generator in mind; gRPC also takes a coroutine that reads and writes by itself.
    async def Play(self, _: AsyncIterator[pb.ToBot], context: Context) -> None:  # type: ignore[override]  # noqa: N802
        outbox = Outbox()
        outbox.put(pb.ToReferee(hello=self.hello))
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(outbox.pump(context.write))
            breach = await self._listen(context, outbox)
            outbox.close()
        if breach:
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, breach)

    async def _listen(self, context: Context, outbox: Outbox) -> str:
        """The one reader of a stream, until the match is over; says how the referee broke the contract, if it did."""
        session: Session | None = None
        try:
            while isinstance(message := await context.read(), pb.ToBot):
                kind = message.WhichOneof("message")
                if kind == "end":
                    break
                if session is not None:
                    session.receive(message)
                elif kind == "begin":
                    if reason := self._refusal(message.begin):
                        outbox.put(pb.ToReferee(decline=pb.Decline(reason=reason)))
                        break
                    self._playing += 1
                    session = Session(message.begin, outbox, hire=self._hire)
                elif kind is not None:
                    return f"{kind} came before begin"
        except OutOfOrderError as error:
            return str(error)
        finally:
            if session is not None:
                session.close()
                self._playing -= 1
                self._refill()
        return ""

    def _refusal(self, begin: pb.Begin) -> str:
        if begin.game != self._game:
            return f"this bot plays {self._game}, not {begin.game!r}"
        if begin.seat not in {1, 2}:
            return f"seat {begin.seat} is neither 1 nor 2"
        if self._playing >= self._matches:
            return f"all {self._matches} places of this host are taken"
        return ""

    def _refill(self) -> None:
        while len(self._idle) < IDLE and not self._closed:
            self._idle.append(self._start(self))

    def _hire(self, owner: Owner) -> Worker:
        if not self._idle:
            return self._start(owner)
        worker = self._idle.pop(0)
        worker.owner = owner
        return worker

    def _start(self, owner: Owner) -> Worker:
        worker = Worker(self._game, self._bot, output=self._output, owner=owner)
        self._workers.add(worker)
        worker.gone.add_done_callback(lambda _: self._forget(worker))
        return worker

    def _forget(self, worker: Worker) -> None:
        self._workers.discard(worker)
        self._sweep()

    def _sweep(self) -> None:
        """A process that left its worker's group and lost its parent has become our child: it has no business."""
        if linux.kill_orphans(own={worker.pid for worker in self._workers}) and not self._closed:
            asyncio.get_running_loop().call_later(SWEEP_AGAIN, self._sweep)

    def heard(self, worker: Worker, letter: bytes, body: bytes) -> None:
        """What an idle worker says."""
        if letter == b"X":
            self._cannot_load(worker, text_of(body))
        elif letter == b"L" and not self._loaded.done():
            self._loaded.set_result(None)

    def died(self, worker: Worker, how: str) -> None:
        self._cannot_load(worker, f"bot {self._bot!r} ended while it was loaded: {how}")

    def _cannot_load(self, worker: Worker, text: str) -> None:
        worker.end()
        if worker in self._idle:
            self._idle.remove(worker)
        if not self._loaded.done():
            self._loaded.set_exception(Mistake(text))
