"""A board for search: moves are made and taken back in place, and are numbers instead of texts."""

from games.colosseum.position import Colosseum
from games.position import Seat, other


class Board:
    """As `Colosseum`, with the player to move and the rival as cells in bits. A move is the number of a side."""

    def __init__(self, position: Colosseum) -> None:
        self.grid = position.grid
        #: The sides without a wall, as bits.
        self.sides = position.sides
        self.seat: Seat = position.seat
        self.own, self.rival = position.bits()
        #: Of the first and the second player once they are separated, 0 : 0 before.
        self.scores = position.scores
        self._history: list[tuple[int, int]] = []
        #: The moves made here and not taken back.
        self.played: list[int] = []

    def over(self) -> bool:
        return self.scores != (0, 0)

    @property
    def key(self) -> tuple[int, int, int, Seat]:
        """Equal for equal positions only."""
        return (self.sides, self.own, self.rival, self.seat)

    def moves(self) -> list[int]:
        """In the order of `Colosseum.legal_moves`."""
        return [] if self.over() else self.grid.listed(self.grid.moves(self.sides, self.own, self.rival))

    def count(self) -> int:
        """How many moves there are, without listing them."""
        return 0 if self.over() else self.grid.moves(self.sides, self.own, self.rival).bit_count()

    def make(self, move: int) -> None:
        grid = self.grid
        sides = self.sides ^ grid.both[move]
        here, rival = 1 << (move & ~3), self.rival
        self._history.append((self.sides, self.own))
        self.played.append(move)
        # Before the move the players were connected, so they still are if there is a way round the new wall.
        area = grid.area(sides, here, rival | grid.behind[move])
        if not area & (rival | grid.behind[move]):
            sizes = (area.bit_count(), grid.area(sides, rival).bit_count())
            self.scores = sizes if self.seat == 1 else (sizes[1], sizes[0])
        self.sides, self.own, self.rival = sides, rival, here
        self.seat = other(self.seat)

    def undo(self) -> None:
        # Only the last move can have ended the game.
        self.scores = (0, 0)
        self.seat = other(self.seat)
        self.rival = self.own
        self.sides, self.own = self._history.pop()
        self.played.pop()

    def text(self, move: int) -> str:
        return self.grid.texts[move]

    def number(self, text: str) -> int:
        """The move of this canonical text."""
        return self.grid.numbers[text]
