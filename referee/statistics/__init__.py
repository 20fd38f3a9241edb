"""What results say, and how surely: pure functions of pairs of games, with no number that is not finite."""
