"""Normal forces of contacts against closed forms: restitution, depth, force and duration of one impact."""

from __future__ import annotations

import math

import numpy as np
import pytest
from contact_rigs import ball, contact, on_floor

from ridewright.core.model.contact_laws import LAMBDA, exact_lambda, rebound, restitution
from ridewright.core.model.seats import Padding
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate

# restitution asked for 0.3, 0.5, 0.8 and what the factor of each law gives, from the closed form (see contact_laws)
COMES_OUT = {
    "hertz": (1.0, 1.0, 1.0),
    "hunt_crossley": (0.581288, 0.662962, 0.832870),
    "lee_wang": (0.738995, 0.799199, 0.909016),
    "herbert_mcwhannell": (0.519967, 0.593624, 0.806980),
    "lankarani_nikravesh": (0.684225, 0.725241, 0.847102),
    "gonthier": (0.304225, 0.487741, 0.768000),
    "zhiying_qishao": (0.326697, 0.482608, 0.787365),
    "zhiying_qishao_printed": (0.757602, 0.861646, 0.977883),
    "flores": (0.256208, 0.470445, 0.788539),
    "flores_printed": (0.202523, 0.362872, 0.672262),
    "gharib_hurmuzlu": (0.281877, 0.410720, 0.536160),
    "gharib_hurmuzlu_printed": (0.370168, 0.593624, 0.856851),
    "exact": (0.3, 0.5, 0.8),
}
ASKED = (0.3, 0.5, 0.8)
# lambda: restitution, depth (mm), force (N), duration (ms) for m = 1, v0 = 1, k = 1e6, n = 1.5
IMPACTS = {
    0.0: (1.0, 4.352753, 287.17459, 12.81135),
    0.5: (0.748435, 3.892574, 260.78610, 13.28982),
    1.0: (0.593624, 3.580536, 260.98293, 13.83695),
    2.0: (0.410720, 3.164584, 277.37631, 15.04948),
}


def _returned(run: Results) -> float:
    return float(run.states.velocity[-1, 0, 2])


def test_that_every_law_is_tested() -> None:
    assert set(COMES_OUT) == set(LAMBDA)


@pytest.mark.parametrize("law", COMES_OUT)
@pytest.mark.parametrize("which", range(3))
def test_that_a_law_returns_what_its_closed_form_says(law: str, which: int) -> None:
    run = simulate(on_floor(ball(), contact(law=law, restitution=ASKED[which])))
    wanted = restitution(LAMBDA[law](ASKED[which]))
    assert wanted == pytest.approx(COMES_OUT[law][which], abs=1e-6)
    assert _returned(run) == pytest.approx(wanted, abs=1e-6)
    assert run.energy.contact_loss[-1] == pytest.approx(0.5 * (1.0 - wanted**2), abs=1e-6)
    assert np.abs(run.energy.residual).max() < 1e-6


@pytest.mark.parametrize("speed", [0.5, 1.0, 3.0])
def test_that_a_pad_with_damping_gives_back_less_the_faster_it_is_met(speed: float) -> None:
    """k d^n (1 + 0.6 s/m * rate): the share e of the speed v with 0.6 v (1 + e) = ln((1 + 0.6 v)/(1 - 0.6 v e))."""
    pad = Padding(stiffness=1e6, exponent=1.5, damping=0.6, friction=0.0)
    run = simulate(on_floor(ball(velocity=(0.0, 0.0, -speed)), contact(**pad.as_contact)))
    e = rebound(0.6, speed)
    assert 0.6 * speed * (1.0 + e) == pytest.approx(math.log((1.0 + 0.6 * speed) / (1.0 - 0.6 * speed * e)))
    assert _returned(run) == pytest.approx(speed * e, abs=1e-6 * speed)
    assert run.energy.contact_loss[-1] == pytest.approx(0.5 * speed**2 * (1.0 - e**2), rel=1e-5)


def test_that_a_pad_without_damping_gives_back_the_same_share_at_every_speed() -> None:
    pad = Padding(stiffness=1e6, exponent=1.5, restitution=0.3, friction=0.0)
    for speed in (0.5, 3.0):
        run = simulate(on_floor(ball(velocity=(0.0, 0.0, -speed)), contact(**pad.as_contact)))
        assert _returned(run) == pytest.approx(COMES_OUT["hunt_crossley"][0] * speed, abs=1e-6 * speed)


@pytest.mark.parametrize("factor", IMPACTS)
def test_that_depth_force_and_duration_of_an_impact_are_those_of_the_closed_form(factor: float) -> None:
    wanted = IMPACTS[factor]
    # with the exact law lambda follows from the restitution asked for
    law = {"law": "exact", "restitution": wanted[0]} if factor else {"law": "hertz"}
    if factor:
        assert exact_lambda(restitution(factor)) == pytest.approx(factor, rel=1e-9)
        law = {"law": "exact", "restitution": restitution(factor)}
    settings = {"method": "rk4", "fixed_step": 1e-6, "sample_rate": 20000.0}
    run = simulate(
        on_floor(ball(position=(0.0, 0.0, 0.2)), contact(**law), duration=0.016, settings=settings)
    )
    time, depth, force = run.states.time, run.states.spring_length[:, 0], run.states.spring_force[:, 0]
    # between stored instants the largest is that of the parabola through three of them
    assert _top(depth) == pytest.approx(wanted[1] * 1e-3, rel=1e-5)
    assert _top(force) == pytest.approx(wanted[2], rel=1e-5)
    assert _returned(run) == pytest.approx(wanted[0], abs=2e-6)
    release = next(event.time for event in run.events if event.kind == "release")
    assert release == pytest.approx(wanted[3] * 1e-3, abs=2e-7)
    assert time[-1] == pytest.approx(0.016)
    assert np.all(force >= 0.0)


def _top(values: np.ndarray) -> float:
    k = int(np.argmax(values))
    a, b, c = values[k - 1 : k + 2]
    return float(b + (a - c) ** 2 / (8.0 * (2.0 * b - a - c)))


@pytest.mark.parametrize(("zeta", "wanted"), [(0.1, 0.744079), (0.3, 0.450975), (0.6, 0.248841)])
def test_that_spring_and_dashpot_let_go_at_zero_force(zeta: float, wanted: float) -> None:
    k = 1e4
    law = {"law": "spring_dashpot", "exponent": 1.0, "stiffness": k, "damping": 2.0 * zeta * math.sqrt(k)}
    run = simulate(on_floor(ball(), contact(**law), duration=0.08))
    # until it lets go, at zero force and not at zero depth, everything is linear
    w, b = math.sqrt(k), zeta * math.sqrt(k)
    wd = w * math.sqrt(1.0 - zeta**2)
    t = math.atan2(2.0 * b * wd, b * b - wd * wd) / wd
    assert math.exp(-b * t) * abs(math.cos(wd * t) - b / wd * math.sin(wd * t)) == pytest.approx(
        wanted, abs=1e-6
    )
    assert _returned(run) == pytest.approx(wanted, abs=1e-6)
    assert run.states.spring_force[:, 0].min() == 0.0
    assert np.abs(run.energy.residual).max() < 1e-6


@pytest.mark.parametrize("share", [0.2, 0.5])
def test_that_permanent_indentation_keeps_its_share_of_the_energy(share: float) -> None:
    """Loading along k d^n, unloading along F_max ((d - d_p)/(d_max - d_p))^n: 1 - d_p/d_max comes back."""
    run = simulate(on_floor(ball(), contact(law="permanent", indentation=share)))
    assert _returned(run) == pytest.approx(math.sqrt(1.0 - share), abs=1e-6)
    assert np.abs(run.energy.residual).max() < 1e-6


def test_that_a_table_with_hysteresis_loses_its_share() -> None:
    """Loading at F(d), unloading at (1 - h) F(d) but for the transition: at most h of the energy is lost."""
    curve = ((0.0, 0.0), (0.01, 50.0), (0.05, 450.0))
    law = {"law": "table", "curve": curve, "hysteresis": 0.4, "transition_rate": 1e-4}
    run = simulate(on_floor(ball(), contact(**law), duration=0.3, settings={"method": "adaptive_dop853"}))
    assert _returned(run) == pytest.approx(math.sqrt(0.6), abs=1e-3)
    assert np.abs(run.energy.residual).max() < 1e-5


def test_that_the_general_law_is_the_sum_of_its_two_parts() -> None:
    law = {"law": "general", "damping": 2e5, "damping_depth": 1.3, "damping_rate": 1.2}
    run = simulate(on_floor(ball(), contact(**law), settings={"method": "rk4", "fixed_step": 1e-5}))
    depth, rate = run.states.spring_length[:, 0], -run.states.velocity[:, 0, 2]
    inside = depth > 0.0
    d, v = depth[inside], rate[inside]
    wanted = 1e6 * d**1.5 + 2e5 * d**1.3 * np.copysign(np.abs(v) ** 1.2, v)
    np.testing.assert_allclose(
        run.states.spring_force[inside, 0], np.maximum(wanted, 0.0), rtol=1e-9, atol=1e-9
    )
    assert np.abs(run.energy.residual).max() < 1e-6


def test_that_stiffness_follows_from_materials_and_from_a_pad() -> None:
    """Hertz: k = 4/3 E* sqrt(R); of a pad as a bed of springs: k = pi R E/t. On both the ball keeps its energy."""
    given = {"law": "hertz", "modulus_i": 5e6, "poisson_i": 0.45, "modulus_j": 9e6, "poisson_j": 0.2}
    run = simulate(on_floor(ball(), contact(stiffness_from="materials", **given)))
    k = 4.0 / 3.0 / ((1.0 - 0.45**2) / 5e6 + (1.0 - 0.2**2) / 9e6) * math.sqrt(0.2)
    inside = run.states.spring_length[:, 0] > 0.0
    np.testing.assert_allclose(
        run.states.spring_force[inside, 0], k * run.states.spring_length[inside, 0] ** 1.5, rtol=1e-9
    )
    pad = {"law": "hertz", "stiffness_from": "pad", "pad_modulus": 2e6, "pad_thickness": 0.04}
    run = simulate(on_floor(ball(), contact(**pad)))
    inside = run.states.spring_length[:, 0] > 0.0
    k = math.pi * 0.2 * 2e6 / 0.04
    np.testing.assert_allclose(
        run.states.spring_force[inside, 0], k * run.states.spring_length[inside, 0] ** 2, rtol=1e-9
    )


def test_that_a_body_that_comes_to_rest_stays_quiet() -> None:
    law = {"law": "hunt_crossley", "restitution": 0.3, "stiffness": 1e5}
    settings = {"tolerance": 1e-6}
    run = simulate(
        on_floor(ball(), contact(**law), duration=1.5, gravity=(0.0, 0.0, -9.81), settings=settings)
    )
    assert abs(_returned(run)) < 1e-7
    assert 1e5 * run.states.spring_length[-1, 0] ** 1.5 == pytest.approx(9.81, rel=1e-6)
