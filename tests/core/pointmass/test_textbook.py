"""A ball on textbook tracks: energy, equilibrium, closed forms of pendulum and damping, shapes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import ellipk

from ridewright.core.base.errors import InputError
from ridewright.core.pointmass.plane_curve import (
    arc_piece,
    curve_of_segments,
    curve_through,
    line_piece,
    nearest,
)
from ridewright.core.pointmass.presets import PRESETS, cardioid, curve_points, preset
from ridewright.core.pointmass.textbook import Textbook

STARTS = {
    "hump": 2.0,
    "loop": 1.5,
    "circle": 0.8,
    "infinity": 0.9,
    "oval": 0.7,
    "spiral": 27.0,
    "cardioid": 0.4,
}


@pytest.mark.parametrize("name", list(PRESETS))
def test_that_the_total_energy_stays_for_a_thousand_seconds(name: str) -> None:
    """Without damping, relative to the largest kinetic energy; and the ball never gets higher than it started."""
    ball = Textbook(preset(name), mass=0.7, s=STARTS[name])
    history = ball.run(1000.0, rate=10.0)
    assert np.ptp(history.total) < 1e-9 * history.kinetic.max()
    assert history.kinetic.max() > 1.0
    assert history.position[:, 1].max() - history.position[0, 1] < 1e-9
    back = history.position[500:, 1].max()
    assert back > history.position[0, 1] - 0.3, "and gets about as high again"


def test_that_a_ball_at_rest_on_the_apex_stays_there() -> None:
    history = Textbook(preset("circle")).run(1000.0, rate=2.0)
    assert np.all(history.s == 0.0)
    assert np.all(history.v == 0.0)


@pytest.mark.parametrize("beside", [1e-3, -1e-2])
def test_that_a_ball_released_beside_the_apex_never_crosses_it(beside: float) -> None:
    history = Textbook(preset("circle"), s=beside).run(1000.0, rate=50.0)
    gone = np.sign(beside) * history.s
    assert gone.min() > 0.99 * abs(beside)
    assert gone.max() < 2.0 * math.pi - 0.99 * abs(beside)
    assert gone.max() > 6.0, "it comes up on the other side"


def test_that_a_ball_in_a_circle_swings_as_a_pendulum() -> None:
    """Period 4 K(sin(a/2)) sqrt(r/g) at an amplitude of 2 rad from the lowest place."""
    amplitude, g = 2.0, 3.7
    ball = Textbook(preset("circle"), gravity=g, s=math.pi - amplitude)
    period = 4.0 * ellipk(math.sin(amplitude / 2.0) ** 2) / math.sqrt(g)
    ball.run(50.0 * period, rate=20.0)
    assert ball.s == pytest.approx(math.pi - amplitude, abs=1e-8)
    ball.run(period / 2.0, rate=20.0)
    assert ball.s == pytest.approx(math.pi + amplitude, abs=1e-8)


def test_that_damping_on_a_slope_leads_to_the_terminal_speed() -> None:
    """v = vt (1 - exp(-b t / m)) with vt = m g sin(a) / b, also on the straight beyond the end."""
    a, b, m = 0.6, 0.8, 1.3
    slope = curve_of_segments(
        "slope", [line_piece(np.zeros(2), 5.0 * np.array([math.cos(a), -math.sin(a)]))], closed=False
    )
    ball = Textbook(slope, damping=b, mass=m)
    history = ball.run(8.0, rate=50.0)
    end = m * 9.81 * math.sin(a) / b
    np.testing.assert_allclose(history.v, end * (1.0 - np.exp(-b * history.time / m)), rtol=1e-9, atol=1e-10)
    assert history.s[-1] > 50.0
    assert history.total[-1] < history.total[0] - 50.0


@pytest.mark.parametrize("direction", [1, -1])
def test_that_a_ball_falls_freely_along_a_vertical_straight(direction: int) -> None:
    """The left side of the oval runs down, the right one up: the acceleration is g down on both."""
    oval = preset("oval")
    left, right = 0.5 * math.pi + 0.3, 0.5 * math.pi + 2.0 + math.pi + 1.7
    s = left if direction > 0 else right
    assert oval.angle(s)[0] == pytest.approx(-direction * math.pi / 2.0, abs=1e-12)
    ball = Textbook(oval, s=s)
    before = ball.position
    ball.step(0.5)
    after = ball.position
    assert after[0] == pytest.approx(before[0], abs=1e-12)
    assert after[1] == pytest.approx(before[1] - 0.5 * 9.81 * 0.25, abs=1e-9)


def test_that_a_path_that_turns_back_pulls_the_right_way() -> None:
    """In the upper half of the circle the path runs left; released there the ball gains what the height gives."""
    ball = Textbook(preset("circle"), s=0.3)
    top = ball.position[1]
    ball.step(0.4)
    assert ball.v > 0.0
    assert ball.v == pytest.approx(math.sqrt(2.0 * 9.81 * (top - ball.position[1])), rel=1e-9)


@pytest.mark.parametrize("name", list(PRESETS))
def test_that_curves_run_at_unit_speed_and_close(name: str) -> None:
    curve = preset(name)
    at = curve.evaluate(np.linspace(0.0, curve.length * (1.0 - 1e-14), 4001))
    np.testing.assert_allclose(np.hypot(at[:, 1, 0], at[:, 1, 1]), 1.0, atol=1e-8)
    chords = np.linalg.norm(np.diff(at[:, 0], axis=0), axis=1).sum()
    assert chords == pytest.approx(curve.length, rel=1e-4)
    if curve.closed:
        np.testing.assert_allclose(at[0, :2], at[-1, :2], atol=1e-7)
    else:
        assert at[0, 1, 1] < -0.5, "open ends go up, so that no ball leaves"
        assert at[-1, 1, 1] > 0.5
    assert curve_points(name, 50).shape == (50, 2)


def test_that_the_formulas_of_the_page_are_kept() -> None:
    """Hump y = 3 - 7/6 x^2 + 1/6 x^4 (its table starts at x = -3 with y = 6); circle of radius 1."""
    x, y = curve_points("hump", 300).T
    np.testing.assert_allclose(y, 3.0 - 7.0 / 6.0 * x**2 + x**4 / 6.0, atol=1e-9)
    assert x[0] == -3.0
    assert preset("circle").length == pytest.approx(2.0 * math.pi, rel=1e-12)


def test_that_the_nearest_place_is_found_where_the_path_crosses_itself() -> None:
    curve = preset("infinity")
    for s in np.linspace(0.05, curve.length - 0.05, 23):
        at = curve.evaluate(s)[0]
        across = np.array([-at[1, 1], at[1, 0]])
        found = nearest(curve, at[0] + 1e-3 * across)
        reached = curve.evaluate(found)[0, 0]
        assert np.linalg.norm(reached - at[0]) < 1e-3 + 1e-9
        assert np.linalg.norm(reached - (at[0] + 1e-3 * across)) <= 1e-3 + 1e-9


def test_that_dragging_puts_the_ball_on_the_track_at_rest() -> None:
    ball = Textbook(preset("circle"), s=2.0, v=3.0)
    ball.drag_to((0.0, 7.0))
    assert ball.position == pytest.approx((0.0, 1.0), abs=1e-9)
    assert ball.v == 0.0
    assert ball.total == pytest.approx(9.81, rel=1e-9)


def test_that_steps_of_a_picture_end_where_a_run_does() -> None:
    """Deterministic, and the length of the picture's step does not matter."""
    one, other, again = (Textbook(preset("loop"), damping=0.1, s=1.0) for _ in range(3))
    for _ in range(300):
        one.step(1.0 / 60.0)
        again.step(1.0 / 60.0)
    other.run(5.0, rate=7.0)
    assert (one.s, one.v) == (again.s, again.v)
    assert one.s == pytest.approx(other.s, abs=1e-8)


def test_that_corners_get_the_stated_fillet() -> None:
    """A square with rounded corners: perimeter 4 a - 8 r + 2 pi r; the cusp of the cardioid has its radius."""
    square = curve_through([(0, 0), (4, 0), (4, 4), (0, 4)], closed=True, fillet=0.5)
    assert square.length == pytest.approx(16.0 - 8.0 * 0.5 + math.pi, rel=1e-9)
    assert square.fillet == 0.5
    bend = np.linalg.norm(square.evaluate(np.linspace(0.0, square.length, 999))[:, 2], axis=1)
    assert bend.max() == pytest.approx(2.0, rel=1e-6)
    tight = curve_through([(0, 0), (1, 0), (1, 1), (5, 1)], fillet=3.0)
    assert tight.fillet is not None
    assert tight.fillet < 0.5
    heart = cardioid(0.08)
    assert heart.fillet == 0.08
    assert np.linalg.norm(heart.evaluate(0.0)[0, 2]) == pytest.approx(1.0 / 0.08, rel=1e-6)
    with pytest.raises(InputError, match="corner"):
        curve_of_segments(
            "bad", [line_piece(np.zeros(2), np.ones(2)), arc_piece((1.0, 2.0), 1.0, -1.5, 0.0)], closed=False
        )
    with pytest.raises(InputError, match="straight back"):
        curve_through([(0, 0), (2, 0), (1, 0)], fillet=0.1)


def test_that_a_spline_goes_through_its_points() -> None:
    xy = np.array([[0.0, 3.0], [1.0, 1.0], [2.0, 0.4], [3.5, 1.2], [4.0, 0.9], [5.0, 2.0], [5.2, 3.5]])
    for closed in (False, True):
        curve = curve_through(xy, closed=closed)
        for point in xy:
            assert np.linalg.norm(curve.evaluate(nearest(curve, point))[0, 0] - point) < 1e-7
    with pytest.raises(InputError, match="same place"):
        curve_through([(0, 0), (0, 0), (1, 1)])
