"""What contacts did, against the closed forms of a bouncing ball."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.outcome.touches import _impact, _outside, _summit, touches_of_pairs, touches_of_riders
from ridewright.core.project.examples import load_example
from ridewright.core.run.simulate import simulate

G, DROP = 9.81, 0.3  # m/s^2, m between ball and floor at the start


@pytest.fixture(scope="module")
def bounced():
    return simulate(load_example("bouncing_ball"))


def test_that_touches_are_those_of_a_bouncing_ball(bounced) -> None:
    (name, did), *_ = touches_of_pairs(bounced).items()
    fall, speed = np.sqrt(2.0 * DROP / G), np.sqrt(2.0 * G * DROP)
    events = [event for event in bounced.events if event.kind == "touch"]
    assert did.pair == name
    assert did.count == len(events) > 2
    assert did.first == pytest.approx(fall, abs=2e-3)
    assert did.speed == pytest.approx(speed, rel=1e-3)
    assert did.speed_time == pytest.approx(fall, abs=2e-3)
    # the longest flight is the first one: up with what the first bounce left
    released = next(event.time for event in bounced.events if event.kind == "release")
    flight = events[1].time - released
    assert did.longest == pytest.approx(flight, abs=4e-3)
    assert did.longest_from == pytest.approx(released, abs=2e-3)
    assert did.apart == pytest.approx(G * flight**2 / 8.0, rel=5e-3)
    row = bounced.names.springs.index(name)
    project = load_example("bouncing_ball")
    fine = simulate(
        project.model_copy(update={"settings": project.settings.model_copy(update={"tolerance": 1e-9})})
    )
    largest = np.abs(fine.states.spring_force[:, row]).max()
    assert did.force == pytest.approx(largest, rel=1e-4)
    assert abs(did.force - largest) < abs(np.abs(bounced.states.spring_force[:, row]).max() - largest)
    assert did.deepest == pytest.approx(bounced.states.spring_length[:, row].max())


def test_that_the_impulse_is_what_changed_the_momentum(bounced) -> None:
    (did,) = touches_of_pairs(bounced).values()
    states = bounced.states
    span = float(states.time[-1] - states.time[0])
    gained = float(states.velocity[-1, 0, 2] - states.velocity[0, 0, 2])  # of 1 kg
    assert did.impulse == pytest.approx(gained + G * span, rel=2e-2)


def test_that_nobody_is_a_rider_on_a_rig(bounced) -> None:
    assert touches_of_riders(bounced) == {}


def test_that_a_pair_that_never_meets_says_so() -> None:
    project = load_example("bouncing_ball")
    short = project.model_copy(update={"scenario": project.scenario.model_copy(update={"duration": 0.1})})
    (did,) = touches_of_pairs(simulate(short)).values()
    assert (did.count, did.first, did.speed, did.longest, did.force) == (0, None, None, None, 0.0)


def test_that_a_rider_is_not_taken_for_another_one_whose_path_ends_alike() -> None:
    assert _outside("Pan: Car/Rider/Pelvis/Skin on Car/Seat/Pan", "Car/Rider")
    assert _outside("Bar: Car/Bar/Pad on Car/Rider/Thigh/Skin", "Car/Rider")
    assert not _outside("Pan: My Car/Rider/Pelvis/Skin on My Car/Seat/Pan", "Car/Rider")
    assert not _outside("Hands: Car/Rider/Hand/Skin on Car/Rider/Thigh/Skin", "Car/Rider")  # himself


def test_that_a_touch_is_as_fast_as_the_step_that_leads_to_it() -> None:
    """Whether a step ends a little before the touch, by rounding, or leads over it; the fastest of all counts."""
    time = np.array([0.0, 0.1, 0.2, 0.3, 0.4])
    on_it = np.array(
        [-0.2, -1e-11, 0.05, -0.1, 0.05]
    )  # 2 m/s to the touch, 0.5 m/s behind it; 1.5 m/s over the next
    assert _impact(time, on_it, np.array([1, 3])) == pytest.approx((2.0, 0.2))
    over_it = np.array([-0.2, -0.1, 0.05, -0.1, 0.2])
    assert _impact(time, over_it, np.array([1, 3])) == pytest.approx((3.0, 0.4))
    assert _impact(time, over_it, np.array([], dtype=np.int64)) is None


def test_that_the_largest_force_lies_between_instants() -> None:
    """A parabola of 7 N at 2.3 s; what is only begun at the largest instant, or ends there, is taken as it is."""
    time = np.array([0.5, 1.1, 2.0, 2.9, 3.1, 4.0])
    force = 7.0 - (time - 2.3) ** 2
    assert _summit(time, force, 2) == pytest.approx(7.0, rel=1e-12)
    assert _summit(time, np.where(time > 1.5, force, 0.0), 2) == force[2]
    assert _summit(time, np.where(time < 2.5, force, 0.0), 2) == force[2]
    assert _summit(time[2:], force[2:], 0) == force[2]
    assert _summit(time, np.full(6, 3.0), 2) == 3.0
