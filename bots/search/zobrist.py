"""Keys of 64 bits for positions: each fact has a number drawn by lot, a position the exclusive or of its facts'."""

import random


def numbers(count: int, seed: str) -> tuple[int, ...]:
    """One number for each of `count` facts; the same seed gives the same."""
    rng = random.Random(seed)
    return tuple(rng.getrandbits(64) for _ in range(count))


def key(bits: int, its_numbers: tuple[int, ...]) -> int:
    """The key of a set of bits; the keys of two sets that share none are one key by exclusive or."""
    found = 0
    while bits:
        low = bits & -bits
        found ^= its_numbers[low.bit_length() - 1]
        bits ^= low
    return found
