"""A move that a bot puts forward, and what it says about it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Proposal:
    """Only the move counts; the rest is shown and recorded as the bot's own words."""

    move: str
    score: float | None = None
    depth: int | None = None
    nodes: int | None = None
    line: tuple[str, ...] = ()
    note: str = ""
