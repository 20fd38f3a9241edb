"""`shotclock replay`: step through a match, or give one of its turns to a bot again."""

import asyncio
import os
import select
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from games import Mistake
from referee.match import Match
from referee.record import Recorded, read_record, restore
from referee.rerun import rerun
from referee.screen import Screen, compare, turn_lines, verdict_line
from referee.series import Played

HELP = "→ or space: next   ←: back   0-9 then Enter: to that turn   a: autoplay   Home, End   q: quit"
KEYS = {
    "\x1b[C": "next",
    " ": "next",
    "n": "next",
    "\x1b[D": "back",
    "p": "back",
    "\x1b[H": "first",
    "\x1b[1~": "first",
    "\x1b[F": "last",
    "\x1b[4~": "last",
    "a": "auto",
    "q": "quit",
    "\x04": "quit",
}


def replay(
    file: Annotated[Path, typer.Argument(help="The record of a match.")],
    *,
    turn: Annotated[int | None, typer.Option(min=1, help="Begin at this turn.")] = None,
    bot: Annotated[
        str, typer.Option(help="Give that turn to this bot: same position, same clock, same seed.")
    ] = "",
    every: Annotated[float, typer.Option(min=0.05, max=60, help="Seconds per turn of autoplay.")] = 1.0,
) -> None:
    """Step through a match with the thinking of each turn; without a terminal, print it all."""
    recorded = read_record(file)
    match = restore(recorded)
    played = Played(match, recorded.entrants, 0.0, file)
    if turn is not None and turn > len(match.reports):
        raise Mistake(f"{file} has {len(match.reports)} turns, there is no turn {turn}")
    if bot:
        if turn is None:
            raise Mistake("say which turn the bot is to play: --turn N")
        again(recorded, match, turn, bot)
    elif sys.stdin.isatty() and sys.stdout.isatty():
        Stepper(match, played, at=turn or 0, every=every).run()
    else:
        screen = Screen()
        screen.head(match, played.names)
        screen.write("\n")
        for number in range(turn or 0, len(match.reports) + 1):
            screen.write("\n".join(page(match, played, number, colour=False)) + "\n\n")


def again(recorded: Recorded, match: Match, turn: int, bot: str) -> None:
    then = match.reports[turn - 1]
    now = asyncio.run(rerun(recorded, match, turn, bot))
    screen = Screen()
    screen.write(f"{then.before.draw(colour=screen.live)}\n\n")
    name = recorded.entrants[then.seat - 1].name
    screen.console.print(compare(then, now, names=(f"then: {name}", f"now: {bot}")))


def page(match: Match, played: Played, number: int, *, colour: bool) -> list[str]:
    """The board after turn `number` and how it came to be; 0 is the start."""
    lines = match.position_at(number).draw(colour=colour).splitlines()
    if number:
        lines += ["", *turn_lines(match.reports[number - 1], played.names)]
    if number == len(match.reports) and match.verdict is not None:
        lines += ["", verdict_line(played)]
    return lines


class Stepper:
    """One page at a time on a terminal, `at` turns into the match."""

    def __init__(self, match: Match, played: Played, *, at: int, every: float) -> None:
        self.match = match
        self.played = played
        self.at = at
        self.every = every
        self.auto = False
        self.number = ""

    def run(self) -> None:
        with one_key_at_a_time():
            while True:
                self.draw()
                key = read_key(self.every if self.auto else None)
                if key is None:
                    self.move(1)
                elif KEYS.get(key) == "quit":
                    return
                else:
                    self.press(key)

    def press(self, key: str) -> None:
        self.auto = False
        last = len(self.match.reports)
        if key.isascii() and key.isdigit():
            self.number = (self.number + key)[-6:]
            return
        number, self.number = self.number, ""
        match KEYS.get(key, key):
            case "next":
                self.move(1)
            case "back":
                self.move(-1)
            case "first":
                self.at = 0
            case "last":
                self.at = last
            case "auto":
                self.auto = self.at < last
            case "\n" | "\r" if number:
                self.at = min(int(number), last)
            case _:
                pass

    def move(self, by: int) -> None:
        last = len(self.match.reports)
        self.at = min(max(self.at + by, 0), last)
        if self.at == last:
            self.auto = False

    def draw(self) -> None:
        where = f"turn {self.at} of {len(self.match.reports)}" + (
            f"   go to {self.number}" if self.number else ""
        )
        lines = [*page(self.match, self.played, self.at, colour=True), "", where, HELP]
        sys.stdout.write("\x1b[2J\x1b[H" + "\n".join(lines) + "\n")
        sys.stdout.flush()


@contextmanager
def one_key_at_a_time() -> Iterator[None]:
    before = termios.tcgetattr(sys.stdin)
    tty.setcbreak(sys.stdin)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def read_key(within: float | None) -> str | None:
    """A key, with its whole escape sequence; None if the time has passed, "q" when the terminal is gone."""
    ready, _, _ = select.select([sys.stdin], [], [], within)
    if not ready:
        return None
    key = os.read(sys.stdin.fileno(), 1).decode(errors="replace")
    if key == "\x1b":
        while select.select([sys.stdin], [], [], 0.02)[0]:
            key += os.read(sys.stdin.fileno(), 1).decode(errors="replace")
            if key[-1].isalpha() or key[-1] == "~":
                break
    return key or "q"
