"""Bots that play Colosseum Survival."""
