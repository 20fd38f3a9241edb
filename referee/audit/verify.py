"""`shotclock verify`: whether records are whole, sealed, and true to the rules."""

import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_public_key
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from games import Mistake
from referee.audit.audit import Audited, State
from referee.audit.folder import audit_all, records_in

EXIT_WRONG = 1
#: Seconds between two lines of progress where there is no terminal.
EVERY = 5.0


def verify(
    paths: Annotated[
        list[Path], typer.Argument(metavar="FILE|FOLDER...", help="Records, or folders with records in them.")
    ],
    *,
    key: Annotated[
        list[str] | None,
        typer.Option(help="A public key that may seal, in hex or as a PEM file; repeatable. Default: any."),
    ] = None,
    finished: Annotated[bool, typer.Option("--finished", help="An unfinished record is wrong, too.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Check records: every byte, the seal, the clock, the rules and the verdict."""
    keys = frozenset(map(public_key, key or []))
    files = records_in(paths)
    results: list[Audited] = []
    with progress(len(files)) as advance:
        for result in audit_all(files, keys):
            results.append(result)
            advance(result)
    if as_json:
        typer.echo(json.dumps(summary_data(results)))
    elif len(paths) == 1 and paths[0].is_file():
        for line in told(results[0]):
            say(line)
    else:
        show(results, finished=finished)
    if any(is_wrong(result, finished=finished) for result in results):
        raise typer.Exit(EXIT_WRONG)


def is_wrong(result: Audited, *, finished: bool) -> bool:
    return result.state is State.BAD or (finished and result.state is State.UNFINISHED)


def public_key(text: str) -> str:
    if re.fullmatch("[0-9a-fA-F]{64}", text):
        return text.lower()
    try:
        key = load_pem_public_key(Path(text).read_bytes())
    except OSError as error:
        raise Mistake(
            f"{text:.100} is neither 64 hex digits nor a file with a public key: {error.strerror}"
        ) from None
    except (ValueError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PublicKey):
        raise Mistake(f"{text:.100} holds no Ed25519 public key: make one with `shotclock key --export FILE`")
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw).hex()


@contextmanager
def progress(files: int) -> Iterator[Callable[[Audited], None]]:
    """A bar on a terminal, now and then a line elsewhere; nothing for what takes no time."""
    console = Console(stderr=True)
    if files > 1 and console.is_terminal:
        columns = (
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[bad]} bad"),
        )
        with Progress(*columns, console=console, transient=True) as bar:
            task = bar.add_task("", total=files, bad=0)
            yield lambda result: bar.update(
                task, advance=1, bad=bar.tasks[task].fields["bad"] + (result.state is State.BAD)
            )
        return
    states: Counter[State] = Counter()
    said = time.monotonic()

    def advance(result: Audited) -> None:
        nonlocal said
        states[result.state] += 1
        if time.monotonic() - said > EVERY:
            said = time.monotonic()
            typer.echo(f"{states.total()} of {files} records checked, {states[State.BAD]} bad", err=True)

    yield advance


def told(result: Audited) -> list[str]:
    """One record, in a few lines."""
    begin = result.begin
    lines = [f"{result.file}: {finding(result)}"]
    if begin:
        names = "    ".join(f"seat {bot['seat']}: {bot['name']}" for bot in begin["bots"])
        lines += [
            f"match {begin['match']}: {begin['game']} {begin['variant']}, began {begin['began']}",
            names,
        ]
    if result.verdict:
        lines.append(f"{outcome(result)}: {result.verdict['reason']}, {result.verdict['text']}")
    lines.append(f"{result.turns} turn{'s' * (result.turns != 1)}")
    if result.key:
        lines.append(f"sealed by {result.key}")
    return lines + [f"note: {note(text, count)}" for text, count in result.notes.items()]


def finding(result: Audited) -> str:
    if result.state is State.BAD:
        where = "" if result.entry is None else f"entry {result.entry}"
        turn = "" if result.turn is None else f" (turn {result.turn})"
        return f"bad, {where}{turn}: {result.flaw}" if where else f"bad: {result.flaw}"
    if result.cut == 0:
        return f"{result.state}, cut off in its first entry"
    return (
        result.state.value if result.cut is None else f"{result.state}, cut off after entry {result.cut - 1}"
    )


def outcome(result: Audited) -> str:
    if not result.verdict:
        return "unfinished"
    if result.verdict["void"]:
        return "void"
    winner = result.verdict["winner"]
    return "draw" if winner is None else f"seat {winner} wins"


def note(text: str, count: int) -> str:
    return text if count == 1 else f"{count} times: {text}"


def show(results: list[Audited], *, finished: bool) -> None:
    """Every record that is wrong in a line of its own, then how many there are of each kind."""
    for result in results:
        if is_wrong(result, finished=finished):
            say(f"{result.file}: {finding(result)}")
    table = Table("", "reason", "records")
    for (state, reason), count in sorted(Counter(map(kind, results)).items()):
        table.add_row(state, reason, str(count))
    table.add_section()
    table.add_row("all", "", str(len(results)))
    Console().print(table)
    for text, count in notes(results).items():
        say(f"note: {note(text, count)}")


def kind(result: Audited) -> tuple[str, str]:
    return (result.state.value, result.verdict["reason"] if result.state is State.OK else "")


def say(line: str) -> None:
    """A record is a stranger's text: nothing in it shall move the cursor."""
    typer.echo("".join(letter if letter.isprintable() else "�" for letter in line))


def notes(results: list[Audited]) -> Counter[str]:
    return sum((Counter(result.notes) for result in results), Counter())


def summary_data(results: list[Audited]) -> dict[str, Any]:
    """Everything, for programs that read."""
    states = Counter(result.state for result in results)
    return {
        "files": len(results),
        **{state.value: states[state] for state in State},
        "reasons": Counter(reason for _, reason in map(kind, results) if reason),
        "records": [record_data(result) for result in results],
    }


def record_data(result: Audited) -> dict[str, Any]:
    begin, verdict = result.begin, result.verdict
    return {
        "file": result.file,
        "state": result.state,
        "match": begin.get("match"),
        "game": begin.get("game"),
        "variant": begin.get("variant"),
        "bots": [bot["name"] for bot in begin.get("bots", [])],
        "result": outcome(result),
        "winner": verdict.get("winner"),
        "reason": verdict.get("reason"),
        "text": verdict.get("text"),
        "scores": verdict.get("scores"),
        "turns": result.turns,
        "key": result.key or None,
        "entry": result.entry,
        "turn": result.turn,
        "flaw": result.flaw or None,
        "cut": result.cut,
        "notes": result.notes,
    }
