"""Closed chains: four-bar through its singular places, Andrews' squeezer, Bricard, slider-crank, universal joint."""

from __future__ import annotations

import math

import numpy as np
import pytest
from planar_reference import Linkage, Point
from verification_tools import accurate, body, largest, observed_orders, run, second_order

from ridewright.core.base.frames import rotation_matrix

# Published figures of the IFToMM library of benchmark problems (A02, A03, A04)
FOUR_BAR_END = (0.328458112, 0.944518538)
FOUR_BAR_SPEED = (1.42305147, -0.49486885)
ANDREWS_END = {
    "beta": 15.81077119629904,
    "Theta": -15.75637105984298,
    "gamma": 0.04082224013073,
    "Phi": -0.53473011632269,
    "delta": 0.52440996588053,
    "Omega": 0.53473011632269,
    "epsilon": 1.04808074104226,
}
BRICARD_END = (0.51050146, -1.64916760, 0.14012311)


def _b0(states):
    """B0 and its velocity from the first upright."""
    return 2.0 * states.position[-1, 0, :2], 2.0 * states.velocity[-1, 0, :2]


def _four_bar() -> Linkage:
    """The parallelogram in one angle; the couplers do not turn."""
    upright = Point(((0.5, (1,)),))
    couplers = [Point(((1.0, (1,)),), fixed=k + 0.5) for k in range(2)]
    return Linkage(
        tuple((1.0, 1.0 / 12.0, upright, (1,)) for _ in range(3))
        + tuple((1.0, 0.0, c, (0,)) for c in couplers)
    )


def test_that_the_reference_of_the_four_bar_reproduces_the_published_state():
    angle, rate = (
        x[0, 0] for x in _four_bar().solve(np.array([np.pi / 2]), np.array([-1.0]), np.array([10.0]))
    )
    assert (math.cos(angle), math.sin(angle)) == pytest.approx(FOUR_BAR_END, abs=1e-9)
    assert (-rate * math.sin(angle), rate * math.cos(angle)) == pytest.approx(FOUR_BAR_SPEED, abs=1e-8)


def test_that_the_four_bar_passes_its_singular_places_and_ends_where_published():
    results = accurate("four_bar", step=2e-3)
    place, speed = _b0(results.states)
    assert place == pytest.approx(FOUR_BAR_END, abs=1e-6)
    assert speed == pytest.approx(FOUR_BAR_SPEED, abs=5e-6)
    angle = np.unwrap(np.arctan2(results.states.position[:, 0, 1], results.states.position[:, 0, 0]))
    assert np.sum(np.abs(np.diff(np.floor(angle / np.pi)))) >= 5, "the rods line up several times"
    assert largest(results.energy.residual) < 1e-5


def test_that_the_four_bar_counts_its_redundant_rows():
    size = run("four_bar", duration=0.1).size
    assert (size.coordinates, size.rows, size.rank, size.degrees_of_freedom) == (30, 35, 29, 1)
    assert len(size.redundant) >= 1


def test_that_the_error_controlled_method_passes_the_singular_places_and_closes_in_on_the_published_state():
    """By steps of order 2, and closer at each tolerance where those of order 4 are taken."""
    errors = {}
    for high in (False, True):
        errors[high] = []
        for tolerance in (1e-5, 1e-6, 1e-7):
            results = run("four_bar", tolerance=tolerance, fourth_order=high)
            assert results.states.time[-1] == pytest.approx(10.0, abs=1e-9)
            assert largest(results.violations.joints) < 1e-6
            errors[high].append(float(np.linalg.norm(_b0(results.states)[0] - FOUR_BAR_END)))
    second, fourth = errors.values()
    assert second[0] > 2.0 * second[1] > 4.0 * second[2]
    assert second[2] < 5e-3
    assert all(closer < 0.8 * off for closer, off in zip(fourth, second, strict=True))


def test_that_the_implicit_method_is_of_second_order_on_the_four_bar():
    """Up to shortly before the first singular place."""
    angle = _four_bar().solve(np.array([np.pi / 2]), np.array([-1.0]), np.array([0.0, 0.6]))[0][-1, 0]
    errors = []
    for h in (2e-2, 1e-2, 5e-3):
        place, _ = _b0(second_order("four_bar", h, duration=0.6).states)
        errors.append(float(np.linalg.norm(place - [math.cos(angle), math.sin(angle)])))
    assert observed_orders(errors) == pytest.approx([2.0, 2.0], abs=0.15)


def _turns(states, index):
    """Unwrapped angle about z over time of a body that moves in the plane."""
    return np.unwrap(2.0 * np.arctan2(states.orientation[:, index, 3], states.orientation[:, index, 0]))


def _andrews_angles(results):
    states = results.states
    a = {f"K{k}": _turns(states, body(results, f"K{k}"))[-1] for k in range(1, 8)}
    return {
        "beta": a["K1"],
        "Theta": a["K2"] - a["K1"],
        "gamma": a["K3"],
        "Phi": a["K4"] - a["K5"],
        "delta": a["K5"],
        "Omega": a["K6"] - a["K7"],
        "epsilon": a["K7"],
    }


def test_that_andrews_squeezer_reaches_the_published_state():
    """IVP test set, t = 0.03 s, xb = -0.03635 m, m3 = 0.02373 kg."""
    results = accurate("andrews_squeezer", step=1e-5)
    assert results.states.time[-1] == pytest.approx(0.03, abs=1e-12)
    assert _andrews_angles(results) == pytest.approx(ANDREWS_END, abs=1e-7)


def test_that_andrews_squeezer_converges_with_second_order():
    errors = []
    for h in (4e-5, 2e-5, 1e-5):
        angles = _andrews_angles(second_order("andrews_squeezer", h))
        errors.append(max(abs(angles[k] - ANDREWS_END[k]) for k in ANDREWS_END))
    assert observed_orders(errors) == pytest.approx([2.0, 2.0], abs=0.2)
    assert errors[-1] < 1e-2


def _p3(results):
    """P3 is the end of the third rod, half a metre along its xi axis from the centre."""
    index = body(results, "Rod 3")
    return (
        results.states.position[-1, index]
        + 0.5 * rotation_matrix(results.states.orientation[-1, index])[:, 0]
    )


def test_that_bricards_linkage_moves_although_counting_says_it_cannot():
    results = accurate("bricard", step=1e-3)
    size = results.size
    assert (size.coordinates, size.rows, size.rank, size.degrees_of_freedom) == (30, 30, 29, 1)
    assert len(size.redundant) == 1
    assert _p3(results) == pytest.approx(BRICARD_END, abs=5e-8)
    assert largest(results.energy.residual) < 1e-7


def test_that_bricards_linkage_converges_with_second_order():
    errors = [largest(_p3(second_order("bricard", h)) - BRICARD_END) for h in (8e-3, 4e-3, 2e-3)]
    assert observed_orders(errors) == pytest.approx([2.0, 2.0], abs=0.2)


CRANK, ROD, START, RATE = 0.15, 0.4, 0.8, 12.0


def _slider_crank() -> Linkage:
    """Angles of crank and connecting rod; the slider stays on the axis."""
    slider = Point(((CRANK, (1, 0)), (ROD, (0, 1))))
    return Linkage(
        (
            (1.2, 1.2 * CRANK**2 / 12.0, Point(((CRANK / 2.0, (1, 0)),)), (1, 0)),
            (0.6, 0.6 * ROD**2 / 12.0, Point(((CRANK, (1, 0)), (ROD / 2.0, (0, 1)))), (0, 1)),
            (0.9, 0.0, slider, (0, 0)),
        ),
        levels=(slider,),
    )


def test_that_the_coasting_slider_crank_follows_its_angles():
    results = accurate("slider_crank", step=2e-4)
    states = results.states
    lean = -math.asin(CRANK * math.sin(START) / ROD)
    lean_rate = -CRANK * math.cos(START) * RATE / (ROD * math.cos(lean))
    angles, _ = _slider_crank().solve(np.array([START, lean]), np.array([RATE, lean_rate]), states.time)
    crank = np.unwrap(np.arctan2(states.position[:, 0, 1], states.position[:, 0, 0]))
    assert np.ptp(angles[:, 0]) > 2.0 * math.pi
    assert largest(crank - angles[:, 0]) < 1e-7
    place = CRANK * np.cos(angles[:, 0]) + ROD * np.cos(angles[:, 1])
    assert largest(states.position[:, body(results, "Slider"), 0] - place) < 1e-7
    assert largest(results.energy.residual) < 1e-7


def test_that_the_driven_crank_moves_its_slider_in_closed_form():
    """x = r cos a + sqrt(l^2 - r^2 sin^2 a) with a = a0 + w t; velocity and acceleration by differentiation."""
    results = accurate("driven_crank")
    states, k = results.states, body(results, "Slider")
    a = START + RATE * states.time
    root = np.sqrt(ROD**2 - (CRANK * np.sin(a)) ** 2)
    place = CRANK * np.cos(a) + root
    slope = -CRANK * np.sin(a) - CRANK**2 * np.sin(a) * np.cos(a) / root
    bend = (
        -CRANK * np.cos(a)
        - CRANK**2 * np.cos(2.0 * a) / root
        - CRANK**4 * np.sin(2.0 * a) ** 2 / (4.0 * root**3)
    )
    assert largest(states.position[:, k, 0] - place) < 1e-8
    assert largest(states.velocity[:, k, 0] - RATE * slope) < 1e-6
    assert largest(states.acceleration[:, k, 0] - RATE**2 * bend) < 1e-4
    assert largest(states.position[:, k, 1:]) < 1e-8


def test_that_the_motor_of_the_driven_crank_pays_for_the_energy():
    """All energy of the rigid linkage comes from the motor, to second order of the step.

    Multipliers are worth the position tolerance over the square of the step, so the tolerance is set tight.
    """
    tight = {"position_tolerance": 1e-13, "velocity_tolerance": 1e-12}
    errors = []
    for h in (2e-3, 1e-3):
        energy = run("driven_crank", fixed_step=h, **tight).energy
        gained = energy.kinetic + energy.potential - energy.kinetic[0] - energy.potential[0]
        assert np.ptp(gained) > 4.0
        assert largest(energy.driven - gained - energy.driven[0]) == pytest.approx(largest(energy.residual))
        errors.append(largest(energy.residual))
    assert observed_orders(errors) == pytest.approx([2.0], abs=0.2)
    assert errors[-1] < 1e-4 * np.ptp(gained)
    assert largest(accurate("driven_crank").energy.residual) < 1e-5


@pytest.mark.parametrize("fourth_order", [False, True])
def test_that_the_motor_pays_for_the_energy_at_the_settings_of_the_example(fourth_order):
    """A crank that is told how to turn is in its place whatever the multipliers are: those of the motor were off by
    4.6 % where iterations ended with the pose."""
    energy = run("driven_crank", fourth_order=fourth_order).energy
    assert largest(energy.residual) < 1e-3 * np.ptp(energy.kinetic + energy.potential)


def test_that_the_universal_joint_turns_its_shaft_unevenly_in_closed_form():
    """tan(out) = tan(in) cos(0.6), in = 5 t."""
    results = accurate("universal_shaft")
    states, k = results.states, body(results, "Driven shaft")
    turn_in, c = 5.0 * states.time, math.cos(0.6)
    rate = 5.0 * c / (np.cos(turn_in) ** 2 + (c * np.sin(turn_in)) ** 2)
    slope = (
        -25.0
        * c
        * (c**2 - 1.0)
        * np.sin(2.0 * turn_in)
        / (np.cos(turn_in) ** 2 + (c * np.sin(turn_in)) ** 2) ** 2
    )
    assert np.ptp(rate) > 1.9
    assert largest(states.angular_velocity[:, k, 0] - rate) < 1e-6
    assert largest(states.angular_acceleration[:, k, 0] - slope) < 1e-4
    assert largest(states.position[:, k] - states.position[0, k]) < 1e-8
    assert results.size.degrees_of_freedom == 0
    assert results.size.rows - results.size.rank == 2
