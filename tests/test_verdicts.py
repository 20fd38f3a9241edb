"""Odd bots, and what the referee makes of each: these classes are the specification of the verdicts.

The bots are hosted from this very file, so every one of them runs in processes of its own.
"""

import io
import itertools
import os
import signal
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from bots import Turn
from games.sudoku import Sudoku
from referee.events import FaultKind
from referee.report import match_data
from referee.screen import Screen
from referee.turn import Ending
from referee.verdict import Reason
from shotclock.v1 import bot_pb2 as pb
from tests.playing import TABOO_BOARD, Script, descendants, hello, play, scripted, verdict_of


def safe(position: Sudoku) -> str:
    """The last legal move after which there is still a solution."""
    return [move for move in position.legal_moves() if "taboo" not in position.play(move).effect][-1]


class Mute:
    def think(self, _position: Sudoku, _turn: Turn) -> Iterator[str]:
        yield from ()


class Ditherer:
    def think(self, _position: Sudoku, _turn: Turn) -> Iterator[str]:
        while True:
            time.sleep(0.001)
        yield ""


class Sleeper:
    def think(self, _position: Sudoku, _turn: Turn) -> Iterator[str]:
        time.sleep(60)
        yield "too late"


class Spinner:
    def think(self, _position: Sudoku, _turn: Turn) -> str:
        while True:
            pass


class Deaf:
    def think(self, _position: Sudoku, _turn: Turn) -> str:
        return str(sum(itertools.repeat(1)))  # no Python code runs that a signal could break into


class Cheat:
    def think(self, _position: Sudoku, _turn: Turn) -> str:
        return "r1c1=1"


class Babbler:
    def think(self, _position: Sudoku, _turn: Turn) -> str:
        return "good evening"


class Relapser:
    def think(self, position: Sudoku, _turn: Turn) -> Iterator[str]:
        yield safe(position)
        yield "r1c1=1"


class Raiser:
    def think(self, _position: Sudoku, turn: Turn) -> str:
        return str(1 // (turn.number - turn.number))


class Quitter:
    def think(self, _position: Sudoku, _turn: Turn) -> str:
        os._exit(3)


class Victim:
    def think(self, _position: Sudoku, _turn: Turn) -> str:
        os.kill(os.getpid(), signal.SIGKILL)
        return "never"


class Unborn:
    def __init__(self) -> None:
        raise LookupError("the opening book is missing")

    def think(self, _position: Sudoku, _turn: Turn) -> str:
        return "never"


@pytest.mark.parametrize(
    ("bot", "reason", "text", "faults"),
    [
        (Mute, Reason.NO_MOVE, "seat 1 said it was done without proposing a move", []),
        (Ditherer, Reason.NO_MOVE, "seat 1 proposed no move before the line", []),
        (Sleeper, Reason.NO_MOVE, "seat 1 proposed no move before the line", []),
        (Spinner, Reason.NO_MOVE, "seat 1 proposed no move before the line", []),
        (Deaf, Reason.NO_MOVE, "seat 1 proposed no move before the line", []),
        (Cheat, Reason.ILLEGAL, "seat 1 played an illegal move: r1c1=1: the cell holds 4 already", []),
        (Babbler, Reason.ILLEGAL, "seat 1 played an illegal move: 'good evening' is no move", []),
        (Relapser, Reason.ILLEGAL, "seat 1 played an illegal move: r1c1=1", []),
        (Raiser, Reason.CRASHED, "seat 1 raised: ZeroDivisionError: ", [FaultKind.RAISED]),
        (Quitter, Reason.CRASHED, "seat 1 died: exit code 3", [FaultKind.DIED]),
        (Victim, Reason.CRASHED, "seat 1 died: ", [FaultKind.DIED]),
        (
            Unborn,
            Reason.CRASHED,
            "seat 1 raised before the first turn: LookupError: the opening book is missing (test_verdicts.py, ",
            [FaultKind.RAISED],
        ),
    ],
)
async def test_a_turn_without_a_valid_move_loses(
    tmp_path: Path, bot: type, reason: Reason, text: str, faults: list[FaultKind]
) -> None:
    """Whatever a bot does instead of moving: the rival wins at once, and the verdict says why."""
    played = await play(f"{__file__}:{bot.__name__}", "greedy", folder=tmp_path)
    verdict = verdict_of(played)
    assert (verdict.winner, verdict.reason) == (2, reason)
    assert verdict.text.startswith(text)
    assert [(fault.seat, fault.kind) for fault in played.match.faults] == [(1, kind) for kind in faults]
    assert played.match.moves == []


class SleepyMover:
    def think(self, position: Sudoku, _turn: Turn) -> Iterator[str]:
        yield safe(position)
        time.sleep(60)


class SpinningMover:
    def think(self, position: Sudoku, _turn: Turn) -> Iterator[str]:
        yield safe(position)
        while True:
            pass


class StubbornMover:
    def think(self, position: Sudoku, _turn: Turn) -> Iterator[str]:
        yield safe(position)
        while True:
            with suppress(BaseException):
                time.sleep(60)


class DeafMover:
    def think(self, position: Sudoku, _turn: Turn) -> Iterator[str]:
        yield safe(position)
        yield str(sum(itertools.repeat(1)))


class RaisingMover:
    def think(self, position: Sudoku, _turn: Turn) -> Iterator[str]:
        yield safe(position)
        raise SystemExit("enough")


class DyingMover:
    def think(self, position: Sudoku, _turn: Turn) -> Iterator[str]:
        yield safe(position)
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize(
    ("bot", "ending", "fault"),
    [
        (SleepyMover, Ending.LINE, None),
        (SpinningMover, Ending.LINE, None),
        (StubbornMover, Ending.LINE, FaultKind.KILLED),
        (DeafMover, Ending.LINE, FaultKind.KILLED),
        (RaisingMover, Ending.FAULT, FaultKind.RAISED),
        (DyingMover, Ending.FAULT, FaultKind.DIED),
    ],
)
async def test_a_proposal_stands_whatever_comes_after_it(
    tmp_path: Path, bot: type, ending: Ending, fault: FaultKind | None
) -> None:
    """The match goes on to its end by the rules, with the move that arrived and the fault on record."""
    match = (await play(f"{__file__}:{bot.__name__}", "greedy", folder=tmp_path)).match
    assert match.verdict is not None
    assert match.verdict.reason is Reason.FINISHED
    outcome = match.position.outcome()
    assert outcome is not None
    assert (match.verdict.winner, match.verdict.scores) == (outcome.winner, outcome.scores)
    assert [report.ending for report in match.reports] == [ending, Ending.DONE, ending, Ending.DONE]
    assert match.moves[0] == "r4c1=3"
    assert all(one.seat == 1 for one in match.faults)
    if fault is not None:
        # The news of a bot that had to be killed in the third turn may come after the end of the fourth.
        expected = [(1, fault), (3, fault)][: None if ending is Ending.FAULT else len(match.faults)]
        assert [(one.turn, one.kind) for one in match.faults] == expected
        assert expected


class TabooPlayer:
    def think(self, _position: Sudoku, _turn: Turn) -> str:
        return "r1c4=4"


class TabooOnce:
    def think(self, position: Sudoku, turn: Turn) -> str:
        return "r1c4=4" if turn.number == 1 else safe(position)


class Safe:
    def think(self, position: Sudoku, _turn: Turn) -> str:
        return safe(position)


class Elsewhere:
    def think(self, _position: Sudoku, _turn: Turn) -> str:
        return "r2c2=3"  # leaves r1c4=4 as it was


@pytest.fixture
def taboo_board(tmp_path: Path) -> str:
    path = tmp_path / "board.txt"
    path.write_text(TABOO_BOARD)
    return str(path)


class Terminal(io.StringIO):
    """What is written to it, as a terminal that can be drawn on."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("out", [io.StringIO, Terminal])
async def test_a_deliberate_taboo_passes_the_turn(
    tmp_path: Path, taboo_board: str, monkeypatch: pytest.MonkeyPatch, out: type[io.StringIO]
) -> None:
    """No cell is filled, the rival moves, the match ends by the rules, and everything shown says taboo."""
    monkeypatch.setenv("LINES", "50")
    screen = Screen(out())
    played = await play(
        f"{__file__}:TabooOnce",
        f"{__file__}:Safe",
        folder=tmp_path,
        board=taboo_board,
        announce=screen.announce,
    )
    assert verdict_of(played).reason is Reason.FINISHED
    first, second = played.match.reports[:2]
    assert first.after is not None
    assert (first.move, first.effect) == ("r1c4=4", "taboo: no solution left, the turn passes")
    assert str(first.after) == str(first.before).replace(" 1 -", " 2 r1c4=4")
    assert (second.seat, second.effect) == (2, "")

    turn = match_data(played)["turns"][0]
    assert (turn["move"], turn["effect"]) == ("r1c4=4", first.effect)

    assert isinstance(screen.out, io.StringIO)
    (shown, *_) = [line for line in screen.out.getvalue().splitlines() if line.startswith("turn   1")]
    assert "r1c4=4    taboo: no solution left, the turn passes" in shown


async def test_the_same_taboo_again_loses(tmp_path: Path, taboo_board: str) -> None:
    """A move on the taboo list is illegal, and both the verdict and the record of the turn say so."""
    played = await play(
        f"{__file__}:TabooPlayer", f"{__file__}:Elsewhere", folder=tmp_path, board=taboo_board
    )
    verdict = verdict_of(played)
    assert (verdict.winner, verdict.reason) == (2, Reason.ILLEGAL)
    assert verdict.text == "seat 1 played an illegal move: r1c4=4 is on the taboo list"
    assert played.match.moves == ["r1c4=4", "r2c2=3"]
    (refused,) = match_data(played)["turns"][2]["proposals"]
    assert refused["refused"] == "r1c4=4 is on the taboo list"
    assert played.match.faults == []


class Breeder:
    def think(self, position: Sudoku, _turn: Turn) -> Iterator[str]:
        for own_session in (True, False):
            subprocess.Popen(["sleep", "1000"], start_new_session=own_session)
        yield safe(position)
        while True:
            with suppress(BaseException):
                time.sleep(60)


async def test_nothing_is_left_of_a_bot_that_breeds(tmp_path: Path) -> None:
    """Processes that a killed bot had started are gone after the match, those in a session of their own too."""
    sleeps: set[int] = set()

    def count(_: object) -> None:
        for pid in descendants(os.getpid()):
            with suppress(OSError):
                if Path(f"/proc/{pid}/cmdline").read_bytes() == b"sleep\x001000\x00":
                    sleeps.add(pid)

    played = await play(f"{__file__}:Breeder", "greedy", folder=tmp_path, announce=lambda *_: count)
    assert verdict_of(played).reason is Reason.FINISHED
    assert len(sleeps) >= 2
    assert not [pid for pid in sleeps if Path(f"/proc/{pid}").exists()]


READY = pb.ToReferee(ready=pb.Ready())


async def leaver(requests: AsyncIterator[pb.ToBot]) -> AsyncIterator[pb.ToReferee]:
    yield hello()
    async for said in requests:
        if said.HasField("turn"):
            return
        yield READY


async def breaker(requests: AsyncIterator[pb.ToBot]) -> AsyncIterator[pb.ToReferee]:
    yield hello()
    async for said in requests:
        yield READY if said.HasField("begin") else pb.ToReferee(proposal=pb.Proposal(move="x" * 70_000))


async def resigner(requests: AsyncIterator[pb.ToBot]) -> AsyncIterator[pb.ToReferee]:
    yield hello()
    async for said in requests:
        yield READY if said.HasField("begin") else pb.ToReferee(resign=pb.Resign())


async def sluggard(requests: AsyncIterator[pb.ToBot]) -> AsyncIterator[pb.ToReferee]:
    yield hello()
    async for _ in requests:
        pass


async def flooder(requests: AsyncIterator[pb.ToBot]) -> AsyncIterator[pb.ToReferee]:
    yield hello()
    async for said in requests:
        if said.HasField("begin"):
            yield READY
        while said.HasField("turn"):
            yield pb.ToReferee(stopped=pb.Stopped(turn=said.turn.turn))


@pytest.mark.parametrize(
    ("script", "reason", "text"),
    [
        (leaver, Reason.DISCONNECTED, "seat 1 left the match: it closed its stream"),
        (breaker, Reason.DISCONNECTED, "seat 1 left the match: resource exhausted: "),
        (resigner, Reason.RESIGNED, "seat 1 resigned"),
        (sluggard, Reason.NO_SHOW, "seat 1 was not ready in time"),
        (flooder, Reason.NO_MOVE, "seat 1 proposed no move before the line"),
    ],
)
async def test_a_program_of_another_kind_loses_too(
    tmp_path: Path, script: Script, reason: Reason, text: str
) -> None:
    """A bot without our host: leaving, breaking the limits, resigning, not being ready, flooding."""
    async with scripted(script) as address:
        played = await play(address, "greedy", folder=tmp_path, ready_within=2.0)
    verdict = verdict_of(played)
    assert (verdict.winner, verdict.reason, verdict.void) == (2, reason, False)
    assert verdict.text.startswith(text)
    assert played.match.faults == []


async def decliner(requests: AsyncIterator[pb.ToBot]) -> AsyncIterator[pb.ToReferee]:
    yield hello()
    async for _ in requests:
        yield pb.ToReferee(decline=pb.Decline(reason="all places are taken"))


async def test_a_host_that_is_full_loses_nothing(tmp_path: Path) -> None:
    """A declined match is void: nobody wins it."""
    async with scripted(decliner) as address:
        verdict = verdict_of(await play("greedy", address, folder=tmp_path))
    assert (verdict.winner, verdict.reason, verdict.void) == (None, Reason.DECLINED, True)
    assert verdict.text == "seat 2 declined: all places are taken"
