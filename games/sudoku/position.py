"""Competitive Sudoku: the position and its rules."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import pairwise
from typing import Self

from games.errors import BadText, IllegalMove, excerpt
from games.position import Outcome, Seat, other
from games.sudoku.move import Move
from games.sudoku.oracle import solvable, unsolvable
from games.sudoku.shape import SIZES, Shape, shape
from games.sudoku.territory import MARKS, TERRITORIES, Territory
from games.text import fields

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

    While it is solvable there is for every empty cell a legal move that is not taboo: the solution's own. The
    seat to move has a cell to play in unless the game is over.
    """

    shape: Shape
    #: Row by row, 0 is empty.
    cells: tuple[int, ...]
    scores: tuple[int, int] = (0, 0)
    seat: Seat = 1
    taboo: frozenset[Move] = frozenset()
    #: None in the classic variant: everybody may use every empty cell.
    territory: Territory | None = None
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
        if self.territory is not None and self.territory.after(other(self.seat)) != self.seat:
            raise BadText(
                f"player {self.seat} has no cell to play in, so that player {other(self.seat)} moves"
            )

    @property
    def variant(self) -> str:
        return self.territory.variant if self.territory else "classic"

    def __str__(self) -> str:
        side = self.shape.side
        texts = self._cell_texts()
        rows = "/".join(",".join(texts[start : start + side]) for start in range(0, side * side, side))
        taboo = ",".join(map(str, sorted(self.taboo))) or "-"
        return f"{self.variant} {self.shape} {rows} {self.scores[0]}:{self.scores[1]} {self.seat} {taboo}"

    @classmethod
    def parse(cls, text: str) -> Self:
        variant, size, rows, scores, seat, taboo = fields(text, _FIELDS, longest=LONGEST)
        if variant != "classic" and variant not in TERRITORIES:
            known = ", ".join(("classic", *TERRITORIES))
            raise BadText(f"the variant of a position is one of {known}, not {excerpt(variant)}")
        if size not in _SIZES:
            raise BadText(f"the size of a position is one of {', '.join(_SIZES)}, not {excerpt(size)}")
        its_shape = shape(*_SIZES[size])
        score = _SCORES.fullmatch(scores)
        if score is None:
            raise BadText(f"the scores of a position are written 3:0, not {excerpt(scores)}")
        if seat not in ("1", "2"):
            raise BadText(f"the seat to move is 1 or 2, not {excerpt(seat)}")
        values = _values(its_shape.side, MARKS[:1] if variant == "classic" else MARKS)
        texts = _parse_rows(rows, its_shape.side, values)
        return cls(
            its_shape,
            tuple(values[text] for text in texts),
            (int(score[1]), int(score[2])),
            1 if seat == "1" else 2,
            _parse_taboo(taboo, its_shape.side),
            None if variant == "classic" else Territory.read(variant, texts),
        )

    def legal_moves(self) -> list[str]:
        """Everything that territory, row, column, block and taboo list allow, also what will turn out to be taboo."""
        regions, used, place = self.shape.regions, self.used, self.shape.place
        everything = (2 << self.shape.side) - 2
        moves: list[str] = []
        for cell in self._usable():
            row, column, block = regions[cell]
            free = everything & ~(used[row] | used[column] | used[block])
            moves += _move_texts(place(cell), free)
        if self.taboo:
            taboo = set(map(str, self.taboo))
            moves = [move for move in moves if move not in taboo]
        return moves

    def points(self, move: str) -> int:
        """What a legal move scores by completing regions, if it does not turn out to be taboo."""
        row, column, _ = Move.parse(move)
        return self._points(self._cell(row, column))

    def taboo_moves(self) -> list[str]:
        """The legal moves that will turn out to be taboo; asks the oracle far less than once a move."""
        moves = [Move.parse(move) for move in self.legal_moves()]
        pairs = [(self._cell(row, column), value) for row, column, value in moves]
        dead = unsolvable(self.shape, self.cells, pairs)
        return [str(move) for move, pair in zip(moves, pairs, strict=True) if pair in dead]

    def play(self, move: str) -> Self:
        parsed = self._checked(move)
        return self.settle(parsed, answer=solvable(self.shape, self._with(parsed)))

    def settle(self, move: Move, *, answer: bool | None) -> Self:
        """The position after a legal move, given what the oracle says of it."""
        cell = self._cell(move.row, move.column)
        cells, scores, taboo, territory = self.cells, self.scores, self.taboo, self.territory
        effects = []
        if answer is False:
            taboo |= {move}
            effects.append("taboo: no solution left, the turn passes")
        else:
            cells = self._with(move)
            points = self._points(cell)
            if points:
                effects.append(f"{points} point{'s' * (points > 1)}")
                first, second = scores
                scores = (first + points, second) if self.seat == 1 else (first, second + points)
            if answer is None:
                effects.append("oracle undecided")
            if territory is not None:
                territory = territory.placed(self.seat, cell, cells=cells)
        seat = other(self.seat) if territory is None else territory.after(self.seat)
        if seat == self.seat:
            effects.append(f"player {other(seat)} is skipped")
        return replace(
            self,
            cells=cells,
            scores=scores,
            seat=seat,
            taboo=taboo,
            territory=territory,
            last=str(move),
            effect=", ".join(effects),
        )

    def outcome(self) -> Outcome | None:
        if not self._end:
            return None
        first, second = self.scores
        winner: Seat | None = None if first == second else 1 if first > second else 2
        return Outcome(winner, self.scores, self._end)

    def draw(self, *, colour: bool = False) -> str:
        m, n, side = self.shape.m, self.shape.n, self.shape.side
        width = len(str(side)) + 2
        texts = self._cell_texts()
        last = None
        if self.last:
            row, column, _ = Move.parse(self.last)
            last = self._cell(row, column)

        def shown(cell: int) -> str:
            text = texts[cell]
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
        lines.append(f"{self.scores[0]} : {self.scores[1]}, {self._end or f'player {self.seat} to move'}")
        if self.territory is not None and not self._end:
            lines.append("a: player 1 may use the cell, b: player 2, *: both")
        taboo = [
            str(move) for move in sorted(self.taboo) if not self.cells[self._cell(move.row, move.column)]
        ]
        if taboo:
            lines.append(f"taboo: {' '.join(taboo)}")
        return "\n".join(line.rstrip() for line in lines)

    def _checked(self, move: str) -> Move:
        if self._end:
            raise IllegalMove(f"{excerpt(move)} comes after the end: {self._end}")
        try:
            parsed = Move.parse(move)
            parsed.check(self.shape.side)
        except BadText as error:
            raise IllegalMove(str(error)) from None
        row, column, value = parsed
        cell = self._cell(row, column)
        if self.cells[cell]:
            raise IllegalMove(f"{move}: the cell holds {self.cells[cell]} already")
        if self.territory is not None and not self.territory.allows(self.seat, cell):
            raise IllegalMove(f"{move}: the cell is outside the territory of player {self.seat}")
        for region in self.shape.regions[cell]:
            if self.used[region] >> value & 1:
                raise IllegalMove(f"{move}: {value} stands in {self.shape.region_name(region)} already")
        if parsed in self.taboo:
            raise IllegalMove(f"{move} is on the taboo list")
        return parsed

    @property
    def _end(self) -> str:
        """Why the game is over; empty while it is not."""
        if 0 not in self.cells:
            return "board full"
        if self.territory is not None and self.territory.is_spent():
            return "no playable cell for either player"
        return ""

    def _usable(self) -> list[int]:
        """Empty cells that the seat to move may use."""
        if self.territory is None:
            return [cell for cell, held in enumerate(self.cells) if not held]
        return [cell for cell, held in enumerate(self.cells) if self.territory.allows(self.seat, cell)]

    def _cell_texts(self) -> list[str]:
        if self.territory is None:
            return [str(held or ".") for held in self.cells]
        return [str(held) if held else self.territory.mark(cell) for cell, held in enumerate(self.cells)]

    def _cell(self, row: int, column: int) -> int:
        return (row - 1) * self.shape.side + column - 1

    def _with(self, move: Move) -> tuple[int, ...]:
        cell = self._cell(move.row, move.column)
        return (*self.cells[:cell], move.value, *self.cells[cell + 1 :])

    def _points(self, cell: int) -> int:
        lacks_one = self.shape.side - 1
        return POINTS[sum(self.used[region].bit_count() == lacks_one for region in self.shape.regions[cell])]


@lru_cache(maxsize=1 << 16)
def _move_texts(place: str, values: int) -> tuple[str, ...]:
    """Moves in one place, of the values in the bits."""
    return tuple(f"{place}={value}" for value in range(1, values.bit_length()) if values >> value & 1)


@cache
def _values(side: int, marks: tuple[str, ...]) -> dict[str, int]:
    """Every text a cell may have: no other spelling of a number is taken."""
    return dict.fromkeys(marks, 0) | {str(value): value for value in range(1, side + 1)}


def _parse_rows(text: str, side: int, known: Mapping[str, int]) -> list[str]:
    rows = text.split("/")
    if len(rows) != side:
        raise BadText(f"the cells of a position have {side} rows between slashes, not {len(rows)}")
    cells: list[str] = []
    for number, row in enumerate(rows, start=1):
        texts = row.split(",")
        if len(texts) != side:
            raise BadText(f"row {number} has {side} cells between commas, not {len(texts)}")
        if not known.keys() >= set(texts):
            column, wrong = next((column, cell) for column, cell in enumerate(texts, 1) if cell not in known)
            marks = " nor ".join(mark for mark in MARKS if mark in known)
            place = f"r{number}c{column}"
            raise BadText(f"{place} is {excerpt(wrong)}, neither {marks} nor a value from 1 to {side}")
        cells += texts
    return cells


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
