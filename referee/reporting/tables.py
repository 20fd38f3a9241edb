"""From games to the rows of the tables."""

from collections import Counter
from collections.abc import Iterable, Sequence

from games import Mistake
from referee.reporting.results import Results
from referee.reporting.rows import (
    Effort,
    Encounter,
    Ending,
    Longest,
    Result,
    Seating,
    Standing,
    Test,
    Timing,
    Trouble,
    View,
)
from referee.statistics.better import probability_better
from referee.statistics.crosstable import crosstable
from referee.statistics.interval import Interval
from referee.statistics.pair import Pair, pairs_between, pairs_of
from referee.statistics.rating import Ratings
from referee.statistics.score import Tally, pair_interval, tally, wilson_interval
from referee.statistics.sprt import Sprt, pentanomial
from referee.timing import MILLISECOND, parse_duration
from referee.tournament.ledger import CHARTER, Charter, Game, Side
from referee.tournament.pairs import pairs_of_games

#: Of the endings of a bot's games, those without a fault of its own.
KINDS = ("won", "won by forfeit", "drawn", "lost")


def result(bot: str, pairs: Sequence[Pair], *, rounds: int = 1000) -> Result:
    return result_of(tally(bot, pairs), pair_interval(bot, pairs, rounds=rounds))


def result_of(results: Tally, interval: Interval) -> Result:
    ends = (interval.low, interval.high) if results.games else (None, None)
    return Result(
        results.games, results.wins, results.draws, results.losses, results.points, results.score, *ends
    )


def standings(results: Results, ratings: Ratings) -> list[Standing]:
    """By rating, which knows who met whom; where all met all, that is the order of the scores."""
    pairs = pairs_of_games(results.games)
    rated = {rating.bot: rating for rating in ratings.ratings}
    scored = {bot: result(bot, pairs_of(bot, pairs)) for bot in results.bots}
    by_rating = sorted(results.bots, key=lambda bot: (scored[bot].games == 0, -rated[bot].points))
    rows = []
    for rank, bot in enumerate(by_rating, 1):
        rating = rated[bot]
        rows.append(
            Standing(
                rank,
                bot,
                scored[bot],
                rating.points,
                rating.interval.low,
                rating.interval.high,
                rating.bound.value if rating.bound else "",
                sum(forfeiter(game) == bot for game in results.games),
                sum(name == bot for game in results.games for name in at_fault(game)),
            )
        )
    return rows


def forfeiter(game: Game) -> str | None:
    """Who lost otherwise than by the rules, if anybody did."""
    return game.sides[2 - game.winner].bot if game.forfeited and game.winner else None


def at_fault(game: Game) -> list[str]:
    """A name for each fault."""
    return [game.sides[fault.seat - 1].bot for fault in game.faults]


def encounters(results: Results, order: Sequence[str]) -> list[Encounter]:
    """A row of the crosstable after the other."""
    pairs = pairs_of_games(results.games)
    table = crosstable(order, pairs)
    rows = []
    for bot, row in table.items():
        for rival, met in row.items():
            between = pairs_between(bot, rival, pairs)
            interval = pair_interval(bot, between)
            better = probability_better(bot, rival, between) if met.games else None
            rows.append(Encounter(bot, rival, result_of(met, interval), better))
    return rows


def views(results: Results, axes: Sequence[str]) -> list[View]:
    """For each combination of values of these axes that was played, in the order of the charter, and each bot."""
    charter = results.charter
    combinations: dict[tuple[str, ...], list[Game]] = {}
    for cell in charter.cells:
        combinations.setdefault(tuple(cell[axis] for axis in axes), [])
    for game in results.counted:
        cell = charter.cells[game.cell]
        combinations[tuple(cell[axis] for axis in axes)].append(game)
    rows = []
    for values, games in combinations.items():
        pairs = pairs_of_games(games)
        for bot in results.bots:
            own = [game for game in games if bot in names(game)]
            rows.append(
                View(
                    dict(zip(axes, values, strict=True)),
                    bot,
                    result(bot, pairs_of(bot, pairs), rounds=400),
                    sum(forfeiter(game) == bot for game in own),
                    effort([side_of(game, bot) for game in own]),
                )
            )
    return rows


def names(game: Game) -> tuple[str, str]:
    return game.sides[0].bot, game.sides[1].bot


def side_of(game: Game, bot: str) -> Side:
    return game.sides[names(game).index(bot)]


def effort(sides: Sequence[Side]) -> Effort:
    turns = sum(side.turns for side in sides)
    nodes = sum(side.nodes for side in sides)
    thought = sum(side.thought_ms for side in sides)
    deep = [(side.depth, side.turns) for side in sides if side.depth is not None and side.turns]
    return Effort(
        turns=turns,
        depth=sum(depth * weight for depth, weight in deep) / sum(weight for _, weight in deep)
        if deep
        else None,
        nodes_a_turn=nodes / turns if turns and nodes else None,
        thought_ms_a_turn=thought / turns if turns else None,
        thought_ms_a_game=thought / len(sides) if sides else None,
        longest_ms=max((side.longest_ms for side in sides), default=None),
    )


def seatings(results: Results) -> list[Seating]:
    rows = []
    for bot in results.bots:
        for seat in (1, 2):
            own = [game for game in results.counted if names(game)[seat - 1] == bot]
            rows.append(Seating(bot, seat, wilson(own, seat)))
    return rows


def first_seat(results: Results) -> Result:
    """Of whoever sits there."""
    return wilson(results.counted, 1)


def wilson(games: Sequence[Game], seat: int) -> Result:
    """The games at one seat are halves of pairs, so pairs cannot tell how they vary."""
    won = sum(game.winner == seat for game in games)
    drawn = sum(game.winner is None for game in games)
    results = Tally(won, drawn, len(games) - won - drawn)
    return result_of(results, wilson_interval(results))


def endings(results: Results) -> list[Ending]:
    counts: Counter[tuple[str, str]] = Counter()
    for game in results.counted:
        for seat, bot in enumerate(names(game), 1):
            counts[bot, ending(game, seat)] += 1
    reasons = sorted({kind for _, kind in counts} - {*KINDS})
    return [
        Ending(bot, kind, counts[bot, kind])
        for bot in results.bots
        for kind in (*KINDS, *reasons)
        if counts[bot, kind]
    ]


def ending(game: Game, seat: int) -> str:
    if game.winner is None:
        return "drawn"
    if game.winner == seat:
        return "won by forfeit" if game.forfeited else "won"
    return game.reason if game.forfeited else "lost"


def troubles(results: Results) -> list[Trouble]:
    """By bot; what lost games first. A fault in a game that was lost for it is told by the loss alone."""
    found: dict[tuple[str, bool, str], list[tuple[str, str]]] = {}
    for game in results.counted:
        loser = forfeiter(game)
        if loser is not None:
            found.setdefault((loser, True, game.reason), []).append((game.match, game.text))
        for name, fault in zip(at_fault(game), game.faults, strict=True):
            if name != loser:
                found.setdefault((name, False, fault.kind), []).append((game.match, fault.text))
    order = {bot: place for place, bot in enumerate(results.bots)}
    rows = []
    for (bot, forfeit, kind), cases in sorted(
        found.items(), key=lambda item: (order[item[0][0]], not item[0][1], -len(item[1]), item[0][2])
    ):
        matches = tuple(dict.fromkeys(match for match, _ in cases))
        rows.append(Trouble(bot, kind, forfeit, len(matches), len(cases), cases[0][1], matches))
    return rows


def timing(results: Results) -> Timing:
    games = results.counted
    differences = sorted(game.difference_ms for game in games if game.difference_ms is not None)
    bounds = [game.bound_ms for game in games if game.bound_ms is not None]
    return Timing(
        certified=len(differences),
        uncertified=len(games) - len(differences),
        median_ms=differences[len(differences) // 2] if differences else None,
        worst_ms=differences[-1] if differences else None,
        bound_ms=max(bounds, default=None),
        tainted_turns=sum(game.tainted for game in results.games),
        tainted_games=sum(game.tainted > 0 for game in results.games),
        within=sum(
            game.difference_ms <= game.bound_ms
            for game in games
            if game.difference_ms is not None and game.bound_ms is not None
        ),
    )


def longest_thinks(results: Results) -> list[Longest]:
    """For each bot and each length of a turn."""
    charter = results.charter
    limits = [turn_limit(charter, cell) for cell in range(len(charter.cells))]
    rows = []
    for bot in results.bots:
        by_limit: dict[float | None, list[float]] = {}
        for game in results.counted:
            if bot in names(game):
                by_limit.setdefault(limits[game.cell], []).append(side_of(game, bot).longest_ms)
        for limit, thinks in sorted(by_limit.items(), key=lambda item: (item[0] is None, item[0] or 0)):
            over = 0 if limit is None else sum(think > limit for think in thinks)
            rows.append(Longest(bot, limit, max(thinks), len(thinks), over))
    return rows


def turn_limit(charter: Charter, cell: int) -> float | None:
    """Thinking time and grace of a turn, where the charter tells them and no other limit is in play."""
    setting = {**charter.fixed, **charter.cells[cell]}
    turn = milliseconds(setting.get("turn", ""))
    others = any(setting.get(name, "false") != "false" for name in ("first", "budget", "cpu"))
    if turn is None or others:
        return None
    return turn + (milliseconds(setting.get("grace", "")) or 5)


def milliseconds(text: str) -> float | None:
    """Of a duration, or of the longest in a range of them; None if it is no duration."""
    try:
        return parse_duration(text.rpartition("..")[2]) / MILLISECOND
    except Mistake:
        return None


def sequential_tests(results: Results) -> list[Test]:
    """One for each cell with a game. The first bot of the charter is the one that is tested, and pairs count in their
    own order, whichever ended first.
    """
    charter = results.charter
    if charter.sprt is None or len(results.bots) != 2:
        return []
    try:
        test = Sprt(**charter.sprt)
    except TypeError:
        raise Mistake(
            f"{results.folder / CHARTER} is damaged: its sprt needs elo0, elo1, alpha and beta"
        ) from None
    bot, rival = results.bots
    tests = []
    for number, cell in enumerate(charter.cells):
        own = sorted((game for game in results.counted if game.cell == number), key=lambda game: game.pair)
        counts, ratios = [0] * 5, [0.0]
        for pair in pairs_of_games(own):
            new = pentanomial(bot, rival, [pair])
            counts = [had + more for had, more in zip(counts, new, strict=True)]
            ratios += [test.ratio(counts)] * sum(new)
        decision = test.decide(counts).value
        if own:
            tests.append(
                Test(
                    cell,
                    bot,
                    rival,
                    test.elo0,
                    test.elo1,
                    test.alpha,
                    test.beta,
                    test.lower,
                    test.upper,
                    tuple(ratios),
                    decision,
                )
            )
    return tests


def swept(charter: Charter) -> list[str]:
    """The axes that have more than one value."""
    return [axis for axis, values in charter.axes.items() if len(values) > 1]


def ordered(values: Iterable[str]) -> list[str]:
    """Numbers and durations by size; anything else as it is."""
    values = list(dict.fromkeys(values))
    sizes = [size_of(value) for value in values]
    if all(size is not None for size in sizes):
        return [value for _, value in sorted(zip(sizes, values, strict=True), key=lambda item: item[0] or 0)]
    return values


def size_of(value: str) -> float | None:
    """Of a plain number, or in milliseconds of a duration."""
    digits = value.replace(".", "", 1)
    return float(value) if digits.isascii() and digits.isdigit() else milliseconds(value)
