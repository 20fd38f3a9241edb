"""A host and its bot, as the contract tells it."""

import math
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

from shotclock.v1 import bot_pb2 as pb
from shotclock.v1 import bot_pb2_grpc
from tests.hosting import POSITION, channel_to, hosted, kind, stream_to, write_bot

SERVICE = "shotclock.v1.BotService"


async def test_describe_health_and_reflection(tmp_path: Path) -> None:
    """Describe gives the hello of every stream, health says SERVING, reflection lists the service."""
    async with hosted("greedy", tmp_path, "--name", "Gr\x1bee\ndy") as host, channel_to(host) as channel:
        hello = await bot_pb2_grpc.BotServiceStub(channel).Describe(pb.DescribeRequest())
        assert (hello.protocol.major, hello.protocol.minor) == (1, 1)
        assert hello.name == "Greedy"
        assert [support.game for support in hello.games] == ["sudoku"]
        check = health_pb2_grpc.HealthStub(channel).Check
        for service in ("", SERVICE):
            answer = await check(health_pb2.HealthCheckRequest(service=service))
            assert answer.status == health_pb2.HealthCheckResponse.SERVING
        with grpc.insecure_channel(host.address) as blocking:
            assert SERVICE in ProtoReflectionDescriptorDatabase(blocking).get_services()


async def test_every_yield_is_a_proposal(tmp_path: Path) -> None:
    """What a bot says about its move arrives; the end of the generator is done."""
    bot = write_bot(
        tmp_path, "yield Proposal('r1c1=2', score=0.5, depth=3, nodes=9, line=('a', 'b'), note='n' * 300)"
    )
    async with hosted(bot, tmp_path) as host, stream_to(host) as stream:
        await stream.turn(3)
        messages = await stream.until("done")
        said = messages[0].proposal
        assert (said.turn, said.move, said.score, said.depth, said.nodes) == (3, "r1c1=2", 0.5, 3, 9)
        assert (list(said.line), said.note) == (["a", "b"], "n" * 200)
        assert {message.done.turn or message.proposal.turn for message in messages} == {3}


async def test_the_first_proposal_does_not_wait_for_the_second(tmp_path: Path) -> None:
    """A better move follows on its own; stop is answered by stopped and nothing comes in between."""
    bot = write_bot(
        tmp_path,
        "yield 'first'\nwhile not os.path.exists(f'{__file__}.go'): pass\nyield 'second'\ntime.sleep(60)",
    )
    async with hosted(bot, tmp_path) as host, stream_to(host) as stream:
        assert await stream.first_move(1) == "first"
        (tmp_path / "mybot.py.go").touch()
        assert (await stream.read()).proposal.move == "second"
        assert kind((await stream.stopped(1))[-1]) == "stopped"


@pytest.mark.parametrize("give", ["'r1c1=2'", "Proposal('r1c1=2', score=1)"])
async def test_a_returned_move_is_one_message_with_done(tmp_path: Path, give: str) -> None:
    async with hosted(write_bot(tmp_path, f"return {give}"), tmp_path) as host, stream_to(host) as stream:
        for number in range(1, 21):
            await stream.turn(number)
            message = await stream.read()
            assert (message.proposal.turn, message.proposal.move, message.proposal.done) == (
                number,
                "r1c1=2",
                True,
            )


async def test_no_move_is_done_alone(tmp_path: Path) -> None:
    async with hosted(write_bot(tmp_path, "return None"), tmp_path) as host, stream_to(host) as stream:
        await stream.turn(1)
        assert (await stream.read()).done.turn == 1
        # Stop crossed with done: it is answered all the same.
        assert [kind(message) for message in await stream.stopped(1)] == ["stopped"]


async def test_of_a_flood_only_the_newest_is_sent(tmp_path: Path) -> None:
    """10,000 proposals are at most one message per 2 ms, and the last one stands when the turn is done."""
    bot = write_bot(
        tmp_path,
        "started = time.monotonic()\nfor i in range(9999): yield str(i)\nyield f'{time.monotonic() - started}'",
    )
    async with hosted(bot, tmp_path) as host, stream_to(host) as stream:
        moves = await stream.think(1)
        *earlier, last = moves
        assert earlier == sorted(earlier, key=int)
        duration = float(last)
        assert 0 < duration < 9
        assert len(moves) <= 3 + math.ceil(duration / 0.002)


async def test_what_a_bot_is_told(tmp_path: Path) -> None:
    """Number, seat, position, moves since its last turn with those of begin on the first, and the clock."""
    bot = write_bot(
        tmp_path,
        "return ' '.join([str(turn.number), str(turn.seat), *turn.moves, str(turn.remaining), str(position)])",
    )
    async with hosted(bot, tmp_path) as host, stream_to(host, begun=False) as stream:
        await stream.begin(moves=["a", "b"])
        assert await stream.think(3) == [f"3 1 a b None {POSITION}"]
        await stream.turn(5, moves=["c", "d"], remaining=0.5)
        number, seat, third, fourth, remaining, _ = (await stream.read()).proposal.move.split(maxsplit=5)
        assert (number, seat, third, fourth) == ("5", "1", "c", "d")
        assert 0.4 < float(remaining) < 0.5


async def test_random_numbers_come_from_the_seed(tmp_path: Path) -> None:
    """The same seed and turn give the same numbers and the same order of a set, another seed or turn others."""
    bot = write_bot(
        tmp_path, "return f'{turn.rng.random()} {random.random()} {hash(\"a\")}'", top="import random"
    )
    async with hosted(bot, tmp_path) as host:
        seen = []
        for seed in (1, 1, 2):
            async with stream_to(host, begun=False) as stream:
                await stream.begin(seed=seed)
                seen.append([*await stream.think(1), *await stream.think(3)])
    assert seen[0] == seen[1]
    assert len({text.split()[0] for text in seen[0] + seen[2]}) == 4


async def test_an_object_lasts_for_a_match(tmp_path: Path) -> None:
    """Two matches at once share nothing, and a third begins afresh."""
    bot = write_bot(tmp_path, "self.count += 1\nreturn f'{self.count} {os.getpid()}'", init="count = 0")
    async with hosted(bot, tmp_path) as host, stream_to(host) as one, stream_to(host) as two:
        first, second = (await one.think(1))[0], (await two.think(1))[0]
        assert (await one.think(3))[0] == first.replace("1", "2", 1)
        assert first.split()[0] == second.split()[0] == "1"
        assert first != second
        async with stream_to(host) as three:
            assert (await three.think(1))[0].startswith("1 ")


async def test_a_full_host_declines(tmp_path: Path) -> None:
    """A place is free again when its match has ended."""
    async with hosted("random", tmp_path, "--matches", "1") as host:
        async with stream_to(host) as one, stream_to(host, begun=False) as two:
            assert (await two.begin()).decline.reason == "all 1 places of this host are taken"
            assert await two.call.read() is grpc.aio.EOF
            assert await two.call.code() is grpc.StatusCode.OK
            await one.send(pb.ToBot(end=pb.End(result=pb.RESULT_WIN)))
            assert await one.call.code() is grpc.StatusCode.OK
        async with stream_to(host) as three:
            assert await three.think(1)


async def test_another_game_is_declined(tmp_path: Path) -> None:
    async with hosted("random", tmp_path) as host, stream_to(host, begun=False) as stream:
        assert (await stream.begin(game="chess")).decline.reason == "this bot plays sudoku, not 'chess'"


TURN, STOP, BEGIN = (
    pb.ToBot(turn=pb.Turn(turn=1, position=POSITION)),
    pb.ToBot(stop=pb.Stop(turn=1)),
    pb.ToBot(begin=pb.Begin(game="sudoku", seat=1)),
)


@pytest.mark.parametrize(
    ("messages", "sentence"),
    [
        ([TURN], "turn came before begin"),
        ([STOP], "stop came before begin"),
        ([BEGIN, BEGIN], "begin came twice: one call is one match"),
        ([BEGIN, TURN], "turn 1 came before the bot was ready"),
    ],
)
async def test_a_broken_contract_is_an_error_in_one_sentence(
    tmp_path: Path, messages: list[pb.ToBot], sentence: str
) -> None:
    """An unknown message is no breach."""
    bot = write_bot(tmp_path, "pass", init="def __init__(self): time.sleep(60)")
    async with hosted(bot, tmp_path) as host, stream_to(host, begun=False) as stream:
        for message in [pb.ToBot(), *messages]:
            await stream.send(message)
        assert await stream.call.code() is grpc.StatusCode.FAILED_PRECONDITION
        assert await stream.call.details() == sentence


async def test_a_turn_during_a_turn_is_a_breach(tmp_path: Path) -> None:
    async with hosted(write_bot(tmp_path, "while True: pass"), tmp_path) as host, stream_to(host) as stream:
        await stream.turn(1)
        await stream.turn(3)
        assert await stream.call.code() is grpc.StatusCode.FAILED_PRECONDITION
        assert await stream.call.details() == "turn 3 came while turn 1 was under way: send stop first"
