"""What is wrong with a record."""

import json
from typing import Any

Data = dict[str, Any]

#: Longer values are cut short in a sentence.
SHOWN = 100


class Flaw(Exception):  # noqa: N818 - of a record, not of a program
    """One entry cannot be as it is; the text says why."""


def insist(holds: bool, otherwise: str) -> None:  # noqa: FBT001 - reads as a sentence
    if not holds:
        raise Flaw(otherwise)


def insist_same(what: str, found: object, due: object) -> None:
    if found != due:
        raise Flaw(f"{what} is {shown(found)}, but must be {shown(due)}")


def shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"
