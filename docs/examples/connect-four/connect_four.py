"""Connect Four: two players drop discs into columns, and four in a line win."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Self

from bots import Turn
from games import BadText, Clock, Game, IllegalMove, Outcome, Seat, Unknown, other
from games.errors import excerpt

HEIGHT = 6
WIDTHS = range(4, 10)
#: The letters of the two seats' discs.
DISCS = "XO"
#: More than any position needs.
LONGEST = 100

LINES = ((1, 0), (0, 1), (1, 1), (1, -1))


@dataclass(frozen=True, slots=True)
class ConnectFour:
    """No column is higher than the board, and the players have moved in turns. Seat 1 has the X.

    Whose turn it is follows from the number of discs.
    """

    #: From left to right, each from the bottom up.
    columns: tuple[str, ...]
    last: str = field(default="", compare=False)
    effect: str = field(default="", compare=False)

    def __str__(self) -> str:
        return "/".join(column or "-" for column in self.columns)

    @classmethod
    def parse(cls, text: str) -> Self:
        if len(text) > LONGEST:
            raise BadText(f"a position has at most {LONGEST} characters, this text has {len(text)}")
        columns = tuple("" if column == "-" else column for column in text.split("/"))
        if len(columns) not in WIDTHS or "" in text.split("/"):
            raise BadText(
                f"a position has {WIDTHS[0]} to {WIDTHS[-1]} columns between slashes, - for an empty one,"
                f" like XO/-/X/-: {excerpt(text)} has not"
            )
        for number, column in enumerate(columns, 1):
            if len(column) > HEIGHT or not set(column) <= set(DISCS):
                raise BadText(f"column {number} has up to {HEIGHT} discs X and O, not {excerpt(column)}")
        first, second = ("".join(columns).count(disc) for disc in DISCS)
        if first - second not in (0, 1):
            raise BadText(f"X moves first and then in turns: there cannot be {first} X and {second} O")
        position = cls(columns)
        if position._has_four(position.seat):
            raise BadText(f"player {position.seat} has four in a line already, and could not be next to move")
        return position

    @property
    def seat(self) -> Seat:
        return 2 if sum(map(len, self.columns)) % 2 else 1

    @property
    def scores(self) -> tuple[int, int]:
        return int(self._has_four(1)), int(self._has_four(2))

    def legal_moves(self) -> list[str]:
        if self.outcome():
            return []
        return [str(number) for number, column in enumerate(self.columns, 1) if len(column) < HEIGHT]

    def play(self, move: str) -> Self:
        ended = self.outcome()
        if ended:
            raise IllegalMove(f"{excerpt(move)} comes after the end: {ended.reason}")
        if move not in map(str, range(1, len(self.columns) + 1)):
            raise IllegalMove(f"{excerpt(move)} is no move: write a column, 1 to {len(self.columns)}")
        index = int(move) - 1
        if len(self.columns[index]) == HEIGHT:
            raise IllegalMove(f"{move}: the column is full")
        column = self.columns[index] + DISCS[self.seat - 1]
        after = type(self)((*self.columns[:index], column, *self.columns[index + 1 :]), move)
        if after._has_four(self.seat):
            return type(self)(after.columns, move, "four in a line")
        return after

    def outcome(self) -> Outcome | None:
        mover = other(self.seat)
        if self._has_four(mover):
            return Outcome(mover, self.scores, "four in a line")
        if all(len(column) == HEIGHT for column in self.columns):
            return Outcome(None, (0, 0), "board full")
        return None

    def draw(self, *, colour: bool = False) -> str:
        indexes = range(len(self.columns))
        lines = ["".join(f" {index + 1} " for index in indexes)]
        for height in reversed(range(HEIGHT)):
            lines += ["".join(self._shown(index, height, colour) for index in indexes)]
        ended = self.outcome()
        lines += [ended.reason if ended else f"player {self.seat} ({DISCS[self.seat - 1]}) to move"]
        return "\n".join(line.rstrip() for line in lines)

    def _shown(self, index: int, height: int, colour: bool) -> str:
        disc = self.columns[index][height : height + 1] or "."
        if str(index + 1) != self.last or height != len(self.columns[index]) - 1:
            return f" {disc} "
        return f"\x1b[7m {disc} \x1b[0m" if colour else f"[{disc}]"

    def _has_four(self, seat: Seat) -> bool:
        disc = DISCS[seat - 1]
        cells = {
            (x, y) for x, column in enumerate(self.columns) for y, held in enumerate(column) if held == disc
        }
        return any(
            all((x + step * dx, y + step * dy) in cells for step in range(4))
            for x, y in cells
            for dx, dy in LINES
        )


def start(*, variant: str, seed: int, options: Mapping[str, str]) -> ConnectFour:
    del seed  # no lots are drawn
    GAME.check(variant, options)
    width = options.get("width", "7")
    if width not in map(str, WIDTHS):
        raise Unknown("width", width, map(str, WIDTHS))
    return ConnectFour(("",) * int(width))


GAME = Game(
    name="connect-four",
    summary="drop discs into columns; four of your own in a line win",
    notation="4 drops a disc into column 4",
    variants=("standard",),
    start=start,
    parse=ConnectFour.parse,
    options={"width": f"columns of the board, {WIDTHS[0]} to {WIDTHS[-1]} (default 7)"},
    clock=Clock(turn=0.5),
)


class Careful:
    """Wins if it can, lets nobody else win if it can help it, and stays near the middle."""

    def think(self, position: ConnectFour, turn: Turn) -> Iterator[str]:
        middle = (len(position.columns) + 1) / 2
        moves = sorted(position.legal_moves(), key=lambda move: abs(int(move) - middle))
        yield moves[0]
        safe = []
        for move in moves:
            after = position.play(move)
            if after.scores[turn.seat - 1]:
                yield move
                return
            if not any(after.play(reply).effect for reply in after.legal_moves()):
                safe.append(move)
        yield from safe[:1]
