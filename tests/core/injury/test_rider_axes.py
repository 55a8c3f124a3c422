"""Specific force in rider axes and non-compensated acceleration, in general poses."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from ridewright.core.base.errors import InputError
from ridewright.core.base.specific_force import (
    lateral_load_in_curve,
    nca,
    nca_of_body,
    roll_between,
    specific_force,
)
from ridewright.core.injury.rider_axes import DIRECTIONS, directional

GRAVITY = np.array([0.0, 0.0, -9.81])


def scalar_first(rotation):
    return np.roll(np.atleast_2d(rotation.as_quat()), 1, axis=1)


def random_rotations(n, seed=2):
    return Rotation.random(n, rng=np.random.default_rng(seed))


def test_that_a_body_at_rest_feels_one_g_up_and_none_in_free_fall():
    upright = Rotation.from_euler("z", np.array([[0.4], [2.0]]))
    at_rest = specific_force(np.zeros((2, 3)), scalar_first(upright), GRAVITY)
    assert at_rest == pytest.approx(np.tile([0.0, 0.0, 1.0], (2, 1)), abs=1e-15)
    rotation = random_rotations(20)
    falling = specific_force(np.tile(GRAVITY, (20, 1)), scalar_first(rotation), GRAVITY)
    assert falling == pytest.approx(np.zeros((20, 3)), abs=1e-15)


def test_that_specific_force_in_any_pose_is_what_scipy_rotates():
    rotation = random_rotations(30)
    a = np.random.default_rng(4).normal(0.0, 20.0, (30, 3))
    felt = specific_force(a, scalar_first(rotation), GRAVITY)
    assert felt == pytest.approx(rotation.inv().apply(a - GRAVITY) / 9.81, abs=1e-13)
    moon = np.array([0.3, -0.2, -1.6])
    assert specific_force(a, scalar_first(rotation), moon, g=9.81) == pytest.approx(
        rotation.inv().apply(a - moon) / 9.81, abs=1e-13
    )


def test_that_the_axes_have_the_signs_of_the_rider():
    heading = Rotation.from_euler("z", 0.7)
    forward, left = heading.apply([3.0, 0.0, 0.0]), heading.apply([0.0, 2.0, 0.0])
    felt = specific_force([forward, left], np.tile(scalar_first(heading), (2, 1)), GRAVITY)
    assert felt == pytest.approx(np.array([[3.0, 0.0, 9.81], [0.0, 2.0, 9.81]]) / 9.81, abs=1e-15)
    for direction in DIRECTIONS:
        sign = 1.0 if direction[0] == "+" else -1.0
        assert directional(felt, direction) == pytest.approx(sign * felt[:, "xyz".index(direction[2])])


@pytest.mark.parametrize(
    ("a", "q", "gravity"),
    [
        (np.zeros((2, 2)), [[1.0, 0.0, 0.0, 0.0]], GRAVITY),
        (np.zeros((1, 3)), [[1.0, 0.1, 0.0, 0.0]], GRAVITY),
        (np.zeros((1, 3)), [[np.nan, 0.0, 0.0, 0.0]], GRAVITY),
        (np.zeros((1, 3)), [[1.0, 0.0, 0.0]], GRAVITY),
        (np.zeros((2, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (3, 1)), GRAVITY),
        (np.zeros((1, 3)), [[1.0, 0.0, 0.0, 0.0]], [0.0, 0.0, 0.0]),
        (np.zeros((1, 3)), [[1.0, 0.0, 0.0, 0.0]], [0.0, 9.81]),
    ],
)
def test_that_poses_that_are_none_are_refused(a, q, gravity):
    with pytest.raises(InputError):
        specific_force(a, q, gravity)


def test_that_nca_vanishes_when_the_bank_balances_the_curve():
    v, radius = np.array([8.0, 17.0, 26.0]), np.array([12.0, 31.0, 44.0])
    bank = np.arctan(v**2 / (radius * 9.81))
    assert nca(v**2 / radius, 0.6 * bank, 0.4 * bank) == pytest.approx(np.zeros(3), abs=1e-12)
    assert nca(v**2 / radius, 0.0) == pytest.approx(v**2 / radius)
    assert (nca(v**2 / radius, 0.9 * bank) > 0.0).all()


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_that_nca_is_the_lateral_specific_force_of_a_body_on_a_level_banked_curve(side):
    rng = np.random.default_rng(8)
    n = 12
    speed, radius = rng.uniform(5.0, 30.0, n), rng.uniform(10.0, 60.0, n)
    cant, roll = rng.uniform(-0.9, 0.9, n), rng.uniform(-0.3, 0.3, n)
    heading = rng.uniform(-3.0, 3.0, n)
    chassis = Rotation.from_euler("ZX", np.column_stack([heading, cant]))
    carbody = chassis * Rotation.from_euler("X", roll[:, None])
    a_c = speed**2 / radius
    left = np.column_stack([-np.sin(heading), np.cos(heading), np.zeros(n)])
    acceleration = side * a_c[:, None] * left
    felt = specific_force(acceleration, scalar_first(carbody), GRAVITY)
    theta = roll_between(scalar_first(chassis), scalar_first(carbody))
    assert theta == pytest.approx(roll, abs=1e-14)
    # The thesis counts angles positive when they lean into the curve: left side down in a left curve.
    expected = nca(a_c, -side * cant, -side * theta)
    assert side * 9.81 * felt[:, 1] == pytest.approx(expected, abs=1e-12)
    assert nca_of_body(acceleration, scalar_first(carbody), GRAVITY) == pytest.approx(
        side * expected, abs=1e-12
    )
    assert lateral_load_in_curve(side * a_c, cant, theta) == pytest.approx(felt[:, 1], abs=1e-13)


def test_that_the_roll_does_not_see_the_sign_of_the_euler_parameters_nor_a_small_pitch():
    chassis = random_rotations(9)
    carbody = chassis * Rotation.from_euler("XY", [0.31, 0.02])
    p, q = scalar_first(chassis), scalar_first(carbody)
    assert roll_between(p, -q) == pytest.approx(roll_between(p, q), abs=1e-15)
    assert roll_between(p, q) == pytest.approx(np.full(9, 0.31), abs=1e-4)
    with pytest.raises(InputError, match="as many"):
        roll_between(p, q[:4])
