"""Where flexible bodies are stressed most over a run: what the Stress panel lists, found beside the window."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from ...core.base.arrays import Array
from ...core.base.errors import InputError
from ...core.outcome.fatigue import fatigue
from ...core.outcome.rigid import RigidRun, rigid_run
from ...core.outcome.stress import WITHOUT_ELEMENTS, BodyStress, LoadCases, stress_of
from ...core.outcome.stress_life import planned
from ...core.results.results import Results
from ...core.structure.stress import Envelope
from ..widgets import units

Pair = tuple[str, str]  # the interface that is loaded, and the one that is clamped
MAX_SPOTS = 40  # spots of the list
APART = 0.03  # of the size of a body: a spot nearer to one of the list is the same place


@dataclass(frozen=True)
class HotSpot:
    """A spot: number of its body, its own number there; range (low, high) and largest stress Pa, and when (s)."""

    body: int
    number: int
    low: float
    high: float
    worst: float
    time: float

    @property
    def range(self) -> float:
        """From the lowest to the highest stress, Pa."""
        return self.high - self.low


@dataclass(frozen=True, eq=False)
class Stresses:
    """Stress of the bodies of a run that have some, with their envelopes and the places (spots, 3) m of their spots;
    cases: of each the static load cases, by what is loaded and clamped; outside: largest stress (points,) Pa where each
    is drawn, of the run (None) and of these; lives: what part of its life the planned rides take, of the hot spots by
    body and number; lived: by what that is judged, or why it is not known; silent: what is said of those without, and
    against the cases; rigid: whether the cases are of the forces that the ride has with its flexible bodies rigid."""

    results: Results
    bodies: tuple[BodyStress, ...]
    envelopes: tuple[Envelope, ...]
    places: tuple[Array, ...]
    silent: str
    cases: tuple[Mapping[Pair, LoadCases], ...] = ()
    outside: tuple[Mapping[Pair | None, Array], ...] = ()
    rigid: bool = False
    lives: Mapping[tuple[int, int], float] = field(default_factory=dict)
    lived: str = ""

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """What is loaded and clamped in the cases of any body."""
        return tuple(dict.fromkeys(pair for own in self.cases for pair in own))

    def spot(self, body: int, number: int) -> HotSpot:
        """A spot of a body."""
        e = self.envelopes[body]
        time = float(self.bodies[body].time[e.instant[number]])
        return HotSpot(
            body, number, float(e.low[number]), float(e.high[number]), float(e.worst[number]), time
        )

    def nearest(self, name: str, place: Array) -> HotSpot | None:
        """The spot of a body nearest to a place (3,) m as drawn; of several there the one that is stressed most."""
        k = next((k for k, one in enumerate(self.bodies) if one.flexible.name == name), None)
        if k is None:
            return None
        away = np.linalg.norm(self.places[k] - place, axis=1)
        near = np.flatnonzero(away <= away.min() + 1e-6)
        return self.spot(k, int(near[np.argmax(self.envelopes[k].worst[near])]))

    def hottest(self, by_range: bool) -> list[HotSpot]:
        """Spots with the largest range, or the largest stress, of all bodies: each the hottest of its surroundings."""
        found: list[HotSpot] = []
        for k, envelope in enumerate(self.envelopes):
            heat = envelope.high - envelope.low if by_range else envelope.worst
            apart = APART * float(np.linalg.norm(np.ptp(self.places[k], axis=0)))
            left = np.ones(len(heat), dtype=bool)
            for _ in range(MAX_SPOTS):
                if not left.any():
                    break
                hottest = int(np.argmax(np.where(left, heat, -1.0)))
                found.append(self.spot(k, hottest))
                left &= np.linalg.norm(self.places[k] - self.places[k][hottest], axis=1) > apart
        key = (lambda spot: -spot.range) if by_range else (lambda spot: -spot.worst)
        return sorted(found, key=key)[:MAX_SPOTS]


def find(results: Results, rigid: bool = False, should_stop: Callable[[], bool] | None = None) -> Stresses:
    """The stresses of a run; rigid: with load cases of the ride with its flexible bodies rigid, which is run for them,
    in place of those of its own forces.

    Raises InputError when it has no flexible body, or another project stored with it.
    """
    every = stress_of(results)
    known = tuple(one for one in every if one.known)
    without = [one.flexible.name for one in every if not one.known]
    silent = [f"No stress of {', '.join(without)}: {WITHOUT_ELEMENTS}."] if without else []
    envelopes = tuple(one.superposition.envelope(one.modal) for one in known)
    found, fault = _rigid(results, should_stop) if rigid else (None, "")
    cases = tuple(
        {pair: one.cases(*pair, rigid=found) for pair in one.pairs if not rigid or found is not None}
        for one in known
    )
    made = Stresses(
        results,
        known,
        envelopes,
        tuple(one.places for one in known),
        " ".join([*silent, *([fault] if fault else [])]),
        cases,
        tuple(map(_outside, known, envelopes, cases)),
        rigid,
    )
    return _with_lives(made, should_stop)


def _with_lives(found: Stresses, should_stop: Callable[[], bool] | None) -> Stresses:
    """With the lives of its hot spots."""
    spots = {(one.body, one.number) for by_range in (True, False) for one in found.hottest(by_range)}
    lives: dict[tuple[int, int], float] = {}
    try:
        plan = planned(found.results)
        for body, number in sorted(spots):
            if should_stop is not None and should_stop():
                break
            one = found.bodies[body]
            stress = one.superposition.at(number, one.modal)[0]
            lives[body, number] = fatigue(stress, plan.detail).damage * plan.rides
    except InputError as error:
        return replace(found, lived=units.told(error))
    return replace(found, lives=lives, lived=f"EN 1993-1-9, {units.in_units(plan.about)}")


def _rigid(results: Results, should_stop: Callable[[], bool] | None) -> tuple[RigidRun | None, str]:
    """The rigid ride, and what there is to say against it."""
    try:
        found = rigid_run(results, should_stop=should_stop)
    except InputError as error:
        return None, units.told(error)
    return found, found.words


def _outside(
    one: BodyStress, envelope: Envelope, cases: Mapping[Pair, LoadCases]
) -> Mapping[Pair | None, Array]:
    """Largest stress where it is drawn: of the run, and of every pair."""
    of_cases: dict[Pair | None, Array] = {pair: one.cases_outside(case) for pair, case in cases.items()}
    return {None: one.worst_outside(envelope)} | of_cases
