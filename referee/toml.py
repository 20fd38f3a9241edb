"""A TOML file that a user wrote, and where its keys stand, for whoever made a mistake in it."""

import re
import tomllib
from pathlib import Path
from typing import Any

from games import Mistake

#: Bytes.
LARGEST = 256_000


def read_toml(path: Path, *, what: str) -> tuple[str, dict[str, Any]]:
    """Its text and what it says."""
    try:
        with path.open("rb") as file:
            text = file.read(LARGEST + 1).decode()
        table = tomllib.loads(text)
    except OSError as error:
        raise Mistake(f"cannot read the {what} {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise Mistake(f"{path} is no UTF-8 text, so no TOML file") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise Mistake(f"{path} is no TOML file: {str(error)[:200]}") from None
    if len(text) > LARGEST:
        raise Mistake(f"{path} is too large: a {what} needs at most {LARGEST} bytes")
    return text, table


def line_of(key: str, text: str, *, table: str) -> str:
    """Where a key stands, as far as that can be told without reading TOML once more; "" is for what is in no table."""
    start = re.search(rf"^[ \t]*\[[ \t]*{re.escape(table)}[ \t]*\]", text, re.MULTILINE) if table else None
    begin = start.end() if start else 0
    after = re.compile(r"^[ \t]*\[", re.MULTILINE).search(text, begin)
    end = after.start() if after and (start or not table) else len(text)
    name = re.escape(key)
    found = re.compile(rf"^[ \t]*[\"']?{name}[\"']?[ \t]*[=.]", re.MULTILINE).search(text, begin, end)
    if not found and not table:  # it may be a table itself
        found = re.search(rf"^[ \t]*\[+[ \t]*{name}[ \t]*\]", text, re.MULTILINE)
    return f", line {text.count(chr(10), 0, found.start()) + 1}" if found else ""
