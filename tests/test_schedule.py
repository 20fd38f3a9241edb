"""The schedule of a tournament, driven by results drawn by lot: no process, no clock."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.seeds import derive
from referee.tournament.command import charter_of
from referee.tournament.ledger import Game, Side
from referee.tournament.outcome import outcomes
from referee.tournament.reader import read_spec
from referee.tournament.schedule import Job, Schedule
from referee.tournament.spec import Spec

FORMATS = {
    "round-robin": "",
    "gauntlet": 'rivals = ["c", "x"]',
    "swiss": "rounds = 3",
    "knockout": "",
    "sprt": "",
}


@pytest.fixture(scope="module", params=FORMATS)
def spec(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Spec:
    bots = ["a", "b"] if request.param == "sprt" else ["a", "b", "c", "d", "e"]
    path: Path = tmp_path_factory.mktemp("spec") / "spec.toml"
    path.write_text(
        f'game = "reversi"\nformat = "{request.param}"\nbots = {bots}\n{FORMATS[request.param]}\n'
        f"games = {60 if request.param == 'sprt' else 4}\n[options]\nopening = [2, 4]\n"
    )
    return read_spec(path, quick=False)


def results(spec: Spec, job: Job) -> list[Game]:
    """By lot, the same for the same pair; the bot that is named first is the strongest."""
    rng = random.Random(derive(job.cell, job.meeting.number, job.pair))
    bots = [spec.bots[bot].name for bot in (job.meeting.first, job.meeting.second)]
    games = []
    for number, names in ((1, bots), (2, bots[::-1])):
        sides = tuple(Side(name, 1, 30, 5.0, 1.0, 10, 2.0) for name in names)
        winner = rng.choice((None, number, number, number, 3 - number))
        games.append(
            Game(
                match=f"x-{job.cell}-{job.meeting.number}-{2 * job.pair + number}",
                cell=job.cell,
                round=job.meeting.round,
                meeting=job.meeting.number,
                pair=job.pair,
                number=number,
                sides=(sides[0], sides[1]),
                winner=winner,
                void=False,
                reason="finished",
                text="",
                faults=(),
                tainted=0,
                difference_ms=None,
                bound_ms=None,
                seconds=1.0,
            )
        )
    return games


def played(spec: Spec, *, at_once: int, seed: int, before: list[Game] | None = None) -> list[Game]:
    """The ledger at the end, with so many pairs under way at a time that end in an order drawn by lot."""
    schedule = Schedule(spec)
    ledger = list(before or [])
    schedule.resume(ledger)
    rng = random.Random(seed)
    running: list[Job] = []
    while True:
        while len(running) < at_once and (job := schedule.next()) is not None:
            running.append(job)
        if not running:
            break
        job = running.pop(rng.randrange(len(running)))
        ledger += schedule.take(job, results(spec, job))
    assert schedule.over
    assert (schedule.played, schedule.known) == (len(ledger) // 2, len(ledger) // 2)
    return ledger


@settings(deadline=None, max_examples=30)
@given(at_once=st.integers(1, 6), seed=st.integers(0, 1000))
def test_the_same_games_are_played_in_any_order(spec: Spec, at_once: int, seed: int) -> None:
    """However many at a time, and whichever ends first: every game once."""
    games = played(spec, at_once=at_once, seed=seed)
    assert len({game.match for game in games}) == len(games)
    assert {game.match for game in games} == {game.match for game in played(spec, at_once=1, seed=0)}


@settings(deadline=None, max_examples=30)
@given(at_once=st.integers(1, 4), seed=st.integers(0, 1000), share=st.floats(0, 1))
def test_a_tournament_goes_on_from_any_ledger(spec: Spec, at_once: int, seed: int, share: float) -> None:
    """Cut anywhere between two pairs: what is missing is played, and nothing else."""
    whole = played(spec, at_once=at_once, seed=seed)
    cut = 2 * round(share * len(whole) / 2)
    rest = played(spec, at_once=at_once, seed=seed + 1, before=whole[:cut])
    assert rest[:cut] == whole[:cut]
    assert sorted(game.match for game in rest) == sorted(game.match for game in whole)


def test_a_cup_has_a_winner_and_a_test_a_decision(spec: Spec) -> None:
    """Told in a sentence for each cell; in other formats the table says it all."""
    games = played(spec, at_once=2, seed=1)
    sentences = outcomes(charter_of(spec, ""), games)
    if spec.format == "knockout":
        assert [sentence.partition(": ")[0] for sentence in sentences] == ["opening 2", "opening 4"]
        for number, sentence in enumerate(sentences):
            winner = sentence.partition(": ")[2].removesuffix(sentence[sentence.index(" wins the cup") :])
            final = max(game.round for game in games if game.cell == number)
            assert winner in {
                side.bot
                for game in games
                if (game.cell, game.round) == (number, final)
                for side in game.sides
            }
        assert "still in the cup: a and b and c and d and e" in outcomes(charter_of(spec, ""), [])[0]
    elif spec.format == "sprt":
        assert all("a is stronger than b by 10 points" in one or "not decided" in one for one in sentences)
        assert f"after {sum(game.cell == 0 for game in games) // 2} pairs" in sentences[0]
    else:
        assert sentences == []


def test_a_test_writes_its_pairs_in_order(tmp_path: Path) -> None:
    """So that which pair ends first does not decide it."""
    path = tmp_path / "spec.toml"
    path.write_text('game = "reversi"\nformat = "sprt"\nbots = ["a", "b"]\ngames = 100\n[sprt]\nelo1 = 100\n')
    spec = read_spec(path, quick=False)
    for seed in range(5):
        games = played(spec, at_once=4, seed=seed)
        assert [game.pair for game in games] == [number // 2 for number in range(len(games))]
        assert len(games) < 100
