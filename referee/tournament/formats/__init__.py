"""Who meets whom: pure functions of the results, so any machine gives the same pairings after any restart."""

from referee.tournament.formats.fixed import Gauntlet, RoundRobin
from referee.tournament.formats.knockout import Knockout
from referee.tournament.formats.meeting import Format, Meeting, Schedule, Score
from referee.tournament.formats.swiss import Swiss

__all__ = ["Format", "Gauntlet", "Knockout", "Meeting", "RoundRobin", "Schedule", "Score", "Swiss"]
