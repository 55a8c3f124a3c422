"""Bodies on a curve in exudyn: constraints of the coordinates of their nodes, which it solves with its own.

The curve and its moving frame are ours. The point's arc length L is where the curve is nearest; held are its distances
from the curve along n and b, and the directions that the guide keeps. exudyn gets these rows and their derivatives by
the seven coordinates of the body (place, Euler parameters p with A(p) = E(p) quadratic in p).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ....base.arrays import Array
from ....base.frames import from_matrix
from ...curves import evaluator
from ...model import Guided, Pushed, Steered
from ..base import OtherRun
from .system import System

CLOSE = 1e-11  # m


class Turned:
    """A direction or lever s (3,) of a body in the world, and its derivatives by Euler parameters p (4,): A(p) s is
    quadratic in p, for A of `base.frames`."""

    def __init__(self, s: Array) -> None:
        x, y, z = (float(c) for c in s)
        self.s = np.array([x, y, z])
        # d(A s)/dp = slopes @ p, from A = 2 e0^2 - 1 + 2 e e^T + 2 e0 e~
        self.slopes = 2.0 * np.array(
            [
                [[2.0 * x, 0.0, z, -y], [0.0, 2.0 * x, y, z], [z, y, 0.0, 0.0], [-y, z, 0.0, 0.0]],
                [[2.0 * y, -z, 0.0, x], [-z, 0.0, x, 0.0], [0.0, x, 2.0 * y, z], [x, 0.0, z, 0.0]],
                [[2.0 * z, y, -x, 0.0], [y, 0.0, 0.0, x], [-x, 0.0, 0.0, y], [0.0, x, y, 2.0 * z]],
            ]
        )

    def at(self, p: Array) -> tuple[Array, Array]:
        """A(p) s (3,) and its derivatives (3, 4)."""
        by_p = self.slopes @ p
        return 0.5 * (by_p @ p) - self.s, by_p


class Rows:
    """The rows of a guide; where on its curve the point is, is followed from call to call."""

    def __init__(self, guided: Guided) -> None:
        self.guided, self.arc = guided, guided.arc
        self.driven = None if guided.driven is None else evaluator(guided.driven)
        self.lever = Turned(guided.point)
        self.kept = [(slice(3 + 3 * k, 6 + 3 * k), Turned(u), product) for k, u, product in guided.kept]
        self.size = 2 + len(self.kept) + (self.driven is not None)
        self.tangent = np.zeros(3)  # of the curve where the point was last looked for
        self._key, self._found = b"", (np.zeros(0), np.zeros((0, 7)))

    def _frame(self, point: Array) -> Array:
        """Values and two derivatives (3, 9) of curve and frame where it is nearest to the point (3,) m."""
        for _ in range(20):
            at: Array = self.guided.path.sample(self.arc)[0]
            gap, tangent = point - at[0, :3], at[1, :3]
            move = float(gap @ tangent) / float(tangent @ tangent - gap @ at[2, :3])
            if abs(move) < CLOSE:
                break
            self.arc += move
        return at

    def at(self, q: Array, t: float) -> tuple[Array, Array]:
        """Rows (m,) at the coordinates q (7,) of the body, and their derivatives (m, 7)."""
        key = q.tobytes()
        if key != self._key:  # exudyn asks for values and derivatives one after the other
            self._key, self._found = key, self._made(q)
        values, slopes = self._found
        if self.driven is not None:
            values = values.copy()
            values[-1] = self.arc - self.driven(t)
        return values, slopes

    def _made(self, q: Array) -> tuple[Array, Array]:
        p = q[3:7]
        lever, by_p = self.lever.at(p)
        by_q = np.empty((3, 7))
        by_q[:, :3], by_q[:, 3:] = _EYE, by_p
        point = q[:3] + lever
        at = self._frame(point)
        gap, tangent = point - at[0, :3], at[1, :3]
        self.tangent = tangent
        # L moves with the point: (g'.g' - gap.g'') dL = g'.dp
        arc_by_q = (tangent @ by_q) / (tangent @ tangent - gap @ at[2, :3])
        values, slopes = np.zeros(self.size), np.zeros((self.size, 7))
        for row, across in enumerate((slice(3, 6), slice(6, 9))):
            m = at[0, across]
            values[row] = m @ gap
            slopes[row] = m @ by_q + (at[1, across] @ gap - m @ tangent) * arc_by_q
        for row, (across, axis, product) in enumerate(self.kept, start=2):
            u, u_by_p = axis.at(p)
            values[row] = at[0, across] @ u - product
            slopes[row] = (at[1, across] @ u) * arc_by_q
            slopes[row, 3:] += at[0, across] @ u_by_p
        if self.driven is not None:
            slopes[-1] = arc_by_q
        return values, slopes


_EYE = np.eye(3)


def add_guided(system: System, guided: Guided, pushed: Sequence[Pushed] = ()) -> None:
    """Add the constraints of a guide, and what devices of the track push its point with along the curve."""
    made = Rows(guided)

    def value(mbs: Any, t: float, item: int, q: Any, q_t: Any, velocity: bool) -> Array:
        found, slopes = made.at(np.array(q)[:7], t)
        return slopes @ np.array(q_t)[:7] if velocity else found

    def slope(mbs: Any, t: float, item: int, q: Any, q_t: Any, velocity: bool) -> Array:
        return made.at(np.array(q)[:7], t)[1]

    number = _constrain(system, guided.body, made.size, value, slope)
    system.watch_object(("force", guided.name), number, system.exu.OutputVariableType.Force)
    for push in pushed:
        if push.guide == guided.name and np.any(push.force):
            system.push(guided.body, guided.point, _along(made, push))


def _along(rows: Rows, push: Pushed) -> Callable[[float], Array]:
    """A recorded force (3,) N over time (s), along the curve where the point is."""

    def force(t: float) -> Array:
        return float(np.interp(t, push.time, push.force)) * rows.tangent

    return force


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
    start = float(system.model.bodies[steered.body].position[axis])

    def offset(mbs: Any, t: float, item: int, given: float) -> float:
        return float(of(t)) - float(start)

    ends = [
        system.mbs.AddMarker(system.items.MarkerNodeCoordinate(nodeNumber=node, coordinate=axis))
        for node in (system.nodes[len(system.model.bodies)], system.nodes[steered.body])
    ]
    system.mbs.AddObject(
        system.items.ObjectConnectorCoordinate(markerNumbers=ends, offsetUserFunction=offset)
    )


def guide_force(system: System, guided: Guided, run: OtherRun) -> Array:
    """Force (n, 3) N of the curve on the body, in the axes of the world: what the multipliers of all rows do to its
    place, along the curve too where it turns with a body that follows its frame."""
    stored = system.values(("force", guided.name))
    rows, out = Rows(guided), np.zeros((len(run.time), 3))
    for k, (r, axes) in enumerate(zip(run.position[:, guided.body], run.axes[:, guided.body], strict=True)):
        out[k] = -stored[k] @ rows.at(np.concatenate([r, from_matrix(axes)]), run.time[k])[1][:, :3]
    return out
