"""What the tests of several games check alike."""

import random
from collections.abc import Callable
from typing import Protocol, TypeVar

import pytest

from games import BadText, IllegalMove, Position, Seat
from games.board import SearchBoard

P = TypeVar("P", bound=Position)


class KeyedBoard(SearchBoard[int], Protocol):
    """A board for search as our own games have it."""

    @property
    def seat(self) -> Seat: ...

    @property
    def key(self) -> object: ...

    def number(self, text: str) -> int: ...

    def over(self) -> bool: ...


B = TypeVar("B", bound=KeyedBoard)


def check_refused(position: Position, move: str, reason: str) -> None:
    """The rules have a reason against it, and it is not among the legal moves."""
    assert move not in position.legal_moves()
    with pytest.raises(IllegalMove, match=reason):
        position.play(move)


def check_no_move(position: Position, text: str, reason: str) -> None:
    """It is refused in one short sentence, however long it is."""
    with pytest.raises(IllegalMove, match=reason) as refusal:
        position.play(text)
    assert len(str(refusal.value)) < 140


def check_no_position(parse: Callable[[str], Position], text: str, reason: str) -> None:
    with pytest.raises(BadText, match=reason) as refusal:
        parse(text)
    assert len(str(refusal.value)) < 160


def check_search_board(
    new: Callable[[P], B], position: P, rng: random.Random, agree: Callable[[B, P], None]
) -> None:
    """Along random play with steps back, then all the way back: seat, moves, end, key, and what `agree` asks."""
    board, line = new(position), [position]

    def look() -> None:
        moves, legal = board.moves(), line[-1].legal_moves()
        assert [board.text(move) for move in moves] == legal
        assert [board.number(move) for move in legal] == moves
        assert (board.seat, board.over()) == (line[-1].seat, line[-1].outcome() is not None)
        assert board.key == new(line[-1]).key
        agree(board, line[-1])

    look()
    for _ in range(60):
        if len(line) > 1 and (board.over() or rng.random() < 0.25):
            board.undo()
            line.pop()
        elif not board.over():
            before, move = board.key, rng.choice(line[-1].legal_moves())
            board.make(board.number(move))
            after = line[-1].play(move)
            assert isinstance(after, type(position))
            line.append(after)
            assert board.key != before
        look()
    while len(line) > 1:
        board.undo()
        line.pop()
        look()
