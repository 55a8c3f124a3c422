"""A car as a diagram: bodies, joints, springs, wheels and seats from the side and from above."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.base.frames import rotation_matrix
from core.model.assembly import Assembly, Occupant, Seat
from core.model.elements import SpringDamper
from core.report.figures import canvas
from core.report.figures.canvas import BLUE, FAINT, GREEN, INK, PALE, VERMILION, Array

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
    places = {body.name: np.asarray(body.position) for body in car.bodies}
    turns = {body.name: rotation_matrix(body.orientation) for body in car.bodies}

    def at(body: str, point: tuple[float, float, float]) -> Array | None:
        return None if body not in places else places[body] + turns[body] @ np.asarray(point)

    for joint in car.joints:
        place = at(joint.body_i, joint.point_i)
        place = at(joint.body_j, joint.point_j) if place is None else place
        if place is None:
            continue
        for body in (joint.body_i, joint.body_j):
            if body in places:
                end = places[body]
                axes.plot([place[a], end[a]], [place[b], end[b]], color=FAINT, linewidth=1.6, zorder=1)
        axes.plot(place[a], place[b], "o", color="white", markeredgecolor=VERMILION, markersize=4, zorder=4)
    for force in car.forces:
        if isinstance(force, SpringDamper):
            p, q = at(force.body_i, force.point_i), at(force.body_j, force.point_j)
            if p is not None and q is not None:
                axes.plot([p[a], q[a]], [p[b], q[b]], color=GREEN, linewidth=1.1, zorder=3)
    for guide in car.guides:
        place = at(guide.body, guide.point)
        if place is not None:
            axes.plot(place[a], place[b], "s", color=INK, markersize=3.5, zorder=4)
    for centre in places.values():
        axes.plot(centre[a], centre[b], "+", color=INK, markersize=6, markeredgewidth=0.9, zorder=5)
    riders = {rider.seat: rider for rider in car.occupants}
    for seat in sorted(
        car.seats, key=lambda seat: seat.name in riders
    ):  # a taken one is not hidden by a free one
        base = at(seat.body, seat.position)
        if base is not None:
            _seat(axes, seat, riders.get(seat.name), base, turns[seat.body], a, b)
    _legend(axes, car)


def _seat(axes: Axes, seat: Seat, rider: Occupant | None, base: Array, turn: Array, a: int, b: int) -> None:
    frame = turn @ rotation_matrix(seat.orientation)
    axes.plot(
        base[a], base[b], "D", color=BLUE if rider else "white", markeredgecolor=BLUE, markersize=5, zorder=6
    )
    if rider is None:
        return
    spots = {body.name: base + frame @ np.asarray(body.position) for body in rider.bodies}
    for joint in rider.joints:
        if joint.body_i in spots and joint.body_j in spots:
            p, q = spots[joint.body_i], spots[joint.body_j]
            axes.plot([p[a], q[a]], [p[b], q[b]], color=PALE, linewidth=1.0, zorder=2)
    for spot in spots.values():
        axes.plot(spot[a], spot[b], ".", color="#59636e", markersize=4, zorder=5)


def _legend(axes: Axes, car: Assembly) -> None:
    def sample(label: str, **style: object) -> None:
        axes.plot([], [], linestyle=style.pop("line", ""), label=label, **style)  # type: ignore[arg-type]

    sample("body, centre of mass", marker="+", color=INK, markersize=6)
    if car.joints:
        sample("joint", marker="o", color="white", markeredgecolor=VERMILION, markersize=4)
    if any(isinstance(force, SpringDamper) for force in car.forces):
        sample("spring-damper", line="-", color=GREEN, linewidth=1.1)
    if car.guides:
        sample("wheel on rail", marker="s", color=INK, markersize=3.5)
    if car.seats:
        sample("seat (filled: taken)", marker="D", color="white", markeredgecolor=BLUE, markersize=5)
    if car.occupants:
        sample("rider, segments", marker=".", line="-", color=PALE, markerfacecolor="#59636e", markersize=4)
