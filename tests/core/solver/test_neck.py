"""The load of the neck against what the joint and the muscles of the model carry, and against a head at rest."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.base.frames import from_rotation_vector, rotation_matrix
from ridewright.core.edits.riders import make_rider
from ridewright.core.edits.seats import put_seat
from ridewright.core.model.assembly import Assembly, Seat
from ridewright.core.model.bodies import GROUND, Body
from ridewright.core.model.forces.air_drag import AirDrag
from ridewright.core.model.forces.spring import SpringDamper
from ridewright.core.model.joints import Joint
from ridewright.core.model.person import Person
from ridewright.core.multibody.compile import compile_system
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig
from ridewright.core.results.results import Results
from ridewright.core.results.sampler import Sampler
from ridewright.core.run.neck import neck_cuts, neck_load, outside_loads
from ridewright.core.run.simulate import simulate
from ridewright.core.solver.motion import moved, ready

RIDER, HEAD, JOINT = "Car/Rider", "Car/Rider/Head", "Car/Rider/Upper neck joint"
HEAD_REST = SpringDamper(
    name="Head rest",
    body_i="seat",
    point_i=(-0.05, 0.04, 0.9),
    body_j="Head",
    point_j=(-0.09, 0.01, 0.03),
    stiffness=4000.0,
    damping=50.0,
    free_length=0.2,
)


def ride(*forces: SpringDamper | AirDrag) -> Project:
    project = load_example("looping_star")
    assert project.train is not None
    car = project.train.children[0]
    rider = car.riders[0]
    rider = rider.model_copy(update={"forces": (*rider.forces, *forces)})
    train = project.train.model_copy(update={"children": (car.model_copy(update={"children": (rider,)}),)})
    scenario = project.scenario.model_copy(update={"start": 40.0, "speed": 20.0, "duration": 0.4})
    return project.model_copy(update={"train": train, "scenario": scenario})


def carried(results: Results) -> tuple[np.ndarray, np.ndarray]:
    """Force and moment about the joint on the head, world axes: reaction of the joint and pull of the muscles."""
    states, names = results.states, results.names
    joint = states.reactions[:, names.joints.index(JOINT)]
    # body_i of the joint is the neck; the head feels the opposite
    force, moment = -joint[:, :3], -joint[:, 3:]
    head, torso = names.bodies.index(HEAD), names.bodies.index("Car/Rider/Upper Torso")
    turn, base = rotation_matrix(states.orientation[:, head]), rotation_matrix(states.orientation[:, torso])
    at_joint = states.position[:, head] + turn @ [-0.051, 0.0, -0.02]
    for side, point in (
        ("right", [0.051, -0.0805, 0.335]),
        ("left", [0.051, 0.0805, 0.335]),
        ("below", [0.051, 0.0, 0.2545]),
    ):
        pull = states.spring_force[:, names.springs.index(f"Car/Rider/Head to upper torso {side}")]
        line = states.position[:, torso] + base @ point - states.position[:, head]
        each = pull[:, None] * line / np.linalg.norm(line, axis=1, keepdims=True)
        force = force + each
        moment = moment + np.cross(states.position[:, head] - at_joint, each)
    return np.einsum("nji,nj->ni", turn, force), np.einsum("nji,nj->ni", turn, moment)


@pytest.mark.parametrize("forces", [(), (HEAD_REST,)], ids=["free head", "head rest"])
def test_that_the_neck_carries_what_its_joint_and_its_muscles_carry(forces) -> None:
    project = ride(*forces)
    results = simulate(project)
    cut = neck_cuts(project)[RIDER]
    system = compile_system(project, speed=20.0)
    sampler = Sampler(results.states, results.states.time)
    head = sampler.body(results.names.bodies.index(HEAD))
    outside = outside_loads([cut], system, results.states)[cut.rider]
    force, moment = neck_load(cut, head, np.array(project.gravity), outside)
    expected_force, expected_moment = carried(results)
    sae = np.array([1.0, -1.0, -1.0])
    # what the last Newton step of the solver leaves open, beside loads of 40 N and 2 N m
    assert force == pytest.approx(sae * expected_force, abs=2e-2)
    assert moment == pytest.approx(sae * expected_moment, abs=2e-3)
    assert np.ptp(expected_force, axis=0).min() > 1.0
    assert (np.abs(outside[0]).max() > 10.0) == bool(forces)


def test_that_the_channels_are_in_the_signs_of_sae_j1733() -> None:
    """A head that pushes down on its neck compresses it; its centre of mass ahead of the joint bends it forward."""
    project = ride()
    scenario = project.scenario.model_copy(
        update={"start": 2.0, "speed": 0.0, "duration": 0.5, "settled": True}
    )
    results = simulate(project.model_copy(update={"scenario": scenario}))
    force = results.channels[f"rider/{RIDER}/neck/force"].values
    moment = results.channels[f"rider/{RIDER}/neck/moment"].values
    weight = 4.241 * 9.81
    assert force[0, 2] == pytest.approx(-weight, rel=0.02)
    assert moment[0, 1] == pytest.approx(0.051 * weight, rel=0.1)
    assert moment[0, 1] > 0.0


def test_that_a_neck_is_left_out_where_the_motion_does_not_tell_its_load() -> None:
    drag = AirDrag(name="Wind on the head", body="Head", drag_area=0.03)
    assert neck_cuts(ride(drag)) == {}
    results = simulate(ride(drag))
    assert f"rider/{RIDER}/neck/force" not in results.channels
    assert f"rider/{RIDER}/head/angular_acceleration" in results.channels


def test_that_what_a_headrest_puts_on_the_head_is_no_load_of_the_neck() -> None:
    """A man who lies on his back: the joint's own reaction, muscles being moments, is what the neck carries."""
    back = from_rotation_vector(np.array([0.0, -1.2, 0.0]))
    base = Body(
        name="Base", mass=50.0, inertia=(5.0, 5.0, 5.0), position=(0.0, 0.0, 0.0), orientation=tuple(back.tolist())
    )  # fmt: skip
    rig = Assembly(
        name="Rig", role="rig", bodies=(base,),
        joints=(Joint(name="Fixed", kind="rigid", body_i=GROUND, body_j="Base"),),
        seats=(Seat(name="Seat", body="Base", position=(0.0, 0.0, 0.0)),),
    )  # fmt: skip
    project = Project(name="Lying", scenario=Rig(assembly=rig, duration=0.3))
    muscles = dict.fromkeys(("neck", "trunk", "legs", "arms"), "normal")
    man = Person(stature=1.75, mass=75.0, held=False, hinges=True, **muscles)
    project = make_rider(put_seat(project, (), "Seat", "sit_down"), (), man)[0]
    results = simulate(project)
    states, names = moved(ready(project)).record[0], results.names  # with all that friction remembers
    system, cut = compile_system(project), neck_cuts(project)["Rider"]
    outside = outside_loads([cut], system, states)[cut.rider]
    head = Sampler(states, states.time).body(names.bodies.index("Rider/Head"))
    force, _ = neck_load(cut, head, np.array(project.gravity), outside)
    joint = next(k for k, name in enumerate(names.joints) if name.endswith("C1-Head"))
    turn = rotation_matrix(states.orientation[:, names.bodies.index("Rider/Head")])
    carried_by = np.einsum("nji,nj->ni", turn, states.reactions[:, joint, :3]) * np.array([1.0, -1.0, -1.0])
    side = np.sign((carried_by * force).sum())  # which of its two bodies the joint names first
    assert np.abs(outside[0]).max() > 20.0
    assert force == pytest.approx(side * carried_by, abs=0.1)
    alone, _ = neck_load(cut, head, np.array(project.gravity), (0.0 * outside[0], 0.0 * outside[1]))
    assert np.abs(alone - side * carried_by).max() > 20.0
