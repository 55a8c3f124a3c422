"""Limbs of riders, by which nothing is judged, count less in the error of a step."""

from __future__ import annotations

import numpy as np

from ridewright.core.edits.elements import delete_element
from ridewright.core.edits.riders import make_rider
from ridewright.core.edits.seats import put_seat
from ridewright.core.model.person import Person
from ridewright.core.multibody.compile import compile_system
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import SolverSettings
from ridewright.core.results.results import Results
from ridewright.core.results.sampler import Sampler
from ridewright.core.run.simulate import simulate
from ridewright.core.solver.engine import element_weights, slot_weights

RIDDEN = 14.0  # s


def _ride(limb: float, tolerance: float = SolverSettings().tolerance, *, fourth: bool = True) -> Results:
    project = load_example("looping_star")
    settings = project.settings.model_copy(
        update={"limb_tolerance": limb, "tolerance": tolerance, "fourth_order": fourth}
    )
    scenario = project.scenario.model_copy(update={"duration": RIDDEN})
    return simulate(Project.model_copy(project, update={"settings": settings, "scenario": scenario}))


def test_that_arms_and_legs_weigh_less_with_what_acts_on_them_alone() -> None:
    system = compile_system(load_example("looping_star"), speed=5.0)
    slots = slot_weights(system, 4.0)
    weight = {name: slots[system.layout.block(b)] for b, name in enumerate(system.names)}
    assert (weight["Car/Rider/Left Hand"] == 0.25).all()
    assert (weight["Car/Rider/Head"] == 1.0).all()
    assert (slots[system.layout.paths] == 1.0).all()
    rows = dict(zip(system.elements, element_weights(system, 4.0), strict=True))
    assert rows["Car/Rider/Left forearm to upper arm"] == 0.25
    assert rows["Car/Rider/Seat pan to left upper leg"] == 0.25
    assert rows["Car/Rider/Backrest to upper torso left"] == 1.0
    assert rows["Car/Rider/Head to upper torso below"] == 1.0
    assert all(weight == 1.0 for name, weight in rows.items() if "/Rider/" not in name)
    assert (slot_weights(system, 1.0) == 1.0).all()
    assert (element_weights(system, 1.0) == 1.0).all()


def test_that_what_limbs_touch_weighs_less_once_more_and_what_head_and_trunk_touch_does_not() -> None:
    project = load_example("looping_star")
    car = project.train.children[0]  # type: ignore[union-attr]
    project = delete_element(project, "assembly", (car.name, "Rider"))
    project = put_seat(project, (car.name,), "Left seat", "sit_down")
    project, _ = make_rider(project, (car.name,), Person(stature=1.75, mass=75.0, held=False), "Left seat")
    system = compile_system(project, speed=5.0)
    rows = dict(zip(system.elements, element_weights(system, 4.0), strict=True))
    pads = {name.partition(":")[0]: weight for name, weight in rows.items() if " on Car/" in name}
    assert pads["Car/Left seat Pan, Rider Pelvis"] == pads["Car/Left seat Back, Rider Thorax"] == 1.0
    assert pads["Car/Left seat Headrest, Rider Head"] == 1.0
    assert pads["Car/Left seat Foot rest, Rider Left Foot"] == 0.0625
    assert (element_weights(system, 1.0) == 1.0).all()


def test_that_steps_do_not_begin_with_tangents_that_have_been_too_old() -> None:
    """Hands on stiff dampers turn by so much that a tangent is too old a step later: each is to begin with a new one.
    With old ones tried first it is 3.35 iterations a step."""
    solver = _ride(10.0).provenance["solver"]
    assert solver["iterations"] < 3.0 * solver["accepted"]


def _off(run: Results, judge: Results) -> float:
    """Largest distance (m) of the head in two rides."""
    times, head = np.linspace(0.0, RIDDEN, 400), run.names.bodies.index("Car/Rider/Head")
    one, other = (Sampler(ridden.states, times).body(head).position for ridden in (run, judge))
    return float(np.abs(one - other).max())


def test_that_a_ride_takes_fewer_steps_and_the_head_goes_the_same_way() -> None:
    """The head is as near to the converged motion as with limbs in full, within the tolerance's meaning. By order 4,
    whose steps are as long as they may be in either case, it is within 0.1 mm, a tenth of what order 2 is off."""
    judge, full, less = _ride(1.0, 1e-7), _ride(1.0, fourth=False), _ride(10.0, fourth=False)
    high = [_ride(limb) for limb in (1.0, 10.0)]
    steps = [one.provenance["solver"]["accepted"] for one in (full, less, *high)]
    assert steps[1] < 0.8 * steps[0]
    assert steps[3] <= steps[2] < 0.8 * steps[0]
    assert _off(less, judge) < 2.0 * _off(full, judge)
    assert all(_off(one, judge) < min(1e-4, 0.1 * _off(full, judge)) for one in high)
