"""Bots broken off anywhere, as their host does at the line: the next answer is legal, and that of a new bot.

Each bot of a game that takes `nodes` is broken off in its turn at a random moment, then has its caches cleared, and
thinks about the position of its next turn to the end. A bot that was made anew must give the same answer.
"""

import argparse
import inspect
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import entry_points
from itertools import islice
from typing import Any

from rich.console import Console
from rich.table import Table as Grid

from bench.agreement import positions
from bench.alarm import SetAlarm, Stop, alarm
from bench.figures import WIDTH, progress
from bots import Bot, Proposal, Turn
from games import Position, game_names
from games.errors import Mistake

#: Positions of every bot, spread over random games.
PLACES = 8
APART = 7
#: Of every ten moments at least one is before the end of the turn, unless the machine stands still.
TRIES = 10

MakeBot = Callable[..., Bot[Any]]


class Spoilt(AssertionError):  # noqa: N818 - that is what it is
    """An interrupt has changed what a bot answers."""


@dataclass(frozen=True, slots=True)
class Place:
    """A position that a bot is broken off in, that of its next turn, and what a new bot answers there."""

    before: Position
    after: Position
    moves: tuple[str, ...]
    expected: Proposal
    #: How long the first took when nobody broke it off.
    seconds: float


def searchers(game: str) -> dict[str, MakeBot]:
    """The bots of a game whose effort can be told in nodes."""
    found = {}
    for entry in entry_points(group="shotclock.bots"):
        place, _, name = entry.name.rpartition(".")
        if place == game and "nodes" in inspect.signature(bot := entry.load()).parameters:
            found[name] = bot
    return found


def forget(bot: Bot[Any]) -> None:
    """Clear whatever it keeps that can be cleared; a bot that learns in other ways says how to `forget`."""
    if hasattr(bot, "forget"):
        bot.forget()
        return
    for kept in vars(bot).values():
        if hasattr(kept, "clear"):
            kept.clear()


def answer(bot: Bot[Any], position: Position, moves: tuple[str, ...]) -> Proposal:
    """Its last word; every word must be legal."""
    thoughts = bot.think(position, Turn(2, position.seat, random.Random(2), moves))
    assert isinstance(thoughts, Iterator)  # noqa: S101 - none of our searchers answers at once
    legal, proposal = set(position.legal_moves()), None
    for proposal in thoughts:
        move = proposal if isinstance(proposal, str) else proposal.move
        if move not in legal:
            raise Spoilt(f"{move} is illegal in {str(position)!r}")
    if proposal is None:
        raise Spoilt(f"no move in {str(position)!r}")
    return Proposal(proposal) if isinstance(proposal, str) else proposal


def places(game: str, make: MakeBot, nodes: int, count: int = PLACES) -> list[Place]:
    found = []
    for before in islice(positions(game, seed=1), 0, count * APART, APART):
        began = time.perf_counter()
        move = answer(make(nodes=nodes), before, ()).move
        seconds = time.perf_counter() - began
        after, moves = next_turn(before, move)
        found.append(Place(before, after, moves, answer(make(nodes=nodes), after, moves), seconds))
    return found


def next_turn(position: Position, move: str) -> tuple[Position, tuple[str, ...]]:
    """After a bot's own move and the rival's, the first there is; if the game ends first, the same position again."""
    seat, moves, after = position.seat, [move], position.play(move)
    while after.outcome() is None and after.seat != seat:
        moves.append(after.legal_moves()[0])
        after = after.play(moves[-1])
    return (position, ()) if after.outcome() is not None else (after, tuple(moves))


def broken_off(bot: Bot[Any], position: Position, delay: float, set_alarm: SetAlarm) -> bool:
    """Think until the alarm, or to the end if that comes first."""
    try:
        set_alarm(delay)
        answer(bot, position, ())
        set_alarm(0)
    except Stop:
        return True
    return False


def interrupt(make: MakeBot, where: list[Place], times: int, nodes: int, rng: random.Random) -> int:
    """How often one bot was broken off before its turn was over: so many `times`, on a machine that runs."""
    bot, hits = make(nodes=nodes), 0
    with alarm() as set_alarm:
        for _ in range(TRIES * times):
            place = rng.choice(where)
            if broken_off(bot, place.before, rng.uniform(1e-6, place.seconds), set_alarm):
                hits += 1
                forget(bot)
                found = answer(bot, place.after, place.moves)
                if found != place.expected:
                    raise Spoilt(
                        f"{place.expected} became {found} in {str(place.after)!r} after {place.before}"
                    )
            if hits == times:
                break
    return hits


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", metavar="GAME", nargs="*", help="default: every game")
    parser.add_argument("--times", type=int, default=1000, help="interrupts per game, shared by its bots")
    parser.add_argument("--nodes", type=int, default=300, help="of a turn")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    grid = Grid("", "interrupts", "seconds", title="interrupted bots answer as new ones do")
    try:
        for game in arguments.games or game_names():
            bots = searchers(game)
            for name, make in bots.items():
                progress(f"{game} {name}")
                began = time.perf_counter()
                where = places(game, make, arguments.nodes)
                hits = interrupt(make, where, -(-arguments.times // len(bots)), arguments.nodes, rng)
                grid.add_row(f"{game} {name}", f"{hits:,}", f"{time.perf_counter() - began:.1f}")
    except Spoilt as spoilt:
        raise SystemExit(f"{game} {name}: {spoilt}") from None
    except Mistake as mistake:
        parser.error(str(mistake))
    Console(width=WIDTH).print(grid)


if __name__ == "__main__":
    main()
