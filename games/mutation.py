"""Texts that are almost right, as a mistyped move or a damaged record would be."""

import random
import re
from collections.abc import Callable, Sequence

#: What nobody may take for a digit, a space or the end of a line.
ODD = ("\u0663", "\uff13", "\u00b2", "\u00a0", "\u2028", "\u202e", "\x00", "\x1b", "\n", "\r", "\t", "\ud800")
PLAIN = tuple("0123456789-+_.,:;/=|#' abcrxABCRX")
NUMBERS = ("-1", "+1", "00", "01", "1_0", "1e3", "3.0", "10", "99", "1" + 30 * "0", 5000 * "9")

#: Nothing of this is a move of any game, but for what its legal moves say.
GARBAGE = (
    *(
        "",
        " ",
        "\n",
        "\x00",
        "\ud800",
        "0",
        "-1",
        "00",
        "None",
        "pass",
        "resign",
        "a1",
        "A1 ",
        "1,1",
        "r1c1=1",
    ),
    *(
        "\u0663",
        "\U0001f0a1",
        "%s",
        "{0}",
        "../../etc",
        10_000 * "x",
        10_000 * "9",
        10_000 * ",",
        10_000 * "(",
    ),
)


def mutated(text: str, rng: random.Random) -> str:
    """The text after one to three changes; once in a while they cancel each other out."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        text = rng.choice(_CHANGES)(text, rng)
    return text


def _place(text: str, rng: random.Random) -> int:
    return rng.randrange(len(text) + 1)


def _drop(text: str, rng: random.Random) -> str:
    at = _place(text, rng)
    return text[:at] + text[at + 1 :]


def _insert(text: str, rng: random.Random) -> str:
    at = _place(text, rng)
    return text[:at] + _character(text, rng) + text[at:]


def _replace(text: str, rng: random.Random) -> str:
    at = _place(text, rng)
    return text[:at] + _character(text, rng) + text[at + 1 :]


def _character(text: str, rng: random.Random) -> str:
    """Its own ones are the most misleading."""
    return rng.choice(rng.choice((text or "?", PLAIN, ODD)))


def _exchange(text: str, rng: random.Random) -> str:
    at = _place(text, rng)
    return text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :]


def _cut(text: str, rng: random.Random) -> str:
    one, two = sorted((_place(text, rng), _place(text, rng)))
    return rng.choice((text[:one], text[one:], text[:one] + text[two:]))


def _repeat(text: str, rng: random.Random) -> str:
    one, two = sorted((_place(text, rng), _place(text, rng)))
    return text[:two] + text[one:]


def _fields(text: str, rng: random.Random) -> str:
    """Between separators: one is lost, said twice, or stands in another's place."""
    parts: Sequence[str] = re.split("([ ,/:|])", text)
    values = list(parts[::2])
    one, two = rng.randrange(len(values)), rng.randrange(len(values))
    match rng.randrange(3):
        case 0:
            values[one] = ""
        case 1:
            values[one] = values[two]
        case _:
            values[one], values[two] = values[two], values[one]
    return "".join(value + separator for value, separator in zip(values, [*parts[1::2], ""], strict=True))


def _number(text: str, rng: random.Random) -> str:
    found = list(re.finditer("[0-9]+", text))
    if not found:
        return rng.choice(NUMBERS)
    number = rng.choice(found)
    value = int(number[0][:20])
    choices = (str(value + 1), str(value - 1), "0" + number[0], _foreign(number[0]), rng.choice(NUMBERS))
    return text[: number.start()] + rng.choice(choices) + text[number.end() :]


def _foreign(digits: str) -> str:
    """The same number in digits that `int` would read and a rule must not."""
    return "".join(chr(0x0660 + int(digit)) for digit in digits)


def _case(text: str, _rng: random.Random) -> str:
    return text.swapcase()


def _ends(text: str, rng: random.Random) -> str:
    space = rng.choice((" ", "\n", "\t", "\u00a0"))
    return rng.choice((text + space, space + text))


_CHANGES: tuple[Callable[[str, random.Random], str], ...] = (
    *(_drop, _insert, _replace, _exchange, _cut, _repeat, _fields, _fields, _number, _number, _case, _ends),
)
