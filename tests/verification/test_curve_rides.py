"""Beads and a guided body on curves with closed forms: helix, vertical loop, cycloid."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from verification_tools import (
    GRAVITY,
    accurate,
    changed,
    complete,
    largest,
    observed_orders,
    reaction,
    second_order,
)

from ridewright.core.project.examples import load_example
from ridewright.core.run.simulate import simulate

MASS = 2.0


def test_that_a_bead_on_a_helix_slides_with_constant_acceleration():
    """s = s0 + v t + g sin(slope) t^2 / 2; wire force v^2 kappa inwards and weight across the wire."""
    results = accurate("bead_helix", step=2e-3)
    states, t = results.states, results.states.time
    radius, drop = 8.0, 1.5
    length = math.hypot(radius, drop)
    along = GRAVITY * drop / length
    speed = 3.0 + along * t
    assert largest(states.path_coordinate[:, 0] - (10.0 + 3.0 * t + along * t**2 / 2.0)) < 1e-7
    assert largest(states.path_speed[:, 0] - speed) < 1e-7
    force = reaction(results, "Car/Wire")[:, :3]
    inwards = -states.position[:, 0] * [1.0, 1.0, 0.0] / radius
    across = GRAVITY * np.array([0.0, 0.0, 1.0])
    angle = states.path_coordinate[:, :1] / length
    tangent = (
        np.hstack([-radius * np.sin(angle), radius * np.cos(angle), np.full_like(angle, -drop)]) / length
    )
    kappa = radius / length**2
    expected = MASS * (speed[:, None] ** 2 * kappa * inwards + across - (tangent @ across)[:, None] * tangent)
    assert largest(force - expected) < 1e-4
    assert largest(reaction(results, "Car/Wire")[:, 3:]) < 1e-9, "a point constraint takes no moment"
    assert largest(results.energy.residual) < 1e-6 * results.energy.kinetic[0]


def test_that_a_bead_in_a_vertical_loop_obeys_energy_and_contact_force():
    """v^2 = v0^2 - 2 g R (1 - cos a), force m (v^2/R + g cos a) towards the centre; a from its own equation."""
    results = accurate("bead_loop", step=1e-3)
    states = results.states
    out = solve_ivp(
        lambda _, y: [y[1], -GRAVITY / 5.0 * math.sin(y[0])],
        (0.0, states.time[-1]), [0.0, 3.2], "DOP853", t_eval=states.time, rtol=1e-12, atol=1e-13,
    )  # fmt: skip
    angle, rate = out.y
    assert angle[-1] > 2.0 * math.pi, "it comes round"
    place = 5.0 * np.column_stack([np.sin(angle), np.zeros_like(angle), 1.0 - np.cos(angle)])
    assert largest(states.position[:, 0] - place) < 1e-6
    assert largest(np.sum(states.velocity[:, 0] ** 2, axis=1) - (256.0 - 98.1 * (1.0 - np.cos(angle)))) < 1e-4
    inwards = np.array([0.0, 0.0, 5.0]) - place
    force = np.sum(reaction(results, "Car/Wire")[:, :3] * inwards, axis=1) / 5.0
    expected = MASS * (5.0 * rate**2 + GRAVITY * np.cos(angle))
    assert np.min(expected) > 0.0
    assert largest(force - expected) < 1e-3


def test_that_a_bead_on_a_cycloid_swings_in_the_same_time_from_any_height():
    """Huygens: s = (v0/w) sin(w t) from the bottom, w = sqrt(g / 4r), whatever the amplitude."""
    omega = math.sqrt(GRAVITY / 8.0)
    project = load_example("bead_cycloid")
    bottom = project.scenario.start
    for speed in (2.0, 8.0):
        slower = project.model_copy(update={"scenario": project.scenario.model_copy(update={"speed": speed})})
        quick = changed(slower, method="dopri5", fixed_step=2e-3, baumgarte_alpha=20.0, baumgarte_beta=20.0)
        states = simulate(quick).states
        # the run may end when the bead rolls back; everything before is compared
        t = states.time
        assert t[-1] > 0.4 * 2.0 * math.pi / omega / 2.0
        assert largest(states.path_coordinate[:, 0] - bottom - speed / omega * np.sin(omega * t)) < 1e-6


def test_that_the_implicit_method_is_of_second_order_on_the_vertical_loop():
    end = solve_ivp(
        lambda _, y: [y[1], -GRAVITY / 5.0 * math.sin(y[0])],
        (0.0, 2.0),
        [0.0, 3.2],
        "DOP853",
        rtol=1e-12,
        atol=1e-13,
    ).y[0, -1]
    errors = []
    for h in (4e-3, 2e-3, 1e-3):
        angle = second_order("bead_loop", h, duration=2.0).states.path_coordinate[-1, 0] / 5.0
        errors.append(abs(angle - end))
    assert observed_orders(errors) == pytest.approx([2.0, 2.0], abs=0.2)


@pytest.mark.parametrize("frame", ["canted", "frenet"])
def test_that_a_body_guided_on_a_helix_has_the_effective_mass_of_its_turning(frame):
    """(m + J_t tau^2 + J_b kappa^2) s'' = m g sin(slope); the moments of the guide turn the body with the frame."""
    project = load_example("frame_helix")
    track = project.track.model_copy(update={"frame": frame})
    project = changed(project.model_copy(update={"track": track}), method="dopri5", fixed_step=2e-3)
    results = complete(simulate(project))
    states, t = results.states, results.states.time
    radius, drop = 2.0, 0.8
    square = radius**2 + drop**2
    kappa, tau = radius / square, drop / square
    share = MASS / (MASS + 1.5 * tau**2 + 3.0 * kappa**2)
    assert share < 0.8
    along = share * GRAVITY * drop / math.sqrt(square)
    first = states.path_speed[0, 0]
    assert first == pytest.approx(1.0, abs=1e-9), "the start speed is the speed along the path"
    assert largest(states.path_coordinate[:, 0] - (5.0 + first * t + along * t**2 / 2.0)) < 1e-6
    spin = np.sqrt(np.sum(states.angular_velocity[:, 0] ** 2, axis=1))
    assert largest(spin - (first + along * t) * math.hypot(kappa, tau)) < 1e-5
    assert largest(results.energy.residual) < 1e-5 * results.energy.kinetic[-1]
