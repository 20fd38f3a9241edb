"""What a bot that spins off-turn gets of a core while its rival thinks for long, and whether it is there afterwards."""

import argparse
import asyncio
import os
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table as Grid

from bench.figures import HERE, WIDTH, ms, quieten, table
from games import Ruling
from referee.timing import SECOND, parse_duration

#: Of a core.
GOAL = 0.01


async def measure(seconds: float) -> tuple[float, float, list[int]]:
    """The share of a core, for how long it was measured, and how long each turn of the frozen bot took."""
    bots = (f"{HERE / 'ponderers.py'}:Ponderer", f"{HERE / 'ponderers.py'}:Thinker,seconds={seconds}")
    async with table(bots) as board:
        playing = asyncio.ensure_future(
            board.play(turn=round((seconds + 10) * SECOND), ruling=Ruling.REPLACED)
        )
        await asyncio.sleep(min(2.0, seconds / 2))  # its first turn is over
        began, before = time.monotonic(), used()
        await asyncio.sleep(seconds - min(2.0, seconds / 2) - 0.5)
        took, spent = time.monotonic() - began, used() - before
        reports = await playing
    return spent / took, took, [report.ended - report.sent for report in reports if report.seat == 1]


def used() -> float:
    """Seconds on a core of the workers of the bot that spins, and of what they have started."""
    stats: dict[int, list[str]] = {}
    launchers = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            stats[int(stat.parent.name)] = stat.read_text().rpartition(") ")[2].split()
            command = stat.with_name("cmdline").read_bytes()
        except OSError:  # it has ended
            continue
        if b"server.launcher" in command and b":Ponderer" in command:
            launchers.add(int(stat.parent.name))
    # A worker is a fork of its launcher and looks like one; the launcher itself is the child of a host.
    launchers = {pid for pid in launchers if pid in stats and int(stats[pid][1]) not in launchers}
    below = set(launchers)
    while more := {pid for pid, fields in stats.items() if int(fields[1]) in below} - below:
        below |= more
    ticks = sum(int(stats[pid][11]) + int(stats[pid][12]) for pid in below - launchers)
    return ticks / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rival", default="90s", help="how long the rival thinks in its first turn")
    arguments = parser.parse_args()
    quieten()
    seconds = parse_duration(arguments.rival) / SECOND
    share, took, turns = asyncio.run(measure(seconds))
    grid = Grid("a bot that spins off-turn", "", "goal", title=f"its rival thinks for {arguments.rival}")
    met = "[green]met[/]" if share < GOAL else f"[red]missed by {share - GOAL:.2%}[/]"
    grid.add_row(f"of a core, over {took:.0f} s", f"{share:.3%}", f"under {GOAL:.0%}, {met}")
    grid.add_row("turns that it answered after that", str(len(turns) - 1), "")
    grid.add_row("the longest of them, ms", ms(max(turns[1:])), "")
    Console(width=WIDTH).print(grid)


if __name__ == "__main__":
    main()
