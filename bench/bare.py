"""The other end of a bare stream: a gRPC server that does nothing but answer."""

import asyncio
import sys
from collections.abc import AsyncIterator

import grpc

from referee.connection import OPTIONS
from shotclock.v1 import bot_pb2 as pb
from shotclock.v1 import bot_pb2_grpc


class Bare(bot_pb2_grpc.BotServiceServicer):
    async def Describe(self, _request: pb.DescribeRequest, _context: object) -> pb.Hello:  # noqa: N802 - as in the contract
        return pb.Hello(name="bare")

    async def Play(  # type: ignore[override]  # noqa: N802 - a coroutine that reads and writes, as in our host
        self, _: AsyncIterator[pb.ToBot], context: grpc.aio.ServicerContext[pb.ToBot, pb.ToReferee]
    ) -> None:
        while isinstance(message := await context.read(), pb.ToBot):
            answer = pb.Proposal(turn=message.turn.turn, move="r1c1=1", done=True)
            await context.write(pb.ToReferee(proposal=answer))


async def main(address: str) -> None:
    server = grpc.aio.server(options=OPTIONS)
    bot_pb2_grpc.add_BotServiceServicer_to_server(Bare(), server)
    server.add_insecure_port(address)
    await server.start()
    await server.wait_for_termination()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
