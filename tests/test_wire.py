"""What a hostile bot may put into a message, and what the match gets to see of it."""

import math

from hypothesis import given
from hypothesis import strategies as st

from referee import wire
from referee.events import Fault, FaultKind, Noise, Proposed
from shotclock.v1 import bot_pb2 as pb


@given(st.text(), st.integers(1, 80))
def test_cleaned_text_is_printable_and_short(text: str, limit: int) -> None:
    """No terminal or log is ever given a control character by a bot."""
    shown = wire.clean(text, limit)
    assert shown.isprintable()
    assert len(shown) <= limit


def test_a_score_that_is_no_number_is_dropped_and_the_move_kept() -> None:
    """NaN would poison every table it got into."""
    for score in (math.nan, math.inf, -math.inf):
        event = wire.event(1, pb.ToReferee(proposal=pb.Proposal(turn=3, move="x", score=score)), 5)
        assert isinstance(event, Proposed)
        assert (event.proposal.move, event.proposal.score, event.at) == ("x", None, 5)


def test_absent_words_stay_absent() -> None:
    """A depth that was not given is not a depth of zero."""
    event = wire.event(1, pb.ToReferee(proposal=pb.Proposal(turn=3, move="x")), 5)
    assert isinstance(event, Proposed)
    assert (event.proposal.score, event.proposal.depth, event.proposal.nodes) == (None, None, None)
    event = wire.event(1, pb.ToReferee(proposal=pb.Proposal(turn=3, move="x", depth=0, score=0.0)), 5)
    assert isinstance(event, Proposed)
    assert (event.proposal.score, event.proposal.depth) == (0.0, 0)


def test_an_endless_move_is_cut() -> None:
    """A thousand proposals of 64 KiB must not stay in memory."""
    event = wire.event(1, pb.ToReferee(proposal=pb.Proposal(turn=3, move="x" * 60_000)), 5)
    assert isinstance(event, Proposed)
    assert len(event.proposal.move) == wire.LONGEST_MOVE


def test_a_message_from_the_future_means_nothing() -> None:
    """Unknown fields are tolerated."""
    assert wire.event(1, pb.ToReferee.FromString(b"\xa2\x06\x02hi"), 5) == Noise(1)


def test_an_unknown_kind_of_fault_counts_as_a_death() -> None:
    """A newer host may know more kinds than we do."""
    event = wire.event(2, pb.ToReferee.FromString(b"\x42\x04\x08\x01\x10\x63"), 5)
    assert isinstance(event, Fault)
    assert event.kind is FaultKind.DIED
