"""All solutions of a puzzle that has few."""

from games.sudoku import Sudoku


def solutions(position: Sudoku, *, most: int, tries: int) -> list[tuple[int, ...]] | None:
    """Every solution; None if there are more than `most` or if it takes more than so many tries to know."""
    shape = position.shape
    everything = (2 << shape.side) - 2
    cells, used = list(position.cells), list(position.used)
    gaps = [cell for cell, value in enumerate(cells) if not value]
    found: list[tuple[int, ...]] = []

    def fill() -> bool:
        """Whether all solutions of what is left were found."""
        nonlocal tries
        tries -= 1
        if tries < 0:
            return False
        fewest, chosen, free = shape.side + 1, -1, 0
        for cell in gaps:
            if not cells[cell]:
                row, column, block = shape.regions[cell]
                admits = everything & ~(used[row] | used[column] | used[block])
                count = admits.bit_count()
                if count < fewest:
                    fewest, chosen, free = count, cell, admits
                    if count < 2:
                        break
        if chosen < 0:
            found.append(tuple(cells))
            return len(found) <= most
        while free:
            bit = free & -free
            free ^= bit
            cells[chosen] = bit.bit_length() - 1
            for region in shape.regions[chosen]:
                used[region] |= bit
            complete = fill()
            for region in shape.regions[chosen]:
                used[region] ^= bit
            cells[chosen] = 0
            if not complete:
                return False
        return True

    return found if fill() else None
