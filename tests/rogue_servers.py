"""Programs that speak the contract badly, and one that speaks it well; no serializer keeps them from saying anything."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import grpc

from games.sudoku import Sudoku
from shotclock.v1 import bot_pb2 as pb
from tests.playing import hello
from tests.rogue_bots import moves

Says = AsyncIterator[pb.ToReferee | bytes]
Hears = AsyncIterator[pb.ToBot]
Context = grpc.aio.ServicerContext[bytes, bytes]
#: From what the referee says to what the program answers, as messages or as bytes; the call ends where it does.
Rogue = Callable[[Hears, Context], Says]

READY = pb.ToReferee(ready=pb.Ready())


def propose(turn: int, move: str, *, done: bool = False, **said: object) -> pb.ToReferee:
    return pb.ToReferee(proposal=pb.Proposal(turn=turn, move=move, done=done, **said))  # type: ignore[arg-type] # the field's own


def good_move(turn: pb.Turn) -> str:
    return moves(Sudoku.parse(turn.position))[-1]


@asynccontextmanager
async def listening(rogue: Rogue, *, compression: grpc.Compression | None = None) -> AsyncIterator[str]:
    """The address of a bot that is this program."""

    async def play(requests: Hears, context: Context) -> Says:
        async for said in rogue(requests, context):
            yield said

    handler = grpc.stream_stream_rpc_method_handler(
        play, request_deserializer=pb.ToBot.FromString, response_serializer=as_bytes
    )
    server = grpc.aio.server(compression=compression)
    service = grpc.method_handlers_generic_handler("shotclock.v1.BotService", {"Play": handler})
    server.add_generic_rpc_handlers((service,))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield f"grpc://127.0.0.1:{port}"
    finally:
        await server.stop(None)


def as_bytes(said: pb.ToReferee | bytes) -> bytes:
    return said if isinstance(said, bytes) else said.SerializeToString()


@dataclass(slots=True)
class Honest:
    """Plays well, and remembers what it proposed and what it was told at the end."""

    proposed: list[tuple[int, str]] = field(default_factory=list)
    end: pb.End | None = None

    async def __call__(self, requests: Hears, _context: Context) -> Says:
        yield hello()
        async for said in requests:
            if said.HasField("begin"):
                yield READY
            elif said.HasField("turn"):
                move = good_move(said.turn)
                self.proposed.append((said.turn.turn, move))
                yield propose(said.turn.turn, move, done=True)
            elif said.HasField("end"):
                self.end = said.end


def answering(answer: Callable[[pb.Turn], Says], *, late: Callable[[], Says] | None = None) -> Rogue:
    """Begins like any other; what it says in its turns, and after the end, is its own."""

    async def rogue(requests: Hears, _context: Context) -> Says:
        yield hello()
        async for said in requests:
            if said.HasField("begin"):
                yield READY
            elif said.HasField("turn"):
                async for message in answer(said.turn):
                    yield message
            elif said.HasField("end") and late is not None:
                async for message in late():
                    yield message

    return rogue
