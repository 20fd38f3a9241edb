"""Greedy that looks one reply further: could we be left without a placement?"""

from collections.abc import Iterator
from dataclasses import dataclass

from bots.bot import Turn
from bots.options import at_least
from bots.search import Effort, Spent
from bots.tetress.alphabeta import own_turns
from bots.tetress.greedy import by_utility
from bots.tetress.keyed import KeyedBoard
from bots.tetress.room import RoomBoard
from bots.tetress.utility import Utility
from games import Mistake, Proposal
from games.tetress import Tetress
from games.tetress.position import FREE_PLIES, LAST_PLY

#: For the first move, the second where the first is blocked.
PREPARED = ("2-2,2-3,2-4,2-5", "7-6,7-7,7-8,7-9")


@dataclass(kw_only=True)
class DeathAware(Utility):
    """Takes the placement with the highest utility after which no reply leaves us without any.

    It looks `lookahead` plies ahead, an even number, and only with at most `most` placements. `nodes` caps the replies
    looked at in a turn (0: any number). The other options weigh the utility, as for greedy.
    """

    lookahead: int = 2
    most: int = 400
    nodes: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least(2, lookahead=self.lookahead)
        at_least(0, most=self.most, nodes=self.nodes)
        if self.lookahead % 2:
            raise Mistake(f"option lookahead counts plies up to a reply: it is even, not {self.lookahead}")

    def think(self, position: Tetress, turn: Turn) -> Iterator[Proposal]:
        board = KeyedBoard(position)
        values, greedy = by_utility(self, board, turn.rng)
        if position.plies < FREE_PLIES:
            # The rival's four cells cannot block both.
            move = next(move for move in map(board.number, PREPARED) if move in values)
            yield Proposal(board.text(move), score=values[move], depth=1, nodes=len(values), note="prepared")
            return
        yield greedy
        if len(values) > self.most:
            return
        effort = Effort.of_turn(turn, turns=own_turns(position.plies), limit=self.nodes)
        room = RoomBoard(position)
        try:
            safe = next((move for move in values if not deadly(room, move, self.lookahead, effort)), None)
        except Spent:
            return
        if safe is not None:
            yield Proposal(
                board.text(safe), score=values[safe], depth=self.lookahead, nodes=effort.nodes, note="safe"
            )


def deadly(board: RoomBoard, move: int, lookahead: int, effort: Effort) -> bool:
    """Whether after this move some reply leaves the mover lost within so many plies: without a placement."""
    board.make(move)
    found = _some_reply_kills(board, lookahead, effort)
    board.undo()
    return found


def _some_reply_kills(board: RoomBoard, lookahead: int, effort: Effort) -> bool:
    # After the last ply tokens count, not placements.
    if board.plies + 1 >= LAST_PLY:
        return False
    replies = board.own_open
    if lookahead == 2:
        # A reply that clears nothing takes away the placements it overlaps, and gives none.
        ours, clearing = board.rival_open, board.clearing()
        for reply in board.footprints(replies & ~clearing):
            effort.spend()
            if not ours & reply.apart:
                return True
        replies &= clearing
    for reply in board.footprints(replies):
        effort.spend()
        board.make(reply.number)
        dead = _is_lost(board, lookahead - 2, effort)
        board.undo()
        if dead:
            return True
    return False


def _is_lost(board: RoomBoard, lookahead: int, effort: Effort) -> bool:
    if not lookahead:
        return not board.own_open
    return all(deadly(board, move, lookahead, effort) for move in board.moves())
