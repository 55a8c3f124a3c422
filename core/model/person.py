"""Who a generated rider is: what was asked for, kept beside the bodies made from it (see `core.human`)."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field, model_validator

from ..base.fields import described
from ..base.frozen import Frozen, Vec3

Percentile = Literal["", "5", "50", "95"]
Tone = Literal["limp", "normal", "braced"]
_PERCENTILES: Final = {
    "": "As given",
    "5": "5th percentile",
    "50": "50th percentile",
    "95": "95th percentile",
}
_TONES: Final = {"limp": "Limp (no muscle)", "normal": "Normal", "braced": "Braced"}


def _percentile(of: str) -> Percentile:
    made: Percentile = described(
        "", f"{of}, percentile", "Looked up when no value is given; mass and stature are chosen apart.",
        words=_PERCENTILES,
    )  # fmt: skip
    return made


def _tone(of: str) -> Tone:
    made: Tone = described(
        "limp", f"Muscles of the {of}", "Hold the drawn posture; a labelled addition, off when limp.",
        words=_TONES, group="Posture muscles",
    )  # fmt: skip
    return made


class Person(Frozen):
    """What was asked of a generated rider. Empty sizes are looked up: by percentile, for children by age."""

    sex: Literal["female", "male"] = described(
        "male", "Sex", "Whose tables are used.", words={"female": "Female", "male": "Male"}
    )
    age: Annotated[float, Field(ge=2.0, le=18.0)] | None = described(
        None, "Age of a child", "In years; empty for an adult.", unit="1", empty="adult"
    )
    stature: Annotated[float, Field(gt=0.3, lt=2.6)] | None = described(
        None, "Stature", "Standing height.", unit="m", empty="by percentile"
    )
    stature_percentile: Percentile = _percentile("Stature")
    mass: Annotated[float, Field(gt=2.0, lt=400.0)] | None = described(
        None, "Mass", "Mass of the whole body.", unit="kg", empty="by percentile"
    )
    mass_percentile: Percentile = _percentile("Mass")
    population: Literal["public", "soldiers"] = described(
        "public", "Population", "Whose percentiles: the public (NHANES 2009 to 2012) or soldiers (ANSUR II, 2012).",
        words={"public": "Public, 20 years and more", "soldiers": "Soldiers"},
    )  # fmt: skip
    scaling: Literal["regression", "regression_raw", "de_leva", "fractions", "child"] = described(
        "regression",
        "Scaling",
        "How segments follow from stature and mass.",
        words={
            "regression": "Regression, scaled to the mass",
            "regression_raw": "Regression as printed",
            "de_leva": "de Leva 1996",
            "fractions": "Fractions of stature and mass",
            "child": "Child proportions",
        },
    )
    girths: Literal["mass", "stature"] = described(
        "mass", "Girths", "From mass and density, or from stature alone, so that thin and stout look alike.",
        words={"mass": "From mass and density", "stature": "From stature alone"},
    )  # fmt: skip
    inertia: Literal["ellipsoid", "gyration"] = described(
        "ellipsoid", "Moments of inertia", "Of homogeneous ellipsoids, or by de Leva's radii of gyration.",
        words={"ellipsoid": "Ellipsoids", "gyration": "Radii of gyration"},
    )  # fmt: skip
    posture: Literal["seated", "standing"] = described(
        "seated", "Posture", "Seated on a seat, or standing with the feet on the seat's origin.",
        words={"seated": "Seated", "standing": "Standing"},
    )  # fmt: skip
    pose: tuple[tuple[str, Vec3], ...] = described(
        (), "Pose", "Joints turned otherwise than the posture does: rotation vectors, child against parent.",
        unit="rad", entry="hidden",
    )  # fmt: skip
    hinges: bool = described(False, "Elbows and knees as hinges", "Otherwise all sixteen joints are balls.")
    limits: bool = described(True, "Joints that end", "Ranges of motion with torques inside and beyond.")
    held: bool = described(
        True, "Pelvis fixed to the seat", "Otherwise nothing but contact holds the rider on the seat."
    )
    neck: Tone = _tone("neck")
    trunk: Tone = _tone("trunk")
    legs: Tone = _tone("legs")
    arms: Tone = _tone("arms")

    @model_validator(mode="after")
    def _one_source(self) -> Person:
        for field in ("stature", "mass"):
            if getattr(self, field) is not None and getattr(self, f"{field}_percentile"):
                raise ValueError(f"{field} is given both as a value and as a percentile; keep one of them")
        return self
