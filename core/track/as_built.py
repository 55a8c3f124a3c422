"""Rails as built: a description of how far each lies beside and above where it was drawn."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field, model_validator

from ..base.fields import DIMENSIONLESS, described
from ..base.frozen import Frozen

Away = Annotated[float, Field(ge=-1.0, le=1.0)]
Row = tuple[Annotated[float, Field(ge=0.0)], Away, Away, Away, Away]


class RailsAsBuilt(Frozen):
    """How the rails deviate from the drawing. Without any of it they are as drawn."""

    quality: Literal["drawn", "fine", "usual", "rough"] = described(
        "drawn",
        "Rails",
        "Class of the random deviations of the rails, with spectra of railways: of coasters none are published.",
        words={"drawn": "As drawn", "fine": "Fine", "usual": "Usual", "rough": "Rough"},
    )
    scale: Annotated[float, Field(ge=0.0, le=100.0)] = described(
        1.0,
        "Scale",
        "Of the class: 2 makes every deviation twice as large.",
        unit=DIMENSIONLESS,
        when={"quality": ("fine", "usual", "rough")},
    )
    shortest: Annotated[float, Field(ge=0.05, le=100.0)] = described(
        1.0,
        "Shortest wave",
        "Of the random deviations.",
        unit="m",
        when={"quality": ("fine", "usual", "rough")},
    )
    longest: Annotated[float, Field(ge=0.1, le=1000.0)] = described(
        15.0,
        "Longest wave",
        "Of the random deviations.",
        unit="m",
        when={"quality": ("fine", "usual", "rough")},
    )
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)] = described(
        1, "Seed", "Another number, another track of the same class.", unit=DIMENSIONLESS
    )
    joint_spacing: Annotated[float, Field(ge=0.0, le=1000.0)] = described(
        0.0, "Joints every", "0: none.", unit="m"
    )
    joint_dip: Annotated[float, Field(ge=0.0, le=0.1)] = described(
        0.001, "Dip of joints", "Standard deviation of how far rails are bent down or up, and aside, at a joint.",
        unit="m", shown="mm",
    )  # fmt: skip
    joint_reach: Annotated[float, Field(ge=0.05, le=10.0)] = described(
        0.3, "Reach of joints", "On either side of it.", unit="m"
    )
    survey: tuple[Row, ...] = described(
        (), "Survey", "Station (m), left rail to the left and up, right rail to the left and up (m).",
        entry="hidden",
        columns=(
            ("Station", "m"), ("Left rail, left", "m"), ("Left rail, up", "m"), ("Right rail, left", "m"),
            ("Right rail, up", "m"),
        ),
    )  # fmt: skip
    cutoff: Annotated[float, Field(ge=0.1, le=1000.0)] = described(
        1.0, "Cut-off", "Waves of the survey that are shorter are smoothed away.", unit="m"
    )

    @model_validator(mode="after")
    def _can_be(self) -> RailsAsBuilt:
        if self.longest <= self.shortest:
            raise ValueError("the longest wave must be longer than the shortest")
        stations = [row[0] for row in self.survey]
        if any(b <= a for a, b in pairwise(stations)):
            raise ValueError("the stations of the survey must increase from row to row")
        return self
