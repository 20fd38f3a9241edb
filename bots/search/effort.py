"""How much a search may do in a turn, counted in nodes and watched on a clock."""

import time
from math import inf, log
from typing import Self

from bots.bot import Turn

#: The turn, in seconds, for which bots say how far they look.
USUAL_TURN = 0.1
#: Nodes between two looks at the clock.
LOOK_EVERY = 128


class Spent(Exception):  # noqa: N818 - nothing went wrong
    """A search has done what it may do; what it has found so far stands."""


def node_limit(turn: Turn, own: int = 0) -> int:
    """The limit of the turn if it has one, else the bot's own; 0 is no limit."""
    return own if turn.nodes is None else turn.nodes


class Effort:
    """Exactly `limit` nodes may be spent (0: any number), and none after `deadline` on `time.monotonic()`.

    The clock is looked at before every `look_every`-th node: less often than the cost of a node allows is late.
    With a limit and no deadline a search goes the same way on every machine. The host stops a bot anyway: a deadline
    is for bots that mean to stop sooner.
    """

    def __init__(
        self, limit: int = 0, deadline: float | None = None, *, look_every: int = LOOK_EVERY
    ) -> None:
        self.nodes = 0
        #: How often the rest of a node's moves was left out.
        self.cuts = 0
        self._look_every = look_every
        self._limit = limit or inf
        self._deadline = inf if deadline is None else deadline
        self._look = 0 if deadline is not None else self._limit

    @classmethod
    def of_turn(cls, turn: Turn, *, turns: int, limit: int = 0) -> Self:
        """No deadline where the host stops the turn; an even share of a budget that must last for so many turns."""
        limit = node_limit(turn, limit)
        if turn.budget is None:
            return cls(limit)
        return cls(limit, time.monotonic() + turn.budget / (turns + 1))

    def spend(self) -> None:
        """One node more, or Spent."""
        if self.nodes >= self._look:
            if self.nodes >= self._limit or time.monotonic() >= self._deadline:
                raise Spent
            self._look = min(self._limit, self.nodes + self._look_every)
        self.nodes += 1


def stretch(turn: Turn, one_more: float) -> int:
    """How much further than in a usual turn one can look, if looking one further takes `one_more` times as long."""
    seconds = turn.remaining
    if seconds is None or turn.budget is not None:
        return 0
    return int(log(max(seconds, 0.001) / USUAL_TURN, one_more))
