"""Where a host listens, and how it ends."""

import asyncio
import socket
from pathlib import Path

import grpc
import pytest

from tests.hosting import PATIENCE, descendants, ended, hosted, start, stream_to, write_bot


async def refusal(tmp_path: Path, *arguments: str) -> str:
    """What a host says that does not start."""
    errors = tmp_path / "refused.log"
    process = await start(*arguments, errors=errors)
    async with asyncio.timeout(PATIENCE):
        said, _ = await process.communicate()
    assert (process.returncode, said) == (2, b"")
    (sentence,) = errors.read_text().splitlines()
    return sentence.removeprefix("shotclock: ")


@pytest.mark.parametrize("signal", ["terminate", "send_signal"])
async def test_a_host_ends_well(tmp_path: Path, signal: str) -> None:
    """SIGTERM and Ctrl-C: exit code 0 in the middle of a match, no process and no socket file left."""
    async with hosted(write_bot(tmp_path, "while True: pass"), tmp_path) as host, stream_to(host) as stream:
        await stream.turn(1)
        workers = descendants(host.process.pid)
        assert len(workers) >= 3
        getattr(host.process, signal)(*([2] if signal == "send_signal" else []))
        async with asyncio.timeout(PATIENCE):
            assert await host.process.wait() == 0
            await asyncio.gather(*(ended(pid) for pid in workers))
        assert await stream.call.code() in {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED}
        assert not (tmp_path / "bot.sock").exists()


async def test_workers_die_with_a_killed_host(tmp_path: Path) -> None:
    """And the socket file it leaves behind is no obstacle for the next."""
    async with hosted(write_bot(tmp_path, "while True: pass"), tmp_path) as host, stream_to(host) as stream:
        await stream.turn(1)
        workers = descendants(host.process.pid)
        host.process.kill()
        await host.process.wait()
        await asyncio.gather(*(ended(pid) for pid in workers))
    assert (tmp_path / "bot.sock").is_socket()
    async with hosted("random", tmp_path) as host, stream_to(host) as stream:
        assert await stream.think(1)


async def test_a_free_port(tmp_path: Path) -> None:
    """Port 0 is any free one, told on stdout; a port in use is refused."""
    async with hosted("random", tmp_path, "--listen", "localhost:0") as host:
        assert host.address.startswith("127.0.0.1:")
        async with stream_to(host) as stream:
            assert await stream.think(1)
        sentence = await refusal(tmp_path, "random", "--game", "sudoku", "--listen", host.address)
        assert sentence == f"cannot listen on {host.address}: it is in use"


async def test_a_socket_in_use(tmp_path: Path) -> None:
    path = tmp_path / "x.sock"
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(path))
        other.listen()
        sentence = await refusal(tmp_path, "random", "--game", "sudoku", "--listen", f"unix:{path}")
    assert sentence == f"cannot listen on unix:{path}: somebody else does"


@pytest.mark.parametrize(
    ("listen", "sentence"),
    [
        ("0.0.0.0:0", "a bot listens on this machine only, not on 0.0.0.0: use 127.0.0.1:PORT or unix:PATH"),
        (
            "example.com:80",
            "'example.com' in 'example.com:80' is no address: use 127.0.0.1, [::1] or unix:PATH",
        ),
        ("50051", "'50051' is no address: write 127.0.0.1:PORT, with 0 for any free port, or unix:PATH"),
        ("unix:/no/such/x.sock", "cannot listen on unix:/no/such/x.sock: there is no folder /no/such"),
        ("unix:/dev/null", "cannot listen on unix:/dev/null: it exists and is no socket"),
    ],
)
async def test_a_bad_address_is_one_sentence(tmp_path: Path, listen: str, sentence: str) -> None:
    assert await refusal(tmp_path, "random", "--game", "sudoku", "--listen", listen) == sentence


async def test_a_long_path_is_one_sentence(tmp_path: Path) -> None:
    sentence = await refusal(tmp_path, "random", "--game", "sudoku", "--listen", f"unix:{'x' * 110}")
    assert "too long for a socket: at most 107 bytes" in sentence


@pytest.mark.parametrize(
    ("top", "sentence"),
    [
        ("import os; os._exit(3)", "ended while it was loaded: exit code 3"),
        ("1 / 0", "cannot be imported: ZeroDivisionError: division by zero (mybot.py, line 3)"),
    ],
)
async def test_a_bot_that_cannot_be_loaded_is_told_at_the_start(
    tmp_path: Path, top: str, sentence: str
) -> None:
    assert (await refusal(tmp_path, write_bot(tmp_path, "pass", top=top), "--game", "sudoku")).endswith(
        sentence
    )
