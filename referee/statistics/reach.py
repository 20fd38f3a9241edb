"""Who is tied to whom by results: without that, no strength can be told from results alone."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reach:
    """For each bot, as bits: from whom it took points, from whom those took points, and so on."""

    masks: tuple[int, ...]

    def group(self, bot: int) -> int:
        """As bits, all that reach each other with it: only their strengths can be told from each other's."""
        return sum(
            1 << other
            for other, mask in enumerate(self.masks)
            if other == bot or (mask >> bot & 1 and self.masks[bot] >> other & 1)
        )

    @property
    def whole(self) -> bool:
        """All are one group, so there is a likeliest strength of each."""
        return not self.masks or self.group(0).bit_count() == len(self.masks)

    def outside(self, bot: int) -> int:
        """Those to compare it with: none if it belongs to a group of more than half, which sets the standard; else that
        group, or all that are not of its own.
        """
        for other in range(len(self.masks)):
            group = self.group(other)
            if 2 * group.bit_count() > len(self.masks):
                return 0 if group >> bot & 1 else group
        return ~self.group(bot) & ((1 << len(self.masks)) - 1)

    def above(self, bot: int) -> bool:
        return self.masks[bot] & self.outside(bot) != 0

    def below(self, bot: int) -> bool:
        outside = self.outside(bot)
        return any(outside >> other & 1 and mask >> bot & 1 for other, mask in enumerate(self.masks))


def reach(bots: int, points: Iterable[tuple[int, int]]) -> Reach:
    """`points`: who took at least half a point from whom."""
    masks = [0] * bots
    for taker, giver in points:
        masks[taker] |= 1 << giver
    for middle in range(bots):
        for bot in range(bots):
            if masks[bot] >> middle & 1:
                masks[bot] |= masks[middle]
    return Reach(tuple(masks))
