"""Where surfaces meet in a pose, beside what a run measured there."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.base.frames import rotation_matrix
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.forces import TYPES
from ridewright.core.model.surfaces import Ellipsoid, Plane, Sphere
from ridewright.core.multibody.contact_places import spots_of, touching_of
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig
from ridewright.core.run.simulate import simulate


def _on_floor(body: Body, **fields: object) -> Project:
    contact = TYPES["contact"].model(name="Contact", body_i=body.name, body_j="ground", **fields)
    floor = Plane(name="Floor")
    rig = Assembly(name="Rig", role="rig", bodies=(body,), forces=(contact,), surfaces=(floor,))
    return Project(name="Rig", scenario=Rig(assembly=rig, duration=1.0))


def test_that_depths_are_those_a_run_measured_while_a_pair_touched() -> None:
    project = load_example("bouncing_ball")
    results = simulate(project)
    states, touching = results.states, touching_of(project)
    checked = 0
    for name, (pair, _) in touching.pairs.items():
        row = results.names.springs.index(name)
        for k in np.flatnonzero(states.spring_length[:, row] > 0.0):
            turns = np.array([rotation_matrix(p) for p in states.orientation[k]])
            (spot,) = spots_of(pair, states.position[k], turns)
            assert spot.depth == pytest.approx(states.spring_length[k, row], abs=1e-12)
            assert spot.normal == pytest.approx([0.0, 0.0, 1.0])
            checked += 1
    assert checked > 10


def test_that_points_of_a_tilted_ellipsoid_meet_a_floor_where_they_are_deepest() -> None:
    tilt = (0.9, 0.3, 0.2, 0.1)
    body = Body(
        name="Egg", mass=1.0, inertia=(0.1,) * 3, position=(0.3, -0.2, 0.25), orientation=tilt,
        surfaces=(Ellipsoid(name="Skin", semi_axes=(0.5, 0.3, 0.2)),),
    )  # fmt: skip
    exact = touching_of(_on_floor(body, start_depth=1.0))
    by_points = touching_of(_on_floor(body, start_depth=1.0, method="points", points=1500))
    place, turn = np.array([body.position]), rotation_matrix(np.array(body.orientation))[None]
    (spot,) = spots_of(next(iter(exact.pairs.values()))[0], place, turn)
    support = np.linalg.norm(np.array([0.5, 0.3, 0.2]) * turn[0][2])  # of the ellipsoid, downwards
    assert spot.depth == pytest.approx(support - 0.25, abs=1e-12)
    spots = spots_of(next(iter(by_points.pairs.values()))[0], place, turn)
    assert len(spots) > 5
    assert max(s.depth for s in spots) == pytest.approx(spot.depth, abs=2e-3)
    assert all(s.depth > 0.0 and s.normal == pytest.approx([0.0, 0.0, 1.0]) for s in spots)


def test_that_the_normal_points_from_the_second_surface_to_the_first_whatever_their_kinds() -> None:
    egg = Ellipsoid(name="Skin", semi_axes=(0.5, 0.3, 0.2))
    ball = Sphere(name="Skin", radius=0.2)
    bodies = tuple(
        Body(name=name, mass=1.0, inertia=(0.1,) * 3, position=(x, 0.1, 0.0), surfaces=(surface,))
        for name, x, surface in (("Ball", 0.0, ball), ("Egg", 0.6, egg))
    )
    for first, second in (("Ball", "Egg"), ("Egg", "Ball")):
        for method in ("normal", "points"):
            contact = TYPES["contact"].model(
                name="Contact", body_i=first, body_j=second, start_depth=1.0, method=method, points=900
            )
            rig = Assembly(name="Rig", role="rig", bodies=bodies, forces=(contact,))
            (pair, _) = next(
                iter(
                    touching_of(Project(name="Rig", scenario=Rig(assembly=rig, duration=1.0))).pairs.values()
                )
            )
            place, turn = np.array([b.position for b in bodies]), np.tile(np.eye(3), (2, 1, 1))
            spot = max(spots_of(pair, place, turn), key=lambda s: s.depth)
            towards = pair.a.position + place[pair.a.body] - pair.b.position - place[pair.b.body]
            if pair.points is not None:
                towards = place[pair.a.body] - place[pair.b.body]
            assert spot.depth == pytest.approx(0.1, abs=1e-9 if pair.points is None else 0.01)
            assert spot.normal @ towards > 0.0
            assert 0.1 < spot.point[0] < 0.2
