"""Checks on the options of bots."""

from games import Mistake


def at_least(least: float, /, **options: float) -> None:
    """Refuse the first option that is below `least`, in one sentence."""
    for name, value in options.items():
        if not value >= least:
            raise Mistake(f"option {name} is {least:g} or more, not {value:g}")
