"""All pictures of a report, in the order of the page."""

from collections.abc import Iterator
from dataclasses import dataclass

from matplotlib.figure import Figure

from referee.reporting.figures import results, sweeps, thinking
from referee.reporting.figures.style import Looks, drawing, rendered
from referee.reporting.picture import Picture, Section
from referee.reporting.report import Report
from referee.reporting.words import plain

#: More rows than this, or more lines, and nobody can tell them apart: the best are drawn.
MOST_ROWS, MOST_LINES = 24, 12


@dataclass(frozen=True, slots=True)
class Sketch:
    name: str
    section: Section | None
    caption: str
    #: None if there is nothing to draw.
    figure: Figure | None
    #: How many bots it can show.
    most: int = MOST_ROWS


def pictures(report: Report) -> Iterator[Picture]:
    with drawing():
        for sketch in sketches(report):
            if sketch.figure is None:
                continue
            caption = sketch.caption
            if len(report.order) > sketch.most:
                caption += f" The best {sketch.most} of {len(report.order)} bots are drawn."
            svg, png = rendered(sketch.figure, sketch.name)
            yield Picture(sketch.name, sketch.section, caption, svg, png)


def sketches(report: Report) -> Iterator[Sketch]:
    looks = Looks(report.results.bots)
    rows, few = report.order[:MOST_ROWS], report.order[:MOST_LINES]
    yield Sketch(
        "standings",
        Section.STANDINGS,
        "Lines are 95 % intervals. An arrow: results give only a bound, since the bot won, or lost, too often.",
        results.standings(report, rows, looks),
    )
    yield Sketch(
        "crosstable",
        None,
        "Blue: the row took more than half of the points. Below the share: wins, draws, losses.",
        results.crosstable(report, rows),
    )
    yield Sketch(
        "better",
        Section.RIVALS,
        "From the games between the two alone. Near 50 % the games do not tell.",
        results.better(report, rows),
    )
    yield Sketch("seats", Section.RIVALS, "With 95 % intervals.", results.seats(report, rows, looks))
    if report.tests:
        yield Sketch(
            "sprt",
            Section.RIVALS,
            "The test ends where the line crosses one of the bounds.",
            results.sequential(report.tests),
        )
    yield from sweep_sketches(report, looks)
    yield Sketch(
        "effort",
        Section.EFFORT,
        "Over all games. A dash: the bot does not tell.",
        thinking.effort(report, rows, looks),
    )
    for number, axis in enumerate(report.axes, 1):
        yield Sketch(
            f"effort-{number}",
            Section.EFFORT,
            f"Depth and nodes by {plain(axis)}, of the bots that tell them.",
            sweeps.effort_along(report, few, looks, axis),
            MOST_LINES,
        )
    yield Sketch(
        "endings",
        Section.EFFORT,
        "Forfeits are hatched: the bot lost otherwise than by the rules of the game.",
        results.endings(report, rows),
    )
    yield from curve_sketches(report, looks)
    yield Sketch(
        "fairness",
        Section.TIMING,
        "Every game comes with a certificate of how equal the time of its two bots was.",
        thinking.fairness(report),
        len(report.order),
    )


def sweep_sketches(report: Report, looks: Looks) -> Iterator[Sketch]:
    axes = report.axes
    few = report.order[:MOST_LINES]
    if len(axes) >= 2:
        pooled = ", ".join(plain(axis) for axis in axes[3:])
        yield Sketch(
            "heat",
            Section.SWEEPS,
            "Share of the points in percent; blue is more than half."
            + (f" Pooled over {pooled}." if pooled else ""),
            sweeps.heat_maps(report, few, axes[:3]),
            MOST_LINES,
        )
    for number, axis in enumerate(axes, 1):
        others = ", ".join(plain(other) for other in axes if other != axis)
        yield Sketch(
            f"score-{number}",
            Section.SWEEPS,
            "With 95 % intervals; bots stand side by side so that the lines can be told apart."
            + (f" All values of {others} together." if others else ""),
            sweeps.along(report, few, looks, axis),
            MOST_LINES,
        )


def curve_sketches(report: Report, looks: Looks) -> Iterator[Sketch]:
    if report.study is None or not report.study.curves:
        return
    curves = sorted(report.study.curves, key=lambda one: report.order.index(one.bot))
    few, many = curves[:MOST_LINES], curves[:MOST_ROWS]
    yield Sketch(
        "agreement",
        Section.CURVES,
        "A line that is high early says that more time would change little. From the proposals in the records.",
        thinking.agreement(few, looks),
        MOST_LINES,
    )
    yield Sketch(
        "half-as-long",
        Section.CURVES,
        "What if the turn had been shorter? In so many turns the move would have been another one, or none at all.",
        thinking.half_as_long(many),
    )
    yield Sketch(
        "score-growth",
        Section.CURVES,
        "The score that a bot gives its own move, less the one at the end of the turn, in the bot's own units: the"
        " median over turns, and the middle half of them. Above 0 it hoped for more than it found.",
        thinking.scores(few, looks),
        MOST_LINES,
    )
    yield Sketch(
        "depth-growth",
        Section.CURVES,
        "Over the turns in which the bot had told a depth by then.",
        thinking.depths(few, looks),
        MOST_LINES,
    )
