"""Durations, as people write and read them."""

import pytest

from games import Mistake
from referee.timing import format_duration, parse_duration


@pytest.mark.parametrize(
    ("text", "nanoseconds"), [("200ms", 200_000_000), ("1.5s", 1_500_000_000), ("3m", 180_000_000_000)]
)
def test_durations_are_read(text: str, nanoseconds: int) -> None:
    """A number and a unit."""
    assert parse_duration(text) == nanoseconds


@pytest.mark.parametrize(
    "text", ["", "200", "ms", "-1s", "1e3s", "0ms", "٣s", "1 fortnight", "9" * 5000 + "s"]
)
def test_bad_durations_are_refused_with_an_example(text: str) -> None:
    """One sentence that says what to write."""
    with pytest.raises(Mistake, match=r"1\.5s|at least 1ms"):
        parse_duration(text)


def test_durations_are_shown_in_the_unit_that_suits() -> None:
    """Three digits are enough for a person."""
    shown = [
        format_duration(ns) for ns in (0, 905_123, 1_270_000, 200_000_000, 12_345_678_901, 4_000_000_000_000)
    ]
    assert shown == ["0 µs", "905 µs", "1.27 ms", "200 ms", "12.3 s", "4000 s"]
