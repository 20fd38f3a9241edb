"""What the bots did with their time: depth, nodes, time, and how their answers grow during a turn."""

from collections.abc import Sequence
from math import ceil

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import (
    FixedFormatter,
    FixedLocator,
    FuncFormatter,
    MaxNLocator,
    NullLocator,
    PercentFormatter,
)

from referee.reporting import words
from referee.reporting.curves import HALVES, SHARES, Curve, shorter
from referee.reporting.figures.results import bot_rows
from referee.reporting.figures.style import COLOURS, INK, Looks, amount, label, legend, logarithmic, sheet
from referee.reporting.report import Report

FRACTIONS = {1 / 2: "1/2", 1 / 4: "1/4", 1 / 8: "1/8"}


def effort(report: Report, bots: Sequence[str], looks: Looks) -> Figure | None:
    """None without a game that counts."""
    rows = {row.bot: row.effort for row in report.views[""]}
    measures = [
        ("Mean depth at the\nend of a turn", [rows[bot].depth for bot in bots], False),
        ("Nodes in a turn", [rows[bot].nodes_a_turn for bot in bots], True),
        ("Thinking in a game,\nseconds", [seconds(rows[bot].thought_ms_a_game) for bot in bots], False),
        ("Longest think,\nmilliseconds", [rows[bot].longest_ms for bot in bots], False),
    ]
    told = [measure for measure in measures if any(value is not None for value in measure[1])]
    if not told:
        return None
    figure, panels = sheet(1.3 + 0.36 * len(bots), columns=len(told), sharey=True)
    for (title, values, many), panel in zip(told, panels, strict=True):
        for place, (bot, value) in enumerate(zip(bots, values, strict=True)):
            if value is None:
                panel.text(0.02, place, words.NOTHING, va="center", transform=panel.get_yaxis_transform())
            else:
                panel.barh(place, value, color=looks[bot].colour, height=0.65)
        panel.set_title(title, fontsize=8.5)
        known = [value for value in values if value]
        if many and known and max(known) > 50 * min(known):
            logarithmic(panel, "x", known)
        else:
            panel.xaxis.set_major_locator(MaxNLocator(3))
            panel.xaxis.set_major_formatter(FuncFormatter(lambda value, _: amount(value)))
    bot_rows(panels[0], bots, width=24)
    for panel in panels[1:]:
        panel.grid(axis="y", visible=False)
    return figure


def seconds(milliseconds: float | None) -> float | None:
    return None if milliseconds is None else milliseconds / 1000


def agreement(curves: Sequence[Curve], looks: Looks) -> Figure:
    figure, (panel,) = sheet(4.4)
    for one in curves:
        look = looks[one.bot]
        panel.plot(
            SHARES,
            one.same,
            color=look.colour,
            linestyle=look.dash,
            marker=look.marker,
            markevery=4,
            markersize=5,
            label=label(one.bot, width=40, lines=2),
        )
    share_axis(panel)
    panel.set_ylim(-0.03, 1.03)
    panel.yaxis.set_major_formatter(PercentFormatter(1))
    panel.set_title("How often the move that stood was already the one that was played")
    legend(figure, panel)
    return figure


def share_axis(panel: Axes) -> None:
    panel.set_xscale("log", base=2)
    halves = [2.0**-step for step in range(6, -1, -1)]
    panel.xaxis.set_major_locator(FixedLocator(halves))
    panel.xaxis.set_major_formatter(FixedFormatter(["1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "all"]))
    panel.xaxis.set_minor_locator(NullLocator())
    panel.set_xlim(SHARES[0] / 1.08, 1.08)
    panel.set_xlabel("share of the turn that had passed")


def half_as_long(curves: Sequence[Curve]) -> Figure:
    figure, panels = sheet(1.6 + 0.4 * len(curves), columns=len(HALVES), sharex=True, sharey=True)
    bots = [one.bot for one in curves]
    for share, panel in zip(HALVES, panels, strict=True):
        for place, one in enumerate(curves):
            other, none = shorter(one, share)
            first = place == 0
            panel.barh(place, other, color=COLOURS[0], height=0.65, label="another move" if first else None)
            panel.barh(
                place, none, left=other, color=COLOURS[1], height=0.65, label="no move yet" if first else None
            )
            panel.text(other + none + 0.02, place, f"{100 * (other + none):.0f} %", va="center", fontsize=8)
        panel.set_title(f"{FRACTIONS[share]} of the turn")
        panel.xaxis.set_major_formatter(PercentFormatter(1))
        panel.grid(axis="y", visible=False)
    panels[0].set_xlim(0, 1.18)
    panels[0].set_xticks([0, 0.5, 1])
    bot_rows(panels[0], bots, width=24)
    legend(figure, panels[0])
    return figure


def scores(curves: Sequence[Curve], looks: Looks) -> Figure | None:
    """A panel for each bot, since each counts in units of its own."""
    told = [one for one in curves if any(value is not None for value in one.score)]
    if not told:
        return None
    wide = min(3, len(told))
    high = ceil(len(told) / wide)
    figure, panels = sheet(0.8 + 2.1 * high, rows=high, columns=wide)
    figure.suptitle(
        "Score that the bot gave its move, less the one at the end", fontsize=10, x=0.01, ha="left"
    )
    for panel in panels[len(told) :]:
        panel.set_visible(False)
    for number, (one, panel) in enumerate(zip(told, panels, strict=False)):
        known = [
            (share, low, middle, up)
            for share, low, middle, up in zip(SHARES, one.score_low, one.score, one.score_high, strict=True)
            if low is not None and middle is not None and up is not None
        ]
        at, lows, middles, highs = zip(*known, strict=True)
        look = looks[one.bot]
        panel.fill_between(at, lows, highs, color=look.colour, alpha=0.25, linewidth=0)
        panel.plot(at, middles, color=look.colour)
        panel.axhline(0, color=INK, linewidth=0.6)
        share_axis(panel)
        panel.yaxis.set_major_locator(MaxNLocator(4))
        panel.set_title(label(one.bot, width=34), fontsize=8.5)
        if number + wide < len(told):
            panel.set_xlabel("")
        panel.tick_params(labelsize=7.5)
    return figure


def depths(curves: Sequence[Curve], looks: Looks) -> Figure | None:
    told = [one for one in curves if any(value is not None for value in one.depth)]
    if not told:
        return None
    figure, (panel,) = sheet(4.2)
    for one in told:
        known = [(share, depth) for share, depth in zip(SHARES, one.depth, strict=True) if depth is not None]
        look = looks[one.bot]
        panel.plot(
            [share for share, _ in known],
            [depth for _, depth in known],
            color=look.colour,
            linestyle=look.dash,
            marker=look.marker,
            markevery=4,
            markersize=5,
            label=label(one.bot, width=40, lines=2),
        )
    share_axis(panel)
    panel.set_ylim(0, 1.1 * max(depth for one in told for depth in one.depth if depth is not None) + 0.1)
    panel.set_title("Mean depth of the move that stood")
    legend(figure, panel)
    return figure


def fairness(report: Report) -> Figure | None:
    """Of certified differences, how many are at most so large."""
    games = report.results.counted
    differences = [game.difference_ms for game in games if game.difference_ms is not None]
    bounds = [game.bound_ms for game in games if game.bound_ms is not None]
    if not differences:
        return None
    figure, (panel,) = sheet(3.6)
    for values, name, colour, dash in (
        (differences, "difference that was measured", COLOURS[0], "-"),
        (bounds, "bound that it cannot exceed", COLOURS[1], "--"),
    ):
        if values:
            panel.ecdf([max(value, 1e-3) for value in values], label=name, color=colour, linestyle=dash)
    logarithmic(panel, "x", [max(value, 1e-3) for value in (*differences, *bounds)])
    panel.yaxis.set_major_formatter(PercentFormatter(1))
    panel.set_xlabel("milliseconds")
    panel.set_title("Share of the games in which the time of the two bots differed by at most so much")
    legend(figure, panel)
    return figure
