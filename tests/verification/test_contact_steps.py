"""How steps go through contact: forces that are there at once, order with joints, lift-off and landing."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from contact_rigs import TIGHT, ball, contact, on_floor
from scipy.optimize import brentq

from ridewright.core.model.forces import TYPES
from ridewright.core.model.functions import AnalyticFunction, Harmonic, constant
from ridewright.core.model.joints import Joint
from ridewright.core.model.surfaces import Box, Plane
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig
from ridewright.core.results.sampler import Sampler
from ridewright.core.run.simulate import simulate

DOWN = (0.0, 0.0, -9.81)
FLAT = (Plane(name="Floor"),)
PLATE = (Box(name="Floor", position=(0.0, 0.0, -0.1), half_sizes=(1.0, 1.0, 0.1)),)


def dashpot(stiffness: float, damping: float, speed: float) -> tuple[float, float, float]:
    """How long a mass of 1 kg touches that comes with a speed (m/s), the speed it leaves with, its largest force (N):
    x'' + c x' + k x = 0 from the touch until k x + c x' = 0."""
    half = 0.5 * damping
    w = math.sqrt(stiffness - half * half)

    def at(t: float) -> tuple[float, float]:
        x = speed / w * math.exp(-half * t) * math.sin(w * t)
        return x, speed * math.exp(-half * t) * (math.cos(w * t) - half / w * math.sin(w * t))

    def force(t: float) -> float:
        x, v = at(t)
        return stiffness * x + damping * v

    until = brentq(force, 0.5 * math.pi / w, math.pi / w, xtol=1e-15)
    times = np.linspace(0.0, until, 20001)
    return until, -at(until)[1], max(force(t) for t in times)


@pytest.mark.parametrize("ground", [FLAT, PLATE], ids=["plane", "box"])
@pytest.mark.parametrize("damping", [20.0, 300.0])
def test_that_a_dashpot_is_stepped_through_touch_at_every_tolerance(damping: float, ground: Any) -> None:
    k, speed = 1e5, 1.5
    lasts, leaves, most = dashpot(k, damping, speed)
    law = {"law": "spring_dashpot", "exponent": 1.0, "stiffness": k, "damping": damping}
    off = []
    for tolerance in (1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9):
        body = ball(position=(0.0, 0.0, 0.26), velocity=(0.0, 0.0, -speed))
        run = simulate(
            on_floor(body, contact(**law), duration=0.08, ground=ground, settings={"tolerance": tolerance})
        )
        assert run.status.name == "done", run.status.message
        touch, release = (next(e.time for e in run.events if e.kind == kind) for kind in ("touch", "release"))
        assert touch == pytest.approx(0.06 / speed, abs=1e-8)
        assert float(run.states.spring_force[:, 0].max()) <= most * (1.0 + 1e-3)
        off.append(abs(float(run.states.velocity[-1, 0, 2]) - leaves))
        parted = float(run.states.time[np.flatnonzero(run.states.spring_force[:, 0] > 0.0)[-1]])
        assert parted <= touch + lasts + 1e-3
        assert release >= parted
    assert off[0] < 0.03
    assert off[2] < 2e-3
    assert off[4] < 1e-4
    assert off[5] < 3e-5
    assert np.abs(run.energy.residual).max() < 1e-5


def hinged(settings: dict[str, Any] | None) -> Project:
    """A ball on an arm that turns about a hinge falls on the floor and bounces off."""
    made = on_floor(
        ball(position=(0.0, 0.0, 0.25)), contact(stiffness=2e4, restitution=0.5), duration=0.2, gravity=DOWN,
        settings=settings,
    )  # fmt: skip
    hinge = Joint(
        name="Hinge", kind="revolute", body_i="ground", point_i=(0.5, 0.0, 0.3), axis_i=(0.0, 1.0, 0.0), body_j="Ball",
        point_j=(0.5, 0.0, 0.05), axis_j=(0.0, 1.0, 0.0),
    )  # fmt: skip
    assert isinstance(made.scenario, Rig)
    rig = made.scenario.assembly.model_copy(update={"joints": (hinge,)})
    return made.model_copy(update={"scenario": made.scenario.model_copy(update={"assembly": rig})})


def test_that_contact_with_a_joint_keeps_order_two_under_error_control() -> None:
    """Errors of the end over numbers of steps: what iterations leave over must not add up to first order."""
    exact = simulate(hinged(TIGHT | {"max_step": 2e-5})).states
    found = []
    for tolerance in (1e-6, 1e-7, 1e-8, 1e-9, 1e-10):
        states = simulate(hinged({"tolerance": tolerance})).states
        off = np.abs(states.velocity[-1] - exact.velocity[-1]).max()
        found.append(
            (len(states.time), float(off), float(np.abs(states.position[-1] - exact.position[-1]).max()))
        )
    (first, v0, x0), (last, v1, x1) = found[0], found[-1]
    steps = math.log(last / first)
    assert math.log(v0 / v1) / steps > 1.8, found
    assert math.log(x0 / x1) / steps > 1.8, found


def _flight(m: float, amplitude: float, w: float) -> tuple[float, float, float, Callable[[float], float]]:
    """When a block lifts off that sin w t pulls at with an amplitude (N), when it lands again, how high it comes (m)
    and its height over time."""
    off = math.asin(m * 9.81 / amplitude) / w

    def height(t: float) -> float:
        # z'' = A/m sin w t - g from rest at lift-off
        s = t - off
        return (
            amplitude / (m * w * w) * (math.sin(w * off) - math.sin(w * t) + w * s * math.cos(w * off))
            - 0.5 * 9.81 * s * s
        )

    times = np.linspace(off + 1e-4, off + 2.0 * math.pi / w, 4001)
    heights = np.array([height(float(t)) for t in times])
    k = int(np.argmax(heights < 0.0))
    lands = brentq(height, float(times[k - 1]), float(times[k]), xtol=1e-14)
    return off, lands, float(heights[:k].max()), height


def test_that_a_block_lifts_off_beyond_one_g_and_lands_when_it_should() -> None:
    """As on a hill of -1 g - 0.1 g at the worst: a load upwards of 1.1 times the weight, waxing and waning."""
    m, w = 1.0, 2.0 * math.pi
    off, lands, top, height = _flight(m, 1.1 * m * 9.81, w)
    wave = AnalyticFunction(harmonics=(Harmonic(amplitude=1.1 * m * 9.81, omega=w),))
    pull = TYPES["force"].model(name="Airtime", body="Ball", components=(constant(0), constant(0), wave))
    rests = ball(position=(0.0, 0.0, 0.2 - m * 9.81 / 1e7), velocity=(0.0, 0.0, 0.0))
    grip = contact(law="spring_dashpot", exponent=1.0, stiffness=1e7, damping=2000.0)
    run = simulate(on_floor(rests, grip, pull, duration=0.47, gravity=DOWN, settings={"tolerance": 1e-9}))
    assert run.status.name == "done"
    events = [(e.kind, e.time) for e in run.events if e.kind in ("touch", "release")]
    assert [kind for kind, _ in events[:2]] == ["release", "touch"]
    assert events[0][1] == pytest.approx(off, abs=1e-3)  # it parts slowly: by 1e-6 m in its first millisecond
    assert events[1][1] == pytest.approx(lands, abs=5e-6)
    z = run.states.position[:, 0, 2] - 0.2
    between = Sampler(run.states, np.linspace(off, lands, 2000)).body(0).position[:, 2] - 0.2
    assert float(between.max()) == pytest.approx(top, abs=1e-6)
    air = (run.states.time > off + 0.01) & (run.states.time < lands)
    wanted = [height(float(t)) for t in run.states.time[air]]
    np.testing.assert_allclose(z[air], wanted, atol=1e-6)
