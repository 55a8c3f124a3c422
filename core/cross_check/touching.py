"""Surfaces that touch, for another engine: closed forms of round ones on planes and of spheres on one another.

Depth, normal and point are found here anew, law and friction are those of the contact: the law's number for a depth and
its rate, Coulomb friction smoothed by the hyperbolic tangent, or bristles from where two material points have moved
apart since the last accepted step (see `core.multibody.contact_kernels`, whose code has no part in this).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..base.arrays import Array
from ..contact.shapes import ELLIPSOID, PLANE, RIM, SPHERE
from ..model.contact_laws import DEEPEST, TOUCHED
from ..multibody.contact_points import Skin
from .acting import Acting, Moving, cross
from .model import Touch

#: Of bristles: as bent and the point on the first, in its axes, the point on the second in those of that.
Bent = tuple[Array, Array, Array]
ON_PLANE = (SPHERE, ELLIPSOID, RIM)


class Met(NamedTuple):
    """Two surfaces at a spot: depth (m), its rate (m/s), unit normal from the second to the first, the point between
    both and the velocity (m/s) of the first against the second there, in the world."""

    depth: float
    rate: float
    normal: Array
    point: Array
    velocity: Array


def why_not_touch(touch: Touch) -> str:
    """Why two surfaces cannot be handed over, empty when they can."""
    first = SPHERE if touch.by_points else touch.first.kind
    if touch.second.kind == PLANE and first in ON_PLANE:
        return ""
    if (first, touch.second.kind) == (SPHERE, SPHERE):
        return ""
    return (
        "of surfaces that touch only round ones, corners and points on planes, and spheres on one another are handed"
        " over"
    )


class Touching:
    """A pair as it acts (`core.cross_check.acting.Actor`): its load is the normal force (N)."""

    remembers = True

    def __init__(self, touch: Touch) -> None:
        a, b, self.fields = touch.first, touch.second, touch.fields
        self.rows: tuple[str, ...] = (touch.name,)
        self.bodies = (a.body, b.body)
        self.first, self.second = a, b
        self.spots: list[tuple[Skin, float]] = [(a, 1.0)]
        if touch.points is not None:
            points, share = touch.points
            self.spots = [(_point_of(a, p), float(w)) for p, w in zip(points, share, strict=True)]
        self.p = np.array(touch.use.parameters, dtype=np.float64)
        self.law = touch.use.law.evaluate
        self.memory = np.zeros(2)
        self.apart: list[Met] = []  # by spots: of the accepted state, where they were apart then
        self.bent: Bent | None = None  # of bristles: as bent, and both points
        self._last: tuple[list[Met], int, Bent | None] = ([], 0, None)

    def __call__(self, at: Moving, out: Acting, t: float) -> tuple[float, ...]:
        met = [self._meet(at, skin) for skin, _ in self.spots]
        deepest = max(range(len(met)), key=lambda q: met[q].depth)
        memory, total = self.memory, 0.0
        if memory[TOUCHED] <= 0.0 and met[deepest].depth > 0.0:
            memory = np.array([self._touched(met[deepest], deepest), memory[DEEPEST]])
        bent = None
        for q, (_, weight) in enumerate(self.spots):
            if met[q].depth > 0.0:
                load, how = self._push(at, out, met[q], weight, memory)
                total += load
                bent = how if q == deepest else bent
        self._last = met, deepest, bent
        return (total,)

    def accept(self) -> None:
        """The state that was asked for last is accepted."""
        met, deepest, self.bent = self._last
        if met[deepest].depth <= 0.0:
            self.memory[:], self.apart = 0.0, met
            return
        if self.memory[TOUCHED] <= 0.0:
            self.memory[TOUCHED] = self._touched(met[deepest], deepest)
        self.memory[DEEPEST] = max(self.memory[DEEPEST], met[deepest].depth)

    def _touched(self, now: Met, spot: int) -> float:
        """Rate (m/s) at touch, between the accepted state in which they were apart and one in which they are not: the
        square of the rate goes with the depth, as where the acceleration is constant. That of either state would be
        off by its share of a step, first order, and by the same at half the step as often as not."""
        least = float(self.fields.least_speed)
        if not self.apart:
            return max(now.rate, least)
        before = self.apart[spot]
        share = before.depth / (before.depth - now.depth)
        square = before.rate**2 + share * (now.rate**2 - before.rate**2)
        return max(math.sqrt(max(square, 0.0)), least)

    def _meet(self, at: Moving, skin: Skin) -> Met:
        i, j = self.bodies
        depth, n, point = _depth(at, skin, self.second)
        a, b = point - at.r[i], point - at.r[j]
        v = at.v[i] + cross(at.w[i], a) - at.v[j] - cross(at.w[j], b)
        return Met(depth + self.fields.thickness, -float(n @ v), n, point, v)

    def _push(
        self, at: Moving, out: Acting, met: Met, weight: float, memory: Array
    ) -> tuple[float, Bent | None]:
        i, j = self.bodies
        load = weight * float(self.law(self.p, met.depth, met.rate, memory, 0.0)[0])
        held, bent = self._friction(at, met.point, met.normal, met.velocity, load)
        force = load * met.normal + held
        out.push(i, met.point - at.r[i], force)
        out.push(j, met.point - at.r[j], -force)
        return load, bent

    def _friction(
        self, at: Moving, point: Array, n: Array, v: Array, load: float
    ) -> tuple[Array, Bent | None]:
        e, slip = self.fields, v - (n @ v) * n
        most = e.friction_coefficient * load
        if e.friction == "none":
            return np.zeros(3), None
        if e.friction == "smooth":
            speed = float(np.linalg.norm(slip))
            share = (
                math.tanh(speed / e.slip_speed) / speed if speed > 1e-9 * e.slip_speed else 1.0 / e.slip_speed
            )
            return -most * share * slip, None
        i, j = self.bodies
        s = np.zeros(3)
        if self.bent is not None:
            by, p, q = self.bent
            s = at.r[i] + at.A[i] @ (by + p) - at.r[j] - at.A[j] @ q
            s = s - (n @ s) * n
        f = -e.tangential_stiffness * s - e.tangential_damping * slip
        size = float(np.linalg.norm(f))
        if e.friction == "bristle" and size > most:
            f = f * (most / size)
            s = -f / e.tangential_stiffness
        return f, (at.A[i].T @ s, at.A[i].T @ (point - at.r[i]), at.A[j].T @ (point - at.r[j]))


def _point_of(skin: Skin, position: Array) -> Skin:
    return Skin(skin.name, skin.body, SPHERE, position, np.eye(3), (0.0, 0.0, 0.0), 0.0, skin.radius)


def _depth(at: Moving, a: Skin, b: Skin) -> tuple[float, Array, Array]:
    """Depth (m), unit normal from b to a, and the point half way between both surfaces, in the world."""
    centre = at.r[a.body] + at.A[a.body] @ a.position
    other = at.r[b.body] + at.A[b.body] @ b.position
    if b.kind == SPHERE:
        line = centre - other
        apart = float(np.linalg.norm(line))
        n = line / apart if apart > 0.0 else np.array([0.0, 0.0, 1.0])
        depth = a.sizes[0] + b.sizes[0] - apart
        return depth, n, centre - (a.sizes[0] - 0.5 * depth) * n
    axes = at.A[b.body] @ b.rotation
    n = axes[:, 2]
    if a.kind == ELLIPSOID:
        own = at.A[a.body] @ a.rotation * np.array(a.sizes)
        lowest = -own @ (own.T @ n) / np.linalg.norm(own.T @ n)
    elif a.kind == SPHERE:
        lowest = -a.sizes[0] * n
    else:
        about = at.A[a.body] @ a.rotation[:, 2]
        down = n - (n @ about) * about
        size = float(np.linalg.norm(down))
        lowest = -a.sizes[0] * down / size if size > 1e-9 else np.zeros(3)
    there = centre + lowest - other
    depth = -float(n @ there)
    x, y, _ = axes.T @ there
    beside = max(abs(x) - b.sizes[0], abs(y) - b.sizes[1])
    if beside > 0.0 or depth > b.sizes[2]:
        depth = -max(beside, 1e-14)
    return depth, n, centre + lowest + 0.5 * depth * n
