"""Force elements that another engine is told the forces of: places and speeds of bodies are its, levers are found here,
our laws say how much."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol

import numpy as np

from ..base.arrays import Array
from ..base.frames import from_matrix, rotation_vector
from ..model.forces.base import COMPONENTS
from .curves import evaluator
from .laws import ScalarLaw, WideLaw
from .model import Element, Load

TAKEN: Final = ("distance", "angle", "slide", "turn", "frame", "speed")


class Moving(NamedTuple):
    """Bodies at an instant by their numbers, the ground last: places (3,) m, axes (3, 3), velocities (3,) m/s and
    angular velocities (3,) rad/s, all in the world; of all bodies, or of those that are asked for."""

    r: Array | Mapping[int, Array]
    A: Array | Mapping[int, Array]
    v: Array | Mapping[int, Array]
    w: Array | Mapping[int, Array]


@dataclass
class Acting:
    """Forces (3,) N at the centres and moments (3,) N m on bodies, by the same numbers."""

    force: Any
    moment: Any

    def push(self, body: int, lever: Array, force: Array) -> None:
        """Add a force (3,) N at a lever (3,) m from the centre."""
        self.force[body] += force
        self.moment[body] += cross(lever, force)


Loads = tuple[float, ...]
Act = Callable[[Moving, Acting, float], Loads]


class Actor(Protocol):
    """What acts on some bodies: puts its forces on them at an instant (s) and returns its loads, as many as there are
    names in rows; what it remembers is that of the state that was accepted last."""

    rows: tuple[str, ...]

    @property
    def bodies(self) -> tuple[int, ...]:
        """Numbers of those."""

    @property
    def remembers(self) -> bool:
        """Whether accepted states must be told."""

    def __call__(self, at: Moving, out: Acting, t: float) -> Loads: ...

    def accept(self) -> None:
        """The state that was asked for last is accepted."""


class Acts:
    """A force element or an applied load as an `Actor`."""

    def __init__(
        self, rows: tuple[str, ...], bodies: tuple[int, ...], act: Act, law: ScalarLaw | WideLaw | None = None
    ) -> None:
        self.rows, self.bodies, self._act, self._law = rows, bodies, act, law

    @property
    def remembers(self) -> bool:
        return self._law is not None and self._law.remembers

    def __call__(self, at: Moving, out: Acting, t: float) -> Loads:
        return self._act(at, out, t)

    def accept(self) -> None:
        if self._law is not None and self._law.remembers:
            self._law.accept()


def why_not(element: Element) -> str:
    """Why a force element cannot be had, empty when it can."""
    if element.geometry == "path":
        return "a share of the force on a guide, which the other engine knows only after the step"
    return "" if element.geometry in TAKEN else "it acts where nothing is measured for another engine"


def acting_element(element: Element) -> Acts:
    """A force element that `why_not` has nothing against."""
    if element.geometry in ("turn", "frame"):
        wide = WideLaw(element)
        act = {"turn": _turn, "frame": _frame}[element.geometry](element, wide)
        # in a ball the load is told along the rotation vector, which has no direction where there is no rotation
        rows = tuple(f"{element.name} {c}" for c in COMPONENTS) if element.geometry == "frame" else ()
        return Acts(rows, element.bodies, act, wide)
    law = ScalarLaw(element)
    act = {"distance": _distance, "angle": _angle, "slide": _slide, "speed": _speed}[element.geometry](
        element, law
    )
    bodies = element.bodies[:1] if element.geometry == "speed" else element.bodies
    return Acts((element.name,), bodies, act, law)


def _distance(element: Element, law: ScalarLaw) -> Act:
    (i, j), n = element.bodies, element.numbers
    s_i, s_j, origin = n[0:3], n[3:6], float(n[6])

    def act(at: Moving, out: Acting, t: float) -> Loads:
        a, b = at.A[i] @ s_i, at.A[j] @ s_j
        line = at.r[j] + b - at.r[i] - a
        length = float(np.sqrt(line @ line))
        line = line / length
        speed = float(line @ (at.v[j] + cross(at.w[j], b) - at.v[i] - cross(at.w[i], a)))
        load = law(length - origin, speed, t)
        out.push(i, a, load * line)
        out.push(j, b, -load * line)
        return (load,)

    return act


def _angle(element: Element, law: ScalarLaw) -> Act:
    (i, j), n = element.bodies, element.numbers
    f, g, a, f_j, origin = n[0:3], n[3:6], n[6:9], n[9:12], float(n[12])
    turned = [0.0]

    def act(at: Moving, out: Acting, t: float) -> Loads:
        axis, there = at.A[i] @ a, at.A[j] @ f_j
        angle = float(np.arctan2((at.A[i] @ g) @ there, (at.A[i] @ f) @ there))
        angle += 2.0 * np.pi * round((turned[0] - angle) / (2.0 * np.pi))
        turned[0] = angle
        load = law(angle - origin, float(axis @ (at.w[j] - at.w[i])), t)
        out.moment[i] += load * axis
        out.moment[j] -= load * axis
        return (load,)

    return act


def _slide(element: Element, law: ScalarLaw) -> Act:
    (i, j), n = element.bodies, element.numbers
    a, s_i, s_j, origin = n[0:3], n[3:6], n[6:9], float(n[9])

    def act(at: Moving, out: Acting, t: float) -> Loads:
        axis, p, q = at.A[i] @ a, at.A[i] @ s_i, at.A[j] @ s_j
        gap = at.r[j] + q - at.r[i] - p
        speed = at.v[j] + cross(at.w[j], q) - at.v[i] - cross(at.w[i], p)
        load = law(float(axis @ gap) - origin, float(axis @ (speed - cross(at.w[i], gap))), t)
        # the force acts at the point of j on both, so that the direction that turns with i does no work by turning
        out.push(i, p + gap, load * axis)
        out.push(j, q, -load * axis)
        return (load,)

    return act


def _turn(element: Element, law: WideLaw) -> Act:
    (i, j), start = element.bodies, element.numbers.reshape(3, 3)

    def act(at: Moving, out: Acting, t: float) -> Loads:
        first = at.A[i]
        x, y, z = rotation_vector(from_matrix(first.T @ at.A[j] @ start.T)).tolist()
        back = first @ np.array(law([x, y, z], (first.T @ (at.w[j] - at.w[i])).tolist(), t))
        out.moment[i] += back
        out.moment[j] -= back
        return ()

    return act


def _frame(element: Element, law: WideLaw) -> Act:
    (i, j), n = element.bodies, element.numbers
    s_i, s_j, frame_i, frame_j = n[0:3], n[3:6], n[6:15].reshape(3, 3).T, n[15:24].reshape(3, 3).T

    def act(at: Moving, out: Acting, t: float) -> Loads:
        first, p, q = at.A[i] @ frame_i, at.A[i] @ s_i, at.A[j] @ s_j
        gap = at.r[j] + q - at.r[i] - p
        turn = rotation_vector(from_matrix(first.T @ at.A[j] @ frame_j))
        speed = at.v[j] + cross(at.w[j], q) - at.v[i] - cross(at.w[i], p + gap)
        x = np.concatenate([first.T @ gap, turn])
        v = np.concatenate([first.T @ speed, first.T @ (at.w[j] - at.w[i])])
        back = np.array(law(x.tolist(), v.tolist(), t))
        force, moment = first @ back[:3], first @ back[3:]
        # at the point of j on both, so that displacements seen from i that turns do no work by turning
        out.push(i, p + gap, force)
        out.push(j, q, -force)
        out.moment[i] += moment
        out.moment[j] -= moment
        return law.said

    return act


def _speed(element: Element, law: ScalarLaw) -> Act:
    body = element.bodies[0]

    def act(at: Moving, out: Acting, t: float) -> Loads:
        speed = float(np.sqrt(at.v[body] @ at.v[body]))
        load = law(0.0, speed, t)
        if speed > 0.0:
            out.force[body] -= load / speed * at.v[body]
        return (load,)

    return act


def acting_load(load: Load) -> Acts:
    """A force or torque over time, or the drag of moving air."""
    of = [evaluator(component) for component in load.components]
    body, point = load.body, np.zeros(3) if load.point is None else load.point

    def act(at: Moving, out: Acting, t: float) -> Loads:
        value, lever = np.array([f(t) for f in of]), at.A[body] @ point
        if load.air is not None:
            factor, still = load.air
            if not still:
                value = value - at.v[body] - cross(at.w[body], lever)
            value = factor * float(np.linalg.norm(value)) * value
        elif load.in_body:
            value = at.A[body] @ value
        if load.point is None and load.air is None:
            out.moment[body] += value
        else:
            out.push(body, lever, value)
        return ()

    return Acts((), (body,), act)


def cross(a: Any, b: Any) -> Array:
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])
