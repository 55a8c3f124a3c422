"""check_assembly against oddities of known size, put into an assembly in a general pose."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ridewright.core.base.frames import from_rotation_vector, rotation_matrix
from ridewright.core.model.assembly import Assembly, Seat
from ridewright.core.model.bodies import Body
from ridewright.core.model.consistency import Thresholds, check_assembly
from ridewright.core.model.drivers import Driver
from ridewright.core.model.forces.force import AppliedForce
from ridewright.core.model.forces.rotational_spring import RotationalSpring
from ridewright.core.model.forces.spring import SpringDamper
from ridewright.core.model.functions import TableFunction, TimeFunction, constant
from ridewright.core.model.joints import Joint

TURN_A, TURN_B = from_rotation_vector([0.3, -0.7, 0.5]), from_rotation_vector([-0.9, 0.2, 0.4])
PLACE_A, PLACE_B = np.array([1.3, -0.4, 2.2]), np.array([0.7, 0.9, 1.1])


def _body(name, place, turn, inertia=(1.0, 1.2, 1.1)):
    return Body(name=name, mass=2.0, inertia=inertia, position=tuple(place), orientation=tuple(turn))


def _in(place, turn, point):
    """A world point in body axes."""
    return tuple(rotation_matrix(turn).T @ (np.asarray(point) - place))


def _pair(kind, gap=(0.0, 0.0, 0.0), tilt=0.0, **more):
    """Two bodies joined at a world point; body b's point off by `gap` (m), its axis turned by `tilt` (rad)."""
    point, axis = np.array([1.1, 0.2, 1.7]), np.array([0.48, 0.6, 0.64])
    across = np.cross(axis, [0.0, 0.0, 1.0])
    across /= np.linalg.norm(across)
    other = across if kind == "universal" else axis
    about = axis if kind == "universal" else across
    turned = rotation_matrix(from_rotation_vector(tilt * np.cross(other, about))) @ other
    joint = Joint(
        name="J",
        kind=kind,
        body_i="a",
        body_j="b",
        point_i=_in(PLACE_A, TURN_A, point),
        point_j=_in(PLACE_B, TURN_B, point + np.asarray(gap)),
        axis_i=tuple(rotation_matrix(TURN_A).T @ axis),
        axis_j=tuple(rotation_matrix(TURN_B).T @ turned),
        **more,
    )
    return Assembly(
        name="Rig",
        role="rig",
        bodies=(_body("a", PLACE_A, TURN_A), _body("b", PLACE_B, TURN_B)),
        joints=(joint,),
    )


@pytest.mark.parametrize("kind", ["revolute", "spherical", "universal", "cylindrical", "prismatic", "rigid"])
def test_that_a_well_drawn_joint_has_no_finding(kind):
    assert check_assembly(_pair(kind), Thresholds(gap=1e-12, angle=1e-12)) == ()


def test_that_axes_that_point_in_opposite_directions_are_fine():
    assert check_assembly(_pair("revolute", tilt=math.pi), Thresholds(angle=1e-9)) == ()


@pytest.mark.parametrize("kind", ["revolute", "spherical", "universal"])
def test_that_a_gap_is_measured(kind):
    (found,) = check_assembly(_pair(kind, gap=(0.002, -0.001, 0.002)))
    assert (found.kind, found.element) == ("joint gap", "J")
    assert found.value == pytest.approx(0.003, abs=1e-12)
    assert "3 mm" in found.message


@pytest.mark.parametrize("kind", ["cylindrical", "prismatic"])
def test_that_a_sliding_joint_may_be_apart_along_its_axis_only(kind):
    axis = np.array([0.48, 0.6, 0.64])
    assert check_assembly(_pair(kind, gap=0.3 * axis)) == ()
    aside = np.cross(axis, [1.0, 0.0, 0.0])
    (found,) = check_assembly(_pair(kind, gap=0.3 * axis + 0.004 * aside / np.linalg.norm(aside)))
    assert found.value == pytest.approx(0.004, abs=1e-12)


@pytest.mark.parametrize("kind", ["revolute", "cylindrical", "prismatic"])
def test_that_skew_axes_are_measured(kind):
    found = {f.kind: f for f in check_assembly(_pair(kind, tilt=0.02))}
    assert found["joint angle"].value == pytest.approx(0.02, abs=1e-9)


def test_that_the_arms_of_a_cross_must_be_perpendicular():
    (found,) = check_assembly(_pair("universal", tilt=0.03))
    assert found.kind == "universal axes"
    assert found.value == pytest.approx(0.03, abs=1e-9)


def test_that_a_distance_joint_is_compared_with_its_length():
    gap = np.array([0.3, 0.4, 1.2])
    assert check_assembly(_pair("distance", gap=gap)) == ()
    assert check_assembly(_pair("distance", gap=gap, length=1.3)) == ()
    (found,) = check_assembly(_pair("distance", gap=gap, length=1.25))
    assert found.value == pytest.approx(0.05, abs=1e-12)


def _spring(**more):
    length = float(np.linalg.norm(PLACE_B - PLACE_A))
    bodies = (_body("a", PLACE_A, TURN_A), _body("b", PLACE_B, TURN_B))
    force = SpringDamper(name="S", body_i="a", body_j="b", **more)
    return length, Assembly(name="Rig", role="rig", bodies=bodies, forces=(force,))


def test_that_a_loaded_spring_is_named_with_its_force():
    length, _ = _spring()
    _, rig = _spring(stiffness=2000.0, free_length=length + 0.03)
    (found,) = check_assembly(rig)
    assert (found.kind, found.unit) == ("load as drawn", "N")
    assert found.value == pytest.approx(-60.0, abs=1e-9)
    assert "pushes" in found.message
    assert check_assembly(_spring(stiffness=2000.0, free_length=length)[1]) == ()
    off = rig.forces[0].model_copy(update={"enabled": False})
    kinds = {f.kind for f in check_assembly(rig.model_copy(update={"forces": (off,)}))}
    assert kinds == {"unconnected body"}, "a switched-off spring neither loads nor connects"


def test_that_a_spring_curve_gives_the_load():
    length, _ = _spring()
    curve = ((-0.1, -500.0), (0.0, 0.0), (0.1, 900.0))
    _, rig = _spring(free_length=length - 0.1, curve=curve)
    (found,) = check_assembly(rig)
    assert found.value == pytest.approx(900.0, abs=1e-6)
    _, rig = _spring(free_length=length - 0.05, curve=curve, curve_kind="corners")
    (found,) = check_assembly(rig)
    assert found.value == pytest.approx(450.0, abs=1e-6)


def test_that_coinciding_spring_points_are_named():
    point = (1.0, 1.0, 1.0)
    ends = {"point_i": _in(PLACE_A, TURN_A, point), "point_j": _in(PLACE_B, TURN_B, point)}
    (found,) = check_assembly(_spring(stiffness=1.0, **ends)[1])
    assert found.kind == "points coincide"


def test_that_a_preloaded_rotational_spring_is_named():
    rig = _pair("revolute")
    force = RotationalSpring(name="T", joint="J", stiffness=300.0, free_angle=0.2)
    (found,) = check_assembly(rig.model_copy(update={"forces": (force,)}))
    assert (found.value, found.unit) == (pytest.approx(-60.0), "N m")


def test_that_loose_bodies_are_named():
    rig = _pair("revolute")
    loose = _body("loose", (0.0, 0.0, 5.0), TURN_A)
    (found,) = check_assembly(rig.model_copy(update={"bodies": (*rig.bodies, loose)}))
    assert (found.kind, found.element) == ("unconnected body", "loose")


def test_that_impossible_moments_are_named_and_a_lamina_is_not():
    rig = _pair("revolute")
    for inertia, kinds in (
        ((1.0, 2.0, 3.5), {"inertia"}),
        ((1.0, 2.0, 3.0), set()),
        ((0.1289, 0.128, 0.25695), set()),
    ):
        body = _body("a", PLACE_A, TURN_A, inertia)
        found = check_assembly(rig.model_copy(update={"bodies": (body, rig.bodies[1])}))
        assert {f.kind for f in found} == kinds


def _sitting(offset):
    """A rider of one body whose joint point misses the seat's by `offset` (m), on a turned and shifted seat."""
    rider = Assembly(
        role="rider",
        name="Rider",
        seat="Seat",
        bodies=(_body("pelvis", (0.1, -0.2, 0.3), TURN_B),),
        joints=(
            Joint(
                name="Hip",
                kind="spherical",
                body_i="seat",
                body_j="pelvis",
                point_i=(0.4, 0.1, -0.2),
                point_j=_in(np.array([0.1, -0.2, 0.3]), TURN_B, np.array([0.4, 0.1, -0.2]) + offset),
            ),
        ),
        head="pelvis",
        upper_torso="pelvis",
        pelvis="pelvis",
    )
    seat = Seat(name="Seat", body="a", position=(0.3, 0.2, -0.6), orientation=tuple(TURN_B))
    rig = _pair("revolute")
    return Assembly(
        name="Rig", role="rig", bodies=rig.bodies, joints=rig.joints, seats=(seat,), children=(rider,)
    )


def test_that_riders_are_checked_where_they_sit():
    assert check_assembly(_sitting(np.zeros(3)), Thresholds(gap=1e-12)) == ()
    (found,) = check_assembly(_sitting(np.array([0.003, 0.004, 0.0])))
    assert (found.element, found.value) == ("Rider/Hip", pytest.approx(0.005, abs=1e-12))


def test_that_seats_closer_than_a_person_is_wide_are_named():
    rig = _pair("revolute")
    seats = tuple(
        Seat(name=f"S{k}", body=b, position=(0.0, y, 0.0))
        for k, (b, y) in enumerate((("a", 0), ("a", 0.3), ("b", 0.1)))
    )
    (found,) = check_assembly(rig.model_copy(update={"seats": seats}))
    assert (found.kind, found.element, found.value) == ("seats too close", "S0", pytest.approx(0.3))


def _driven(function: TimeFunction) -> Assembly:
    driver = Driver(name="Motor", target="J", coordinate="angle", function=function)
    return _pair("revolute").model_copy(update={"drivers": (driver,)})


def _table(times, values):
    return TableFunction(times=tuple(map(float, times)), values=tuple(map(float, values)))


def test_that_a_table_that_jumps_is_named_with_where_its_curve_swings_to():
    """A cubic through a jump of 1 in a millisecond leaves it with its slope and turns back a third of a second on."""
    (found,) = check_assembly(_driven(_table([0, 1, 1.001, 2], [0, 0, 1, 1])))
    assert (found.kind, found.element) == ("table overshoot", "Motor")
    assert found.value > 50.0
    assert found.message.startswith("driver 'Motor': the curve through its table reaches ")
    assert "between entries of" in found.message
    force = AppliedForce(
        name="Push",
        body="a",
        components=(constant(0), _table([0, 1, 1.001, 2], [0, 0, 300, 300]), constant(0)),
    )
    rig = _pair("revolute").model_copy(update={"forces": (force,)})
    (found,) = check_assembly(rig)
    assert found.message.startswith("applied force 'Push' along y: the curve")
    off = rig.model_copy(update={"forces": (force.model_copy(update={"enabled": False}),)})
    assert check_assembly(off) == ()


@pytest.mark.parametrize(
    ("times", "values"),
    [
        (np.linspace(0, 2, 13), np.sin(2 * np.pi * np.linspace(0, 2, 13))),
        (np.arange(6), [0, 0, 0, 1, 1, 1]),
        ([0, 1, 1.2, 2], [0, 0, 0.3, 1]),
        ([0, 5], [2, 2]),
    ],
)
def test_that_tables_of_smooth_functions_and_even_steps_are_not_odd(times, values):
    assert check_assembly(_driven(_table(times, values))) == ()
