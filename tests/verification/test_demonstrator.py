"""The demonstrator of the path constraints (Viegas 2016, section 2.3): three pendulums in a curve of 50 m radius."""

from __future__ import annotations

import math

import numpy as np
from ball_chain_reference import BallChain, Link
from verification_tools import GRAVITY, accurate, body, largest, reaction

from ridewright.core.base.frames import rotation_matrix
from ridewright.core.project.examples import load_example
from ridewright.core.track.build import build_track

RADIUS, SPEED, CANT, ARM, MASS = 50.0, 10.0, -math.radians(6.0), 0.5, 10.0
INERTIA = (0.4, 0.5, 0.2)
OMEGA = SPEED / RADIUS
# centreline places between which curvature and bank are constant
ARC = (25.0 + 10.0, 25.0 + 10.0 + 110.0)


def _results():
    return accurate("curve50", step=2e-3)


def _in_arc(results, name):
    s = results.states.path_coordinate[:, results.names.guides.index(f"{name}/Hinge")]
    return (s > ARC[0] + 5.0) & (s < ARC[1] - 5.0)


def _body_axes(results, name):
    return rotation_matrix(results.states.orientation[:, body(results, f"{name}/Pendulum")])


def _moment(results, name):
    """Moment of the guide on the pendulum at the hinge (N m), body axes."""
    world = reaction(results, f"{name}/Hinge")[:, 3:]
    return np.einsum("nji,nj->ni", _body_axes(results, name), world)


def _roll(results, name):
    """Roll of the pendulum about the direction of travel (rad): how far its feet swing to the left."""
    A = _body_axes(results, name)
    level = np.cross([0.0, 0.0, 1.0], A[:, :, 0])
    level /= np.linalg.norm(level, axis=1, keepdims=True)
    return np.arctan2(np.sum(A[:, :, 2] * -level, axis=1), A[:, 2, 2])


def test_that_the_pendulums_travel_at_the_prescribed_speed():
    results = _results()
    for k, name in enumerate(("Full", "Cylindrical", "Point")):
        guide = results.names.guides.index(f"{name}/Hinge")
        s = results.states.path_coordinate[:, guide]
        assert largest(s - (8.0 - 3.0 * k + SPEED * results.states.time)) < 1e-7
        assert np.sum(_in_arc(results, name)) > 3000
    assert results.size.degrees_of_freedom == 0 + 1 + 3


def test_that_the_full_constraint_holds_the_bank_with_a_moment_about_xi_only():
    """In the curve the moment about eta is zero, the one about xi balances centrifugal force and weight."""
    results = _results()
    arc = _in_arc(results, "Full")
    assert largest(_roll(results, "Full")[arc] - _roll(results, "Full")[arc].mean()) < 1e-5
    assert abs(abs(_roll(results, "Full")[arc].mean()) - abs(CANT)) < 1e-5
    sine, cosine = math.sin(CANT), math.cos(CANT)
    way = RADIUS - ARM * sine
    aside = MASS * (OMEGA**2 * way * cosine + GRAVITY * sine)
    expected = OMEGA**2 * sine * cosine * (INERTIA[2] - INERTIA[1]) + ARM * aside
    moment = _moment(results, "Full")[arc]
    assert abs(expected) > 3.0
    assert largest(moment[:, 0] - expected) < 2e-3
    assert largest(moment[:, 1:]) < 2e-3


def test_that_the_cylindrical_constraint_takes_no_moment_about_xi():
    """The pendulum rolls out beyond the bank and swings there; the moment about eta swings about zero."""
    results = _results()
    arc = _in_arc(results, "Cylindrical")
    moment = _moment(results, "Cylindrical")
    assert largest(moment[:, 0]) < 1e-8
    assert np.max(np.abs(_roll(results, "Cylindrical")[arc])) > 1.5 * abs(CANT)
    eta = moment[arc, 1]
    assert np.ptp(eta) > 1e-3
    assert np.min(eta) < 0.0 < np.max(eta)


def test_that_the_roll_under_the_cylindrical_constraint_keeps_its_first_integral():
    """Kinetic energy of the roll plus weight, centrifugal and turning potentials stays, in the steady curve."""
    results = _results()
    arc = _in_arc(results, "Cylindrical")
    q = np.abs(_roll(results, "Cylindrical")[arc])
    rate = results.states.angular_velocity[arc, body(results, "Cylindrical/Pendulum"), 0]
    kinetic = 0.5 * (MASS * ARM**2 + INERTIA[0]) * rate**2
    weight = -MASS * GRAVITY * ARM * np.cos(q)
    centrifugal = -0.5 * MASS * OMEGA**2 * (RADIUS + ARM * np.sin(q)) ** 2
    turning = -0.5 * OMEGA**2 * (INERTIA[1] * np.sin(q) ** 2 + INERTIA[2] * np.cos(q) ** 2)
    total = kinetic + weight + centrifugal + turning
    assert np.ptp(kinetic) > 0.1
    assert np.ptp(total) < 1e-2 * np.ptp(kinetic)


def test_that_the_point_constraint_takes_no_moment_and_follows_newton_and_euler():
    """Ball joint on a pivot that moves along the curve at constant speed."""
    results = _results()
    assert largest(_moment(results, "Point")) < 1e-9
    states, k = results.states, body(results, "Point/Pendulum")
    path = build_track(load_example("curve50").track).paths["centreline"]
    start = states.path_coordinate[0, results.names.guides.index("Point/Hinge")]

    def pull(t):
        return SPEED**2 * path.sample([start + SPEED * t])[0, 2, :3]

    chain = BallChain((Link(MASS, INERTIA, (0.0, 0.0, ARM)),), (0.0, 0.0, -GRAVITY), pull)
    p, _ = chain.solve(states.orientation[0, k], states.angular_velocity[0, k], states.time)
    pivot = path.sample(start + SPEED * states.time)[:, 0, :3]
    assert largest(chain.centres(p, pivot)[:, 0] - states.position[:, k]) < 1e-6
    assert np.max(np.abs(_roll(results, "Point"))) > 1.5 * abs(CANT)
