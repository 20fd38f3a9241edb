"""Games lost on time over a slow network: the last proposal in time counts, beside one answer that must not be late.

The bots find moves in the same way and at the same pace. Ours propose each of them; the others keep them until their
own clock says that the turn is over, or a margin before, and give one answer. Delays are round trips, half each way.
"""

import argparse
import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table as Grid

from bench.figures import HERE, SETTLE, WIDTH, progress, quieten
from bench.proxy import Delay, slow_road
from games import Ruling, find_game
from referee.connection import connected
from referee.events import Terms
from referee.launch import end
from referee.match import Match
from referee.play import in_silence
from referee.series import Fixture, Place, play_match
from referee.timing import TimeControl, parse_duration
from referee.verdict import Reason

GAME = "reversi"
RULES = {
    "last proposal in time": "Anytime",
    "one answer": "OneAnswer",
    "one answer, 50 ms early": "OneAnswer,margin=0.05",
}
OURS = "last proposal in time"
DELAYS = (20, 50, 100)
#: Forfeits under our rule.
GOAL = 0


@dataclass(frozen=True, slots=True)
class Road:
    """`delay` is a round trip in milliseconds; one way takes half of it, give or take `jitter`, a share of that."""

    delay: int
    jitter: float
    seed: int

    @property
    def one_way(self) -> Delay:
        return Delay(self.delay / 2000, self.jitter * self.delay / 2000)


@asynccontextmanager
async def hosted(bot: str, *, matches: int) -> AsyncIterator[int]:
    """The port of a host of this bot."""
    command = [sys.executable, "-P", "-m", "referee", "--log-level", "error", "serve"]
    command += [f"{HERE / 'deadline.py'}:{bot}", "--game", GAME, "--matches", str(matches)]
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, start_new_session=True
    )
    try:
        said = (await process.stdout.readline()).decode() if process.stdout else ""
        yield int(said.rpartition(":")[2])
    finally:
        await end(process)


async def play(port: int, road: Road, *, turn: int, games: int) -> list[Match]:
    """So many games at once over the same road, each bot with a connection of its own."""
    async with AsyncExitStack() as stack:
        judges = stack.enter_context(ThreadPoolExecutor(1, thread_name_prefix="judge"))
        slow = await stack.enter_async_context(slow_road(port, road.one_way, seed=road.seed))
        places = [
            Place("bot", await stack.enter_async_context(connected(f"127.0.0.1:{slow}", bot="bot")))
            for _ in range(2 * games)
        ]

        async def one(number: int) -> Match:
            seed = road.seed + number
            terms = Terms(
                f"delay-{seed}", GAME, "standard", {"size": "6"}, seed, TimeControl(turn), Ruling.LOSES
            )
            seats = places[2 * number], places[2 * number + 1]
            played = await play_match(
                find_game(GAME),
                Fixture(terms, home=0),
                seats,
                judges=judges,
                announce=in_silence,
                archive=None,
            )
            return played.match

        return await asyncio.gather(*(one(number) for number in range(games)))


def forfeits(matches: Sequence[Match]) -> int:
    """Whatever else may end a game but its rules is not to be mistaken for lateness."""
    reasons = [match.verdict.reason for match in matches if match.verdict]
    if strange := set(reasons) - {Reason.FINISHED, Reason.NO_MOVE}:
        raise SystemExit(f"games of this bench must not end by {', '.join(strange)}")
    return reasons.count(Reason.NO_MOVE)


async def run(
    delays: Sequence[int], *, turn: int, games: int, jitter: float, seed: int
) -> dict[str, list[str]]:
    rows: dict[str, list[str]] = {}
    for rule, bot in RULES.items():
        async with hosted(bot, matches=2 * games) as port:
            cells = []
            for delay in delays:
                await asyncio.sleep(SETTLE)
                matches = await play(port, Road(delay, jitter, seed), turn=turn, games=games)
                turns = sum(len(match.reports) for match in matches)
                cells.append(f"{forfeits(matches)} of {games} in {turns} turns")
                progress(f"{rule}, {delay} ms: {cells[-1]}")
            rows[rule] = cells
    return rows


def show(rows: dict[str, list[str]], delays: Sequence[int], title: str) -> None:
    grid = Grid("rule", *(f"{delay} ms" for delay in delays), "goal", title=title)
    for rule, cells in rows.items():
        goal = ""
        if rule == OURS:
            lost = sum(int(cell.split()[0]) for cell in cells)
            goal = f"{GOAL}, {'[green]met[/]' if lost <= GOAL else f'[red]missed by {lost - GOAL}[/]'}"
        grid.add_row(rule, *cells, goal)
    Console(width=WIDTH).print(grid)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turn", default="200ms", help="thinking time")
    parser.add_argument(
        "--delays", type=int, nargs="+", default=list(DELAYS), help="round trips in milliseconds"
    )
    parser.add_argument("--jitter", type=float, default=0.1, help="of a delay, as a share of it")
    parser.add_argument("--games", type=int, default=4, help="for each rule and delay")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--short", action="store_true", help="only see that it works")
    asked = parser.parse_args()
    quieten()
    if asked.short:
        asked.delays, asked.games = [50], 1
    turn = parse_duration(asked.turn)
    rows = asyncio.run(run(asked.delays, turn=turn, games=asked.games, jitter=asked.jitter, seed=asked.seed))
    title = f"games forfeited at {asked.turn} a turn, by round trip, {asked.jitter:.0%} jitter"
    show(rows, asked.delays, title)


if __name__ == "__main__":
    main()
