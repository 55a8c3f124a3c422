"""What acts on the steel of a track besides its train, and how actions are combined: wind, ice, earthquake,
temperature, factors.

The figures stand in resources/library/actions with their source and confidence; a project may have its own.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ..base.bundled import figures, source_of
from ..base.fields import DIMENSIONLESS, NonNegative, described
from ..base.frozen import Frozen, Name

Factor = Annotated[float, Field(ge=0.0, le=10.0)]
ANY_HEIGHT = 1000.0  # m
TABLE = "actions/en13814"


class WindRow(Frozen):
    """Pressure of the wind up to a height above the ground."""

    height: Annotated[float, Field(gt=0.0)] = described(ANY_HEIGHT, "Up to", "Above the ground.", unit="m")
    pressure: NonNegative = described(500.0, "Pressure", "Of the gust.", unit="Pa")


class Combination(Frozen):
    """Factors by which actions are multiplied and added; 0 leaves one out."""

    name: Name = described("Combination", "Name", "What it is called.")
    limit: Literal["strength", "serviceability"] = described(
        "strength",
        "Judged by",
        "Strength and buckling, or deflection.",
        words={"strength": "Strength", "serviceability": "Deflection"},
    )
    weight: Factor = described(1.0, "Weight", "Of the steel and its fittings.", unit=DIMENSIONLESS)
    train: Factor = described(
        0.0, "Train", "Forces of its wheels, times the impact factor.", unit=DIMENSIONLESS
    )
    wind_in: Factor = described(0.0, "Wind in service", "With the train on the track.", unit=DIMENSIONLESS)
    wind_out: Factor = described(0.0, "Wind out of service", "Without a train.", unit=DIMENSIONLESS)
    ice: Factor = described(0.0, "Ice", "Its weight on all members.", unit=DIMENSIONLESS)
    earthquake: Factor = described(0.0, "Earthquake", "Along the ground, on every mass.", unit=DIMENSIONLESS)
    temperature: Factor = described(
        0.0, "Temperature", "Of all steel, warmer or colder than when it was built.", unit=DIMENSIONLESS
    )


def _rows(name: str) -> tuple[WindRow, ...]:
    return tuple(WindRow.model_validate(row) for row in figures(TABLE)[name])


class Actions(Frozen):
    """Actions besides the train, resistances, and combinations of a standard, with where they are from."""

    wind_in: Annotated[tuple[WindRow, ...], Field(min_length=1)] = described(
        _rows("wind_in"),
        "Wind in service",
        "By height; the last row counts above it.",
        entry="rows",
        row="pressure",
    )
    wind_out: Annotated[tuple[WindRow, ...], Field(min_length=1)] = described(
        _rows("wind_out"),
        "Wind out of service",
        "By height; the last row counts above it.",
        entry="rows",
        row="pressure",
    )
    drag: Annotated[float, Field(ge=0.0, le=5.0)] = described(
        1.2, "Force coefficient", "Of wind on a tube, by its diameter; none shields another.",
        unit=DIMENSIONLESS,
    )  # fmt: skip
    ice: Annotated[float, Field(ge=0.0, le=1.0)] = described(
        0.03, "Ice", "Thickness of the coat around every tube.", unit="m", shown="mm"
    )
    ice_density: Annotated[float, Field(gt=0.0, le=1000.0)] = described(
        700.0, "Density of ice", "Hard rime 600 to 900, glaze 900.", unit="kg/m^3"
    )
    earthquake: Annotated[float, Field(ge=0.0, le=10.0)] = described(
        0.0, "Earthquake",
        "Design acceleration along the ground in g, by EN 1998-1 the plateau a_g S 2.5 / q; 0 where none is asked for.",
        unit=DIMENSIONLESS,
    )  # fmt: skip
    temperature: Annotated[float, Field(ge=0.0, le=200.0)] = described(
        figures(TABLE)["temperature"], "Temperature",
        "How much warmer or colder all steel is than when it was built, often 30 K; 0 where it may give way.",
        unit="K",
    )  # fmt: skip
    thermal_expansion: Annotated[float, Field(ge=0.0, le=1e-4)] = described(
        1.2e-5, "Thermal expansion", "Of the steel.", unit="1/K"
    )
    impact: Annotated[float, Field(ge=1.0, le=5.0)] = described(
        1.2, "Impact factor", "Of the train's forces: joints of rails and what the ride leaves out.",
        unit=DIMENSIONLESS,
    )  # fmt: skip
    yield_strength: Annotated[float, Field(gt=1e6, le=5e9)] = described(
        3.55e8, "Yield strength", "Of the steel: S355.", unit="Pa", shown="MPa"
    )
    section_factor: Annotated[float, Field(ge=1.0, le=3.0)] = described(
        1.1, "Partial factor of sections", "Divides the yield strength.", unit=DIMENSIONLESS
    )
    buckling_factor: Annotated[float, Field(ge=1.0, le=3.0)] = described(
        1.1, "Partial factor of buckling", "Divides the buckling resistance.", unit=DIMENSIONLESS
    )
    imperfection: Annotated[float, Field(ge=0.0, le=1.0)] = described(
        0.49, "Imperfection", "Of EN 1993-1-1, table 6.1: 0.21 of tubes finished hot, 0.49 of those formed cold.",
        unit=DIMENSIONLESS,
    )  # fmt: skip
    buckling_length: Annotated[float, Field(gt=0.0, le=10.0)] = described(
        2.0, "Buckling length", "Of a column, by its length: 2 where nothing holds its head aside.",
        unit=DIMENSIONLESS,
    )  # fmt: skip
    deflection: Annotated[float, Field(gt=0.0, le=1.0)] = described(
        1.0 / 200.0, "Deflection", "Of the track at most, by its height above the ground or the spacing of supports.",
        unit=DIMENSIONLESS,
    )  # fmt: skip
    combinations: Annotated[tuple[Combination, ...], Field(min_length=1)] = described(
        tuple(Combination.model_validate(row) for row in figures(TABLE)["combinations"]),
        "Combinations", "Of actions, each judged by itself.", row="combination",
    )  # fmt: skip
    source: str = described(
        "", "Source", "Of the figures of the project; empty where they are those that come with the program.",
        entry="long_text", exclude_if="".__eq__,
    )  # fmt: skip
    confidence: Literal["low", "medium", "high"] = described(
        "low", "Confidence", "In these figures: high where they were compared with the standard that holds.",
        words={"low": "Low", "medium": "Medium", "high": "High"}, exclude_if="low".__eq__,
    )  # fmt: skip

    @property
    def about(self) -> str:
        """Where the figures are from and how sure they are, in sentences."""
        figures_alone = self.model_copy(update={"source": "", "confidence": "low"})
        if figures_alone == Actions() and not self.source:
            return source_of(TABLE)
        whose = (
            self.source.strip().rstrip(".")
            or f"Figures of the project, which differ from: {source_of(TABLE)}"
        )
        return f"{whose.rstrip('.')}. Confidence: {self.confidence}."
