"""What can be wrong with what somebody typed.

Mistake                    a user must act: the text is one sentence that says what, where and what to do
├── BadText                a text that is no position, move or board of its game
├── IllegalMove            a move the rules refuse in this position
└── Unknown                a name that nothing answers to
"""

from collections.abc import Iterable


class Mistake(ValueError):  # noqa: N818 - a person's mistake, not an error of ours
    """The one kind of exception a command turns into a sentence and exit code 2."""


class BadText(Mistake):
    """No position, move or board of its game."""


class IllegalMove(Mistake):
    """Refused by the rules; the text is the reason."""


class Unknown(Mistake):
    """Nothing answers to this name."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        super().__init__(f"unknown {kind} {excerpt(name)}: choose from {', '.join(sorted(known)) or 'none'}")


def excerpt(text: str) -> str:
    """What somebody typed, quoted and cut short, for the sentence that says what is wrong with it."""
    quoted = ascii(text[:40])
    return quoted if len(text) <= 40 and len(quoted) <= 42 else f"{quoted[:36]}...'"
