"""Who meets whom: legal, complete, and the same whatever was finished first."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import Mistake
from referee.tournament.formats import Format, Gauntlet, Knockout, Meeting, RoundRobin, Schedule, Swiss
from referee.tournament.formats.matching import most_pairs

SEEDS = st.integers(0, 2**32)
FORMATS: st.SearchStrategy[Format] = st.one_of(
    st.builds(RoundRobin, st.integers(2, 13), st.just(2)),
    st.builds(Gauntlet, st.just((0, 1, 2)), st.just((2, 0, 3, 4)), st.just(2)),
    st.integers(2, 13).flatmap(
        lambda bots: st.builds(Swiss, st.just(bots), st.integers(1, bots - 1 + bots % 2), st.just(2))
    ),
    st.builds(Knockout, st.integers(2, 19), st.just(2)),
)


def nothing(_: Meeting) -> float | None:
    return None


def chance(seed: int) -> Callable[[Meeting], float]:
    """The result of each meeting depends on nothing but the meeting."""
    return lambda meeting: Random(f"{seed} {meeting.number}").choice((0, 0.25, 0.5, 0.5, 0.75, 1))


def by_strength(meeting: Meeting) -> float:
    """The lower number always wins."""
    return float(meeting.first < meeting.second)


def course(form: Format, result: Callable[[Meeting], float], seed: int = 0) -> Iterator[Schedule]:
    """The schedule after each result, with those that are due finishing in an order of chance."""
    random = Random(seed)
    done: dict[int, float] = {}
    while True:
        schedule = form.meetings(lambda meeting: done.get(meeting.number))
        yield schedule
        due = [meeting for meeting in schedule.meetings if meeting.number not in done]
        if not due:
            return
        ended = random.choice(due)
        done[ended.number] = result(ended)


def rounds(schedule: Schedule) -> list[list[tuple[int, int]]]:
    last = max(meeting.round for meeting in schedule.meetings)
    return [
        [(one.first, one.second) for one in schedule.meetings if one.round == number]
        for number in range(1, last + 1)
    ]


@settings(deadline=None, max_examples=60)
@given(FORMATS, SEEDS, SEEDS)
def test_a_schedule_only_grows(form: Format, results: int, order: int) -> None:
    """Whatever finishes first, what was known stays, a round waits for the one before, and the end is the same."""
    schedules = list(course(form, chance(results), order))
    for old, new in pairwise(schedules):
        assert new.meetings[: len(old.meetings)] == old.meetings
        assert new.byes[: len(old.byes)] == old.byes
        assert not old.final or new.meetings == old.meetings
    last = schedules[-1]
    assert last.final
    assert last == form.meetings(chance(results)), "all results at once, as after a restart"
    assert [meeting.number for meeting in last.meetings] == list(range(len(last.meetings)))
    assert [meeting.round for meeting in last.meetings] == sorted(meeting.round for meeting in last.meetings)


@settings(deadline=None, max_examples=60)
@given(st.one_of(st.builds(Swiss, st.integers(7, 12), st.integers(2, 6), st.just(2)), FORMATS), SEEDS)
def test_a_round_depends_on_earlier_ones_alone(form: Format, seed: int) -> None:
    """Another result in the last round changes no meeting that was known before it."""
    last = form.meetings(chance(seed)).meetings[-1].round
    changed = form.meetings(lambda one: chance(seed + (one.round == last))(one))
    known = [meeting for meeting in form.meetings(chance(seed)).meetings if meeting.round < last]
    assert list(changed.meetings[: len(known)]) == known


@pytest.mark.parametrize("bots", [2, 3, 4, 7, 10])
def test_a_round_robin_has_everybody_meet(bots: int) -> None:
    """Once each; in a round nobody plays twice, and all play if their number is even."""
    schedule = RoundRobin(bots, 3).meetings(nothing)
    assert schedule.final
    assert {meeting.pairs for meeting in schedule.meetings} == {3}
    assert sorted((one.first, one.second) for one in schedule.meetings) == list(combinations(range(bots), 2))
    assert len(rounds(schedule)) == bots - 1 + bots % 2
    for games in rounds(schedule):
        assert len({bot for game in games for bot in game}) == 2 * len(games) == bots - bots % 2


def test_a_gauntlet_has_each_meet_all_rivals() -> None:
    """But not itself, and nobody twice if it is on both sides."""
    schedule = Gauntlet([0, 1], [2, 3, 4], 1).meetings(nothing)
    assert {(one.first, one.second) for one in schedule.meetings} == {
        (a, b) for a in (0, 1) for b in (2, 3, 4)
    }
    assert all(len({bot for game in games for bot in game}) == 4 for games in rounds(schedule))
    both = Gauntlet([0, 1], [0, 1, 2], 1).meetings(nothing)
    assert sorted(tuple(sorted((one.first, one.second))) for one in both.meetings) == [(0, 1), (0, 2), (1, 2)]


def test_a_swiss_tournament_pairs_equals() -> None:
    """The upper half meets the lower, then winners meet winners; after three rounds one of eight has no loss."""
    first, second, third = rounds(Swiss(8, 3, 1).meetings(by_strength))
    assert first == [(0, 4), (1, 5), (2, 6), (3, 7)]
    assert second == [(0, 2), (1, 3), (4, 6), (5, 7)]
    assert third == [(0, 1), (2, 4), (3, 5), (6, 7)]


def test_the_bye_goes_to_the_lowest_and_counts_as_won() -> None:
    """The last of five sits out first, and meets a winner next; nobody sits out twice."""
    schedule = Swiss(5, 5, 1).meetings(by_strength)
    assert schedule.byes[:2] == ((1, 4), (2, 3))
    assert rounds(schedule)[:2] == [[(0, 2), (1, 3)], [(0, 1), (4, 2)]]
    assert {bot for _, bot in schedule.byes} == {0, 1, 2, 3, 4}


def fewest_repeats(bots: Sequence[int], met: set[frozenset[int]]) -> int:
    """By trying everything."""
    if not bots:
        return 0
    first, *rest = bots
    return min(
        (frozenset({first, rival}) in met) + fewest_repeats([bot for bot in rest if bot != rival], met)
        for rival in rest
    )


@settings(deadline=None, max_examples=60)
@given(st.integers(2, 9), st.data(), SEEDS)
def test_a_swiss_round_is_legal(bots: int, data: st.DataObject, seed: int) -> None:
    """All play or have the bye, nobody has it twice, and there is no rematch more than there must be."""
    number = data.draw(st.integers(1, bots - 1 + bots % 2))
    schedule = Swiss(bots, number, 2).meetings(chance(seed))
    byes = dict(schedule.byes)
    assert len(set(byes.values())) == len(byes) == (number if bots % 2 else 0)
    assert len(rounds(schedule)) == number
    met: set[frozenset[int]] = set()
    had: set[int] = set()
    for count, games in enumerate(rounds(schedule), 1):
        without = {byes[count]} if count in byes else set()
        playing = Counter(bot for game in games for bot in game)
        assert playing == Counter(set(range(bots)) - without)
        pairs = {frozenset(game) for game in games}
        could = set(range(bots)) - had if without else {bots}
        assert len(pairs & met) == min(
            fewest_repeats([bot for bot in range(bots) if bot != bye], met) for bye in could
        )
        met |= pairs
        had |= without


@settings(deadline=None, max_examples=20)
@given(st.integers(4, 30), SEEDS)
def test_half_as_many_rounds_as_bots_need_no_rematch(bots: int, seed: int) -> None:
    """A pairing without one exists as long as everybody may still meet half of the others."""
    schedule = Swiss(bots, bots // 2 - 1, 1).meetings(chance(seed))
    assert len({frozenset({one.first, one.second}) for one in schedule.meetings}) == len(schedule.meetings)


@settings(deadline=None)
@given(st.integers(0, 9), SEEDS, st.floats(0, 1))
def test_as_many_are_paired_as_can_be(bots: int, seed: int, density: float) -> None:
    """As trying everything finds, in graphs of chance; odd cycles included."""
    random = Random(seed)
    edges = {frozenset(edge) for edge in combinations(range(bots), 2) if random.random() < density}
    neighbours = [[other for other in range(bots) if frozenset({bot, other}) in edges] for bot in range(bots)]

    def most(left: Sequence[int]) -> int:
        if not left:
            return 0
        first, *rest = left
        paired = [
            1 + most([bot for bot in rest if bot != other]) for other in neighbours[first] if other in rest
        ]
        return max(most(rest), *paired, 0)

    assert most_pairs(neighbours) == most(range(bots))


def test_a_knockout_is_seeded() -> None:
    """The first of six have byes, the first two meet in the final, and the losers of a round share a place."""
    form = Knockout(6, 2)
    schedule = form.meetings(by_strength)
    assert rounds(schedule) == [[(3, 4), (2, 5)], [(0, 3), (1, 2)], [(0, 1)]]
    assert schedule.byes == ((1, 0), (1, 1))
    assert form.ranking(by_strength) == ((0,), (1,), (2, 3), (4, 5))
    assert form.ranking(nothing) == ((0, 1, 2, 3, 4, 5),)


def test_a_drawn_meeting_is_played_on() -> None:
    """Three more pairs at most, while others wait; then the better seed goes on."""
    form = Knockout(4, 5)
    schedule = form.meetings(lambda meeting: 0.5 if meeting.second == 3 else 0.0)
    assert [(one.round, one.first, one.second, one.pairs) for one in schedule.meetings] == [
        (1, 0, 3, 5),
        (1, 1, 2, 5),
        *[(1, 0, 3, 1)] * 3,
        (2, 0, 2, 5),
    ]
    assert form.ranking(lambda meeting: 0.5 if meeting.second == 3 else 0.0) == ((2,), (0,), (1, 3))
    upset = form.meetings(lambda meeting: 0.5 if meeting.pairs == 5 and meeting.round == 1 else 0.0)
    assert [(one.first, one.second) for one in upset.meetings if one.round == 2] == [(2, 3)]


@settings(deadline=None)
@given(st.integers(2, 40), SEEDS)
def test_a_knockout_has_one_winner(bots: int, seed: int) -> None:
    """After as many rounds as halvings, with one meeting decided for each that goes out, who is seen no more."""
    form = Knockout(bots, 2)
    schedule = form.meetings(chance(seed))
    ranking = form.ranking(chance(seed))
    assert len(ranking[0]) == 1
    assert sorted(bot for group in ranking for bot in group) == list(range(bots))
    assert len(rounds(schedule)) == (bots - 1).bit_length() == len(ranking) - 1
    for number, losers in enumerate(reversed(ranking[1:]), 1):
        assert all(
            meeting.round <= number
            for meeting in schedule.meetings
            if {meeting.first, meeting.second} & {*losers}
        )
    assert len({(one.round, one.first, one.second) for one in schedule.meetings}) == bots - 1
    assert max(Counter((one.round, one.first) for one in schedule.meetings).values()) <= 4
    assert sorted(schedule.byes) == [(1, bot) for bot in range((1 << (bots - 1).bit_length()) - bots)]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: RoundRobin(0, 1), "at least 2 bots, not 0"),
        (lambda: Knockout(1, 1), "at least 2 bots, not 1"),
        (lambda: Gauntlet([0], [0], 1), "at least 2 bots, not 1"),
        (lambda: Gauntlet([0, 1], [], 1), "at least one of each"),
        (lambda: Swiss(1, 1, 1), "at least 2 bots, not 1"),
        (lambda: Swiss(8, 8, 1), "8 bots has 1 to 7 rounds, not 8"),
        (lambda: Swiss(7, 8, 1), "7 bots has 1 to 7 rounds, not 8"),
        (lambda: Swiss(8, 0, 1), "8 bots has 1 to 7 rounds, not 0"),
        (lambda: RoundRobin(4, 0), "at least 1 pair of games, not 0"),
    ],
)
def test_a_wrong_format_is_one_sentence(make: Callable[[], Format], words: str) -> None:
    with pytest.raises(Mistake, match=words):
        make()
