"""What presses on thighs and chest, against closed forms: a shin that leans on its knee, a chest that meets a pad."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ridewright.core.base.frames import rotation_matrix
from ridewright.core.model.assembly import Assembly, Seat
from ridewright.core.model.bodies import GROUND, Body
from ridewright.core.model.joints import Joint
from ridewright.core.model.restraints import Restraint
from ridewright.core.model.seats import Padding, SeatPart, SeatShape
from ridewright.core.model.surfaces import Box, Sphere
from ridewright.core.outcome.contact_peaks import Pressed, contact_peaks
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate

G, RADIUS = 9.81, 0.1
FLESH = Padding(stiffness=1e6, exponent=1.0, restitution=0.1, friction=0.9)
PAN = SeatPart(
    kind="pan", padding=FLESH, surface=Box(name="Pan", half_sizes=(1.0, 0.5, 0.05), position=(0.3, 0.0, -0.05))
)  # fmt: skip
BACK = SeatPart(
    kind="back", padding=FLESH, surface=Box(name="Back", half_sizes=(0.05, 0.5, 0.5), position=(-0.15, 0.0, 0.5))
)  # fmt: skip


def ridden(
    rider: Assembly, gravity: tuple[float, float, float], restraint: Restraint | None, duration: float
) -> Results:
    """Somebody whom nothing but pan, back and restraint of a fixed seat hold."""
    base = Body(name="Base", mass=100.0, inertia=(5.0, 5.0, 5.0), position=(0.0, 0.0, 0.0))
    seat = Seat(
        name="Seat", body="Base", position=(0.0, 0.0, 0.0), restraint=restraint,
        shape=SeatShape(name="Plate", parts=(PAN, BACK)),
    )  # fmt: skip
    rig = Assembly(
        name="Rig", role="rig", bodies=(base,), seats=(seat,), children=(rider,),
        joints=(Joint(name="Fixed", kind="rigid", body_i=GROUND, body_j="Base"),),
    )  # fmt: skip
    run = simulate(Project(name="Pressed", gravity=gravity, scenario=Rig(assembly=rig, duration=duration)))
    assert run.status.name == "done"
    return run


def pressed(run: Results) -> Pressed:
    (found,) = contact_peaks(run).pressed
    return found


def ball(name: str, mass: float, at: tuple[float, float, float], touching: bool = True) -> Body:
    skin = (Sphere(name="Skin", radius=RADIUS),) if touching else ()
    return Body(name=name, mass=mass, inertia=(0.2, 0.2, 0.2), position=at, surfaces=skin)


@pytest.mark.parametrize("thigh_first", [True, False])
@pytest.mark.parametrize("forwards", [False, True])
def test_that_a_thigh_carries_along_it_what_leans_on_its_knee(thigh_first: bool, forwards: bool) -> None:
    """A shin whose middle is at the knee presses there with m (g - a); what pulls on a thigh is no compression."""
    shin, lean = 7.0, 0.4
    bodies = (
        ball("Pelvis", 40.0, (0.0, 0.0, RADIUS)), ball("Left Thigh", 10.0, (0.3, 0.0, RADIUS)),
        ball("Left Calf", shin, (0.5, 0.0, RADIUS), touching=False),
    )  # fmt: skip
    ends = [("Left Thigh", (0.2, 0.0, 0.0)), ("Left Calf", (0.0, 0.0, 0.0))]
    (body_i, point_i), (body_j, point_j) = ends if thigh_first else ends[::-1]
    joints = (
        Joint(name="Left hip", kind="rigid", body_i="Pelvis", body_j="Left Thigh"),
        Joint(
            name="Left knee", kind="revolute", body_i=body_i, point_i=point_i, body_j=body_j, point_j=point_j,
            axis_i=(0.0, 1.0, 0.0), axis_j=(0.0, 1.0, 0.0),
        ),
    )  # fmt: skip
    whole = dict.fromkeys(("head", "upper_torso", "pelvis"), "Pelvis")
    rider = Assembly(name="Man", role="rider", seat="Seat", bodies=bodies, joints=joints, **whole)
    gravity = np.array([G * math.sin(lean) * (1.0 if forwards else -1.0), 0.0, -G * math.cos(lean)])
    run = ridden(rider, tuple(gravity.tolist()), None, 0.3)
    knee = shin * (gravity - run.states.acceleration[:, run.names.bodies.index("Man/Left Calf")])
    turned = rotation_matrix(run.states.orientation[:, run.names.bodies.index("Man/Left Thigh")])
    inwards = -np.einsum("ni,ni->n", knee, turned[:, :, 0])
    found = pressed(run)
    assert found.thigh == pytest.approx(max(float(inwards.max()), 0.0), rel=1e-6)
    if not forwards:
        assert found.thigh is not None
        assert found.thigh > shin * G * math.sin(lean) * 0.99
    assert found.chest is None  # there is no restraint


def test_that_a_chest_that_falls_onto_a_pad_goes_twice_as_deep_as_it_would_lie() -> None:
    """m x'' = m g - k x from rest at the touch: 2 m g / k at the deepest, since the pad loses nothing."""
    mass, k = 60.0, 1e5
    pad = Restraint(
        kind="vest", name="Pad", motion="slides", axis=(-1.0, 0.0, 0.0), slide=0.1,
        pads=(Box(name="Plate", half_sizes=(0.05, 0.5, 0.5), position=(2.0 * RADIUS + 0.05, 0.0, 0.5)),),
        padding=Padding(stiffness=k, exponent=1.0, damping=0.0, friction=0.0),
    )  # fmt: skip
    whole = dict.fromkeys(("head", "upper_torso", "pelvis"), "Thorax")
    rider = Assembly(
        name="Man", role="rider", seat="Seat", bodies=(ball("Thorax", mass, (0.0, 0.0, 0.5)),), **whole
    )
    found = pressed(ridden(rider, (G, 0.0, 0.0), pad, 0.2))
    assert found.chest == pytest.approx(2.0 * mass * G / k, rel=1e-3)
    assert found.thigh is None
