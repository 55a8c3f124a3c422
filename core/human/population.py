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
from ..base.evaluation import EvaluationOptions
from ..base.sentence import Sentence, say, together
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
TRIES: Final = 10_000  # of somebody who is admitted
ROUNDED: Final = 1e-6  # m and kg


class Named(NamedTuple):
    """A person with what he is called in tables."""

    label: str
    person: Person


class Admitted(NamedTuple):
    """Whom an operator admits: statures (m) of the smallest and the tallest, None where nothing is said of them, and
    mass (kg) of the heaviest."""

    smallest: float | None = None
    tallest: float | None = None
    heaviest: float = HEAVIEST

    @property
    def sentence(self) -> Sentence:
        """In words, "from 1.20 m to 1.95 m up to 136 kg"."""
        ends = [
            say(words, stature=stature)
            for words, stature in (
                ("from {stature:.2f m}", self.smallest),
                ("to {stature:.2f m}", self.tallest),
            )
            if stature is not None
        ]
        return together(" ", (*ends, say("up to {mass:.0f kg}", mass=self.heaviest)))

    def holds(self, stature: float, mass: float) -> bool:
        """Whether somebody (m, kg) is admitted."""
        tall = self.tallest is None or stature <= self.tallest + ROUNDED
        small = self.smallest is None or stature >= self.smallest - ROUNDED
        return tall and small and mass <= self.heaviest + ROUNDED


ANYBODY: Final = Admitted()


def admitted_by(options: EvaluationOptions) -> Admitted:
    """Whom a project says that it admits."""
    mass = options.largest_mass
    return Admitted(options.patron_height, options.largest_height, HEAVIEST if mass is None else mass)


def bodies(admitted: Admitted = ANYBODY, tone: str = TONE) -> dict[str, Named]:
    """5th percentile woman, 50th and 95th man, a child of 1.2 m and the heaviest who is admitted, by their keys.

    Raises InputError for a heaviest out of `HEAVIEST_RANGE`.
    """
    check_heaviest(admitted.heaviest)
    tall: dict[str, Any] = {"stature": None, "percentile": "95"}
    if admitted.tallest is not None:
        own = size_of(person_for(None, admitted.heaviest, percentile="95")).stature.value
        tall = {"stature": min(own, admitted.tallest)}
    ways: dict[str, tuple[str, dict[str, Any]]] = {
        "woman_5": (
            "5th percentile woman",
            {"stature": None, "mass": None, "sex": "female", "percentile": "5"},
        ),
        "man_50": ("50th percentile man", {"stature": None, "mass": None, "percentile": "50"}),
        "man_95": ("95th percentile man", {"stature": None, "mass": None, "percentile": "95"}),
        "child_120": ("child of 1.20 m", {"stature": CHILD, "mass": None}),
        "heaviest": (f"heaviest, {admitted.heaviest:g} kg", {**tall, "mass": admitted.heaviest}),
    }
    return {key: Named(label, free(person_for(**fields), tone)) for key, (label, fields) in ways.items()}


def usual(admitted: Admitted = ANYBODY, tone: str = TONE) -> tuple[Named, ...]:
    """5th percentile woman, 50th and 95th man, a child of 1.2 m and the heaviest who is admitted.

    Where an operator says from and up to which stature people are admitted, the smallest takes the place of the child,
    the tallest comes besides, and who is not admitted is left out.

    Parameters
    ----------
    admitted
        Whom the operator admits.
    tone
        Of the muscles of everybody.

    Returns
    -------
    Five usually, with their names.

    Raises
    ------
    InputError
        For a mass out of `HEAVIEST_RANGE`, and statures of which no body can be made.
    """
    found = bodies(admitted, tone)
    if admitted.smallest is not None and abs(admitted.smallest - CHILD) > ROUNDED:
        found["child_120"] = _of_stature("smallest", admitted.smallest, tone)
    if admitted.tallest is not None:
        found["tallest"] = _of_stature("tallest", admitted.tallest, tone)
    sizes = {key: size_of(one.person) for key, one in found.items()}
    return tuple(
        one
        for key, one in found.items()
        if key in ("heaviest", "tallest") or admitted.holds(sizes[key].stature.value, sizes[key].mass.value)
    )


def _of_stature(word: str, stature: float, tone: str) -> Named:
    person = person_for(stature, None, percentile="50")
    return Named(f"{word}, {stature:.2f} m", free(person, tone))


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
    admitted: Admitted = ANYBODY,
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
    admitted
        Whom the operator admits; who is not, or is smaller or larger than bodies are made for, is drawn again.
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
    check_heaviest(admitted.heaviest)
    found = []
    for k in range(count):
        own = np.random.default_rng([seed, k])
        sex = "female" if own.random() < women else "male"
        person = (_child if own.random() < children else _adult)(own, sex, youngest, admitted)
        found.append(Named(_label(k + 1, person), free(person, tone)))
    return tuple(found)


def _adult(own: np.random.Generator, sex: str, _youngest: float, admitted: Admitted) -> Person:
    for _ in range(TRIES):
        z, other = own.standard_normal(2)
        rho = CORRELATION[sex]
        stature, mass = _tall(sex, z), _heavy(sex, rho * z + math.sqrt(1.0 - rho**2) * other)
        inside = REGRESSION_STATURE[0] <= stature <= REGRESSION_STATURE[1]
        if inside and REGRESSION_MASS[0] <= mass and admitted.holds(stature, mass):
            return person_for(round(stature, 3), round(mass, 1), sex)
    raise _nobody(admitted)


def _tall(sex: str, z: float) -> float:
    found = row("percentiles", population="NHANES_2009_2012", sex=sex, age_years="20+", dimension="stature")
    return float(found["p50"]) + z * (float(found["p95"]) - float(found["p5"])) / (2.0 * Z95)


def _heavy(sex: str, z: float) -> float:
    found = row("percentiles", population="NHANES_2009_2012", sex=sex, age_years="20+", dimension="mass")
    end = float(found["p95" if z > 0.0 else "p5"])
    return float(found["p50"]) * math.exp(abs(z) / Z95 * math.log(end / float(found["p50"])))


def _child(own: np.random.Generator, sex: str, youngest: float, admitted: Admitted) -> Person:
    for _ in range(TRIES):
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
        if admitted.holds(stature, mass) and 10.0 <= mass / stature**2 <= 60.0:
            return person_for(round(stature, 3), round(mass, 1), sex, round(age, 1))
    raise _nobody(admitted)


def _nobody(admitted: Admitted) -> InputError:
    return InputError(
        say(
            "Of the public hardly anybody is admitted {who}: draw others, or admit more.",
            who=admitted.sentence,
        )
    )


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
