"""How far the turn of a hung bot runs past its line, and how soon that bot is back."""

import argparse
import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from rich.console import Console
from rich.table import Table as Grid

from bench.figures import HERE, INSTANT, SETTLE, WIDTH, median, ms, p99, progress, quieten, table
from games import Ruling
from referee.timing import MILLISECOND, parse_duration
from referee.turn import Ending, TurnReport

KINDS = {
    "Spin": "spins in Python",
    "Sleep": "sleeps in C",
    "Swallow": "swallows the interrupt",
}
#: At p99.
GOAL = 10 * MILLISECOND


@dataclass(slots=True)
class Samples:
    """Nanoseconds, from turns of the hung bot that ended at the line."""

    lag: list[int] = field(default_factory=list)
    next_sent: list[int] = field(default_factory=list)
    #: Of turns after a hung one: how long until the first proposal.
    back: list[int] = field(default_factory=list)
    #: Of those: how many ended without any.
    silent: int = 0

    def take(self, reports: Sequence[TurnReport]) -> None:
        """The hung bot sits at seat 1."""
        for report, following in pairwise(reports):
            if report.seat == 1 and report.ending is Ending.LINE and report.line is not None:
                self.lag.append(report.lag)
                self.next_sent.append(following.sent - report.line)
        for report in [report for report in reports if report.seat == 1][1:]:
            if report.heard:
                self.back.append(report.heard[0].at - report.sent)
            else:
                self.silent += 1


async def measure(kind: str, *, turn: int, turns: int) -> Samples:
    samples = Samples()
    async with table((f"{HERE / 'hangers.py'}:{kind}", INSTANT)) as board:
        while len(samples.lag) < turns:
            await asyncio.sleep(SETTLE)
            # A bot that is killed every turn may have no worker in time: a move is drawn and the match goes on.
            samples.take(await board.play(turn=turn, ruling=Ruling.REPLACED))
            progress(f"{KINDS[kind]}: {len(samples.lag)} of {turns} turns")
    return samples


def figures(taken: Sequence[int]) -> str:
    return f"{ms(median(taken))} / {ms(p99(taken))} / {ms(max(taken))}" if taken else "-"


def show(measured: dict[str, Samples], turn: str) -> None:
    grid = Grid(title=f"turns of {turn}; milliseconds: median / p99 / max")
    columns = (
        "the bot",
        "turns",
        "line to its end",
        "line to next turn sent",
        "goal",
        "back after",
        "silent",
    )
    for column in columns:
        grid.add_column(column)
    for kind, samples in measured.items():
        worst = p99(samples.next_sent)
        missed = f"[red]missed by {ms(worst - GOAL)} ms[/]"
        judged = f"p99 {GOAL // MILLISECOND} ms, {'[green]met[/]' if worst <= GOAL else missed}"
        grid.add_row(
            *(KINDS[kind], str(len(samples.lag)), figures(samples.lag), figures(samples.next_sent), judged),
            *(figures(samples.back), f"{samples.silent} of {samples.silent + len(samples.back)}"),
        )
    Console(width=WIDTH).print(grid)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turn", default="50ms", help="thinking time")
    parser.add_argument("--turns", type=int, default=110, help="at least so many hung turns of each kind")
    parser.add_argument("--kinds", nargs="+", choices=list(KINDS), default=list(KINDS))
    arguments = parser.parse_args()
    quieten()
    turn = parse_duration(arguments.turn)
    measured = {
        kind: asyncio.run(measure(kind, turn=turn, turns=arguments.turns)) for kind in arguments.kinds
    }
    show(measured, arguments.turn)


if __name__ == "__main__":
    main()
