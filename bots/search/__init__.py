"""One search for all games: a game brings a board and what a board is worth."""

from bots.search.alphabeta import AlphaBeta
from bots.search.board import Evaluation, KeyedBoard, Order
from bots.search.deepening import decide, deepen
from bots.search.effort import Effort, Spent, node_limit, stretch
from bots.search.mcts import Mcts, Playout, uniform
from bots.search.minimax import Minimax
from bots.search.played import Played
from bots.search.root import Found, best_moves, proposal, root_moves
from bots.search.table import Table

__all__ = [
    "AlphaBeta",
    "Effort",
    "Evaluation",
    "Found",
    "KeyedBoard",
    "Mcts",
    "Minimax",
    "Order",
    "Played",
    "Playout",
    "Spent",
    "Table",
    "best_moves",
    "decide",
    "deepen",
    "node_limit",
    "proposal",
    "root_moves",
    "stretch",
    "uniform",
]
