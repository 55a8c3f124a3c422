"""Risk of HIC, Nij, BrIC, DAMAGE, HIP, GAMBIT and RIC against closed forms, published values and an ODE solver."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from ridewright.core.base.errors import InputError
from ridewright.core.injury.criteria.bric import BricTable, bric
from ridewright.core.injury.criteria.damage import DamageTable, damage
from ridewright.core.injury.criteria.head_power import (
    HeadPowerTable,
    gambit,
    head_impact_power,
    rotational_injury_criterion,
)
from ridewright.core.injury.criteria.hic import HicRisk
from ridewright.core.injury.criteria.neck import NECK_MODES, NeckTable, nij
from ridewright.core.injury.limits import load_limits

RISKS = {curve.id: curve for curve in load_limits("hic_risk", HicRisk).curves}
NECK = load_limits("neck_nij", NeckTable)
BRIC = load_limits("bric", BricTable)
DAMAGE = load_limits("damage", DamageTable)
POWER = load_limits("head_power", HeadPowerTable)
#: HIC36 at which half are injured, solved independently from the expanded Prasad-Mertz curves.
HALF = {"ais1": 330.1, "ais2": 586.2, "ais3": 966.9, "ais4": 1435.7, "ais5": 1848.1}


@pytest.mark.parametrize("severity", HALF)
def test_that_half_are_injured_at_the_published_hic(severity):
    assert RISKS[f"hic36_{severity}"].probability(HALF[severity]) == pytest.approx(0.5, abs=2e-4)


@pytest.mark.parametrize(
    ("severity", "mu", "sigma"), [("ais2", 6.96362, 0.84687), ("ais3", 7.45231, 0.73998)]
)
def test_that_the_lognormal_curve_passes_its_median_and_one_deviation(severity, mu, sigma):
    curve = RISKS[f"hic15_{severity}"]
    found = curve.probability(np.exp([mu - sigma, mu, mu + sigma]))
    assert found == pytest.approx([0.15865525, 0.5, 0.84134475], abs=1e-8)


@pytest.mark.parametrize("name", RISKS)
def test_that_risk_rises_from_nothing_and_heavier_injury_is_rarer(name):
    hics = np.concatenate([[0.0, 1e-9], np.geomspace(0.1, 1e5, 200)])
    found = RISKS[name].probability(hics)
    assert found[0] == pytest.approx(0.0, abs=1e-12)
    assert (np.diff(found) >= 0.0).all()
    assert found[-1] == pytest.approx(1.0, abs=1e-6)
    with pytest.raises(InputError, match="negative"):
        RISKS[name].probability(-1.0)


def test_that_heavier_injury_is_rarer():
    at = [float(RISKS[f"hic36_{s}"].probability(800.0)) for s in (*HALF, "fatal")]
    assert at == sorted(at, reverse=True)


T = np.arange(200) / 1000.0


@pytest.mark.parametrize("dummy", [d.id for d in NECK.dummies])
def test_that_each_intercept_alone_and_every_half_pair_give_one(dummy):
    neck = NECK.dummy(dummy)
    for axial, along in ((neck.tension, 1.0), (-neck.compression, 1.0)):
        for bending in (neck.flexion, -neck.extension):
            force, moment = np.zeros((200, 3)), np.zeros((200, 3))
            force[120, 2], moment[120, 1] = 0.5 * axial, 0.5 * bending
            force[40, 2] = 0.97 * axial * along
            moment[80, 1] = 0.98 * bending
            found = nij(T, force, moment, neck)
            assert found.value == pytest.approx(1.0, rel=1e-12)
            assert found.time == T[120]
            expected = (
                f"{'tension' if axial > 0 else 'compression'}-{'flexion' if bending > 0 else 'extension'}"
            )
            assert found.mode == expected
            assert found.history[[40, 80]] == pytest.approx([0.97, 0.98])


def test_that_modes_are_the_worst_of_their_quarter_of_the_plane():
    rng = np.random.default_rng(3)
    force, moment = rng.normal(size=(200, 3)) * 900.0, rng.normal(size=(200, 3)) * 40.0
    neck = NECK.dummy("H3_50M")
    found = nij(T, force, moment, neck)
    worst = dict.fromkeys(NECK_MODES, 0.0)
    for f, m in zip(force[:, 2], moment[:, 1], strict=True):
        part = f / 6806.0 if f >= 0 else -f / 6160.0
        part += m / 310.0 if m >= 0 else -m / 135.0
        mode = f"{'tension' if f >= 0 else 'compression'}-{'flexion' if m >= 0 else 'extension'}"
        worst[mode] = max(worst[mode], part)
    assert found.modes == pytest.approx(worst, rel=1e-12)
    assert found.value == max(worst.values())


def test_that_a_load_cell_is_moved_to_the_condyle():
    force, moment = np.zeros((200, 3)), np.zeros((200, 3))
    force[:, 0], moment[:, 1] = 500.0, 0.01778 * 500.0
    neck = NECK.dummy("H3_50M")
    assert nij(T, force, moment, neck, at_condyle=False).value == pytest.approx(0.0, abs=1e-12)
    assert nij(T, force, moment, neck).value == pytest.approx(8.89 / 310.0)


def test_that_the_risk_of_nij_is_that_of_its_curve_and_unknown_dummies_are_refused():
    assert NECK.probability(1.0) == pytest.approx(0.2213, abs=5e-5)
    assert NECK.probability(3.2269 / 1.9688) == pytest.approx(0.5)
    with pytest.raises(InputError, match="H3_50M"):
        NECK.dummy("H3_6Y")
    with pytest.raises(InputError, match="three columns"):
        nij(T, np.zeros(200), np.zeros((200, 3)), NECK.dummy("H3_50M"))


@pytest.mark.parametrize(("axis", "expected"), [(1, 0.175), (2, 0.231)])
def test_that_bric_of_a_measured_coaster_rotation_is_the_derived_one(axis, expected):
    """Kuo et al. 2017 measured 9.9 rad/s on coasters; the values follow if all of it is about one axis."""
    rate = np.zeros((200, 3))
    rate[:, axis] = -9.9 * np.sin(np.pi * T / T[-1]) ** 2
    assert bric(T, rate, BRIC.critical["average"]).value == pytest.approx(expected, abs=6e-4)


def test_that_bric_joins_peaks_of_different_times_and_its_risk_is_a_weibull_curve():
    rate = np.zeros((200, 3))
    rate[20, 0], rate[90, 1], rate[150, 2] = 66.25 * 0.3, -56.45 * 0.4, 42.87 * 1.2
    found = bric(T, rate, BRIC.critical["average"])
    assert found.value == pytest.approx(1.3)
    assert found.times == (T[20], T[90], T[150])
    assert BRIC.probability(0.602, "AIS2+") == pytest.approx(1.0 - np.exp(-1.0))
    assert BRIC.probability(0.5 * 0.987, "AIS3+") == pytest.approx(1.0 - np.exp(-(0.5**2.84)))
    with pytest.raises(InputError, match="AIS3"):
        BRIC.probability(1.0, "AIS9+")


def pulse(t):
    """A turning blow about all axes (rad/s^2), in rider axes."""
    x = np.asarray(t)[..., None]
    return np.where(
        (x > 0.01) & (x < 0.04),
        np.sin(np.pi * (x - 0.01) / 0.03) ** 2 * np.array([2100.0, -1500.0, 2600.0])
        + np.sin(2 * np.pi * (x - 0.01) / 0.03) * np.array([-700.0, 900.0, 500.0]),
        0.0,
    )


def test_that_damage_is_the_answer_of_the_coupled_masses():
    t = np.arange(1201) / 10_000.0
    value, at, strain = damage(t, pulse(t), DAMAGE)
    stiffness = np.array(
        [[32142.0 + 1636.3, 0.0, -1636.3], [0.0, 23493.0, 0.0], [-1636.3, 0.0, 16935.0 + 1636.3]]
    )

    def rates(s, y):
        # Published program: axes forward, right, down with the third drive reversed.
        drive = pulse(s) * [1.0, -1.0, -1.0] * [1.0, 1.0, -1.0]
        return np.concatenate([y[3:], drive - 5.9148e-3 * stiffness @ y[3:] - stiffness @ y[:3]])

    exact = solve_ivp(rates, (0.0, 0.12), np.zeros(6), rtol=1e-9, atol=1e-12, t_eval=t, max_step=1e-3)
    expected = 2.9903 * np.linalg.norm(exact.y[:3], axis=0)
    assert strain == pytest.approx(expected, abs=2e-5 * expected.max())
    assert value == pytest.approx(expected.max(), rel=2e-5)
    assert at == t[np.argmax(expected)]
    # The two coupled axes tell which way round the third one turns.
    mirrored = damage(t, pulse(t) * [1.0, 1.0, -1.0], DAMAGE)[0]
    assert abs(mirrored - value) > 0.01 * value


def test_that_damage_of_a_lasting_rotation_acceleration_is_static():
    t = np.arange(3001) / 1000.0
    alpha = np.tile([300.0, -200.0, 150.0], (t.size, 1))
    strain = damage(t, alpha, DAMAGE)[2]
    static = np.linalg.solve(DAMAGE.stiffness(), [300.0, 200.0, 150.0])
    assert strain[-1] == pytest.approx(2.9903 * np.linalg.norm(static), rel=1e-9)
    assert strain[0] == 0.0


@pytest.mark.parametrize(("peak", "lasting"), [(50.0, 0.08), (10.0, 0.1)])
@pytest.mark.parametrize("start", [0.0, 0.3, 1.7, 2.9])
@pytest.mark.parametrize("gravity", [(0.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.6, -0.3, 0.7)])
def test_that_head_impact_power_of_a_blow_from_rest_is_its_closed_form(peak, lasting, start, gravity):
    """m A^2 T/pi max of sin x (1 - cos x), wherever in the record the blow is and whatever gravity adds."""
    t = np.arange(3001) / 1000.0
    inside = (t >= start) & (t <= start + lasting)
    blow = np.where(inside, peak * np.sin(np.pi * (t - start) / lasting), 0.0)
    a = blow[:, None] * np.array([0.8, -0.6, 0.0]) + np.array(gravity)
    expected = 4.5 * (9.81 * peak) ** 2 * lasting / np.pi * 0.75 * np.sqrt(3.0)
    found = head_impact_power(t, a, np.zeros_like(a), POWER)
    assert found.value == pytest.approx(expected, rel=2e-3)
    alone = inside if start == 0.0 else t < 0.0
    if alone.any():  # a record of nothing but the blow, as of a drop test
        cut = head_impact_power(t[alone], a[alone], np.zeros_like(a[alone]), POWER)
        assert cut.value == pytest.approx(expected, rel=2e-3)


def test_that_head_impact_power_of_a_ramp_is_its_closed_form():
    """a = k t from its middle, where the median lies: m a int a = m k^2 T^3 / 2 at the end of the event."""
    t = np.arange(-1500, 1501) / 1000.0
    slopes = np.array([30.0, -20.0, 10.0])  # m/s^2 per s
    ramp = np.clip(t, 0.0, 0.2)[:, None]
    found = head_impact_power(t, (slopes * ramp + [1.0, 2.0, 9.81]) / 9.81, 0.0 * ramp * slopes, POWER)
    # Before the ramp rest and behind it its height: starts near 0 have the first as their level.
    assert found.value == pytest.approx(0.5 * 0.2**3 * 4.5 * float(slopes @ slopes), rel=1e-9)
    turns = np.array([400.0, 300.0, -500.0])
    found = head_impact_power(t, np.zeros((t.size, 3)), turns * ramp * (t < 0.2005)[:, None], POWER)
    inertia = np.array([0.016, 0.024, 0.022])
    assert found.value == pytest.approx(0.5 * 0.2**3 * float(inertia @ turns**2), rel=1e-9)
    assert (found.t1, found.t2) == (pytest.approx(0.0), pytest.approx(0.2))


def test_that_a_drum_of_blows_has_the_power_of_one():
    """Equal half sines of 40 ms every 0.3 s: rest lies between them, and no start in one of them counts more."""
    t = np.arange(8001) / 1000.0
    inside = (t % 0.3) <= 0.04
    a = np.zeros((t.size, 3))
    a[:, 2] = 1.0 + np.where(inside, 20.0 * np.sin(np.pi * (t % 0.3) / 0.04), 0.0)
    expected = 4.5 * (9.81 * 20.0) ** 2 * 0.04 / np.pi * 0.75 * np.sqrt(3.0)
    assert head_impact_power(t, a, np.zeros_like(a), POWER).value == pytest.approx(expected, rel=3e-3)


def test_that_a_head_at_rest_has_no_power():
    t = np.arange(1001) / 1000.0
    still = np.tile([0.3, -0.2, 0.9], (t.size, 1))
    assert head_impact_power(t, still, np.zeros_like(still), POWER).value == pytest.approx(0.0, abs=1e-12)


def test_that_gambit_adds_both_parts_at_one_instant():
    a, alpha = np.full(200, 10.0), np.zeros((200, 3))
    a[50], alpha[50] = 100.0, [0.0, 3000.0, 4000.0]
    a[150] = 200.0
    assert gambit(T, a, alpha, POWER) == (pytest.approx(100.0 / 250.0 + 0.5), T[50])


def test_that_ric_of_a_half_sine_is_the_closed_form_of_hic():
    t = np.arange(2001) / 20_000.0
    alpha = np.zeros((t.size, 3))
    inside = (t >= 0.03) & (t <= 0.05)
    alpha[inside, 1] = -4000.0 * np.sin(np.pi * (t[inside] - 0.03) / 0.02)
    found = rotational_injury_criterion(t, alpha, POWER)
    assert found.value == pytest.approx(0.4146456 * 4000.0**2.5 * 0.02, rel=1e-4)
    assert found.window == 0.036
