"""What is to be played next; the same games in any order give the same schedule."""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from referee.plan import Agreement
from referee.seeds import derive
from referee.statistics.pair import Pair
from referee.statistics.sprt import Decision, Sprt, pentanomial
from referee.tournament.formats import Format, Meeting
from referee.tournament.ledger import Game
from referee.tournament.spec import Spec


@dataclass(frozen=True, slots=True)
class Job:
    """A pair of games to be played."""

    cell: int
    meeting: Meeting
    pair: int


class Cell:
    """The meetings of one cell, as far as they are known: later rounds hang on earlier results."""

    def __init__(self, number: int, form: Format, *, test: Sprt | None) -> None:
        self.number = number
        self.final = False
        self.meetings: list[Meeting] = []
        #: By meeting and pair.
        self.played: dict[tuple[int, int], Sequence[Game]] = {}
        self._form = form
        self._test = test
        #: Of a test that is decided: the pairs that decided it.
        self.decided: int | None = None
        self._weighed: list[Pair] = []
        self.jobs: deque[Job] = deque()
        self._look()

    @property
    def over(self) -> bool:
        return self.decided is not None or (self.final and len(self.played) == self.pairs)

    @property
    def pairs(self) -> int:
        """That are known of."""
        return self.decided if self.decided is not None else sum(one.pairs for one in self.meetings)

    def take(self, job: Job, games: Sequence[Game]) -> list[Game]:
        """What may be written down now: of a test, the pairs in their order up to the one that decides it."""
        if self.decided is not None:
            return []
        self.played[job.meeting.number, job.pair] = games
        if self._test is not None:
            return self._weigh(self._test)
        if self._score(job.meeting) is not None:
            self._look()
        return list(games)

    def _score(self, meeting: Meeting) -> float | None:
        games: list[Game] = []
        for pair in range(meeting.pairs):
            if (meeting.number, pair) not in self.played:
                return None
            games += self.played[meeting.number, pair]
        points = [game.first_points for game in games if not game.void]
        return sum(points) / len(points) if points else 0.5

    def _look(self) -> None:
        schedule = self._form.meetings(self._score)
        new = schedule.meetings[len(self.meetings) :]
        self.final = schedule.final
        self.meetings += new
        self.jobs += [Job(self.number, meeting, pair) for meeting in new for pair in range(meeting.pairs)]

    def _weigh(self, test: Sprt) -> list[Game]:
        """The first pairs in order that are enough decide: which pair ends first must not matter."""
        new: list[Game] = []
        while self.decided is None and (0, len(self._weighed)) in self.played:
            games = self.played[0, len(self._weighed)]
            new += games
            points = tuple(game.first_points for game in games if not game.void)
            self._weighed.append(Pair("first", "second", points))
            if test.decide(pentanomial("first", "second", self._weighed)) is not Decision.GO_ON:
                self.decided = len(self._weighed)
                self.jobs.clear()
        return new


class Schedule:
    """Jobs are given out once; pairs come back in any order."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        test = Sprt(**spec.sprt) if spec.format == "sprt" else None
        self.cells = [Cell(number, spec.pairing(), test=test) for number in range(len(spec.cells))]

    def resume(self, games: Iterable[Game]) -> None:
        """What the ledger holds, before any job is given out."""
        pairs: dict[tuple[int, int, int], list[Game]] = {}
        for game in games:
            pairs.setdefault((game.cell, game.meeting, game.pair), []).append(game)
        for cell in self.cells:
            todo = deque(cell.jobs)
            cell.jobs.clear()
            while todo:
                job = todo.popleft()
                done = pairs.get((job.cell, job.meeting.number, job.pair), [])
                if len(done) < 2:
                    cell.jobs.append(job)
                    continue
                later = len(cell.jobs)
                cell.take(job, done)
                # A round that these results have opened.
                todo += [cell.jobs.pop() for _ in range(len(cell.jobs) - later)][::-1]
            if cell.decided is not None:
                cell.jobs.clear()

    def next(self) -> Job | None:
        """The cells take turns, so that a tournament that is stopped has something of everything."""
        waiting = [cell for cell in self.cells if cell.jobs]
        if not waiting:
            return None
        return min(waiting, key=lambda cell: (cell.jobs[0].pair, cell.jobs[0].meeting.round)).jobs.popleft()

    def give_back(self, job: Job) -> None:
        """It was given out and not played."""
        self.cells[job.cell].jobs.appendleft(job)

    def take(self, job: Job, games: Sequence[Game]) -> list[Game]:
        """What of it may be written down now."""
        return self.cells[job.cell].take(job, games)

    @property
    def over(self) -> bool:
        return all(cell.over for cell in self.cells)

    @property
    def known(self) -> int:
        """Pairs that are known to be played, those that have been among them."""
        return sum(cell.pairs for cell in self.cells)

    @property
    def played(self) -> int:
        return sum(min(len(cell.played), cell.pairs) for cell in self.cells)

    def agreement(self, job: Job) -> Agreement:
        spec, meeting = self._spec, job.meeting
        bots = (spec.bots[meeting.first], spec.bots[meeting.second])
        # Two meetings of the same bots, as in a knockout, are other games.
        seed = derive(spec.seed, "meeting", meeting.number) if spec.format == "knockout" else spec.seed
        return spec.cells[job.cell].between(bots, games=2 * meeting.pairs, seed=seed)
