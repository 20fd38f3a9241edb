"""The referee: match, clock, verdicts; it judges by `games` and meets bots only on the wire."""
