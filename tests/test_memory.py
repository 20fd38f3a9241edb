"""What becomes of a bot that uses more memory than it may."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from games import Mistake, find_game, parse_memory
from referee.events import FaultKind
from referee.series import Played
from referee.turn import Ending
from referee.verdict import Reason
from server import serve
from shotclock.v1 import bot_pb2 as pb
from tests import rogue_bots
from tests.hosting import hosted, kind, stream_to, write_bot
from tests.playing import shotclock, verdict_of
from tests.rogue_servers import clash_with_honest

pytestmark = pytest.mark.usefixtures("nothing_left")

LIMIT = "120MB"
EXCESS = re.compile(r"used ([0-9]+) MB of 120 MB")


async def clash(bot: type, folder: Path) -> tuple[Played, str]:
    return await clash_with_honest(bot, folder, turn="5s", memory=LIMIT)


@pytest.mark.parametrize("bot", [rogue_bots.Hog, rogue_bots.Gulper, rogue_bots.Family])
async def test_a_bot_over_its_limit_loses_the_turn(tmp_path: Path, bot: type) -> None:
    """In small steps, in one gulp of gigabytes, or spread over children: killed, and told by how much it was over."""
    played, log = await clash(bot, tmp_path)
    verdict = verdict_of(played)
    assert (verdict.winner, verdict.reason) == (2, Reason.OVER_MEMORY)
    (fault,) = played.match.faults
    assert (fault.seat, fault.turn, fault.kind) == (1, 1, FaultKind.OVER_MEMORY)
    used = EXCESS.fullmatch(fault.text)
    assert used
    assert 120 < int(used[1]) < 4000
    assert verdict.text == f"seat 1 over_memory: {fault.text}"
    assert log == f"[match m-1, turn 1: over_memory: {fault.text}]\n"


async def test_a_move_that_was_proposed_before_stands(tmp_path: Path) -> None:
    """The turn ends with the fault and the proposal; a spare takes the next turn, to the end of the match."""
    played, log = await clash(rogue_bots.MovingHog, tmp_path)
    match = played.match
    assert verdict_of(played).reason is Reason.FINISHED
    own = [report for report in match.reports if report.seat == 1]
    assert [report.ending for report in own] == [Ending.FAULT, Ending.FAULT]
    assert [report.move for report in own] == [report.heard[-1].proposal.move for report in own]
    assert [(fault.turn, fault.kind) for fault in match.faults] == [
        (1, FaultKind.OVER_MEMORY),
        (3, FaultKind.OVER_MEMORY),
    ]
    assert len(EXCESS.findall(log)) == 2


async def test_a_bot_that_is_over_before_the_first_turn_loses(tmp_path: Path) -> None:
    played, _ = await clash(rogue_bots.HoggingStart, tmp_path)
    verdict = verdict_of(played)
    assert (verdict.winner, verdict.reason) == (2, Reason.OVER_MEMORY)
    assert verdict.text.startswith("seat 1 over_memory before the first turn: used ")


async def test_memory_that_processes_share_counts_once(tmp_path: Path) -> None:
    """Five processes that see the same forty megabytes stay below a limit that their sum is far above."""
    played, _ = await clash(rogue_bots.Sharer, tmp_path)
    assert verdict_of(played).reason is Reason.FINISHED
    assert played.match.faults == []


async def test_a_bot_over_its_limit_between_turns_is_replaced(tmp_path: Path) -> None:
    """It may think then; told as a fault of its last turn, and the next turn finds the spare."""
    top = """
        import threading
        def grow():
            held = []
            while True: held.append(b"x" * 1_000_000)
    """
    think = "turn.number == 1 and threading.Thread(target=grow).start()\nreturn str(os.getpid())"
    bot = write_bot(tmp_path, think, top=top)
    async with hosted(bot, tmp_path, "--memory", LIMIT) as host, stream_to(host, ponder=True) as stream:
        (first,) = await stream.think(1)
        fault = (await stream.read()).fault
        assert (fault.turn, fault.kind) == (1, pb.FAULT_KIND_OVER_MEMORY)
        assert EXCESS.fullmatch(fault.text)
        (second,) = await stream.think(3)
        assert first != second


async def test_a_bot_within_its_limit_notices_nothing(tmp_path: Path) -> None:
    """And without one, it may take what it likes."""
    bot = write_bot(tmp_path, "held = b'x' * 150_000_000\nreturn str(len(held))")
    for limit in ("400MB", "none"):
        async with hosted(bot, tmp_path, "--memory", limit) as host, stream_to(host) as stream:
            await stream.turn(1)
            assert [kind(message) for message in await stream.until("done", "fault")] == ["done"]


async def test_the_kernel_is_told_whom_to_end_first(tmp_path: Path) -> None:
    """Should memory run out between two looks, it takes the bot and not its host."""
    bot = write_bot(tmp_path, "return open('/proc/self/oom_score_adj').read().strip()")
    async with hosted(bot, tmp_path) as host, stream_to(host) as stream:
        assert await stream.think(1) == ["1000"]
        assert int(Path(f"/proc/{host.process.pid}/oom_score_adj").read_text()) < 1000


async def test_a_limit_below_what_python_needs_is_told_at_the_start(tmp_path: Path) -> None:
    done = await shotclock(*"play sudoku greedy greedy --memory 2MB".split(), folder=tmp_path)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert re.search(r"bot 'greedy' ended while it was loaded: used [0-9]+ MB of 2 MB", done.err)


@pytest.mark.parametrize("command", ["play sudoku greedy greedy", "serve greedy --game sudoku"])
async def test_a_bad_size_is_one_sentence(tmp_path: Path, command: str) -> None:
    done = await shotclock(*command.split(), "--memory", "plenty", folder=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "shotclock: 'plenty' is not an amount of memory:"
        " write a number and a unit, such as 250MB or 1.5GB, or none\n"
    )


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("250MB", 250 * 10**6),
        ("1.5 gb", 1_500_000_000),
        ("2GiB", 2 * 2**30),
        ("64MiB", 2**26),
        ("None", None),
    ],
)
def test_sizes(text: str, size: int | None) -> None:
    """Megabytes are millions of bytes; the other kind is there for those who write it."""
    assert parse_memory(text) == size


@pytest.mark.parametrize(
    "text", ["", "250", "MB", "-1MB", "1e3MB", "250 M", "nanMB", "1KB", "0MB", "9" * 30 + "MB"]
)
def test_bad_sizes(text: str) -> None:
    with pytest.raises(Mistake, match=r"is not an amount of memory|is too little"):
        parse_memory(text)


def test_a_game_may_have_a_limit_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """It holds unless another is asked for; sudoku has none."""
    assert serve.memory_limit("", "sudoku") is None
    sudoku = replace(find_game("sudoku"), memory=250)
    monkeypatch.setattr(serve, "find_game", lambda _: sudoku)
    assert serve.memory_limit("", "sudoku") == 250 * 10**6
    assert serve.memory_limit("1GB", "sudoku") == 10**9
    assert serve.memory_limit("none", "sudoku") is None
