"""Tournaments: many bots, many games, and what came of it."""
