"""A tournament as it is asked for: bots, a format, and a cell for every combination of settings."""

from dataclasses import dataclass, replace

from referee.plan import Agreement
from referee.seeds import derive
from referee.tournament.formats import Format, Gauntlet, Knockout, RoundRobin, Swiss
from referee.tournament.ledger import Entry

#: One value for every axis, by name.
Axes = dict[str, str]


@dataclass(frozen=True, slots=True)
class Cell:
    """One choice of all settings; `agreed` lacks only who plays, how often and by which seed."""

    axes: Axes
    agreed: Agreement

    def between(self, bots: tuple[Entry, Entry], *, games: int, seed: int) -> Agreement:
        """Seeds hang on what is played and not on its number, so a longer list of bots changes no game."""
        agreed = self.agreed
        settings = sorted({**agreed.options, "variant": agreed.variant}.items())
        seed = derive(seed, agreed.game.name, str(settings), bots[0].name, bots[1].name)
        return replace(agreed, bots=(bots[0].bot, bots[1].bot), games=games, seed=seed)


@dataclass(frozen=True, slots=True)
class Spec:
    #: The file and line that name the bots.
    origin: str
    name: str
    about: str
    format: str
    bots: tuple[Entry, ...]
    #: Of a gauntlet: how many of the bots stand at the beginning of `bots` and run it, and who they meet.
    runners: int
    rivals: tuple[int, ...]
    games: int
    rounds: int
    seed: int
    axes: dict[str, tuple[str, ...]]
    fixed: dict[str, str]
    cells: tuple[Cell, ...]
    sprt: dict[str, float]

    @property
    def pairs(self) -> int:
        return self.games // 2

    def pairing(self) -> Format:
        """Who meets whom, in each of the cells."""
        match self.format:
            case "gauntlet":
                return Gauntlet(tuple(range(self.runners)), self.rivals, self.pairs)
            case "swiss":
                return Swiss(len(self.bots), self.rounds, self.pairs)
            case "knockout":
                return Knockout(len(self.bots), self.pairs)
            case _:
                return RoundRobin(len(self.bots), self.pairs)
