"""Range of motion of a joint: limits of its own on each side of each axis, soft inside and steep beyond."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math
from itertools import pairwise
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, field_validator, model_validator

from ...base.fields import described
from ...base.frozen import Quat, Vec3, unit_quaternion
from ...base.sentence import say
from ...jit.decorators import inner
from ..laws import PUT_IN, D, F, Law, V, X, on_curve, pieces
from .base import ANGLE, ElementType, ForceElement, Geometry, Mark, Use

Curve = tuple[tuple[float, float], ...]
NUMBERS = 10  # parameters of a component before its curve
ABOUT = ("x", "y", "z")
#: The component that counts in a hinge, about its axis.
HINGE = 1
_LAWS = {
    "potential": "Gradient of a potential",
    "printed": "Component by component, axes of the first body",
    "printed_own": "Component by component, axes of the second body",
}


def _curve(axis: str) -> Curve:
    made: Curve = described(
        (), f"Moment inside about {axis}",
        "Moment against the rotation over angle, in place of the stiffness inside; its end slopes hold beyond it.",
        columns=(("Angle", "rad"), ("Moment", "N m")), group="Curves",
    )  # fmt: skip
    return made


class RangeOfMotion(ForceElement):
    """The second body of a ball joint or hinge against the first, as rotation vector q in the axes of the first.

    Each component has the stored energy

        U = k_inside (q - rest)^2 / 2 + k_beyond S(depth),

    where an integrated curve may take the place of the first term, and depth is how far q lies beyond `upper` or
    `lower`; the slope of S is x^2/(2 w) up to x = w, the corner, and x - w/2 beyond. Moment on the second body, in its
    axes: M = -T(q)^-T dU/dq, where T q' is its angular velocity; its opposite acts on the first.
    |q| <= pi: q and the other way round are one pose, and nothing is singular short of a half turn.

    "printed": M = -dU/dq component by component instead (Spicka 2020, eq. 4.11), in the axes of either body. That is
    the gradient of nothing unless all stiffnesses are equal: what it puts in is booked as work of applied forces.
    In a hinge the y components count, about its axis.
    """

    kind: Literal["range_of_motion"] = "range_of_motion"
    joint: str = described(..., "Acts in joint", "A ball joint or a hinge.", refers_to="joint")
    lower: Vec3 = described(
        (0.0, 0.0, 0.0), "Lower limits", "About x, y, z of the first body; 0 or less.", unit="rad"
    )
    upper: Vec3 = described(
        (0.0, 0.0, 0.0), "Upper limits", "About x, y, z of the first body; 0 or more.", unit="rad"
    )
    rest: Vec3 = described((0.0, 0.0, 0.0), "Rest", "Where the stiffness inside gives no moment.", unit="rad")
    stiffness_inside: Vec3 = described(
        (0.0, 0.0, 0.0), "Stiffness inside", "About x, y, z, everywhere.", unit="N m/rad"
    )
    stiffness_beyond: Vec3 = described(
        (0.0, 0.0, 0.0), "Stiffness beyond", "About x, y, z, added beyond the limits.", unit="N m/rad"
    )
    corner: Annotated[float, Field(gt=1e-6, le=1.0)] = described(
        0.05, "Corner", "Depth over which the stiffness beyond comes in.", unit="rad"
    )
    damping_inside: Vec3 = described(
        (0.0, 0.0, 0.0), "Damping inside", "About x, y, z, everywhere.", unit="N m s/rad"
    )
    damping_beyond: Vec3 = described(
        (0.0, 0.0, 0.0), "Damping beyond", "About x, y, z, added beyond the limits.", unit="N m s/rad"
    )
    curve_x: Curve = _curve("x")
    curve_y: Curve = _curve("y")
    curve_z: Curve = _curve("z")
    moment: Literal["potential", "printed", "printed_own"] = described(
        "potential", "Moment", "As the gradient of a potential, or as Spicka 2020 prints it.", words=_LAWS
    )
    zero: Quat | None = described(
        None, "Zero pose", "Orientation of the second body against the first at which the angles are zero.",
        unit="1", entry="hidden",
    )  # fmt: skip

    @field_validator("stiffness_inside", "stiffness_beyond", "damping_inside", "damping_beyond")
    @classmethod
    def _not_negative(cls, value: Vec3) -> Vec3:
        if min(value) < 0.0:
            raise ValueError(f"{min(value):g} would give energy away; all three must be 0 or more")
        return value

    @field_validator("zero")
    @classmethod
    def _unit(cls, value: Quat | None) -> Quat | None:
        return None if value is None else unit_quaternion(value)

    @field_validator("curve_x", "curve_y", "curve_z")
    @classmethod
    def _rising(cls, value: Curve) -> Curve:
        if value and (len(value) < 2 or any(a[0] >= b[0] for a, b in pairwise(value))):
            raise ValueError("needs at least two rows with rising angles")
        return value

    @model_validator(mode="after")
    def _around_zero(self) -> RangeOfMotion:
        for axis, low, high in zip(ABOUT, self.lower, self.upper, strict=True):
            if high < 0.0 or low > 0.0:
                raise ValueError(
                    say(
                        "the limits about {axis} are {low:g (degrees)} and {high:g degrees}; the + limit"
                        " must be 0 or more and the - limit 0 or less",
                        axis=axis,
                        low=low,
                        high=high,
                    )
                )
        return self


@inner
def _component(p, at, x):
    """Moment against the rotation, its slope, stored energy and damping; the component's numbers begin at `at`."""
    first, end = int(p[at + 8]), int(p[at + 9])
    if end > first:
        f, k, e = on_curve(p, first, end, x)
    else:
        y = x - p[at]
        f, k, e = p[at + 1] * y, p[at + 1], 0.5 * p[at + 1] * y * y
    d = p[at + 5]
    sign, depth = 1.0, x - p[at + 3]
    if x < p[at + 2]:
        sign, depth = -1.0, p[at + 2] - x
    if depth > 0.0:
        beyond, w = p[at + 4], p[at + 7]
        if depth < w:
            f += sign * beyond * depth * depth / (2.0 * w)
            k += beyond * depth / w
            e += beyond * depth**3 / (6.0 * w)
            d += p[at + 6] * depth / w
        else:
            f += sign * beyond * (depth - 0.5 * w)
            k += beyond
            e += beyond * (0.5 * depth * (depth - w) + w * w / 6.0)
            d += p[at + 6]
    return f, k, e, d


@inner
def _range(p, x, v, z, zdot, m, s, out):
    stored = lost = 0.0
    for c in range(x.shape[0]):
        f, k, e, d = _component(p, 1 + NUMBERS * c, x[c])
        out[c, F], out[c, D], out[c, X + c], out[c, V + c] = f, d * v[c], k, d
        stored += e
        lost += d * v[c] * v[c]
    return stored, lost


@inner
def _cross_twice(q, a, one, two):
    """one a (3,), two: a + one q x a + two q x (q x a), as three numbers."""
    x, y, z = q[1] * a[2] - q[2] * a[1], q[2] * a[0] - q[0] * a[2], q[0] * a[1] - q[1] * a[0]
    return (
        a[0] + one * x + two * (q[1] * z - q[2] * y),
        a[1] + one * y + two * (q[2] * x - q[0] * z),
        a[2] + one * z + two * (q[0] * y - q[1] * x),
    )


@inner
def _printed(p, x, v, z, zdot, m, s, out):
    """The same forces component by component: along the angular velocity v, not along q', in axes of the first body."""
    stored, lost = _range(p, x, v, z, zdot, m, s, out)
    a2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2]
    if a2 < 1e-6:
        sine, cosine, c = 1.0 - a2 / 6.0, 0.5 - a2 / 24.0, 1.0 / 12.0 + a2 / 720.0
    else:
        a = math.sqrt(a2)
        sine, cosine = math.sin(a) / a, (1.0 - math.cos(a)) / a2
        c = (1.0 - 0.5 * a * math.cos(0.5 * a) / math.sin(0.5 * a)) / a2
    g = out[0:3, F]
    r0, r1, r2 = _cross_twice(x, v, -0.5, c)  # q'
    put_in = g[0] * r0 + g[1] * r1 + g[2] * r2
    if p[0] == 2.0:  # components in the axes of the second body, turned into those of the first
        g0, g1, g2 = _cross_twice(x, g, sine, cosine)
    else:
        g0, g1, g2 = g[0], g[1], g[2]
    put_in -= g0 * v[0] + g1 * v[1] + g2 * v[2]
    out[0, D] += g0
    out[1, D] += g1
    out[2, D] += g2
    g[0], g[1], g[2] = 0.0, 0.0, 0.0
    out[PUT_IN, F] = put_in
    return stored, lost


RANGE = Law("range of motion", _range, wide=True)  # mode, then NUMBERS of each component, then curves
PRINTED = Law("range of motion as printed", _printed, wide=True, active=True)  # the same


def law(element: RangeOfMotion, geometry: Geometry) -> Use:
    """All three components in a ball, the y component in a hinge, where all ways to write the moment are one."""
    ball = geometry == "turn"
    mode = ("potential", "printed", "printed_own").index(element.moment) if ball else 0
    chosen = (0, 1, 2) if ball else (HINGE,)
    at = 1 + NUMBERS * len(chosen)
    head: list[float] = [float(mode)]
    curves: list[float] = []
    for c in chosen:
        rows: Any = (element.curve_x, element.curve_y, element.curve_z)[c]
        made = pieces(rows, smooth=True) if rows else ()
        head += [
            element.rest[c], element.stiffness_inside[c], element.lower[c], element.upper[c],
            element.stiffness_beyond[c], element.damping_inside[c], element.damping_beyond[c], element.corner,
            at, at + len(made),
        ]  # fmt: skip
        at += len(made)
        curves += made
    return Use(RANGE if mode == 0 else PRINTED, (*head, *curves))


def component(element: RangeOfMotion, axis: int, angle: float) -> tuple[float, float]:
    """Moment against the rotation (N m) and stored energy (J) of one component (0, 1, 2) at an angle (rad)."""
    p = np.array(law(element, "turn").parameters)
    moment, _, energy, _ = _component(p, 1 + NUMBERS * axis, angle)
    return float(moment), float(energy)


TYPE = ElementType(
    RangeOfMotion, "range of motion", "joint", law, "force-stop", Mark("fan"), ANGLE, acts_in=("turn", "angle"),
    added={
        "lower": (-0.5, -0.5, -0.5), "upper": (0.5, 0.5, 0.5), "stiffness_inside": (1.0, 1.0, 1.0),
        "stiffness_beyond": (100.0, 100.0, 100.0), "damping_inside": (0.1, 0.1, 0.1),
        "damping_beyond": (1.0, 1.0, 1.0),
    },
)  # fmt: skip
