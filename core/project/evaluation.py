"""How a ride is judged: the restraint of the riders and the limit tables that count."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from core.base.frozen import Frozen

#: What holds the rider, as the limit curves tell restraints apart. "prone" also stands for a padded
#: over-the-shoulder restraint.
Restraint = Literal["base", "over_the_shoulder", "prone"]

Watched = tuple[Annotated[str, Field(min_length=1, max_length=400)], float]

#: Tables evaluated unless a project says otherwise.
STANDARDS = ("astm_f2291", "en13814_gb8408")


class EvaluationOptions(Frozen):
    """What the evaluation of acceleration histories needs to know about rider and rules.

    restraint: which curves apply where a table tells restraints apart. restraint_class 1 (none) to 5: class of the
    restraint built in, compared with the class the ride demands; None compares nothing. extended_negative_gz: the
    restraint allows the extended -Gz curve. headrest: the seat supports the head. patron_height (m): smallest rider
    admitted; tables say from which height they hold. standards: ids of the limit tables to evaluate, in order.
    f2291_edition: one of those that the limit table has (the 06a edition allows 10 % more in the combined-axis rule).
    standard_filter: "none" only for
    records that went through the ride filter already. neck: id of the dummy whose neck the loads are compared with
    (resources/limits/neck_nij.json). watch: pairs of a channel and a level in its unit; every crossing becomes an event
    of the run. ".x", ".y" or ".z" behind the name of a channel of vectors takes a component, without it counts their
    length.
    """

    restraint: Restraint = "base"
    restraint_class: Annotated[int, Field(ge=1, le=5)] | None = None
    extended_negative_gz: bool = False
    headrest: bool = True
    patron_height: Annotated[float, Field(gt=0.3, le=2.5)] | None = None
    standards: tuple[Annotated[str, Field(min_length=1, max_length=80)], ...] = STANDARDS
    f2291_edition: Annotated[str, Field(min_length=1, max_length=20)] = "25"
    standard_filter: Literal["5 Hz", "none"] = "5 Hz"
    neck: Literal["H3_50M", "H3_5F_in", "H3_5F_OOP", "H3_95M", "THOR_50M"] = "H3_50M"
    watch: Annotated[tuple[Watched, ...], Field(max_length=64)] = ()

    @model_validator(mode="after")
    def _each_standard_once(self) -> EvaluationOptions:
        if len(set(self.standards)) < len(self.standards):
            raise ValueError("standards: name each table once")
        return self
