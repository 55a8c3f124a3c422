"""Elastic bushing between two frames of bodies."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic import field_validator, model_validator

from ...base.fields import AXES, described
from ...base.frozen import Quat, Vec3
from ...jit.decorators import inner
from ..laws import D, F, Law, V, X
from .base import ElementType, Geometry, Mark, Output, Sizing, Use
from .ends import TwoPoints

Six = tuple[float, float, float, float, float, float]
Matrix = tuple[Six, Six, Six, Six, Six, Six]
NONE: Matrix = ((0.0,) * 6,) * 6
ROUNDING = 1e-9
GIVES = 0.002  # m under the weight, by which a new bushing is sized: chosen


def _semidefinite(value: Matrix) -> Matrix:
    a = np.array(value)
    size = float(np.abs(a).max())
    if np.abs(a - a.T).max() > ROUNDING * size:
        raise ValueError("must be symmetric: the entry in row k, column l is that in row l, column k")
    if np.linalg.eigvalsh(a).min() < -ROUNDING * size:
        raise ValueError("would give energy away: all its eigenvalues must be 0 or more")
    return value


class Bushing(TwoPoints):
    """Six-component bushing: a frame on each body, and full symmetric matrices of stiffness and damping between them.

    The frame on the first body lies at point_i with `orientation` (Euler parameters against the body); that on the
    second at point_j, parallel to it as drawn. Displacement (m) and rotation vector (rad) of the second frame against
    the first, in the axes of the first, make the six coordinates: load = preload + stiffness x + damping v, in N, N m
    and their units per m, rad, m/s, rad/s. The rotation vector's elastic load is the gradient of its energy, so that no
    closed way gains or loses energy however large the rotation (below pi).
    """

    kind: Literal["bushing"] = "bushing"
    orientation: Quat = described(
        (1.0, 0.0, 0.0, 0.0), "Orientation", "Of the bushing's axes against the first body: yaw, pitch, roll.",
        unit="1",
    )  # fmt: skip
    stiffness: Matrix = described(
        NONE, "Stiffness", "Six by six, symmetric: three displacements, then three rotations.",
        unit="N/m, N/rad, N m/m, N m/rad", entry="symmetric", axes=("x", "y", "z", "rx", "ry", "rz"),
    )  # fmt: skip
    damping: Matrix = described(
        NONE, "Damping", "Six by six, symmetric, for the rates of the same coordinates.",
        unit="N s/m, N s/rad, N m s/m, N m s/rad", entry="symmetric", axes=("x", "y", "z", "rx", "ry", "rz"),
    )  # fmt: skip
    preload: tuple[Vec3, Vec3] = described(
        ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)), "Preload", "Force and moment where both frames coincide.",
        unit="N, N m", axes=AXES,
    )  # fmt: skip

    _definite = field_validator("stiffness", "damping")(_semidefinite)

    @model_validator(mode="after")
    def _unit(self) -> Bushing:
        if abs(float(np.linalg.norm(self.orientation)) - 1.0) > 1e-6:
            raise ValueError(
                "orientation must be Euler parameters of unit length; [1, 0, 0, 0] means not rotated"
            )
        return self


@inner
def _six(p, x, v, z, zdot, m, s, out):
    stored = lost = 0.0
    for k in range(6):
        load = rate_load = 0.0
        for c in range(6):
            stiffness, damping = p[6 * k + c], p[36 + 6 * k + c]
            load += stiffness * x[c]
            rate_load += damping * v[c]
            out[k, X + c], out[k, V + c] = stiffness, damping
        out[k, F], out[k, D] = p[72 + k] + load, rate_load
        stored += (p[72 + k] + 0.5 * load) * x[k]
        lost += rate_load * v[k]
    return stored, lost


SIX = Law("six by six", _six, wide=True)  # stiffness by rows, damping by rows, preload


def law(element: Bushing, geometry: Geometry) -> Use:
    """Full matrices between two frames."""
    rows = [*element.stiffness, *element.damping, *element.preload]
    return Use(SIX, tuple(value for row in rows for value in row))


def _sized(by: Sizing) -> dict[str, Matrix]:
    """It gives 2 mm under the weight along every axis, and turns as fast as it swings."""
    rows = {
        name: [get(GIVES)] * 3 + [get(GIVES, turning=True)] * 3
        for name, get in (("stiffness", by.stiffness), ("damping", by.damping))
    }
    return {name: _diagonal(row) for name, row in rows.items()}


def _diagonal(row: list[float]) -> Matrix:
    a, b, c, d, e, f = (_six_with(k, value) for k, value in enumerate(row))
    return a, b, c, d, e, f


def _six_with(place: int, value: float) -> Six:
    a, b, c, d, e, f = (value * (k == place) for k in range(6))
    return a, b, c, d, e, f


TYPE = ElementType(
    Bushing, "bushing", "frames", law, "force-bushing", Mark("block"),
    (Output("displacement or rotation", "m or rad"), Output("force or moment", "N or N m")),
    sized=_sized,
)  # fmt: skip
