"""The railway curve: tangent, spiral, circular curve, spiral, tangent."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from ...base.errors import InputError
from ...base.fields import described
from ...base.sentence import say
from ..programs.channel import channel
from ..programs.entry import Entry
from ..programs.program import UP, Program, seen_from
from .base import SIGN, Element, ElementKind, Radius, Ramp, Side, Sized, Smoothness, sided
from .turns import kept, leaning

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


def railway_curve(section: RailwayCurveSection, entry: Entry) -> Program:
    """Tangent, spiral, circular curve, spiral, tangent; the cant is that of the superelevation over the gauge.

    Raises InputError when the superelevation is more than the gauge.
    """
    if section.superelevation >= 0.9 * entry.gauge:
        raise InputError(
            say(
                "{where}: a superelevation of {superelevation:g m} is too much for a gauge of {gauge:g m}.",
                where=entry.where,
                superelevation=section.superelevation,
                gauge=entry.gauge,
            )
        )
    radius = section.curve_radius if section.curve_radius is not None else CHORD / (section.degree or 1.0)
    view = seen_from(entry, UP)
    sign = SIGN[section.direction]
    bend = sign * np.cos(view.latitude) / radius
    shape, ramp = section.smoothness, section.spiral
    off = ramp if section.spiral_out is None else section.spiral_out
    before, after, held = section.tangent_in, section.tangent_out, section.curve_length
    parts = [(before, 0.0, "linear"), (ramp, bend, shape), (held, bend, "linear"), (off, 0.0, shape)]
    turn = channel(0.0, [*parts, (after, 0.0, "linear")])
    lean = -sign * float(np.arcsin(section.superelevation / entry.gauge))
    if min(ramp, off) <= 0.0 and section.superelevation > 0.0:
        raise InputError(
            f"{entry.where}: the superelevation needs spirals to run in and out; give both a length."
        )
    run_in = leaning(shape)
    cant = [(before, view.bank, "linear"), (ramp, lean, run_in), (held, lean, "linear"), (off, 0.0, run_in)]
    bank = channel(view.bank, [*cant, (after, 0.0, "linear")])
    return Program(turn, kept(view.latitude, 0.0, 0.0, turn.end), bank, UP)


KIND = ElementKind(
    RailwayCurveSection,
    railway_curve,
    (
        Sized(
            "railway_curve",
            "Railway curve",
            "Curves",
            "Tangent, spiral, circular curve and spiral with superelevation.",
            called=sided("railway curve"),
            rank=6,
        ),
    ),
    kept=("superelevation",),
    over_size=("degree",),
)
