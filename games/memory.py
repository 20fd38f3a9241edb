"""Amounts of memory, as people write them: megabytes have 10**6 bytes."""

import re

from games.errors import Mistake

UNITS = {"KB": 10**3, "MB": 10**6, "GB": 10**9, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30}


def parse_memory(text: str) -> int | None:
    """Bytes; None for no limit."""
    if text.strip().lower() == "none":
        return None
    found = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,3})?)\s*([KMG]I?B)", text.strip().upper())
    if not found:
        raise Mistake(
            f"{text[:40]!r} is not an amount of memory: write a number and a unit, such as 250MB or 1.5GB, or none"
        )
    size = round(float(found[1]) * UNITS[found[2]])
    if size < UNITS["MB"]:
        raise Mistake(f"{text[:40]!r} is too little: a memory limit is at least 1MB")
    return size
