"""How a tournament goes, while it is played: a table and a bar on a terminal, else a line now and then."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table

from referee.cli import forget_output
from referee.statistics.score import pair_interval, tally
from referee.tournament.ledger import Game
from referee.tournament.pairs import pairs_of_games
from referee.tournament.run import Run

#: Seconds between two lines of a log.
LINE_EVERY = 10.0
#: Of a table on a terminal, and of the faults below it.
MOST_BOTS = 20
MOST_FAULTS = 5


class Unminded(Console):
    """Whoever read our output may leave: the games go on, and their results are in the folder."""

    def on_broken_pipe(self) -> None:
        self.quiet = True
        forget_output()


class Progress:
    def __init__(self, console: Console, bots: Sequence[str], games: Sequence[Game]) -> None:
        """`games` were played before."""
        self._console = console
        self._bots = bots
        self._began = time.monotonic()
        self._before = len(games) // 2
        self._next_line = 0.0
        self._faults = len(faults_of(games))
        self._live: Live | None = None

    @contextmanager
    def shown(self) -> Iterator[None]:
        if not self._console.is_terminal:
            yield
            return
        with Live(console=self._console, auto_refresh=False, transient=True) as self._live:
            yield

    def seen(self, run: Run) -> None:
        if self._live is not None:
            self._live.update(self._picture(run), refresh=True)
            return
        faults = faults_of(run.games)
        for line in faults[self._faults :]:
            self._say(line)
        self._faults = len(faults)
        now = time.monotonic()
        if now >= self._next_line or run.schedule.over:
            self._next_line = now + LINE_EVERY
            self._say(self.line(run))

    def stopping(self, run: Run) -> None:
        if running := 2 * len(run.running):
            self._say(
                f"stopping: up to {running} running games are finished first; Ctrl-C once more stops now"
            )

    def _say(self, text: str) -> None:
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)

    def line(self, run: Run) -> str:
        schedule = run.schedule
        done, known = 2 * schedule.played, 2 * schedule.known
        return f"{done} of {known} games, {time_left(self._left(run))}, {len(faults_of(run.games))} faults"

    def _left(self, run: Run) -> float | None:
        played = run.schedule.played - self._before
        if not played:
            return None
        return (time.monotonic() - self._began) / played * (run.schedule.known - run.schedule.played)

    def _picture(self, run: Run) -> Group:
        schedule = run.schedule
        bar = ProgressBar(total=max(1, schedule.known), completed=schedule.played, width=60)
        faults = faults_of(run.games)[-MOST_FAULTS:]
        return Group(standings(run.games, self._bots), bar, self.line(run), *faults)


def time_left(seconds: float | None) -> str:
    return "time left not known yet" if seconds is None else f"about {span(seconds)} left"


def span(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def faults_of(games: Sequence[Game]) -> list[str]:
    return [
        f"{game.match}: {game.sides[fault.seat - 1].bot} in turn {fault.turn}: {fault.kind}: {fault.text}"
        for game in games
        for fault in game.faults
    ]


def standings(games: Sequence[Game], bots: Sequence[str]) -> Table:
    """The best first; those without a game at the end."""
    table = Table(title_justify="left")
    table.add_column("bot", overflow="fold")
    for column in ("games", "won-drawn-lost", "score", "95 %", "forfeits"):
        table.add_column(column, justify="right", no_wrap=True)
    pairs = pairs_of_games(games)
    found = [(bot, tally(bot, pairs)) for bot in bots]
    found.sort(key=lambda one: -(one[1].score if one[1].score is not None else -1))
    for bot, one in found[:MOST_BOTS]:
        between = pair_interval(bot, pairs)
        lost = [game for game in games if game.forfeited and loser(game) == bot]
        table.add_row(
            bot,
            str(one.games),
            f"{one.wins}-{one.draws}-{one.losses}",
            "" if one.score is None else f"{one.score:.1%}",
            f"{between.low:.0%} to {between.high:.0%}" if one.games else "",
            str(len(lost)),
        )
    return table


def loser(game: Game) -> str | None:
    return None if game.winner is None else game.sides[2 - game.winner].bot
