"""From what a user types to a bot: `greedy`, `greedy,depth=3`, `folder/mybot.py:Greedy`, `package.module:Greedy`."""

import importlib
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import get_args

# Before an author's folder goes on the path: its own `bots.py` or `games.py` must not take the place of ours.
from bots import Bot
from games import Mistake, Position, Unknown, game_names

#: The person at the terminal, where a bot is asked for.
HUMAN = "human"

_TRUTHS = {"yes": True, "true": True, "no": False, "false": False}
_CONVERTERS: Mapping[type, Callable[[str], object]] = {
    int: int,
    float: float,
    bool: lambda text: _TRUTHS[text.lower()],
    str: str,
}
_SPELLING = {int: "a whole number", float: "a number", bool: "yes or no", str: "a text"}


@dataclass(frozen=True, slots=True)
class Loaded:
    """A class that can think; `make` gives a new object of it, `folder` is where its author's files are."""

    make: Callable[[], Bot[Position]]
    folder: str


def game_of(text: str, game: str | None) -> str:
    """The game that a bot is for: as said, or where the built-in's name can only mean one."""
    if game is not None:
        if game not in game_names():
            raise Unknown("game", game, game_names())
        return game
    target, _ = _read(text)
    if ":" in target or target == HUMAN:
        raise Mistake(f"{target} may play any game: say which with --game, one of {', '.join(game_names())}")
    entries = [entry.name for entry in entry_points(group="shotclock.bots")]
    games = game_names() if target in entries else sorted(_games_with(target, entries))
    if not games:
        raise Unknown("bot", target, {name.rpartition(".")[2] for name in entries})
    if len(games) > 1:
        raise Mistake(f"there is a bot {target!r} for {' and '.join(games)}: say which with --game")
    return games[0]


def is_human(text: str) -> bool:
    target, options = _read(text)
    if target == HUMAN and options:
        raise Mistake(f"{HUMAN} takes no options, not {text!r}")
    return target == HUMAN


def _games_with(bot: str, entries: list[str]) -> list[str]:
    return [game for game, _, name in (entry.partition(".") for entry in entries) if name == bot]


def load(text: str, game: str) -> Loaded:
    """Import the bot's class and fit its options; everything that can be wrong with them is a Mistake."""
    target, options = _read(text)
    place, colon, name = target.rpartition(":")
    if not colon:
        module, name = _built_in(target, game)
    elif place.endswith(".py"):
        module = _from_file(place)
    else:
        module = _from_path(place)
    bot = getattr(module, name, None)
    if not isinstance(bot, type):
        classes = [thing for thing in vars(module).values() if isinstance(thing, type)]
        own = [thing.__name__ for thing in classes if thing.__module__ == module.__name__]
        raise Mistake(f"there is no class {name!r} in {place or target}: it has {', '.join(own) or 'none'}")
    if not callable(getattr(bot, "think", None)):
        raise Mistake(f"{target} has no method think(self, position, turn), so it is no bot")
    make = partial(bot, **_fit(bot, target, options))
    if not colon:
        # One of ours costs nothing to make and knows which values it takes; an author's may do anything.
        make()
    return Loaded(make, folder=str(Path(module.__file__ or ".").resolve().parent))


def describe(error: BaseException, folder: str) -> str:
    """An author's error in one line, with the innermost place in her own files."""
    kind = type(error).__name__
    if isinstance(error, SyntaxError):  # its text names the place
        return f"{kind}: {error}"
    own = [place for place in traceback.extract_tb(error.__traceback__) if place.filename.startswith(folder)]
    where = "".join(f" ({Path(place.filename).name}, line {place.lineno})" for place in own[-1:])
    return f"{kind}: {error}{where}" if str(error) else f"{kind}{where}"


def _read(text: str) -> tuple[str, dict[str, str]]:
    target, *pairs = text.split(",")
    options: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name.isidentifier():
            raise Mistake(f"{pair!r} in {text!r} is no option: write name=value")
        if name in options:
            raise Mistake(f"option {name!r} is given twice in {text!r}")
        options[name] = value
    if target.endswith(".py"):
        raise Mistake(f"{target} may hold several bots: name the class, as in {target}:MyBot")
    return target, options


def _built_in(target: str, game: str) -> tuple[ModuleType, str]:
    known = {entry.name: entry for entry in entry_points(group="shotclock.bots")}
    entry = known.get(f"{game}.{target}") or known.get(target)
    if entry is None or "." in target:
        names = {name.removeprefix(f"{game}.") for name in known}
        raise Unknown(f"{game} bot", target, [name for name in names if "." not in name])
    module = _import(entry.module, target, folder="", run=partial(importlib.import_module, entry.module))
    return module, entry.attr


def _from_file(place: str) -> ModuleType:
    path = Path(place).resolve()
    if not path.is_file():
        raise Mistake(f"there is no file {place} in {Path.cwd()}")
    sys.path.insert(0, str(path.parent))
    # A file that bears the name of a module which is loaded already, such as random.py, must not replace it.
    name = path.stem if path.stem not in sys.modules else f"author_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise Mistake(f"{place} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    return _import(name, place, folder=str(path.parent), run=partial(_execute, spec.loader, module))


def _execute(loader: importlib.abc.Loader, module: ModuleType) -> ModuleType:
    loader.exec_module(module)
    return module


def _from_path(place: str) -> ModuleType:
    folder = str(Path.cwd())
    sys.path.insert(0, folder)
    return _import(place, place, folder=folder, run=partial(importlib.import_module, place))


def _import(name: str, shown: str, *, folder: str, run: Callable[[], ModuleType]) -> ModuleType:
    try:
        return run()
    except ModuleNotFoundError as error:
        if error.name and f"{name}.".startswith(f"{error.name}."):
            raise Mistake(
                f"there is no module {shown} in {Path.cwd()} or among the installed ones"
            ) from error
        raise Mistake(f"{shown} cannot be imported: {describe(error, folder)}") from error
    except BaseException as error:  # an author's file may raise anything, SystemExit too
        raise Mistake(f"{shown} cannot be imported: {describe(error, folder)}") from error


def _fit(bot: type, target: str, options: Mapping[str, str]) -> dict[str, object]:
    try:
        parameters = inspect.signature(bot, eval_str=True).parameters.values()
    except (NameError, TypeError, ValueError) as error:
        raise Mistake(f"the options of {target} cannot be read: {error}") from error
    # A parameter cannot have the name of a statement: `pass_` takes the option `pass`.
    takes = {p.name.rstrip("_"): p for p in parameters if p.kind in {p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY}}
    anything = any(p.kind is p.VAR_KEYWORD for p in parameters)
    for name in options:
        if name not in takes and not anything:
            raise Mistake(f"{target} has no option {name!r}: it takes {', '.join(takes) or 'none'}")
    for name, parameter in takes.items():
        if parameter.default is parameter.empty and name not in options:
            raise Mistake(f"{target} needs option {name}: write {target},{name}=...")
    return {
        takes[name].name if name in takes else name: _convert(
            value, takes.get(name), f"option {name} of {target}"
        )
        for name, value in options.items()
    }


def _convert(value: str, parameter: inspect.Parameter | None, what: str) -> object:
    if parameter is None:
        return value
    wanted = parameter.annotation
    if wanted is parameter.empty:
        wanted = type(parameter.default) if type(parameter.default) in _CONVERTERS else str
    # `int | None` takes an int.
    kind = next((kind for kind in (wanted, *get_args(wanted)) if kind in _CONVERTERS), None)
    if kind is None:
        raise Mistake(f"{what} cannot be given here: only whole numbers, numbers, yes or no, and texts can")
    try:
        return _CONVERTERS[kind](value)
    except (ValueError, KeyError) as error:
        raise Mistake(f"{what} must be {_SPELLING[kind]}, not {value!r}") from error
