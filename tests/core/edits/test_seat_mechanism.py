"""Bodies that come from elsewhere as mechanisms, on seats."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.edits.elements import set_assembly
from ridewright.core.edits.riders import Segments, seat_mechanism
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import GROUND, Body
from ridewright.core.model.forces.rotational_spring import RotationalSpring
from ridewright.core.model.joints import Joint
from ridewright.core.project.examples import load_example

HIPS = Body(name="hips", mass=40.0, inertia=(1.0, 1.0, 1.0), position=(3.0, 2.0, 1.0))
LEGS = Body(name="legs", mass=20.0, inertia=(1.0, 1.0, 1.0), position=(3.0, 2.4, 1.0))
HIP = Joint(
    name="hip", kind="revolute", body_i="hips", point_i=(0.0, 0.1, 0.0), body_j="legs", point_j=(0.0, -0.3, 0.0),
    axis_i=(1.0, 0.0, 0.0), axis_j=(1.0, 0.0, 0.0),
)  # fmt: skip
STAND = Joint(name="stand", kind="spherical", body_i=GROUND, point_i=(3.0, 2.0, 1.0), body_j="hips")
BODY = Assembly(
    name="Rig", role="rig", bodies=(HIPS, LEGS), joints=(STAND, HIP),
    forces=tuple(RotationalSpring(name=f"{one} spring", joint=one, stiffness=9.0) for one in ("stand", "hip")),
)  # fmt: skip


def test_that_a_mechanism_sits_where_a_usual_pelvis_does_and_lets_go_of_the_ground() -> None:
    empty = set_assembly(load_example("straight"), ("Car",), {"children": ()})
    made, path = seat_mechanism(
        empty, ("Car",), BODY, Segments("hips", "hips", "legs"), "Right seat", -0.5 * math.pi
    )
    assert made.train is not None
    rider = made.train.at(path)
    assert rider is not None
    assert (rider.role, rider.seat, rider.pelvis, rider.head) == ("rider", "Right seat", "hips", "legs")
    hips, legs = (np.array(one.position) for one in rider.bodies)
    assert legs - hips == pytest.approx((0.4, 0.0, 0.0), abs=1e-12)
    assert 0.0 < hips[2] < 0.3  # in the frame of the seat
    assert [(one.body_i, one.body_j) for one in rider.joints] == [("seat", "hips"), ("hips", "legs")]
    assert [one.name for one in rider.forces] == ["hip spring"]


def test_that_a_segment_that_is_not_there_is_named_with_those_that_are() -> None:
    empty = set_assembly(load_example("straight"), ("Car",), {"children": ()})
    with pytest.raises(InputError, match="There is no segment 'pelvis'; choose among hips, legs"):
        seat_mechanism(empty, ("Car",), BODY, Segments("pelvis", "hips", "legs"))
