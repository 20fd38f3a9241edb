"""Sampling: a tree that grows where random games from it went well."""

import random
from collections.abc import Callable, Hashable, Iterator, Sequence
from math import inf, log, sqrt
from typing import Any, Generic

from bots.search.board import B, Evaluation, KeyedBoard
from bots.search.effort import Effort, Spent
from games import Proposal, Seat

#: Plays a game to its end from the board as it is, puts the board back, and gives what it was worth to the seat.
Playout = Callable[[B, Seat, random.Random], float]


class Node:
    """A position reached by `move`; values count for the seat that made the move.

    What changes changes in one step each: a record is replaced whole, a child is appended ready. So an interrupt may
    lose a game that was played, and leaves a tree to go on with.
    """

    __slots__ = ("children", "key", "move", "moves", "record", "text")

    def __init__(self, key: Hashable, move: Any = None, text: str = "") -> None:  # noqa: ANN401 - the board's own kind
        self.key = key
        self.move = move
        self.text = text
        #: All moves from here in the order in which they are tried, once they are known; the first few have children.
        self.moves: Sequence[Any] | None = None
        self.children: list[Node] = []
        #: How often it was visited, and the sum of the values.
        self.record: tuple[int, float] = (0, 0.0)

    @property
    def visits(self) -> int:
        return self.record[0]

    @property
    def mean(self) -> float:
        """Below any other while there was no visit, which only an interrupt leaves behind."""
        visits, total = self.record
        return total / visits if visits else -inf

    def choice(self, exploration: float) -> "Node":
        """The child with the greatest mean plus what little is known about it is worth."""
        width = exploration * sqrt(log(max(1, self.record[0])))
        best, choice = -inf, self.children[0]
        for child in self.children:
            visits, total = child.record
            bound = total / visits + width / sqrt(visits) if visits else inf
            if bound > best:
                best, choice = bound, child
        return choice


class Mcts(Generic[B]):
    """Lives as long as its bot: the tree is kept from turn to turn as far as it has the moves played."""

    def __init__(self, playout: Playout[B], *, exploration: float = 2.0) -> None:
        self._playout = playout
        self._exploration = exploration
        self.root = Node(None)

    def follow(self, moves: Sequence[str], board: KeyedBoard[Any]) -> None:
        """Make the position on the board the root: down the moves played since, if they lead there.

        The key decides: an interrupt may have kept an earlier turn from being followed.
        """
        node: Node | None = self.root
        for move in moves:
            if node is not None:
                node = next((child for child in node.children if child.text == move), None)
        self.root = node if node is not None and node.key == board.key else Node(board.key)

    def clear(self) -> None:
        self.root = Node(None)

    def think(self, board: B, rng: random.Random, *, effort: Effort) -> Iterator[Proposal]:
        """Propose a random move at once, then the move with the best mean whenever that changes; a node is a game."""
        root = self.root
        yield Proposal(board.text(rng.choice(board.moves())))
        seat = board.seat
        proposed = None
        try:
            while True:
                effort.spend()
                self._sample(root, board, seat, rng)
                if (
                    root.children
                    and (best := max(root.children, key=lambda child: child.mean)) is not proposed
                ):
                    proposed = best
                    yield Proposal(best.text, score=best.mean, depth=1, nodes=effort.nodes, line=_line(best))
        except Spent:
            return

    def _sample(self, root: Node, board: B, seat: Seat, rng: random.Random) -> None:
        """One game: down the tree by choice, one new node, on by lot, and back up."""
        node = root
        path = [(root, False)]
        # A node that is visited for the first time is only played from.
        while node.record[0] or node is root:
            if node.moves is None:
                moves = list(board.moves())
                rng.shuffle(moves)
                node.moves = moves
            if not node.moves:
                break
            mover = board.seat
            untried = len(node.children)
            if untried < len(node.moves):
                move = node.moves[untried]
                text = board.text(move)
                board.make(move)
                node.children.append(Node(board.key, move, text))
                node = node.children[untried]
            else:
                node = node.choice(self._exploration)
                board.make(node.move)
            path.append((node, mover == seat))
        value = self._playout(board, seat, rng)
        for _ in path[1:]:
            board.undo()
        for node, own in path:
            visits, total = node.record
            node.record = (visits + 1, total + value if own else total - value)


def uniform(result: Evaluation[B], longest: int = 10_000) -> Playout[B]:
    """A playout that draws every move alike; `result` says what the end of the game is worth."""

    def play(board: B, seat: Seat, rng: random.Random) -> float:
        played = 0
        while played < longest and (moves := board.moves()):
            board.make(moves[int(rng.random() * len(moves))])
            played += 1
        value = result(board, seat)
        for _ in range(played):
            board.undo()
        return value

    return play


def _line(node: Node) -> tuple[str, ...]:
    """The moves visited most, from this one on."""
    texts = [node.text]
    while node.children:
        node = max(node.children, key=lambda child: child.visits)
        texts.append(node.text)
    return tuple(texts)
