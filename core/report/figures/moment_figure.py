"""A moment of the ride as a line drawing: the track ahead and behind, and the bodies of the train on it.

Used where no rendered picture can be made (a core without the studio).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ...base.arrays import Array
from ...base.frames import rotation_matrix
from ..run_view import RunView
from .canvas import BLUE, INK, PALE, draw_svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 9.4, 5.3  # cm, as the rendered pictures
BEHIND, AHEAD = 9.0, 14.0  # m of track that are shown
BROADEST = 1.2  # m, half axes of a body on a track
SLEEPER = 1.5  # m between drawn sleepers
AZIMUTH, RISE = np.radians(-58.0), np.radians(24.0)  # of the look, against the way ahead and the horizon


def sketch(view: RunView, time: float, s: float | None) -> bytes:
    """Track around arc length s (m) and the train at a time (s) in parallel projection, as SVG."""
    position, orientation = _pose(view, time)
    centre = position.mean(axis=0)
    look = _axes_of_look(view, s)

    def flat(points: Array) -> Array:
        return np.asarray((points - centre) @ look.T)

    def draw(figure: Figure) -> None:
        axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        axes.set_axis_off()
        if view.built is not None and s is not None:
            _track(axes, view, s, flat)
        low, high = _bodies(
            axes, view, flat(position), orientation, look, BROADEST if s is not None else np.inf
        )
        middle, reach = np.zeros(2), 2.3
        if s is None:  # a rig as a whole
            middle, spread = 0.5 * (low + high), 0.5 * (high - low)
            reach = 1.1 * max(float(spread[1]), float(spread[0]) * HEIGHT / WIDTH, 0.25)
        axes.set_xlim(middle[0] - reach * WIDTH / HEIGHT, middle[0] + reach * WIDTH / HEIGHT)
        axes.set_ylim(middle[1] - reach, middle[1] + reach)

    return draw_svg(draw, WIDTH, HEIGHT)


def _pose(view: RunView, time: float) -> tuple[Array, Array]:
    """Positions (nb, 3) m and orientations (nb, 4) at the stored instant next to a time."""
    states = view.results.states
    k = int(np.argmin(np.abs(states.time - time)))
    return states.position[k], states.orientation[k]


def _axes_of_look(view: RunView, s: float | None) -> Array:
    """Right and up on the paper as world vectors, (2, 3); seen from ahead and to the right of the train."""
    way = np.array([1.0, 0.0, 0.0])
    if view.built is not None and s is not None:
        tangent = view.built.centreline.state([s]).tangent[0]
        if np.hypot(tangent[0], tangent[1]) > 0.05:
            way = np.array([tangent[0], tangent[1], 0.0]) / np.hypot(tangent[0], tangent[1])
    side = np.array([-way[1], way[0], 0.0])
    away = np.cos(AZIMUTH) * way + np.sin(AZIMUTH) * side  # from the train to the eye, level
    right = np.array([-away[1], away[0], 0.0])
    up = np.cos(RISE) * np.array([0.0, 0.0, 1.0]) - np.sin(RISE) * away
    return np.stack([right, up])


def _track(axes: Axes, view: RunView, s: float, flat: Callable[[Array], Array]) -> None:
    assert view.built is not None
    places = np.linspace(s - BEHIND, s + AHEAD, 160)
    if not view.built.track.closed:
        places = places[(places >= 0.0) & (places <= view.built.length)]
    state = view.built.centreline.state(places)
    half = 0.5 * view.built.track.gauge * state.left
    for rail in (state.curve[:, 0] + half, state.curve[:, 0] - half):
        axes.plot(*flat(rail).T, color="#59636e", linewidth=1.3, zorder=2)
    step = max(1, round(SLEEPER / (places[1] - places[0])))
    for k in range(0, len(places), step):
        ends = flat(np.stack([state.curve[k, 0] + half[k], state.curve[k, 0] - half[k]]))
        axes.plot(*ends.T, color=PALE, linewidth=0.7, zorder=1)


def _bodies(
    axes: Axes, view: RunView, spots: Array, orientation: Array, look: Array, broadest: float
) -> tuple[Array, Array]:
    """Each body as the outline of the ellipsoid with its moments of inertia; the corners of what is drawn."""
    halves, drawn = _half_axes(view, broadest), []
    names = view.results.names.bodies
    riders = tuple(f"{rider}/" for rider in view.results.names.riders)
    turn = np.linspace(0.0, 2.0 * np.pi, 33)
    for k, name in enumerate(names):
        # The outline of an ellipsoid with matrix M = R diag(h^2) R^T is an ellipse with matrix L M L^T.
        r = rotation_matrix(orientation[k])
        shape = look @ (r * halves.get(name, np.full(3, 0.05)) ** 2) @ r.T @ look.T
        values, vectors = np.linalg.eigh(shape)
        circle = np.stack([np.cos(turn), np.sin(turn)], axis=1) * np.sqrt(np.maximum(values, 0.0))
        outline = spots[k] + circle @ vectors.T
        drawn.append(outline)
        rider = name.startswith(riders)
        axes.fill(
            outline[:, 0], outline[:, 1], facecolor="#f3c9a8" if rider else "#d5e2ee",
            edgecolor=INK if rider else BLUE, linewidth=0.6, alpha=0.9, zorder=5 if rider else 4,
        )  # fmt: skip
    every = np.concatenate(drawn)
    return every.min(axis=0), every.max(axis=0)


def _half_axes(view: RunView, broadest: float) -> dict[str, Array]:
    """Half axes (m, at most `broadest`) of the homogeneous ellipsoid with mass and moments of each body, by name."""
    found: dict[str, Array] = {}
    top = view.project.assembly
    for name, body in {} if top is None else top.every("body").items():
        a, b, c = body.inertia
        squares = 2.5 / body.mass * np.array([b + c - a, a + c - b, a + b - c])
        found[name] = np.clip(np.sqrt(np.maximum(squares, 0.0)), 0.04, broadest)
    return found
