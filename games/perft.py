"""How many sequences of legal moves there are: the number by which two sets of rules are compared."""

from collections.abc import Iterator
from typing import TypeVar

from games.board import SearchBoard
from games.game import Game
from games.position import Position

M = TypeVar("M")


def divide(game: Game, position: Position, depth: int) -> Iterator[tuple[str, int]]:
    """Every legal move, with the number of sequences of `depth` moves that begin with it."""
    for move in position.legal_moves():
        after = position.play(move)
        yield move, count_on_board(game.board(after), depth - 1) if game.board else count(after, depth - 1)


def count(position: Position, depth: int) -> int:
    """By positions alone, so that whatever is counted is what the referee would allow."""
    if depth == 0:
        return 1
    moves = position.legal_moves()
    if depth == 1:
        return len(moves)
    return sum(count(position.play(move), depth - 1) for move in moves)


def count_on_board(board: SearchBoard[M], depth: int) -> int:
    if depth == 0:
        return 1
    moves = board.moves()
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        board.make(move)
        total += count_on_board(board, depth - 1)
        board.undo()
    return total
