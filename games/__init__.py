"""Rules: pure, immutable, no input or output, no network."""

from games.board import SearchBoard
from games.clock import Clock
from games.errors import BadText, IllegalMove, Mistake, Unknown
from games.game import COMMON_OPTIONS, Game, Ruling, find_game, game_names
from games.memory import parse_memory
from games.position import Outcome, Position, Seat, other
from games.proposal import Proposal

__all__ = [
    "COMMON_OPTIONS",
    "BadText",
    "Clock",
    "Game",
    "IllegalMove",
    "Mistake",
    "Outcome",
    "Position",
    "Proposal",
    "Ruling",
    "SearchBoard",
    "Seat",
    "Unknown",
    "find_game",
    "game_names",
    "other",
    "parse_memory",
]
