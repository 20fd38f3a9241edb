"""Reversi: the position and its rules."""

import re
from dataclasses import dataclass, field
from typing import Self

from games.errors import BadText, IllegalMove, excerpt
from games.position import Outcome, Seat, other
from games.reversi.grid import SIZES, Grid, grid, members
from games.text import fields

PASS = "pass"  # noqa: S105 - a move, not a password
#: The letters of the two seats' discs.
DISCS = "BW"
#: More than a 16x16 board needs.
LONGEST = 300

_FIELDS = ("variant", "squares", "seat")
_SQUARE = re.compile("[a-z][1-9][0-9]?")
_COLOURS = {"B": "\x1b[36m", "W": "\x1b[1m", ".": "\x1b[2m"}


@dataclass(frozen=True, slots=True)
class Reversi:
    """No square holds two discs, and the four in the middle hold one each. Seat 1 is Black.

    The squares and the seat are all: whether a player must pass, and whether the game is over, follow from them.
    """

    grid: Grid
    black: int
    white: int
    seat: Seat = 1
    last: str = field(default="", compare=False)
    effect: str = field(default="", compare=False)

    @classmethod
    def start(cls, its_grid: Grid) -> Self:
        middle = its_grid.size // 2
        white = 1 << its_grid.number(middle - 1, middle - 1) | 1 << its_grid.number(middle, middle)
        return cls(its_grid, its_grid.centre & ~white, white)

    def __str__(self) -> str:
        size = self.grid.size
        texts = [self._disc(square) for square in self.grid.names]
        rows = "/".join("".join(texts[start : start + size]) for start in range(0, size * size, size))
        return f"standard {rows} {self.seat}"

    @classmethod
    def parse(cls, text: str) -> Self:
        variant, squares, seat = fields(text, _FIELDS, longest=LONGEST)
        if variant != "standard":
            raise BadText(f"the variant of a position is standard, not {excerpt(variant)}")
        if seat not in ("1", "2"):
            raise BadText(f"the seat to move is 1 or 2, not {excerpt(seat)}")
        rows = squares.split("/")
        if len(rows) not in SIZES:
            raise BadText(
                f"a board has an even number of rows from {SIZES[0]} to {SIZES[-1]} between slashes,"
                f" not {len(rows)}"
            )
        its_grid = grid(len(rows))
        black, white = _parse_rows(rows, its_grid)
        if its_grid.centre & ~(black | white):
            (empty, *_) = members(its_grid.centre & ~(black | white))
            raise BadText(f"{its_grid.names[empty]} is empty: the four squares in the middle never are")
        return cls(its_grid, black, white, 1 if seat == "1" else 2)

    @property
    def scores(self) -> tuple[int, int]:
        return self.black.bit_count(), self.white.bit_count()

    def legal_moves(self) -> list[str]:
        """Row by row; only a pass if there is no square to play but the other player has one."""
        own, rival = self._sides()
        names = self.grid.names
        squares = [names[square] for square in members(self.grid.playable(own, rival))]
        return squares or ([PASS] if self.grid.playable(rival, own) else [])

    def play(self, move: str) -> Self:
        if move == PASS and self.legal_moves() == [PASS]:
            return type(self)(self.grid, self.black, self.white, other(self.seat), PASS)
        own, rival = self._sides()
        square = self.grid.numbers.get(move)
        if square is None or (own | rival) >> square & 1:
            raise IllegalMove(self._refusal(move))
        flips = self.grid.flips(square, own, rival)
        if not flips:
            raise IllegalMove(self._refusal(move))
        own, rival = own | flips | 1 << square, rival ^ flips
        black, white = (own, rival) if self.seat == 1 else (rival, own)
        effect = f"{flips.bit_count()} disc{'s' * (flips.bit_count() > 1)} flipped"
        return type(self)(self.grid, black, white, other(self.seat), move, effect)

    def outcome(self) -> Outcome | None:
        own, rival = self._sides()
        if self.grid.playable(own, rival) or self.grid.playable(rival, own):
            return None
        black, white = self.scores
        winner: Seat | None = None if black == white else 1 if black > white else 2
        full = own | rival == self.grid.squares
        return Outcome(winner, self.scores, "board full" if full else "neither side can move")

    def draw(self, *, colour: bool = False) -> str:
        size, last = self.grid.size, self.grid.numbers.get(self.last)

        def shown(square: int) -> str:
            disc = self._disc(square)
            if not colour:
                return f"[{disc}]" if square == last else f" {disc} "
            marked = "\x1b[7m" if square == last else ""
            return f"{marked}{_COLOURS[disc]} {disc} \x1b[0m"

        lines = ["   " + "".join(f" {chr(ord('a') + column)} " for column in range(size))]
        for row in range(size):
            squares = [shown(self.grid.number(row, column)) for column in range(size)]
            lines.append(f"{row + 1:2} {''.join(squares)}")
        ended = self.outcome()
        whose = ended.reason if ended else f"player {self.seat} ({DISCS[self.seat - 1]}) to move"
        black, white = self.scores
        lines.append(f"B {black} : {white} W, {whose}")
        return "\n".join(line.rstrip() for line in lines)

    def _sides(self) -> tuple[int, int]:
        return (self.black, self.white) if self.seat == 1 else (self.white, self.black)

    def _disc(self, square: int) -> str:
        return "B" if self.black >> square & 1 else "W" if self.white >> square & 1 else "."

    def _refusal(self, move: str) -> str:
        """Why this is no legal move."""
        ended = self.outcome()
        if ended:
            return f"{excerpt(move)} comes after the end: {ended.reason}"
        if move == PASS:
            return f"pass: there is a square to play, {self.legal_moves()[0]}"
        if move in self.grid.numbers:
            disc = self._disc(self.grid.numbers[move])
            return f"{move} turns no disc over" if disc == "." else f"{move} holds a disc ({disc}) already"
        if _SQUARE.fullmatch(move):
            return f"{move} is no square of this board: they go up to {max(self.grid.names.items())[1]}"
        return f"{excerpt(move)} is no move: write d3 for column d, row 3, or pass"


def _parse_rows(rows: list[str], its_grid: Grid) -> tuple[int, int]:
    discs = {"B": 0, "W": 0, ".": 0}
    for row, text in enumerate(rows):
        if len(text) != its_grid.size:
            raise BadText(f"row {row + 1} has {its_grid.size} squares, not {len(text)}")
        for column, disc in enumerate(text):
            square = its_grid.number(row, column)
            if disc not in discs:
                raise BadText(f"{its_grid.names[square]} is {excerpt(disc)}, neither B nor W nor .")
            discs[disc] |= 1 << square
    return discs["B"], discs["W"]
