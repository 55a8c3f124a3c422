"""The catalogue of signals, the abscissa and the thinning of curves, without a window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from ridewright.app.document.runs import Run
from ridewright.app.plots.curves import display_unit, number, thin
from ridewright.core.base.frames import rotation_matrix
from ridewright.core.charts.abscissa import Abscissa
from ridewright.core.charts.chart import INK, Curve
from ridewright.core.charts.signals import RunSignals, search


def test_that_every_signal_has_a_column_for_each_of_its_components(make_run: Callable[..., Run]) -> None:
    run = make_run()
    signals = RunSignals(run.results, run.project)
    count = 0
    for signal in signals:
        found = signals.read(signal.key)
        assert found is not None
        time, values = found
        assert values.shape == (len(time), len(signal.components)), signal.key
        count += 1
    assert count >= 40


def test_that_a_wheel_force_is_given_in_the_axes_of_the_guided_body(make_run: Callable[..., Run]) -> None:
    run = make_run()
    states = run.results.states
    # A wheelset rolled to the left by 90 degrees: its "up" points along the world's -y for a body that faces +x.
    half = np.sqrt(0.5)
    turned = np.tile([half, half, 0.0, 0.0], (len(states.time), 1))
    orientation = states.orientation.copy()
    orientation[:, 0] = turned
    results = replace(run.results, states=replace(states, orientation=orientation))
    found = RunSignals(results, run.project).read("guide/Car/Front left wheel on rail/force")
    assert found is not None
    world = states.reactions[:, 1, :3]  # joints first, one here
    assert rotation_matrix(turned[0]) @ [0, 0, 1] == pytest.approx([0, -1, 0])
    assert found[1][:, 0] == pytest.approx(world[:, 0])
    assert found[1][:, 1] == pytest.approx(world[:, 2])
    assert found[1][:, 2] == pytest.approx(-world[:, 1])
    assert found[1][:, 3] == pytest.approx(np.linalg.norm(world, axis=1))


def test_that_a_signal_too_short_for_the_ride_filter_is_left_out(make_run: Callable[..., Run]) -> None:
    run = make_run(rate=20.0)
    signals = RunSignals(run.results, run.project)
    assert signals.read("rider/Car/Rider/head/acceleration") is not None
    assert signals.read("rider/Car/Rider/head/acceleration 5 Hz") is None
    assert signals.read("no such signal") is None


def test_that_a_search_needs_every_word(make_run: Callable[..., Run]) -> None:
    run = make_run()
    signals = RunSignals(run.results, run.project)
    found = [signal.key for signal in search(signals, "FRONT left force")]
    assert "guide/Car/Front left wheel on rail/force" in found
    assert "spring/Car/Primary spring front left/force" in found
    assert all("front left" in key.lower() for key in found)
    assert search(signals, "front left zebra") == []


def test_that_time_and_arc_length_turn_into_each_other() -> None:
    time = np.linspace(0.0, 10.0, 400)
    place = 3.0 + 2.0 * time + 0.3 * time**2
    axis = Abscissa("place", time, place)
    for t in (0.0, 1.234, 9.87, 10.0):
        x = float(axis.x_of(np.array([t]))[0])
        assert x == pytest.approx(3.0 + 2.0 * t + 0.3 * t**2, abs=1e-3)
        assert axis.time_of(x, 0.0) == pytest.approx(t, abs=1e-9)
    assert axis.time_of(2.0, 0.0) is None
    assert axis.time_of(60.0, 0.0) is None


def test_that_a_place_passed_twice_gives_the_passage_nearest_in_time() -> None:
    time = np.linspace(0.0, 10.0, 2001)
    axis = Abscissa("place", time, 20.0 * time - 2.0 * time**2)  # rolls back at t = 5 s
    assert not axis.increasing
    # 20 t - 2 t^2 = 32 at t = 2 and t = 8
    assert axis.time_of(32.0, 1.0) == pytest.approx(2.0, abs=1e-6)
    assert axis.time_of(32.0, 9.0) == pytest.approx(8.0, abs=1e-6)
    assert axis.time_of(51.0, 5.0) is None


def test_that_without_arc_length_the_abscissa_is_time() -> None:
    time = np.linspace(0.0, 1.0, 5)
    axis = Abscissa("place", time, None)
    assert axis.kind == "time"
    assert axis.time_of(0.4, 0.0) == 0.4


@pytest.mark.parametrize(("count", "pixels"), [(10, 800), (100_000, 733), (99_991, 512)])
def test_that_thinning_loses_no_peak_and_keeps_the_ends(count: int, pixels: int) -> None:
    random = np.random.default_rng(count)
    x = np.cumsum(random.uniform(0.5, 1.5, count))
    y = random.standard_normal(count)
    x0, x1 = float(x[count // 5]), float(x[-count // 5])
    tx, ty = thin(x, y, x0, x1, pixels)
    inside = (x >= x0) & (x <= x1)
    assert ty.max() >= y[inside].max()
    assert ty.min() <= y[inside].min()
    assert len(tx) <= max(5 * pixels, count)
    assert tx[0] <= x0
    assert tx[-1] >= x1
    # every sample's height is reached by the thinned curve within a pixel of its place
    width = (x1 - x0) / pixels * 2.0
    for k in np.flatnonzero(inside)[:: max(1, count // 200)]:
        near = np.abs(tx - x[k]) <= width
        assert ty[near].max() >= y[k] - 1e-12
        assert ty[near].min() <= y[k] + 1e-12


def test_that_a_curve_is_read_straight_between_its_samples_and_not_far_beyond_them() -> None:
    time = np.array([0.0, 1.0, 3.0])
    curve = Curve.over(Abscissa("time", time, None), "", time, np.array([2.0, 4.0, -4.0]), INK)
    assert curve.at_time(0.25) == pytest.approx(2.5)
    assert curve.at_time(2.0) == pytest.approx(0.0)
    assert curve.at_time(3.0) == pytest.approx(-4.0)
    assert curve.at_time(4.9) == pytest.approx(
        -4.0
    )  # the run may end after the last sample, by less than a step
    assert np.isnan(curve.at_time(5.1))
    assert np.isnan(curve.at_time(-0.1))
    assert np.isnan(curve.at_time(None))


def test_that_large_forces_are_shown_in_thousands() -> None:
    time = np.array([0.0, 1.0])
    axis = Abscissa("time", time, None)
    small = Curve.over(axis, "", time, np.array([0.0, 900.0]), INK)
    large = Curve.over(axis, "", time, np.array([0.0, -25_000.0]), INK)
    assert display_unit("N", [small]) == ("N", 1.0)
    assert display_unit("N", [small, large]) == ("kN", 1e-3)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0.000"), (-3.14159, "−3.14"), (123.456, "123.5"), (float("nan"), "–"), (2.5e-5, "2.5·10⁻⁵")],
)
def test_that_numbers_are_written_for_people(value: float, text: str) -> None:
    assert number(value) == text


def test_that_a_small_value_of_a_large_curve_is_written_in_thousandths() -> None:
    assert number(-6.7e-4, beside=0.8) == "−0.001"
    assert number(-2e-4, beside=0.8) == "0.000"
    assert number(-6.7e-4, beside=0.02) == "−6.7·10⁻⁴"
    assert number(2.5e6, beside=3e6) == "2.5·10⁶"
    assert number(2e-4, log=True, beside=0.8) == "2.0·10⁻⁴"


def test_that_springs_about_an_axis_are_told_in_moments_and_angles(make_run: Callable[..., Run]) -> None:
    run = make_run()
    signals = RunSignals(run.results, run.project)
    units_of = {
        name: tuple(signals.get(f"spring/{name}/{what}").unit for what in ("force", "length"))
        for name in ("Car/Roll stop", "Car/Primary spring front left")
    }
    assert units_of == {"Car/Roll stop": ("N m", "rad"), "Car/Primary spring front left": ("N", "m")}
    assert signals.get("spring/Car/Roll stop/force").title == "Moment"
    assert signals.get("violations/joints").unit == "m or rad"
    assert signals.get("violations/guides").unit == "m"
