"""The steel of a track and its supports as rules: which spine by span and curvature, which columns by height, what
they stand on. Kept with the project; the structure itself is made of them (`core/steelwork`)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ..base.fields import DIMENSIONLESS, described
from ..base.frozen import Frozen
from .actions import Actions
from .finished_frame import FinishedFrame

Length = Annotated[float, Field(gt=0.0, le=100.0)]
Wall = Annotated[float, Field(gt=0.0, le=1.0)]
ANY = 1e6  # m, or 1/m: a rule for all there are


BRACED = {"kind": ("ladder", "triangle", "box")}


class SpineRule(Frozen):
    """Sections of the track where the span between supports and the curvature are at most so large: a single tube below
    the rails, the rails alone with their ties, or a lattice of them with one or two chords below."""

    span: Annotated[float, Field(gt=0.0)] = described(ANY, "Up to a span of", "Between supports.", unit="m")
    curvature: Annotated[float, Field(ge=0.0)] = described(
        ANY, "Up to a curvature of", "Of the centreline, on the average between the supports.", unit="1/m"
    )
    kind: Literal["spine", "ladder", "triangle", "box"] = described(
        "spine",
        "Kind",
        "What carries the rails.",
        words={
            "spine": "Single spine",
            "ladder": "Ladder",
            "triangle": "Three-chord lattice",
            "box": "Box lattice",
        },
        exclude_if="spine".__eq__,
    )
    diameter: Length = described(
        0.406,
        "Diameter",
        "Outer one of the spine or of a chord below; a ladder has none.",
        unit="m",
        shown="mm",
    )
    wall: Wall = described(0.016, "Wall", "Of the spine or of a chord below.", unit="m", shown="mm")
    brace_diameter: Length = described(
        0.0889, "Brace diameter", "Outer one of ties and diagonals.", unit="m", shown="mm", when=BRACED,
        exclude_if=(0.0889).__eq__,
    )  # fmt: skip
    brace_wall: Wall = described(
        0.008,
        "Brace wall",
        "Of ties and diagonals.",
        unit="m",
        shown="mm",
        when=BRACED,
        exclude_if=(0.008).__eq__,
    )
    panel: Annotated[float, Field(ge=0.1, le=10.0)] = described(
        0.9, "Panel", "From one tie to the next, with a diagonal each in the walls of a lattice.", unit="m",
        exclude_if=(0.9).__eq__,
    )  # fmt: skip


class ColumnRule(Frozen):
    """Section of the legs of supports that are at most so long."""

    height: Annotated[float, Field(gt=0.0)] = described(ANY, "Up to a length of", "Of the leg.", unit="m")
    diameter: Length = described(0.508, "Diameter", "Outer one.", unit="m", shown="mm")
    wall: Wall = described(0.0125, "Wall", "Of the leg.", unit="m", shown="mm")


#: Circular hollow sections of EN 10219-2 that rides of this size are built of; which for which span is chosen.
SPINES = (
    SpineRule(span=12.0, curvature=0.05, diameter=0.3556, wall=0.0125),
    SpineRule(span=16.0, curvature=0.12, diameter=0.4064, wall=0.016),
    SpineRule(diameter=0.508, wall=0.02),
)
COLUMNS = (
    ColumnRule(height=8.0, diameter=0.3239, wall=0.01),
    ColumnRule(height=16.0, diameter=0.4064, wall=0.0125),
    ColumnRule(height=26.0, diameter=0.508, wall=0.016),
    ColumnRule(diameter=0.7112, wall=0.02),
)


class Steelwork(Frozen):
    """Spine, rails, columns, footings, material and what acts on them besides the train.

    A rule counts where its bounds hold, the first that does; the last one everywhere.
    """

    spacing: Annotated[float, Field(ge=2.0, le=100.0)] = described(
        11.0, "Spacing", "Of the supports, along the track.", unit="m"
    )
    bay: Annotated[float, Field(ge=0.2, le=20.0)] = described(
        2.0, "Bay", "Longest beam of the spine: the finer, the nearer to the curve.", unit="m"
    )
    spines: Annotated[tuple[SpineRule, ...], Field(min_length=1)] = described(
        SPINES,
        "Spine",
        "The first row whose bounds hold counts, the last one everywhere; 1000000 means any.",
        row="section",
    )
    rail_diameter: Length = described(0.14, "Rail diameter", "Outer one.", unit="m", shown="mm")
    rail_wall: Wall = described(0.0125, "Rail wall", "Of both rails.", unit="m", shown="mm")
    depth: Annotated[float, Field(gt=0.0, le=5.0)] = described(
        0.45, "Depth", "From the plane of the rails' centres down to the centre of the spine.", unit="m"
    )
    fittings: Annotated[float, Field(ge=0.0, le=5000.0)] = described(
        45.0, "Fittings", "Ties, flanges, catwalks and cables: mass that carries nothing.", unit="kg/m"
    )
    expansion: Annotated[float, Field(ge=0.0, le=10000.0)] = described(
        0.0, "Expansion joints every", "Where spine and rails slide along, and bend on; 0: none.", unit="m",
        exclude_if=(0.0).__eq__,
    )  # fmt: skip
    columns: Annotated[tuple[ColumnRule, ...], Field(min_length=1)] = described(
        COLUMNS,
        "Columns",
        "The first row that is long enough counts, the last one everywhere; 1000000 means any.",
        entry="rows",
        row="section",
    )
    E: Annotated[float, Field(gt=1e6, le=1e13)] = described(
        2.1e11, "Young's modulus", "Of the steel.", unit="Pa", shown="GPa"
    )
    poisson: Annotated[float, Field(gt=-1.0, lt=0.5)] = described(
        0.3, "Poisson's ratio", "Of the steel.", unit=DIMENSIONLESS
    )
    density: Annotated[float, Field(gt=0.0, le=1e5)] = described(
        7850.0, "Density", "Of the steel.", unit="kg/m^3"
    )
    damping: Annotated[float, Field(ge=0.0, lt=1.0)] = described(
        0.01, "Damping", "Of critical, of the lowest mode and of one ten times as fast.", unit=DIMENSIONLESS
    )
    soil: Annotated[float, Field(gt=0.0, le=1e12)] = described(
        6.0e7, "Shear modulus of the soil",
        "Loose sand 20 to 40, dense sand and stiff clay 40 to 100, gravel 80 to 200 MPa.", unit="Pa", shown="MPa",
    )  # fmt: skip
    soil_poisson: Annotated[float, Field(ge=0.0, lt=0.5)] = described(
        0.3, "Poisson's ratio of the soil", "Near 0.5 where it is full of water.", unit=DIMENSIONLESS
    )
    footing: Annotated[float, Field(gt=0.0, le=20.0)] = described(
        1.1, "Footing", "Radius of the circle with the area of a footing.", unit="m"
    )

    spine_detail: Annotated[float, Field(gt=1e6, le=1e9)] = described(
        7.1e7, "Detail of the spine", "Category of EN 1993-1-9: range of stress that its welds stand 2 million times.",
        unit="Pa", shown="MPa",
    )  # fmt: skip
    tie_detail: Annotated[float, Field(gt=1e6, le=1e9)] = described(
        6.3e7, "Detail of ties on rails", "The same of a rail where a tie is welded on: EN 1993-1-9, table 8.4, up to"
        " 100 mm along the rail.", unit="Pa", shown="MPa", exclude_if=(6.3e7).__eq__,
    )  # fmt: skip
    column_detail: Annotated[float, Field(gt=1e6, le=1e9)] = described(
        4.5e7,
        "Detail of the columns",
        "The same of their heads and feet, and of the ends of braces.",
        unit="Pa",
        shown="MPa",
    )
    partial: Annotated[float, Field(ge=1.0, le=3.0)] = described(
        1.35,
        "Partial factor",
        "Of fatigue strength: 1.0 to 1.35 by EN 1993-1-9, table 3.1.",
        unit=DIMENSIONLESS,
    )
    rides: Annotated[float, Field(gt=0.0, le=1e10)] = described(
        2.0e6, "Rides", "Of the train on the track, in its life.", unit=DIMENSIONLESS
    )

    actions: Actions = described(
        Actions(),
        "Actions",
        "Wind, ice, earthquake and temperature, and how actions are combined.",
        entry="group",
        exclude_if=Actions().__eq__,
    )

    finished: FinishedFrame | None = described(
        None, "Finished frame", "Of another program, in place of the one that these rules make, or beside it.",
        entry="hidden", exclude_if=lambda value: value is None,
    )  # fmt: skip

    frame: Literal["finished", "rules"] = described(
        "finished", "Frame", "Which one is used where there is a finished one beside that of the rules.",
        entry="hidden", words={"finished": "Finished", "rules": "By rules"}, exclude_if="finished".__eq__,
    )  # fmt: skip

    @property
    def in_place(self) -> FinishedFrame | None:
        """The finished frame, where it is the one that is used."""
        return self.finished if self.frame == "finished" else None

    def spine_of(self, span: float, curvature: float) -> SpineRule:
        """The rule for a span (m) and curvature (1/m)."""
        fits = (rule for rule in self.spines if span <= rule.span and curvature <= rule.curvature)
        return next(fits, self.spines[-1])

    def column_of(self, length: float) -> ColumnRule:
        """The rule for a leg of a length (m)."""
        return next((rule for rule in self.columns if length <= rule.height), self.columns[-1])

    def ground(self) -> tuple[float, float, float, float, float, float]:
        """Stiffness of a footing along and about x, y, z (N/m, N m/rad): of a rigid disc on an elastic half-space
        (Richart, Hall & Woods 1970, tables 10-2 and 10-4)."""
        G, nu, r = self.soil, self.soil_poisson, self.footing
        level, upright = 32.0 * (1.0 - nu) * G * r / (7.0 - 8.0 * nu), 4.0 * G * r / (1.0 - nu)
        rocking, twisting = 8.0 * G * r**3 / (3.0 * (1.0 - nu)), 16.0 / 3.0 * G * r**3
        return (level, level, upright, rocking, rocking, twisting)
