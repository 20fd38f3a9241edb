"""Small text files that a user names."""

from pathlib import Path

from games.errors import BadText, excerpt


def read_small(name: str, kind: str, *, largest: int, encoding: str) -> str:
    """The text of a file of at most `largest` bytes; FileNotFoundError is left to the caller to explain."""
    if not name.isprintable() or len(name) > 1000:
        raise BadText(f"a {kind} is a name or a file, not {excerpt(name)}")
    try:
        with Path(name).open("rb") as file:
            data = file.read(largest + 1)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise BadText(f"{kind} file {name} cannot be read: {error.strerror}") from None
    if len(data) > largest:
        raise BadText(f"{kind} file {name} is too large: a {kind} needs at most {largest} bytes")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        raise BadText(f"{kind} file {name} is no plain {encoding} text") from None
