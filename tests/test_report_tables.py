"""What a report counts, by value."""

from dataclasses import replace
from pathlib import Path

import pytest

from games import Mistake
from referee.reporting import words
from referee.reporting.results import Results, read_results
from referee.reporting.tables import (
    effort,
    encounters,
    endings,
    first_seat,
    longest_thinks,
    ordered,
    seatings,
    sequential_tests,
    standings,
    timing,
    troubles,
    views,
)
from referee.statistics.pair import Pair
from referee.statistics.rating import rate
from referee.tournament.ledger import LEDGER, Charter, Fault, Game, Side
from referee.tournament.pairs import pairs_of_games
from tests.tournaments import BOARDS, TURNS, charter, drawn_games, folder_of


def game(bots: str, winner: int | None, *, place: int = 0, cell: int = 0) -> Game:
    """`bots` by seat, `place` counts the games of a meeting from 0."""
    sides = [
        Side(bot, score=0, turns=4, thought_ms=200.0, longest_ms=80.0, nodes=400, depth=2.0)
        for bot in bots.split()
    ]
    return Game(
        match=f"{cell}-{place}",
        cell=cell,
        round=1,
        meeting=0,
        pair=place // 2,
        number=place % 2 + 1,
        sides=(sides[0], sides[1]),
        winner=winner,
        void=False,
        reason="finished",
        text="",
        faults=(),
        tainted=0,
        difference_ms=0.5,
        bound_ms=2.0,
        seconds=1.0,
    )


def results(games: list[Game], agreed: Charter | None = None) -> Results:
    return Results(Path("folder"), agreed or charter(["a", "b"]), tuple(games))


def test_two_games_with_the_seats_swapped_are_a_pair() -> None:
    """Points are those of the bot that began the first of them."""
    pairs = pairs_of_games([game("a b", 1), game("b a", 1, place=1), game("a b", None, place=2)])
    assert pairs == [Pair("a", "b", (1.0, 0.0)), Pair("a", "b", (0.5,))]


def test_the_second_game_of_a_pair_alone_keeps_its_seats() -> None:
    """Where the first is void, whoever had seat 1 in the second is the first of the pair."""
    void = replace(game("a b", None), void=True)
    assert pairs_of_games([void, game("b a", 1, place=1)]) == [Pair("b", "a", (1.0,))]


def test_a_forfeit_is_a_loss_of_who_forfeited() -> None:
    """And a fault is counted where it happened."""
    crashed = replace(game("a b", 2), reason="crashed", faults=(Fault(1, 3, "raised", "KeyError"),))
    found = results([crashed, game("b a", 2, place=1)])
    rows = {row.bot: row for row in standings(found, rate(pairs_of_games(found.games)))}
    assert (rows["a"].forfeits, rows["a"].faults, rows["b"].forfeits) == (1, 1, 0)
    assert (rows["a"].result.wins, rows["a"].result.losses, rows["a"].result.score) == (1, 1, 0.5)


def test_a_void_game_counts_for_nothing() -> None:
    """Neither in the standings nor in the crosstable."""
    void = replace(game("a b", 1), void=True)
    found = results([void, game("b a", 2, place=1)])
    row = standings(found, rate(pairs_of_games(found.games)))[0]
    assert (row.bot, row.result.games, row.result.wins) == ("a", 1, 1)
    assert [(one.bot, one.result.games) for one in encounters(found, ["a", "b"])] == [("a", 1), ("b", 1)]


def test_the_best_bot_stands_first_and_an_unbeaten_one_has_a_bound() -> None:
    """Ratings without a likeliest value say so."""
    found = results([game("b a", 2), game("a b", 1, place=1)])
    first, second = standings(found, rate(pairs_of_games(found.games)))
    assert (first.rank, first.bot, first.bound) == (1, "a", "at least")
    assert words.rating(second).startswith("at most ")


def test_bots_that_never_met_have_no_score_against_each_other() -> None:
    """And no probability to be better."""
    found = results([game("a b", 1)], charter(["a", "b", "c"]))
    row = next(row for row in encounters(found, ["a", "b", "c"]) if (row.bot, row.rival) == ("a", "c"))
    assert (row.result.score, row.result.low, row.better) == (None, None, None)


def test_a_view_takes_the_other_axes_together() -> None:
    """Over one axis of two there are as many games as in all its cells."""
    agreed = charter(["a", "b"], axes={"board": BOARDS[:2], "turn": TURNS[:2]})
    games = [game("a b", 1 if cell < 2 else 2, cell=cell) for cell in range(4)]
    rows = views(results(games, agreed), ["board"])
    assert [(row.setting["board"], row.bot, row.result.games, row.result.score) for row in rows] == [
        ("easy-2x2", "a", 2, 1.0),
        ("easy-2x2", "b", 2, 0.0),
        ("easy-3x3", "a", 2, 0.0),
        ("easy-3x3", "b", 2, 1.0),
    ]


def test_a_cell_without_a_game_has_a_row_without_a_score() -> None:
    """An unfinished sweep keeps its shape."""
    agreed = charter(["a", "b"], axes={"turn": TURNS[:2]})
    rows = views(results([game("a b", 1)], agreed), ["turn"])
    assert [row.result.score for row in rows] == [1.0, 0.0, None, None]


def test_depth_is_weighted_by_turns_and_nodes_are_per_turn() -> None:
    """A bot that tells nothing has no value instead of 0."""
    first = Side("a", 0, turns=3, thought_ms=30.0, longest_ms=20.0, nodes=300, depth=2.0)
    second = Side("a", 0, turns=1, thought_ms=50.0, longest_ms=50.0, nodes=100, depth=6.0)
    found = effort([first, second])
    assert (found.depth, found.nodes_a_turn, found.thought_ms_a_game, found.longest_ms) == (3, 100, 40, 50)
    quiet = effort([replace(first, nodes=0, depth=None)])
    assert (quiet.depth, quiet.nodes_a_turn) == (None, None)


def test_endings_tell_a_forfeit_from_a_loss() -> None:
    """On both sides."""
    games = [game("a b", 1), replace(game("b a", 2, place=1), reason="no_move")]
    counts = {(row.bot, row.kind): row.games for row in endings(results(games))}
    assert counts == {("a", "won"): 1, ("a", "won by forfeit"): 1, ("b", "lost"): 1, ("b", "no_move"): 1}


def test_a_seat_is_counted_for_itself() -> None:
    """Of each bot, and of whoever begins."""
    found = results([game("a b", 1), game("b a", 1, place=1)])
    assert [(row.bot, row.seat, row.result.score) for row in seatings(found)] == [
        ("a", 1, 1.0),
        ("a", 2, 0.0),
        ("b", 1, 1.0),
        ("b", 2, 0.0),
    ]
    assert first_seat(found).wins == 2


def test_every_fault_becomes_a_sentence() -> None:
    """One for what lost games, one for what did not; the fault behind a loss is not told twice."""
    raised = Fault(2, 3, "raised", "IndexError: 9")
    games = [
        replace(game("a b", 1), reason="crashed", text="player 2 crashed", faults=(raised,)),
        replace(game("b a", 1, place=1), faults=(Fault(2, 1, "raised", "KeyError: 7"),)),
    ]
    assert words.wrong(troubles(results(games))) == [
        "a went on after a fault, 1 time in 1 game: its code raised an error. “KeyError: 7”",
        "b crashed and left no move and lost 1 game by that. “player 2 crashed”",
    ]


def test_timing_is_summed_up_over_the_games() -> None:
    """A game without a certificate is counted as such."""
    games = [
        replace(game("a b", 1), difference_ms=0.1, tainted=2),
        replace(game("b a", 1, place=1), difference_ms=None),
    ]
    found = timing(results(games))
    assert (found.certified, found.uncertified, found.median_ms, found.within) == (1, 1, 0.1, 1)
    assert (found.tainted_turns, found.tainted_games) == (2, 1)


def test_a_think_beyond_turn_and_grace_is_over() -> None:
    """The limit is that of the cell."""
    agreed = charter(["a", "b"], axes={"turn": ("50ms", "100ms")})
    rows = longest_thinks(results([game("a b", 1), game("a b", 1, cell=1)], agreed))
    assert [(row.limit_ms, row.longest_ms, row.over) for row in rows if row.bot == "a"] == [
        (55, 80, 1),
        (105, 80, 0),
    ]


def test_a_test_counts_pairs_in_their_own_order() -> None:
    """Whichever ended first."""
    agreed = charter(["a", "b"], form="sprt", sprt={"elo0": 0, "elo1": 50, "alpha": 0.05, "beta": 0.05})
    games = [game("a b", 1), game("b a", 2, place=1), game("a b", 2, place=2), game("b a", 1, place=3)]
    (forward,) = sequential_tests(results(games, agreed))
    (backward,) = sequential_tests(results(games[::-1], agreed))
    assert forward == backward
    assert len(forward.ratios) == 3
    assert forward.ratios[1] > 0 > forward.ratios[2] - forward.ratios[1]
    assert forward.decision == "go on"


def test_values_are_ordered_by_size_where_they_have_one() -> None:
    """Durations and numbers; names keep their order."""
    assert ordered(["1s", "50ms", "200ms"]) == ["50ms", "200ms", "1s"]
    assert ordered(["10", "9"]) == ["9", "10"]
    assert ordered(["hard", "easy"]) == ["hard", "easy"]


def test_ratings_rank_as_the_strengths_that_games_were_drawn_by(tmp_path: Path) -> None:
    """Over many games, whatever the settings."""
    bots = ["a", "b", "c", "d"]
    agreed = charter(bots, axes={"board": BOARDS, "turn": TURNS}, games=8)
    found = read_results(folder_of(tmp_path, agreed, drawn_games(agreed)))
    assert [row.bot for row in standings(found, rate(pairs_of_games(found.games)))] == bots


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"cell": 7}, "has no cell 7"),
        ({"winner": 3}, "a seat is 1 or 2"),
        ({"seconds": float("nan")}, "no number"),
        ({"tainted": "many"}, "no number"),
        ({"reason": None}, "a text is missing"),
    ],
)
def test_a_ledger_that_cannot_be_is_told_by_line(
    change: dict[str, object], sentence: str, tmp_path: Path
) -> None:
    """What can be read as JSON need not make sense."""
    games = [game("a b", 1), replace(game("b a", 1, place=1), **change)]  # type: ignore[arg-type] # on purpose
    folder_of(tmp_path, charter(["a", "b"]), games)
    with pytest.raises(Mistake, match=f"line 2 is damaged: .*{sentence}"):
        read_results(tmp_path)


def test_a_bot_that_the_charter_does_not_know_is_told(tmp_path: Path) -> None:
    """Two tournaments were mixed."""
    folder_of(tmp_path, charter(["a", "b"]), [game("a x", 1)])
    with pytest.raises(Mistake, match=f"{LEDGER}, line 1 is damaged: .* has no bot 'x'"):
        read_results(tmp_path)
