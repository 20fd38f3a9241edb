"""How many matches a referee process takes on at once."""

import asyncio
import gc
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from games import Mistake, Ruling, find_game
from referee.admission import COLLECTIONS_APART, Admission, FullHouse
from referee.connection import connected
from referee.events import Terms
from referee.play import in_silence
from referee.series import Fixture, Place, Played, play_match
from referee.timing import TimeControl
from referee.verdict import Reason
from shotclock.v1 import bot_pb2 as pb
from tests.playing import PATIENCE, hello, scripted


def test_one_match_more_than_the_limit_is_refused_until_another_is_over() -> None:
    """The refusal says how many there are and what to do."""
    admission = Admission(2)
    with admission.admitted():
        with admission.admitted():
            with (
                pytest.raises(
                    FullHouse,
                    match="this referee holds 2 live matches, as many as it can be in time for: "
                    "wait until one is over, or start another referee",
                ),
                admission.admitted(),
            ):
                pass
            assert admission.live == 2
        with admission.admitted():
            assert admission.live == 2
    assert admission.live == 0


def test_a_refusal_is_told_like_any_mistake() -> None:
    """A command that cannot begin a match ends with a sentence."""
    assert issubclass(FullHouse, Mistake)


def test_a_match_that_fails_leaves_its_place() -> None:
    """A place is not lost with the match that had it."""
    admission = Admission(1)
    with pytest.raises(RuntimeError, match="broken"), admission.admitted():
        raise RuntimeError("broken")
    with admission.admitted():
        assert admission.live == 1


def test_full_collections_of_garbage_are_rare_while_a_match_is_live() -> None:
    """They would stop the clock of every match; afterwards all is as it was."""
    before, admission = gc.get_threshold(), Admission()
    with admission.admitted():
        with admission.admitted():
            pass
        assert gc.get_threshold() == (*before[:2], COLLECTIONS_APART)
    assert gc.get_threshold() == before


async def test_a_referee_with_a_live_match_refuses_the_next_and_plays_it_later() -> None:
    """Over gRPC: the second match is not begun, the first goes on, and once that is over there is a place again."""
    thinking, resign = asyncio.Event(), asyncio.Event()

    async def script(requests: AsyncIterator[pb.ToBot]) -> AsyncIterator[pb.ToReferee]:
        yield hello()
        async for said in requests:
            if said.HasField("begin"):
                yield pb.ToReferee(ready=pb.Ready())
            elif said.HasField("turn"):
                thinking.set()
                await resign.wait()
                yield pb.ToReferee(resign=pb.Resign())

    admission = Admission(1)
    with ThreadPoolExecutor(1) as judges:
        async with (
            asyncio.timeout(PATIENCE),
            scripted(script) as address,
            connected(address.removeprefix("grpc://"), bot="scripted") as channel,
        ):

            async def match(name: str) -> Played:
                terms = Terms(name, "sudoku", "classic", {}, 1, TimeControl(None), Ruling.LOSES)
                place = Place("scripted", channel)
                return await play_match(
                    find_game("sudoku"),
                    Fixture(terms, home=0),
                    (place, place),
                    judges=judges,
                    announce=in_silence,
                    archive=None,
                    admission=admission,
                )

            first = asyncio.create_task(match("first"))
            await thinking.wait()
            with pytest.raises(FullHouse, match="holds 1 live match,"):
                await match("second")
            resign.set()
            for played in (await first, await match("second")):
                assert played.match.verdict is not None
                assert played.match.verdict.reason is Reason.RESIGNED
