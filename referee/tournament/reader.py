"""From the TOML file of an organiser to a tournament; every list of settings is an axis to sweep."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from games import Game, Mistake, Ruling, Unknown, find_game, parse_memory
from referee.events import PROCESSES
from referee.launch import check_metered
from referee.plan import Agreement
from referee.time_control import KEYS as TIME_KEYS
from referee.time_control import Setting, time_control
from referee.toml import line_of, read_toml
from referee.tournament.ledger import Entry
from referee.tournament.spec import Cell, Spec

MOST_CELLS = 10_000
MOST_BOTS = 500

Table = dict[str, Any]

FORMATS = ("round-robin", "gauntlet", "swiss", "knockout", "sprt")
#: What may be a list, outside of the tables: each is then an axis.
SETTINGS = ("game", "variant", "ruling", "memory", "processes", "ponder")
TABLES = ("options", "time", "sprt", "quick")
KEYS = ("name", "about", "format", "bots", "rivals", "games", "rounds", "seed", *SETTINGS, *TABLES)
SPRT = {"elo0": 0.0, "elo1": 10.0, "alpha": 0.05, "beta": 0.05}


def read_spec(path: Path, *, quick: bool) -> Spec:
    """Whatever is wrong is told with the file, the line as far as it is known, and what is allowed."""
    text, table = read_toml(path, what="tournament")
    return Reader(path, text, table).spec(quick=quick)


class Reader:
    """Knows where every key stands, for whoever made a mistake."""

    def __init__(self, path: Path, text: str, table: Table) -> None:
        self._path = path
        self._text = text
        self._table = table
        self._changed: Table = {}

    def where(self, key: str, table: str = "") -> str:
        if key in self._changed.get(table, {}) if table else key in self._changed:
            table = (
                f"quick.{table}" if table and line_of(key, self._text, table=f"quick.{table}") else "quick"
            )
        return f"{self._path}{line_of(key, self._text, table=table)}: {key}"

    def spec(self, *, quick: bool) -> Spec:
        if not self._table:
            raise Mistake(f"{self._path} is empty: name a game and bots, as in docs/tournaments.md")
        self.check_keys(self._table, KEYS)
        changed = self.table("quick")
        self.check_keys(changed, [key for key in KEYS if key != "quick"], table="quick")
        if quick:
            if not changed:
                raise Mistake(
                    f"{self._path} has no table [quick]: leave out --quick, or write one with smaller settings"
                )
            self._changed = changed
            for key, value in changed.items():
                whole = isinstance(value, dict) and isinstance(self._table.get(key, {}), dict)
                self._table[key] = {**self._table.get(key, {}), **value} if whole else value
        form = self.one_of("format", FORMATS)
        runners = self.entries("bots")
        rivals = self.rivals(form, runners)
        bots = (*runners, *(rival for rival in rivals if rival not in runners))
        self.check_bots(form, runners, bots)
        games = self.number("games", 2, most=1_000_000)
        if games % 2:
            raise Mistake(f"{self.where('games')} = {games}: games come in pairs, so write an even number")
        axes, fixed, cells = self.cells(bots)
        spec = Spec(
            origin=self.where("bots"),
            name=self.text("name", self._path.stem) + ("-quick" if quick else ""),
            about=self.text("about", ""),
            format=form,
            bots=bots,
            runners=len(runners),
            rivals=tuple(bots.index(rival) for rival in rivals),
            games=games,
            rounds=self.rounds(form, len(bots)),
            seed=self.number("seed", 1, least=0, most=2**62),
            axes=axes,
            fixed=fixed,
            cells=cells,
            sprt=self.sprt(form),
        )
        try:
            spec.pairing()
        except Mistake as mistake:
            raise Mistake(f"{self._path}: {mistake}") from None
        return spec

    def check_keys(self, found: Iterable[str], allowed: Sequence[str], table: str = "") -> None:
        for key in found:
            if key not in allowed:
                line = line_of(key, self._text, table=table)
                of = f" of [{table}]" if table else ""
                raise Mistake(f"{self._path}{line}: {key} is no key{of}: there are {', '.join(allowed)}")

    def table(self, key: str) -> Table:
        value = self._table.get(key, {})
        if not isinstance(value, dict):
            raise Mistake(f"{self.where(key)} must be a table: write [{key}] and its keys below")
        return value

    def text(self, key: str, default: str) -> str:
        value = self._table.get(key, default)
        if not isinstance(value, str):
            raise Mistake(f"{self.where(key)} must be a text in quotes")
        if key == "name" and (not value or not all(letter.isalnum() or letter in "-_." for letter in value)):
            raise Mistake(
                f"{self.where(key)}: {value!r} names a folder, so write letters, digits, - and _ only"
            )
        return value

    def one_of(self, key: str, allowed: Sequence[str]) -> str:
        value = self._table.get(key, allowed[0])
        if value not in allowed:
            raise Mistake(f"{self.where(key)}: {value!r:.40} is not known: choose from {', '.join(allowed)}")
        return str(value)

    def number(self, key: str, default: int, *, least: int = 1, most: int) -> int:
        value = self._table.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise Mistake(f"{self.where(key)}: {value!r:.40} is no whole number from {least} to {most}")
        return value

    def rounds(self, form: str, bots: int) -> int:
        if "rounds" in self._table and form != "swiss":
            raise Mistake(f"{self.where('rounds')} is for the format swiss: leave it out for {form}")
        # Enough to tell a first from a second among so many.
        return self.number("rounds", max(1, (bots - 1).bit_length()), most=MOST_BOTS)

    def sprt(self, form: str) -> dict[str, float]:
        table = self.table("sprt")
        if table and form != "sprt":
            raise Mistake(f"{self.where('sprt')} is for the format sprt: leave it out for {form}")
        self.check_keys(table, list(SPRT), table="sprt")
        for key, value in table.items():
            if not isinstance(value, int | float) or isinstance(value, bool):
                raise Mistake(f"{self.where(key, 'sprt')} must be a number")
            if key in {"alpha", "beta"} and not 0 < value < 0.5:
                raise Mistake(f"{self.where(key, 'sprt')} = {value} is a chance of error: write 0.05 or so")
        found = {**SPRT, **{key: float(value) for key, value in table.items()}}
        if found["elo0"] >= found["elo1"]:
            raise Mistake(
                f"{self.where('sprt')}: elo0 must be below elo1, {found['elo0']:g} is not below {found['elo1']:g}"
            )
        return found

    # Bots.

    def entries(self, key: str) -> tuple[Entry, ...]:
        """A bot is a text as for `play`, or a table with bot, name and options; a list of values gives several."""
        listed = self._table.get(key, [])
        if not isinstance(listed, list):
            raise Mistake(f"{self.where(key)} must be a list, such as {key} = ['greedy', 'random']")
        found: list[Entry] = []
        for one in listed:
            if isinstance(one, str):
                found.append(Entry(one, one))
            elif isinstance(one, dict):
                found += self.expanded(key, one)
            else:
                raise Mistake(
                    f"{self.where(key)}: {one!r:.40} is no bot: write its name in quotes, or a table"
                )
        if len(found) > MOST_BOTS:
            raise Mistake(f"{self.where(key)} has {len(found)} bots: at most {MOST_BOTS} can play")
        return tuple(found)

    def expanded(self, key: str, table: Table) -> list[Entry]:
        for name in table:
            if name not in {"bot", "name", "options"}:
                raise Mistake(f"{self.where(key)}: {name} is no key of a bot: there are bot, name, options")
        bot, name, options = table.get("bot"), table.get("name", ""), table.get("options", {})
        if not isinstance(bot, str) or not bot or not isinstance(name, str) or not isinstance(options, dict):
            raise Mistake(
                f"{self.where(key)}: a bot needs bot = 'its name', and may have name and options = {{…}}"
            )
        found = []
        for values in product(*(texts(value) for value in options.values())):
            asked = ",".join(f"{option}={value}" for option, value in zip(options, values, strict=True))
            swept = ",".join(
                f"{option}={value}"
                for (option, given), value in zip(options.items(), values, strict=True)
                if isinstance(given, list)
            )
            whole = f"{bot},{asked}" if asked else bot
            found.append(Entry(",".join(filter(None, [name, swept])) if name else whole, whole))
        return found

    def rivals(self, form: str, runners: tuple[Entry, ...]) -> tuple[Entry, ...]:
        if form != "gauntlet":
            if "rivals" in self._table:
                raise Mistake(f"{self.where('rivals')} is for the format gauntlet: leave it out for {form}")
            return ()
        found = self.entries("rivals")
        if not found:
            raise Mistake(f"{self._path} has no rivals: a gauntlet needs rivals = ['random'] or others")
        if len(set(found)) < len(found) or any(
            rival.name == runner.name and rival != runner for rival in found for runner in runners
        ):
            raise Mistake(f"{self.where('rivals')}: two have the same name: give them names of their own")
        return found

    def check_bots(self, form: str, runners: tuple[Entry, ...], bots: tuple[Entry, ...]) -> None:
        names = [bot.name for bot in runners]
        for name in names:
            if names.count(name) > 1:
                raise Mistake(
                    f"{self.where('bots')}: two are called {name!r}: give one of them another name, as in"
                    f" {{name = 'other', bot = {name!r}}}"
                )
        if not runners:
            raise Mistake(f"{self._path} has no bots: write bots = ['greedy', 'random'] or others")
        if len(bots) < 2:
            raise Mistake(
                f"{self.where('bots')}: a tournament needs two bots or more, and there is only {names[0]!r}"
            )
        if form == "sprt" and len(bots) != 2:
            raise Mistake(f"{self.where('bots')}: a test is between two bots, and there are {len(bots)}")

    # Cells.

    def cells(
        self, bots: Sequence[Entry]
    ) -> tuple[dict[str, tuple[str, ...]], dict[str, str], tuple[Cell, ...]]:
        """Every combination of what is listed, in the order in which it stands in the file."""
        if "game" not in self._table:
            raise Mistake(f"{self._path} names no game: write game = 'sudoku' or another")
        self.check_keys(self.table("time"), list(TIME_KEYS), table="time")
        settings: dict[tuple[str, str], Any] = {
            ("", key): self._table[key] for key in SETTINGS if key in self._table
        }
        for table in ("options", "time"):
            settings |= {(table, key): value for key, value in self.table(table).items()}
        axes = {key: value for key, value in settings.items() if isinstance(value, list)}
        for (table, key), value in axes.items():
            if not value or len({repr(one) for one in value}) < len(value):
                raise Mistake(
                    f"{self.where(key, table)}: a list that is swept needs values, each of them once"
                )
        number = 1
        for value in axes.values():
            number *= len(value)
        if number > MOST_CELLS:
            raise Mistake(
                f"{self._path}: the lists make {number} combinations, at most {MOST_CELLS} can be played"
            )
        made = []
        for values in product(*axes.values()):
            chosen = {**settings, **dict(zip(axes, values, strict=True))}
            swept = {key: text_of(chosen[table, key]) for table, key in axes}
            made.append(Cell(swept, self.agreement(chosen, bots)))
        return (
            {key: tuple(map(text_of, value)) for (_, key), value in axes.items()},
            {key: text_of(value) for (table, key), value in settings.items() if (table, key) not in axes},
            tuple(made),
        )

    def agreement(self, chosen: Mapping[tuple[str, str], Any], bots: Sequence[Entry]) -> Agreement:
        for (table, key), value in chosen.items():
            if not isinstance(value, str | int | float | bool):
                raise Mistake(
                    f"{self.where(key, table)}: {value!r:.40} must be a text, a number, or a list of them"
                )
        top = {key: value for (table, key), value in chosen.items() if not table}
        options = {key: text_of(value) for (table, key), value in chosen.items() if table == "options"}
        game = self.asked("game", lambda: find_game(str(top["game"])))
        variant = str(top.get("variant", game.variants[0]))
        table_of = "options" if options else ""
        first = next(iter(options), "game")
        self.asked(
            "variant" if variant not in game.variants else first,
            lambda: game.open(variant=variant, seed=1, options=options),
            table="" if variant not in game.variants else table_of,
        )
        time = time_control(
            game.clock,
            {
                key: Setting(value, self.where(key, "time"))
                for (table, key), value in chosen.items()
                if table == "time"
            },
        )
        if time.cpu:
            for bot in bots:
                self.asked("cpu", lambda bot=bot: check_metered(bot.bot), table="time")
        return Agreement(
            game=game,
            variant=variant,
            options=options,
            time=time,
            ruling=self.asked("ruling", lambda: ruling(top.get("ruling"), game)),
            bots=("", ""),
            games=2,
            seed=0,
            memory=self.asked("memory", lambda: memory(top.get("memory"), game)),
            processes=self.whole(top.get("processes", PROCESSES)),
            ponder=self.truth(top.get("ponder", False)),
        )

    def asked(self, key: str, find: Any, table: str = "") -> Any:  # noqa: ANN401 - gives what it is given
        try:
            return find()
        except Mistake as mistake:
            raise Mistake(f"{self.where(key, table)}: {mistake}") from None

    def whole(self, value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= 100_000:
            raise Mistake(f"{self.where('processes')}: {value!r:.40} is no whole number from 1 to 100000")
        return value

    def truth(self, value: object) -> bool:
        if not isinstance(value, bool):
            raise Mistake(f"{self.where('ponder')}: {value!r:.40} is neither true nor false")
        return value


def ruling(value: object, game: Game) -> Ruling:
    if value is None:
        return game.ruling
    if value not in [one.value for one in Ruling]:
        raise Unknown("ruling", str(value)[:40], [one.value for one in Ruling])
    return Ruling(value)


def memory(value: object, game: Game) -> int | None:
    if value is None:
        return None if game.memory is None else game.memory * 10**6
    return parse_memory(str(value))


def texts(value: object) -> list[str]:
    return [text_of(one) for one in value] if isinstance(value, list) else [text_of(value)]


def text_of(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
