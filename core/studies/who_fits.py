"""Who fits a seat behind a restraint, by geometry: the statures and masses onto whom it closes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Final, NamedTuple

import numpy as np

from ..base.errors import InputError
from ..base.sentence import Sentence, say, together
from ..human.anthropometry import CHILD_STATURE, REGRESSION_MASS, REGRESSION_STATURE, person_for
from ..human.population import Admitted, free
from ..model.person import Person
from ..project.project import Project
from .ends import longest
from .named_edits import EDITS
from .seated_run import fit_numbers

STEP: Final = 0.05  # m of stature and 10 kg of mass: how finely the ends of what fits are looked for at first
STATURE_ERROR, MASS_ERROR = 0.005, 1.0  # m, kg: and in the end
#: Statures (m) and masses (kg) that are looked at.
STATURE_RANGE: Final = (max(CHILD_STATURE[0], 0.95), REGRESSION_STATURE[1])
MASS_RANGE: Final = (60.0, REGRESSION_MASS[1])
#: Statures (m) at which masses are looked at: 50th and 95th percentile of men, NHANES 2009 to 2012.
HEAVY_AT: Final = (1.755, 1.882)


class Fits(NamedTuple):
    """Who fits a seat behind a restraint, by geometry: statures (m) from and to, at median masses, None where nobody
    does; the largest mass (kg) at each stature (m) of `HEAVY_AT`, None where none fits; lowest, highest: whether the
    statures are the ends of what is looked at."""

    low: float | None
    high: float | None
    masses: tuple[tuple[float, float | None], ...]
    lowest: bool
    highest: bool

    @property
    def sentence(self) -> str:
        """In words, "from 1.24 m"."""
        if self.low is None or self.high is None:
            return "nobody fits"
        low = say("from {low:.2f m}" + " (the smallest looked at)" * self.lowest, low=self.low)
        high = say("to {high:.2f m}" + " (the tallest looked at)" * self.highest, high=self.high)
        heavy = [
            say("at {stature:.4g m} nobody", stature=stature)
            if mass is None
            else say(
                "at {stature:.4g m} up to {mass:.0f kg}"
                + " (the heaviest looked at)" * (mass == REGRESSION_MASS[1]),
                stature=stature, mass=mass,
            )
            for stature, mass in self.masses
        ]  # fmt: skip
        return together(", ", (together(" ", (low, high)), *heavy))

    def beyond(self, admitted: Admitted, why: str = "they do not fit") -> Sentence | str:
        """Who is admitted although it does not close onto them, in words; "" where nobody is."""
        if self.low is None or self.high is None:
            return "nobody who is admitted fits"
        found = []
        if admitted.smallest is not None and not self.lowest and admitted.smallest < self.low - STATURE_ERROR:
            found.append(say("from {a:.2f m} to {b:.2f m}", a=admitted.smallest, b=self.low))
        if admitted.tallest is not None and not self.highest and admitted.tallest > self.high + STATURE_ERROR:
            found.append(say("from {a:.2f m} to {b:.2f m}", a=self.high, b=admitted.tallest))
        for stature, mass in self.masses:
            tall = admitted.tallest is not None and stature > admitted.tallest
            if not tall and mass is not None and mass < admitted.heaviest - MASS_ERROR:
                found.append(
                    say("of {stature:.4g m} above {mass:.0f kg}", stature=stature, mass=mass)
                )  # fmt: skip
        return together("", (f"admitted although {why}: ", together(", ", found))) if found else ""


def who_fits(project: Project, seat: str, shape: str = "", restraint: str = "") -> Fits:
    """What `rw.who_fits` answers: statures and masses that a restraint closes onto, whatever else does not fit.

    Parameters
    ----------
    seat
        Its path.
    shape, restraint
        From the library, put on the seat first; none: as it is.

    Returns
    -------
    Statures in m, masses in kg.

    Raises
    ------
    InputError
        For a seat that there is not.
    """
    for edit, key in (("seat", shape), ("restraint", restraint)):
        if key:
            project = EDITS[edit].apply(project, seat, key)
    fit_numbers(project, (seat,))  # refuses a seat that there is not

    def fits(person: Person) -> bool:
        try:
            made = EDITS["passenger"].apply(
                project, seat, free(person).model_dump_json(exclude_defaults=True)
            )
        except InputError:  # no body of that size
            return False
        return not fit_numbers(made, (seat,))[0]["unfit"]

    @cache
    def tall(stature: float) -> bool:
        return fits(person_for(stature, None, percentile="50"))

    @cache
    def heavy(stature: float, mass: float) -> bool:
        return fits(person_for(stature, mass))

    first, last = STATURE_RANGE
    grid = np.linspace(first, last, round((last - first) / STEP) + 1).tolist()
    low, high = longest([tall(one) for one in grid])
    if low is None or high is None:
        return Fits(None, None, (), False, False)
    shortest = grid[0] if low == 0 else _edge(tall, grid[low - 1], grid[low], STATURE_ERROR)
    tallest = grid[-1] if high == len(grid) - 1 else _edge(tall, grid[high + 1], grid[high], STATURE_ERROR)
    masses = tuple((stature, _heaviest(partial(heavy, stature))) for stature in HEAVY_AT)
    return Fits(shortest, tallest, masses, low == 0, high == len(grid) - 1)


def _heaviest(fits: Callable[[float], bool]) -> float | None:
    """The largest mass (kg) of the longest stretch of masses that fit."""
    masses = np.arange(MASS_RANGE[0], MASS_RANGE[1] + 1.0, 10.0).tolist()
    _, last = longest([fits(one) for one in masses])
    if last is None:
        return None
    return float(
        masses[-1] if last == len(masses) - 1 else _edge(fits, masses[last + 1], masses[last], MASS_ERROR)
    )


def _edge(so: Callable[[float], bool], outside: float, inside: float, error: float) -> float:
    """The end of what is so between a value outside and one inside."""
    while abs(inside - outside) > error:
        middle = 0.5 * (inside + outside)
        inside, outside = (middle, outside) if so(middle) else (inside, middle)
    return inside
