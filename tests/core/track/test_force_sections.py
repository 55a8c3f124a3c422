"""Sections drawn by forces: what is felt on the finished track is what was asked for."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.track import elements as e
from ridewright.core.track.build import build_track
from ridewright.core.track.description import Track
from ridewright.core.track.elements.force import ForceSection, Key
from ridewright.core.track.frames import canted_derivatives
from ridewright.core.track.programs import kernels
from ridewright.core.track.programs.channel import SHAPES, channel, constant
from ridewright.core.track.programs.leg import NODES
from tests.core.track.test_element_inversions import felt_g

POSE = e.StartPose(position=(2.0, 1.0, 20.0), heading=-0.6, pitch=-0.2, cant=-0.1)
K = Key


def _built(*sections: object):
    return build_track(Track.model_validate({"name": "t", "sections": sections}), ride=False)


def _line(built, height: float):
    """Arc length, place and speed factor of the line above the rails, densely."""
    s = np.linspace(0.0, built.length, 6001)
    state = built.centreline.state(s)
    up = canted_derivatives(state).up
    factor = np.linalg.norm(state.curve[:, 1] + height * up[:, 1], axis=1)
    run = np.concatenate([[0.0], np.cumsum(0.5 * (factor[1:] + factor[:-1]) * np.diff(s))])
    return s, run, state.curve[:, 0] + height * state.up


def test_that_a_constant_normal_g_holds() -> None:
    section = ForceSection(
        name="f", pose=POSE, over="distance", extent=60.0, entry_speed=24.0,
        normal_g=(K(at=8.0, value=3.5),), lateral_g=(K(at=8.0, value=0.0),),
    )  # fmt: skip
    built = _built(section)
    s, run, _ = _line(built, 1.1)
    felt = felt_g(built, s, 1.1, 24.0)
    held = run > 8.0
    assert np.abs(felt[held, 2] - 3.5).max() < 0.01
    assert np.abs(felt[held, 1]).max() < 0.01
    assert run[-1] == pytest.approx(60.0, abs=1e-5)


def test_that_changing_forces_while_rolling_are_felt_as_asked_for() -> None:
    section = ForceSection(
        name="f", pose=POSE, over="distance", extent=70.0, entry_speed=25.0, line_height=1.3,
        normal_g=(K(at=10.0, value=2.5, transition="quintic"), K(at=30.0, value=0.2, transition="sine"),
                  K(at=55.0, value=3.0, transition="cubic")),
        lateral_g=(K(at=20.0, value=0.3), K(at=60.0, value=-0.2, transition="linear")),
        roll_rate=(K(at=5.0, value=0.0), K(at=25.0, value=1.1, transition="quintic"),
                   K(at=45.0, value=0.0, transition="quintic")),
    )  # fmt: skip
    built = _built(section)
    s, run, _ = _line(built, 1.3)
    felt = felt_g(built, s, 1.3, 25.0)
    begin = felt[0]
    normal = channel(
        begin[2], [(10.0, 2.5, "quintic"), (20.0, 0.2, "sine"), (25.0, 3.0, "cubic"), (15.0, 3.0, "linear")]
    )
    lateral = channel(begin[1], [(20.0, 0.3, "cubic"), (40.0, -0.2, "linear"), (10.0, -0.2, "linear")])
    assert np.abs(felt[:, 2] - normal.at(run)[:, 0]).max() < 2e-3
    assert np.abs(felt[:, 1] - lateral.at(run)[:, 0]).max() < 2e-3
    assert np.abs(felt[:, 0]).max() < 1e-3


def test_that_a_section_over_time_lasts_as_long_as_it_says() -> None:
    section = ForceSection(
        name="f", pose=POSE, over="time", extent=2.3, entry_speed=19.0, normal_g=(K(at=0.7, value=2.0),)
    )
    built = _built(section)
    _, run, place = _line(built, 1.1)
    speed = np.sqrt(19.0**2 - 2.0 * 9.81 * (place[:, 2] - place[0, 2]))
    pace = 1.0 / speed
    assert np.sum(0.5 * (pace[1:] + pace[:-1]) * np.diff(run)) == pytest.approx(2.3, abs=1e-5)


def test_that_friction_and_drag_slow_the_ride() -> None:
    """On a level straight d(v^2)/ds = -2 g mu - 2 R v^2 has the closed form
    v^2 = (v0^2 + g mu / R) exp(-2 R s) - g mu / R."""
    level = e.StartPose(position=(0.0, 0.0, 5.0))
    mu, drag = 0.02, 3e-4
    section = ForceSection(
        name="f", pose=level, over="distance", extent=150.0, entry_speed=22.0, friction=mu, drag=drag
    )
    from ridewright.core.track.element_leg import element_leg
    from ridewright.core.track.elements.base import entry_of_pose

    leg = element_leg(section, entry_of_pose(level))
    rest = 9.81 * mu / drag
    assert leg.exit_speed == pytest.approx(
        np.sqrt((22.0**2 + rest) * np.exp(-2 * drag * 150.0) - rest), rel=1e-12
    )


def test_that_a_free_fall_is_the_parabola() -> None:
    pose = e.StartPose(position=(0.0, 0.0, 40.0), heading=0.0, pitch=0.4)
    flat = (K(at=0.0, value=0.0),)
    section = ForceSection(
        name="f",
        pose=pose,
        over="time",
        extent=1.9,
        entry_speed=17.0,
        normal_g=flat,
        lateral_g=flat,
        line_height=0.0,
    )
    end = _built(section).centreline.position(1e9)[0]
    vx, vz = 17.0 * np.cos(0.4), 17.0 * np.sin(0.4)
    assert end == pytest.approx([vx * 1.9, 0.0, 40.0 + vz * 1.9 - 0.5 * 9.81 * 1.9**2], abs=1e-9)


def test_that_sections_follow_one_another_smoothly_while_rolling() -> None:
    first = ForceSection(
        name="a", pose=POSE, over="time", extent=1.5, entry_speed=22.0,
        normal_g=(K(at=0.8, value=2.4),), roll_rate=(K(at=1.0, value=0.7),),
    )  # fmt: skip
    from ridewright.core.track.element_leg import element_leg
    from ridewright.core.track.elements.base import entry_of_pose

    speed = element_leg(first, entry_of_pose(POSE)).exit_speed
    second = ForceSection(
        name="b", over="time", extent=1.0, entry_speed=speed, normal_g=(K(at=0.6, value=1.0),)
    )
    built = _built(first, second)
    line, at = built.centreline, built.sections[1].s0
    before, after = line.state([at], from_left=True), line.state([at])
    assert np.abs(before.curve[:, :3] - after.curve[:, :3]).max() < 1e-6
    assert np.abs(before.up - after.up).max() < 1e-9
    assert before.twist[0, 0] == pytest.approx(after.twist[0, 0], abs=1e-6)
    assert abs(after.twist[0, 0]) > 0.02


def test_that_the_integrator_of_forces_has_order_six() -> None:
    normal = channel(0.6, [(12.0, 2.2, "sine"), (18.0, -0.3, "sine")])
    lateral = channel(0.0, [(30.0, 0.4, "sine")])
    roll = channel(0.1, [(30.0, -0.4, "sine")])

    def end(longest: float) -> np.ndarray:
        y = np.zeros(11)
        y[2], y[3], y[8], y[9] = 20.0, 1.0, 1.0, 15.0**2
        room = (np.empty((900, 6)), np.empty((900, 6, 11)), np.empty((900, 6, 4)))
        set_up = np.array([9.81, 0.01, 1e-4, 0.0, 1.0, 0.0, 0.0])
        limits = np.array([longest, 100.0, 1.0])
        borders = np.array([0.0, 12.0, 30.0])
        kernels.follow_forces(
            borders, NODES, y, normal.table, lateral.table, roll.table, set_up, limits, *room
        )
        return y

    exact = end(0.2)
    coarse, fine = (np.abs(end(h) - exact).max() for h in (6.0, 3.0))
    assert 5.5 < np.log2(coarse / fine) < 7.0


@pytest.mark.parametrize("kind", list(SHAPES))
def test_that_every_transition_has_the_derivatives_and_integral_it_says(kind: str) -> None:
    one = channel(0.7, [(2.5, 1.9, kind), (1.5, 1.0, "linear")], slope=0.2)
    x = np.linspace(0.01, 2.49, 400)
    h = 1e-5
    low, here, high = one.at(x - h), one.at(x), one.at(x + h)
    corner = np.zeros(len(x), dtype=bool)
    assert np.abs((high[:, 0] - low[:, 0]) / (2 * h) - here[:, 1])[~corner].max() < 1e-6
    assert np.abs((high[:, 3] - low[:, 3]) / (2 * h) - here[:, 0]).max() < 1e-7
    assert np.abs((high[:, 1] - low[:, 1]) / (2 * h) - here[:, 2]).max() < 1e-4
    ends = one.at([0.0, 2.5 - 1e-12])
    assert ends[0, 0] == 0.7
    assert ends[1, 0] == pytest.approx(0.7 if kind == "plateau" else 1.9, abs=1e-9)
    if kind == "plateau":
        assert one.at([1.25])[0, 0] == pytest.approx(1.9 + 0.2 * 2.5 * 0.5**4, abs=1e-12)
    if kind != "linear":
        assert ends[1, 1] == pytest.approx(0.0, abs=1e-9)
    assert constant(3.0, 4.0).total() == pytest.approx(12.0)


def test_that_a_ride_that_stalls_is_refused_with_the_place() -> None:
    steep = e.StartPose(position=(0.0, 0.0, 5.0), pitch=0.9)
    with pytest.raises(InputError, match=r"Section 'f': the ride stalls after \d+\.\d m"):
        _built(ForceSection(name="f", pose=steep, extent=100.0, over="distance", entry_speed=10.0))


def test_that_keys_out_of_order_or_range_are_refused() -> None:
    with pytest.raises(ValueError, match="normal_g, key 2 does not come after the key before it"):
        ForceSection(name="f", normal_g=(K(at=1.0, value=2.0), K(at=0.5, value=1.0)))
    with pytest.raises(ValueError, match="roll_rate, key 1 lies at 3, behind the end at 2"):
        ForceSection(name="f", extent=2.0, roll_rate=(K(at=3.0, value=2.0),))
