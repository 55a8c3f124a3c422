"""Peaks that contacts caused, with each of these contacts half and twice as stiff.

The rider who was hit rides again alone, on a seat that moves as it did (`run.ride_again`): the padding under one rider
hardly moves a car. How far that holds is measured each time, by a third ride with the contact as it is; what a car does
differently because of another padding is left out (half of 586 values within 0.04 % of their limit of what the whole
train came to, 15 more than 2 % off, no verdict another; guide: contact). Where that is no faster, because there is but
one rider, everything rides again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from ..base.errors import InputError
from ..edits.elements import element_at, set_element
from ..injury.parts import PARTS
from ..injury.result import CriterionResult
from ..project.project import Project, parse_project
from ..results.results import Results
from ..run.ride_again import ride_again
from ..run.simulate import simulate
from .contact_peaks import ContactsOfRun, Peak
from .free_riders import RESTRAINT, free_riders
from .rider_view import judge_part

#: Steps times bodies of a single rider's run up to which everything rides again: some 10 s of one processor each.
LIGHT: Final = 600_000
FACTORS: Final = (0.5, 2.0)  # of the stiffness
OFF: Final = 0.02  # of the limit, by which the ride on the seat's own motion may miss the value of the run


class Stiffness(NamedTuple):
    """A peak with the contact half and twice as stiff: the results there, None where there is none. alone: by rides of
    this rider alone on the seat's motion of the run; again: the result of such a ride with the contact as it is."""

    peak: Peak
    half: CriterionResult | None
    twice: CriterionResult | None
    again: CriterionResult | None = None
    alone: bool = False

    @property
    def off(self) -> float | None:
        """By how much of the limit the ride again misses the value of the run with nothing changed; 0 where everything
        rode again, None where it has no such value."""
        if not self.alone:
            return 0.0
        own, again = self.peak.result, self.again
        if again is None or again.value is None or own.value is None:
            return None
        return abs(again.value - own.value) / max(own.limit or 0.0, abs(own.value))

    @property
    def holds(self) -> bool:
        """Whether the rider's ride alone repeats the run well enough to be a measure of what a stiffness changes; true
        where nothing was ridden, because it was stopped."""
        if not self.alone or (self.again, self.half, self.twice) == (None, None, None):
            return True
        return self.off is not None and self.off <= OFF

    @property
    def sentence(self) -> str:
        """How value and verdict change."""
        own = self.peak.result
        if not self.holds:
            again = (
                "no value" if self.again is None or self.again.value is None else f"{self.again.value:.4g}"
            )
            return (
                f"{own.value:.4g} {own.unit} ({own.verdict}); on the seat's own motion this rider alone comes to"
                f" {again} with nothing changed, so that half and twice the stiffness would say nothing"
            )
        said = [
            f"{name} {one.value:.4g} ({one.verdict})"
            if one is not None and one.value is not None
            else f"{name} unknown"
            for name, one in (("half as stiff", self.half), ("twice", self.twice))
        ]
        known = {one.verdict for one in (own, self.half, self.twice) if one is not None}
        ends = "the verdict changes" if len(known) > 1 else "the verdict stays"
        return f"{own.value:.4g} {own.unit} ({own.verdict}), {', '.join(said)}: {ends}"


def with_stiffness(project: Project, results: Results, rider: str, contact: str, factor: float) -> Project:
    """A project with one contact of a rider softer or stiffer: of a part of the seat, of the restraint, or of the
    contacts that a surface has with the rider. Raises InputError where it has no stiffness that can be changed."""
    for one in free_riders(results):
        part = next((part for part in one.parts if part.name == contact), None)
        if one.rider == rider and part is not None:
            path = tuple(one.seat.split("/"))
            seat = element_at(project, "seat", path)
            if part.kind == RESTRAINT:
                made, yields = seat.restraint, "webbing" if part.webbing else "padding"
                old = getattr(made, yields)
                softer = old.model_copy(update={"stiffness": factor * old.stiffness})
                return set_element(
                    project, "seat", path, {"restraint": made.model_copy(update={yields: softer})}
                )
            parts = tuple(
                one.model_copy(
                    update={
                        "padding": one.padding.model_copy(
                            update={"stiffness": factor * one.padding.stiffness}
                        )
                    }
                )
                if one.name == contact
                else one
                for one in seat.shape.parts
            )
            return set_element(
                project, "seat", path, {"shape": seat.shape.model_copy(update={"parts": parts})}
            )
    contacts = ContactsOfRun(results)
    for name in dict.fromkeys(contacts.ends[row][0] for row in contacts.of(rider).get(contact, ())):
        path = tuple(name.split("/"))
        found = element_at(project, "force", path)
        if getattr(found, "stiffness", None) is None:
            raise InputError(
                f"Contact '{name}' has no stiffness of its own that could be halved and doubled."
            )
        project = set_element(project, "force", path, {"stiffness": factor * found.stiffness})
    return project


def half_and_twice(
    results: Results,
    peaks: Sequence[Peak],
    on_run: Callable[[float, str], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
    *,
    whole: bool = False,
) -> tuple[Stiffness, ...]:
    """Peaks with the contact that caused each half and twice as stiff.

    Parameters
    ----------
    results
        The run.
    peaks
        Of `contact_peaks`.
    on_run
        Called with (done share of all, what is ridden).
    should_stop
        Asked between time steps; a ride that is stopped gives no value.
    whole
        Let everything ride again, two rides a contact of a rider, as it does anyway where a single rider's run is
        light. By default the rider rides alone on the seat's motion of the run, once more with nothing changed.

    Returns
    -------
    Of each peak its values with the softer and the stiffer contact.

    Raises
    ------
    InputError
        For a run without its project, and for a contact whose stiffness cannot be changed.
    """
    project = parse_project(results.provenance.get("project"), "run")
    heavy = len(results.states.time) * len(results.names.bodies) > LIGHT
    alone = not whole and (heavy or len(results.names.riders) > 1)
    rides = list(_rides(peaks, as_is=alone))
    found: dict[tuple[str, str, float], dict[tuple[str, str], CriterionResult]] = {}
    for k, (rider, contact, factor) in enumerate(rides):
        words = f"{rider}: " + (f"{contact}, {factor:g} times as stiff" if contact else "as it was")

        def going(share: float, _now: float, _end: float | None, k: int = k, words: str = words) -> None:
            if on_run is not None:
                on_run((k + share) / len(rides), words)

        if should_stop is not None and should_stop():
            break
        going(0.0, 0.0, None)
        made = project if factor == 1.0 else with_stiffness(project, results, rider, contact, factor)
        if alone:
            own = [body for body in results.names.bodies if body.startswith(f"{rider}/")]
            ridden = ride_again(results, own, made, on_progress=going, should_stop=should_stop)
        else:
            ridden = simulate(made, on_progress=going, should_stop=should_stop)
        found[rider, contact, factor] = _results_of(ridden, rider, made)

    def of(peak: Peak, contact: str, factor: float) -> CriterionResult | None:
        return found.get((peak.rider, contact, factor), {}).get((peak.part, peak.result.criterion))

    return tuple(
        Stiffness(
            peak,
            half=of(peak, peak.contact, FACTORS[0]),
            twice=of(peak, peak.contact, FACTORS[1]),
            again=of(peak, "", 1.0),
            alone=alone,
        )
        for peak in peaks
    )


def _rides(peaks: Sequence[Peak], *, as_is: bool) -> Iterator[tuple[str, str, float]]:
    """Rider, contact and factor of each ride that peaks ask for; as_is: each rider once with nothing changed."""
    asked = dict.fromkeys((peak.rider, peak.contact) for peak in peaks)
    for rider in dict.fromkeys(rider for rider, _ in asked):
        if as_is:
            yield rider, "", 1.0
        yield from ((who, contact, f) for who, contact in asked if who == rider for f in FACTORS)


def _results_of(results: Results, rider: str, project: Project) -> dict[tuple[str, str], CriterionResult]:
    found: dict[tuple[str, str], CriterionResult] = {}
    for part in PARTS:
        try:
            every = judge_part(results, rider, part, project.evaluation)
        except InputError:  # the ride was stopped at once
            continue
        found |= {(part, one.criterion): one for one in every}
    return found
