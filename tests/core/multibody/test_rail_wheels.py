"""Wheels with clearance: each bears what presses on it where its clearance is used up, and what is put in is kept."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.edits.elements import set_assembly
from ridewright.core.edits.wheels import give_clearance
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.consistency import check_assembly
from ridewright.core.model.forces.dry_friction import DryFriction
from ridewright.core.model.forces.rail_wheels import ONSET, RailWheels
from ridewright.core.model.guides import Guide
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig
from ridewright.core.run.simulate import simulate

MASS, K, G = 100.0, 1e5, 9.81
CLEAR = {"side_clearance": 0.003, "up_clearance": 0.002}


def carried(gravity: tuple[float, float, float], **fields: float) -> Project:
    """A body on wheels at the middle of a straight track, 0.1 m above the centreline."""
    track = load_example("straight").track
    assert track is not None
    bodies = tuple(
        Body(name=name, mass=mass, position=(0.0, 0.0, 0.0), inertia=(1.0, 1.0, 1.0))
        for name, mass in (("Wheelset", 10.0), ("Chassis", MASS))
    )
    wheels = RailWheels(
        name="w", body_i="Wheelset", body_j="Chassis", road_stiffness=2.0 * K, up_stiffness=K, side_stiffness=K,
        **{**CLEAR, "damping": 3.0, **fields},
    )  # fmt: skip
    guide = Guide(name="g", kind="full", body="Wheelset", path="centreline")
    rig = Assembly(name="Rig", role="rig", bodies=bodies, guides=(guide,), forces=(wheels,))
    return Project(name="wheels", track=track, gravity=gravity, scenario=Rig(assembly=rig, duration=1.5))


@pytest.mark.parametrize(
    ("gravity", "axis", "rests"),
    [((0.0, 0.0, -G), 2, -(MASS * G / (2.0 * K) + 0.5 * ONSET)),
     ((0.0, 0.0, G), 2, 0.002 + MASS * G / K + 0.5 * ONSET),
     ((0.0, -G, 0.0), 1, -(0.003 + MASS * G / K + 0.5 * ONSET)),
     ((0.0, G, 0.0), 1, 0.003 + MASS * G / K + 0.5 * ONSET)],
)  # fmt: skip
def test_that_each_wheel_bears_the_weight_behind_its_clearance(
    gravity: tuple[float, float, float], axis: int, rests: float
) -> None:
    run = simulate(carried(gravity))
    wheelset, chassis = (run.states.position[-1, k] for k in range(2))
    moved = chassis - wheelset
    assert moved[axis] == pytest.approx(rests, rel=2e-3)
    assert np.delete(moved, axis) == pytest.approx([0.0, 0.0], abs=1e-6)


def test_that_a_car_keeps_its_bodies_and_loses_slides_and_their_springs() -> None:
    project = load_example("straight")
    made, said = give_clearance(project, ("Car",), {"side_clearance": 0.004})
    old, new = (one.assembly.children[0] for one in (project, made))
    assert new.bodies == old.bodies
    assert {one.kind for one in new.guides} == {"full"}
    assert not [one for one in new.joints if one.kind == "prismatic"]
    wheels = [one for one in new.forces if isinstance(one, RailWheels)]
    assert len(wheels) == 4
    assert {one.side_clearance for one in wheels} == {0.004}
    assert len(new.forces) == len(old.forces)  # four springs went
    assert check_assembly(made.assembly) == check_assembly(project.assembly)
    assert said.startswith("4 wheelsets")
    slide = next(one for one in old.joints if one.kind == "prismatic")
    rubbing = DryFriction(name="Rubbing", joint=slide.name)
    rubs = set_assembly(project, ("Car",), {"forces": (*old.forces, rubbing)})
    assert give_clearance(rubs, ("Car",))[0].assembly.children[0].forces == (
        *new.forces[:-4], *give_clearance(project, ("Car",))[0].assembly.children[0].forces[-4:],
    )  # fmt: skip
    with pytest.raises(InputError, match="No wheelset of 'Car' slides"):
        give_clearance(made, ("Car",))
    with pytest.raises(InputError, match="side_clearance: must be at least 0"):
        give_clearance(project, ("Car",), {"side_clearance": -1.0})
