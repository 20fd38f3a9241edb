"""A move: a value for a cell, in text `r3c4=7`."""

import re
from typing import NamedTuple, Self

from games.errors import BadText, excerpt

_NUMBER = "(0|[1-9][0-9]{0,5})"
_MOVE = re.compile(f"r{_NUMBER}c{_NUMBER}={_NUMBER}")


class Move(NamedTuple):
    """Rows, columns and values count from 1; sorts by row, column, value."""

    row: int
    column: int
    value: int

    def __str__(self) -> str:
        return f"r{self.row}c{self.column}={self.value}"

    @classmethod
    def parse(cls, text: str) -> Self:
        match = _MOVE.fullmatch(text)
        if match is None:
            raise BadText(f"{excerpt(text)} is no move: write r3c4=7 for a 7 in row 3, column 4")
        row, column, value = match.groups()
        return cls(int(row), int(column), int(value))

    def check(self, side: int) -> None:
        for name, number in zip(self._fields, self, strict=True):
            if not 1 <= number <= side:
                raise BadText(f"{self}: {name} {number} is not in 1 to {side}")
