"""What the settings change: a bot's score, depth and nodes over the values of the axes."""

from collections.abc import Callable, Sequence
from math import ceil

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter, NullLocator, PercentFormatter

from referee.reporting.figures.results import heat
from referee.reporting.figures.style import WIDTH, Looks, label, legend, logarithmic, sheet
from referee.reporting.report import Report
from referee.reporting.rows import View
from referee.reporting.tables import milliseconds, ordered, views

#: From a row to a value and the ends of its interval.
Measure = Callable[[View], tuple[float | None, float | None, float | None]]


def score(row: View) -> tuple[float | None, float | None, float | None]:
    return row.result.score, row.result.low, row.result.high


def depth(row: View) -> tuple[float | None, float | None, float | None]:
    return row.effort.depth, None, None


def nodes(row: View) -> tuple[float | None, float | None, float | None]:
    return row.effort.nodes_a_turn, None, None


def heat_maps(report: Report, bots: Sequence[str], axes: Sequence[str]) -> Figure:
    """Over the first two axes; of a third, one panel for each value, and one row of panels for each bot."""
    across, down, *more = axes
    charter = report.results.charter
    columns, rows = ordered(charter.axes[across]), ordered(charter.axes[down])
    thirds = ordered(charter.axes[more[0]]) if more else [""]
    found = {
        (row.bot, *(row.setting[axis] for axis in axes)): row.result.score
        for row in views(report.results, list(axes))
    }
    panels = [(bot, third) for bot in bots for third in thirds]
    wide = len(thirds) if more else min(3, len(bots))
    high = ceil(len(panels) / wide)
    width = max(WIDTH, wide * (0.55 * len(columns) + 1.0))
    figure, places = sheet(
        high * (0.9 + 0.42 * len(rows)) + 0.3, rows=high, columns=wide, width=width, sharex=True, sharey=True
    )
    for place in places[len(panels) :]:
        place.set_visible(False)
    for number, ((bot, third), place) in enumerate(zip(panels, places, strict=False)):
        values = [
            [found.get((bot, column, row, *([third] if more else []))) for column in columns] for row in rows
        ]
        texts = [["" if value is None else f"{100 * value:.0f}" for value in line] for line in values]
        heat(place, values, texts, small=len(columns) * wide > 16)
        place.set_xticks(range(len(columns)), [label(value, width=14) for value in columns])
        place.set_yticks(range(len(rows)), [label(value, width=16) for value in rows])
        if any(len(value) > 6 for value in columns) or len(columns) * wide > 18:
            place.tick_params(axis="x", labelrotation=35)
            for text in place.get_xticklabels():
                text.set_horizontalalignment("right")
        place.tick_params(axis="x", labelbottom=number + wide >= len(panels))
        name = label(bot, width=max(16, int(width * 10 / wide)), lines=3)
        place.set_title(f"{name}\n{label(f'{more[0]} {third}', width=30)}" if more else name, fontsize=8.5)
        if number % wide == 0:
            place.set_ylabel(label(down))
        if number + wide >= len(panels):
            place.set_xlabel(label(across))
    return figure


def along(report: Report, bots: Sequence[str], looks: Looks, axis: str) -> Figure:
    """The score of each bot, with intervals."""
    figure, (panel,) = sheet(4.4)
    lines(panel, report, bots, looks, axis=axis, measure=score)
    panel.set_ylim(-0.03, 1.03)
    panel.yaxis.set_major_formatter(PercentFormatter(1))
    panel.set_title(f"Share of the points by {label(axis)}")
    legend(figure, panel)
    return figure


def effort_along(report: Report, bots: Sequence[str], looks: Looks, axis: str) -> Figure | None:
    """Depth and nodes of the bots that tell them; nothing if none does."""
    told = [row.effort for row in report.views[axis] if row.bot in bots]
    measures = [
        (depth, "Mean depth at the end of a turn", any(one.depth is not None for one in told)),
        (nodes, "Nodes in a turn", any(one.nodes_a_turn is not None for one in told)),
    ]
    wanted = [(measure, title) for measure, title, is_told in measures if is_told]
    if not wanted:
        return None
    figure, panels = sheet(4.0, columns=len(wanted))
    for (measure, title), panel in zip(wanted, panels, strict=True):
        lines(panel, report, bots, looks, axis=axis, measure=measure)
        panel.set_title(title)
        known = [
            value for row in report.views[axis] if row.bot in bots for value in measure(row)[:1] if value
        ]
        if measure is nodes:
            logarithmic(panel, "y", known)
        else:
            panel.set_ylim(0, 1.15 * max(known, default=1))
    legend(figure, max(panels, key=lambda panel: len(panel.get_legend_handles_labels()[1])))
    return figure


def lines(
    panel: Axes, report: Report, bots: Sequence[str], looks: Looks, *, axis: str, measure: Measure
) -> None:
    """Durations stand where they belong on a logarithmic line; names of things are not joined by lines."""
    values = ordered(report.results.charter.axes[axis])
    times = [milliseconds(value) for value in values]
    spots = [time for time in times if time is not None]
    timed = len(set(spots)) == len(values)
    numeric = timed or all(value.replace(".", "", 1).isdigit() for value in values)
    positions = dict(zip(values, spots if timed else range(len(values)), strict=True))
    rows = {(row.bot, row.setting[axis]): measure(row) for row in report.views[axis]}
    for number, bot in enumerate(bots):
        aside = (number - (len(bots) - 1) / 2) / max(1, len(bots))
        found = [(value, rows[bot, value]) for value in values if rows[bot, value][0] is not None]
        if not found:
            continue
        at = [
            positions[value] * 1.12**aside if timed else positions[value] + (0.2 if numeric else 0.6) * aside
            for value, _ in found
        ]
        heights = [height for _, (height, _, _) in found if height is not None]
        errors = [
            [height - low for _, (height, low, _) in found if height is not None and low is not None],
            [high - height for _, (height, _, high) in found if height is not None and high is not None],
        ]
        look = looks[bot]
        panel.errorbar(
            at,
            heights,
            yerr=errors if errors[0] else None,
            color=look.colour,
            marker=look.marker,
            linestyle=look.dash if numeric else "none",
            label=label(bot, width=40, lines=2),
            markersize=5,
            linewidth=1.4,
            elinewidth=0.9,
            capsize=2,
        )
    if timed:
        panel.set_xscale("log")
        panel.xaxis.set_minor_locator(NullLocator())
        panel.xaxis.set_minor_formatter(NullFormatter())
    panel.set_xticks([positions[value] for value in values], [label(value, width=12) for value in values])
    if len(values) > 5 and any(len(value) > 8 for value in values):
        panel.tick_params(axis="x", labelrotation=30)
        for text in panel.get_xticklabels():
            text.set_horizontalalignment("right")
    panel.set_xlabel(label(axis, width=60))
