"""Tetress: the position and its rules."""

from dataclasses import dataclass, field
from typing import Self

from games.errors import BadText, IllegalMove, excerpt
from games.position import Outcome, Seat, other
from games.tetress.placement import PLACEMENTS, by_bit, chosen, fitting, parse_placement
from games.tetress.torus import CELLS, LINE_NAMES, SIDE, cell_bit, cell_name, neighbours
from games.text import fields

#: The game is over when so many plies have been played.
LAST_PLY = 150
#: Plies, the first of the game, that need not touch an own token.
FREE_PLIES = 2
#: The letters of the two seats' tokens.
TOKENS = "RB"
#: More than any position needs.
LONGEST = 150

_FIELDS = ("variant", "cells", "plies")
_PLIES = {str(plies): plies for plies in range(LAST_PLY + 1)}
_TEXTS = by_bit([placement.text for placement in PLACEMENTS], "")
_COLOURS = {"R": "\x1b[31m", "B": "\x1b[34m", ".": "\x1b[2m"}


def open_placements(own: int, rival: int, plies: int) -> int:
    """The set of legal placements for the owner of `own`, after so many plies."""
    free = CELLS & ~(own | rival)
    if plies >= LAST_PLY:
        return 0
    if plies < FREE_PLIES:
        return fitting(free)
    return fitting(free) & ~fitting(free & ~neighbours(own))


@dataclass(frozen=True, slots=True)
class Tetress:
    """No cell holds two tokens and no row or column is full. Seat 1 is Red.

    Whose turn it is, whether a placement must touch and when the game ends all follow from the number of plies.
    """

    red: int = 0
    blue: int = 0
    #: Played so far.
    plies: int = 0
    last: str = field(default="", compare=False)
    effect: str = field(default="", compare=False)

    def __str__(self) -> str:
        rows = "/".join("".join(self._token(row, column) for column in range(SIDE)) for row in range(SIDE))
        return f"standard {rows} {self.plies}"

    @classmethod
    def parse(cls, text: str) -> Self:
        variant, cells, plies = fields(text, _FIELDS, longest=LONGEST)
        if variant != "standard":
            raise BadText(f"the variant of a position is standard, not {excerpt(variant)}")
        if plies not in _PLIES:
            raise BadText(f"the plies played are a number from 0 to {LAST_PLY}, not {excerpt(plies)}")
        red, blue = _parse_rows(cells)
        for line, name in LINE_NAMES.items():
            if (red | blue) & line == line:
                raise BadText(f"{name} is full: a full line would have been cleared")
        _check_counts(red.bit_count(), blue.bit_count(), _PLIES[plies])
        return cls(red, blue, _PLIES[plies])

    @property
    def seat(self) -> Seat:
        return 2 if self.plies % 2 else 1

    @property
    def scores(self) -> tuple[int, int]:
        """Tokens on the board; they decide only when the last ply has been played."""
        return self.red.bit_count(), self.blue.bit_count()

    def legal_moves(self) -> list[str]:
        """By shape, then by place."""
        return chosen(_TEXTS, open_placements(*self._sides(), self.plies))

    def play(self, move: str) -> Self:
        ended = self.outcome()
        if ended:
            raise IllegalMove(f"{excerpt(move)} comes after the end: {ended.reason}")
        try:
            placement = parse_placement(move)
        except BadText as error:
            raise IllegalMove(str(error)) from None
        own, rival = self._sides()
        taken = placement.cells & (own | rival)
        if taken:
            raise IllegalMove(f"{placement}: {cell_name(taken.bit_length() - 1)} is taken")
        if self.plies >= FREE_PLIES and not placement.cells & neighbours(own):
            raise IllegalMove(f"{placement} touches no token of player {self.seat}")
        own |= placement.cells
        full = placement.full_lines(own | rival)
        for line in full:
            own, rival = own & ~line, rival & ~line
        red, blue = (own, rival) if self.seat == 1 else (rival, own)
        return type(self)(red, blue, self.plies + 1, placement.text, _cleared(full))

    def outcome(self) -> Outcome | None:
        red, blue = self.scores
        if self.plies >= LAST_PLY:
            winner: Seat | None = None if red == blue else 1 if red > blue else 2
            return Outcome(winner, self.scores, f"{LAST_PLY} plies")
        if open_placements(*self._sides(), self.plies):
            return None
        return Outcome(other(self.seat), self.scores, "no legal placement")

    def draw(self, *, colour: bool = False) -> str:
        """The cells of the last move are marked also where it was cleared."""
        last = parse_placement(self.last).cells if self.last else 0

        def shown(row: int, column: int) -> str:
            token, marked = self._token(row, column), last & cell_bit(row, column)
            if not colour:
                return f"[{token}]" if marked else f" {token} "
            mark = "\x1b[7m" if marked else ""
            return f"{mark}{_COLOURS[token]} {token} \x1b[0m"

        columns = range(SIDE)
        lines = ["   " + "".join(f"{column:2} " for column in columns)]
        lines += [f"{row:2} " + "".join(shown(row, column) for column in columns) for row in range(SIDE)]
        ended = self.outcome()
        whose = ended.reason if ended else f"player {self.seat} ({TOKENS[self.seat - 1]}) to move"
        red, blue = self.scores
        lines.append(f"R {red} : {blue} B, after ply {self.plies}: {whose}")
        return "\n".join(line.rstrip() for line in lines)

    def _sides(self) -> tuple[int, int]:
        return (self.red, self.blue) if self.seat == 1 else (self.blue, self.red)

    def _token(self, row: int, column: int) -> str:
        cell = cell_bit(row, column)
        return "R" if self.red & cell else "B" if self.blue & cell else "."


def _cleared(lines: list[int]) -> str:
    names = [LINE_NAMES[line] for line in lines]
    if len(names) < 2:
        return "".join(f"cleared {name}" for name in names)
    return f"cleared {', '.join(names[:-1])} and {names[-1]}"


def _parse_rows(text: str) -> tuple[int, int]:
    rows = text.split("/")
    if len(rows) != SIDE:
        raise BadText(f"the cells of a position have {SIDE} rows between slashes, not {len(rows)}")
    tokens = {"R": 0, "B": 0, ".": 0}
    for row, texts in enumerate(rows):
        if len(texts) != SIDE:
            raise BadText(f"row {row} has {SIDE} cells, not {len(texts)}")
        for column, token in enumerate(texts):
            if token not in tokens:
                raise BadText(f"{row}-{column} is {excerpt(token)}, neither R nor B nor .")
            tokens[token] |= cell_bit(row, column)
    return tokens["R"], tokens["B"]


def _check_counts(red: int, blue: int, plies: int) -> None:
    """What was laid and not cleared is there, and a cleared line takes at least its own cells."""
    laid = {"R": 4 * ((plies + 1) // 2), "B": 4 * (plies // 2)}
    for token, count in zip(TOKENS, (red, blue), strict=True):
        if count > laid[token]:
            raise BadText(f"{count} {token} after ply {plies}: only {laid[token]} can have been laid")
    missing = sum(laid.values()) - red - blue
    if 0 < missing < SIDE:
        raise BadText(
            f"{red + blue} tokens after ply {plies}: {missing} missing, a cleared line takes {SIDE}"
        )
