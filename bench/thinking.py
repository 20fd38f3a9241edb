"""One bot plays against itself in this process, which prints what every turn took as JSON; for `bench/search.py`.

It imports no more than a worker does, so that the memory is that of the bot.
"""

import json
import random
import resource
import sys
import time
from collections.abc import Iterator
from typing import Any

from bench.alarm import Stop, alarm
from bots import Bot, Proposal, Turn
from bots.search import Effort
from games import Position, find_game
from server.load import load

#: What the searches of this process do: bots make their efforts inside `think`.
EFFORTS: list[Effort] = []


def watch_efforts() -> None:
    make = Effort.__init__

    def remember(self: Effort, *arguments: Any, **options: Any) -> None:  # noqa: ANN401 - whatever it takes
        make(self, *arguments, **options)
        EFFORTS.append(self)

    setattr(Effort, "__init__", remember)  # noqa: B010 - the plain form is refused by mypy


def think(bot: Bot[Any], position: Position, turn: Turn, seconds: float) -> dict[str, Any]:
    """One turn, broken off after so many seconds."""
    EFFORTS.clear()
    began = time.perf_counter()
    proposals: list[tuple[float, Proposal]] = []
    with alarm() as set_alarm:
        try:
            set_alarm(seconds)
            thoughts = bot.think(position, turn)
            for thought in thoughts if isinstance(thoughts, Iterator) else [thoughts]:
                proposal = thought if isinstance(thought, Proposal) else Proposal(str(thought))
                proposals.append((time.perf_counter() - began, proposal))
            set_alarm(0)
            ended = True
        except Stop:
            ended = False
    took = time.perf_counter() - began
    counted = sum(effort.nodes for effort in EFFORTS)
    depths = [proposal.depth for _, proposal in proposals if proposal.depth]
    last = proposals[-1][1]
    return {
        "move": last.move,
        "legal": len(position.legal_moves()),
        "seconds": took,
        "first": proposals[0][0],
        "nodes": counted or last.nodes or 0,
        "cuts": sum(effort.cuts for effort in EFFORTS),
        # A search that goes on to the next depth, or ends by itself, has finished the last.
        "finished": sorted(set(depths if ended else [depth for depth in depths if depth != depths[-1]])),
    }


def main() -> None:
    asked = json.loads(sys.argv[1])
    game = find_game(asked["game"])
    loaded = load(asked["bot"], game.name)
    watch_efforts()
    bots = (loaded.make(), loaded.make())
    position = game.open(variant=game.variants[0], seed=asked["seed"], options=asked["options"])
    played: list[str] = []
    told = [0, 0]
    turns: list[dict[str, Any]] = []
    while position.outcome() is None and len(turns) < (asked["turns"] or sys.maxsize):
        seat = position.seat
        number = len(turns) + 1
        turn = Turn(
            number,
            seat,
            random.Random(f"{asked['seed']}/{number}"),
            tuple(played[told[seat - 1] :]),
            deadline=time.monotonic() + asked["seconds"],
        )
        told[seat - 1] = len(played)
        turns.append(think(bots[seat - 1], position, turn, asked["seconds"]))
        played.append(turns[-1]["move"])
        position = position.play(turns[-1]["move"])
    # In kilobytes of 1024 bytes.
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
    print(json.dumps({"turns": turns, "memory": memory}))


if __name__ == "__main__":
    main()
