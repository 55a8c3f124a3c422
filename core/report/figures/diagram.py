"""Diagrams: what is drawn of a car, a rider, a train or a map of seats as values, which another process can draw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from .canvas import TEXT_WIDTH, draw_svg, panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BETWEEN = 1.4  # cm, of two sides


class Stroke(NamedTuple):
    """A line, or marks: x (n,), y (n,) or a number each, and the style as matplotlib's `plot` takes it."""

    x: Any
    y: Any
    style: dict[str, Any]


class Patch(NamedTuple):
    """A filled outline: a patch of matplotlib, where it is as that takes it, its style, and corners (n, 2) that are to
    be in the picture, where it does not see to that itself."""

    kind: Literal["Circle", "Ellipse", "Polygon", "RegularPolygon"]
    place: tuple[Any, ...]
    style: dict[str, Any]
    corners: Any = None


class Words(NamedTuple):
    """A text at a place, its style as matplotlib's `annotate` takes it."""

    text: str
    place: tuple[float, float]
    style: dict[str, Any]


Part = Stroke | Patch | Words


class Side(NamedTuple):
    """What one looks at from one side; without a title it has no axes. around: margin, a part of its size."""

    parts: Sequence[Part]
    around: float
    title: str = ""
    across: str = ""
    up: str = ""


def line(x: Any, y: Any, **style: Any) -> Stroke:
    """A line through places x, y."""
    return Stroke(x, y, style)


def spots(x: Any, y: Any, marker: str, **style: Any) -> Stroke:
    """A mark at each place x, y."""
    return Stroke(x, y, {"marker": marker, "linestyle": "None", **style})


def diagram(sides: Sequence[Side], height: float, *, legend: bool = False, **margins: Any) -> bytes:
    """Sides beside one another as SVG of a height in cm; legend: below, of what has a label on the first side."""

    def draw(figure: Figure) -> None:
        row = panels(figure, (1.0,), columns=len(sides), share_x=False, between=BETWEEN, **margins)[0]
        for axes, side in zip(row, sides, strict=True):
            for part in side.parts:
                _draw(axes, part)
            axes.set_aspect("equal", adjustable="datalim")
            axes.margins(side.around)
            if side.title:
                axes.set(title=side.title, xlabel=side.across, ylabel=side.up)
            else:
                axes.set_axis_off()
        if legend:
            handles, labels = row[0].get_legend_handles_labels()
            figure.legend(handles, labels, loc="lower center", ncols=6, columnspacing=1.4, handletextpad=0.5)

    return draw_svg(draw, TEXT_WIDTH, height)


def _draw(axes: Axes, part: Part) -> None:
    from matplotlib import patches

    if isinstance(part, Stroke):
        axes.plot(part.x, part.y, **part.style)
    elif isinstance(part, Words):
        axes.annotate(part.text, part.place, **part.style)
    else:
        axes.add_patch(getattr(patches, part.kind)(*part.place, **part.style))
        if part.corners is not None:
            axes.update_datalim(part.corners)
