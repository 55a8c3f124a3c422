"""Bodies on a curve in exudyn: constraints of the coordinates of their nodes, which it solves with its own.

The curve and its moving frame are ours. The point's arc length L is where the curve is nearest; held are its distances
from the curve along n and b, and the directions that the guide keeps. exudyn gets these rows and their derivatives by
the seven coordinates of the body (place, Euler parameters p with A(p) = E(p) quadratic in p).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ....base.arrays import Array
from ....base.frames import rotation_matrix
from ...curves import evaluator
from ...model import Guided, Steered
from ..base import OtherRun

if TYPE_CHECKING:
    from .engine import System

CLOSE = 1e-13  # m


class Place:
    """Where on its curve a guided point is, followed from call to call."""

    def __init__(self, guided: Guided) -> None:
        self.guided, self.arc = guided, guided.arc

    def frame(self, point: Array) -> Array:
        """Values and two derivatives (3, 9) of curve and frame where it is nearest to the point (3,) m."""
        for _ in range(20):
            at: Array = self.guided.path.sample(self.arc)[0]
            gap = point - at[0, :3]
            slope = float(at[1, :3] @ at[1, :3] - gap @ at[2, :3])
            move = float(gap @ at[1, :3]) / slope
            self.arc += move
            if abs(move) < CLOSE:
                break
        return self.guided.path.sample(self.arc)[0]  # type: ignore[no-any-return]


def turned(p: Array, s: Array) -> tuple[Array, Array]:
    """A(p) s (3,) for Euler parameters p (4,), and its derivatives (3, 4) by p, for A of `base.frames`."""
    e0, e = p[0], p[1:]
    out = rotation_matrix(p) @ s
    slopes = np.empty((3, 4))
    slopes[:, 0] = 4.0 * e0 * s + 2.0 * np.cross(e, s)
    cross = np.array([[0.0, -s[2], s[1]], [s[2], 0.0, -s[0]], [-s[1], s[0], 0.0]])
    slopes[:, 1:] = 2.0 * (np.outer(e, s) + (e @ s) * np.eye(3)) - 2.0 * e0 * cross
    return out, slopes


def rows_of(guided: Guided, place: Place, q: Array, prescribed: float | None) -> tuple[Array, Array]:
    """Rows (m,) of a guide at the coordinates q (7,), and their derivatives (m, 7)."""
    lever, by_p = turned(q[3:7], guided.point)
    point = q[:3] + lever
    by_q = np.hstack([np.eye(3), by_p])
    at = place.frame(point)
    gap, tangent = point - at[0, :3], at[1, :3]
    # L moves with the point: (g'.g' - gap.g'') dL = g' dp
    arc_by_q = (tangent @ by_q) / (tangent @ tangent - gap @ at[2, :3])
    values, slopes = [], []
    for across in (slice(3, 6), slice(6, 9)):
        m, dm = at[0, across], at[1, across]
        values.append(m @ gap)
        slopes.append(m @ by_q + (dm @ gap - m @ tangent) * arc_by_q)
    for vector, u, product in guided.kept:
        across = slice(3 + 3 * vector, 6 + 3 * vector)
        axis, axis_by_p = turned(q[3:7], u)
        values.append(at[0, across] @ axis - product)
        slopes.append(
            np.concatenate([np.zeros(3), at[0, across] @ axis_by_p]) + (at[1, across] @ axis) * arc_by_q
        )
    if prescribed is not None:
        values.append(place.arc - prescribed)
        slopes.append(arc_by_q)
    return np.array(values), np.array(slopes)


def add_guided(system: System, guided: Guided) -> Any:
    """Add the constraints of a guide."""
    place = Place(guided)
    arc = None if guided.driven is None else evaluator(guided.driven)

    def value(mbs: Any, t: float, item: int, q: Any, q_t: Any, velocity: bool) -> Array:
        found, slopes = rows_of(guided, place, np.array(q)[:7], None if arc is None else arc(t))
        return slopes @ np.array(q_t)[:7] if velocity else found

    def slope(mbs: Any, t: float, item: int, q: Any, q_t: Any, velocity: bool) -> Array:
        return rows_of(guided, place, np.array(q)[:7], None if arc is None else arc(t))[1]

    rows = 2 + len(guided.kept) + (arc is not None)
    number = _constrain(system, guided.body, rows, value, slope)
    system.watch_object(("force", guided.name), number, system.exu.OutputVariableType.Force)
    return number


def _constrain(system: System, body: int, rows: int, value: Any, slope: Any) -> Any:
    ends = [
        system.mbs.AddMarker(system.items.MarkerNodeCoordinates(nodeNumber=system.nodes[node]))
        for node in (body, len(system.model.bodies))
    ]
    return system.mbs.AddObject(
        system.items.ObjectConnectorCoordinateVector(
            markerNumbers=ends, scalingMarker0=np.zeros((rows, 1)), scalingMarker1=np.zeros((rows, 1)),
            constraintUserFunction=value, jacobianUserFunction=slope,
        )
    )  # fmt: skip


def add_steered(system: System, steered: Steered) -> None:
    """Add a driver of a coordinate of a body's centre."""
    axis, of = "xyz".index(steered.coordinate), evaluator(steered.function)
    start = system.model.bodies[steered.body].position[axis]

    def offset(mbs: Any, t: float, item: int, given: float) -> float:
        return of(t) - start

    ends = [
        system.mbs.AddMarker(system.items.MarkerNodeCoordinate(nodeNumber=node, coordinate=axis))
        for node in (system.nodes[len(system.model.bodies)], system.nodes[steered.body])
    ]
    system.mbs.AddObject(
        system.items.ObjectConnectorCoordinate(markerNumbers=ends, offsetUserFunction=offset)
    )


def guide_force(system: System, guided: Guided, number: Any, run: OtherRun) -> Array:
    """Force (n, 3) N of the curve on the body, across the curve, in the axes of the world."""
    stored = system.values(("force", guided.name))
    points = run.position[:, guided.body] + run.axes[:, guided.body] @ guided.point
    place, out = Place(guided), np.zeros((len(points), 3))
    for k, point in enumerate(points):
        at = place.frame(point)
        out[k] = -(stored[k, 0] * at[0, 3:6] + stored[k, 1] * at[0, 6:9])
    return out
