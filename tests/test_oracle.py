"""The oracle says exactly whether a Sudoku still has a solution."""

import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.errors import BadText
from games.sudoku import Sudoku, oracle
from games.sudoku.oracle import solvable
from games.sudoku.shape import SIZES, Shape, shape


def brute_force(shape: Shape, cells: tuple[int, ...]) -> bool:
    """Backtracking on the cell with the fewest values left."""
    fewest: tuple[int, set[int]] | None = None
    for cell, held in enumerate(cells):
        if not held:
            values = set(range(1, shape.side + 1)) - {cells[peer] for peer in shape.peers[cell]}
            if fewest is None or len(values) < len(fewest[1]):
                fewest = cell, values
    if fewest is None:
        return True
    cell, values = fewest
    return any(brute_force(shape, (*cells[:cell], value, *cells[cell + 1 :])) for value in values)


def scattered(shape: Shape, count: int, rng: random.Random) -> tuple[int, ...]:
    """Values thrown on a board one by one, each where row, column and block allow it."""
    cells = [0] * shape.side**2
    for _ in range(count):
        cell = rng.randrange(len(cells))
        free = set(range(1, shape.side + 1)) - {cells[peer] for peer in shape.peers[cell]}
        if not cells[cell] and free:
            cells[cell] = rng.choice(sorted(free))
    return tuple(cells)


def solution(m: int, n: int, rng: random.Random) -> list[int]:
    """A full board: a shifted pattern with its rows, columns and values shuffled."""
    side = m * n
    rows = [band * m + row for band in rng.sample(range(n), n) for row in rng.sample(range(m), m)]
    columns = [stack * n + column for stack in rng.sample(range(m), m) for column in rng.sample(range(n), n)]
    values = rng.sample(range(1, side + 1), side)
    return [values[(row % m * n + row // m + column) % side] for row in rows for column in columns]


def undecidable() -> Sudoku:
    """A 25x25 board that takes a fresh solver more than its budget of conflicts."""
    rng = random.Random(1)
    cells = solution(5, 5, rng)
    for cell in rng.sample(range(625), 330):
        cells[cell] = 0
    return Sudoku(shape(5, 5), tuple(cells))


@settings(deadline=None, max_examples=300)
@given(st.sampled_from([(2, 2), (2, 3)]), st.integers(0, 20), st.randoms(use_true_random=False))
def test_it_agrees_with_brute_force(size: tuple[int, int], count: int, rng: random.Random) -> None:
    """On small boards with any number of clues, solvable or not."""
    its_shape = shape(*size)
    cells = scattered(its_shape, count, rng)
    assert solvable(its_shape, cells) is brute_force(its_shape, cells)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_it_knows_a_solution_and_its_loss_at_every_size(size: tuple[int, int]) -> None:
    """A solved board with holes is solvable; with two values swapped in the first row it is not."""
    its_shape = shape(*size)
    cells = solution(*size, random.Random(3))
    holes = set(range(0, len(cells), 3))
    board = [0 if cell in holes else value for cell, value in enumerate(cells)]
    assert solvable(its_shape, board) is True
    board[1], board[2] = board[2], board[1]
    assert solvable(its_shape, board) is False


def test_a_solver_kept_between_queries_still_answers_exactly() -> None:
    """Whatever it has learnt from thousands of boards, the answers stay those of brute force."""
    its_shape = shape(2, 3)
    rng = random.Random(4)
    answers = set()
    for _ in range(1500):
        cells = scattered(its_shape, rng.randrange(8, 25), rng)
        answer = solvable(its_shape, cells)
        assert answer is brute_force(its_shape, cells)
        answers.add(answer)
    assert answers == {True, False}


def test_a_query_over_budget_is_tried_again_without_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to 16x16 every answer is yes or no, also on boards where a budget of one conflict does not do."""
    its_shape = shape(4, 4)
    rng = random.Random(6)
    boards = [scattered(its_shape, rng.randrange(80, 130), rng) for _ in range(200)]
    exact = [solvable(its_shape, board) for board in boards]
    monkeypatch.setattr(oracle, "BUDGET", 1)
    monkeypatch.setitem(oracle._idle, (4, 4), [])
    assert [solvable(its_shape, board) for board in boards] == exact
    assert set(exact) == {True, False}


def test_threads_do_not_disturb_each_other() -> None:
    """Four threads asking at once get the answers that one gets."""
    its_shape = shape(3, 4)
    rng = random.Random(5)
    boards = [scattered(its_shape, rng.randrange(30, 90), rng) for _ in range(200)]
    alone = [solvable(its_shape, board) for board in boards]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda board: solvable(its_shape, board), boards * 4))
    assert together == alone * 4
    assert set(alone) == {True, False}


@pytest.fixture
def patient_interpreter() -> Iterator[None]:
    """An interpreter that takes the GIL from nobody: another thread runs only once it is given up."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(60)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("patient_interpreter")
def test_other_threads_run_while_it_solves() -> None:
    """The referee's event loop goes on during a long query, since the GIL is free."""
    position = undecidable()
    solvable(position.shape, (0,) * 625)
    started = threading.Event()
    answered: list[bool | None] = []

    def ask() -> None:
        started.set()
        answered.append(solvable(position.shape, position.cells))

    thread = threading.Thread(target=ask)
    thread.start()
    started.wait()
    answered_before_we_ran = list(answered)
    thread.join()
    assert len(answered) == 1
    assert answered_before_we_ran == []


def run(script: str) -> str:
    """What a Python process of its own prints, which can import this file; it must print nothing on stderr."""
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=Path(__file__).parent, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return done.stdout


def test_an_interrupt_during_a_query_reaches_its_own_handler() -> None:
    """The solver leaves SIGINT to Python: the handler is called, and the query still ends with its answer."""
    script = """
import os, signal, sys, threading
from test_oracle import shape, solvable, undecidable

caught = []
signal.signal(signal.SIGINT, lambda *_: caught.append("caught"))
started = threading.Event()

def interrupt():
    started.wait()
    os.kill(os.getpid(), signal.SIGINT)

position = undecidable()
solvable(shape(2, 2), [0] * 16)
threading.Thread(target=interrupt).start()
sys.setswitchinterval(60)  # From here on the other thread runs only while the solver does.
started.set()
print(solvable(position.shape, position.cells), *caught)
"""
    assert run(script) == "None caught\n"


def test_undecided_counts_as_solvable_and_is_said() -> None:
    """At 25x25 a move that the budget does not settle is placed, and the effect tells."""
    # In a process of its own: what a solver has learnt from other boards might settle this one.
    script = """
from test_oracle import Sudoku, undecidable

then = undecidable()
cell = next(cell for cell, value in enumerate(then.cells) if value)
now = Sudoku(then.shape, (*then.cells[:cell], 0, *then.cells[cell + 1 :]))
after = now.play(f"{then.shape.place(cell)}={then.cells[cell]}")
print(after.cells == then.cells, after.effect)
"""
    assert run(script) == "True oracle undecided\n"


def test_a_worker_that_asks_no_oracle_never_loads_a_solver() -> None:
    """Reading a position and listing its moves does not import pysat; playing one does."""
    script = """
import sys
from games.sudoku import Sudoku

position = Sudoku.parse("classic 2x2 1,2,.,./.,.,.,./.,.,3,./.,.,.,. 0:0 1 -")
moves = position.legal_moves()
print(max(map(position.points, moves)), "pysat" in sys.modules)
position.play(moves[0])
print("pysat" in sys.modules)
"""
    assert run(script) == "0 False\nTrue\n"


def test_a_process_that_asked_the_oracle_exits_in_silence() -> None:
    """Kept solvers go before the interpreter takes pysat apart, whoever else still holds on to them."""
    script = """
import threading
from games.sudoku import oracle, shape

print(oracle.solvable(shape.shape(2, 2), [0] * 16))
threading.held = oracle._idle  # A module that outlives pysat.
"""
    assert run(script) == "True\n"


def test_an_unknown_size_is_refused() -> None:
    """Only the six sizes of the game have a shape."""
    with pytest.raises(BadText, match="6x6 is no size of blocks"):
        shape(6, 6)
