"""Bodies that a ride is looked at with: five usual ones, or people drawn from the public with their correlations.

Adults: stature normal between its 5th and 95th percentile (NHANES 2009 to 2012, women and men), the logarithm of the
mass normal on either side of its median, so that the 5th, 50th and 95th percentile are those of the table; both
correlate by 0.3 among women and 0.4 among men, which gives the body mass index of the same survey. Children: age even,
stature by age (CDC 2000); mass by stature (NHANES) up to 1.5 m, above it by age, correlated like that of adults.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any, Final, NamedTuple

import numpy as np

from ..base.errors import InputError
from ..base.sentence import say
from ..model.person import Person
from .anthropometry import CHILD_AGE, CHILD_STATURE, REGRESSION_MASS, REGRESSION_STATURE, person_for, size_of
from .tables import row

CORRELATION: Final = {"female": 0.3, "male": 0.4}  # of stature and mass
Z95: Final = NormalDist().inv_cdf(0.95)
HEAVIEST: Final = 136.0  # kg (300 lb), as admitted by many operators; chosen
#: Masses (kg) that may be the heaviest admitted.
HEAVIEST_RANGE: Final = (60.0, REGRESSION_MASS[1])
CHILD: Final = 1.2  # m
#: How a free rider holds himself where nothing else is asked for.
TONE: Final = "braced"  # as who is awake rides: muscles of normal tone give way under the trunk from 2.5 g on
LARGEST = 100_000


class Named(NamedTuple):
    """A person with what he is called in tables."""

    label: str
    person: Person


def usual(heaviest: float = HEAVIEST, tone: str = TONE) -> tuple[Named, ...]:
    """5th percentile woman, 50th and 95th man, a child of 1.2 m and the heaviest who is admitted.

    Parameters
    ----------
    heaviest
        kg.
    tone
        Of the muscles of everybody.

    Returns
    -------
    The five with their names.

    Raises
    ------
    InputError
        For a mass out of `HEAVIEST_RANGE`.
    """
    check_heaviest(heaviest)
    ways: tuple[tuple[str, dict[str, Any]], ...] = (
        ("5th percentile woman", {"stature": None, "mass": None, "sex": "female", "percentile": "5"}),
        ("50th percentile man", {"stature": None, "mass": None, "percentile": "50"}),
        ("95th percentile man", {"stature": None, "mass": None, "percentile": "95"}),
        ("child of 1.20 m", {"stature": CHILD, "mass": None}),
        (f"heaviest, {heaviest:g} kg", {"stature": None, "mass": heaviest, "percentile": "95"}),
    )
    return tuple(Named(label, free(person_for(**fields), tone)) for label, fields in ways)


def check_heaviest(mass: float) -> None:
    """Raises InputError for a mass (kg) that nobody looked at can have as the heaviest."""
    low, high = HEAVIEST_RANGE
    if not low <= mass <= high:
        raise InputError(
            say(
                "A heaviest of {mass:.4g kg}: give {low:.3g (kg)} to {high:.3g kg}.",
                mass=mass,
                low=low,
                high=high,
            )
        )


def free(person: Person, tone: str = TONE) -> Person:
    """A person whom nothing but the seat holds; tone: limp, normal or braced, of all muscles."""
    muscles = dict.fromkeys(("neck", "trunk", "legs", "arms"), tone)
    return Person.model_validate({**person.model_dump(), "held": False, "hinges": True, **muscles})


def drawn(
    count: int,
    seed: int = 0,
    *,
    women: float = 0.5,
    children: float = 0.0,
    youngest: float = 8.0,
    heaviest: float = HEAVIEST,
    tone: str = TONE,
) -> tuple[Named, ...]:
    """People drawn at random: the same for the same seed, and the first of more for fewer.

    Parameters
    ----------
    count
        How many.
    seed
        Same seed, same people.
    women, children
        Shares of all, 0 to 1; girls and boys as women and men.
    youngest
        Years; children up to 17.
    heaviest
        kg; who is heavier, or smaller or larger than bodies are made for, is drawn again.
    tone
        Limp, normal or braced.

    Returns
    -------
    Names and persons.

    Raises
    ------
    InputError
        For shares, ages and masses out of range, or more than 100,000.
    """
    if not 1 <= count <= LARGEST:
        raise InputError(f"{count} people: draw 1 to {LARGEST:,}.")
    if not (0.0 <= women <= 1.0 and 0.0 <= children <= 1.0):
        raise InputError("Shares of women and children: give them from 0 to 1.")
    if not CHILD_AGE[0] <= youngest < CHILD_AGE[1]:
        raise InputError(
            f"A youngest of {youngest:g} years: give {CHILD_AGE[0]:g} to below {CHILD_AGE[1]:g}."
        )
    check_heaviest(heaviest)
    found = []
    for k in range(count):
        own = np.random.default_rng([seed, k])
        sex = "female" if own.random() < women else "male"
        person = (_child if own.random() < children else _adult)(own, sex, youngest, heaviest)
        found.append(Named(_label(k + 1, person), free(person, tone)))
    return tuple(found)


def _adult(own: np.random.Generator, sex: str, _youngest: float, heaviest: float) -> Person:
    while True:
        z, other = own.standard_normal(2)
        rho = CORRELATION[sex]
        stature, mass = _tall(sex, z), _heavy(sex, rho * z + math.sqrt(1.0 - rho**2) * other)
        inside = REGRESSION_STATURE[0] <= stature <= REGRESSION_STATURE[1]
        if inside and REGRESSION_MASS[0] <= mass <= heaviest:
            return person_for(round(stature, 3), round(mass, 1), sex)


def _tall(sex: str, z: float) -> float:
    found = row("percentiles", population="NHANES_2009_2012", sex=sex, age_years="20+", dimension="stature")
    return float(found["p50"]) + z * (float(found["p95"]) - float(found["p5"])) / (2.0 * Z95)


def _heavy(sex: str, z: float) -> float:
    found = row("percentiles", population="NHANES_2009_2012", sex=sex, age_years="20+", dimension="mass")
    end = float(found["p95" if z > 0.0 else "p5"])
    return float(found["p50"]) * math.exp(abs(z) / Z95 * math.log(end / float(found["p50"])))


def _child(own: np.random.Generator, sex: str, youngest: float, heaviest: float) -> Person:
    while True:
        age = float(own.uniform(youngest, CHILD_AGE[1]))
        z, other = own.standard_normal(2)
        rho = CORRELATION[sex]
        ends = {p: _sized(sex, age, p) for p in ("5", "50", "95")}
        stature = _split(ends["5"][0], ends["50"][0], ends["95"][0], z)
        if not CHILD_STATURE[0] <= stature <= CHILD_STATURE[1]:
            continue
        if stature <= 1.5:
            low, middle, high = (_mass_at(sex, stature, p) for p in ("5", "50", "95"))
            mass = _split(low, middle, high, other)
        else:
            low, middle, high = (ends[p][1] for p in ("5", "50", "95"))
            mass = _split(low, middle, high, rho * z + math.sqrt(1.0 - rho**2) * other)
        if mass <= heaviest and 10.0 <= mass / stature**2 <= 60.0:
            return person_for(round(stature, 3), round(mass, 1), sex, round(age, 1))


def _sized(sex: str, age: float, percentile: str) -> tuple[float, float]:
    size = size_of(person_for(None, None, sex, age, percentile))
    return size.stature.value, size.mass.value


def _mass_at(sex: str, stature: float, percentile: str) -> float:
    return size_of(person_for(stature, None, sex, None, percentile, scaling="child")).mass.value


def _split(low: float, middle: float, high: float, z: float) -> float:
    """The value at z of what is lognormal on either side of its median, by its 5th, 50th and 95th percentile."""
    return middle * math.exp(abs(z) / Z95 * math.log((high if z > 0.0 else low) / middle))


def _label(number: int, person: Person) -> str:
    who = {"female": "woman", "male": "man"} if person.age is None else {"female": "girl", "male": "boy"}
    return str(
        say("{number}: {who} of {stature:.2f m}, {mass:.0f} kg", number=number, who=who[person.sex],
            stature=person.stature, mass=person.mass)
    )  # fmt: skip
