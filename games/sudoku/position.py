"""Competitive Sudoku: the position and its rules."""

import re
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise
from typing import Self

from games.errors import BadText, IllegalMove
from games.position import Outcome, Seat, other
from games.sudoku.move import Move, excerpt
from games.sudoku.oracle import solvable
from games.sudoku.shape import SIZES, Shape, shape

#: Points for completing 0, 1, 2 or 3 regions at once.
POINTS = (0, 1, 3, 7)
#: A 25x25 board with every move on the taboo list is shorter.
LONGEST = 200_000

_FIELDS = ("variant", "size", "cells", "scores", "seat", "taboo list")
_SCORES = re.compile("(0|[1-9][0-9]{0,4}):(0|[1-9][0-9]{0,4})")
_SIZES = {f"{m}x{n}": (m, n) for m, n in SIZES}


@dataclass(frozen=True, slots=True)
class Sudoku:
    """No value stands twice in a row, column or block. Solvable at the start, and `play` keeps it so.

    While it is solvable and not full there is a legal move that is not taboo: the solution's own.
    """

    shape: Shape
    #: Row by row, 0 is empty.
    cells: tuple[int, ...]
    scores: tuple[int, int] = (0, 0)
    seat: Seat = 1
    taboo: frozenset[Move] = frozenset()
    last: str = field(default="", compare=False)
    effect: str = field(default="", compare=False)
    #: Per region, the values it holds, value v as bit v.
    used: tuple[int, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        used = [0] * (3 * self.shape.side)
        for cell, value in enumerate(self.cells):
            if value:
                bit = 1 << value
                for region in self.shape.regions[cell]:
                    if used[region] & bit:
                        name = self.shape.region_name(region)
                        raise BadText(
                            f"value {value} stands twice in {name}, again at {self.shape.place(cell)}"
                        )
                    used[region] |= bit
        object.__setattr__(self, "used", tuple(used))

    def __str__(self) -> str:
        side = self.shape.side
        texts = [str(value or ".") for value in self.cells]
        rows = "/".join(",".join(texts[start : start + side]) for start in range(0, side * side, side))
        taboo = ",".join(map(str, sorted(self.taboo))) or "-"
        return f"classic {self.shape} {rows} {self.scores[0]}:{self.scores[1]} {self.seat} {taboo}"

    @classmethod
    def parse(cls, text: str) -> Self:
        if len(text) > LONGEST:
            raise BadText(f"a position has at most {LONGEST} characters, this text has {len(text)}")
        fields = text.split(" ")
        if len(fields) != len(_FIELDS):
            raise BadText(
                f"a position has {len(_FIELDS)} fields with one space between them"
                f" ({', '.join(_FIELDS)}), this text has {len(fields)}"
            )
        variant, size, rows, scores, seat, taboo = fields
        if variant != "classic":
            raise BadText(f"the variant of a position is classic, not {excerpt(variant)}")
        if size not in _SIZES:
            raise BadText(f"the size of a position is one of {', '.join(_SIZES)}, not {excerpt(size)}")
        its_shape = shape(*_SIZES[size])
        score = _SCORES.fullmatch(scores)
        if score is None:
            raise BadText(f"the scores of a position are written 3:0, not {excerpt(scores)}")
        if seat not in ("1", "2"):
            raise BadText(f"the seat to move is 1 or 2, not {excerpt(seat)}")
        return cls(
            its_shape,
            _parse_rows(rows, its_shape.side),
            (int(score[1]), int(score[2])),
            1 if seat == "1" else 2,
            _parse_taboo(taboo, its_shape.side),
        )

    def legal_moves(self) -> list[str]:
        """Everything that row, column, block and taboo list allow, also what will turn out to be taboo."""
        side, regions, used = self.shape.side, self.shape.regions, self.used
        values = [(1 << value, value) for value in range(1, side + 1)]
        moves = []
        for cell, held in enumerate(self.cells):
            if not held:
                row, column, block = regions[cell]
                taken = used[row] | used[column] | used[block]
                place = self.shape.place(cell)
                moves += [f"{place}={value}" for bit, value in values if not taken & bit]
        if self.taboo:
            taboo = set(map(str, self.taboo))
            moves = [move for move in moves if move not in taboo]
        return moves

    def points(self, move: str) -> int:
        """What a legal move scores by completing regions, if it does not turn out to be taboo."""
        row, column, _ = Move.parse(move)
        return self._points(self._cell(row, column))

    def play(self, move: str) -> Self:
        if 0 not in self.cells:
            raise IllegalMove(f"{excerpt(move)} comes after the end: the board is full")
        try:
            parsed = Move.parse(move)
            parsed.check(self.shape.side)
        except BadText as error:
            raise IllegalMove(str(error)) from None
        row, column, value = parsed
        cell = self._cell(row, column)
        if self.cells[cell]:
            raise IllegalMove(f"{move}: the cell holds {self.cells[cell]} already")
        for region in self.shape.regions[cell]:
            if self.used[region] >> value & 1:
                raise IllegalMove(f"{move}: {value} stands in {self.shape.region_name(region)} already")
        if parsed in self.taboo:
            raise IllegalMove(f"{move} is on the taboo list")

        return self.settle(parsed, answer=solvable(self.shape, self._with(cell, value)))

    def settle(self, move: Move, *, answer: bool | None) -> Self:
        """The position after a legal move, given what the oracle says of it."""
        if answer is False:
            effect = "taboo: no solution left, the turn passes"
            return replace(
                self, seat=other(self.seat), taboo=self.taboo | {move}, last=str(move), effect=effect
            )
        cell = self._cell(move.row, move.column)
        points = self._points(cell)
        effects = [f"{points} point{'s' * (points > 1)}"] if points else []
        if answer is None:
            effects.append("oracle undecided")
        first, second = self.scores
        scores = (first + points, second) if self.seat == 1 else (first, second + points)
        return replace(
            self,
            cells=self._with(cell, move.value),
            scores=scores,
            seat=other(self.seat),
            last=str(move),
            effect=", ".join(effects),
        )

    def outcome(self) -> Outcome | None:
        if 0 in self.cells:
            return None
        first, second = self.scores
        winner: Seat | None = None if first == second else 1 if first > second else 2
        return Outcome(winner, self.scores, "board full")

    def draw(self, *, colour: bool = False) -> str:
        m, n, side = self.shape.m, self.shape.n, self.shape.side
        width = len(str(side)) + 2
        last = None
        if self.last:
            row, column, _ = Move.parse(self.last)
            last = self._cell(row, column)

        def shown(cell: int) -> str:
            text = str(self.cells[cell] or ".")
            if cell != last:
                return f"{text} ".rjust(width)
            if colour:
                return f"\x1b[7m{f'{text} '.rjust(width)}\x1b[0m"
            return f"[{text}]".rjust(width)

        rule = "   +" + ("-" * (width * n) + "+") * m
        header = [f"{column} ".rjust(width) for column in range(1, side + 1)]
        lines = ["    " + " ".join("".join(header[start : start + n]) for start in range(0, side, n))]
        for row in range(side):
            if row % m == 0:
                lines.append(rule)
            cells = [shown(cell) for cell in range(row * side, row * side + side)]
            blocks = "|".join("".join(cells[start : start + n]) for start in range(0, side, n))
            lines.append(f"{row + 1:2} |{blocks}|")
        lines.append(rule)
        whose = f"player {self.seat} to move" if 0 in self.cells else "board full"
        lines.append(f"{self.scores[0]} : {self.scores[1]}, {whose}")
        taboo = [
            str(move) for move in sorted(self.taboo) if not self.cells[self._cell(move.row, move.column)]
        ]
        if taboo:
            lines.append(f"taboo: {' '.join(taboo)}")
        return "\n".join(line.rstrip() for line in lines)

    def _cell(self, row: int, column: int) -> int:
        return (row - 1) * self.shape.side + column - 1

    def _with(self, cell: int, value: int) -> tuple[int, ...]:
        return (*self.cells[:cell], value, *self.cells[cell + 1 :])

    def _points(self, cell: int) -> int:
        lacks_one = self.shape.side - 1
        return POINTS[sum(self.used[region].bit_count() == lacks_one for region in self.shape.regions[cell])]


@cache
def _values(side: int) -> dict[str, int]:
    """Every text a cell may have: no other spelling of a number is taken."""
    return {".": 0} | {str(value): value for value in range(1, side + 1)}


def _parse_rows(text: str, side: int) -> tuple[int, ...]:
    rows = text.split("/")
    if len(rows) != side:
        raise BadText(f"the cells of a position have {side} rows between slashes, not {len(rows)}")
    values = _values(side)
    cells: list[int] = []
    for number, row in enumerate(rows, start=1):
        texts = row.split(",")
        if len(texts) != side:
            raise BadText(f"row {number} has {side} cells between commas, not {len(texts)}")
        try:
            cells += [values[cell] for cell in texts]
        except KeyError as error:
            wrong: str = error.args[0]
            place = f"r{number}c{texts.index(wrong) + 1}"
            raise BadText(f"{place} is {excerpt(wrong)}, neither . nor a value from 1 to {side}") from None
    return tuple(cells)


def _parse_taboo(text: str, side: int) -> frozenset[Move]:
    if text == "-":
        return frozenset()
    moves = [Move.parse(move) for move in text.split(",")]
    for move in moves:
        move.check(side)
    for move, following in pairwise(moves):
        if following <= move:
            raise BadText(f"the taboo list, sorted by row, column and value, has {following} after {move}")
    return frozenset(moves)
