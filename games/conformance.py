"""What every game promises, tried out by playing it: `test_my_game = conformance(GAME)` in a test file."""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial, wraps
from itertools import pairwise, product
from typing import TypeVar

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from games.board import SearchBoard
from games.errors import BadText, IllegalMove, Mistake, Unknown
from games.game import Game, Ruling
from games.mutation import GARBAGE, mutated
from games.position import Position

#: In characters. A message of the contract has 64 KiB in all.
LONGEST_TEXT = 60_000
LONGEST_REASON = 400
HUGE = 10_000_000

M = TypeVar("M")

_STYLE = re.compile(r"\x1b\[[0-9;]*m")


class Broken(AssertionError):  # noqa: N818 - a broken promise
    """A game does not do what it promises."""


@dataclass(frozen=True, slots=True)
class Symmetry:
    """Turns a position and every move of it into others that must play alike, all in text."""

    name: str
    position: Callable[[str], str]
    move: Callable[[str], str]
    #: Whether the players change places.
    swaps: bool = False


@dataclass(frozen=True, slots=True)
class Playout:
    """A game of random moves from its start to its end, and one position of it to look at."""

    positions: tuple[Position, ...]
    ply: int

    @property
    def here(self) -> Position:
        return self.positions[self.ply]

    def __repr__(self) -> str:
        """As a failed test prints it; `shotclock show GAME --position START MOVES` leads to the same place."""
        moves = [position.last for position in self.positions[1 : self.ply + 1]]
        return f"<start {str(self.positions[0])!r}, moves {' '.join(moves) or 'none'}>"


@dataclass(frozen=True, slots=True)
class Trial:
    """How a game is tried out: each check looks at `examples` positions from `games` games."""

    #: Each set is played in every variant.
    options: Sequence[Mapping[str, str]] = ({},)
    #: How many random moves a game may take to its end.
    longest: int = 1000
    #: That no player ever moves twice running.
    alternates: bool = True
    symmetries: Sequence[Symmetry] = ()
    games: int = 20
    examples: int = 20


AS_USUAL = Trial()


@dataclass(frozen=True, slots=True)
class Case:
    """A game in one variant, with one set of options."""

    game: Game
    variant: str
    options: Mapping[str, str]
    trial: Trial
    _played: dict[int, tuple[Position, ...]] = field(default_factory=dict, repr=False, compare=False)

    def __str__(self) -> str:
        settled = [f"{name}={value}" for name, value in self.options.items()]
        return " ".join([self.game.name, self.variant, *settled])

    def start(self, seed: int) -> Position:
        return self.game.start(variant=self.variant, seed=seed, options=self.options)

    def playout(self, number: int, ply: int) -> Playout:
        """Games are numbered and kept, so that the checks share them; a ply past the end counts on from the start."""
        if number not in self._played:
            self._played[number] = self._play(number)
        positions = self._played[number]
        return Playout(positions, ply % len(positions))

    def _play(self, number: int) -> tuple[Position, ...]:
        rng = random.Random(number)
        positions = [self.start(number)]
        while positions[-1].outcome() is None:
            if len(positions) > self.trial.longest:
                raise Broken(f"{self} is not over after {self.trial.longest} random moves from seed {number}")
            moves = positions[-1].legal_moves()
            if not moves:
                raise Broken(f"there is no outcome and no legal move in {str(positions[-1])!r}")
            positions.append(positions[-1].play(rng.choice(moves)))
        return tuple(positions)


def cases(game: Game, trial: Trial = AS_USUAL) -> list[Case]:
    """Every variant with every set of options."""
    return [Case(game, variant, options, trial) for options in trial.options for variant in game.variants]


def conformance(game: Game, trial: Trial = AS_USUAL) -> Callable[..., None]:
    """A test for pytest to collect: every check on every case."""
    # Only tests need it, and a game can be checked without it by calling CHECKS.
    import pytest

    @pytest.mark.parametrize("case", cases(game, trial), ids=str)
    @pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
    def test(check: Callable[[Case], None], case: Case) -> None:
        check(case)

    return test


def on_playouts(check: Callable[[Case, Playout, random.Random], None]) -> Callable[[Case], None]:
    """Hypothesis picks games and places in them, the same in every run, and finds the earliest that fails."""

    @wraps(check)
    def run(case: Case) -> None:
        @settings(
            max_examples=case.trial.examples,
            deadline=None,
            derandomize=True,
            phases=[Phase.generate, Phase.shrink],
            report_multiple_bugs=False,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        )
        @given(
            number=st.integers(0, case.trial.games - 1),
            ply=st.integers(0, case.trial.longest),
            lots=st.integers(0, 2**32),
        )
        def holds(number: int, ply: int, lots: int) -> None:
            playout = case.playout(number, ply)
            try:
                check(case, playout, random.Random(lots))
            except Exception as error:
                error.add_note(f"{case}, game {number}, ply {playout.ply}: {playout!r}")
                raise

        holds()

    return run


@on_playouts
def a_game_ends_and_nothing_follows(_case: Case, playout: Playout, _rng: random.Random) -> None:
    """An outcome at the end and only there, no legal move after it, and every move refused."""
    *before, last = playout.positions
    for position in before:
        if not position.legal_moves():
            raise Broken(f"there is no outcome and no legal move in {str(position)!r}")
    outcome = last.outcome()
    if outcome is None or outcome.winner not in (None, 1, 2) or not outcome.reason:
        raise Broken(f"an outcome has a winner 1, 2 or None and a reason, not {outcome}")
    if last.legal_moves():
        raise Broken(f"there are legal moves after the end, in {str(last)!r}")
    for move in {*(position.last for position in playout.positions), *GARBAGE}:
        if _refused(move, IllegalMove, last.play) is not None:
            raise Broken(f"{_quoted(move)} is taken after the end")


@on_playouts
def seats_and_scores_make_sense(case: Case, playout: Playout, _rng: random.Random) -> None:
    """Seats are 1 and 2, in turns unless the game says otherwise; scores are two whole numbers."""
    for position in playout.positions:
        if position.seat not in (1, 2):
            raise Broken(f"the seat to move is 1 or 2, not {position.seat!r}")
        scores = position.scores
        if not isinstance(scores, tuple) or [type(score) for score in scores] != [int, int]:
            raise Broken(f"scores are a tuple of two whole numbers, not {scores!r}")
    for before, after in pairwise(playout.positions[:-1]):
        if case.trial.alternates and before.seat == after.seat:
            raise Broken(
                f"player {before.seat} moves again after {after.last}: say alternates=False if it may"
            )


@on_playouts
def the_same_seed_gives_the_same_start(case: Case, _playout: Playout, rng: random.Random) -> None:
    """Any seed does, and a start has no last move."""
    seed = rng.choice((0, 1, rng.getrandbits(32), 2**63 - 1))
    one, two = case.start(seed), case.start(seed)
    _same(one, two, f"two starts from seed {seed}")
    if one.last or one.effect:
        raise Broken(f"no move led to a start, yet its last move is {one.last!r} with effect {one.effect!r}")
    if one.outcome() is not None:
        raise Broken(f"the game is over at its start from seed {seed}")


@on_playouts
def a_position_is_read_back_from_its_text(case: Case, playout: Playout, _rng: random.Random) -> None:
    """One line of printable text says everything about a position that the rules need."""
    for position in playout.positions:
        text = str(position)
        if not text.isprintable() or len(text) > LONGEST_TEXT:
            raise Broken(
                f"a position is one printable line of at most {LONGEST_TEXT} characters: {_quoted(text)}"
            )
        _same(case.game.parse(text), position, f"the position in {text!r}, read back,")


@on_playouts
def every_legal_move_plays(_case: Case, playout: Playout, _rng: random.Random) -> None:
    """Each stands there once and in its canonical form, which is what the next position has as its last move."""
    moves = playout.here.legal_moves()
    if len(set(moves)) < len(moves):
        raise Broken("a legal move is listed twice")
    if list(moves) != list(playout.here.legal_moves()):
        raise Broken("legal moves come in another order when they are asked for again")
    for move in moves:
        if not move.isprintable() or not move.strip() == move != "":
            raise Broken(f"a move is printable, without space around it: {_quoted(move)}")
        after = playout.here.play(move)
        if after.last != move:
            raise Broken(f"after {move!r} the last move is said to be {after.last!r}")
        if after.effect and not after.effect.isprintable():
            raise Broken(f"the effect of {move!r} is not one printable line")


@on_playouts
def every_other_move_is_refused(_case: Case, playout: Playout, rng: random.Random) -> None:
    """With a reason in one sentence; another spelling of a legal move may be taken, and becomes the legal one."""
    here, elsewhere = playout.here, rng.choice(playout.positions).legal_moves()
    known = [*here.legal_moves(), *elsewhere] or [position.last for position in playout.positions[1:]]
    candidates = [
        *GARBAGE,
        *(mutated(rng.choice(known), rng) for _ in range(60)),
        *rng.sample(elsewhere, min(40, len(elsewhere))),
        *(position.last for position in playout.positions),
    ]
    for move in candidates:
        judge_move(here, move)


def judge_move(position: Position, move: str) -> bool:
    """Whether `play` takes the move, having checked that it does either thing properly."""
    after = _refused(move, IllegalMove, position.play)
    if after is None:
        return False
    if after.last not in position.legal_moves():
        raise Broken(f"{_quoted(move)} is no legal move, and it is played as {_quoted(after.last)}")
    if move != after.last:
        _same(after, position.play(after.last), f"{_quoted(move)}, taken for {after.last!r},")
    return True


@on_playouts
def playing_leaves_a_position_as_it_is(_case: Case, playout: Playout, rng: random.Random) -> None:
    """Positions never change: not by being played on, not by being asked."""
    here = playout.here
    before = _facts(here), hash(here), here.draw()
    moves = list(here.legal_moves())
    for move in [*rng.sample(moves, min(20, len(moves))), *rng.sample(GARBAGE, 3)]:
        _refused(move, IllegalMove, here.play)
    listed = here.legal_moves()
    if isinstance(listed, list):
        listed.clear()  # whoever asked may do with the answer what she likes
    if (_facts(here), hash(here), here.draw()) != before:
        raise Broken("a position is another one after moves were tried on it")


@on_playouts
def a_board_is_drawn_in_plain_text(_case: Case, playout: Playout, _rng: random.Random) -> None:
    """Lines of printable characters; with colour, style codes come in and nothing else."""
    plain, coloured = playout.here.draw(), playout.here.draw(colour=True)
    for drawn in (plain, _STYLE.sub("", coloured)):
        if not drawn.strip() or not all(line.isprintable() for line in drawn.split("\n")):
            raise Broken(
                "a board is drawn in lines of printable text, with style codes only when colour=True"
            )
    if plain != plain.rstrip("\n"):
        raise Broken("a drawing ends without a newline")


@on_playouts
def a_stand_in_is_a_legal_move(case: Case, playout: Playout, rng: random.Random) -> None:
    """And the same lots draw the same one."""
    if playout.here.outcome() is not None:
        return
    lots = rng.getrandbits(32)
    one, two = (case.game.stand_in(playout.here, random.Random(lots)) for _ in range(2))
    if one not in playout.here.legal_moves() or one != two:
        raise Broken(f"the move that stands in for a missing one is {one!r} and then {two!r}")


@on_playouts
def a_search_board_follows_the_rules(case: Case, playout: Playout, rng: random.Random) -> None:
    """The same moves in the same order, here and after each, and a move taken back leaves no trace."""
    if case.game.board is None:
        return
    here = playout.here
    board = case.game.board(here)
    first = list(_agreed(board, here))
    texts = here.legal_moves()
    for index in rng.sample(range(len(texts)), min(30, len(texts))):
        after = here.play(texts[index])
        board.make(first[index])
        replies, legal = _agreed(board, after), after.legal_moves()
        if legal:
            reply = rng.randrange(len(legal))
            board.make(replies[reply])
            _agreed(board, after.play(legal[reply]))
            board.undo()
        board.undo()
        if list(board.moves()) != first:
            raise Broken(f"the search board is not as it was when {texts[index]} is taken back")


def _agreed(board: SearchBoard[M], position: Position) -> Sequence[M]:
    """The moves of a board that stands where the position does."""
    moves, legal = board.moves(), list(position.legal_moves())
    texts = [board.text(move) for move in moves]
    if texts != legal:
        wrong = f"{texts} where the position has {legal}"
        raise Broken(f"the search board has other moves than {str(position)!r:.300}: {wrong:.400}")
    return moves


@on_playouts
def symmetries_hold(case: Case, playout: Playout, rng: random.Random) -> None:
    """What was mirrored and then played is what was played and then mirrored."""
    for symmetry, here in product(case.trial.symmetries, (playout.here, playout.positions[-1])):
        moves = here.legal_moves()
        image = case.game.parse(symmetry.position(str(here)))
        if {symmetry.move(move) for move in moves} != set(image.legal_moves()):
            raise Broken(f"{symmetry.name}: {str(here)!r} and {str(image)!r} have different legal moves")
        order = -1 if symmetry.swaps else 1
        if image.scores != here.scores[::order]:
            raise Broken(f"{symmetry.name}: {str(here)!r} and {str(image)!r} have different scores")
        for move in rng.sample(list(moves), min(20, len(moves))):
            one, two = symmetry.position(str(here.play(move))), image.play(symmetry.move(move))
            _same(case.game.parse(one), two, f"{symmetry.name}: after {move} and its image")


@on_playouts
def damaged_texts_are_refused(case: Case, playout: Playout, rng: random.Random) -> None:
    """`parse` takes a position or raises BadText in one sentence, and what it takes can be used."""
    text = str(playout.here)
    for damaged in [*GARBAGE, *(mutated(text, rng) for _ in range(50))]:
        judge_text(case.game, damaged)


def judge_text(game: Game, text: str) -> bool:
    """Whether `parse` takes the text, having checked that it does either thing properly."""
    position = _refused(text, BadText, game.parse)
    if position is None:
        return False
    if str(position) != text:
        raise Broken(f"a position has one text: {_quoted(text)} is taken for {_quoted(str(position))}")
    try:
        _same(game.parse(text), position, f"what was read from {_quoted(text)} twice")
        position.draw()
    except Exception as error:
        raise Broken(f"{_quoted(text)} is taken for a position and then fails: {error!r:.300}") from error
    return True


def huge_texts_are_refused(case: Case) -> None:
    """Ten megabytes of anything are no position and no move, and are not quoted back."""
    start = case.start(0)
    text, move = str(start), start.legal_moves()[0]
    for unit in (text, move, "9", "x", " ", "/", ",", "\u0663"):
        huge = unit * (HUGE // len(unit))
        if _refused(huge, BadText, case.game.parse) is not None:
            raise Broken(f"{_quoted(huge)} is taken for a position")
        if _refused(huge, IllegalMove, start.play) is not None:
            raise Broken(f"{_quoted(huge)} is taken for a move")
        for longer in (text + huge, huge + text):
            _refused(longer, BadText, case.game.parse)
        for longer in (move + huge, huge + move):
            _refused(longer, IllegalMove, start.play)


def bad_options_are_refused(case: Case) -> None:
    """Whatever a user gives for an option, `start` takes it or says in one sentence why not."""

    def start(text: str, name: str) -> Position:
        return case.game.start(variant=case.variant, seed=0, options={**case.options, name: text})

    for name in case.game.options:
        for value in GARBAGE:
            _refused(value, Mistake, partial(start, name=name))
    if _refused("nothing", Unknown, partial(start, name="no-such-option")) is not None:
        raise Broken("an option that does not exist is taken: let `start` begin with GAME.check")
    for variant in GARBAGE:
        stranger = partial(_start_in, case)
        if variant not in case.game.variants and _refused(variant, Unknown, stranger) is not None:
            raise Broken("a variant that does not exist is taken: let `start` begin with GAME.check")


def _start_in(case: Case, variant: str) -> Position:
    return case.game.start(variant=variant, seed=0, options=case.options)


def the_game_describes_itself(case: Case) -> None:
    """Its name, its words and its terms are fit to be shown and used."""
    game = case.game
    for text in (game.name, game.summary, game.notation, *game.variants, *game.options.values()):
        if not text.strip() or not text.isprintable():
            raise Broken(f"a name or description is one printable line, not {text!r}")
    for name in (game.name, *game.variants, *game.options):
        if not re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", name):
            raise Broken(f"a name has small letters, digits and single hyphens, which {name!r} has not")
    limits = [game.clock.turn, game.clock.first, game.clock.budget, game.memory]
    if any(limit is not None and limit <= 0 for limit in limits):
        raise Broken(f"clock and memory are more than 0, not {game.clock} and {game.memory}")
    if not isinstance(game.ruling, Ruling):
        raise Broken(f"a ruling is one of {', '.join(Ruling)}, not {game.ruling!r}")


CHECKS: tuple[Callable[[Case], None], ...] = (
    the_game_describes_itself,
    the_same_seed_gives_the_same_start,
    a_game_ends_and_nothing_follows,
    seats_and_scores_make_sense,
    a_position_is_read_back_from_its_text,
    every_legal_move_plays,
    every_other_move_is_refused,
    playing_leaves_a_position_as_it_is,
    a_board_is_drawn_in_plain_text,
    a_stand_in_is_a_legal_move,
    a_search_board_follows_the_rules,
    symmetries_hold,
    damaged_texts_are_refused,
    huge_texts_are_refused,
    bad_options_are_refused,
)


def _refused(text: str, kind: type[Mistake], attempt: Callable[[str], Position]) -> Position | None:
    """None if it was refused as it should be; what it led to if it was taken."""
    try:
        return attempt(text)
    except kind as error:
        reason = str(error)
        if not reason or not reason.isprintable() or len(reason) > LONGEST_REASON:
            raise Broken(
                f"{_quoted(text)} is refused, and the reason is not one printable line"
                f" of at most {LONGEST_REASON} characters: {_quoted(reason)}"
            ) from None
        return None
    except Exception as error:  # any other kind is what this looks for
        raise Broken(
            f"{_quoted(text)} raises {error!r:.200} where it should raise {kind.__name__}"
        ) from error


def _facts(position: Position) -> tuple[object, ...]:
    return (
        str(position),
        position.seat,
        position.scores,
        list(position.legal_moves()),
        position.outcome(),
    )


def _same(one: Position, two: Position, what: str) -> None:
    if one != two or hash(one) != hash(two):
        raise Broken(f"{what} should be equal, and have equal hashes: {str(one)!r} and {str(two)!r}")
    for fact, expected in zip(_facts(one), _facts(two), strict=True):
        if fact != expected:
            raise Broken(f"{what} should be the same: {fact!r:.300} is not {expected!r:.300}")


def _quoted(text: str) -> str:
    return ascii(text) if len(text) <= 100 else f"{text[:100]!a}... ({len(text)} characters)"
