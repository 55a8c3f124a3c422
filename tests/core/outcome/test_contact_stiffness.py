"""Peaks with the contact half and twice as stiff: a rider alone on the seat's motion, against everything once more."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from ridewright.core.edits.couplings import make_train
from ridewright.core.edits.elements import delete_element
from ridewright.core.edits.riders import make_rider
from ridewright.core.edits.seats import put_seat
from ridewright.core.model.assembly import Seat
from ridewright.core.model.person import Person
from ridewright.core.outcome import contact_stiffness
from ridewright.core.outcome.contact_peaks import Peak, contact_peaks
from ridewright.core.outcome.contact_stiffness import OFF, Stiffness, half_and_twice
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import parse_project
from ridewright.core.project.scenario import SolverSettings
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate
from tests.core.outcome.test_contact_peaks import fallen


@cache
def two_fallen() -> Results:
    """Two men of different size who fall back onto their headrests, beside one another on one base."""
    project = parse_project(fallen().provenance["project"], "run")
    top = project.scenario.assembly
    beside = Seat(name="Beside", body="Base", position=(0.0, 0.9, 0.0))
    top = top.model_copy(update={"seats": (*top.seats, beside)})
    project = project.model_copy(update={"scenario": project.scenario.model_copy(update={"assembly": top})})
    project = put_seat(project, (), "Beside", "sit_down")
    small = Person(stature=1.68, mass=66.0, held=False, hinges=True)
    return simulate(make_rider(project, (), small, "Beside")[0])


def of_heads(run: Results) -> list[Peak]:
    return [one for one in contact_peaks(run).peaks if one.part == "head" and one.contact == "Headrest"]


def test_that_a_rider_alone_comes_to_what_everybody_comes_to() -> None:
    """Within 0.1 % of the limit, with half and with twice the stiffness; with nothing changed, within 0.05 %."""
    run = two_fallen()
    rider = list(run.names.riders)[1]
    peaks = [one for one in of_heads(run) if one.rider == rider]
    assert len(peaks) > 3
    alone, whole = half_and_twice(run, peaks), half_and_twice(run, peaks, whole=True)
    for one, other in zip(alone, whole, strict=True):
        limit = one.peak.result.limit
        assert one.alone
        assert not other.alone
        assert one.holds
        assert other.holds
        assert one.off < 5e-4
        assert one.half.value == pytest.approx(other.half.value, abs=1e-3 * limit)
        assert one.twice.value == pytest.approx(other.twice.value, abs=1e-3 * limit)
        assert (one.half.verdict, one.twice.verdict) == (other.half.verdict, other.twice.verdict)
    changed = [abs(one.half.value - one.peak.result.value) / one.peak.result.limit for one in alone]
    assert max(changed) > 0.01


@pytest.mark.nightly
def test_that_a_rider_alone_comes_to_what_the_whole_train_comes_to() -> None:
    """Two cars of two riders each over the first hills of the GateKeeper: half of the values within half a percent of
    the limit, with nothing changed and with half and twice the stiffness. Some riders are thrown about so much that
    the run itself does not repeat itself at another tolerance."""
    project = make_train(load_example("gatekeeper"), "helix", 2, riders="full")
    ridden = project.scenario.model_copy(update={"duration": 5.0, "speed": 32.0})
    tolerance = SolverSettings().tolerance
    settings = project.settings.model_copy(update={"tolerance": tolerance})
    project = project.model_copy(update={"scenario": ridden, "settings": settings})
    for car in project.train.children:
        for rider in car.riders:
            project = delete_element(project, "assembly", (car.name, rider.name))
        for seat, mass in zip(car.seats[:2], (77.0, 96.0), strict=True):
            project = put_seat(project, (car.name,), seat.name, "sit_down")
            man = Person(stature=1.77, mass=mass, sex="male", neck="braced", held=False)
            project, _ = make_rider(project, (car.name,), man, seat.name)
    run = simulate(project)
    assert run.status.complete
    peaks = contact_peaks(run).peaks
    assert len({(one.rider, one.contact) for one in peaks}) > 5
    alone, whole = half_and_twice(run, peaks), half_and_twice(run, peaks, whole=True)
    off = np.array([one.off for one in alone])
    assert np.median(off) < 0.005
    assert np.mean(off <= OFF) > 0.8
    apart = np.array([
        abs(getattr(one, end).value - getattr(other, end).value)
        / max(one.peak.result.limit, abs(one.peak.result.value))
        for one, other in zip(alone, whole, strict=True)
        if one.holds
        for end in ("half", "twice")
    ])  # fmt: skip
    assert np.median(apart) < 0.005
    assert np.mean(apart < 0.05) > 0.9


def test_that_a_single_rider_rides_with_everything_unless_that_takes_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = fallen()
    peak = of_heads(run)[0]
    told: list[tuple[float, str]] = []
    (whole,) = half_and_twice(run, [peak], lambda share, words: told.append((share, words)))
    assert not whole.alone
    assert whole.again is None
    assert next(words for _, words in told) == "Rider: Headrest, 0.5 times as stiff"
    assert [share for share, _ in told] == sorted(share for share, _ in told)
    monkeypatch.setattr(contact_stiffness, "LIGHT", 0)
    (alone,) = half_and_twice(run, [peak])
    assert alone.alone
    assert alone.again.value == pytest.approx(peak.result.value, rel=1e-3)
    assert alone.half.value == pytest.approx(whole.half.value, rel=1e-2)


def test_that_a_ride_that_misses_the_run_is_no_measure() -> None:
    (peak,) = of_heads(fallen())[:1]
    own = peak.result
    missed = own.model_copy(update={"value": own.value + 1.5 * OFF * own.limit})
    made = Stiffness(peak, half=own, twice=own, again=missed, alone=True)
    assert made.off == pytest.approx(1.5 * OFF)
    assert not made.holds
    assert "would say nothing" in made.sentence
    near = made._replace(again=own.model_copy(update={"value": own.value + 0.5 * OFF * own.limit}))
    assert near.holds
    assert near.sentence.endswith("the verdict stays")
    assert not made._replace(again=None).holds
    assert made._replace(alone=False).holds


def test_that_a_ride_that_is_stopped_gives_no_value() -> None:
    (peak,) = of_heads(two_fallen())[:1]
    (made,) = half_and_twice(two_fallen(), [peak], should_stop=lambda: True)
    assert (made.half, made.twice, made.again) == (None, None, None)
    assert "half as stiff unknown, twice unknown" in made.sentence
