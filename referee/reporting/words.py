"""The sentences of a report, and numbers as they are read."""

from collections.abc import Iterable

from referee.reporting.archive import Study
from referee.reporting.rows import Result, Standing, Trouble

FORFEITS = {
    "illegal": "played a move that the rules refuse",
    "no_move": "had no valid move when its time was over",
    "late": "used up its time for the game",
    "crashed": "crashed and left no move",
    "over_memory": "used more memory than allowed",
    "over_processes": "started more processes than allowed",
    "disconnected": "lost its connection to the referee",
    "resigned": "resigned",
    "no_show": "was not ready in time",
}
FAULTS = {
    "died": "its program ended in the middle of a turn",
    "raised": "its code raised an error",
    "killed": "it did not stop at the end of a turn, and was killed",
    "over_memory": "it used more memory than allowed",
    "over_processes": "it started more processes than allowed",
}
KIND_NAMES = {
    "won": "won",
    "won by forfeit": "won: the rival forfeited",
    "drawn": "drawn",
    "lost": "lost",
    **{kind: f"forfeited: {what}" for kind, what in FORFEITS.items()},
}
#: Where a table has no value.
NOTHING = "–"  # noqa: RUF001 - a dash that looks like one
#: No text of a bot is longer in a sentence.
LONGEST = 200


def plain(text: str) -> str:
    """A text of a stranger on one line, without anything that is not printed."""
    return "".join(character if character.isprintable() else " " for character in text)


def short(text: str, most: int = LONGEST) -> str:
    text = plain(text).strip()
    return text if len(text) <= most else f"{text[: most - 1]}…"


def count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def wrong(troubles: Iterable[Trouble]) -> list[str]:
    """A sentence for each."""
    return [sentence(trouble) for trouble in troubles]


def sentence(trouble: Trouble) -> str:
    bot, example = plain(trouble.bot), short(trouble.text)
    said = f" “{example}”" if example else ""
    if trouble.forfeit:
        what = FORFEITS.get(trouble.kind, trouble.kind.replace("_", " "))
        return f"{bot} {what} and lost {count(trouble.games, 'game')} by that.{said}"
    what = FAULTS.get(trouble.kind, trouble.kind.replace("_", " "))
    often = f"{count(trouble.times, 'time')} in {count(trouble.games, 'game')}"
    return f"{bot} went on after a fault, {often}: {what}.{said}"


def left_out(study: Study) -> str:
    gone = study.missing + study.damaged
    return (
        f"{count(gone, 'record')} of {study.records:,} left out of the curves: {study.missing:,} missing,"
        f" {study.damaged:,} damaged."
    )


def wins_draws_losses(result: Result) -> str:
    return f"{result.wins}-{result.draws}-{result.losses}"


def percent(share: float | None) -> str:
    return NOTHING if share is None else f"{100 * share:.1f} %"


def score(result: Result) -> str:
    if result.score is None or result.low is None or result.high is None:
        return NOTHING
    return f"{100 * result.score:.1f} % ({100 * result.low:.0f} to {100 * result.high:.0f})"


def rating(row: Standing) -> str:
    if not row.result.games or row.bound == "unknown":
        return "unknown"
    if row.bound == "at least":
        return f"at least {points(row.rating_low)}"
    if row.bound == "at most":
        return f"at most {points(row.rating_high)}"
    return f"{points(row.rating)} ({points(row.rating_low)} to {points(row.rating_high)})"


def points(value: float) -> str:
    """Of a rating; a true minus, and no sign at zero."""
    whole = round(value)
    return f"{whole:+}".replace("-", "\N{MINUS SIGN}") if whole else "0"


def number(value: float | None) -> str:
    """Three digits or more: 0.0123, 4.56, 1,234."""
    if value is None:
        return NOTHING
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def duration(milliseconds: float | None) -> str:
    if milliseconds is None:
        return NOTHING
    if milliseconds < 1000:
        return f"{number(milliseconds)} ms"
    return f"{number(milliseconds / 1000)} s"
