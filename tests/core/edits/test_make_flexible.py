"""A rigid body made a beam in one step: what is carried over, and how the beam swings."""

from __future__ import annotations

import math

import numpy as np
import pytest

import ridewright as rw
from ridewright.core.base.errors import InputError
from ridewright.core.base.frames import rotation_matrix
from ridewright.core.edits.elements import delete_element, set_element
from ridewright.core.edits.make_flexible import make_flexible, section_of
from ridewright.core.model.assembly import Assembly, Seat
from ridewright.core.model.bodies import GROUND, Body
from ridewright.core.model.consistency import check_assembly
from ridewright.core.model.flexible import BeamSection
from ridewright.core.model.joints import Joint
from ridewright.core.model.placement import placed_model
from ridewright.core.multibody.compile import compile_system
from ridewright.core.outcome.rigid import with_rigid
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig

TUBE = BeamSection(shape="box", width=0.6152, height=0.6152, wall=0.012)
FIRST = 1.8751040687119611


def _rigid_system(project: Project) -> tuple[float, np.ndarray, np.ndarray]:
    """Mass (kg), centre (3,) m and moments about the origin (3, 3) kg m^2 of all that is compiled."""
    system = compile_system(project)
    mass, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
    for b in range(system.bodies):
        own = system.layout.rigid[b]
        m, r, A = system.inertia[own[0]], system.start.r[b], rotation_matrix(system.start.p[b])
        tensor = np.diag(system.inertia[own[3:]])
        if b in system.blocks:
            tensor = tensor + system.blocks[b][3:6, 3:6]
        mass, first = mass + m, first + m * r
        second += A @ tensor @ A.T + m * (r @ r * np.eye(3) - np.outer(r, r))
    return mass, first / mass, second


def _arm(**fields) -> Project:
    """An arm of 4 m along a slanted line, hinged to the ground and carrying a box, its centre beside the line."""
    given = {"mass": 400.0, "inertia": (9.0, 620.0, 625.0), "position": (1.8, 0.1, 2.2), **fields}
    arm = Body(name="Arm", orientation=(math.cos(0.2), math.sin(0.2), 0.0, 0.0), **given)
    box = Body(name="Box", mass=100.0, inertia=(5.0, 6.0, 7.0), position=(4.0, 0.0, 2.0))
    rig = Assembly(name="Rig", role="rig", bodies=(arm, box))
    frame = placed_model(rig).frame("Arm")

    def on_arm(x, y, z):
        return tuple((frame.rotation.T @ (np.array([x, y, z]) - frame.position)).tolist())

    joints = (
        Joint(
            name="Hinge", kind="revolute", body_i=GROUND, point_i=(0, 0, 2), axis_i=(0, 1, 0), body_j="Arm",
            point_j=on_arm(0, 0, 2), axis_j=(0, 1, 0),
        ),
        Joint(name="Head", kind="spherical", body_i="Arm", point_i=on_arm(4, 0, 2), body_j="Box"),
    )  # fmt: skip
    seat = Seat(name="Seat", body="Arm", position=on_arm(3.5, 0.0, 2.5))
    rig = rig.model_copy(update={"joints": joints, "seats": (seat,)})
    return Project(name="p", scenario=Rig(assembly=Assembly.model_validate(dict(rig)), duration=0.4))


def test_that_mass_and_centre_are_kept_and_the_difference_of_moments_is_what_is_said():
    before = _arm()
    made = make_flexible(before, ("Arm",))
    assert made.after.mass == pytest.approx(400.0, rel=1e-9)
    assert made.after.centre == pytest.approx(made.before.centre, abs=1e-7)
    assert made.moments_off < 0.1
    old, new = _rigid_system(before), _rigid_system(made.project)
    assert new[0] == pytest.approx(old[0], rel=1e-6)
    assert new[1] == pytest.approx(old[1], abs=1e-5)
    off = np.abs(np.linalg.eigvalsh(new[2] - old[2])).max() / 625.0
    assert off == pytest.approx(made.moments_off, rel=0.02, abs=1e-4)
    assert any("differ by at most" in one for one in made.said)


def test_that_joints_and_seats_stay_where_they_are_and_references_lead_to_hubs():
    before = _arm()
    after = make_flexible(before, ("Arm",)).project
    top, old = after.assembly, before.assembly
    assert [body.name for body in top.bodies] == ["Box", "Arm at Hinge", "Arm at Head"]
    assert [one.name for one in top.flexibles] == ["Arm"]
    drawn, drawn_old = placed_model(top), placed_model(old)
    for new, was in zip(top.joints, old.joints, strict=True):
        for end in "ij":
            here, there = (
                model.at("", getattr(joint, f"body_{end}")).point(getattr(joint, f"point_{end}"))
                for model, joint in ((drawn, new), (drawn_old, was))
            )
            assert here == pytest.approx(there, abs=1e-7)
    (seat,), (was_seat,) = top.seats, old.seats
    assert seat.body == "Arm at Head"
    assert drawn.at("", seat.body).point(seat.position) == pytest.approx(
        drawn_old.at("", was_seat.body).point(was_seat.position), abs=1e-7
    )
    assert [one.kind for one in check_assembly(top)] == [one.kind for one in check_assembly(old)]


def test_that_a_uniform_arm_keeps_its_moments_and_its_first_bending_is_that_of_a_clamped_beam():
    frisbee = load_example("frisbee")
    made = make_flexible(frisbee, ("Arm",), TUBE, ratio=0.0)
    assert made.moments_off < 2e-3
    alone = delete_element(made.project, "body", ("Gondola",))
    for force in alone.assembly.forces:
        alone = delete_element(alone, "force", (force.name,))
    clamped = set_element(alone, "joint", ("Top hinge",), {"kind": "rigid", "axis_i": None, "axis_j": None})
    first = min(mode.frequency for mode in rw.modes(clamped).modes if mode.kind == "swing")
    section = TUBE.made()
    closed = FIRST**2 / (2.0 * math.pi) * math.sqrt(2.1e11 * section.Iy / (7850.0 * section.area * 9.0**4))
    assert closed == pytest.approx(8.8, rel=2e-3)
    assert first == pytest.approx(closed, rel=0.02)  # shear and rotary inertia take 1.3 %
    assert first < closed


def _gondola(run) -> np.ndarray:
    return run.states.position[:, run.names.bodies.index("Gondola")]


def _stiffer(project: Project, by: float) -> Project:
    arm = project.assembly.flexibles[0]
    beams = tuple(beam.model_copy(update={"E": by * beam.E, "G": by * beam.G}) for beam in arm.beams)
    return set_element(project, "flexible", ("Arm",), {"beams": beams})


def test_that_in_the_limit_of_a_stiff_beam_the_ride_is_that_of_the_rigid_body():
    before = load_example("frisbee")
    before = before.model_copy(update={"scenario": before.scenario.model_copy(update={"duration": 1.5})})
    made = make_flexible(before, ("Arm",), TUBE, modes=0).project
    before = set_element(before, "force", ("Swing drive",), {"dead_band": 0.05})
    runs = [rw.simulate(one) for one in (before, made, _stiffer(made, 30.0), with_rigid(made))]
    time = np.linspace(0.0, 1.5, 151)
    ways = [
        np.array(
            [
                np.interp(time, run.states.time, row)
                for row in run.states.position[:, run.names.bodies.index("Gondola")].T
            ]
        )
        for run in runs
    ]
    moved = np.abs(ways[0] - ways[0][:, :1]).max()
    bent, stiff, held = (np.abs(way - ways[0]).max() for way in ways[1:])
    print(moved, bent, stiff, held)
    assert moved > 0.1
    assert stiff < 0.1 * bent
    assert held < 1e-4 * moved


def test_that_what_cannot_be_a_beam_is_refused():
    frisbee = load_example("frisbee")
    with pytest.raises(InputError, match="Nothing holds"):
        make_flexible(delete_element(frisbee, "joint", ("Ring bearing",)), ("Gondola",))
    star = load_example("looping_star")
    with pytest.raises(InputError, match="rider's segment"):
        make_flexible(star, ("Car", "Rider", "Head"))
    with pytest.raises(InputError, match="wall"):
        make_flexible(frisbee, ("Arm",), TUBE.model_copy(update={"wall": 0.0}))


def test_that_a_body_that_is_no_arm_is_said_to_be_none():
    made = make_flexible(load_example("looping_star"), ("Car", "Frame"))
    assert made.moments_off > 0.5
    assert any("no slender body" in one for one in made.said)


def test_that_the_first_section_weighs_what_the_body_weighs():
    frisbee = load_example("frisbee")
    section = section_of(frisbee, ("Arm",))
    assert 7850.0 * section.made().area * 9.0 == pytest.approx(2045.3, rel=2e-3)
    heavy = TUBE.model_copy(update={"wall": 0.024})
    made = make_flexible(frisbee, ("Arm",), heavy)
    assert made.after.mass == pytest.approx(2045.338, rel=1e-6)
    assert any("its density is" in one for one in made.said)
