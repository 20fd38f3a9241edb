"""A board for search: placements are made and taken back in place, by their numbers."""

from games.position import Seat
from games.tetress.placement import PLACEMENTS, by_bit, chosen, parse_placement
from games.tetress.position import Tetress, open_placements

_NUMBERS = by_bit([placement.number for placement in PLACEMENTS], -1)


class Board:
    """Agrees with the position that `play` would lead to. `own` are the tokens of the seat to move."""

    def __init__(self, position: Tetress) -> None:
        red_moves = position.seat == 1
        self.own = position.red if red_moves else position.blue
        self.rival = position.blue if red_moves else position.red
        self.plies = position.plies
        self._history: list[tuple[int, int]] = []

    @property
    def seat(self) -> Seat:
        return 2 if self.plies % 2 else 1

    @property
    def key(self) -> tuple[int, int, int]:
        """Equal for equal positions, and for no others."""
        return self.own, self.rival, self.plies

    @property
    def before(self) -> tuple[int, int]:
        """The tokens before the last move made here, first those of the seat that made it."""
        return self._history[-1]

    def moves(self) -> list[int]:
        """In the order of `Tetress.legal_moves`; empty when the game is over."""
        return chosen(_NUMBERS, open_placements(self.own, self.rival, self.plies))

    def count(self) -> int:
        """How many moves there are, at a fraction of the cost of listing them."""
        return open_placements(self.own, self.rival, self.plies).bit_count()

    def over(self) -> bool:
        return not open_placements(self.own, self.rival, self.plies)

    def make(self, move: int) -> None:
        """`move` is one of `moves()`."""
        own, rival = self.own, self.rival
        self._history.append((own, rival))
        self.plies += 1
        placement = PLACEMENTS[move]
        own |= placement.cells
        for line in placement.full_lines(own | rival):
            own, rival = own & ~line, rival & ~line
        self.own, self.rival = rival, own

    def undo(self) -> None:
        self.own, self.rival = self._history.pop()
        self.plies -= 1

    def text(self, move: int) -> str:
        return PLACEMENTS[move].text

    def number(self, text: str) -> int:
        return parse_placement(text).number
