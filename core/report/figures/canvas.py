"""A drawing board for vector figures in the style of the page: same type, thin lines, the same bytes every time."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import cache
from importlib import resources
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.arrays import Array
from ...base.errors import InputError
from ..cells import raised

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Gives an SVG. To be drawn by another process it is a `functools.partial` of a function of a module and of values.
Drawing = Callable[[], bytes]

CM = 1.0 / 2.54  # inch
TEXT_WIDTH = 17.0  # cm, width of the text on an A4 page of the report
SAMPLES = 900  # stretches over the width of a figure that keep their highest and lowest sample
FONT = "Roboto"
LABEL_EDGE = 0.32  # cm from the left edge, or from the panel to the left, to the foot of a label of y
LABEL_BELOW = 0.6  # cm from the axes to the head of a label of x

# Okabe and Ito's colours: told apart by everyone, in print too.
BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"
COLOURS = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY)
INK, PALE, FAINT, ALARM = "#1d242b", "#9aa3ad", "#d9dee3", "#c22f2f"

STYLE: dict[str, Any] = {
    "font.family": FONT,
    "font.size": 7.5,
    "text.color": INK,
    "axes.edgecolor": "#59636e",
    "axes.labelcolor": INK,
    "axes.linewidth": 0.5,
    "axes.titlesize": 8.0,
    "axes.titleweight": 500,
    "axes.titlelocation": "left",
    "axes.titlepad": 4.0,
    "axes.titley": 1.0,  # a title that looks for its place measures every label of the axes to find it
    "axes.labelpad": 3.0,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.unicode_minus": True,
    "grid.color": "#e3e7eb",
    "grid.linewidth": 0.4,
    "xtick.color": "#59636e",
    "ytick.color": "#59636e",
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.major.width": 0.5,
    "ytick.major.width": 0.5,
    "xtick.minor.width": 0.4,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "xtick.minor.size": 1.5,
    "lines.linewidth": 0.9,
    "lines.solid_joinstyle": "round",
    "patch.linewidth": 0.5,
    "legend.frameon": False,
    "legend.fontsize": 7.0,
    "legend.handlelength": 1.6,
    "legend.borderaxespad": 0.2,
    "svg.fonttype": "none",
    "svg.hashsalt": "ridewright",
    "path.simplify": True,
    "path.simplify_threshold": 0.1,
}


def font_folder() -> Path:
    """The folder of the fonts that come with the program."""
    return Path(str(resources.files("ridewright.resources"))) / "report" / "fonts"


_one_at_a_time = Lock()


@cache
def _matplotlib() -> Any:
    """matplotlib with the report's fonts; raises InputError where it is not installed."""
    try:
        import matplotlib as mpl
        from matplotlib import font_manager
    except ImportError:
        raise InputError(
            "figures of the report need matplotlib; install it with: pip install 'ridewright[report]'."
        ) from None
    for file in sorted(font_folder().glob("*.ttf")):
        font_manager.fontManager.addfont(str(file))
    return mpl


def draw_svg(draw: Callable[[Figure], None], width: float, height: float) -> bytes:
    """A figure as SVG.

    draw: fills an empty matplotlib Figure; width, height: cm on the page. The bytes depend on the figure only.
    Raises InputError where matplotlib is not installed.
    """
    mpl = _matplotlib()
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with _one_at_a_time, mpl.rc_context(STYLE):  # its settings are those of the whole process
        figure = Figure(figsize=(width * CM, height * CM))
        FigureCanvasSVG(figure)
        draw(figure)
        buffer = io.BytesIO()
        figure.savefig(
            buffer, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None}
        )
    return buffer.getvalue()


def panels(
    figure: Figure,
    heights: tuple[float, ...],
    *,
    columns: int = 1,
    left: float = 1.25,
    right: float = 0.25,
    top: float = 0.55,
    bottom: float = 1.05,
    gap: float = 0.65,
    between: float = 1.2,
    share_x: bool = True,
    share_y: bool = False,
) -> Any:
    """Axes in rows of the given relative heights and equal columns; margins and gaps in cm. Shape (rows, columns)."""
    from matplotlib.transforms import ScaledTranslation

    width, height = (float(x) / CM for x in figure.get_size_inches())
    tall = (height - top - bottom - gap * (len(heights) - 1)) / len(heights)
    wide = (width - left - right - between * (columns - 1)) / columns
    grid = figure.subplots(
        len(heights),
        columns,
        squeeze=False,
        sharex=share_x,
        sharey="row" if share_y else False,
        gridspec_kw={
            "left": left / width,
            "right": 1.0 - right / width,
            "top": 1.0 - top / height,
            "bottom": bottom / height,
            "hspace": gap / tall,
            "wspace": between / wide,
            "height_ratios": heights,
        },
    )
    # Labels in a line with one another. Where they are given, matplotlib need not measure every number beside them.
    below = ScaledTranslation(0.0, -LABEL_BELOW * CM, figure.dpi_scale_trans)
    for k in range(columns):
        aside = (between if k else left) - LABEL_EDGE
        beside = ScaledTranslation(-aside * CM, 0.0, figure.dpi_scale_trans)
        for axes in grid[:, k]:
            axes.xaxis.set_label_coords(0.5, 0.0, transform=axes.transAxes + below)
            axes.yaxis.set_label_coords(0.0, 0.5, transform=axes.transAxes + beside)
    return grid


def plain_powers(axis: Any) -> None:
    """Ticks of a logarithmic axis as 0.01, 1, 100 or 10⁻¹², set as text; making minor ticks and formulas is slow."""
    from matplotlib.ticker import FuncFormatter, NullLocator

    def shown(value: float, _: int | None) -> str:
        power = round(np.log10(value)) if value > 0.0 else 0
        return f"{value:g}" if -3 <= power <= 4 else f"10{raised(power)}"

    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(shown))


def thin(x: Array, y: Array, count: int = SAMPLES) -> tuple[Array, Array]:
    """A curve reduced to the lowest and highest sample, in their order, of each of `count` stretches.

    x (n,), y (n,); no peak is lost and every point kept is a sample.
    """
    size = len(x) // count
    if size < 3:
        return x, y
    whole = len(x) // size * size
    heaps = y[:whole].reshape(-1, size)
    start = np.arange(0, whole, size)
    ends = np.sort(np.stack([heaps.argmin(axis=1), heaps.argmax(axis=1)], axis=1), axis=1)
    keep = np.concatenate([(start[:, None] + ends).ravel(), np.arange(whole, len(x)), [0, len(x) - 1]])
    keep = np.unique(keep)
    return x[keep], y[keep]


def upper_edge(x: Array, y: Array, count: int = 350) -> tuple[Array, Array]:
    """The largest sample of each of `count` stretches at the place of that sample; x (n,), y (n,)."""
    size = len(x) // count
    if size < 2:
        return x, y
    heaps = y[: len(x) // size * size].reshape(-1, size)
    keep = np.arange(len(heaps)) * size + heaps.argmax(axis=1)
    return x[keep], y[keep]


def shade(
    axes: Axes,
    intervals: tuple[tuple[float, float], ...],
    colour: str = ALARM,
    least: float = 0.0,
    label: str = "",
) -> None:
    """Shade stretches of the x axis; each at least `least` wide, so that none vanishes."""
    for start, end in intervals:
        middle, half = 0.5 * (start + end), max(0.5 * (end - start), 0.5 * least)
        axes.axvspan(middle - half, middle + half, color=colour, alpha=0.16, linewidth=0.0, zorder=0.5,
                     label=label or None)  # fmt: skip


def legend_above(axes: Axes, columns: int = 6) -> None:
    """The legend in one line at the upper right, above the axes."""
    axes.legend(
        loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=columns, columnspacing=1.2, handletextpad=0.5
    )
