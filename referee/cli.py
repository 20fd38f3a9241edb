"""The `shotclock` command: finds its commands by entry point and turns mistakes into a sentence."""

import errno
import io
import os
import sys
from collections.abc import Iterable
from importlib.metadata import EntryPoint, entry_points, version
from typing import Annotated

import typer

from games import Mistake
from referee.logs import LogFormat, LogLevel, configure

EXIT_UNREAD = 1
EXIT_MISTAKE = 2
EXIT_INTERRUPTED = 130

#: What a full disk says, or one of which we may have no more.
FULL = {errno.ENOSPC, errno.EDQUOT}


class Stopped(Exception):  # noqa: N818 - nothing went wrong
    """Ctrl-C has ended a command that has something to say about it."""


def main() -> None:
    """Exit codes: 0 done, 1 a check found something wrong or nobody reads the output, 2 a mistake, 130 Ctrl-C."""
    os.environ.setdefault(
        "GRPC_VERBOSITY", "ERROR"
    )  # its notes on connections that close are not for our users
    mend_streams()
    try:
        code, text = application(sys.argv[1:])(standalone_mode=False) or 0, ""
        if code == EXIT_INTERRUPTED:  # typer makes this of Ctrl-C
            text = "stopped"
    except typer.TyperException as error:
        code, text = error.exit_code, error.format_message()
    except Mistake as mistake:
        code, text = EXIT_MISTAKE, str(mistake)
    except Stopped as stopped:
        code, text = EXIT_INTERRUPTED, str(stopped)
    except (KeyboardInterrupt, typer.Abort):
        code, text = EXIT_INTERRUPTED, "stopped"
    except BrokenPipeError:
        # Whoever read our output has left in the middle of a match; typer sees to it at any other time.
        forget_output()
        code, text = EXIT_UNREAD, ""
    except OSError as error:
        if error.errno not in FULL:
            raise
        forget_output()
        code, text = (
            EXIT_MISTAKE,
            f"cannot write {error.filename or 'the output'}: {error.strerror}, make room",
        )
    if text:
        print(f"shotclock: {text}", file=sys.stderr)  # noqa: T201 - the one sentence of a failed command
    sys.exit(code)


def mend_streams() -> None:
    """One that was closed leads nowhere; a letter that the user's character set lacks is a question mark, no crash."""
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115, PTH123 - it stays open, and takes nothing
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115, PTH123 - the same
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def forget_output() -> None:
    """Or the last flush fails once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def application(arguments: list[str]) -> typer.Typer:
    app = typer.Typer(name="shotclock", no_args_is_help=True, add_completion=False, callback=options)
    for entry in wanted(entry_points(group="shotclock.commands"), arguments):
        command = entry.load()
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=entry.name)
        else:
            app.command(entry.name)(command)
    return app


def wanted(commands: Iterable[EntryPoint], arguments: list[str]) -> list[EntryPoint]:
    """The one command that is called, so that the others need not be imported; all of them for help."""
    everything = sorted(commands, key=lambda entry: entry.name)
    return [entry for entry in everything if entry.name in arguments] or everything


def show_version(asked: bool) -> None:  # noqa: FBT001 - typer calls it
    if asked:
        typer.echo(f"shotclock {version('shotclock')}")
        raise typer.Exit


def options(
    *,
    log_format: Annotated[LogFormat, typer.Option(help="How log lines on stderr look.")] = LogFormat.CONSOLE,
    log_level: Annotated[LogLevel, typer.Option(help="The least that is logged.")] = LogLevel.INFO,
    show: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """A referee for games between programs."""
    del show
    configure(log_format, log_level)
