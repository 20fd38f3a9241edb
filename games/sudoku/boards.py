"""Boards to start from: those shipped here by name, and files of the same form."""

from importlib.resources import files

from games.errors import BadText, Unknown, excerpt
from games.files import read_small
from games.sudoku.oracle import solvable
from games.sudoku.position import Sudoku
from games.sudoku.shape import shape

#: Bytes in a file; 25x25 needs less than 2,000.
LARGEST = 20_000

_SHIPPED = files("games.sudoku") / "boards"


def board_names() -> list[str]:
    return sorted(entry.name.removesuffix(".txt") for entry in _SHIPPED.iterdir())


def load(name: str) -> Sudoku:
    """The start position on a shipped board, or on the board in a file."""
    if name in board_names():
        return _read((_SHIPPED / f"{name}.txt").read_text("ascii"), name)
    try:
        text = read_small(name, "board", largest=LARGEST, encoding="ASCII")
    except FileNotFoundError:
        if "/" in name or name.endswith(".txt"):
            raise BadText(f"there is no board file {name}") from None
        raise Unknown("board", name, board_names()) from None
    return _read(text, name)


def _read(text: str, name: str) -> Sudoku:
    try:
        position = _parse(text)
    except BadText as error:
        raise BadText(f"board {name}: {error}") from None
    if 0 not in position.cells:
        raise BadText(f"board {name} has no empty cell to play in")
    if solvable(position.shape, position.cells) is False:
        raise BadText(f"board {name} has no solution")
    return position


def _parse(text: str) -> Sudoku:
    words = text.split()
    sizes = [_number(word) for word in words[:2]]
    if len(sizes) < 2 or None in sizes:
        raise BadText("it must begin with the rows and the columns of a block, like 3 3")
    m, n = (size or 0 for size in sizes)
    its_shape = shape(m, n)
    side = its_shape.side
    texts = words[2:]
    if len(texts) != side * side:
        raise BadText(f"{its_shape} blocks need {side * side} cells, the file has {len(texts)}")
    cells = []
    for cell, word in enumerate(texts):
        value = 0 if word == "." else _number(word)
        if value is None or (word != "." and not 1 <= value <= side):
            place = its_shape.place(cell)
            raise BadText(f"{place} is {excerpt(word)}, neither . nor a value from 1 to {side}")
        cells.append(value)
    return Sudoku(its_shape, tuple(cells))


def _number(word: str) -> int | None:
    """The text is ASCII, so that `isdecimal` means 0 to 9."""
    return int(word) if word.isdecimal() and len(word) <= 4 else None
