"""The worker from inside: when an interrupt strikes, and what becomes of what a bot gives."""

import importlib
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from bots import Turn
from bots.bot import Thoughts
from games import Position, Proposal, find_game
from server.interrupt import INTERRUPT, Interrupted, Interrupts
from server.worker import proposal, think


class Switch:
    """What the host would do: `stop` names a turn and signals."""

    def __init__(self) -> None:
        self.line = memoryview(bytearray(8)).cast("Q")
        self.interrupts = Interrupts(self.line)
        self.interrupts.turn = 1

    def stop(self, turn: int) -> None:
        self.line[0] = turn
        signal.raise_signal(INTERRUPT)


@pytest.fixture
def switch() -> Iterator[Switch]:
    before = signal.getsignal(INTERRUPT)
    switch = Switch()
    switch.interrupts.install()
    yield switch
    signal.signal(INTERRUPT, before)


def test_a_stop_raises_inside_the_bots_code(switch: Switch) -> None:
    after = []

    def step() -> None:
        switch.stop(1)
        after.append("reached")

    with pytest.raises(Interrupted):
        switch.interrupts.guard(step)
    assert not after


def test_a_stop_outside_the_bots_code_waits_for_it(switch: Switch) -> None:
    """Nothing is raised in our own code, and the bot's next step does not even start."""
    ran = []
    switch.stop(1)
    with pytest.raises(Interrupted):
        switch.interrupts.guard(lambda: ran.append("step"))
    assert not ran


def test_a_stop_of_an_older_turn_does_nothing(switch: Switch) -> None:
    """It came after `done`, between turns, or late in the next one."""
    switch.stop(1)
    switch.interrupts.turn = 2
    switch.stop(1)
    switch.interrupts.guard(lambda: switch.stop(1))


def test_a_stop_that_is_ahead_of_its_turn_is_not_lost(switch: Switch) -> None:
    """The signal arrives while the line with turn 2 is still unread."""
    switch.stop(2)
    switch.interrupts.turn = 2
    with pytest.raises(Interrupted):
        switch.interrupts.guard(lambda: "never")


def test_a_stop_strikes_once(switch: Switch) -> None:
    """The second signal must not hit the bot's cleaning up."""
    cleaned = []

    def step() -> None:
        try:
            switch.stop(1)
        finally:
            switch.stop(1)
            cleaned.append("up")

    with pytest.raises(Interrupted):
        switch.interrupts.guard(step)
    assert cleaned == ["up"]


def test_a_swallowed_stop_is_noticed_afterwards(switch: Switch) -> None:
    def step() -> str:
        with suppress(BaseException):
            switch.stop(1)
        return "on and on"

    with pytest.raises(Interrupted):
        switch.interrupts.guard(step)


def test_a_stop_during_an_import_waits_for_its_end(
    switch: Switch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or the module would be broken for good."""
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "stops_here.py").write_text(
        "import signal\nsignal.raise_signal(signal.SIGUSR1)\nwhole = True\n"
    )

    def step() -> None:
        switch.line[0] = 1
        importlib.import_module("stops_here")

    with pytest.raises(Interrupted):
        switch.interrupts.guard(step)
    assert vars(sys.modules.pop("stops_here"))["whole"]


class Given:
    """A bot that gives what it was made with."""

    def __init__(self, give: Callable[[], Thoughts]) -> None:
        self.give = give

    def think(self, position: Position, turn: Turn) -> Thoughts:
        del position, turn
        return self.give()


@pytest.mark.parametrize(
    ("give", "lines"),
    [
        (lambda: "a", [b'P{"move":"a"}\nD\n']),
        (lambda: None, [b"D\n"]),
        (lambda: iter(()), [b"D\n"]),
        (
            lambda: iter(["a", Proposal("é", depth=2)]),
            [b'P{"move":"a"}\n', 'P{"move":"é","depth":2}\n'.encode(), b"D\n"],
        ),
    ],
)
def test_what_the_host_is_told(switch: Switch, give: Callable[[], Thoughts], lines: list[bytes]) -> None:
    position = find_game("sudoku").start(variant="classic", seed=1, options={})
    turn = Turn(number=1, seat=1, rng=Random(1))
    assert list(think(Given(give), position, turn, interrupts=switch.interrupts)) == lines


@pytest.mark.parametrize(
    "wrong",
    [
        7,
        None,
        b"a",
        Proposal("a", score=float("inf")),
        Proposal("a", depth=-1),
        Proposal("a", nodes=2**64),
        "\ud800",
    ],
)
def test_what_a_bot_may_not_give(wrong: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        proposal(wrong)
