"""A record played again: what every entry must be, given those before it."""

import re
from collections import Counter
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from games import Game, Mistake, Position, Seat, find_game
from referee.audit.clock import (
    check_agreed,
    check_drawn,
    check_tainted,
    check_thinking,
    check_times,
)
from referee.audit.fairness import certificate, credit, lag_of
from referee.audit.flaw import Data, Flaw, insist, insist_same, shown
from referee.audit.reader import Entry
from referee.audit.seeds import derived
from referee.audit.turn import (
    check_arrivals,
    check_faults,
    check_refusals,
    check_standing,
    newest_refusal,
    stand,
)
from referee.audit.verdict import (
    EXCESSES,
    Due,
    before_the_first_turn,
    by_the_rules,
    check_seen,
    without_move,
)

SEATS: tuple[Seat, Seat] = (1, 2)
#: What may follow what; "decided" is a turn that leaves the match over.
FOLLOWS = {
    "nothing": {"begin"},
    "begin": {"resume", "trips", "fault", "turn", "tainted", "verdict"},
    "resume": {"resume", "trips", "fault", "turn", "tainted", "verdict"},
    "trips": {"fault", "turn", "tainted", "verdict"},
    "fault": {"fault", "turn", "tainted", "verdict"},
    "turn": {"resume", "fault", "turn", "tainted", "verdict"},
    "tainted": {"resume", "fault", "turn", "tainted", "verdict"},
    "decided": {"verdict"},
    "verdict": {"seal"},
    "seal": set(),
}


#: To look a game up among the installed ones takes longer than to judge a short match.
game_named = cache(find_game)


class Replay:
    """The match as the entries taken so far have left it; an entry that cannot follow them is a Flaw."""

    def __init__(self, keys: AbstractSet[str]) -> None:
        """`keys` are the public keys that may seal; none means any."""
        self.keys = keys
        self.before = "nothing"
        self.agreed: Data = {}
        self.verdict: Data = {}
        self.sealed_by = ""
        self.turns = 0
        self.notes: Counter[str] = Counter()
        self._game: Game
        self._position: Position
        self._key = ""
        self._budgets: dict[Seat, int | None] = {}
        #: Round trips of pings; and of each turn what was given for them, and the referee's lag.
        self._trips: dict[Seat, list[int]] = {seat: [] for seat in SEATS}
        self._receipts: dict[Seat, list[tuple[int, int]]] = {seat: [] for seat in SEATS}
        #: The last turn that had to be played again.
        self._tainted = 0
        #: Lengths of turns that were drawn by lot.
        self._drawn: dict[int, int] = {}
        #: Who had each turn.
        self._mover: dict[int, Seat] = {}
        self._due: Due | None = None
        # Since the start or the last resume: whether a turn was played, and when the last one ended.
        self._opening = True
        self._clock = 0
        #: Since the last turn; and all that were told, each by seat, turn and kind.
        self._faults: list[Data] = []
        self._known: set[tuple[Seat, int, str]] = set()

    def take(self, entry: Entry) -> None:
        data = entry.data
        kind = data["kind"]
        insist(kind in FOLLOWS[self.before], f"no {kind} can follow here, {self._what_can()}")
        match kind:
            case "begin":
                self._begin(data)
            case "resume":
                self._resume(data)
            case "fault":
                self._fault(data)
            case "trips":
                self._measure(data)
            case "turn":
                self._turn(data)
            case "tainted":
                self._taint(data)
            case "verdict":
                self._verdict(data)
            case "seal":
                self._seal(data, entry.previous)
        self.before = "decided" if kind == "turn" and self._due else kind

    def _what_can(self) -> str:
        return f"only {' or '.join(sorted(FOLLOWS[self.before])) or 'the end'} can"

    def _begin(self, begin: Data) -> None:
        self.agreed = begin
        try:
            self._game = game_named(begin["game"])
            self._game.check(begin["variant"], begin["options"])
            self._position = self._game.parse(begin["position"])
        except Mistake as mistake:
            raise Flaw(str(mistake)) from None
        insist_same("position", begin["position"], str(self._position))
        self._check_start(begin)
        check_bots(begin)
        check_custody(begin, ponder=begin["ponder"])
        check_agreed(begin["time"])
        if begin["series"] is not None:
            check_series(begin, begin["series"])
        self._key = begin["key"]
        self._budgets = dict.fromkeys(SEATS, begin["time"]["budget"])

    def _check_start(self, begin: Data) -> None:
        options = begin["options"]
        if any(names_file(value) for value in options.values()):
            self.notes["the start is a file of the organiser's and stands as recorded"] += 1
            return
        try:
            due = start(begin["game"], begin["variant"], begin["seed"], tuple(options.items()))
        except Mistake as mistake:
            self.notes[f"the start stands as recorded: {mistake}"] += 1
        else:
            insist_same("position", begin["position"], due)

    def _resume(self, resume: Data) -> None:
        insist_same("turn", resume["turn"], self.turns + 1)
        check_bots(resume)
        check_custody(resume, ponder=self.agreed["ponder"])
        named = [[bot["bot"] for bot in entry["bots"]] for entry in (resume, self.agreed)]
        insist_same("bots", *named)
        self._key = resume["key"]
        self._tainted = 0
        self._opening, self._clock, self._faults = True, 0, []

    def _fault(self, fault: Data) -> None:
        earliest = self._faults[-1]["at"] if self._faults else self._clock
        insist(fault["at"] >= earliest, f"it is of {fault['at']} ns, before what precedes it")
        seat, turn = fault["seat"], fault["turn"]
        own = self._mover.get(turn) == seat or (turn, self._position.seat) == (self.turns + 1, seat)
        called_again = self._tainted > self.turns and seat == self._position.seat
        insist(own or self._opening or called_again, f"turn {turn} is no turn of seat {seat}")
        news = (seat, turn, fault["fault"])
        insist(news not in self._known, "it was told before")
        self._known.add(news)
        self._faults.append(fault)

    def _measure(self, measured: Data) -> None:
        for seat in SEATS:
            self._trips[seat] += measured["trips"][seat - 1]

    def _receipt(self, turn: Data) -> None:
        """What a turn that counts and one that was played again have in common."""
        position, seat, time = self._position, self._position.seat, self.agreed["time"]
        insist(position.outcome() is None, "the game is over")
        insist_same("turn", turn["turn"], self.turns + 1)
        insist_same("seat", turn["seat"], seat)
        insist_same("position", turn["position"], str(position))
        insist(turn["sent"] >= self._clock, f"it was sent at {turn['sent']} ns, before what precedes it")
        handed = turn["handed"]
        insist(
            handed is None or handed <= turn["ended"],
            f"it was handed over after {handed} ns, when it had ended",
        )
        first = seat not in self._mover.values()
        if check_thinking(turn, time, first=first, budget=self._budgets[seat]):
            self._drawn[turn["turn"]] = turn["thinking"]
        insist_same("credit", turn["credit"], credit(self.agreed, seat, turn["thinking"], self._trips[seat]))

    def _taint(self, turn: Data) -> None:
        self._receipt(turn)
        check_tainted(turn, self.agreed["time"])
        check_arrivals(turn, messages=self.agreed["messages"])
        check_refusals(turn, {})
        self.notes["tainted: the referee says that it was late itself, so the turn was played again"] += 1
        self._tainted = turn["turn"]
        self._known = {known for known in self._known if known[:2] != (turn["seat"], turn["turn"])}
        self._opening, self._clock, self._faults = False, turn["sent"] + turn["ended"], []

    def _turn(self, turn: Data) -> None:
        agreed, position, seat = self.agreed, self._position, self._position.seat
        self._receipt(turn)
        check_times(turn, agreed["time"], budget=self._budgets[seat])
        check_arrivals(turn, messages=agreed["messages"])
        self._receipts[seat].append((turn["credit"], lag_of(turn)))
        fault = check_faults(turn, self._faults)
        standing = stand(self._game, position, turn, agreed)
        check_standing(turn, standing)
        if not check_refusals(turn, standing.refused):
            self.notes["refusals that the rules word differently today"] += 1
        if standing.undecided:
            self.notes["moves on which the oracle was undecided, then or now: they stand as recorded"] += 1
        if standing.after is None:
            self._due = without_move(
                turn, refusal=newest_refusal(turn) if standing.refused else "", fault=fault
            )
        else:
            self._position = standing.after
            outcome = standing.after.outcome()
            self._due = by_the_rules(outcome) if outcome else None
        if ("more" in turn) != (self._due is not None):
            decided = "it decides the match" if self._due else "the match goes on"
            raise Flaw(f"more is there if the verdict is the next entry, but {decided}")
        self.turns += 1
        self._mover[self.turns] = seat
        self._budgets[seat] = turn["budget"]
        self._opening, self._clock, self._faults = False, turn["sent"] + turn["ended"], []

    def _verdict(self, verdict: Data) -> None:
        due = self._due
        if due is None and verdict["reason"] in {"crashed", *EXCESSES}:
            insist(
                self._opening and self.before == "fault",
                "no fault entry before it leaves a turn without a move",
            )
            due = before_the_first_turn(self._faults[-1])
        if due is None:
            again = self.turns + 1 if self._tainted > self.turns else None
            self.notes[check_seen(verdict, opening=self._opening, again=again)] += 1
        else:
            due.check(verdict)
        insist_same("position", verdict["position"], str(self._position))
        insist_same("scores", verdict["scores"], list(self._position.scores))
        check_drawn(self._drawn, self.agreed["time"], verdict["revealed"])
        insist_same("fairness", verdict["fairness"], certificate(self._trips, self._receipts))
        self.verdict = verdict

    def _seal(self, seal: Data, previous: str) -> None:
        insist_same("key", seal["key"], self._key)
        insist(
            not self.keys or seal["key"] in self.keys,
            f"it is sealed by another key than asked for: {seal['key']}",
        )
        try:
            key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(seal["key"]))
            key.verify(bytes.fromhex(seal["signature"]), f"shotclock record {previous}".encode())
        except (InvalidSignature, ValueError):
            raise Flaw("its signature is not of this key for this record") from None
        self.sealed_by = seal["key"]


def names_file(value: str) -> bool:
    """No file that a record names is opened: it need not be the one that was meant, nor a plain file."""
    try:
        return "/" in value or (Path(value).exists() and not Path(value).is_dir())
    except OSError:  # too long for a name
        return False


@lru_cache(maxsize=1000)
def start(game: str, variant: str, seed: int, options: tuple[tuple[str, str], ...]) -> str:
    return str(game_named(game).open(variant=variant, seed=seed, options=dict(options)))


def check_custody(entry: Data, *, ponder: bool) -> None:
    """What was said of how bots were kept, as far as it must fit together."""
    for bot in entry["bots"]:
        custody = bot["custody"]
        for limit in ("memory", "processes"):
            means = custody[f"{limit}_by"]
            insist(
                (custody[limit] is None) == (means == ""), f"{limit} is {custody[limit]} by {shown(means)}"
            )
        insist(not (ponder and custody["frozen_by"]), "frozen_by is there, but thinking off-turn is allowed")
        due = "allowed" if ponder else "frozen" if custody["frozen_by"] else "not frozen"
        insist_same("off_turn", custody["off_turn"], due)


def check_bots(entry: Data) -> None:
    insist_same("the seats of bots", [bot["seat"] for bot in entry["bots"]], list(SEATS))


def check_series(begin: Data, series: Data) -> None:
    """Seats alternate, and both games of a pair have the same seed."""
    name, _, text = begin["match"].rpartition("-")
    insist_same("the series in match", name, series["id"])
    number = int(text) if re.fullmatch("[1-9][0-9]{0,8}", text) else 0
    insist(1 <= number <= series["games"], f"match {begin['match']:.60} is no game of its series")
    insist_same("seed", begin["seed"], derived(series["seed"], "pair", (number - 1) // 2))
    in_order = series["bots"] if number % 2 else series["bots"][::-1]
    insist_same("bots", [bot["bot"] for bot in begin["bots"]], in_order)
