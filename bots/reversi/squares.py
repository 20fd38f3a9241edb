"""Groups of squares that bots weigh, as bits."""

from games.reversi.grid import Grid


def corners(grid: Grid) -> int:
    edge = grid.size - 1
    return _marked(grid, [(row, column) for row in (0, edge) for column in (0, edge)])


def ring(grid: Grid, number: int) -> int:
    """The squares so far from the border, which is the first ring."""
    edge = grid.size - 1
    places = [(row, column) for row in range(grid.size) for column in range(grid.size)]
    return _marked(grid, [(r, c) for r, c in places if min(r, c, edge - r, edge - c) == number - 1])


def middle_lines(grid: Grid) -> int:
    """The two middle rows and the two middle columns."""
    middle = (grid.size // 2 - 1, grid.size // 2)
    places = [(row, column) for row in range(grid.size) for column in range(grid.size)]
    return _marked(grid, [(row, column) for row, column in places if row in middle or column in middle])


def beside_corners(grid: Grid) -> list[tuple[int, int, int]]:
    """For each corner: the corner, its two neighbours on the border, and the one on the diagonal."""
    edge = grid.size - 1
    found = []
    for row, inner_row in ((0, 1), (edge, edge - 1)):
        for column, inner_column in ((0, 1), (edge, edge - 1)):
            on_border = _marked(grid, [(row, inner_column), (inner_row, column)])
            found.append(
                (_marked(grid, [(row, column)]), on_border, _marked(grid, [(inner_row, inner_column)]))
            )
    return found


def _marked(grid: Grid, places: list[tuple[int, int]]) -> int:
    return sum(1 << grid.number(row, column) for row, column in places)
