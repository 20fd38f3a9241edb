"""How all pictures look: colours that everybody can tell apart, the same for a bot everywhere, and the same bytes
for the same numbers.
"""

import io
import re
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from referee.reporting.words import plain

#: The page gives these three its own colours, light or dark; nothing else in a picture may have them.
INK, PAPER, GRID = "#222223", "#fefefd", "#d8d8d9"
#: On any ground: Okabe and Ito's, less the black and the yellow, which vanish on one of them.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#8a8a8a")
DASHES = ("-", "--", ":", "-.")
MARKERS = "osD^vPX<>ph"
#: From the worst to the best, blue and red being told apart by all.
SCORES = "RdBu"
WIDTH = 9.6

SETTINGS: dict[Any, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.facecolor": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "text.color": INK,
    "text.parse_math": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "figure.facecolor": PAPER,
    "legend.frameon": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "shotclock",
    "hatch.linewidth": 0.6,
}


@dataclass(frozen=True, slots=True)
class Look:
    """Of a bot."""

    colour: str
    marker: str
    dash: str


class Looks(dict[str, Look]):
    """By the name of a bot, in the order of the charter: who wins changes no colour."""

    def __init__(self, bots: Sequence[str]) -> None:
        super().__init__(
            (
                bot,
                Look(
                    COLOURS[place % len(COLOURS)],
                    MARKERS[place % len(MARKERS)],
                    DASHES[place // len(COLOURS) % len(DASHES)],
                ),
            )
            for place, bot in enumerate(bots)
        )


@contextmanager
def drawing() -> Iterator[None]:
    """Our own settings instead of the user's. A letter that the font lacks is an empty box, not a warning."""
    with mpl.rc_context(), warnings.catch_warnings():
        mpl.rcdefaults()
        mpl.rcParams.update(SETTINGS)
        warnings.filterwarnings("ignore", message="Glyph ")
        yield


def sheet(
    height: float,
    *,
    rows: int = 1,
    columns: int = 1,
    width: float = WIDTH,
    sharex: bool = False,
    sharey: bool = False,
) -> tuple[Figure, list[Axes]]:
    """A figure and its panels, row by row."""
    figure = Figure(figsize=(width, height), layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False, sharex=sharex, sharey=sharey)
    return figure, list(panels.flat)


def label(text: str, *, width: int = 22, lines: int = 3) -> str:
    """A name over some lines, broken after a comma or a slash, and within a long word after other marks."""
    wrapped = [""]
    for word in re.findall(r"[^,;/ ]*[,;/ ]?", plain(text)):
        for piece in [word] if len(word) <= width else re.findall(r"[^_:.=-]*[_:.=-]?", word):
            for part in textwrap.wrap(piece, width, drop_whitespace=False):
                if len(wrapped[-1]) + len(part.rstrip()) > width:
                    wrapped.append("")
                wrapped[-1] += part
    wrapped = [line.strip() for line in wrapped if line.strip()]
    if len(wrapped) > lines:
        wrapped = [*wrapped[: lines - 1], f"{wrapped[lines - 1][: width - 1]}…"]
    return "\n".join(wrapped)


def logarithmic(panel: Axes, way: Literal["x", "y"], values: Sequence[float]) -> None:
    """With plain numbers at 1, 2, 5, 10, and room for at least one of them."""
    low, high = min(values) / 1.6, max(values) * 1.6
    axis = panel.xaxis if way == "x" else panel.yaxis
    panel.set(**{f"{way}scale": "log", f"{way}lim": (low, high)})
    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if high / low < 50 else (1.0,), numticks=8))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: amount(value)))


def amount(value: float) -> str:
    """1500 is 1.5k."""
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:g}{unit}"
    return f"{value:g}"


def legend(figure: Figure, panel: Axes) -> None:
    """Below the picture, in as many columns as the names leave room for."""
    handles, labels = panel.get_legend_handles_labels()
    if not handles:
        return
    longest = max(len(line) for text in labels for line in text.split("\n"))
    columns = max(1, min(len(labels), int(figure.get_figwidth() * 13 / (longest + 8))))
    figure.legend(handles, labels, loc="outside lower left", ncols=columns, fontsize=8)


def rendered(figure: Figure, name: str) -> tuple[str, bytes]:
    """As SVG and PNG, without a date and with ids of its own, so that many can stand on one page."""
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=130, metadata={"Software": None})
    svg = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{name}-", text.getvalue())
    return svg, picture.getvalue()
