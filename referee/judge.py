"""Asks the rules about the moves of a turn; runs in a thread, because an oracle may take its time."""

import random
from collections.abc import Collection

from games import Game, IllegalMove, Seat
from referee.events import Judge, Judged, Refusal
from referee.seeds import derive


def judge(game: Game, asked: Judge, *, seed: int, wishes: Collection[Seat]) -> Judged:
    """The first valid move stands; if none is and the ruling says so, one drawn from the match seed.

    Seats in `wishes` are given their legal moves.
    """
    refused = []
    for move in asked.moves:
        try:
            after = asked.position.play(move)
            break
        except IllegalMove as refusal:
            refused.append(Refusal(move, str(refusal)))
    else:
        if not asked.replace:
            return Judged(asked.turn, tuple(refused), None)
        rng = random.Random(derive(seed, "stand-in", asked.turn))
        after = asked.position.play(game.stand_in(asked.position, rng))
    return Judged(
        asked.turn,
        tuple(refused),
        after,
        outcome=after.outcome(),
        replaced=len(refused) == len(asked.moves),
        legal_moves=tuple(after.legal_moves()) if after.seat in wishes else (),
    )
