"""Many games: who meets whom under which settings, played side by side, and what came of it."""
