"""How a ride is judged: the restraint of the riders and the limit tables that count."""

from __future__ import annotations

import operator
from typing import Annotated, Literal

from pydantic import Field, model_validator

from .fields import described
from .frozen import Spoken

#: What holds the rider, as the limit curves tell restraints apart. "prone" also stands for a padded
#: over-the-shoulder restraint.
Restraint = Literal["base", "over_the_shoulder", "prone"]

Watched = tuple[Annotated[str, Field(min_length=1, max_length=400)], float]

#: Tables evaluated unless a project says otherwise.
STANDARDS = ("astm_f2291", "en13814_gb8408")


class EvaluationOptions(Spoken):
    """What the evaluation of acceleration histories needs to know about rider and rules.

    Dummies are those of resources/limits/neck_nij.json. A watched channel of vectors counts by its length, or by the
    component that ".x", ".y" or ".z" behind its name takes; every crossing of its level becomes an event of the run.
    """

    restraint: Restraint = described(
        "base",
        "Restraint",
        "Which limit curves apply where a table tells restraints apart.",
        words={
            "base": "Base case (lap bar, belt)",
            "over_the_shoulder": "Over the shoulder",
            "prone": "Prone, or padded over the shoulder",
        },
    )
    restraint_class: Annotated[int, Field(ge=1, le=5)] | None = described(
        None,
        "Class of restraint",
        "Class built in, 1 (none) to 5, compared with the class the ride demands; a whole number.",
        unit="1",
        empty="not compared",
    )
    extended_negative_gz: bool = described(
        False, "Extended -Gz restraint", "The restraint allows the extended limits of -Gz."
    )
    headrest: bool = described(
        True, "Headrest", "The seat supports the head; without it +Gx has lower limits."
    )
    patron_height: Annotated[float, Field(gt=0.3, le=2.5)] | None = described(
        None,
        "Minimum rider height",
        "Height of the smallest rider admitted; tables say from which height they hold.",
        unit="m",
        empty="not given",
    )
    largest_height: Annotated[float, Field(gt=0.3, le=2.5)] | None = described(
        None,
        "Maximum rider height",
        "Height of the tallest rider admitted; who may ride is looked at up to it.",
        unit="m",
        empty="not given",
        exclude_if=operator.not_,
    )
    largest_mass: Annotated[float, Field(gt=5.0, le=400.0)] | None = described(
        None,
        "Maximum rider mass",
        "Mass of the heaviest rider admitted; who may ride, and how far the heaviest reach, is looked at with it.",
        unit="kg",
        empty="136 kg",
        exclude_if=operator.not_,
    )
    standards: tuple[Annotated[str, Field(min_length=1, max_length=80)], ...] = described(
        STANDARDS, "Standards", "Ids of the limit tables to evaluate, in order."
    )
    f2291_edition: Annotated[str, Field(min_length=1, max_length=20)] = described(
        "25",
        "F2291 edition",
        "One of those that the limit table has; the 06a edition allows 10 % more where two axes are combined.",
        entry="choice",
        words={"25": "23b and 25", "06a": "06a", "26": "26 (by the numbers of 25)"},
    )
    standard_filter: Literal["5 Hz", "none"] = described(
        "5 Hz",
        "Filter for standards",
        "Leave it on; without it only for records that went through the ride filter already.",
        words={"5 Hz": "5 Hz (F2137)", "none": "None"},
    )
    neck: Literal["H3_50M", "H3_5F_in", "H3_5F_OOP", "H3_95M", "THOR_50M"] = described(
        "H3_50M",
        "Neck compared with",
        "The dummy whose neck the loads are compared with.",
        words={
            "H3_50M": "Hybrid III, average man",
            "H3_5F_in": "Hybrid III, small woman",
            "H3_5F_OOP": "Hybrid III, small woman out of position",
            "H3_95M": "Hybrid III, large man",
            "THOR_50M": "THOR, average man",
        },
    )
    watch: Annotated[tuple[Watched, ...], Field(max_length=64)] = described(
        (), "Watched channels", "Pairs of a channel and a level in its unit.", unit="of the channel"
    )

    @model_validator(mode="after")
    def _each_standard_once(self) -> EvaluationOptions:
        if len(set(self.standards)) < len(self.standards):
            raise ValueError("standards: name each table once")
        return self

    @model_validator(mode="after")
    def _smallest_below_tallest(self) -> EvaluationOptions:
        low, high = self.patron_height, self.largest_height
        if low is not None and high is not None and low > high:
            raise ValueError(f"largest_height ({high:g} m) must not lie below patron_height ({low:g} m)")
        return self
