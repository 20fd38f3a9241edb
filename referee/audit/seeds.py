"""Seeds made of seeds, as docs/record.md has it."""

from hashlib import blake2b


def derived(*parts: int | str) -> int:
    """A seed made of other seeds, numbers and words."""
    text = "/".join(map(str, parts))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest()) >> 1
