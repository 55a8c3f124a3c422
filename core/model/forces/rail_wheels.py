"""Wheels with clearance around a rail: road, side and up-stop wheels, each pressing where its clearance is used up."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import Literal

from pydantic import model_validator

from ...base.fields import NonNegative, Positive, described
from ...base.frozen import Quat
from ...jit.decorators import inner
from ..laws import D, F, Law, V, X
from .base import ElementType, Geometry, Mark, Output, Use
from .ends import TwoPoints

ONSET = 1e-4  # m over which a wheel comes to its stiffness: its tread is no corner
LAG = 0.002  # s, of what pushes along the rail: its damping by its stiffness


class RailWheels(TwoPoints):
    """Wheels that hold the second body on a rail, which the first body follows with all its rotations (guide "full").

    Along the rail, to its left and up, in the axes of the first body at point_i with `orientation`: displacement of
    point_j from there, nothing as drawn. A road wheel presses up as soon as the second body comes down, an up-stop
    wheel down beyond `up_clearance`, side wheels beyond `side_clearance` on either side. Each presses with stiffness *
    depth, (1 + damping * rate of depth) times, and never pulls. Along the track the second body is pushed by a spring
    with damping (`drag`) in place of its axle; there is no moment.
    """

    kind: Literal["rail_wheels"] = "rail_wheels"
    orientation: Quat = described(
        (1.0, 0.0, 0.0, 0.0), "Orientation", "Of the rail's axes against the first body: yaw, pitch, roll.",
        unit="1",
    )  # fmt: skip
    road_stiffness: Positive = described(
        2.0e6, "Road wheel", "Stiffness of the tyre below the weight.", unit="N/m"
    )
    up_stiffness: Positive = described(1.0e6, "Up-stop wheel", "Stiffness of its tyre.", unit="N/m")
    up_clearance: NonNegative = described(
        0.002, "Clearance of the up-stop wheel", "To the rail, while the road wheel just touches.", unit="m", shown="mm"
    )  # fmt: skip
    side_stiffness: Positive = described(1.0e6, "Side wheels", "Stiffness of their tyres.", unit="N/m")
    side_clearance: NonNegative = described(
        0.002, "Clearance of side wheels", "On either side.", unit="m", shown="mm"
    )
    damping: NonNegative = described(
        1.5,
        "Damping",
        "Share of a wheel's load for each metre a second at which it is pressed in.",
        unit="s/m",
    )
    drag: Positive = described(
        5.0e6, "Along the rail", "Stiffness of what pushes the second body along.", unit="N/m"
    )

    @model_validator(mode="after")
    def _unit(self) -> RailWheels:
        if abs(sum(q * q for q in self.orientation) - 1.0) > 1e-6:
            raise ValueError(
                "orientation must be Euler parameters of unit length; [1, 0, 0, 0] means not rotated"
            )
        return self


@inner
def _pressed(stiffness, damping, depth, rate):
    """Elastic load of a wheel, that of its rate, slopes with depth and rate, what it stores and what it loses (W)."""
    if depth <= 0.0:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    if depth < ONSET:
        f, slope = 0.5 * stiffness * depth * depth / ONSET, stiffness * depth / ONSET
        stored = stiffness * depth**3 / (6.0 * ONSET)
    else:
        f, slope = stiffness * (depth - 0.5 * ONSET), stiffness
        rest = depth - ONSET
        stored = stiffness * (ONSET * ONSET / 6.0 + 0.5 * ONSET * rest + 0.5 * rest * rest)
    grip = 1.0 + damping * rate
    if grip <= 0.0:  # it never pulls, and gives back nothing of what it stores
        return f, -f, 0.0, 0.0, stored, -f * rate
    return f, f * damping * rate, slope * grip, f * damping, stored, f * damping * rate * rate


@inner
def _wheels(p, x, v, z, zdot, m, s, out):
    out[0, F], out[0, X], out[0, D], out[0, V] = p[0] * x[0], p[0], p[1] * v[0], p[1]
    stored, lost = 0.5 * p[0] * x[0] * x[0], p[1] * v[0] * v[0]
    for way in range(4):  # left, right, up, down
        axis, sign = 1 + way // 2, 1.0 - 2.0 * (way % 2)
        wheel = 2 + 3 * way
        depth = sign * x[axis] - p[wheel + 1]
        load, more, slope, damping, held, loss = _pressed(p[wheel], p[wheel + 2], depth, sign * v[axis])
        out[axis, F] += sign * load
        out[axis, D] += sign * more
        out[axis, X + axis] += slope
        out[axis, V + axis] += damping
        stored += held
        lost += loss
    return stored, lost


WHEELS = Law(
    "wheels", _wheels, wide=True
)  # along: stiffness, damping; of each wheel stiffness, clearance, damping


def law(element: RailWheels, geometry: Geometry) -> Use:
    """Along the rail, then side wheels on either side, the up-stop and the road wheel."""
    side = element.side_stiffness, element.side_clearance, element.damping
    up = element.up_stiffness, element.up_clearance, element.damping
    road = element.road_stiffness, 0.0, element.damping
    return Use(WHEELS, (element.drag, LAG * element.drag, *side, *side, *up, *road))


TYPE = ElementType(
    RailWheels, "wheels with clearance", "frames", law, "force-bushing", Mark("block"),
    (Output("displacement or rotation", "m or rad"), Output("force or moment", "N or N m")),
)  # fmt: skip
