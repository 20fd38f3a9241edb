"""How many sequences of legal moves there are: the number by which two sets of rules are compared."""

from collections.abc import Iterator
from typing import TypeVar

from games.board import SearchBoard
from games.game import Game
from games.position import Position

M = TypeVar("M")


def divide(game: Game, position: Position, depth: int) -> Iterator[tuple[str, int]]:
    """Every legal move, with the number of sequences of `depth` moves that begin with it; `depth` is 1 or more."""
    for move in position.legal_moves():
        if depth == 1:
            yield move, 1
        elif game.board is None:
            yield move, count(position.play(move), depth - 1)
        else:
            yield move, count_on_board(game.board(position.play(move)), depth - 1)


def count(position: Position, depth: int) -> int:
    """By positions alone, so that whatever is counted is what the referee would allow."""
    moves = position.legal_moves()
    if depth == 1:
        return len(moves)
    return sum(count(position.play(move), depth - 1) for move in moves)


def count_on_board(board: SearchBoard[M], depth: int) -> int:
    moves = board.moves()
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        board.make(move)
        total += count_on_board(board, depth - 1)
        board.undo()
    return total
