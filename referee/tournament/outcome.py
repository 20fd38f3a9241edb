"""Who has won, in the formats that say so: a cup has a winner, and a test a decision."""

from collections.abc import Callable, Sequence

from referee.statistics.sprt import Decision, Sprt, pentanomial
from referee.tournament.formats import Knockout, Meeting
from referee.tournament.ledger import Charter, Game
from referee.tournament.pairs import pairs_of_games

DECISIONS = {
    Decision.ACCEPT: "{first} is stronger than {second} by {elo1:g} points rather than by {elo0:g}",
    Decision.REJECT: "{first} is stronger than {second} by {elo0:g} points at most rather than by {elo1:g}",
    Decision.GO_ON: "not decided whether {first} is stronger than {second} by {elo1:g} points or by {elo0:g}",
}


def outcomes(charter: Charter, games: Sequence[Game]) -> list[str]:
    """A sentence for each cell; none in formats whose table says it all."""
    sentences = []
    for number, axes in enumerate(charter.cells):
        own = [game for game in games if game.cell == number]
        sentence = cup(charter, own) if charter.format == "knockout" else test(charter, own)
        where = ", ".join(f"{axis} {value}" for axis, value in axes.items())
        if sentence:
            sentences.append(f"{where}: {sentence}" if where else sentence)
    return sentences


def cup(charter: Charter, games: Sequence[Game]) -> str:
    names = [bot.name for bot in charter.bots]
    first, *others = Knockout(len(names), charter.games // 2).ranking(scores(games))
    if len(first) > 1:
        return f"still in the cup: {listed(names, first)}"
    places = [listed(names, place) for place in others]
    return f"{names[first[0]]} wins the cup, before {', then '.join(places)}"


def test(charter: Charter, games: Sequence[Game]) -> str:
    if charter.sprt is None:
        return ""
    first, second = (bot.name for bot in charter.bots)
    sprt = Sprt(**charter.sprt)
    counts = pentanomial(first, second, pairs_of_games(games))
    decision = DECISIONS[sprt.decide(counts)].format(first=first, second=second, **charter.sprt)
    bounds = f"between {sprt.lower:.2f} and {sprt.upper:.2f}"
    return (
        f"after {sum(counts)} pairs {decision} (log-likelihood ratio {sprt.ratio(counts):.2f}, open {bounds})"
    )


def scores(games: Sequence[Game]) -> Callable[[Meeting], float | None]:
    """The share of the first bot in a meeting that is over."""

    def score(meeting: Meeting) -> float | None:
        own = [game for game in games if game.meeting == meeting.number]
        if len(own) < 2 * meeting.pairs:
            return None
        points = [game.first_points for game in own if not game.void]
        return sum(points) / len(points) if points else 0.5

    return score


def listed(names: Sequence[str], place: Sequence[int]) -> str:
    return " and ".join(names[bot] for bot in place)
