"""A hill of one g at the speed of the ride."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import Field

from ...base.fields import described
from ..programs.channel import channel, constant
from ..programs.entry import Entry
from ..programs.forces import Forces, felt, lay_forces
from ..programs.leg import ElementLeg
from .base import GRAVITY, ElementKind, EntrySpeed, Height, Sized, line_entry, losing_as
from .hills import Hill, PullUp, hill_for, over_the_hill, solved_hill, way_down

# 1/m^2, from the valley to the crest: what changes the curvature by EASED within 1 m
GENTLE: Final = 0.028


class CamelbackSection(Hill):
    """A hill on which the riders feel one g-value `gz` from transition to transition at the design speed.

    The hill ends at the pitch it began with, turned down. The g's hold along the line of the riders; without friction
    and drag no losses are counted.
    """

    kind: Literal["camelback"] = "camelback"
    entry_speed: EntrySpeed = 22.0
    height: Height = described(12.0, "Height", "From the entry to the top.", unit="m")
    gz: Annotated[float, Field(ge=-2.0, le=0.9)] = described(
        0.0, "Normal g on the hill", "What the riders feel on the hill; 0 is weightless.", unit="g"
    )
    pull_up: PullUp = 3.0
    transition: Annotated[float, Field(ge=1.0, le=100.0)] = described(
        8.0, "Length of each change of g", "From the pull-up to the hill and back.", unit="m"
    )


def camelback(section: CamelbackSection, entry: Entry) -> ElementLeg:
    """Hill of one g, symmetric about its top but for what losses take, in the plane of tangent and up of the track."""
    line = line_entry(section, entry)
    holds = solved_hill(section, line, section.gz, True)
    down = way_down(section, line, section.gz, holds, True)
    normal = channel(
        felt(line, section.entry_speed)[0], over_the_hill(section, line, section.gz, holds, down)
    )
    still = constant(0.0, normal.end)
    forces = losing_as(Forces(normal, still, still, section.entry_speed, lateral_free=True), section)
    return lay_forces(forces, line, section.line_height)


def _camelback(v: float) -> dict[str, Any]:
    """A slow ride feels less in the valleys and more on the hill, so that the curvature changes gently."""
    fields = hill_for(v)
    change = fields["transition"] = max(fields["transition"], 4.0)
    crest = v * v - 2.0 * GRAVITY * fields["height"]
    bends = GENTLE * change / GRAVITY  # s^2/m^2, over both
    pull = round(min(3.0, 1.0 + 0.42 * bends * v * v), 2)
    return {**fields, "pull_up": pull, "gz": round(max(0.0, 1.0 - 0.58 * bends * crest), 2)}


KIND = ElementKind(
    CamelbackSection,
    camelback,
    (
        Sized(
            "camelback",
            "Camelback",
            "Hills",
            "A hill of one g at the speed of the ride.",
            {},
            _camelback,
            rank=1,
            slowest=6.0,
        ),
    ),
)
