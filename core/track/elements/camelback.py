"""A hill of one g at the speed of the ride."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ...base.fields import described
from ..programs.channel import channel, constant
from ..programs.entry import Entry
from ..programs.forces import Forces, felt, lay_forces
from ..programs.leg import ElementLeg
from .base import ElementKind, EntrySpeed, Height, Sized, line_entry, losing_as
from .hills import Hill, PullUp, hill_for, over_the_hill, solved_hill, way_down


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
            hill_for,
            rank=1,
        ),
    ),
)
