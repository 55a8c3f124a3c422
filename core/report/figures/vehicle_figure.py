"""A car as a diagram: bodies, joints, springs, wheels and seats from the side and from above."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...base.arrays import Array
from ...model.assembly import Assembly
from ...model.bodies import GROUND, SEAT
from ...model.forces import TYPES
from ...model.forces.ends import TwoPoints
from ...model.placement import PlacedModel, placed_model
from . import canvas
from .canvas import BLUE, FAINT, GREEN, INK, PALE, VERMILION

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

VIEWS = (("Side view", 0, 2, "x / m", "z / m"), ("Plan", 0, 1, "x / m", "y / m"))


def car_diagram(car: Assembly) -> bytes:
    """A car or rig in its own frame, bodies at their centres of mass with what connects them, as SVG."""

    def draw(figure: Figure) -> None:
        row = canvas.panels(figure, (1.0,), columns=2, bottom=1.75, share_x=False, between=1.4)[0]
        for axes, (title, a, b, across, up) in zip(row, VIEWS, strict=True):
            _draw(axes, car, a, b)
            axes.set_aspect("equal", adjustable="datalim")
            axes.margins(0.08)
            axes.set(title=title, xlabel=across, ylabel=up)
        handles, labels = row[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="lower center", ncols=6, columnspacing=1.4, handletextpad=0.5)

    return canvas.draw_svg(draw, canvas.TEXT_WIDTH, 7.9)


def _draw(axes: Axes, car: Assembly, a: int, b: int) -> None:
    drawn = placed_model(car)

    def spot(path: str, body: str, point: tuple[float, float, float]) -> Array | None:
        return None if body == GROUND else drawn.at(path, body).point(point)

    for path, joint in car.own("joint").items():
        holder = path.rpartition("/")[0]
        place = spot(holder, joint.body_i, joint.point_i)
        place = spot(holder, joint.body_j, joint.point_j) if place is None else place
        if place is None:
            continue
        for body in (joint.body_i, joint.body_j):
            if body != GROUND:
                end = drawn.at(holder, body).position
                axes.plot([place[a], end[a]], [place[b], end[b]], color=FAINT, linewidth=1.6, zorder=1)
        axes.plot(place[a], place[b], "o", color="white", markeredgecolor=VERMILION, markersize=4, zorder=4)
    for path, force in car.own("force").items():
        if isinstance(force, TwoPoints):
            holder = path.rpartition("/")[0]
            p, q = spot(holder, force.body_i, force.point_i), spot(holder, force.body_j, force.point_j)
            if p is not None and q is not None:
                axes.plot([p[a], q[a]], [p[b], q[b]], color=GREEN, linewidth=1.1, zorder=3)
    for path, guide in car.own("guide").items():
        place = drawn.at(path.rpartition("/")[0], guide.body).point(guide.point)
        axes.plot(place[a], place[b], "s", color=INK, markersize=3.5, zorder=4)
    for path in car.own("body"):
        centre = drawn.position[path]
        axes.plot(centre[a], centre[b], "+", color=INK, markersize=6, markeredgewidth=0.9, zorder=5)
    for path in car.with_role("rider"):
        if path:
            _rider(axes, drawn, path, a, b)
    for path, seat in car.every("seat").items():
        holder = path.rpartition("/")[0]
        taken = any(rider.seat == seat.name for rider in drawn.assemblies[holder].riders)
        base = spot(holder, seat.body, seat.position)
        if base is not None:
            axes.plot(
                base[a], base[b], "D", color=BLUE if taken else "white", markeredgecolor=BLUE, markersize=5,
                zorder=7 if taken else 6,
            )  # fmt: skip
    _legend(axes, car)


def _rider(axes: Axes, drawn: PlacedModel, rider: str, a: int, b: int) -> None:
    """The segments of a rider, joined along its joints."""
    for joint in drawn.assemblies[rider].joints:
        if SEAT not in (joint.body_i, joint.body_j):
            p, q = (drawn.at(rider, body).position for body in (joint.body_i, joint.body_j))
            axes.plot([p[a], q[a]], [p[b], q[b]], color=PALE, linewidth=1.0, zorder=2)
    for path, spot in drawn.position.items():
        if path.startswith(f"{rider}/"):
            axes.plot(spot[a], spot[b], ".", color="#59636e", markersize=4, zorder=5)


def _legend(axes: Axes, car: Assembly) -> None:
    def sample(label: str, **style: object) -> None:
        axes.plot([], [], linestyle=style.pop("line", ""), label=label, **style)  # type: ignore[arg-type]

    sample("body, centre of mass", marker="+", color=INK, markersize=6)
    if car.own("joint"):
        sample("joint", marker="o", color="white", markeredgecolor=VERMILION, markersize=4)
    words = dict.fromkeys(TYPES[f.kind].word for f in car.own("force").values() if isinstance(f, TwoPoints))
    if words:
        sample(", ".join(words), line="-", color=GREEN, linewidth=1.1)
    if car.own("guide"):
        sample("wheel on rail", marker="s", color=INK, markersize=3.5)
    if car.every("seat"):
        sample("seat (filled: taken)", marker="D", color="white", markeredgecolor=BLUE, markersize=5)
    if car.with_role("rider"):
        sample("rider, segments", marker=".", line="-", color=PALE, markerfacecolor="#59636e", markersize=4)
