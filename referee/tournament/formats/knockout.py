"""The knockout: who loses a meeting is out."""

from dataclasses import dataclass, field

from referee.tournament.formats.meeting import Meeting, Schedule, Score, check

#: After a drawn meeting, how often one more pair is played until the better seed goes on.
EXTRA = 3


@dataclass(frozen=True, slots=True)
class Knockout:
    """Bots are seeded in the order given: the first two can meet only in the final, and byes go to the first."""

    bots: int
    pairs: int

    def __post_init__(self) -> None:
        check(bots=self.bots, pairs=self.pairs)

    def meetings(self, score: Score, /) -> Schedule:
        """A drawn meeting is followed by another of the same two in the same round, with one pair, as soon as all
        others have been played as often.
        """
        bracket = self.play(score)
        return Schedule(tuple(bracket.meetings), final=len(bracket.line) == 1, byes=tuple(bracket.byes))

    def ranking(self, score: Score) -> tuple[tuple[int, ...], ...]:
        """Who got how far, as groups that share a place: those still in, or the winner, then who went out last, and so
        on. A round counts when it is over.
        """
        bracket = self.play(score)
        return (tuple(sorted(seed for seed in bracket.line if seed < self.bots)), *reversed(bracket.out))

    def play(self, score: Score) -> "Bracket":
        bracket = Bracket(bracket_line(1 << (self.bots - 1).bit_length()))
        while len(bracket.line) > 1:
            meetings = len(bracket.meetings)
            winners = self.play_round(bracket, score)
            if winners is None:
                break
            played = bracket.meetings[meetings:]
            losers = {bot for meeting in played for bot in (meeting.first, meeting.second)} - set(winners)
            bracket.out.append(tuple(sorted(losers)))
            bracket.line = winners
        return bracket

    def play_round(self, bracket: "Bracket", score: Score) -> list[int] | None:
        """The winners, in their places in the bracket; None if there is still something to play."""
        number = len(bracket.out) + 1
        games = [(min(two), max(two)) for two in zip(bracket.line[::2], bracket.line[1::2], strict=True)]
        # The better seed goes on, unless it loses.
        winners = [better for better, _ in games]
        drawn = [place for place, (_, worse) in enumerate(games) if worse < self.bots]
        bracket.byes += [(number, better) for better, worse in games if worse >= self.bots]
        for again in range(1 + EXTRA):
            pairs = 1 if again else self.pairs
            due = [
                Meeting(len(bracket.meetings) + count, number, *games[place], pairs)
                for count, place in enumerate(drawn)
            ]
            bracket.meetings += due
            shares = [score(meeting) for meeting in due]
            if None in shares:
                return None
            for place, meeting, share in zip(drawn, due, shares, strict=True):
                if share is not None and share < 0.5:
                    winners[place] = meeting.second
            drawn = [place for place, share in zip(drawn, shares, strict=True) if share == 0.5]
        return winners


@dataclass(slots=True)
class Bracket:
    """Those still in, each next to its rival, a number beyond the bots being a bye; and how it came to that."""

    line: list[int]
    meetings: list[Meeting] = field(default_factory=list)
    byes: list[tuple[int, int]] = field(default_factory=list)
    #: By round.
    out: list[tuple[int, ...]] = field(default_factory=list)


def bracket_line(size: int) -> list[int]:
    """Seeds in their places: in each round, if the better always win, the first meets the last, and so on."""
    line = [0]
    while len(line) < size:
        line = [place for seed in line for place in (seed, 2 * len(line) - 1 - seed)]
    return line
