"""A program that is any number of bots at once: each proposes the same good move again and again until the stop."""

import asyncio
import sys
from collections.abc import AsyncIterator

import grpc

from games import Game, find_game
from shotclock.v1 import bot_pb2 as pb
from shotclock.v1 import bot_pb2_grpc

#: Seconds between two proposals of a turn.
EVERY = 0.1
#: The game it plays; its rules are cheap, so that the load is that of the messages.
GAME = "reversi"

HELLO = pb.Hello(protocol=pb.ProtocolVersion(major=1), name="stub", games=[pb.GameSupport(game=GAME)])

Context = grpc.aio.ServicerContext[pb.ToBot, pb.ToReferee]


class Match:
    """At most one turn is under way; its proposals go through the outbox, which has one writer."""

    def __init__(self, game: Game, outbox: asyncio.Queue[pb.ToReferee | None]) -> None:
        self.game = game
        self.outbox = outbox
        self.loop = asyncio.get_running_loop()
        self.timer: asyncio.TimerHandle | None = None

    def hear(self, message: pb.ToBot) -> None:
        match message.WhichOneof("message"):
            case "begin":
                self.outbox.put_nowait(pb.ToReferee(ready=pb.Ready()))
            case "turn":
                move = next(iter(self.game.parse(message.turn.position).legal_moves()))
                said = pb.ToReferee(proposal=pb.Proposal(turn=message.turn.turn, move=move))
                self.propose(said, self.loop.time())
            case "stop":
                self.rest()
                self.outbox.put_nowait(pb.ToReferee(stopped=pb.Stopped(turn=message.stop.turn)))

    def propose(self, said: pb.ToReferee, now: float) -> None:
        self.outbox.put_nowait(said)
        self.timer = self.loop.call_at(now + EVERY, self.propose, said, now + EVERY)

    def rest(self) -> None:
        if self.timer is not None:
            self.timer.cancel()


class Stub(bot_pb2_grpc.BotServiceServicer):
    def __init__(self) -> None:
        self.game = find_game(GAME)

    async def Describe(self, _request: pb.DescribeRequest, _context: object) -> pb.Hello:  # noqa: N802 - as in the contract
        return HELLO

    async def Play(self, _: AsyncIterator[pb.ToBot], context: Context) -> None:  # type: ignore[override]  # noqa: N802 - a coroutine that reads and writes, as in our host
        outbox: asyncio.Queue[pb.ToReferee | None] = asyncio.Queue()
        outbox.put_nowait(pb.ToReferee(hello=HELLO))
        match = Match(self.game, outbox)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(write(outbox, context))
            try:
                while isinstance(message := await context.read(), pb.ToBot):
                    match.hear(message)
            finally:
                match.rest()
                outbox.put_nowait(None)


async def write(outbox: asyncio.Queue[pb.ToReferee | None], context: Context) -> None:
    while (message := await outbox.get()) is not None:
        await context.write(message)


async def main(address: str) -> None:
    server = grpc.aio.server()
    bot_pb2_grpc.add_BotServiceServicer_to_server(Stub(), server)
    server.add_insecure_port(address)
    await server.start()
    await server.wait_for_termination()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
