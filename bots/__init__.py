"""Strategies: they import games and nothing else of ours."""

from bots.bot import Bot, Turn
from games import Proposal

__all__ = ["Bot", "Proposal", "Turn"]
