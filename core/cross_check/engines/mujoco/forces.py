"""Force elements on bodies of MuJoCo: their places and speeds are its, levers are found here, our laws say how much."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from ....base.arrays import Array
from ....base.frames import from_matrix, rotation_vector
from ...curves import evaluator
from ...laws import ScalarLaw, TurnLaw
from ...model import Element, Load

TAKEN: Final = ("distance", "angle", "slide", "turn", "speed")


class Moving(NamedTuple):
    """Bodies at an instant, the ground last: places (n, 3) m, axes (n, 3, 3), velocities (n, 3) m/s and angular
    velocities (n, 3) rad/s, all in the world."""

    r: Array
    A: Array
    v: Array
    w: Array


@dataclass
class Acting:
    """Forces (n, 3) N at the centres and moments (n, 3) N m on bodies, the ground last."""

    force: Array
    moment: Array

    def push(self, body: int, lever: Array, force: Array) -> None:
        """Add a force (3,) N at a lever (3,) m from the centre."""
        self.force[body] += force
        self.moment[body] += _cross(lever, force)


Act = Callable[[Moving, Acting, float], float]


def why_not(element: Element) -> str:
    """Why a force element cannot be had, empty when it can."""
    law = element.use.law
    if element.geometry not in TAKEN:
        return "it acts where the comparison with MuJoCo does not measure"
    if law.internal:
        return "its law has unknowns of its own"
    return ""


def acts(element: Element, law: ScalarLaw) -> Act:
    """What an element does to bodies at an instant (s): puts its forces on them, returns its load."""
    if element.geometry == "turn":
        return _turn(element)
    return {"distance": _distance, "angle": _angle, "slide": _slide, "speed": _speed}[element.geometry](
        element, law
    )


def _distance(element: Element, law: ScalarLaw) -> Act:
    (i, j), n = element.bodies, element.numbers
    s_i, s_j, origin = n[0:3], n[3:6], float(n[6])

    def act(at: Moving, out: Acting, t: float) -> float:
        a, b = at.A[i] @ s_i, at.A[j] @ s_j
        line = at.r[j] + b - at.r[i] - a
        length = float(np.sqrt(line @ line))
        line = line / length
        speed = float(line @ (at.v[j] + _cross(at.w[j], b) - at.v[i] - _cross(at.w[i], a)))
        load = law(length - origin, speed, t)
        out.push(i, a, load * line)
        out.push(j, b, -load * line)
        return load

    return act


def _angle(element: Element, law: ScalarLaw) -> Act:
    (i, j), n = element.bodies, element.numbers
    f, g, a, f_j, origin = n[0:3], n[3:6], n[6:9], n[9:12], float(n[12])
    turned = [0.0]

    def act(at: Moving, out: Acting, t: float) -> float:
        axis, there = at.A[i] @ a, at.A[j] @ f_j
        angle = float(np.arctan2((at.A[i] @ g) @ there, (at.A[i] @ f) @ there))
        angle += 2.0 * np.pi * round((turned[0] - angle) / (2.0 * np.pi))
        turned[0] = angle
        load = law(angle - origin, float(axis @ (at.w[j] - at.w[i])), t)
        out.moment[i] += load * axis
        out.moment[j] -= load * axis
        return load

    return act


def _slide(element: Element, law: ScalarLaw) -> Act:
    (i, j), n = element.bodies, element.numbers
    a, s_i, s_j, origin = n[0:3], n[3:6], n[6:9], float(n[9])

    def act(at: Moving, out: Acting, t: float) -> float:
        axis, p, q = at.A[i] @ a, at.A[i] @ s_i, at.A[j] @ s_j
        gap = at.r[j] + q - at.r[i] - p
        speed = at.v[j] + _cross(at.w[j], q) - at.v[i] - _cross(at.w[i], p)
        load = law(float(axis @ gap) - origin, float(axis @ (speed - _cross(at.w[i], gap))), t)
        # the force acts at the point of j on both, so that the direction that turns with i does no work by turning
        out.push(i, p + gap, load * axis)
        out.push(j, q, -load * axis)
        return load

    return act


def _turn(element: Element) -> Act:
    (i, j), start, law = element.bodies, element.numbers.reshape(3, 3), TurnLaw(element)

    def act(at: Moving, out: Acting, t: float) -> float:
        first = at.A[i]
        x, y, z = rotation_vector(from_matrix(first.T @ at.A[j] @ start.T)).tolist()
        back = first @ np.array(law((x, y, z), (first.T @ (at.w[j] - at.w[i])).tolist()))
        out.moment[i] += back
        out.moment[j] -= back
        angle = float(np.sqrt(x * x + y * y + z * z))
        return float(back @ first @ np.array([x, y, z])) / angle if angle > 1e-12 else 0.0

    return act


def _speed(element: Element, law: ScalarLaw) -> Act:
    body = element.bodies[0]

    def act(at: Moving, out: Acting, t: float) -> float:
        speed = float(np.sqrt(at.v[body] @ at.v[body]))
        load = law(0.0, speed, t)
        if speed > 0.0:
            out.force[body] -= load / speed * at.v[body]
        return load

    return act


def loads(load: Load) -> Act:
    """What a force or torque over time does."""
    of = [evaluator(component) for component in load.components]

    def act(at: Moving, out: Acting, t: float) -> float:
        value = np.array([f(t) for f in of])
        if load.in_body:
            value = at.A[load.body] @ value
        if load.point is None:
            out.moment[load.body] += value
        else:
            out.push(load.body, at.A[load.body] @ load.point, value)
        return 0.0

    return act


def _cross(a: Any, b: Any) -> Array:
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])
