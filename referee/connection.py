"""The referee's end of the connection to a bot, which may well be hostile."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc

from games import Mistake
from referee.wire import clean
from shotclock.v1 import bot_pb2 as pb
from shotclock.v1 import bot_pb2_grpc

#: How long a bot that is there may take to say hello.
HELLO_WITHIN = 10.0
#: How long a bot on a busy machine may take to answer a connection.
CONNECT_WITHIN = 5.0
#: How long a connection may be refused: a socket that has just been made is there before it is listened on.
REFUSED_FOR = 0.5

OPTIONS: list[tuple[str, int]] = [
    ("grpc.max_receive_message_length", 64 * 1024),
    ("grpc.max_send_message_length", 1024 * 1024),
    ("grpc.max_metadata_size", 8 * 1024),
    ("grpc.enable_retries", 0),  # a retried turn would be a second turn
    ("grpc.service_config_disable_resolution", 1),
    ("grpc.enable_http_proxy", 0),  # an environment variable must not redirect a match
    ("grpc.use_local_subchannel_pool", 1),  # bots never share a connection
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.min_reconnect_backoff_ms", round(CONNECT_WITHIN * 1000)),  # in truth the time for one attempt
    ("grpc.max_reconnect_backoff_ms", 200),
]

Call = grpc.aio.StreamStreamCall[pb.ToBot, pb.ToReferee]


@asynccontextmanager
async def connected(address: str, *, bot: str) -> AsyncIterator[grpc.aio.Channel]:
    """A channel that has reached the bot."""
    async with grpc.aio.insecure_channel(address, options=OPTIONS) as channel:
        try:
            async with asyncio.timeout(CONNECT_WITHIN) as patience:
                while (state := channel.get_state(try_to_connect=True)) is not grpc.ChannelConnectivity.READY:
                    if state is grpc.ChannelConnectivity.TRANSIENT_FAILURE:
                        # It stays so while the channel tries again.
                        patience.reschedule(asyncio.get_running_loop().time() + REFUSED_FOR)
                    await channel.wait_for_state_change(state)
        except TimeoutError:
            raise Mistake(
                f"bot {bot!r} does not answer: nothing listens at {address}, start it first"
            ) from None
        yield channel


@asynccontextmanager
async def stream(channel: grpc.aio.Channel, *, bot: str) -> AsyncIterator[tuple[Call, pb.Hello]]:
    """A Play stream with the bot's hello, cancelled at the end if it is still open."""
    call = bot_pb2_grpc.BotServiceStub(channel).Play()
    try:
        yield call, await hello(call, bot=bot)
    finally:
        call.cancel()


async def hello(call: Call, *, bot: str) -> pb.Hello:
    try:
        async with asyncio.timeout(HELLO_WITHIN):  # cancels the whole stream, which is what is meant
            first = await call.read()
    except TimeoutError:
        raise Mistake(
            f"bot {bot!r} said no hello within {HELLO_WITHIN:g} s: is it a Shotclock bot?"
        ) from None
    except grpc.aio.AioRpcError as error:
        raise Mistake(f"bot {bot!r} refused the stream: {why(error)}") from None
    if not isinstance(first, pb.ToReferee) or first.WhichOneof("message") != "hello":
        raise Mistake(f"bot {bot!r} did not begin with hello: every stream of a bot must")
    return first.hello


def why(error: grpc.aio.AioRpcError) -> str:
    """The status of a call in words; its text is the bot's and not to be trusted."""
    details = clean(error.details() or "", 200)
    name = error.code().name.lower().replace("_", " ")
    return f"{name}: {details}" if details else name
