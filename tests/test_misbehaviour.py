"""Bots behind our own host that mean harm: each harms itself alone."""

import sys
from pathlib import Path

import pytest

from referee.events import FaultKind
from referee.turn import Ending
from referee.verdict import Reason
from server.author_log import LIMIT
from tests import rogue_bots
from tests.playing import play, shotclock, verdict_of
from tests.rogue_servers import Honest, clash_with_honest, listening, unharmed

pytestmark = pytest.mark.usefixtures("nothing_left")


@pytest.mark.parametrize(
    ("bot", "reason", "text", "fault", "log"),
    [
        (
            rogue_bots.Escaper,
            Reason.ILLEGAL,
            "seat 1 played an illegal move: '[2J ]0;mine   r1c1=' is no move",
            None,
            "",
        ),
        (rogue_bots.Chatterbox, Reason.ILLEGAL, "seat 1 played an illegal move: ", None, ""),
        (
            rogue_bots.Surrogate,
            Reason.CRASHED,
            "seat 1 raised: UnicodeEncodeError: ",
            FaultKind.RAISED,
            "turn 1: raised: UnicodeEncodeError: ",
        ),
        (
            rogue_bots.SurrogateError,
            Reason.CRASHED,
            "seat 1 raised: ValueError:  [31m\\ud800 (rogue_bots.py, line ",
            FaultKind.RAISED,
            "turn 1: raised: ValueError: ",
        ),
        (
            rogue_bots.UnspeakableError,
            Reason.CRASHED,
            "seat 1 died: exit code 1",
            FaultKind.DIED,
            "exit code 1",
        ),
        (
            rogue_bots.NotANumber,
            Reason.CRASHED,
            "seat 1 raised: ValueError: a proposal's score must be finite, got nan",
            FaultKind.RAISED,
            "turn 1: raised: ValueError: a proposal's score must be finite",
        ),
        (
            rogue_bots.LongLine,
            Reason.CRASHED,
            "seat 1 raised: ValueError: a proposal takes at most 60000 bytes, got ",
            FaultKind.RAISED,
            "turn 1: raised: ValueError: a proposal takes at most",
        ),
        (rogue_bots.Patricide, Reason.DISCONNECTED, "seat 1 left the match: ", None, ""),
    ],
)
async def test_what_a_bot_does_instead_of_moving_loses(
    tmp_path: Path, bot: type, reason: Reason, text: str, fault: FaultKind | None, log: str
) -> None:
    """Garbage as a move, an error that cannot be told, a proposal out of bounds: lost, and the author sees why."""
    played, said = await clash_with_honest(bot, tmp_path)
    verdict = verdict_of(played)
    assert (verdict.winner, verdict.reason) == (2, reason)
    assert verdict.text.startswith(text)
    assert len(verdict.text) < 400
    assert [(one.seat, one.turn, one.kind) for one in played.match.faults] == (
        [(1, 1, fault)] if fault else []
    )
    assert log in said
    assert played.match.moves == []


@pytest.mark.parametrize(
    ("bot", "ending", "fault", "log"),
    [
        (rogue_bots.OffTurnTalker, Ending.DONE, None, ""),
        (rogue_bots.Liar, Ending.DONE, None, "said\n"),
        (rogue_bots.Daemon, Ending.DONE, None, ""),
        (
            rogue_bots.Ignorer,
            Ending.LINE,
            FaultKind.KILLED,
            "turn 1: killed: it did not stop when it was told to]",
        ),
        (rogue_bots.Standstill, Ending.LINE, FaultKind.KILLED, "turn 1: killed: it did not stop"),
        (rogue_bots.Hanger, Ending.LINE, FaultKind.KILLED, "turn 1: killed: it did not stop"),
    ],
)
async def test_what_a_bot_does_besides_moving_changes_nothing(
    tmp_path: Path, bot: type, ending: Ending, fault: FaultKind | None, log: str
) -> None:
    """It talks to its host as it likes, leaves children behind, does not stop: its own moves stand."""
    played, said = await clash_with_honest(bot, tmp_path)
    match = played.match
    assert verdict_of(played).reason is Reason.FINISHED
    assert {report.ending for report in match.reports if report.seat == 1} == {ending}
    assert match.moves[0] == "r4c1=3"
    assert {one.kind for one in match.faults} == ({fault} if fault else set())
    assert log in said


async def test_a_flood_of_proposals_is_thinned_out(tmp_path: Path) -> None:
    """100,000 in a turn: the newest counts, a few hundred go over the wire, the match is played to its end."""
    played, _ = await clash_with_honest(rogue_bots.Flooder, tmp_path, turn="8s")
    assert verdict_of(played).reason is Reason.FINISHED
    first = played.match.reports[0]
    assert (first.move, first.ending) == ("r4c1=3", Ending.DONE)
    assert len(first.heard) < played.match.terms.messages
    assert played.match.faults == []


async def test_a_bot_that_takes_too_long_to_start_is_a_no_show(tmp_path: Path) -> None:
    """Its object is still being made when the time to get ready is over."""
    played, _ = await clash_with_honest(rogue_bots.SlowStarter, tmp_path, ready_within=0.5)
    verdict = verdict_of(played)
    assert (verdict.winner, verdict.reason, verdict.text) == (
        2,
        Reason.NO_SHOW,
        "seat 1 was not ready in time",
    )


async def test_megabytes_on_stdout_are_cut(tmp_path: Path) -> None:
    """They neither hold up the match nor fill the disk: the author's log takes a megabyte and says so."""
    played, said = await clash_with_honest(rogue_bots.Printer, tmp_path)
    assert verdict_of(played).reason is Reason.FINISHED
    assert LIMIT < len(said) < LIMIT + 100
    assert said.endswith(f"\n[the rest is dropped: this log takes {LIMIT} bytes]\n")


def program(folder: Path, *lines: str) -> str:
    """A bot in a language of its own: it calls our host, and does something else first."""
    path = folder / "program.py"
    path.write_text("\n".join(lines))
    return f"exec:{sys.executable} {path} {{address}}"


DAEMON = """
import os, signal, sys, time
if not os.fork():
    os.setsid()
    if not os.fork():
        os.closerange(0, 256)
        time.sleep(1000)
    os._exit(0)
os.wait()
"""
SERVE = """
serve = [sys.executable, *'-P -m referee serve greedy --game sudoku --listen'.split(), sys.argv[1]]
os.execv(sys.executable, serve)
"""


async def test_nothing_is_left_of_a_program_that_left_a_daemon_behind(tmp_path: Path) -> None:
    """What a bot in any language has started ends with the match, also what has left its session and its parent."""
    honest = Honest()
    async with listening(honest) as good:
        played = await play(program(tmp_path, DAEMON, SERVE), good, folder=tmp_path)
    unharmed(played, honest)
    assert verdict_of(played).reason is Reason.FINISHED


async def test_a_program_that_does_not_want_to_end_is_killed(tmp_path: Path) -> None:
    """Deaf to SIGTERM, with a daemon that is deaf too."""
    deaf = "signal.signal(signal.SIGTERM, signal.SIG_IGN)"
    wait = "signal.pause()"
    serve = SERVE.replace("os.execv", "os.spawnv").replace("v(sys.ex", "v(os.P_NOWAIT, sys.ex", 1)
    honest = Honest()
    async with listening(honest) as good:
        played = await play(
            program(tmp_path, "import os, signal, sys", deaf, DAEMON, serve, wait), good, folder=tmp_path
        )
    assert verdict_of(played).reason is Reason.FINISHED


async def test_last_words_of_a_program_are_shown_without_their_escapes(tmp_path: Path) -> None:
    """A program that ends before it listens: one sentence that a terminal can show."""
    bot = program(tmp_path, r"import sys", r"sys.exit('\x1b[31mno\x07 \u202e such luck')")
    done = await shotclock("play", "sudoku", bot, "greedy", folder=tmp_path)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert done.err.removesuffix("\n").isprintable()
    assert "ended with code 1 before it listened: [31mno    such luck" in done.err
