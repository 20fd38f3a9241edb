"""What is on its way to the referee."""

import asyncio
import json
from collections import deque
from collections.abc import Awaitable, Callable

from shotclock.v1 import bot_pb2 as pb

#: The referee reads a bounded number of messages a turn, and honest bots find thousands of moves a second.
PACE = 0.002


class Outbox:
    """Everything goes out in order, but of a turn's proposals only the newest unsent one is kept, and paced."""

    def __init__(self) -> None:
        self.sent = 0
        self.dropped = 0
        self._loop = asyncio.get_running_loop()
        self._messages: deque[pb.ToReferee] = deque()
        self._turn = 0
        self._newest: bytes | None = None
        #: When the next proposal may go.
        self._due = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False
        self._news = asyncio.Event()

    def put(self, message: pb.ToReferee) -> None:
        self._messages.append(message)
        self._news.set()

    def open_turn(self, number: int) -> None:
        """Proposals are for this turn from now on; the first goes at once."""
        self._turn = number
        self._due = 0.0

    def propose(self, proposal: bytes) -> None:
        """Takes a proposal as the worker wrote it, since most of a flood is never read."""
        if self._newest is not None:
            self.dropped += 1
        elif (wait := self._due - self._loop.time()) > 0:
            self._timer = self._loop.call_later(wait, self._news.set)
        else:
            self._news.set()
        self._newest = proposal

    def flush(self, *, done: bool) -> None:
        """The newest unsent proposal goes now; `done` rides on it, or goes alone."""
        message = self._take(done=done)
        if message is None and done:
            message = pb.ToReferee(done=pb.Done(turn=self._turn))
        if message is not None:
            self.put(message)

    def drop(self) -> None:
        """What is unsent at the stop comes too late."""
        if self._newest is not None:
            self._newest = None
            self.dropped += 1

    def close(self) -> None:
        """Let `pump` return once everything is written."""
        self._closed = True
        self._news.set()

    async def pump(self, write: Callable[[pb.ToReferee], Awaitable[None]]) -> None:
        """The one writer of a stream: two writes in flight lose a message."""
        while True:
            self._news.clear()
            if self._messages:
                await write(self._messages.popleft())
            elif self._closed:
                return
            elif self._loop.time() >= self._due and (message := self._take(done=False)) is not None:
                await write(message)
            else:
                await self._news.wait()

    def _take(self, *, done: bool) -> pb.ToReferee | None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._newest is None:
            return None
        words, self._newest = self._newest, None
        try:
            proposal = pb.Proposal(turn=self._turn, done=done, **json.loads(words))
        except (ValueError, TypeError, RecursionError):
            # Our worker writes no such line: the bot has written to its socket itself.
            self.dropped += 1
            return None
        self._due = self._loop.time() + PACE
        self.sent += 1
        return pb.ToReferee(proposal=proposal)
