"""Reading the text of a position."""

from collections.abc import Sequence

from games.errors import BadText


def fields(text: str, names: Sequence[str], *, longest: int) -> list[str]:
    """The parts between single spaces, as many as there are names; a text that cannot be one is not looked at."""
    if len(text) > longest:
        raise BadText(f"a position has at most {longest} characters, this text has {len(text)}")
    parts = text.split(" ")
    if len(parts) != len(names):
        raise BadText(
            f"a position has {len(names)} fields with one space between them"
            f" ({', '.join(names)}), this text has {len(parts)}"
        )
    return parts
