"""What can be turned, moved or exchanged in our games without a difference, as maps of texts."""

import re

from games.conformance import Symmetry


def numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall("[0-9]+", text)]


def sudoku_turned(text: str) -> str:
    variant, size, cells, scores, seat, taboo = text.split(" ")
    rows = [row.split(",") for row in cells.split("/")]
    turned = "/".join(",".join(column) for column in zip(*rows, strict=True))
    moves = sorted(map(sudoku_move_turned, taboo.split(",")), key=numbers) if taboo != "-" else ["-"]
    return " ".join([variant, size, turned, scores, seat, ",".join(moves)])


def sudoku_move_turned(move: str) -> str:
    row, column, value = numbers(move)
    return f"r{column}c{row}={value}"


def reversi_turned(text: str) -> str:
    variant, rows, seat = text.split(" ")
    return f"{variant} {'/'.join(map(''.join, zip(*rows.split('/'), strict=True)))} {seat}"


def reversi_move_turned(move: str) -> str:
    if move == "pass":
        return move
    return f"{chr(ord('a') + int(move[1:]) - 1)}{ord(move[0]) - ord('a') + 1}"


def reversi_exchanged(text: str) -> str:
    variant, rows, seat = text.split(" ")
    return f"{variant} {rows.translate(str.maketrans('BW', 'WB'))} {3 - int(seat)}"


def tetress_moved(text: str) -> str:
    variant, cells, plies = text.split(" ")
    *above, below = [row[-1] + row[:-1] for row in cells.split("/")]
    return f"{variant} {'/'.join([below, *above])} {plies}"


def tetress_move_moved(move: str) -> str:
    cells = sorted([(number + 1) % 11 for number in numbers(cell)] for cell in move.split(","))
    return ",".join(f"{row}-{column}" for row, column in cells)


def colosseum_turned(text: str) -> str:
    """By half a turn; a wall on the right of a cell is then on the left of another, so it is named by its neighbour."""
    size, first, second, seat, walls = text.split(" ")
    far = int(size) - 1

    def place(cell: str) -> str:
        row, column = numbers(cell)
        return f"{far - row},{far - column}"

    def wall(side: str) -> tuple[int, int, str]:
        row, column = numbers(side)
        down, right = (0, 1) if side[-1] == "r" else (1, 0)
        return far - row - down, far - column - right, side[-1]

    turned = (
        sorted(map(wall, walls.split("/")), key=lambda one: (one[0], one[1], "rd".index(one[2])))
        if walls != "-"
        else []
    )
    shown = "/".join(f"{row},{column},{side}" for row, column, side in turned) or "-"
    return f"{size} {place(first)} {place(second)} {seat} {shown}"


def colosseum_move_turned(move: str) -> str:
    """On a board of 6x6."""
    row, column = numbers(move)
    return f"{5 - row},{5 - column},{'urdl'['dlur'.index(move[-1])]}"


def colosseum_exchanged(text: str) -> str:
    size, first, second, seat, walls = text.split(" ")
    return f"{size} {second} {first} {3 - int(seat)} {walls}"


def same(move: str) -> str:
    return move


SUDOKU = (Symmetry("turned over the diagonal", sudoku_turned, sudoku_move_turned),)
REVERSI = (
    Symmetry("turned over the diagonal", reversi_turned, reversi_move_turned),
    Symmetry("colours exchanged", reversi_exchanged, same, swaps=True),
)
TETRESS = (Symmetry("moved by a row and a column", tetress_moved, tetress_move_moved),)
COLOSSEUM = (
    Symmetry("turned by half", colosseum_turned, colosseum_move_turned),
    Symmetry("players exchanged", colosseum_exchanged, same, swaps=True),
)
