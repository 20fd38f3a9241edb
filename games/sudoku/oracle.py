"""The oracle: is there still a solution?"""

import atexit
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from games.sudoku.shape import SIZES, Shape

if TYPE_CHECKING:
    from pysat.solvers import Glucose4

#: Conflicts spent before a second try without a limit; enough but for one query in thousands.
BUDGET = 20_000
#: At 25x25 a query may take for ever, so this is all it gets.
LARGE = 25
LARGE_BUDGET = 5_000

# A solver is costly to build and learns from every query, so it is kept. It serves one thread at a time: a
# query takes an idle one or builds another, and puts it back at the end. An interrupted query never does, so
# that no solver in an unknown state is used again. list.pop and list.append are atomic.
_idle: dict[tuple[int, int], list["Glucose4"]] = {size: [] for size in SIZES}


def warm_up() -> None:
    """The import that the first question waits for; whoever asks on a clock does it before."""
    import pysat.solvers  # noqa: F401 - for its effect


def solvable(shape: Shape, cells: Sequence[int]) -> bool | None:
    """Exact up to 16x16; None (undecided) only at 25x25. The first call for a size builds its solver."""
    solver = _take(shape)
    answer = _ask(solver, shape, _clues(shape, cells))
    _idle[shape.m, shape.n].append(solver)
    return answer


def solution(shape: Shape, cells: Sequence[int]) -> tuple[int, ...] | None:
    """One of the solutions; None if there is none, or at 25x25 if that is undecided."""
    solver = _take(shape)
    found = _ask(solver, shape, _clues(shape, cells))
    model = solver.get_model() if found else None
    _idle[shape.m, shape.n].append(solver)
    # Cell by cell there is one true variable, and in order.
    return None if model is None else tuple((true - 1) % shape.side + 1 for true in model if true > 0)


def unsolvable(shape: Shape, cells: Sequence[int], pairs: Iterable[tuple[int, int]]) -> set[tuple[int, int]]:
    """Which of these cells and values, each put on the board by itself, leave no solution."""
    solver = _take(shape)
    clues = _clues(shape, cells)
    unknown = {cell * shape.side + value: (cell, value) for cell, value in pairs}
    found = set()
    while unknown:
        literal, pair = unknown.popitem()
        answer = _ask(solver, shape, [*clues, literal])
        if answer is False:
            found.add(pair)
        elif answer:
            # A solution clears every pair it is made of, not only the one that was asked about.
            for cleared in unknown.keys() & set(solver.get_model()):
                del unknown[cleared]
    _idle[shape.m, shape.n].append(solver)
    return found


def _take(shape: Shape) -> "Glucose4":
    try:
        return _idle[shape.m, shape.n].pop()
    except IndexError:
        return _build(shape)


def _clues(shape: Shape, cells: Sequence[int]) -> list[int]:
    return [cell * shape.side + value for cell, value in enumerate(cells) if value]


def _ask(solver: "Glucose4", shape: Shape, clues: list[int]) -> bool | None:
    large = shape.side == LARGE
    solver.conf_budget(LARGE_BUDGET if large else BUDGET)
    # `expect_interrupt` makes pysat release the GIL while it solves, and leave the handler of SIGINT alone.
    answer: bool | None = solver.solve_limited(clues, expect_interrupt=True)
    if answer is None and not large:
        solver.conf_budget(-1)
        answer = solver.solve_limited(clues, expect_interrupt=True)
    return answer


@atexit.register
def _delete_solvers() -> None:
    """Before the interpreter takes pysat apart, after which their destructors would fail on stderr."""
    for idle in _idle.values():
        idle.clear()


def _build(shape: Shape) -> "Glucose4":
    """The rules of Sudoku as clauses; variable `cell * side + value` says that the cell holds the value."""
    # Most bots never ask the oracle, and their workers shall not pay 20 ms for this import.
    from pysat.solvers import Glucose4

    side = shape.side
    values = range(1, side + 1)
    solver = Glucose4()
    members: dict[int, list[int]] = defaultdict(list)
    for cell, regions in enumerate(shape.regions):
        base = cell * side
        solver.add_clause([base + value for value in values])
        for one, two in combinations(values, 2):
            solver.add_clause([-base - one, -base - two])
        for peer in shape.peers[cell]:
            if peer > cell:
                for value in values:
                    solver.add_clause([-base - value, -peer * side - value])
        for region in regions:
            members[region].append(base)
    for bases in members.values():
        for value in values:
            solver.add_clause([base + value for base in bases])
    return solver
