"""Contacts in the scene: the ground, places and forces of a ball that bounces, the skin of bodies."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.app.view3d.contact_layer import LONGEST
from ridewright.app.view3d.human import body_parts, rider_meshes
from ridewright.app.view3d.off_screen import OffScreen
from ridewright.app.view3d.scene import Scene
from ridewright.app.view3d.vehicle import car_meshes
from ridewright.app.widgets.theme import DARK
from ridewright.core.base.frames import rotation_matrix
from ridewright.core.human.make import rider as make_rider
from ridewright.core.model.person import Person
from ridewright.core.model.surfaces import Ellipsoid
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate


@pytest.fixture(scope="module")
def bounced() -> tuple[Project, Results]:
    project = load_example("bouncing_ball")
    return project, simulate(project)


@pytest.fixture
def scene(bounced: tuple[Project, Results]) -> Scene:
    made = Scene(OffScreen().plotter, DARK)
    made.set_train(*bounced)
    return made


def test_that_a_body_with_surfaces_is_drawn_as_large_as_they_are(bounced: tuple[Project, Results]) -> None:
    top = bounced[0].assembly
    assert top is not None
    for body in top.bodies:
        (surface,) = body.surfaces
        low, high = np.array(car_meshes(top, DARK)[body.name].bounds).reshape(3, 2).T
        assert high - low == pytest.approx([2.0 * surface.radius] * 3, rel=0.03)  # type: ignore[union-attr]


def test_that_the_parts_of_a_rider_are_read_from_its_joints_and_not_from_names() -> None:
    rider = make_rider(Person(sex="female", stature=1.65, mass=60.0), "Seat")
    parts = body_parts(rider)
    assert parts["Head"] == "head"
    assert {parts[f"{side} Foot"] for side in ("Left", "Right")} == {"foot"}
    assert {parts[f"{side} Hand"] for side in ("Left", "Right")} == {"hand"}
    meshes = rider_meshes(rider, DARK, DARK.cloth)
    for body in rider.bodies:
        (skin,) = body.surfaces
        assert isinstance(skin, Ellipsoid)
        turned = rotation_matrix(np.array(skin.orientation))
        reach = np.linalg.norm(turned * np.array(skin.semi_axes), axis=1)
        high = np.array(meshes[body.name].points).max(axis=0) - np.array(skin.position)
        assert (high > 0.9 * reach).all(), body.name
        assert (high < 1.25 * reach).all(), body.name  # a nose is a little more


def test_that_arrows_stand_where_a_ball_touches_and_are_as_long_as_its_force(scene: Scene, bounced) -> None:
    states = bounced[1].states
    row = bounced[1].names.springs.index(scene.contacts.names[0])
    k = int(np.argmax(states.spring_force[:, row]))
    scene.show_time(float(states.time[k]))
    (mark,) = [m for m in scene.contacts._marks if m.arrow.actor.visibility]
    matrix = mark.arrow.matrix
    along = np.array([matrix.GetElement(r, 0) for r in range(3)])
    foot = np.array([matrix.GetElement(r, 3) for r in range(3)])
    share = states.spring_force[k, row] / scene.contacts.most
    assert along == pytest.approx([0.0, 0.0, LONGEST * share], abs=1e-9)
    assert foot[2] == pytest.approx(-0.5 * states.spring_length[k, row], abs=1e-9)
    scene.contacts.show(False)
    assert not mark.arrow.actor.visibility
    scene.contacts.show(True)
    scene.show_time(0.0)
    assert not mark.arrow.actor.visibility


def test_that_a_joint_beyond_its_range_is_marked_while_it_is() -> None:
    project = load_example("limited_pendulum_20")
    results = simulate(project)
    made = Scene(OffScreen().plotter, DARK)
    made.set_train(project, results)
    assert project.assembly is not None
    (force,) = [f for f in project.assembly.forces if f.kind == "range_of_motion"]
    row = results.names.springs.index(force.name)
    said = results.states.spring_length[:, row]
    (most,) = {max(map(abs, (*force.lower, *force.upper)))}  # type: ignore[attr-defined]
    seen = {True: 0, False: 0}
    for k in range(0, len(said), max(1, len(said) // 40)):
        if abs(abs(said[k]) - most) < 0.01:
            continue
        made.show_time(float(results.states.time[k]))
        beyond = bool(abs(said[k]) > most)
        assert bool(made.limits.beyond) == beyond, (results.states.time[k], said[k])
        seen[beyond] += 1
    assert min(seen.values()) > 3


def test_that_the_gap_of_the_marked_pair_is_drawn_until_it_touches(scene: Scene, bounced) -> None:
    scene.show_time(0.1)
    gap = scene.contacts._gap
    assert gap is not None
    assert not gap.visibility
    scene.contacts.mark(scene.contacts.names[0])
    assert gap.visibility
    low, high = np.array(gap.GetBounds()).reshape(3, 2).T
    ball = bounced[1]
    position = np.interp(0.1, ball.states.time, ball.states.position[:, 0, 2])
    assert high[2] - low[2] == pytest.approx(position - 0.2, abs=2e-3)  # its radius is 0.2 m
