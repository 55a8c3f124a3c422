"""How long flexible bodies last: the damage of the run at the spots whose stress changes most, EN 1993-1-9.

The same judgement as of track and supports (`fatigue`), of another source of histories: normal stress of beams at
their ends, signed von Mises stress at the nodes of solids, of a run that is repeated. Which category a spot has depends
on the weld that is there; bending of walls and what a weld adds is in it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..base.errors import InputError
from ..base.sentence import say
from ..project.project import parse_project
from ..results.results import Results
from .fatigue import Detail, Fatigue, fatigue
from .stress import WITHOUT_ELEMENTS, BodyStress, Where, stress_of

LOOKED_AT = 24  # spots of a body


class SpotLife(NamedTuple):
    """A spot of a flexible body: the body, where the spot is and its number, its ranges of stress over the run and the
    damage they do, and what part of its life the planned rides take: 1 is all."""

    body: str
    where: Where
    spot: int
    fatigue: Fatigue
    share: float


class Planned(NamedTuple):
    """By what flexible bodies are judged: the detail that their spots are, and how many rides are planned."""

    detail: Detail
    rides: float

    @property
    def about(self) -> str:
        """That in words."""
        return say(
            "{rides} rides, detail of {category:.0f MPa}, partial factor {factor:g}",
            rides=f"{self.rides:,.0f}", category=self.detail.category, factor=self.detail.strength_factor,
        )  # fmt: skip


def planned(results: Results) -> Planned:
    """As the steelwork of the run's project has it. Raises InputError for results without their project."""
    rules = parse_project(results.provenance.get("project"), "the run").steelwork
    return Planned(Detail(rules.spine_detail, rules.partial), rules.rides)


def spot_lives(
    body: BodyStress, detail: Detail, rides: float, count: int = LOOKED_AT
) -> tuple[SpotLife, ...]:
    """The spots of a body with the largest ranges, of those alike the first, the one with the most damage first. Raises
    InputError without the package `rainflow`, and for a body without stress."""
    found = body.superposition.envelope(body.modal)
    lives = []
    for k in np.argsort(found.low - found.high, kind="stable")[:count].tolist():
        one = fatigue(body.superposition.at(k, body.modal)[0], detail)
        lives.append(SpotLife(body.flexible.name, body.spot(k), k, one, one.damage * rides))
    return tuple(sorted(lives, key=lambda one: (-one.share, -one.fatigue.largest)))


def stress_lives(
    results: Results,
    category: float | None = None,
    partial: float | None = None,
    rides: float | None = None,
    count: int = LOOKED_AT,
) -> tuple[SpotLife, ...]:
    """`spot_lives` of all flexible bodies of a run whose stress is known.

    Parameters
    ----------
    results
        The run, as a ride that comes again and again.
    category
        Of the detail that the spots are, Pa; as the steelwork of the run's project has it by default.
    partial
        Factor of its strength; by default likewise.
    rides
        How many are planned; by default likewise.
    count
        How many spots of a body are judged.

    Returns
    -------
    The spots, the shortest life first.

    Raises
    ------
    InputError
        As `stress_of`, where no stress is known, for figures that are not above zero, and without the package
        `rainflow`.
    """
    usual = planned(results)
    category = usual.detail.category if category is None else category
    partial = usual.detail.strength_factor if partial is None else partial
    rides = usual.rides if rides is None else rides
    for name, value in (("category", category), ("partial factor", partial), ("number of rides", rides)):
        if not 0.0 < value < math.inf:
            raise InputError(f"Fatigue: the {name} must be above zero, found {value:g}.")
    bodies = [one for one in stress_of(results) if one.known]
    if not bodies:
        raise InputError(f"No flexible body of the run has stress: each {WITHOUT_ELEMENTS}.")
    detail = Detail(category, partial)
    every = [life for body in bodies for life in spot_lives(body, detail, rides, count)]
    return tuple(sorted(every, key=lambda one: (-one.share, -one.fatigue.largest)))
