"""Stature and mass of a person: as given, by percentile of a population, by a child's age or stature, or of a dummy."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Final

import numpy as np
from pydantic import ValidationError

from ..base.errors import InputError
from ..base.sentence import say
from ..base.wording import worded
from ..model.person import Person
from .tables import Sourced, row, rows

#: Statures of adults (m) and masses (kg) the regression is used for: chosen, about the range of its 100 young men
#: (mean 1.74 m, 73 kg) widened until the smallest segment still has the proportions of a body.
REGRESSION_STATURE: Final = (1.45, 2.05)
REGRESSION_MASS: Final = (40.0, 140.0)
CHILD_AGE: Final = (2.0, 18.0)
CHILD_STATURE: Final = (0.85, 1.80)
ADULT_STATURE: Final = (1.30, 2.20)
MASS_INDEX: Final = (10.0, 60.0)  # kg/m^2, beyond which a size is a slip of the keyboard
#: Statures (m) and masses (kg) of the sample behind the regressions of dimensions, ANSUR II.
SAMPLE: Final = {"female": ((1.41, 1.83), (36.0, 120.0)), "male": ((1.49, 1.99), (39.0, 144.0))}
_POPULATION: Final = {"public": ("NHANES_2009_2012", "20+"), "soldiers": ("ANSUR_II", "17-58")}
#: Presets of total size: dummies by their keys, with sex and age of those that stand for children.
DUMMIES: Final[dict[str, tuple[str, str, float | None]]] = {
    "H3-3": ("Hybrid III 3-year-old", "male", 3.0),
    "H3-6": ("Hybrid III 6-year-old", "male", 6.0),
    "5F": ("Hybrid III 5th female", "female", None),
    "50M": ("Hybrid III 50th male", "male", None),
    "95M": ("Hybrid III 95th male", "male", None),
}


@dataclass(frozen=True)
class Size:
    """Stature (m), mass (kg) and for a child its age (years), each with its source."""

    stature: Sourced
    mass: Sourced
    age: Sourced | None = None


def dummy(key: str, **more: Any) -> Person:
    """A person of the total size of a test dummy (a key of `DUMMIES`). Raises InputError naming those there are."""
    if key not in DUMMIES:
        raise InputError(f"no dummy is called '{key}'; there are {', '.join(DUMMIES)}.")
    name, sex, age = DUMMIES[key]
    found = row("dummies", dummy=name)
    fields = {"stature": float(found["stature_m"]), "mass": float(found["mass_kg"]), "sex": sex, "age": age}
    scaling = "child" if age is not None else "de_leva" if sex == "female" else "regression"
    return Person.model_validate({**fields, "scaling": scaling, **more})


def person_for(
    stature: float | None,
    mass: float | None,
    sex: str | None = None,
    age: float | None = None,
    percentile: str | None = None,
    **more: Any,
) -> Person:
    """A person by stature and mass.

    Parameters
    ----------
    stature
        m.
    mass
        kg.
    sex
        "male" or "female".
    age
        Years, of a child.
    percentile
        Of what is not given.
    more
        Other fields of the person. Scaling unless given: child proportions with an age or below 1.45 m, de
        Leva's for women, else the regression.

    Returns
    -------
    The person.

    Raises
    ------
    InputError
        In one sentence, for values that no body has.
    """
    child = age is not None or (stature is not None and stature < REGRESSION_STATURE[0])
    scaling = "child" if child else "de_leva" if sex == "female" else "regression"
    fields: dict[str, Any] = {
        "sex": sex or "male",
        "age": age,
        "stature": stature,
        "mass": mass,
        "scaling": scaling,
    }
    if percentile:
        fields |= {f"{what}_percentile": percentile for what in ("stature", "mass") if fields[what] is None}
    try:
        return Person.model_validate({**fields, **more})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise InputError(
            f"{'.'.join(map(str, first['loc'])) or 'rider'}: {worded(first)}, found {first.get('input')}."
        ) from None


def of_stature(person: Person, stature: float) -> dict[str, Any]:
    """What else changes of a person who is asked for with another stature (m): nothing, as long as the proportions are
    for it. Who is shorter than its adults becomes a child, who is taller than children an adult, of the mass that goes
    with it: the same percentile, else the median."""
    child = person.scaling == "child"
    low, high = CHILD_STATURE if child else _statures(person.scaling)
    if low <= stature <= high or (stature > high) != child:
        return {}
    grown = "de_leva" if person.sex == "female" else "regression"
    mass = {"mass": None, "mass_percentile": person.mass_percentile or "50"}
    return {"scaling": grown if child else "child", "age": None, **mass}


def _statures(scaling: str) -> tuple[float, float]:
    """From and to which stature (m) the proportions of adults are used."""
    return REGRESSION_STATURE if scaling in ("regression", "regression_raw") else ADULT_STATURE


def size_of(person: Person) -> Size:
    """Stature, mass and age of a person. Raises InputError in one sentence where something is missing or out of range.

    Percentiles of adults: NHANES 2009 to 2012 or ANSUR II. Children: LMS of CDC 2000 by age, or by stature NHANES.
    """
    if person.scaling == "child":
        return _child(person)
    if person.age is not None:
        raise InputError(
            "A child's age goes with child proportions; choose them as scaling or leave the age out."
        )
    size = Size(*(_adult(person, what, unit) for what, unit in (("stature", "m"), ("mass", "kg"))))
    raw = person.scaling in ("regression", "regression_raw")
    low, high = _statures(person.scaling)
    of = "the regression (young men)" if raw else "adults"
    _within("stature", size.stature.value, low, high, "m", of)
    if raw:
        _within("mass", size.mass.value, *REGRESSION_MASS, "kg", of)
    return _plausible(size)


def _within(
    what: str,
    value: float,
    low: float,
    high: float,
    unit: str,
    of: str,
    smaller: str = "use child proportions",
) -> None:
    if not low <= value <= high:
        way = smaller if value < low else "use another scaling"
        raise InputError(
            f"A {what} of {value:g} {unit} is outside {low:g} to {high:g} {unit} of {of}; {way}."
        )


def _plausible(size: Size) -> Size:
    index = size.mass.value / size.stature.value**2
    low, high = MASS_INDEX
    if not low <= index <= high:
        raise InputError(
            say(
                "{mass:g kg} at {stature:g m} make a body mass index of {index:.0f} kg/m^2,"
                " outside {low:g} to {high:g}; check both.",
                mass=size.mass.value,
                stature=size.stature.value,
                index=index,
                low=low,
                high=high,
            )
        )
    return size


def _adult(person: Person, what: str, unit: str) -> Sourced:
    given = getattr(person, what)
    if given is not None:
        return Sourced(given, unit, "chosen", "as asked for")
    percentile = getattr(person, f"{what}_percentile")
    if not percentile:
        raise InputError(f"The rider has no {what}; give one or a percentile.")
    population, age = _POPULATION[person.population]
    found = row("percentiles", population=population, sex=person.sex, age_years=age, dimension=what)
    return Sourced(float(found[f"p{percentile}"]), unit, "measured", f"P{percentile}, {found['source']}")


def _child(person: Person) -> Size:
    age = person.age
    if age is None and person.stature is None:
        raise InputError("A child needs an age or a stature; give one of them.")
    if person.stature is not None:
        stature = Sourced(person.stature, "m", "chosen", "as asked for")
        of, smaller = "children of 2 to 18 years", "nobody smaller is made"
        _within("stature", stature.value, *CHILD_STATURE, "m", of, smaller)
    else:
        assert age is not None
        stature = _by_age(person, "stature", "m", age, person.stature_percentile or "50")
    if age is None:
        years = _by_stature(person, "median_age_at_this_stature", stature.value, "50")
        years = Sourced(min(max(years.value, CHILD_AGE[0]), CHILD_AGE[1]), "1", years.kind, years.source)
    else:
        years = Sourced(age, "1", "chosen", "as asked for")
    if person.mass is not None:
        mass = Sourced(person.mass, "kg", "chosen", "as asked for")
    elif person.stature is not None and stature.value <= 1.5 and age is None:
        found = _by_stature(person, "mass", stature.value, person.mass_percentile or "50")
        mass = Sourced(found.value, "kg", found.kind, found.source)
    else:
        mass = _by_age(person, "mass", "kg", years.value, person.mass_percentile or "50")
    return _plausible(Size(stature, mass, years))


def _by_age(person: Person, what: str, unit: str, age: float, percentile: str) -> Sourced:
    """M (1 + L S z)^(1/L), L, M and S interpolated between whole years."""
    found = [
        r for r in rows("children") if (r["key_type"], r["sex"], r["quantity"]) == ("age", person.sex, what)
    ]
    keys = [float(r["key"]) for r in found]
    L, M, S = (float(np.interp(age, keys, [float(r[c]) for r in found])) for c in "LMS")
    z = NormalDist().inv_cdf(float(percentile) / 100.0)
    value = M * (1.0 + L * S * z) ** (1.0 / L) if abs(L) > 1e-9 else M * math.exp(S * z)
    return Sourced(value, unit, "measured", f"P{percentile} at {age:g} years, {found[0]['source']}")


def _by_stature(person: Person, what: str, stature: float, percentile: str) -> Sourced:
    """By stature between the rows of 0.9 to 1.5 m, the end rows beyond."""
    found = [
        r
        for r in rows("children")
        if (r["key_type"], r["sex"], r["quantity"]) == ("stature", person.sex, what)
    ]
    keys = [float(r["key"]) for r in found]
    value = float(np.interp(stature, keys, [float(r[f"p{percentile}"]) for r in found]))
    kind: Any = "measured" if found[0]["confidence"] == "measured" else "inferred"
    return Sourced(value, "1", kind, f"P{percentile} at {stature:g} m, {found[0]['source']}")


def sitting_ratio(person: Person, age: float) -> Sourced:
    """Sitting height over stature of a child, median at an age (Fredriks et al. 2005)."""
    return _by_age(person, "sitting_over_stature", "1", age, "50")


@dataclass(frozen=True)
class Dimension:
    """A dimension of the body (m) by regression on stature and mass, and how much individuals spread about it (m)."""

    title: str
    value: float
    spread: float
    source: str


def dimensions(person: Person) -> tuple[Dimension, ...]:
    """Seated and standing dimensions of an adult by regression (ANSUR II); none outside the range of its sample."""
    if person.scaling == "child":
        return ()
    size = size_of(person)
    tall, heavy = SAMPLE[person.sex]
    h, m = size.stature.value, size.mass.value
    if not (tall[0] <= h <= tall[1] and heavy[0] <= m <= heavy[1]):
        return ()
    return tuple(
        Dimension(r["description"], _by_regression(r, h, m), float(r["sd_resid"]), r["source"])
        for r in rows("regression")
        if r["sex"] == person.sex and r["unit"] == "m"
    )


def dimension(name: str, sex: str, stature: float, mass: float) -> float:
    """A dimension (m) by its name in the table, of an adult of a stature (m) and mass (kg): outside the range of the
    sample that of its nearest."""
    (low, high), (light, heavy) = SAMPLE[sex]
    found = row("regression", sex=sex, dimension=name)
    return _by_regression(found, min(max(stature, low), high), min(max(mass, light), heavy))


def _by_regression(found: dict[str, str], stature: float, mass: float) -> float:
    return float(found["b0"]) + float(found["b_stature"]) * stature + float(found["b_mass"]) * mass
