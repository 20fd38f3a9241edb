"""The referee's own lag with real processes: a stall of its loop costs nobody anything."""

import asyncio
from dataclasses import replace
from pathlib import Path
from threading import Event as Flag

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from games import find_game
from referee import driver
from referee.audit.audit import State, audit_file
from referee.driver import Watcher
from referee.events import Effect, Event, MatchOver, SetLine, Terms, TurnTainted
from referee.fairness import certify
from referee.match import Match
from referee.pings import PINGS
from referee.record import Series
from referee.recorder import Archive
from referee.screen import fairness_line
from referee.seeds import derive
from referee.series import Announce, Fixture, Played, play_series
from referee.timing import MILLISECOND, SECOND, TimeControl
from referee.verdict import Reason
from shotclock.v1 import bot_pb2 as pb
from tests.hosting import hosted, write_bot
from tests.playing import PATIENCE, play, verdict_of
from tests.rogue_servers import Context, Hears, Honest, Says, listening

#: Proposes every few milliseconds until it is stopped, and says which process it is.
RESTLESS = """
moves = position.legal_moves()
while True:
    yield Proposal(moves[-1], note=str(os.getpid()))
    time.sleep(0.004)
"""
STALL = 120 * MILLISECOND
TURN = 200 * MILLISECOND
#: With so much grace only the stall that is meant is one.
CLOCK = TimeControl(TURN, 40 * MILLISECOND)


def stalling(turn: int, *, before: int, match_id: str = "m-1", seen: Watcher | None = None) -> Announce:
    """The loop of the referee does nothing for 120 ms, from so long before the line of that turn."""
    stalled = False

    def announce(match: Match, _names: tuple[str, str]) -> Watcher:
        def watch(event: Event | Effect) -> None:
            nonlocal stalled
            here = match.terms.match_id == match_id and not stalled
            if here and isinstance(event, SetLine) and event.turn == turn:
                stalled = True
                loop = asyncio.get_running_loop()
                loop.call_at((event.at - before) / SECOND, Flag().wait, STALL / SECOND)
            if seen is not None:
                seen(event)

        return watch

    return announce


async def test_a_stall_across_the_line_has_the_turn_played_again_by_a_fresh_worker(tmp_path: Path) -> None:
    """Nobody is blamed, the record says so and is true, and the match goes on to its end."""
    bot = write_bot(tmp_path, RESTLESS)
    played = await play(bot, "greedy", folder=tmp_path, time=CLOCK, announce=stalling(1, before=STALL // 2))
    match = played.match
    assert verdict_of(played).reason is Reason.FINISHED
    assert [(report.turn, report.seat) for report in match.tainted] == [(1, 1)]
    spoilt, again = match.tainted[0], match.reports[0]
    assert (again.turn, again.seat, again.before) == (1, 1, spoilt.before)
    assert again.move
    first, second = ({heard.proposal.note for heard in report.heard} for report in (spoilt, again))
    assert len(first) == len(second) == 1
    assert first != second  # the processes
    assert match.faults == []


async def test_the_same_stall_in_mid_turn_changes_nothing(tmp_path: Path) -> None:
    """What the bot said meanwhile is read later, and in time; the worker stays."""
    bot = write_bot(tmp_path, RESTLESS)
    played = await play(
        bot, "greedy", folder=tmp_path, time=CLOCK, announce=stalling(1, before=STALL + TURN // 4)
    )
    match = played.match
    assert verdict_of(played).reason is Reason.FINISHED
    assert [report for report in match.tainted if report.turn == 1] == []
    first, third = ({heard.proposal.note for heard in match.reports[turn].heard} for turn in (0, 2))
    assert first == third


async def test_a_pair_of_games_that_cannot_be_played_on_is_played_again(tmp_path: Path) -> None:
    """A bot that cannot begin a second time makes the game void; both games of the pair are replayed."""
    barred = tmp_path / "barred"
    bot = write_bot(
        tmp_path, RESTLESS, init=f"def __init__(self):\n    assert not os.path.exists({str(barred)!r})"
    )

    def bar(event: Event | Effect) -> None:
        if isinstance(event, TurnTainted):
            barred.touch()
        elif isinstance(event, MatchOver):
            barred.unlink(missing_ok=True)

    # In the second game the bot has the second turn.
    announce = stalling(2, before=STALL // 2, match_id="s-2", seen=bar)
    played = await series(bot, "greedy", folder=tmp_path, announce=announce)
    reasons = [(one.match.terms.match_id, verdict_of(one).reason) for one in played]
    assert reasons == [
        ("s-1", Reason.FINISHED),
        ("s-2", Reason.TAINTED),
        ("s-1", Reason.FINISHED),
        ("s-2", Reason.FINISHED),
    ]
    assert verdict_of(played[1]).void
    assert "could not be played again: seat 2 raised" in verdict_of(played[1]).text
    found = sorted(path.name for path in (tmp_path / "records").iterdir())
    assert found == ["s-1.match", "s-1.void-1", "s-2.match", "s-2.void-1"]
    results = [audit_file(tmp_path / "records" / name) for name in found]
    assert [(result.state, result.flaw) for result in results] == [(State.OK, "")] * 4


async def series(*bots: str, folder: Path, announce: Announce) -> list[Played]:
    """Two games, in this process."""
    game = find_game("sudoku")
    terms = Terms(
        match_id="s-1",
        game=game.name,
        variant=game.variants[0],
        options={"board": "easy-2x2"},
        seed=derive(5, "pair", 0),
        time=CLOCK,
        ruling=game.ruling,
    )
    plan = Series("s", 2, 5, (bots[0], bots[1]))
    fixtures = [Fixture(terms, 0, plan), Fixture(replace(terms, match_id="s-2"), 1, plan)]
    played: list[Played] = []
    (folder / "records").mkdir()
    archive = Archive(folder / "records", Ed25519PrivateKey.generate())
    async with asyncio.timeout(PATIENCE):
        await play_series(
            game, (bots[0], bots[1]), fixtures, announce=announce, archive=archive, finished=played.append
        )
    return played


async def test_round_trips_are_measured_and_a_far_bot_gets_its_credit(tmp_path: Path) -> None:
    """Pings before the first turn; a bot of the old contract is not asked and gets none."""
    time = replace(CLOCK, latency_credit=True)
    async with hosted("greedy", tmp_path, "--listen", "127.0.0.1:0") as host, listening(Honest()) as old:
        played = await play(f"grpc://{host.address}", old, folder=tmp_path, time=time)
    match = played.match
    assert (len(match.trips[1]), match.trips[2]) == (PINGS, ())
    assert 0 < min(match.trips[1]) < PATIENCE * SECOND
    given = {report.seat: report.credit for report in match.reports}
    assert given == {1: min(*match.trips[1], TURN // 100), 2: 0}


async def test_a_bot_that_answers_no_pings_holds_nobody_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says it would and does not: the match begins without its round trip, and there is no certificate."""
    monkeypatch.setattr(driver, "PING_WITHIN", 0.02)

    class Mute(Honest):
        async def __call__(self, requests: Hears, context: Context) -> Says:
            async for said in super().__call__(requests, context):
                if isinstance(said, pb.ToReferee) and said.HasField("hello"):
                    said.hello.protocol.minor = 1
                yield said

    async with listening(Mute()) as mute:
        played = await play(mute, "greedy", folder=tmp_path)
    assert verdict_of(played).reason is Reason.FINISHED
    assert (played.match.trips[1], len(played.match.trips[2])) == ((), PINGS)
    assert certify(played.match.trips, played.match.reports).bound is None
    assert "seat 1 answered no pings" in fairness_line(certify(played.match.trips, played.match.reports))
