"""The railway curve: tangent, spiral, circular curve, spiral, tangent."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from ...base.fields import described
from .common import Element, Radius, Ramp, Side, Smoothness

CHORD = 30.48  # m, 100 ft: the arc of which the degree of curve is the angle


class RailwayCurveSection(Element):
    """Tangent, spiral, curve, spiral, tangent, with superelevation run in over the spirals.

    Give curve_radius or degree, the angle of the curve subtended by an arc of 100 ft (not by a chord), so that
    radius = 5729.58 ft / degrees, 582.12 m for 3 degrees. The superelevation is taken over the gauge of the track,
    which is the spacing of the rails centre to centre. The last spiral is as long as the first unless spiral_out says
    otherwise. Smoothness linear is the classical spiral; the superelevation then runs in by a
    cubic, because a straight ramp would make the roll rate jump.
    Source: Massa et al. 2012, section 11; degree of curve by arc: AREMA Manual for Railway Engineering, chapter 5.
    """

    kind: Literal["railway_curve"] = "railway_curve"
    direction: Side = "left"
    curve_radius: Radius | None = described(
        300.0,
        "Radius",
        "Of the circular curve. Give this or the degree of curve.",
        unit="m",
        empty="not used",
    )
    degree: Annotated[float, Field(gt=0.0, le=0.6)] | None = described(
        None,
        "Degree of curve",
        "Angle of the curve over an arc of 100 ft (30.48 m). Give this or the radius.",
        unit="rad",
        empty="not used",
    )
    curve_length: Ramp = described(100.0, "Length of the curve", "Of the circular part.", unit="m")
    spiral: Ramp = described(
        60.0, "Length of the first spiral", "Over which curvature and superelevation come.", unit="m"
    )
    spiral_out: Ramp | None = described(
        None, "Length of the last spiral", "Over which they go again.", unit="m", empty="as the first"
    )
    superelevation: Annotated[float, Field(ge=0.0, le=0.5)] = described(
        0.1,
        "Superelevation",
        "Height of the outer rail over the inner one, centre to centre of the rails.",
        unit="m",
    )
    tangent_in: Ramp = described(0.0, "Tangent before", "Straight track before the first spiral.", unit="m")
    tangent_out: Ramp = described(0.0, "Tangent behind", "Straight track behind the last spiral.", unit="m")
    smoothness: Smoothness = "cubic"

    @model_validator(mode="after")
    def _one_size(self) -> RailwayCurveSection:
        if (self.curve_radius is None) == (self.degree is None):
            raise ValueError("give either curve_radius or degree, not both and not neither")
        return self
