"""Bodies that ride again while what they are joined to moves as it did in the run."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.base.frames import rotation_matrix
from ridewright.core.edits.elements import delete_element
from ridewright.core.edits.riders import make_rider
from ridewright.core.edits.seats import put_seat
from ridewright.core.model.assembly import Assembly, Seat
from ridewright.core.model.bodies import GROUND, Body
from ridewright.core.model.drivers import Driver
from ridewright.core.model.functions import AnalyticFunction, Harmonic
from ridewright.core.model.joints import Joint
from ridewright.core.model.person import Person
from ridewright.core.multibody.compile import compile_system
from ridewright.core.outcome.start import out_of_balance
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project, parse_project
from ridewright.core.project.scenario import Rig, SolverSettings
from ridewright.core.results.results import Results
from ridewright.core.results.sampler import Sampler
from ridewright.core.run.ride_again import neighbours, ride_again
from ridewright.core.run.simulate import simulate
from ridewright.core.solver.contacts import stand, standing

Y = (0.0, 1.0, 0.0)


def wheel(mass: float = 300.0, gondola: float = 1e-3, **settings: float) -> Project:
    """A free wheel that swings right over, with a gondola that swings from its rim, too light for the wheel to feel."""
    pivot = Joint(
        name="Axle",
        kind="revolute",
        body_i=GROUND,
        body_j="Wheel",
        point_i=(0.0, 0.0, 10.0),
        axis_i=Y,
        axis_j=Y,
    )
    hung = Joint(
        name="Pin", kind="revolute", body_i="Wheel", body_j="Gondola", point_i=(5.0, 0.0, 0.0),
        point_j=(0.0, 0.0, 0.8), axis_i=Y, axis_j=Y,
    )  # fmt: skip
    bodies = (
        Body(name="Wheel", mass=mass, inertia=(900.0, 1500.0, 900.0), position=(0.0, 0.0, 10.0),
             angular_velocity=(0.0, 1.9, 0.0)),
        Body(name="Gondola", mass=gondola, inertia=(0.1 * gondola,) * 3, position=(5.0, 0.0, 9.2),
             velocity=(-0.8 * 1.9, 0.0, -5.0 * 1.9), angular_velocity=(0.0, 1.9, 0.0)),
    )  # fmt: skip
    rig = Assembly(name="Rig", role="rig", bodies=bodies, joints=(pivot, hung))
    return Project(
        name="Wheel", scenario=Rig(assembly=rig, duration=4.0), settings=SolverSettings(**settings)
    )


def apart(run: Results, again: Results, body: str = "Gondola") -> float:
    """How far a body that rode again is from where it was, and turned as, in the run (m, or 1)."""
    t = np.linspace(0.0, float(run.states.time[-1]), 801)
    was, now = (Sampler(r.states, t).body(r.names.bodies.index(body)) for r in (run, again))
    turned = rotation_matrix(was.orientation) - rotation_matrix(now.orientation)
    return float(max(np.abs(was.position - now.position).max(), np.abs(turned).max()))


def test_that_what_the_rest_does_not_feel_rides_again_as_it_did() -> None:
    """By steps of order 2 the closer the tolerance, the closer; by those of order 4 at once."""
    off = []
    for tolerance, high in ((1e-5, False), (1e-7, False), (1e-5, True)):
        run = simulate(wheel(tolerance=tolerance, fourth_order=high))
        again = ride_again(run, ["Gondola"])
        assert again.status.complete
        assert set(again.names.bodies) == {"Wheel", "Gondola"}
        assert apart(run, again, "Wheel") < 1e-8
        off.append(apart(run, again))
    turned = run.states.orientation[:, run.names.bodies.index("Wheel"), 0]
    assert turned.min() < -0.9  # of the half angle's cosine: once over
    assert off[0] < 1e-6
    assert off[1] < 0.1 * off[0]
    assert off[2] < off[1]


def test_that_the_distance_of_stored_instants_counts_by_its_square() -> None:
    off = []
    for step in (0.008, 0.004):
        run = simulate(wheel(fixed_step=step))
        off.append(apart(run, ride_again(run, ["Gondola"])))
    assert off[1] == pytest.approx(off[0] / 4.0, rel=0.1)


def test_that_what_the_rest_feels_of_a_change_is_left_out() -> None:
    run = simulate(wheel(gondola=100.0, tolerance=1e-7))
    assert apart(run, ride_again(run, ["Gondola"])) < 1e-3  # the run's own motion has the feeling in it
    project = parse_project(run.provenance["project"], "run")
    scenario = project.scenario
    heavy, light = scenario.assembly.bodies[0], scenario.assembly.bodies[1].model_copy(update={"mass": 50.0})
    other = scenario.assembly.model_copy(update={"bodies": (heavy, light)})
    changed = project.model_copy(update={"scenario": scenario.model_copy(update={"assembly": other})})
    assert apart(simulate(changed), ride_again(run, ["Gondola"], changed)) > 0.1


@cache
def shaken() -> Results:
    """Two free riders beside one another on a base that is shaken to and fro."""
    base = Body(name="Base", mass=500.0, inertia=(100.0,) * 3, position=(0.0, 0.0, 1.0))
    rail = Joint(name="Rail", kind="prismatic", body_i=GROUND, body_j="Base", point_i=(0.0, 0.0, 1.0),
                 axis_i=(1.0, 0.0, 0.0), axis_j=(1.0, 0.0, 0.0))  # fmt: skip
    sway = AnalyticFunction(harmonics=(Harmonic(amplitude=0.05, omega=15.0, phase=0.4),))
    pushed = Driver(name="Push", target="Rail", coordinate="slide", function=sway)
    seats = tuple(
        Seat(name=f"Seat {k}", body="Base", position=(0.0, y, 0.0)) for k, y in enumerate((0.4, -0.4))
    )
    rig = Assembly(name="Rig", role="rig", bodies=(base,), joints=(rail,), drivers=(pushed,), seats=seats)
    project = Project(
        name="Shaken", scenario=Rig(assembly=rig, duration=0.4), settings=SolverSettings(tolerance=1e-6)
    )
    for seat in seats:
        project = put_seat(project, (), seat.name, "sit_down")
        man = Person(stature=1.75, mass=75.0, held=False, hinges=True)
        project, _ = make_rider(project, (), man, seat.name)
    return simulate(project)


def test_that_one_of_two_riders_rides_again_on_the_seats_motion() -> None:
    run = shaken()
    rider = list(run.names.riders)[1]
    own = [body for body in run.names.bodies if body.startswith(f"{rider}/")]
    project = parse_project(run.provenance["project"], "run")
    assert neighbours(project, own) == ("Base",)
    again = ride_again(run, own)
    assert set(again.names.bodies) == {"Base", *own}
    assert list(again.names.riders) == [rider]
    touching = [name for name in run.names.springs if name in again.names.springs]
    assert len(touching) > 40
    felt = [name for name in run.channels if name.startswith(f"rider/{rider}/")]
    assert len(felt) == 7
    for name in felt:
        was, now = run.channels[name].values, again.channels[name].values
        assert now == pytest.approx(was, abs=0.01 * np.abs(was).max()), name


def test_that_friction_holds_from_where_it_held_in_the_run() -> None:
    """Of a rider who begins at rest, by the friction of the seat: forces at the start are those of the run."""
    project = load_example("straight")
    (car,) = project.train.children
    for rider in car.riders:
        project = delete_element(project, "assembly", (car.name, rider.name))
    project = put_seat(project, (car.name,), car.seats[0].name, "sit_down")
    man = Person(stature=1.75, mass=75.0, held=False)
    project, _ = make_rider(project, (car.name,), man, car.seats[0].name)
    scenario = project.scenario.model_copy(update={"settled": True, "duration": 0.1})
    run = simulate(project.model_copy(update={"scenario": scenario}))
    (rider,) = run.names.riders
    own = [body for body in run.names.bodies if body.startswith(f"{rider}/")]
    again = ride_again(run, own)
    was = run.states.spring_force[0, [run.names.springs.index(name) for name in again.names.springs]]
    assert np.abs(was).max() > 300.0
    assert again.states.spring_force[0] == pytest.approx(was, abs=1e-6)
    felt = f"rider/{rider}/pelvis/acceleration"
    assert again.channels[felt].values == pytest.approx(run.channels[felt].values, abs=1e-5)
    assert again.channels["car/Car/speed"].values == pytest.approx(run.channels["car/Car/speed"].values)
    assert out_of_balance(again) is None
    assert out_of_balance(ride_again(run, own, parse_project(run.provenance["project"], "run")))


def test_that_a_ride_again_says_what_it_has_not() -> None:
    run = simulate(wheel())
    with pytest.raises(InputError, match="no motion of body 'Cabin'"):
        ride_again(run, ["Cabin"])
    with pytest.raises(InputError, match="no motion to go on"):
        ride_again(run, [])


def test_that_what_follows_the_track_is_no_rider() -> None:
    project = load_example("straight")
    scenario = project.scenario.model_copy(update={"duration": 0.05})
    run = simulate(project.model_copy(update={"scenario": scenario}))
    wheels = [name for name in run.names.bodies if "/Rider" not in name]
    with pytest.raises(InputError, match="What follows the track rides as a whole"):
        ride_again(run, run.names.bodies)
    with pytest.raises(InputError, match="What follows the track rides as a whole"):
        ride_again(run, wheels)


def test_that_a_rider_on_the_ground_rides_again_by_itself() -> None:
    """Nothing moves that carries the rider: the ride is the same step by step."""
    seat = Seat(name="Seat", body=GROUND, position=(0.0, 0.0, 0.0))
    base = Body(name="Base", mass=5.0, inertia=(1.0,) * 3, position=(3.0, 0.0, 0.0))
    held = Joint(name="Held", kind="rigid", body_i=GROUND, body_j="Base")
    rig = Assembly(name="Rig", role="rig", bodies=(base,), joints=(held,), seats=(seat,))
    project = put_seat(Project(name="Sat", scenario=Rig(assembly=rig, duration=0.1)), (), "Seat", "sit_down")
    project, _ = make_rider(project, (), Person(stature=1.75, mass=75.0, held=False), "Seat")
    run = simulate(project)
    own = [body for body in run.names.bodies if body.startswith("Rider/")]
    again = ride_again(run, own)
    assert set(again.names.bodies) == set(own)
    was = run.states.position[-1, [run.names.bodies.index(body) for body in again.names.bodies]]
    assert again.states.position[-1] == pytest.approx(was, abs=1e-7)


def test_that_a_run_keeps_of_pairs_how_they_met_and_where_friction_held_at_the_start() -> None:
    run = shaken()
    pairs = [name for name in run.names.springs if f"{name} slip" in run.names.springs]
    system = compile_system(parse_project(run.provenance["project"], "run"))
    assert run.states.memory.shape[1] == 2 * len(pairs) < len(system.new_work().memory)
    touched = (run.states.memory[:, ::2] > 0.0) == (
        run.states.spring_length[:, [run.names.springs.index(name) for name in pairs]] > 0.0
    )
    assert touched.mean() > 0.99  # within the rounding of a touch
    assert set(run.provenance["touching"]) <= set(pairs)
    memory = np.zeros_like(system.new_work().memory)
    stand(system, memory, run.provenance["touching"])
    assert standing(system, memory) == run.provenance["touching"]
