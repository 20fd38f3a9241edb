"""Bots that play Tetress."""
