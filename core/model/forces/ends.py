"""Fields that types of force elements share: what they act on."""

from __future__ import annotations

from ...base.fields import AXES, described
from ...base.frozen import Vec3
from .base import ForceElement


class TwoPoints(ForceElement):
    """An element along the line of two points of bodies, each in the axes of its body (m)."""

    body_i: str = described(..., "First body", "Where one end is fixed.", refers_to="body")
    point_i: Vec3 = described(
        (0.0, 0.0, 0.0), "End on the first body", "In the axes of the first body, from its centre of mass.",
        unit="m", axes=AXES,
    )  # fmt: skip
    body_j: str = described(..., "Second body", "Where the other end is fixed.", refers_to="body")
    point_j: Vec3 = described(
        (0.0, 0.0, 0.0), "End on the second body", "In the axes of the second body, from its centre of mass.",
        unit="m", axes=AXES,
    )  # fmt: skip


class OnBody(ForceElement):
    """An element that acts on one body."""

    body: str = described(..., "Body", "The body it acts on.", refers_to="body")
