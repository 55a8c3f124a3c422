"""The railway curve: tangent, spiral, circular curve, spiral, tangent."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from core.track.elements.common import Element, Radius, Ramp, Side, Smoothness

CHORD = 30.48  # m, 100 ft: the arc of which the degree of curve is the angle


class RailwayCurveSection(Element):
    """Tangent, spiral, curve, spiral, tangent, with superelevation run in over the spirals.

    Give curve_radius (m) or degree (rad): angle of the curve subtended by an arc of 100 ft, so that
    radius = 5729.58 ft / degrees. curve_length (m): of the circular part. spiral (m): length of each spiral.
    superelevation (m): height of the outer rail over the inner one, centre to centre of the rails. tangent_in,
    tangent_out (m): straight pieces before and after. smoothness linear is the classical spiral; the
    superelevation then runs in by a cubic, because a straight ramp would make the roll rate jump.
    Source: Massa et al. 2012, section 11; degree of curve by arc: AREMA Manual for Railway Engineering, chapter 5.
    """

    kind: Literal["railway_curve"] = "railway_curve"
    direction: Side = "left"
    curve_radius: Radius | None = 300.0
    degree: Annotated[float, Field(gt=0.0, le=0.6)] | None = None
    curve_length: Ramp = 100.0
    spiral: Ramp = 60.0
    superelevation: Annotated[float, Field(ge=0.0, le=0.5)] = 0.1
    tangent_in: Ramp = 0.0
    tangent_out: Ramp = 0.0
    smoothness: Smoothness = "cubic"

    @model_validator(mode="after")
    def _one_size(self) -> RailwayCurveSection:
        if (self.curve_radius is None) == (self.degree is None):
            raise ValueError("give either curve_radius or degree, not both and not neither")
        return self
