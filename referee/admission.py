"""How many matches a referee process holds at once: as many as it can be in time for, and not one more."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from games import Mistake

#: Live matches of one process; `bench/load.py` measures how late it is at its lines with so many.
MOST_MATCHES = 200
#: A full collection of garbage looks at everything that all matches hold, for tens of milliseconds, across somebody's
#: line. The interpreter would have one every few seconds, this is one in some minutes; young garbage goes as ever.
COLLECTIONS_APART = 1000
USUAL = gc.get_threshold()


class FullHouse(Mistake):
    """No match was begun, nothing is wrong with the bots."""


class Admission:
    """At most `limit` matches are live; one more is refused, because it would cost all others their punctual clock."""

    def __init__(self, limit: int = MOST_MATCHES) -> None:
        self.limit = limit
        self.live = 0

    @contextmanager
    def admitted(self) -> Iterator[None]:
        """One live match, for as long as the context lasts."""
        if self.live >= self.limit:
            matches = "1 live match" if self.limit == 1 else f"{self.limit} live matches"
            raise FullHouse(
                f"this referee holds {matches}, as many as it can be in time for: "
                "wait until one is over, or start another referee"
            )
        self.live += 1
        gc.set_threshold(*USUAL[:2], COLLECTIONS_APART)
        try:
            yield
        finally:
            self.live -= 1
            if not self.live:
                gc.set_threshold(*USUAL)


#: Of this process.
OURS = Admission()
