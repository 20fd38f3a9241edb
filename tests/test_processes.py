"""What becomes of a bot that starts more processes than it may."""

import re
from pathlib import Path

import pytest

from referee.events import FaultKind
from referee.turn import Ending
from referee.verdict import Reason
from server.cgroup import claim_ground
from server.limits import Limits, Watch
from server.tree import Tree
from tests import rogue_bots
from tests.playing import verdict_of
from tests.rogue_servers import clash_with_honest
from tests.test_freeze import family

pytestmark = pytest.mark.usefixtures("nothing_left")


async def test_a_fork_bomb_loses_its_turn(tmp_path: Path) -> None:
    """Killed with all that it has started, and told how many they were; its rival is unharmed."""
    played, log = await clash_with_honest(rogue_bots.SilentForkBomb, tmp_path, turn="5s", processes=6)
    verdict = verdict_of(played)
    assert (verdict.winner, verdict.reason) == (2, Reason.OVER_PROCESSES)
    (fault,) = played.match.faults
    assert (fault.seat, fault.turn, fault.kind) == (1, 1, FaultKind.OVER_PROCESSES)
    counted = re.fullmatch("([0-9]+) processes of 6", fault.text)
    assert counted
    assert 6 < int(counted[1]) <= 201
    assert verdict.text == f"seat 1 over_processes: {fault.text}"
    assert log == f"[match m-1, turn 1: over_processes: {fault.text}]\n"


async def test_the_rival_of_a_fork_bomb_keeps_its_turns(tmp_path: Path) -> None:
    """A bomb in every turn, after a move: the moves stand, and the rival answers in all of its own turns."""
    played, _ = await clash_with_honest(rogue_bots.ForkBomb, tmp_path, turn="5s", processes=6)
    match = played.match
    assert verdict_of(played).reason is Reason.FINISHED
    assert {report.ending for report in match.reports if report.seat == 1} == {Ending.FAULT}
    assert {report.ending for report in match.reports if report.seat == 2} == {Ending.DONE}
    assert {(fault.seat, fault.kind) for fault in match.faults} == {(1, FaultKind.OVER_PROCESSES)}


def test_as_many_as_allowed_are_no_fault() -> None:
    """The worker counts; the limit itself is not over the limit."""
    with family() as (worker, _):
        assert Watch(Limits(None, 2)).over({worker: Tree(worker)}) == {}
        over = {worker: "over_processes 2 processes of 1"}
        assert Watch(Limits(None, 1)).over({worker: Tree(worker)}) == over
        assert Watch(Limits(None, None)).look_after is None


def test_groups_that_were_left_behind_are_removed() -> None:
    """The next host clears away what one that was killed could not."""
    ground = claim_ground()
    if ground is None:  # nobody can leave any here
        return
    try:
        dead = Path(ground.unified).with_name("shotclock-4194305")  # above any process number
        (dead / "1").mkdir(parents=True)
        ground.remove()
        ground = claim_ground()
        assert ground is not None
        assert not dead.exists()
    finally:
        if ground is not None:
            ground.remove()
            assert not any(folder.exists() for folder in ground.folders)
