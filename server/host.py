"""The gRPC face of one bot: any number of calls, a limited number of matches."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Protocol

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from games import Mistake
from server.outbox import Outbox
from server.session import OutOfOrderError
from shotclock.v1 import bot_pb2 as pb
from shotclock.v1 import bot_pb2_grpc

PROTOCOL = pb.ProtocolVersion(major=1, minor=1)
SERVICE = pb.DESCRIPTOR.services_by_name["BotService"].full_name

LONGEST_NAME = 64

Context = grpc.aio.ServicerContext[pb.ToBot, pb.ToReferee]


def options(calls: int) -> list[tuple[str, int]]:
    return [
        ("grpc.max_receive_message_length", 64 * 1024),
        ("grpc.max_metadata_size", 8 * 1024),
        ("grpc.max_concurrent_streams", calls),
        ("grpc.so_reuseport", 0),  # or two hosts could share a port and each get half of the matches
    ]


class Player(Protocol):
    """Who answers in one match, through the outbox that came with `begin`; raises OutOfOrderError."""

    def receive(self, message: pb.ToBot) -> None:
        """What the referee says after begin, `end` included."""

    def close(self) -> None:
        """The match is over, or the referee has left; called once."""


class Host(bot_pb2_grpc.BotServiceServicer):
    """At most `matches` players are at the table at any time."""

    def __init__(
        self, seat: Callable[[pb.Begin, Outbox], Player], *, game: str, name: str, matches: int
    ) -> None:
        """`seat` gives the player of a match that begins."""
        shown = "".join(letter for letter in name if letter.isprintable())[:LONGEST_NAME]
        self.hello = pb.Hello(protocol=PROTOCOL, name=shown or "bot", games=[pb.GameSupport(game=game)])
        self.health = health.aio.HealthServicer()
        self._seat = seat
        self._game = game
        self._matches = matches
        self._playing = 0

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

    async def Describe(self, _request: pb.DescribeRequest, _context: object) -> pb.Hello:  # noqa: N802 - as in the contract
        return self.hello

    # The stub has a generator in mind; gRPC also takes a coroutine that reads and writes by itself.
    async def Play(self, _: AsyncIterator[pb.ToBot], context: Context) -> None:  # type: ignore[override]  # noqa: N802 - as in the contract
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
        player: Player | None = None
        try:
            while isinstance(message := await context.read(), pb.ToBot):
                kind = message.WhichOneof("message")
                if kind == "ping":  # answered here, so that it tells the way and not what the bot is doing
                    outbox.put(pb.ToReferee(pong=pb.Pong(number=message.ping.number)))
                elif player is not None:
                    player.receive(message)
                elif kind == "begin":
                    if reason := self._refusal(message.begin):
                        outbox.put(pb.ToReferee(decline=pb.Decline(reason=reason)))
                        break
                    player = self._seat(message.begin, outbox)
                    self._playing += 1
                elif kind not in {None, "end"}:
                    return f"{kind} came before begin"
                if kind == "end":
                    break
        except OutOfOrderError as error:
            return str(error)
        finally:
            if player is not None:
                player.close()
                self._playing -= 1
        return ""

    def _refusal(self, begin: pb.Begin) -> str:
        if begin.game != self._game:
            return f"this bot plays {self._game}, not {begin.game!r}"
        if begin.seat not in {1, 2}:
            return f"seat {begin.seat} is neither 1 nor 2"
        if self._playing >= self._matches:
            return f"all {self._matches} places of this host are taken"
        return ""
