"""A cheap test for moves that leave no solution; it finds some of them, and nothing else."""

from collections import defaultdict
from collections.abc import Iterator

from games.sudoku import Sudoku


def doomed(position: Sudoku) -> Iterator[tuple[int, int]]:
    """Cells and values, legal but for territory and taboo list, after which a value has no cell left in a block.

    Only those that complete nothing: a move that does is the solution's own.
    """
    shape, cells = position.shape, position.cells
    everything = (2 << shape.side) - 2
    admits = {}
    #: For each block and value the cells that it could still go to.
    room: dict[tuple[int, int], set[int]] = defaultdict(set)
    for cell, regions in enumerate(shape.regions):
        if not cells[cell]:
            row, column, block = (position.used[region] for region in regions)
            free = everything & ~(row | column | block)
            admits[cell] = [value for value in range(1, shape.side + 1) if free >> value & 1]
            for value in admits[cell]:
                room[regions[2], value].add(cell)
    for cell, values in admits.items():
        regions = shape.regions[cell]
        if any((everything & ~position.used[region]).bit_count() == 1 for region in regions):
            continue
        block = regions[2]
        near = set(shape.peers[cell])
        blocks = {shape.regions[peer][2] for peer in near} - {block}
        missing = [value for value in range(1, shape.side + 1) if room.get((block, value)) == {cell}]
        for value in values:
            if any(lost != value for lost in missing) or any(
                room.get((other, value), near) - near == set() and not position.used[other] >> value & 1
                for other in blocks
            ):
                yield cell, value
