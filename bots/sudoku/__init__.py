"""Bots that play Competitive Sudoku."""
