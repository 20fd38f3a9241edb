"""The rules once more, as plainly as can be: lists, loops and copies. Speed is measured by them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, Self

Cell = tuple[int, int]

AROUND = ((-1, 0), (0, 1), (1, 0), (0, -1))


class Naive(Protocol):
    """A position; a move is its text."""

    def moves(self) -> Sequence[str]: ...

    def play(self, move: str) -> Self: ...


def perft(position: Naive, depth: int) -> int:
    moves = position.moves()
    if depth == 1:
        return len(moves)
    return sum(perft(position.play(move), depth - 1) for move in moves)


@dataclass
class Sudoku:
    """The classic variant. The oracle tries every value in the first empty cell, and so on."""

    m: int
    n: int
    rows: list[list[int]]
    taboo: list[str]

    @classmethod
    def read(cls, text: str) -> Self:
        _, size, cells, _, _, taboo = text.split(" ")
        m, n = (int(number) for number in size.split("x"))
        rows = [[0 if cell == "." else int(cell) for cell in row.split(",")] for row in cells.split("/")]
        return cls(m, n, rows, [] if taboo == "-" else taboo.split(","))

    def moves(self) -> list[str]:
        side = self.m * self.n
        found = []
        for row in range(side):
            for column in range(side):
                values = [value for value in range(1, side + 1) if self.fits(row, column, value)]
                found += [f"r{row + 1}c{column + 1}={value}" for value in values]
        return [move for move in found if move not in self.taboo]

    def play(self, move: str) -> Self:
        place, value = move.split("=")
        row, column = (int(number) - 1 for number in place.removeprefix("r").split("c"))
        after = type(self)(self.m, self.n, [row[:] for row in self.rows], self.taboo[:])
        after.rows[row][column] = int(value)
        if not after.solvable():
            after.rows[row][column] = 0
            after.taboo.append(move)
        return after

    def fits(self, row: int, column: int, value: int) -> bool:
        if self.rows[row][column]:
            return False
        for index in range(self.m * self.n):
            if self.rows[row][index] == value or self.rows[index][column] == value:
                return False
        top, left = row // self.m * self.m, column // self.n * self.n
        for down in range(self.m):
            for right in range(self.n):
                if self.rows[top + down][left + right] == value:
                    return False
        return True

    def solvable(self) -> bool:
        side = self.m * self.n
        for row in range(side):
            for column in range(side):
                if not self.rows[row][column]:
                    for value in range(1, side + 1):
                        if self.fits(row, column, value):
                            self.rows[row][column] = value
                            solved = self.solvable()
                            self.rows[row][column] = 0
                            if solved:
                                return True
                    return False
        return True


@dataclass
class Reversi:
    rows: list[list[str]]
    own: str
    rival: str

    @classmethod
    def read(cls, text: str) -> Self:
        _, rows, seat = text.split(" ")
        own, rival = "BW" if seat == "1" else "WB"
        return cls([list(row) for row in rows.split("/")], own, rival)

    def moves(self) -> list[str]:
        found = self.squares(self.own, self.rival)
        if not found and self.squares(self.rival, self.own):
            return ["pass"]
        return [f"{chr(ord('a') + column)}{row + 1}" for row, column in found]

    def play(self, move: str) -> Self:
        after = type(self)([row[:] for row in self.rows], self.rival, self.own)
        if move != "pass":
            row, column = int(move[1:]) - 1, ord(move[0]) - ord("a")
            for r, c in [(row, column), *self.flips(row, column, self.own, self.rival)]:
                after.rows[r][c] = self.own
        return after

    def squares(self, own: str, rival: str) -> list[Cell]:
        size = len(self.rows)
        places = [(row, column) for row in range(size) for column in range(size)]
        return [place for place in places if self.flips(*place, own, rival)]

    def flips(self, row: int, column: int, own: str, rival: str) -> list[Cell]:
        if self.rows[row][column] != ".":
            return []
        size = len(self.rows)
        found = []
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                run = []
                r, c = row + down, column + right
                while 0 <= r < size and 0 <= c < size and self.rows[r][c] == rival:
                    run.append((r, c))
                    r, c = r + down, c + right
                if run and 0 <= r < size and 0 <= c < size and self.rows[r][c] == own:
                    found += run
        return found


def _tetrominoes() -> list[list[Cell]]:
    shapes: list[list[Cell]] = [[(0, 0)]]
    for _ in range(3):
        larger: list[list[Cell]] = []
        for shape in shapes:
            for row, column in shape:
                for down, right in AROUND:
                    cells = sorted({*shape, (row + down, column + right)})
                    top, left = min(r for r, _ in cells), min(c for _, c in cells)
                    moved = sorted((r - top, c - left) for r, c in cells)
                    if len(moved) > len(shape) and moved not in larger:
                        larger.append(moved)
        shapes = larger
    return shapes


TETROMINOES = _tetrominoes()


@dataclass
class Tetress:
    rows: list[list[str]]
    plies: int

    @classmethod
    def read(cls, text: str) -> Self:
        _, rows, plies = text.split(" ")
        return cls([list(row) for row in rows.split("/")], int(plies))

    def moves(self) -> list[str]:
        if self.plies >= 150:
            return []
        own = "RB"[self.plies % 2]
        found = []
        for shape in TETROMINOES:
            for top in range(11):
                for left in range(11):
                    cells = sorted(((top + row) % 11, (left + column) % 11) for row, column in shape)
                    if all(self.rows[row][column] == "." for row, column in cells) and (
                        self.plies < 2 or any(self.touches(row, column, own) for row, column in cells)
                    ):
                        found.append(",".join(f"{row}-{column}" for row, column in cells))
        return found

    def touches(self, row: int, column: int, own: str) -> bool:
        return any(self.rows[(row + down) % 11][(column + right) % 11] == own for down, right in AROUND)

    def play(self, move: str) -> Self:
        after = type(self)([row[:] for row in self.rows], self.plies + 1)
        for cell in move.split(","):
            row, column = map(int, cell.split("-"))
            after.rows[row][column] = "RB"[self.plies % 2]
        full_rows = [row for row in range(11) if "." not in after.rows[row]]
        full_columns = [column for column in range(11) if all(row[column] != "." for row in after.rows)]
        for row in range(11):
            for column in range(11):
                if row in full_rows or column in full_columns:
                    after.rows[row][column] = "."
        return after


@dataclass
class Colosseum:
    size: int
    players: list[Cell]
    seat: int
    #: For every cell, which of its four sides (u, r, d, l) have a wall.
    walls: list[list[list[bool]]]

    @classmethod
    def read(cls, text: str) -> Self:
        size, first, second, seat, walls = text.split(" ")
        side = int(size)
        players = [tuple(map(int, place.split(","))) for place in (first, second)]
        border = [
            [[row == 0, column == side - 1, row == side - 1, column == 0] for column in range(side)]
            for row in range(side)
        ]
        position = cls(side, [(row, column) for row, column in players], int(seat) - 1, border)
        for wall in [] if walls == "-" else walls.split("/"):
            position.build(wall)
        return position

    def build(self, wall: str) -> None:
        row, column, direction = wall.split(",")
        index = "urdl".index(direction)
        down, right = AROUND[index]
        self.walls[int(row)][int(column)][index] = True
        self.walls[int(row) + down][int(column) + right][(index + 2) % 4] = True

    def moves(self) -> list[str]:
        if self.players[1] not in self.area(self.players[0]):
            return []
        found = []
        for row, column in sorted(self.reach()):
            for index, direction in enumerate("urdl"):
                if not self.walls[row][column][index]:
                    found.append(f"{row},{column},{direction}")
        return found

    def play(self, move: str) -> Self:
        walls = [[sides[:] for sides in row] for row in self.walls]
        after = type(self)(self.size, self.players[:], 1 - self.seat, walls)
        row, column, _ = move.split(",")
        after.players[self.seat] = (int(row), int(column))
        after.build(move)
        return after

    def reach(self) -> list[Cell]:
        reached = [self.players[self.seat]]
        for _ in range((self.size + 1) // 2):
            for cell in list(reached):
                for beside in self.beside(cell):
                    if beside not in reached and beside != self.players[1 - self.seat]:
                        reached.append(beside)
        return reached

    def area(self, start: Cell) -> list[Cell]:
        area = [start]
        for cell in area:
            area += [beside for beside in self.beside(cell) if beside not in area]
        return area

    def beside(self, cell: Cell) -> list[Cell]:
        row, column = cell
        return [
            (row + down, column + right)
            for index, (down, right) in enumerate(AROUND)
            if not self.walls[row][column][index]
        ]
