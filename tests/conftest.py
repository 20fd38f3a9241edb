"""What several test files need around their tests."""

import secrets
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.playing import all_ended, leftovers


@pytest.fixture
async def nothing_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """Afterwards no process of the test is there, wherever it has gone, and no socket or temporary folder."""
    mark = f"SURVIVOR_OF={secrets.token_hex(8)}"
    monkeypatch.setenv(*mark.split("="))
    yield
    await all_ended(bearers(mark))
    assert leftovers(tmp_path) == []
    assert [path for path in tmp_path.rglob("*") if path.is_socket()] == []


def bearers(mark: str) -> set[int]:
    """The processes that have inherited this setting; no fork, session or new parent takes it away."""
    found = set()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (process / "environ").read_bytes():
                found.add(int(process.name))
        except OSError:  # it has ended, or is not ours
            continue
    return found
