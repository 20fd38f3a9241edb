"""What is to be played: agreed anew, or read from the records of what was not finished."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from games import Game, Mistake, Ruling, find_game
from referee.events import Terms
from referee.journal import read
from referee.record import SUFFIX, Recorded, Series, restore, understand
from referee.recorder import Archive, make_folder, open_archive
from referee.seeds import derive
from referee.series import Fixture, Played
from referee.timing import SECOND, TimeControl

READY_WITHIN = 10 * SECOND
#: Without a clock nobody is hurried to get ready either.
A_DAY = 24 * 3600 * SECOND


@dataclass(frozen=True, slots=True)
class Agreement:
    """What holds for every game of a series."""

    game: Game
    variant: str
    options: Mapping[str, str]
    time: TimeControl
    ruling: Ruling
    #: As they were named; the first sits at seat 1 in the first game.
    bots: tuple[str, str]
    games: int
    seed: int
    memory: int | None
    processes: int
    ponder: bool

    def fixture(self, number: int, *, series_id: str) -> Fixture:
        """Game `number`, from 1: seats alternate, and both games of a pair start alike."""
        alone = self.games == 1
        terms = Terms(
            match_id=series_id if alone else f"{series_id}-{number}",
            game=self.game.name,
            variant=self.variant,
            options=self.options,
            seed=self.seed if alone else derive(self.seed, "pair", (number - 1) // 2),
            time=self.time,
            ruling=self.ruling,
            ready_within=A_DAY if self.time.unlimited else READY_WITHIN,
            memory=self.memory,
            processes=self.processes,
            ponder=self.ponder,
        )
        series = None if alone else Series(series_id, self.games, self.seed, self.bots)
        return Fixture(terms, home=(number - 1) % 2, series=series)

    def fixtures(self, series_id: str) -> list[Fixture]:
        return [self.fixture(number, series_id=series_id) for number in range(1, self.games + 1)]


@dataclass(frozen=True, slots=True)
class Plan:
    """`fixtures` are yet to be played or finished, `played` are over; `order` has the ids of all, first to last."""

    game: Game
    bots: tuple[str, str]
    fixtures: tuple[Fixture, ...]
    archive: Archive
    #: What to name to go on with it.
    record: Path
    series: Series | None
    order: tuple[str, ...]
    played: tuple[Played, ...] = ()

    @property
    def clocked(self) -> bool:
        return not any(fixture.terms.time.unlimited for fixture in self.fixtures)


def planned(agreed: Agreement, records: Path | None) -> Plan:
    """A wrong board, key or folder is told here, before any bot is started."""
    series_id = secrets.token_hex(4)
    fixtures = agreed.fixtures(series_id)
    terms, series = fixtures[0].terms, fixtures[0].series
    agreed.game.open(variant=terms.variant, options=terms.options, seed=terms.seed)
    archive = open_archive(records)
    if series is not None:
        archive = Archive(archive.folder / series_id, archive.key)
        make_folder(archive.folder)
    return Plan(
        game=agreed.game,
        bots=agreed.bots,
        fixtures=tuple(fixtures),
        archive=archive,
        record=archive.folder if series else archive.path(series_id),
        series=series,
        order=tuple(fixture.terms.match_id for fixture in fixtures),
    )


def resumed(path: Path) -> Plan:
    """What is left of the match in a record, or of the series in a folder of them."""
    if not path.exists():
        raise Mistake(f"there is no record {path} to go on with")
    archive = open_archive(path if path.is_dir() else path.parent)
    files = sorted(path.glob(f"*{SUFFIX}")) if path.is_dir() else [path]
    recorded = {file: one for file in files if (one := begun(file)) is not None}
    if not recorded:
        raise Mistake(f"there is nothing to go on with in {path}: no match had begun")
    first = next(iter(recorded.values()))
    agreed = agreement(first)
    if path.is_dir() and first.series is None:
        raise Mistake(f"{path} holds single matches, no series: name the record of the match to go on with")
    if path.is_dir():
        fixtures = agreed.fixtures(first.series.series_id) if first.series else []
    else:
        fixtures = [Fixture(first.terms, home=0, series=first.series, record=path)]
    over = [
        Played(restore(one), one.entrants, 0.0, file)
        for file, one in recorded.items()
        if one.verdict is not None
    ]
    finished = {one.match.terms.match_id for one in over}
    return Plan(
        game=agreed.game,
        bots=agreed.bots if path.is_dir() else (first.entrants[0].bot, first.entrants[1].bot),
        fixtures=tuple(fixture for fixture in fixtures if fixture.terms.match_id not in finished),
        archive=archive,
        record=path,
        series=first.series if path.is_dir() else None,
        order=tuple(fixture.terms.match_id for fixture in fixtures),
        played=tuple(over),
    )


def begun(file: Path) -> Recorded | None:
    """None for a file whose first entry never reached the disk: that match is played from its start."""
    contents = read(file)
    return understand(contents, file) if contents.entries else None


def agreement(recorded: Recorded) -> Agreement:
    terms, series = recorded.terms, recorded.series
    bots = (recorded.entrants[0].bot, recorded.entrants[1].bot)
    return Agreement(
        game=find_game(terms.game),
        variant=terms.variant,
        options=terms.options,
        time=terms.time,
        ruling=terms.ruling,
        bots=series.bots if series else bots,
        games=series.games if series else 1,
        seed=series.seed if series else terms.seed,
        memory=terms.memory,
        processes=terms.processes,
        ponder=terms.ponder,
    )
