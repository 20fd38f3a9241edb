"""What `bench/search.py` measures is the bot's own."""

from bench.search import SETTINGS, Setting, finished, measure, second_depth

#: More than a bot of the tree will ever have.
BALLAST = 200_000_000


def test_the_memory_of_a_bot_is_not_that_of_the_bench() -> None:
    """However much the process has that starts it."""
    ballast = bytearray(BALLAST)
    found = measure(Setting("tree", 1.0, ("alphabeta",)), "alphabeta", scale=1.0, turns=0, seed=1)
    assert 1 < found["memory"] < len(ballast) / 1e6 / 2


def test_depths_nodes_and_cuts_are_counted() -> None:
    """A fixed depth that comes to its end is finished; one that is broken off is not."""
    setting = next(each for each in SETTINGS if each.game == "reversi")
    ended = measure(setting, "alphabeta,depth=3", scale=10.0, turns=2, seed=1)["turns"]
    assert (finished(ended), second_depth(ended)) == ([0, 0, 2, 0], "4")
    assert all(turn["nodes"] > turn["cuts"] > 0 for turn in ended)
    (broken_off,) = measure(setting, "minimax,depth=30", scale=0.1, turns=1, seed=1)["turns"]
    assert (broken_off["finished"], second_depth([broken_off])) == ([], "-")
