"""A picture that has been drawn, and where on the page it belongs."""

from dataclasses import dataclass
from enum import Enum


class Section(Enum):
    """The parts of the page that have pictures; the value is the heading."""

    STANDINGS = "Standings"
    RIVALS = "Who beat whom"
    SWEEPS = "What the settings change"
    EFFORT = "What the bots did"
    CURVES = "How answers grow during a turn"
    TIMING = "Timing and fairness"


@dataclass(frozen=True, slots=True)
class Picture:
    name: str
    #: None if the page shows the same as a table, and the picture is for slides.
    section: Section | None
    caption: str
    svg: str
    png: bytes
