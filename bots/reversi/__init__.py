"""Bots that play Reversi."""
