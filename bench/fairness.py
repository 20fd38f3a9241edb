"""How equal the time of two identical bots is: usable windows turn by turn, and the certificate of every match.

Both bots propose a move the moment they are asked, and then wait for the line. What the first proposal took, from the
sending of the turn to its arrival, is what the turn lacked: the way there, the start of the bot's code, and the way
back. The usable window is the rest up to the line.
"""

import argparse
import asyncio
import contextlib
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from rich.console import Console
from rich.table import Table as Grid

from bench.figures import HERE, SETTLE, WIDTH, median, ms, p99, progress, quieten, table
from games import Ruling
from referee.fairness import Certificate, certify
from referee.match import Match
from referee.timing import MILLISECOND
from referee.turn import TurnReport

PATIENT = f"{HERE / 'patient.py'}:Patient"
TURN = 50 * MILLISECOND
#: On a quiet machine, in nanoseconds.
MEDIAN_GOAL, P99_GOAL = MILLISECOND // 5, 3 * MILLISECOND
#: Upper ends of the bars of the picture, in microseconds.
BARS = (20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, math.inf)


@dataclass(slots=True)
class Samples:
    """`apart`: how much the windows of two turns in a row differ, in nanoseconds; `measured` is the same of a match."""

    turns: int = 0
    tainted: int = 0
    apart: list[int] = field(default_factory=list)
    certificates: list[Certificate] = field(default_factory=list)
    measured: list[int] = field(default_factory=list)

    def take(self, match: Match) -> None:
        windows = [(report.seat, window(report)) for report in match.reports]
        self.turns += len(windows)
        self.tainted += len(match.tainted)
        self.apart += [abs(one - other) for (_, one), (_, other) in pairwise(windows)]
        self.certificates.append(certify(match.trips, match.reports))
        usual = [median([window for who, window in windows if who == seat]) for seat in (1, 2)]
        self.measured.append(round(abs(usual[0] - usual[1])))


def window(report: TurnReport) -> int:
    """A turn in which nothing was heard in time had none."""
    if report.line is None or not report.heard:
        return 0
    return max(0, report.line - report.heard[0].at)


async def measure(turns: int) -> Samples:
    samples = Samples()
    async with table((PATIENT, PATIENT)) as board:
        while samples.turns < turns:
            await asyncio.sleep(SETTLE)
            samples.take(await board.match(turn=TURN, ruling=Ruling.REPLACED))
            progress(f"{samples.turns} of {turns} turns")
    return samples


@contextlib.contextmanager
def other_matches(number: int) -> Iterator[None]:
    """So many series of searching bots beside us, to the end of the measurement."""
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True))
        environment = {**os.environ, "XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": folder}
        command = [sys.executable, "-P", "-m", "referee", "--log-level", "error", "play", "sudoku"]
        command += [
            "minimax",
            "minimax",
            "--board",
            "empty-3x3",
            "--turn",
            "200ms",
            "--games",
            "10000",
            "--json",
        ]
        for _ in range(number):
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
            stack.callback(process.wait)
            stack.callback(process.terminate)  # no bot outlives its referee
        yield


def show(samples: Samples, *, load: int) -> None:
    grid = Grid("", "samples", "median ms", "p99 ms", "worst ms", "goal")
    goal = "[dim]none: other matches run[/]" if load else verdict(median(samples.apart), p99(samples.apart))
    for name, values, judged in (
        ("windows of two turns in a row differ by", samples.apart, goal),
        ("windows of the bots of a match differ by, measured", samples.measured, ""),
        ("the same as certified", [one.difference or 0 for one in samples.certificates], ""),
        ("the bound of the certificate", [one.bound or 0 for one in samples.certificates], ""),
    ):
        grid.add_row(name, str(len(values)), ms(median(values)), ms(p99(values)), ms(max(values)), judged)
    console = Console(width=WIDTH)
    console.print(grid)
    within = sum(
        one.difference is not None and one.bound is not None and one.difference <= one.bound
        for one in samples.certificates
    )
    covered = sum(
        got <= (one.bound or 0) for got, one in zip(samples.measured, samples.certificates, strict=True)
    )
    matches = len(samples.certificates)
    console.print(f"{samples.turns} turns, {samples.tainted} tainted and played again, {load} other matches")
    console.print(f"certificates within their bound: {within} of {matches}")
    console.print(f"measured differences within the bound of their certificate: {covered} of {matches}")
    for label, count in histogram(samples.apart):
        console.print(f"{label:>18} {count:>6} {'█' * round(60 * count / len(samples.apart))}")


def verdict(middle: float, worst: float) -> str:
    met = middle <= MEDIAN_GOAL and worst <= P99_GOAL
    colour, word = ("green", "met") if met else ("red", "missed")
    return f"[{colour}]{ms(MEDIAN_GOAL)} and {ms(P99_GOAL)}, {word}[/]"


def histogram(values: Sequence[int]) -> list[tuple[str, int]]:
    """How many are up to each bar's end and above the one before."""
    bars, low = [], 0.0
    for high in BARS:
        count = sum(low * 1000 < value <= high * 1000 or (low == 0 and value == 0) for value in values)
        label = f"above {low / 1000:g} ms" if high == math.inf else f"up to {high / 1000:g} ms"
        bars.append((label, count))
        low = high
    return bars


def picture(samples: Samples) -> str:
    """The histogram as SVG."""
    bars = histogram(samples.apart)
    most = max(count for _, count in bars)
    width, step, height = 640, 60, 260
    figures = f"median {ms(median(samples.apart))} ms, p99 {ms(p99(samples.apart))} ms"
    title = f"difference of usable windows, {len(samples.apart)} pairs of turns: {figures}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height + 60}" font-family="sans-serif">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="20" y="24" font-size="14">{title}</text>',
    ]
    for number, (label, count) in enumerate(bars):
        tall = round((height - 60) * count / most)
        left = 20 + number * step
        parts += [
            f'<rect x="{left}" y="{height - tall}" width="{step - 8}" height="{tall}" fill="#3b6ea5"/>',
            f'<text x="{left}" y="{height - tall - 4}" font-size="10">{count}</text>',
            f'<text x="{left}" y="{height + 16}" font-size="10">{label.removeprefix("up to ")}</text>',
        ]
    return "\n".join([*parts, "</svg>", ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0] if __doc__ else "")
    parser.add_argument("--turns", type=int, default=5000, help="of 50 ms, both bots together")
    parser.add_argument(
        "--load", type=int, default=0, metavar="N", help="play so many other matches meanwhile"
    )
    parser.add_argument("--svg", type=Path, help="write the picture here")
    parser.add_argument("--short", action="store_true", help="two matches, to see that it works")
    arguments = parser.parse_args()
    quieten()
    with other_matches(arguments.load):
        samples = asyncio.run(measure(100 if arguments.short else arguments.turns))
    show(samples, load=arguments.load)
    if arguments.svg:
        arguments.svg.write_text(picture(samples))
    # What a certificate says must hold whatever the machine does.
    if any(one.difference is None or one.difference > (one.bound or 0) for one in samples.certificates):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
