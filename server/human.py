"""A person in place of a bot: one match at the prompt of a terminal."""

import asyncio
import shutil
import textwrap
import time
from collections.abc import Sequence

import structlog

from games import Game, Mistake, Position
from server.outbox import Outbox
from server.session import OutOfOrderError
from server.terminal import Terminal
from shotclock.v1 import bot_pb2 as pb

#: Lines of legal moves that help shows.
HELP_LINES = 8

_RESULTS = {pb.RESULT_WIN: "win", pb.RESULT_LOSS: "lose", pb.RESULT_DRAW: "draw"}


class HumanSession:
    """A question is open exactly while a turn is under way; a move is sent only if the rules take it.

    Rules are asked right on the event loop: it serves one person and nobody else's clock.
    """

    def __init__(self, begin: pb.Begin, outbox: Outbox, *, game: Game, terminal: Terminal) -> None:
        self._begin = begin
        self._outbox = outbox
        self._game = game
        self._terminal = terminal
        self._loop = asyncio.get_running_loop()
        self._log = structlog.get_logger().bind(match_id=begin.match, seat=begin.seat)
        self._began = time.monotonic()
        self._position = self._parse(begin.position)
        #: The number of the turn under way, 0 when there is none.
        self._turn = 0
        self._turns = 0
        self._deadline: float | None = None
        #: The own move that was shown but not yet confirmed by the referee.
        self._played = ""
        self._leaving = False
        self._ended = False
        options = "".join(f", {name} {value}" for name, value in begin.options.items())
        terminal.say(f"\nyou are seat {begin.seat} in {game.name} {begin.variant}{options}\n")
        outbox.put(pb.ToReferee(ready=pb.Ready()))

    def receive(self, message: pb.ToBot) -> None:
        kind = message.WhichOneof("message")
        if kind == "begin":
            raise OutOfOrderError("begin came twice: one call is one match")
        if kind == "turn":
            self._take_turn(message.turn)
        elif kind == "stop":
            self._stop(message.stop.turn)
        elif kind == "end":
            self._end(message.end)

    def close(self) -> None:
        """The match is over, or one of the two has left it."""
        self._terminal.drop()
        if not self._ended:
            self._terminal.say("\nthe match was broken off\n")
        self._log.info(
            "match_served",
            game=self._begin.game,
            turns=self._turns,
            duration=round(time.monotonic() - self._began, 3),
        )

    def _take_turn(self, message: pb.Turn) -> None:
        if not message.turn:
            raise OutOfOrderError("a turn came without a number: turns count from 1")
        if self._turn:
            raise OutOfOrderError(
                f"turn {message.turn} came while turn {self._turn} was under way: send stop first"
            )
        self._deadline = None
        if message.HasField("clock"):
            self._deadline = self._loop.time() + message.clock.remaining.ToTimedelta().total_seconds()
        news = self._follow(message.moves, message.position)
        self._turn = message.turn
        self._turns += 1
        self._leaving = False
        self._terminal.drop()  # what was typed for another turn is no answer to this one
        self._terminal.say(f"{news}\n{self._draw()}\nturn {self._turn}: {self._usage()}\n")
        self._ask()

    def _stop(self, number: int) -> None:
        if number == self._turn:
            self._turn = 0
            self._terminal.drop()
            self._terminal.say("\ntime is up: what you were typing is dropped\n")
        elif self._played:
            self._terminal.say(f"{self._played} came too late\n")
            self._played = ""
        self._outbox.put(pb.ToReferee(stopped=pb.Stopped(turn=number)))

    def _end(self, message: pb.End) -> None:
        self._ended = True
        self._terminal.drop()
        before = self._position
        shown = self._follow(message.moves, message.position)
        if self._position is not before:
            shown += f"\n{self._draw()}\n"
        how = _RESULTS.get(message.result)
        verdict = f"you (seat {self._begin.seat}) {how}" if how else "the match does not count"
        self._terminal.say(f"{shown}\n{verdict}: {message.text}\n")

    def _ask(self) -> None:
        left = "" if self._deadline is None else f"{max(0.0, self._deadline - self._loop.time()):.1f} s left"
        self._terminal.ask(f"{left}> ", self._answer)

    def _answer(self, line: str | None) -> None:
        """What the person has typed, None for the end of the input."""
        again, self._leaving = self._leaving, False
        if line is None:
            if self._terminal.has_keyboard and not again:
                self._leaving = True
                self._terminal.say("to resign, type resign or Ctrl-D again\n")
                self._ask()
            else:
                self._resign()
            return
        command, _, rest = line.strip().partition(" ")
        if command == "resign":
            self._resign()
        elif command == "help":
            self._terminal.say(self._help(rest.strip()))
            self._ask()
        elif command:
            self._propose(line.strip())
        else:
            self._ask()

    def _propose(self, move: str) -> None:
        try:
            after = self._position.play(move)
        except Mistake as mistake:
            self._terminal.say(f"{mistake}\n")
            self._ask()
            return
        self._played = after.last
        self._terminal.say(f"you played {_told(after)}\n")
        self._outbox.put(pb.ToReferee(proposal=pb.Proposal(turn=self._turn, move=after.last, done=True)))
        self._turn = 0

    def _resign(self) -> None:
        self._outbox.put(pb.ToReferee(resign=pb.Resign(turn=self._turn)))
        self._turn = 0

    def _help(self, start: str) -> str:
        moves = [move for move in self._position.legal_moves() if move.startswith(start)]
        lines = textwrap.wrap(" ".join(moves), shutil.get_terminal_size().columns - 1, break_on_hyphens=False)
        shown = "".join(f"{line}\n" for line in lines[:HELP_LINES])
        more = len(moves) - len(shown.split())
        if more:
            shown += f"... and {more} more: help {moves[-1][: len(start) + 2]} shows those that begin so\n"
        return f"{self._usage()}\n" + (shown or f"no legal move begins with {start!a}\n")

    def _usage(self) -> str:
        return f"{self._game.notation}; help lists moves, resign gives up"

    def _follow(self, moves: Sequence[str], position: str) -> str:
        """Get to the position that the referee names; what was played since, but for what was shown already."""
        lines = []
        try:
            for move in moves:
                seat, self._position = self._position.seat, self._position.play(move)
                if not (seat == self._begin.seat and move == self._played):
                    who = "you" if seat == self._begin.seat else f"seat {seat}"
                    lines.append(f"{who} played {_told(self._position)}\n")
                self._played = ""
        except Mistake as mistake:
            raise OutOfOrderError(f"a move of the match cannot be played: {mistake}") from mistake
        if str(self._position) != position:
            self._position = self._parse(position)
        return "".join(lines)

    def _parse(self, text: str) -> Position:
        try:
            return self._game.parse(text)
        except Mistake as mistake:
            raise OutOfOrderError(f"the position cannot be read: {mistake}") from mistake

    def _draw(self) -> str:
        return self._position.draw(colour=self._terminal.has_screen)


def _told(position: Position) -> str:
    return f"{position.last}: {position.effect}" if position.effect else position.last
