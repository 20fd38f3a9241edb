"""Colosseum Survival: the position and its rules."""

import re
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Self

from games.colosseum.grid import PLAYABLE, SIDE_NAMES, SIDES, Grid, grid
from games.errors import BadText, IllegalMove, excerpt
from games.position import Outcome, Seat, other
from games.text import fields

#: A 12x12 board with all its walls is shorter.
LONGEST = 3000

_FIELDS = ("size", "cell of player 1", "cell of player 2", "seat", "walls")
_SIZES = {str(size): size for size in PLAYABLE}
_NUMBER = "(0|[1-9][0-9]{0,5})"
_PLACE = re.compile(f"{_NUMBER},{_NUMBER}")
_MOVE = re.compile(f"{_NUMBER},{_NUMBER},([{SIDES}])")


@dataclass(frozen=True, slots=True)
class Colosseum:
    """Two players on different cells. While they are connected the player to move has an open side to put a wall on."""

    grid: Grid
    #: The sides without a wall, as bits.
    sides: int
    #: The cells of the first and the second player, as numbers.
    places: tuple[int, int]
    seat: Seat = 1
    last: str = field(default="", compare=False)
    effect: str = field(default="", compare=False)
    #: The sizes of the two areas once the players are separated, 0 : 0 before.
    scores: tuple[int, int] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.places[0] == self.places[1]:
            raise BadText(f"both players stand on {self._place(self.places[0])}")
        first, second = (1 << 4 * place for place in self.places)
        area = self.grid.area(self.sides, first, second)
        separated = not area & second
        scores = (area.bit_count(), self.grid.area(self.sides, second).bit_count()) if separated else (0, 0)
        object.__setattr__(self, "scores", scores)

    def __str__(self) -> str:
        first, second = map(self._place, self.places)
        texts = self.grid.texts
        walls = self.grid.inner & ~self.sides
        # Every wall once: on the right or on the lower side of a cell.
        shown = [texts[number] for number in self.grid.listed(walls) if number % 4 in (1, 2)]
        return f"{self.grid.size} {first} {second} {self.seat} {'/'.join(shown) or '-'}"

    @classmethod
    def parse(cls, text: str) -> Self:
        size, first, second, seat, walls = fields(text, _FIELDS, longest=LONGEST)
        if size not in _SIZES:
            raise BadText(f"the size of a position is one of {', '.join(_SIZES)}, not {excerpt(size)}")
        its_grid = grid(_SIZES[size])
        places = (_parse_place(first, its_grid.size), _parse_place(second, its_grid.size))
        if seat not in ("1", "2"):
            raise BadText(f"the seat to move is 1 or 2, not {excerpt(seat)}")
        return cls(its_grid, _parse_walls(walls, its_grid), places, 1 if seat == "1" else 2)

    def legal_moves(self) -> list[str]:
        if self._over:
            return []
        own, rival = self.bits()
        texts = self.grid.texts
        return [texts[number] for number in self.grid.listed(self.grid.moves(self.sides, own, rival))]

    def play(self, move: str) -> Self:
        number = self._checked(move)
        cell = number // 4
        sides = self.sides ^ self.grid.both[number]
        return replace(
            self,
            sides=sides,
            places=(cell, self.places[1]) if self.seat == 1 else (self.places[0], cell),
            seat=other(self.seat),
            last=move,
            effect=self._effect(number, sides),
        )

    def outcome(self) -> Outcome | None:
        if not self._over:
            return None
        first, second = self.scores
        winner: Seat | None = None if first == second else 1 if first > second else 2
        return Outcome(winner, self.scores, "separated")

    def draw(self, *, colour: bool = False) -> str:
        size, both = self.grid.size, self.grid.both
        last = self.grid.numbers[self.last] if self.last else None

        def wall(number: int, text: str) -> str:
            """The side if it has a wall, else as much space; the newest wall is marked."""
            if self.sides >> number & 1:
                return " " * len(text)
            if last is None or not both[last] >> number & 1:
                return text
            return f"\x1b[7m{text}\x1b[0m" if colour else "#" * len(text)

        def shown(cell: int) -> str:
            if cell not in self.places:
                return "   "
            player = self.places.index(cell) + 1
            if player == self.seat or last is None:
                return f" {player} "
            return f"\x1b[7m {player} \x1b[0m" if colour else f"[{player}]"

        lines = ["    " + "".join(f"{column:>3} " for column in range(size))]
        for row in range(size):
            cells = range(row * size, row * size + size)
            lines.append("   +" + "".join(f"{wall(4 * cell, '---')}+" for cell in cells))
            inside = "".join(f"{shown(cell)}{wall(4 * cell + 1, '|')}" for cell in cells)
            lines.append(f"{row:>2} |{inside}")
        lines.append("   +" + "---+" * size)
        if self._over:
            lines.append(f"{self.scores[0]} : {self.scores[1]}, separated")
        else:
            lines.append(f"player {self.seat} to move, at most {self.grid.steps} steps")
        return "\n".join(line.rstrip() for line in lines)

    @property
    def _over(self) -> bool:
        return self.scores != (0, 0)

    def bits(self) -> tuple[int, int]:
        """The cells of the player to move and of the other one, as bits."""
        first, second = (1 << 4 * place for place in self.places)
        return (first, second) if self.seat == 1 else (second, first)

    def _place(self, cell: int) -> str:
        row, column = divmod(cell, self.grid.size)
        return f"{row},{column}"

    def _checked(self, move: str) -> int:
        if self._over:
            raise IllegalMove(f"{excerpt(move)} comes after the end: the players are separated")
        number = self.grid.numbers.get(move)
        if number is None:
            match = _MOVE.fullmatch(move)
            if match is None:
                wanted = "write 4,0,u for row 4, column 0 and a wall on its upper side"
                raise IllegalMove(f"{excerpt(move)} is no move: {wanted}")
            raise IllegalMove(
                f"{move} is not on the board: rows and columns go from 0 to {self.grid.size - 1}"
            )
        own, rival = self.bits()
        there = 1 << number // 4 * 4
        if there == rival:
            raise IllegalMove(f"{move}: player {other(self.seat)} stands on that cell")
        if not self.grid.reach(self.sides, own, rival) & there:
            start = self._place(self.places[self.seat - 1])
            raise IllegalMove(
                f"{move} is out of reach: {self.grid.steps} steps from {start} do not lead there"
            )
        if not self.sides >> number & 1:
            raise IllegalMove(f"{move}: the {SIDE_NAMES[number % 4]} side of that cell has a wall already")
        return number

    def _effect(self, number: int, sides: int) -> str:
        """What the wall does to the areas; the mover stands on one side of it."""
        behind = self.grid.behind[number]
        area = self.grid.area(sides, 1 << number // 4 * 4, behind)
        if area & behind:
            return ""
        _, rival = self.bits()
        if area & rival:
            count = self.grid.area(sides, behind).bit_count()
            return f"cuts off {count} cell{'s' * (count > 1)}"
        sizes = (area.bit_count(), self.grid.area(sides, rival).bit_count())
        first, second = sizes if self.seat == 1 else reversed(sizes)
        return f"separated: {first} for player 1, {second} for player 2"


def _parse_place(text: str, size: int) -> int:
    match = _PLACE.fullmatch(text)
    if match is None:
        raise BadText(f"the cell of a player is written 4,0 for row 4, column 0, not {excerpt(text)}")
    row, column = int(match[1]), int(match[2])
    if row >= size or column >= size:
        raise BadText(f"cell {text} is not on the board: rows and columns go from 0 to {size - 1}")
    return row * size + column


def _parse_walls(text: str, its_grid: Grid) -> int:
    """The sides that are left open."""
    if text == "-":
        return its_grid.inner
    numbers = []
    for wall in text.split("/"):
        number = its_grid.numbers.get(wall, -1)
        if number % 4 not in (1, 2) or number < 0 or not its_grid.both[number]:
            raise BadText(
                f"{excerpt(wall)} is no inner wall: write 4,0,r or 4,0,d for the right or lower side of 4,0"
            )
        numbers.append(number)
    for number, following in pairwise(numbers):
        if following <= number:
            wall, after = its_grid.texts[number], its_grid.texts[following]
            raise BadText(f"the walls, sorted by row, column and r before d, have {after} after {wall}")
    return its_grid.inner & ~sum(its_grid.both[number] for number in numbers)
