"""A search watched node by node."""

from dataclasses import dataclass, field
from math import inf
from typing import Any

from bots.search.alphabeta import AlphaBeta
from bots.search.board import Evaluation, KeyedBoard
from bots.search.minimax import Minimax
from bots.search.tree import Branch


@dataclass(frozen=True, slots=True)
class Step:
    """A node as the search sees it at one moment, with values for the seat that searches."""

    name: str
    value: float
    #: What the seat that searches and what its rival have for sure elsewhere; without meaning where nothing is cut.
    alpha: float
    beta: float

    def __str__(self) -> str:
        return f"{self.name} {self.value:g}"

    @property
    def with_window(self) -> str:
        return f"{self} ({self.alpha:g},{self.beta:g})"


@dataclass(slots=True)
class _Frame:
    """A node that is being searched."""

    name: str
    maximises: bool
    value: float
    alpha: float
    beta: float
    moves: list[str]
    nodes: int = 1
    children: list[Branch] = field(default_factory=list)

    @property
    def step(self) -> Step:
        # Zero has no sign here.
        return Step(self.name, self.value + 0, self.alpha + 0, self.beta + 0)

    def take(self, child: "_Frame") -> None:
        """A child has its value, which may be better than what there is."""
        if self.maximises:
            self.value = max(self.value, child.value)
            self.alpha = max(self.alpha, child.value)
        else:
            self.value = min(self.value, child.value)
            self.beta = min(self.beta, child.value)
        self.nodes += child.nodes
        self.children.append(child.branch())

    def branch(self) -> Branch:
        seen = {child.move for child in self.children}
        left_out = [Branch(move) for move in self.moves if move not in seen]
        return Branch(self.name, self.nodes, self.value + 0, (*self.children, *left_out))


class _Watched(Minimax[Any]):
    """Looks at every value that is asked for and given; the search itself does not know."""

    def __init__(self, board: KeyedBoard[Any], evaluate: Evaluation[Any], root: str) -> None:
        self._watch = _Watch(board)
        super().__init__(self._watch, evaluate)
        self.steps: list[Step] = []
        self.tree = Branch(root)
        self._frames: list[_Frame] = []
        self._root = root

    def value(self, depth: int, alpha: float, beta: float) -> float:
        board = self.board
        maximises = board.seat == self._seat
        frame = _Frame(
            name=self._watch.path[-1] if self._watch.path else self._root,
            maximises=maximises,
            value=-inf if maximises else inf,
            alpha=alpha if maximises else -beta,
            beta=beta if maximises else -alpha,
            moves=[board.text(move) for move in board.moves()] if depth else [],
        )
        if frame.moves:
            self.steps.append(frame.step)
        self._frames.append(frame)
        value = super().value(depth, alpha, beta)
        self._frames.pop()
        if not frame.children:
            frame.value = value if maximises else -value
            self.steps.append(frame.step)
        if self._frames:
            self._frames[-1].take(frame)
            self.steps.append(self._frames[-1].step)
        else:
            self.tree = frame.branch()
        return value


class PlainTrace(_Watched):
    """Plain minimax, watched."""


class AlphaBetaTrace(_Watched, AlphaBeta[Any]):
    """Alpha-beta, watched; moves are tried in the board's order, as one does by hand."""

    def __init__(self, board: KeyedBoard[Any], evaluate: Evaluation[Any], root: str) -> None:
        super().__init__(board, evaluate, root)
        self._keeps_killers = False


class _Watch:
    """A board that knows the names of the moves made on it, and is that board in all else."""

    def __init__(self, board: KeyedBoard[Any]) -> None:
        self._board = board
        self.path: list[str] = []

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the board has
        return getattr(self._board, name)

    def make(self, move: Any) -> None:  # noqa: ANN401 - the board's own kind
        self.path.append(self._board.text(move))
        self._board.make(move)

    def undo(self) -> None:
        self._board.undo()
        self.path.pop()
