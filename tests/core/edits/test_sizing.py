"""New springs, dampers and joints: sized for the masses they are between, and fitting as drawn."""

from __future__ import annotations

import math

import numpy as np
import pytest

import ridewright as rw
from ridewright.core.edits.elements import add_element
from ridewright.core.edits.new_elements import new_force, new_joint
from ridewright.core.edits.sizing import Ends
from ridewright.core.model.assembly import Assembly, Seat
from ridewright.core.model.bodies import GROUND, Body
from ridewright.core.model.consistency import check_assembly
from ridewright.core.model.forces import TYPES
from ridewright.core.model.joints import TYPES as JOINTS
from ridewright.core.model.joints import Joint
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig

FREQUENCY = math.sqrt(9.81 / 0.05)  # rad/s
HALF_TURNS = (0.5, 0.5, 0.5, 0.5), (math.cos(0.3), 0.0, math.sin(0.3), 0.0)


def _body(name, mass, position, **fields):
    return Body(name=name, mass=mass, inertia=(0.1 * mass,) * 3, position=position, **fields)


def _project(**parts) -> Project:
    return Project(name="p", scenario=Rig(assembly=Assembly(name="Rig", role="rig", **parts)))


def _with(project: Project, kind: str, **given) -> Project:
    make = new_joint if kind in JOINTS else new_force
    made = make(project.assembly, kind, **given)
    return add_element(project, "joint" if kind in JOINTS else "force", (), made)[0]


def test_that_a_body_gives_50_mm_and_swings_at_a_third_of_critical():
    slide = Joint(
        name="Slide", kind="prismatic", body_i=GROUND, body_j="Block", point_i=(0, 0, 2),
        axis_i=(0, 0, 1), axis_j=(0, 0, 1),
    )  # fmt: skip
    bare = _project(bodies=(_body("Block", 240.0, (0.0, 0.0, 2.0)),), joints=(slide,))
    sprung = _with(bare, "spring")
    moved = rw.equilibrium(sprung).bodies[0]
    assert np.linalg.norm(moved.shift) == pytest.approx(0.05, rel=5e-3)
    (pair,) = [m for m in rw.modes(sprung).modes if m.frequency > 0.0][:1]
    assert 2.0 * math.pi * pair.frequency == pytest.approx(FREQUENCY, rel=5e-3)
    assert pair.damping == pytest.approx(0.3, rel=1e-2)


def test_that_two_free_masses_swing_with_their_reduced_mass_and_who_sits_there():
    seat = Seat(name="Seat", body="Two", position=(0, 0, 0), passenger=100.0)
    holder = _project(
        bodies=(_body("One", 300.0, (0, 0, 1)), _body("Two", 50.0, (0, 0, 2))), seats=(seat,)
    ).assembly
    spring = new_force(holder, "spring")
    reduced = 300.0 * 150.0 / 450.0
    assert spring.stiffness == pytest.approx(reduced * 9.81 / 0.05, rel=5e-3)
    assert spring.damping == pytest.approx(2.0 * 0.3 * reduced * FREQUENCY, rel=5e-3)
    assert spring.free_length == pytest.approx(1.0)


def test_that_what_joints_hold_together_moves_together_and_what_is_held_does_not_give_way():
    bodies = tuple(
        _body(name, mass, (x, 0, 1)) for name, mass, x in (("A", 100, 0), ("B", 30, 1), ("C", 70, 2))
    )
    fixed = Joint(name="Fixed", kind="rigid", body_i="A", body_j=GROUND)
    tied = Joint(name="Tied", kind="spherical", body_i="B", point_i=(1, 0, 0), body_j="C")
    holder = _project(bodies=bodies, joints=(fixed, tied)).assembly
    assert new_force(holder, "spring").stiffness == pytest.approx(100.0 * 9.81 / 0.05, rel=5e-3)


def test_that_a_hinge_spring_is_sized_by_the_moment_of_inertia_about_its_axis():
    arm = _body("Arm", 20.0, (0.0, 0.0, -1.5))
    hinge = Joint(
        name="Hinge", kind="revolute", body_i=GROUND, body_j="Arm", point_j=(0, 0, 1.5), axis_i=(0, 1, 0),
        axis_j=(0, 1, 0),
    )  # fmt: skip
    spring = new_force(_project(bodies=(arm,), joints=(hinge,)).assembly, "rotational_spring")
    about = 2.0 + 20.0 * 1.5**2
    assert spring.stiffness == pytest.approx(about * FREQUENCY**2, rel=5e-3)
    assert spring.damping == pytest.approx(2.0 * 0.3 * about * FREQUENCY, rel=5e-3)


@pytest.mark.parametrize("kind", sorted(JOINTS))
@pytest.mark.parametrize("where", ["second body", "clicked", "ground"])
def test_that_a_new_joint_fits_as_drawn_between_turned_bodies(kind, where):
    bodies = (
        _body("One", 50.0, (0.0, 0.2, 1.0), orientation=HALF_TURNS[0]),
        _body("Two", 20.0, (0.7, -0.1, 1.6), orientation=HALF_TURNS[1]),
    )
    ends = {
        "second body": None,
        "clicked": Ends("One", np.array([0.1, 0.2, 1.1]), "Two", np.array([0.6, 0.0, 1.5])),
        "ground": Ends("One", np.array([0.1, 0.2, 1.1]), GROUND, np.array([0.1, 0.2, 0.0])),
    }[where]
    made = _with(_project(bodies=bodies), kind, ends=ends)
    oddities = [
        one
        for one in check_assembly(made.assembly)
        if one.kind in ("joint gap", "joint angle", "universal axes")
    ]
    assert oddities == []
    joint = made.assembly.joints[0]
    assert (joint.body_i, joint.body_j) == ("One", GROUND if where == "ground" else "Two")


def test_that_every_element_between_two_points_follows_the_mass():
    def made(mass, kind):
        holder = _project(bodies=(_body("One", mass, (0, 0, 1)), _body("Two", mass, (0, 0, 2)))).assembly
        return new_force(holder, kind)

    sized = [
        kind for kind, one in TYPES.items() if one.sized is not None and one.place in ("points", "frames")
    ]
    assert {"spring", "maxwell", "bushing", "friction_damper", "two_branch_spring", "draft_gear"} <= {*sized}
    for kind in sized:
        light, heavy = made(10.0, kind), made(1000.0, kind)
        numbers = [
            (a, b)
            for name in ("stiffness", "damping", "force", "loading")
            if hasattr(light, name)
            for a, b in zip(*(np.ravel(getattr(one, name)) for one in (light, heavy)), strict=True)
            if a != 0.0 and abs(a) != 0.1
        ]
        assert numbers
        assert [b / a for a, b in numbers] == pytest.approx([100.0] * len(numbers), rel=1e-2), kind
