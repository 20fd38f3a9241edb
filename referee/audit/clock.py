"""The clock of a turn worked out again: how long it might last, how it had to end, and what it cost."""

from hashlib import sha256

from referee.audit.flaw import Data, insist, insist_same
from referee.audit.seeds import derived

#: For the ways in which a turn can end because time is over.
TIMED = ("line", "late")


def check_agreed(time: Data) -> None:
    """A time control that a referee can have agreed on."""
    drawn = time["longest"] is not None
    insist((time["promise"] is not None) == drawn, "promise is there if lengths of turns are drawn")
    if drawn:
        insist(time["turn"] is not None and time["turn"] <= time["longest"], "longest is less than turn")
        insist(time["hidden"], "lengths of turns are drawn only where they are hidden")
    insist(time["cpu"] or time["cap"] == 1, "cap is for processor time")
    timed = time["turn"] is not None or time["budget"] is not None
    for name in ("hidden", "cpu", "full_turns", "latency_credit"):
        insist(timed or not time[name], f"{name} is true, but there is no clock")
    insist(time["budget"] is None or not time["hidden"], "hidden is true, but there is a budget")
    insist(time["budget"] is None or not time["full_turns"], "full_turns is true, but there is a budget")
    insist(time["budget"] is not None or not time["increment"], "increment needs a budget")


def check_thinking(turn: Data, time: Data, *, first: bool, budget: int | None) -> bool:
    """Whether it was drawn by lot, so that it can be judged only when the secret is told."""
    if time["longest"] is not None and not (first and time["first"] is not None):
        low, high, thinking = time["turn"], time["longest"], turn["thinking"]
        insist(
            thinking is not None and low <= thinking <= high,
            f"thinking is {thinking}, but must be from {low} to {high}",
        )
        return True
    limit = time["first"] if first and time["first"] is not None else time["turn"]
    due = min((one for one in (limit, budget) if one is not None), default=None)
    insist_same("thinking", turn["thinking"], due)
    return False


def check_drawn(lengths: dict[int, int], time: Data, secret: str | None) -> None:
    """`lengths` by turn, as recorded."""
    if time["promise"] is None:
        insist_same("revealed", secret, None)
        return
    insist(secret is not None, "revealed is null, but lengths of turns were drawn")
    insist_same("the hash of revealed", sha256(str(secret).encode()).hexdigest(), time["promise"])
    for number, length in lengths.items():
        low, high = time["turn"], time["longest"]
        due = low + derived(str(secret), "turn", number) % (high - low + 1)
        insist_same(f"thinking of turn {number}", length, due)


def check_times(turn: Data, time: Data, *, budget: int | None) -> None:
    """`budget` is what the bot had left before the turn."""
    thinking, line, ended, ending = turn["thinking"], turn["line"], turn["ended"], turn["ending"]
    check_cpu(turn, time)
    insist_same("line", line, line_of(turn, time))
    if ending in TIMED:
        insist(line is not None, f"it cannot have ended by {ending}: there is no clock")
        insist(ended >= line, f"it ended by {ending} after {ended} ns, before the line at {line} ns")
        used_up = turn["spent"] is not None or not time["cpu"]
        insist_same("ending", ending, "late" if used_up and thinking == budget else "line")
    else:
        insist(in_time(ended, line), f"it ended by {ending} after {ended} ns, past the line at {line} ns")
    check_done(turn, time)
    left = None
    if budget is not None and thinking is not None:
        used = turn["cpu"] if time["cpu"] else max(0, ended - turn["credit"])
        left = budget - min(used, thinking) + (0 if ending == "late" else time["increment"])
    insist_same("budget", turn["budget"], left)


def check_tainted(turn: Data, time: Data) -> None:
    """The referee came to the line too late, and something was read after it."""
    line, ended = turn["line"], turn["ended"]
    insist_same("line", line, line_of(turn, time))
    insist(line is not None, "it cannot be tainted: there is no clock")
    insist_same("ending", turn["ending"], "line")
    insist(ended > line, f"it ended after {ended} ns, before the line at {line} ns")


def line_of(turn: Data, time: Data) -> int | None:
    if turn["thinking"] is None:
        return None
    extra: int = time["grace"] + turn["credit"]
    line: int = turn["thinking"] * time["cap"] + extra
    return line if turn["spent"] is None else min(line, turn["spent"] + extra)


def check_cpu(turn: Data, time: Data) -> None:
    insist((turn["cpu"] is not None) == time["cpu"], "cpu is there if processor time is what counts")
    if turn["spent"] is not None:
        insist(time["cpu"], "spent is there, but processor time is not what counts")
        insist(turn["spent"] <= turn["ended"], "spent is later than the end of the turn")
        insist(turn["cpu"] >= turn["thinking"], "its time is said to be spent, but cpu is less than thinking")


def check_done(turn: Data, time: Data) -> None:
    done, ended = turn["done"], turn["ended"]
    if turn["ending"] == "done":
        insist(not time["full_turns"], "it cannot have ended by done: turns are full")
        insist_same("done", done, ended)
    elif not time["full_turns"]:
        insist_same("done", done, None)
    if done is not None:
        insist(done <= ended and in_time(done, turn["line"]), f"done is {done}, later than the turn lasted")
        late = [one["at"] for one in turn["heard"] if one["at"] > done]
        insist(not late, "a proposal was heard after the bot was done")


def in_time(at: int, line: int | None) -> bool:
    """The acceptance rule."""
    return line is None or at <= line
