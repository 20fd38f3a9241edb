"""A Sudoku board for sampling, with scores and keys."""

from collections.abc import Hashable

from games.sudoku import Sudoku
from games.sudoku.search import Table


class Placements(Table):
    """Every placement counts as made: no oracle is asked, and a dead end is an end."""

    def __init__(self, position: Sudoku) -> None:
        super().__init__(position)
        self.scores = list(position.scores)
        self._scored: list[int] = []

    @property
    def key(self) -> Hashable:
        return (*self.cells, self.seat, *sorted(self._taboo))

    def make(self, move: tuple[int, int]) -> None:
        points = self.points(move[0])
        self.scores[self.seat - 1] += points
        self._scored.append(points)
        super().make(move)

    def undo(self) -> None:
        super().undo()
        self.scores[self.seat - 1] -= self._scored.pop()
