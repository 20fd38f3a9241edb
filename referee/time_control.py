"""A time control as people ask for it: by options, by the table [time] of a TOML file, or by the rules of a game."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from games import Clock, Mistake
from referee.timing import SECOND, TimeControl, parse_duration
from referee.toml import line_of, read_toml

#: What passes on the clock, where processor time counts, before a bot that sleeps is stopped.
CAP = 10
MOST_NODES = 10**15


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing that was asked for; `where` is the option, or the key with its file, for whoever made a mistake."""

    value: object
    where: str


#: By key of the table [time].
Asked = Mapping[str, Setting]


@dataclass(frozen=True, slots=True)
class Range:
    shortest: int
    longest: int | None


def duration(text: object) -> int:
    if not isinstance(text, str):
        raise Mistake(f"{text!r:.40} is not a duration: write a number and a unit, such as '200ms'")
    return parse_duration(text)


def turn_length(text: object) -> Range:
    if not isinstance(text, str) or ".." not in text:
        return Range(duration(text), None)
    shortest, _, longest = text.partition("..")
    found = Range(parse_duration(shortest), parse_duration(longest))
    if found.shortest >= (found.longest or 0):
        raise Mistake(f"{text[:40]!r} is no range: write the shorter length first, such as 200ms..800ms")
    return found


def truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise Mistake(f"{value!r:.40} is neither true nor false")
    return value


def number(most: int) -> Callable[[object], int]:
    def parse(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
            raise Mistake(f"{value!r:.40} is no whole number from 1 to {most}")
        return value

    return parse


#: Every key of the table [time], and how its value is read.
KEYS: Mapping[str, Callable[[object], Any]] = {
    "turn": turn_length,
    "first": duration,
    "budget": duration,
    "increment": duration,
    "grace": duration,
    "hidden": truth,
    "cpu": truth,
    "cap": number(1000),
    "full_turns": truth,
    "nodes": number(MOST_NODES),
    "latency_credit": truth,
    "clock": truth,
}
#: What there is none of without a clock.
TIMED = ("turn", "first", "budget", "increment", "hidden", "cpu", "cap", "full_turns", "latency_credit")


def from_options(**options: object) -> dict[str, Setting]:
    """By key; what was not given is None or empty."""
    spelled = {"first": "--first-turn", "clock": "--no-clock"}
    return {
        key: Setting(value, spelled.get(key) or f"--{key.replace('_', '-')}")
        for key, value in options.items()
        if value not in (None, "")
    }


def from_file(path: Path) -> dict[str, Setting]:
    """The table [time]; other tables are somebody else's."""
    text, tables = read_toml(path, what="time control")
    table = tables.get("time")
    if not isinstance(table, dict):
        raise Mistake(f"{path} has no table [time]: write one with keys such as turn = '500ms'")
    return {
        key: Setting(value, f"{path}{line_of(key, text, table='time')}: {key}")
        for key, value in table.items()
    }


def combined(file: Asked, options: Asked) -> Asked:
    """Options go before what a file says; no clock goes before whatever it says about one."""
    if "clock" in options:
        file = {key: setting for key, setting in file.items() if key not in TIMED}
    return {**file, **options}


def time_control(clock: Clock, asked: Asked) -> TimeControl:
    """What was asked for; the game's own clock where none was."""
    values = {key: read(key, setting) for key, setting in asked.items()}
    check_together(asked, values)
    turn: Range | None = values.get("turn")
    first, budget = values.get("first"), values.get("budget")
    if turn is None and budget is None and values.get("clock", True):
        own = [
            None if time is None else round(time * SECOND) for time in (clock.turn, clock.first, clock.budget)
        ]
        turn = None if own[0] is None else Range(own[0], None)
        first, budget = own[1], own[2]
    cpu = values.get("cpu", False)
    control = TimeControl(
        turn=turn.shortest if turn else None,
        first=first,
        budget=budget,
        increment=values.get("increment", 0),
        hidden=values.get("hidden", False),
        longest=turn.longest if turn else None,
        cpu=cpu,
        cap=values.get("cap", CAP) if cpu else 1,
        full_turns=values.get("full_turns", False),
        nodes=values.get("nodes"),
        latency_credit=values.get("latency_credit", False),
        **({"grace": values["grace"]} if "grace" in values else {}),
    )
    check_control(asked, control)
    return control


def read(key: str, setting: Setting) -> Any:  # noqa: ANN401 - each key has its own type
    if key not in KEYS:
        raise Mistake(f"{setting.where} is no key of [time]: there are {', '.join(KEYS)}")
    try:
        return KEYS[key](setting.value)
    except Mistake as mistake:
        raise Mistake(f"{setting.where}: {mistake}") from None


def check_together(asked: Asked, values: Mapping[str, Any]) -> None:
    """What cannot be asked for together, or alone."""
    on = {key: setting.where for key, setting in asked.items() if values[key] is not False}
    timed = [on[key] for key in TIMED if key in on]
    if values.get("clock") is False and timed:
        raise Mistake(f"{timed[0]} and {asked['clock'].where} contradict each other: give one of them")
    if "first" in on and "turn" not in on and "budget" not in on:
        raise Mistake(f"{on['first']} needs a time per turn or a budget for the turns after it")
    if "cap" in on and "cpu" not in on:
        raise Mistake(f"{on['cap']} is for CPU time: give it with cpu, or leave it out")
    if "turn" in on and values["turn"].longest is not None and "hidden" not in on:
        raise Mistake(
            f"{on['turn']} is a range to draw from, which is for hidden lengths: give hidden as well"
        )


def check_control(asked: Asked, control: TimeControl) -> None:
    """What does not go with the clock, which may be the game's own."""
    where = {key: asked[key].where if key in asked else key for key in KEYS}
    if control.increment and control.budget is None:
        raise Mistake(f"{where['increment']} needs a budget to be added to")
    if control.budget is None:
        return
    if control.hidden:
        raise Mistake(
            f"{where['hidden']} does not go with a budget, which a bot must know to share it out: give a time"
            " per turn instead"
        )
    if control.full_turns:
        raise Mistake(
            f"{where['full_turns']} does not go with a budget, which the first turn would use up: give a time"
            " per turn instead"
        )
