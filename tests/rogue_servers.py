"""Programs that speak the contract badly, and one that speaks it well; no serializer keeps them from anything."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import grpc

from games.sudoku import Sudoku
from referee.report import match_data
from referee.series import Played
from shotclock.v1 import bot_pb2 as pb
from tests import rogue_bots
from tests.playing import hello, play

Says = AsyncIterator[pb.ToReferee | bytes]
Hears = AsyncIterator[pb.ToBot]
Context = grpc.aio.ServicerContext[bytes, bytes]
#: From what the referee says to what the program answers, as messages or as bytes; the call ends where it does.
Rogue = Callable[[Hears, Context], Says]

READY = pb.ToReferee(ready=pb.Ready())


def propose(turn: int, move: str, *, done: bool = False, **said: object) -> pb.ToReferee:
    return pb.ToReferee(proposal=pb.Proposal(turn=turn, move=move, done=done, **said))  # type: ignore[arg-type] # the field's own


def good_move(turn: pb.Turn) -> str:
    return rogue_bots.moves(Sudoku.parse(turn.position))[-1]


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


def unharmed(played: Played, honest: Honest, *, seat: int = 2) -> None:
    """The move it proposed stands in each of its turns, nothing is held against it, and it was told the result."""
    match = played.match
    assert match.verdict is not None
    own = [(report.turn, report.move) for report in match.reports if report.seat == seat]
    assert own == honest.proposed[: len(own)]
    assert len(honest.proposed) - len(own) <= 1  # the last may have crossed with the end
    assert not [fault for fault in match.faults if fault.seat == seat]
    assert honest.end is not None
    assert honest.end.reason == match.verdict.reason
    expected = {seat: pb.RESULT_WIN, None: pb.RESULT_DRAW}.get(match.verdict.winner, pb.RESULT_LOSS)
    assert honest.end.result == expected
    shown = json.dumps(match_data(played), ensure_ascii=False)
    assert shown.isprintable()


async def clash_with_honest(
    bot: type,
    folder: Path,
    *,
    turn: str = "250ms",
    ready_within: float = 10.0,
    memory: str = "",
    processes: int = 64,
) -> tuple[Played, str]:
    """A match of a hosted bot, at seat 1, with an honest program, which must come out of it unharmed.

    Also what the log of the bot's author says.
    """
    honest, name = Honest(), f"{rogue_bots.__file__}:{bot.__name__}"
    async with listening(honest) as good:
        played = await play(
            name,
            good,
            folder=folder,
            turn=turn,
            ready_within=ready_within,
            memory=memory,
            processes=processes,
            logs=folder / "logs",
        )
    unharmed(played, honest)
    return played, (folder / "logs" / "bot1.log").read_text(errors="replace")


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
