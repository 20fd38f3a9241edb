"""The form of every kind of entry: its keys, in order, and what may stand there."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from games import Ruling
from referee.audit.flaw import Data, Flaw, insist, shown


@dataclass(frozen=True, slots=True)
class Value:
    """What a single value may be, in words and as a test."""

    words: str
    fits: Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class OrNull:
    form: Any


#: A value, null, the keys of an object (those with a question mark may be absent), or a list of one kind of item.
Form = Value | OrNull | dict[str, Any] | list[Any]


def is_whole(value: object) -> bool:
    return type(value) is int and value >= 0


def written(words: str, pattern: str) -> Value:
    return Value(words, lambda value: type(value) is str and re.fullmatch(pattern, value) is not None)


def one_of(*values: int | str) -> Value:
    words = ", ".join(map(shown, values))
    return Value(words, lambda value: any(type(value) is type(one) and value == one for one in values))


def pair_of(form: Value) -> Value:
    return Value(
        f"a list of two, each {form.words}",
        lambda value: type(value) is list and len(value) == 2 and all(map(form.fits, value)),
    )


TEXT = Value("a text", lambda value: type(value) is str)
TEXTS = Value("a list of texts", lambda value: type(value) is list and all(map(TEXT.fits, value)))
SETTINGS = Value(
    "an object of texts", lambda value: type(value) is dict and all(map(TEXT.fits, value.values()))
)
WHOLE = Value("a whole number from 0", is_whole)
WHOLES = Value(
    "a list of whole numbers from 0", lambda value: type(value) is list and all(map(is_whole, value))
)
COUNT = Value("a whole number from 1", lambda value: is_whole(value) and value > 0)
INTEGER = Value("a whole number", lambda value: type(value) is int)
NUMBER = Value("a number", lambda value: type(value) in {int, float})
TRUTH = Value("true or false", lambda value: type(value) is bool)
ALWAYS = Value("true", lambda value: value is True)
SEAT = one_of(1, 2)
HASH = written("64 hex digits in lower case", "[0-9a-f]{64}")
SIGNATURE = written("128 hex digits in lower case", "[0-9a-f]{128}")
MOMENT = written(
    "a moment like 2026-11-18T09:30:00.000+00:00",
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}\+00:00",
)

CUSTODY: Form = {
    "memory": OrNull(COUNT),
    "memory_by": TEXT,
    "processes": OrNull(COUNT),
    "processes_by": TEXT,
    "off_turn": one_of("frozen", "not frozen", "allowed"),
    "frozen_by": TEXT,
    "cores": OrNull([WHOLE]),
}
BOT: Form = {
    "seat": SEAT,
    "bot": TEXT,
    "name": TEXT,
    "version": TEXT,
    "author": TEXT,
    "custody": CUSTODY,
}
PROPOSAL: Form = {
    "at": WHOLE,
    "move?": TEXT,
    "score?": NUMBER,
    "depth?": INTEGER,
    "nodes?": INTEGER,
    "line?": TEXTS,
    "note?": TEXT,
    "refused": TEXT,
}
RECEIPT: dict[str, Any] = {
    "turn": COUNT,
    "seat": SEAT,
    "position": TEXT,
    "sent": WHOLE,
    "handed": OrNull(WHOLE),
    "thinking": OrNull(WHOLE),
    "credit": WHOLE,
    "spent": OrNull(WHOLE),
    "line": OrNull(WHOLE),
    "done": OrNull(WHOLE),
    "ended": WHOLE,
    "ending": one_of("done", "line", "late", "fault"),
    "heard": [PROPOSAL],
}
SIDE: Form = {"trip": OrNull(WHOLE), "credit": WHOLE, "lag": WHOLE, "worst": WHOLE}
KINDS: dict[str, dict[str, Any]] = {
    "begin": {
        "format": one_of(2),
        "shotclock": TEXT,
        "match": TEXT,
        "series": OrNull({"id": TEXT, "games": COUNT, "seed": INTEGER, "bots": pair_of(TEXT)}),
        "game": TEXT,
        "variant": TEXT,
        "options": SETTINGS,
        "seed": INTEGER,
        "time": {
            "turn": OrNull(WHOLE),
            "longest": OrNull(WHOLE),
            "promise": OrNull(HASH),
            "hidden": TRUTH,
            "first": OrNull(WHOLE),
            "budget": OrNull(WHOLE),
            "increment": WHOLE,
            "grace": WHOLE,
            "cpu": TRUTH,
            "cap": COUNT,
            "full_turns": TRUTH,
            "nodes": OrNull(COUNT),
            "latency_credit": TRUTH,
        },
        "ruling": one_of(*(ruling.value for ruling in Ruling)),
        "newest": COUNT,
        "messages": COUNT,
        "ready_within": WHOLE,
        "memory": OrNull(COUNT),
        "processes": COUNT,
        "ponder": TRUTH,
        "cores": [WHOLE],
        "bots": [BOT],
        "position": TEXT,
        "began": MOMENT,
        "key": HASH,
    },
    "resume": {"turn": COUNT, "cores": [WHOLE], "bots": [BOT], "began": MOMENT, "key": HASH},
    "turn": {
        **RECEIPT,
        "move": OrNull(TEXT),
        "effect": TEXT,
        "replaced": TRUTH,
        "after": OrNull(TEXT),
        "cpu": OrNull(WHOLE),
        "budget": OrNull(WHOLE),
        "more?": ALWAYS,
    },
    "trips": {
        "trips": pair_of(WHOLES),
        "more": ALWAYS,
    },
    "tainted": RECEIPT,
    "fault": {
        "fault": one_of("died", "raised", "killed", "over_memory", "over_processes"),
        "seat": SEAT,
        "turn": WHOLE,
        "text": TEXT,
        "at": WHOLE,
        "more": ALWAYS,
    },
    "verdict": {
        "winner": OrNull(SEAT),
        "reason": TEXT,
        "text": TEXT,
        "scores": pair_of(INTEGER),
        "void": TRUTH,
        "position": TEXT,
        "revealed": OrNull(HASH),
        "fairness": {"seats": [SIDE], "difference": OrNull(WHOLE), "bound": OrNull(WHOLE)},
        "ended": MOMENT,
        "more": ALWAYS,
    },
    "seal": {"key": HASH, "signature": SIGNATURE},
}


def check_form(data: Data) -> None:
    kind = data.get("kind")
    if type(kind) is not str or kind not in KINDS:
        raise Flaw(f"there is no kind {shown(kind)} of entry")
    check(data, {"seq": WHOLE, "prev": HASH, "kind": TEXT, **KINDS[kind]}, kind)


def check(value: Any, form: Form, name: str) -> None:  # noqa: ANN401 - anything can stand in JSON
    match form:
        case Value():
            insist(form.fits(value), f"{name} is {shown(value)}, but must be {form.words}")
        case OrNull():
            if value is not None:
                check(value, form.form, name)
        case list():
            insist(type(value) is list, f"{name} is {shown(value)}, but must be a list")
            for number, item in enumerate(value, 1):
                check(item, form[0], f"{name} {number}")
        case dict():
            insist(type(value) is dict, f"{name} is {shown(value)}, but must be an object")
            check_keys(value, form, name)


def check_keys(value: Data, form: dict[str, Any], name: str) -> None:
    known = {key.removesuffix("?"): form[key] for key in form}
    due = [key for key in known if key in value or key in form]
    for key in value:
        insist(key in known, f"{name} has a key {shown(key)}, which is not known")
    for key in due:
        insist(key in value, f"{name} has no key {shown(key)}")
    insist(list(value) == due, f"the keys of {name} are not in their order: {', '.join(due)}")
    for key, item in value.items():
        check(item, known[key], key)
