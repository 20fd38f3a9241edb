"""How far away a bot is: the round trips of a few pings, off the clock."""

from dataclasses import dataclass, field

#: So many are sent, each when the one before is answered; the least counts.
PINGS = 5
#: Seconds that they may take together: a bot that does not answer holds nobody up for long.
PING_WITHIN = 1.0


@dataclass(slots=True)
class Pings:
    """At most one ping is under way; a pong that was not asked for is none."""

    trips: list[int] = field(default_factory=list)
    #: When the ping under way was sent.
    sent: int | None = None

    @property
    def number(self) -> int:
        """Of the ping under way, or else of the next."""
        return len(self.trips) + 1

    def answered(self, number: int, at: int) -> bool:
        """Whether this pong answers the ping under way."""
        if self.sent is None or number != self.number:
            return False
        self.trips.append(at - self.sent)
        self.sent = None
        return True
