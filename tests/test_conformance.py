"""The conformance suite finds what is wrong with a game: each broken promise by the check that is for it."""

import itertools
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

import pytest

from games import BadText, Game, IllegalMove, Outcome, Position, SearchBoard, Seat, other
from games import conformance as suite
from games.conformance import CHECKS, Broken, Symmetry, Trial, cases
from games.errors import excerpt
from games.mutation import mutated

LARGEST = 20


@dataclass(frozen=True, slots=True)
class Nim:
    """Take one or two from a heap; who takes the last wins."""

    heap: int
    seat: Seat = 1
    last: str = field(default="", compare=False)
    effect: str = field(default="", compare=False)

    def __str__(self) -> str:
        return f"{self.heap} {self.seat}"

    @classmethod
    def parse(cls, text: str) -> Self:
        for heap in range(LARGEST + 1):
            for seat in (1, 2):
                if text == f"{heap} {seat}":
                    return cls(heap, 1 if seat == 1 else 2)
        raise BadText(f"{excerpt(text)} is no heap and seat")

    @property
    def scores(self) -> tuple[int, int]:
        return (0, 0) if self.heap else (int(self.seat == 2), int(self.seat == 1))

    def legal_moves(self) -> list[str]:
        return [str(number) for number in (1, 2) if number <= self.heap]

    def play(self, move: str) -> Self:
        if move not in Nim.legal_moves(self):
            raise IllegalMove(f"{excerpt(move)} cannot be taken from {self.heap}")
        return type(self)(self.heap - int(move), other(self.seat), move)

    def outcome(self) -> Outcome | None:
        return None if self.heap else Outcome(other(self.seat), self.scores, "heap empty")

    def draw(self, *, colour: bool = False) -> str:
        return f"\x1b[1m{self.heap}\x1b[0m" if colour else f"{self.heap} left"


@dataclass(slots=True)
class Board:
    """Nim for search."""

    heap: int
    taken: list[int] = field(default_factory=list)

    def moves(self) -> list[int]:
        return [number for number in (1, 2) if number <= self.heap]

    def make(self, move: int) -> None:
        self.heap -= move
        self.taken.append(move)

    def undo(self) -> None:
        self.heap += self.taken.pop()

    def text(self, move: int) -> str:
        return str(move)


def nim(position: type[Nim] = Nim, **other_fields: Any) -> Game:  # noqa: ANN401 - fields of a Game
    def start(*, variant: str, seed: int, options: Mapping[str, str]) -> Nim:
        game.check(variant, options)
        heap = options.get("heap", str(5 + seed % 7))
        if heap not in map(str, range(1, LARGEST + 1)):
            raise BadText(f"a heap has 1 to {LARGEST}, not {excerpt(heap)}")
        return position(int(heap))

    game = Game(
        name="nim",
        summary="take one or two",
        notation="2 takes two",
        variants=("plain",),
        start=start,
        parse=position.parse,
        options={"heap": "how many there are"},
        board=lambda position: Board(position.heap),
    )
    return replace(game, **other_fields)


class Endless(Nim):
    def play(self, move: str) -> Self:
        return type(self)(max(self.heap - int(move), 1), other(self.seat), move)


class Stuck(Nim):
    def legal_moves(self) -> list[str]:
        return super().legal_moves() if self.heap != 1 else []


class Undead(Nim):
    def legal_moves(self) -> list[str]:
        return super().legal_moves() or ["1"]


class Reasonless(Nim):
    def outcome(self) -> Outcome | None:
        return super().outcome() and Outcome(1, self.scores, "")


class Greedy(Nim):
    """The same player moves on while the heap is large."""

    def play(self, move: str) -> Self:
        after = super().play(move)
        return replace(after, seat=self.seat) if after.heap > 2 else after


class HalfPoint(Nim):
    @property
    def scores(self) -> tuple[int, int]:
        return 0.5, 0.5  # type: ignore[return-value] # the mistake


class Forgetful(Nim):
    """Its text does not say whose turn it is."""

    def __str__(self) -> str:
        return f"{self.heap} 1"


class TwoLines(Nim):
    def __str__(self) -> str:
        return f"{self.heap}\n{self.seat}"


class Doubled(Nim):
    def legal_moves(self) -> list[str]:
        return 2 * super().legal_moves()


class Promising(Nim):
    def legal_moves(self) -> list[str]:
        return [*super().legal_moves(), "9"] if self.heap > 3 else super().legal_moves()


class Renaming(Nim):
    def play(self, move: str) -> Self:
        return replace(super().play(move), last=f"take {move}")


class Lenient(Nim):
    def play(self, move: str) -> Self:
        return replace(super().play("1"), last="pass") if move == "pass" else super().play(move)


class Misreading(Nim):
    """Takes another spelling, and plays it as a move that is not legal."""

    def play(self, move: str) -> Self:
        return replace(super().play(move.strip()), last=move)


class Crashing(Nim):
    def play(self, move: str) -> Self:
        return super().play(str(int(move)))


class Echoing(Nim):
    def play(self, move: str) -> Self:
        if move not in self.legal_moves():
            raise IllegalMove(f"no {move}")
        return super().play(move)


class Silent(Nim):
    def play(self, move: str) -> Self:
        if move not in self.legal_moves():
            raise IllegalMove
        return super().play(move)


class Used(Nim):
    """Changes when it is played on."""

    def play(self, move: str) -> Self:
        after = super().play(move)
        object.__setattr__(self, "heap", after.heap + 1)
        return after


class Escaping(Nim):
    def draw(self, *, colour: bool = False) -> str:
        del colour
        return "\x1b[2J"


class Quoting(Nim):
    @classmethod
    def parse(cls, text: str) -> Self:
        try:
            return super().parse(text)
        except BadText:
            raise BadText(f"what is {text}?") from None


class Numeric(Nim):
    """Reads whatever `int` reads, and fails as it does."""

    @classmethod
    def parse(cls, text: str) -> Self:
        heap, seat = text.split(" ")
        return cls(int(heap), 1 if int(seat) == 1 else 2)


class Loose(Nim):
    @classmethod
    def parse(cls, text: str) -> Self:
        return super().parse(text.strip())


class Untested(Nim):
    """Takes a text for a position that cannot be drawn."""

    @classmethod
    def parse(cls, text: str) -> Self:
        return cls(99) if text == "99 1" else super().parse(text)

    def draw(self, *, colour: bool = False) -> str:
        return super().draw(colour=colour) + "?"[self.heap // 99 :][0]


def unseeded(**_: object) -> Nim:
    return Nim(5 + next(COUNTER) % 7)


def unchecked(*, options: Mapping[str, str], **_: object) -> Nim:
    heap = options.get("heap", "5")
    return Nim.parse(f"{heap} 1")


def anything(*, options: Mapping[str, str], **_: object) -> Nim:
    nim().check("plain", options)
    return unchecked(options=options)


def careless(*, options: Mapping[str, str], **_: object) -> Nim:
    return Nim(int(options.get("heap", "5")))


COUNTER = itertools.count()


class Lossy(Board):
    def undo(self) -> None:
        self.heap += min(self.taken.pop(), 1)


class Mislabelled(Board):
    def text(self, move: int) -> str:
        return str(3 - move)


def run_all(game: Game, trial: Trial) -> set[str]:
    """The names of the checks that object."""
    found = set()
    for check in CHECKS:
        for case in cases(game, trial):
            try:
                check(case)
            except Broken:
                found.add(check.__name__)
    return found


def test_a_sound_game_passes() -> None:
    """Nothing is wrong with Nim, so that whatever is found below is found because of the change."""
    assert run_all(nim(), Trial()) == set()


@pytest.mark.parametrize(
    ("game", "check"),
    [
        (nim(Endless), "a_game_ends_and_nothing_follows"),
        (nim(Stuck), "a_game_ends_and_nothing_follows"),
        (nim(Undead), "a_game_ends_and_nothing_follows"),
        (nim(Reasonless), "a_game_ends_and_nothing_follows"),
        (nim(Greedy), "seats_and_scores_make_sense"),
        (nim(HalfPoint), "seats_and_scores_make_sense"),
        (nim(start=unseeded), "the_same_seed_gives_the_same_start"),
        (nim(Forgetful), "a_position_is_read_back_from_its_text"),
        (nim(TwoLines), "a_position_is_read_back_from_its_text"),
        (nim(Doubled), "every_legal_move_plays"),
        (nim(Renaming), "every_legal_move_plays"),
        (nim(Lenient), "every_other_move_is_refused"),
        (nim(Misreading), "every_other_move_is_refused"),
        (nim(Crashing), "every_other_move_is_refused"),
        (nim(Echoing), "every_other_move_is_refused"),
        (nim(Silent), "every_other_move_is_refused"),
        (nim(Echoing), "huge_texts_are_refused"),
        (nim(Used), "playing_leaves_a_position_as_it_is"),
        (nim(Escaping), "a_board_is_drawn_in_plain_text"),
        (nim(stand_in=lambda _position, _rng: "3"), "a_stand_in_is_a_legal_move"),
        (nim(board=lambda position: Lossy(position.heap)), "a_search_board_follows_the_rules"),
        (nim(board=lambda position: Mislabelled(position.heap)), "a_search_board_follows_the_rules"),
        (nim(board=lambda position: Board(position.heap + 1)), "a_search_board_follows_the_rules"),
        (nim(Quoting), "damaged_texts_are_refused"),
        (nim(Quoting), "huge_texts_are_refused"),
        (nim(Numeric), "damaged_texts_are_refused"),
        (nim(Loose), "damaged_texts_are_refused"),
        (nim(start=careless), "bad_options_are_refused"),
        (nim(start=unchecked), "bad_options_are_refused"),
        (nim(start=anything), "bad_options_are_refused"),
        (nim(name="Nim!"), "the_game_describes_itself"),
        (nim(summary=""), "the_game_describes_itself"),
        (nim(memory=0), "the_game_describes_itself"),
    ],
)
def test_a_broken_promise_is_found(game: Game, check: str) -> None:
    """By the check whose name says what is wrong."""
    by_name = {one.__name__: one for one in CHECKS}
    (case,) = cases(game, Trial(longest=100))
    with pytest.raises(Broken):
        by_name[check](case)


def test_a_legal_move_that_is_refused_is_found() -> None:
    """It surfaces as the refusal itself, which names the move."""
    (case,) = cases(nim(Promising), Trial())
    with pytest.raises(IllegalMove, match="'9' cannot be taken"):
        suite.every_legal_move_plays(case)


def test_a_position_that_is_taken_must_be_usable() -> None:
    """A text is refused when it is read, not when it is drawn."""
    with pytest.raises(Broken, match="'99 1' is taken for a position and then fails"):
        suite.judge_text(nim(Untested), "99 1")


def identity(text: str) -> str:
    return text


def swapped_seat(text: str) -> str:
    heap, seat = text.split(" ")
    return f"{heap} {3 - int(seat)}"


@pytest.mark.parametrize(
    ("position", "move", "swaps", "holds"),
    [
        (identity, identity, False, True),
        (swapped_seat, identity, True, True),
        (swapped_seat, identity, False, False),
        (identity, lambda move: str(3 - int(move)), False, False),
        (lambda _text: "7 1", identity, False, False),
    ],
    ids=["identity", "seats", "seats that do not change", "other moves", "another position"],
)
def test_a_symmetry_is_taken_at_its_word(
    position: Callable[[str], str], move: Callable[[str], str], swaps: bool, holds: bool
) -> None:
    """Moves, scores and what follows must all be images of each other."""
    (case,) = cases(nim(), Trial(symmetries=[Symmetry("claimed", position, move, swaps=swaps)]))
    if holds:
        suite.symmetries_hold(case)
    else:
        with pytest.raises(Broken, match="claimed"):
            suite.symmetries_hold(case)


def test_every_variant_and_every_set_of_options_is_a_case() -> None:
    """Their names say which."""
    game = nim(variants=("plain", "misere"))
    trial = Trial(options=[{"heap": "3"}, {"heap": "4"}])
    names = ["nim plain heap=3", "nim misere heap=3", "nim plain heap=4", "nim misere heap=4"]
    assert [str(case) for case in cases(game, trial)] == names
    assert suite.conformance(game, trial).pytestmark[0].args[0] == "check"  # type: ignore[attr-defined] # pytest's


def test_a_failure_says_where_it_was() -> None:
    """The start and the moves to the earliest place that fails."""
    (case,) = cases(nim(Promising), Trial(options=[{"heap": "4"}]))
    with pytest.raises(IllegalMove) as failure:
        suite.every_legal_move_plays(case)
    assert "nim plain heap=4, game 0, ply 0: <start '4 1', moves none>" in failure.value.__notes__


def test_mutated_texts_differ_and_repeat() -> None:
    """The same lots give the same texts, and hardly any is as it was."""
    text = "classic 2x2 1,2,.,. 3:0 1 -"
    texts = [mutated(text, random.Random(seed)) for seed in range(300)]
    assert texts == [mutated(text, random.Random(seed)) for seed in range(300)]
    assert sum(one == text for one in texts) < 15
    assert len(set(texts)) > 200
    assert any(not one.isascii() for one in texts)
    assert [mutated("", random.Random(seed)) is None for seed in range(50)] == 50 * [False]


def check_types(position: Nim, board: Board) -> tuple[Position, SearchBoard[int]]:
    """Only mypy reads this: Nim is a position, its board one for search."""
    return position, board
