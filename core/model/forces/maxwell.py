"""Spring and dashpot in series between two points."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import Literal

from ...base.fields import NonNegative, Positive, described
from ...jit.decorators import inner
from ..laws import INTERNAL, ZD, F, Law, X, Z
from .base import LENGTH, ElementType, Geometry, Mark, Sizing, Use
from .ends import TwoPoints


class Maxwell(TwoPoints):
    """Maxwell element: a spring and a dashpot in series along the line of its two points, and a spring beside them.

    stiffness N/m of the spring in series, damping N s/m of its dashpot, parallel_stiffness N/m, free_length m. Held at
    an extension x it relaxes to parallel_stiffness * x with the time constant damping / stiffness. It starts relaxed.
    Its internal unknown is the extension z of the dashpot: damping dz/dt = stiffness (x - z).
    """

    kind: Literal["maxwell"] = "maxwell"
    stiffness: Positive = described(..., "Stiffness", "Of the spring in series with the dashpot.", unit="N/m")
    damping: Positive = described(..., "Damping", "Of the dashpot in series with the spring.", unit="N s/m")
    parallel_stiffness: NonNegative = described(
        0.0,
        "Parallel stiffness",
        "Of a spring beside the two, which carries what does not relax.",
        unit="N/m",
    )
    free_length: NonNegative = described(
        0.0, "Free length", "Length at which the relaxed element pulls with no force.", unit="m"
    )


@inner
def _maxwell(p, x, v, z, zdot, m, s, out):
    stretch = x[0] - z[0]
    out[0, F], out[0, X], out[0, Z] = p[0] * stretch + p[2] * x[0], p[0] + p[2], -p[0]
    out[INTERNAL, F] = p[1] * zdot[0] - p[0] * stretch
    out[INTERNAL, X], out[INTERNAL, Z], out[INTERNAL, ZD] = -p[0], p[0], p[1]
    return 0.5 * p[0] * stretch * stretch + 0.5 * p[2] * x[0] * x[0], p[1] * zdot[0] * zdot[0]


MAXWELL = Law("maxwell", _maxwell, wide=True, internal=1)  # stiffness, damping, parallel stiffness


def law(element: Maxwell, geometry: Geometry) -> Use:
    """One internal unknown, the extension of the dashpot."""
    parameters = (element.stiffness, element.damping, element.parallel_stiffness)
    return Use(MAXWELL, parameters, origin=element.free_length)


def _sized(by: Sizing) -> dict[str, float]:
    """The spring beside carries the weight; the one in series is as stiff."""
    stiffness = by.stiffness()
    return {
        "stiffness": stiffness, "parallel_stiffness": stiffness, "damping": by.damping(), "free_length": by.length
    }  # fmt: skip


TYPE = ElementType(
    Maxwell, "Maxwell element", "points", law, "force-damper", Mark("damper"), LENGTH, sized=_sized
)  # fmt: skip
