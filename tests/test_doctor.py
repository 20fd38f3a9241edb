"""What `shotclock doctor` measures, and what it makes of it."""

import asyncio
import json
import os
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from games import Mistake
from referee.doctor import conclusion, data, doctor, show
from referee.selftest import spinner
from referee.selftest.crowd import spinning
from referee.selftest.fitness import Figures, Level, Sample, sample, unfit
from referee.selftest.freezer import by_signal, freezer, until
from referee.selftest.measure import measure, numbers
from referee.selftest.protection import Means, below, cgroup, program, spans
from referee.timing import MICROSECOND, MILLISECOND, SECOND
from tests.hosting import ended
from tests.playing import PATIENCE, all_ended, descendants, leftovers, shotclock


def steady(nanoseconds: int) -> Sample:
    return Sample(nanoseconds, nanoseconds, nanoseconds, 100)


def level(matches: int, *, late: int = MILLISECOND, speed: float = 1.0) -> Level:
    return Level(matches, steady(late), speed)


#: Of a turn 1 ms + 0.6 ms + 0.4 ms are uncertain.
GOOD = Figures(
    cores=4,
    timer=steady(MILLISECOND),
    trip=steady(600 * MICROSECOND),
    freeze=steady(200 * MICROSECOND),
    thaw=steady(400 * MICROSECOND),
    freezer="signals",
    levels=(level(1), level(2), level(4, speed=0.85)),
)
SLOW = replace(GOOD, levels=(level(1), level(2, late=6 * MILLISECOND), level(4)))
CROWDED = replace(GOOD, levels=(level(1), level(2), level(4, speed=0.5)))
HOPELESS = replace(GOOD, levels=(level(1, late=900 * MILLISECOND),))


def test_a_sample_has_its_median_its_99th_of_100_and_its_worst() -> None:
    """None of them is made up: each is one that was measured."""
    assert sample(list(range(200, 0, -1))) == Sample(100, 198, 200, 200)
    assert sample([7]) == Sample(7, 7, 7, 1)


@pytest.mark.parametrize(
    ("figures", "matches", "turn"),
    [(GOOD, 4, 50), (SLOW, 1, 50), (CROWDED, 2, 50), (HOPELESS, 0, None)],
    ids=["good", "late with two", "crowded with four", "hopeless"],
)
def test_as_many_matches_are_safe_as_every_smaller_number_is(
    figures: Figures, matches: int, turn: int | None
) -> None:
    """And the shortest safe turn is twenty times what is uncertain of it, rounded up to a usual one."""
    assert figures.matches == matches
    assert figures.turn(max(matches, 1)) == (turn and turn * MILLISECOND)


def test_a_machine_is_unfit_only_for_what_is_asked() -> None:
    """Nothing is asked of it by default, and what it can do it may do."""
    assert unfit(HOPELESS, turn=None, matches=None) == []
    assert unfit(GOOD, turn=40 * MILLISECOND, matches=4) == []
    assert unfit(SLOW, turn=SECOND, matches=1) == []


@pytest.mark.parametrize(
    ("figures", "turn", "matches", "sentence"),
    [
        (
            SLOW,
            None,
            2,
            "with 2 matches lines are 6 ms late (p99), more than the grace of 5 ms: play at most 1 at once here",
        ),
        (
            CROWDED,
            None,
            4,
            "with 4 matches a bot keeps 50% of its speed, less than 80%: play at most 2 at once here",
        ),
        (SLOW, None, 4, "fewer than 4 matches are too many already: play at most 1 at once here"),
        (CROWDED, None, 100, "fewer than 100 matches are too many already: play at most 2 at once here"),
        (
            HOPELESS,
            None,
            1,
            "with 1 match lines are 900 ms late (p99), more than the grace of 5 ms: use a quieter machine",
        ),
        (
            GOOD,
            39 * MILLISECOND,
            None,
            "of a turn of 39 ms 2 ms are uncertain (5%, at most 5% may be): use 50 ms or more",
        ),
        (
            HOPELESS,
            SECOND,
            None,
            "of a turn of 1 s 901 ms are uncertain (90%, at most 5% may be): use another machine",
        ),
    ],
)
def test_why_a_machine_is_unfit_is_one_sentence(
    figures: Figures, turn: int | None, matches: int | None, sentence: str
) -> None:
    """It says what was found, what may be, and what to do."""
    assert unfit(figures, turn=turn, matches=matches) == [sentence]


def test_a_turn_is_as_uncertain_as_with_any_smaller_number_of_matches() -> None:
    """A lucky figure for more matches does not hide a bad one for fewer."""
    assert SLOW.uncertain(1) == 2 * MILLISECOND
    assert SLOW.uncertain(4) == 7 * MILLISECOND


@pytest.mark.parametrize(
    ("cores", "asked", "tried"),
    [
        (1, None, [1]),
        (2, 4, [1, 2, 4]),
        (6, None, [1, 2, 4, 6]),
        (64, 3, [1, 2, 3, 4, 8, 64]),
        (2, 200, [1, 2, 8]),
    ],
)
def test_what_is_asked_for_is_tried_among_other_numbers_of_matches(
    cores: int, asked: int | None, tried: list[int]
) -> None:
    """But never so many that the answer is known before."""
    assert numbers(cores, asked) == tried


def test_what_is_drawn_says_what_is_safe(capsys: pytest.CaptureFixture[str]) -> None:
    """Figures, matches, turns, protection, and the conclusion at the end."""
    means = [Means("bubblewrap", available=False, text="bwrap is not installed")]
    show(CROWDED, means, unfit(CROWDED, turn=None, matches=4), turn=None, matches=4)
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert any(line.startswith("message there and back") and "600 µs" in line for line in lines)
    assert [line.split()[-1] for line in lines if line.strip().startswith(("1 ", "2 ", "4 "))][:3] == [
        "yes",
        "yes",
        "no",
    ]
    assert any(line.split() == ["bubblewrap", "no", "bwrap", "is", "not", "installed"] for line in lines)
    assert lines[-2] == "safe here and now: 2 at once, turns of 50 ms or more"
    assert lines[-1].startswith("unfit: with 4 matches a bot keeps 50%")


def test_the_conclusion_repeats_what_was_asked() -> None:
    """A machine that is fit is told so for what was asked, and for nothing else."""
    assert conclusion(GOOD, [], turn=None, matches=None) == [
        "safe here and now: 4 at once, turns of 50 ms or more"
    ]
    fit = conclusion(GOOD, [], turn=100 * MILLISECOND, matches=2)[-1]
    assert fit == "[green]fit[/] for turns of 100 ms and 2 matches at once"
    assert conclusion(HOPELESS, ["so"], turn=None, matches=1) == [
        "no match is safe here and now",
        "[red]unfit[/]: so",
    ]
    assert data(HOPELESS, [], [], turn=None, matches=None)["safe_turn_ms"] is None


async def test_a_real_run_measures_everything_and_leaves_nothing_behind(tmp_path: Path) -> None:
    """No machine sends a message there and back in a twentieth of a millisecond, so it is unfit for turns of 1 ms."""
    result = await shotclock("doctor", "--turn", "1ms", "--matches", "1", "--json", folder=tmp_path)
    assert (result.code, result.err) == (1, "")
    told = json.loads(result.out)
    for name in ("timer", "round_trip", "freeze", "thaw"):
        assert 0 < told[name]["median_ms"] <= told[name]["p99_ms"] <= told[name]["worst_ms"]
        assert told[name]["samples"] >= 20
    assert (told["levels"][0]["matches"], told["levels"][0]["speed"]) == (1, 1.0)
    assert (told["asked"], told["fit"]) == ({"turn_ms": 1.0, "matches": 1}, False)
    assert "of a turn of 1 ms" in told["flaws"][-1]
    assert {"cgroup freezer", "bubblewrap", "namespaces", "cores to pin"} <= {
        one["name"] for one in told["protection"]
    }
    assert leftovers(tmp_path) == []


async def test_a_run_that_is_cancelled_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C while everything is under way: processes, files and control groups go."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    others, crowded = descendants(os.getpid()), asyncio.Event()
    started: set[int] = set()

    def say(what: str) -> None:
        if what == "2 matches at once":
            started.update(descendants(os.getpid()) - others)
            crowded.set()

    task = asyncio.create_task(measure(matches=2, say=say))
    async with asyncio.timeout(PATIENCE):
        await crowded.wait()
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()
        assert len(started) >= 2, "the echo and the first process in place of a bot"
        await all_ended(started)
    assert leftovers(tmp_path) == []
    group = cgroup("freezer")
    assert group is None or not list(group.glob(f"shotclock-doctor-{os.getpid()}"))


async def test_a_process_in_place_of_a_bot_ends_with_the_doctor(tmp_path: Path) -> None:
    """Or one that was killed would leave a core busy for ever."""
    counter = tmp_path / "counter"
    counter.write_bytes(bytes(8))
    doctor = (
        "import os, subprocess, sys; "
        "print(subprocess.Popen([sys.executable, sys.argv[1], str(os.getpid()), sys.argv[2]]).pid)"
    )
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", doctor, spinner.__file__, str(counter)), stdout=asyncio.subprocess.PIPE
    )
    async with asyncio.timeout(PATIENCE):
        said, _ = await process.communicate()
        await ended(int(said))


@pytest.mark.parametrize("means", ["whatever is allowed", "signals"])
async def test_a_frozen_process_does_nothing_until_it_is_thawed(means: str, tmp_path: Path) -> None:
    """By a control group where that is allowed, and by signals everywhere."""
    async with asyncio.timeout(PATIENCE), spinning(tmp_path) as bot:
        with freezer(bot) as best:
            used = by_signal(bot) if means == "signals" else best
            until(used.freeze, used.is_frozen)
            assert used.is_frozen()
            done = bot.work
            for _ in range(300_000):
                pass
            assert bot.work == done
            until(used.thaw, lambda: bot.work > done)
            assert bot.work > done


def test_a_wrong_duration_is_told_before_anything_is_measured() -> None:
    """One sentence, like everywhere."""
    with pytest.raises(Mistake, match="'soon' is not a duration"):
        doctor(turn="soon")


def test_protection_is_told_as_it_is(tmp_path: Path) -> None:
    """Cores as taskset takes them, programs by what they do, groups as this process sees them."""
    assert spans([0, 1, 2, 5, 7, 8]) == "0-2, 5, 7-8"
    assert program("box", "no-such-program") == Means(
        "box", available=False, text="no-such-program is not installed"
    )
    assert program("box", "true").available
    refused = program("box", "sh", "-c", "echo no way >&2; exit 1")
    assert (refused.available, refused.text.endswith("is not allowed: no way")) == (False, True)
    (tmp_path / "a" / "b").mkdir(parents=True)
    assert below(tmp_path, "/", "/a/b") == tmp_path / "a/b"
    assert below(tmp_path, "/a", "/a/b") == tmp_path
    assert below(tmp_path, "/pod", "/pod/a") == tmp_path / "a"
    assert below(tmp_path, "/pod/1", "/") == tmp_path
