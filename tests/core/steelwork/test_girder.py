"""A plain girder under axles that pass it, by door and command, against closed forms and modal solutions."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import ridewright as rw
from ridewright.core.base.arrays import Array
from ridewright.core.cli.program import main
from tests.core.steelwork.girder import fryba

L, E, I, MU, F, G = 20.0, 2.1e11, 2.4e-4, 130.0, 1e4, 9.81
EI = E * I
PLAIN = rw.Girder(length=L, E=E, I=I, mass=MU, fibre=0.2)


def modal(count: int, time: Array, rates: Callable[[float, Array], Array], extra: int = 0) -> Array:
    start = np.zeros(2 * count + extra)
    out: Array = solve_ivp(
        rates, (0.0, time[-1]), start, t_eval=time, rtol=1e-8, atol=1e-11, method="LSODA"
    ).y
    return out


def test_that_a_constant_force_bends_it_as_fryba_has_it() -> None:
    """Deflection; moment and stress of the fibre, whose series converges slowly."""
    speed = 30.0
    found = rw.passage(PLAIN, [rw.Axle(force=F)], speed, at=(5.0, 10.0), rate=3000.0)
    for k, x in enumerate((5.0, 10.0)):
        exact = fryba(EI, MU, L, F, speed, x, found.time)
        assert np.abs(found.deflection[:, k] - exact).max() < 2e-4 * exact.max()
    n = np.arange(1, 400)[:, None]
    w, O = (n * np.pi / L) ** 2 * np.sqrt(EI / MU), n * np.pi * speed / L
    q = 2.0 * F / (MU * L * (w**2 - O**2)) * (np.sin(O * found.time) - O / w * np.sin(w * found.time))
    moment = np.sum(EI * (n * np.pi / L) ** 2 * q * np.sin(0.5 * n * np.pi), axis=0)
    assert np.abs(found.moment[:, 1] - moment).max() < 3e-3 * moment.max()
    assert found.stress == pytest.approx(found.moment * 0.2 / I)
    assert found.frequencies[0] == pytest.approx(0.5 * np.pi / L**2 * np.sqrt(EI / MU), rel=1e-6)


def test_that_a_sprung_mass_and_the_girder_move_each_other_as_their_modes_say() -> None:
    m, k, c, v, count = 3000.0, 1e5, 2e3, 25.0, 8
    found = rw.passage(PLAIN, [rw.Axle(sprung=m, stiffness=k, damping=c)], v, rate=1500.0)
    n = np.arange(1, count + 1)
    w2 = (n * np.pi / L) ** 4 * EI / MU

    def rates(t: float, y: Array) -> Array:
        a = n * np.pi / L
        shape, slope = np.sin(a * v * t), a * v * np.cos(a * v * t)
        q, qd = y[:count], y[count : 2 * count]
        force = k * (y[-2] - shape @ q) + c * (y[-1] - shape @ qd - slope @ q)
        return np.concatenate([qd, (force + m * G) * shape * 2.0 / (MU * L) - w2 * q, [y[-1], -force / m]])

    exact = modal(count, found.time, rates, 2)
    middle = np.sin(0.5 * n * np.pi) @ exact[:count]
    assert np.abs(found.deflection[:, 0] - middle).max() < 5e-4 * middle.max()
    assert np.abs(found.sprung[:, 0] - exact[-2]).max() < 5e-4 * np.abs(exact[-2]).max()
    assert np.ptp(found.force[1:-1, 0]) > 0.05 * m * G  # the mass is felt


def test_that_a_mass_that_rolls_on_it_feels_all_of_its_acceleration() -> None:
    """m (g - d^2/dt^2 w(v t, t)), with 2 v w' and v^2 w''."""
    m, v, count = 1000.0, 40.0, 10
    found = rw.passage(PLAIN, [rw.Axle(mass=m)], v, rate=2000.0)
    n = np.arange(1, count + 1)
    a, A = n * np.pi / L, 0.5 * MU * L

    def rates(t: float, y: Array) -> Array:
        q, qd = y[:count], y[count:]
        s, c = np.sin(a * v * t), np.cos(a * v * t)
        z = (
            m * s * (G - 2.0 * v * (a * c) @ qd + v**2 * (a**2 * s) @ q)
            - A * (n * np.pi / L) ** 4 * EI / MU * q
        ) / A
        return np.concatenate([qd, z - m * s * (s @ z) / (A + m * s @ s)])

    middle = np.sin(0.5 * n * np.pi) @ modal(count, found.time, rates)[:count]
    assert np.abs(found.deflection[:, 0] - middle).max() < 5e-3 * middle.max()
    light = rw.passage(PLAIN, [rw.Axle(force=m * G)], v, rate=2000.0).deflection[:, 0]
    assert np.abs(light - middle).max() > 0.05 * middle.max()


def test_that_a_mass_over_a_girder_without_one_goes_the_way_of_willis() -> None:
    """y'' = g - y / (a m), a = x^2 (l - x)^2 / (3 E I l) (Stokes 1849); near the beginning y = C t^2."""
    m, v = 6000.0, 25.0
    found = rw.passage(rw.Girder(length=L, E=E, I=I, mass=0.0), [rw.Axle(mass=m)], v, rate=2000.0)
    own = (found.time > 0.005 * L / v) & (found.time < 0.95 * L / v)
    early, C = 1e-3 * L / v, G / (2.0 + 3.0 * EI / (m * L) / v**2)

    def rates(t: float, y: Array) -> Array:
        x = v * t
        return np.array([y[1], G - y[0] * 3.0 * EI * L / (m * x**2 * (L - x) ** 2)])

    time = found.time[own]
    way = solve_ivp(
        rates,
        (early, time[-1]),
        [C * early**2, 2.0 * C * early],
        t_eval=time,
        method="Radau",
        rtol=1e-8,
        atol=1e-13,
    ).y[0]
    assert np.abs(found.under[own, 0] - way).max() < 1e-4 * way.max()
    assert found.force[own].max() > 3.0 * m * G


K = 5e6
BETA = (K / (4.0 * EI)) ** 0.25
LONG = rw.Girder(length=60.0, E=E, I=I, mass=MU, foundation=K, damping=0.02)


def test_that_a_long_one_on_its_foundation_gives_p_beta_over_2k() -> None:
    """And its moment is P / 4 beta."""
    still = rw.passage(LONG, [rw.Axle(force=F)], 10.0, rate=20.0, slowly=True)
    assert still.deflection.max() == pytest.approx(F * BETA / (2.0 * K), rel=1e-4)
    assert still.moment.max() == pytest.approx(F / (4.0 * BETA), rel=5e-3)


def test_that_it_gives_more_the_faster_and_most_at_the_critical_speed() -> None:
    """1 / sqrt(1 - (v / v_c)^2) below v_c^4 = 4 k EI / mu^2."""
    still, critical = F * BETA / (2.0 * K), (4.0 * K * EI / MU**2) ** 0.25
    under = [
        rw.passage(LONG, [rw.Axle(force=F)], part * critical, rate=6000.0).under[:, 0]
        for part in (0.3, 0.8, 1.0, 1.3)
    ]
    middle = under[0][len(under[0]) // 3 : 2 * len(under[0]) // 3]
    assert np.median(middle) == pytest.approx(still / np.sqrt(1.0 - 0.3**2), rel=0.01)
    peaks = [one.max() for one in under]
    assert max(peaks) == peaks[2] > 2.0 * still


def test_that_axles_that_come_with_its_period_swing_it_up() -> None:
    """v = f d: ten forces leave ten times what one does."""
    d = 12.0
    v = d * 0.5 * np.pi / L**2 * np.sqrt(EI / MU)

    def left(count: int) -> float:
        train = [rw.Axle(force=F, behind=k * d) for k in range(count)]
        found = rw.passage(PLAIN, train, v, after=0.9, rate=250.0)
        return float(np.abs(found.deflection[found.time > found.time[-1] - 0.85]).max())

    assert left(10) == pytest.approx(10.0 * left(1), rel=0.02)


@pytest.mark.parametrize(
    ("supports", "at", "deflection", "moment"),
    [
        ("simple", 10.0, F * L**3 / (48.0 * EI), F * L / 4.0),
        ("clamped", 10.0, F * L**3 / (192.0 * EI), F * L / 8.0),
        ((0.0, 10.0, 20.0), 10.0, 0.0, 0.0),
    ],
)
def test_that_statics_hold_for_every_kind_of_support(
    supports: str | tuple[float, ...], at: float, deflection: float, moment: float
) -> None:
    girder = rw.Girder(length=L, E=E, I=I, mass=MU, supports=supports)  # type: ignore[arg-type]
    found = rw.passage(girder, [rw.Axle(force=F)], 10.0, at=(at,), rate=50.0, slowly=True)
    assert found.deflection.max() == pytest.approx(deflection, abs=1e-9)
    assert found.moment.max() == pytest.approx(moment, rel=1e-6, abs=1e-3)
    assert found.reactions.sum(axis=1) == pytest.approx(np.full(len(found.time), F), rel=1e-6)


def test_that_a_braked_axle_comes_to_a_stand_and_leaves_the_girder_swinging() -> None:
    """Against its modes, until long after the stand at v^2 / 2 a = 13.3 m."""
    v, a, count = 20.0, -15.0, 8
    found = rw.passage(PLAIN, [rw.Axle(force=F)], v, rate=1000.0, acceleration=a, after=0.5)
    n = np.arange(1, count + 1) * np.pi / L
    w2 = n**4 * EI / MU

    def rates(t: float, y: Array) -> Array:
        gone = min(t, v / -a)
        shape = np.sin(n * (v * gone + 0.5 * a * gone**2))
        return np.concatenate([y[count:], F * shape * 2.0 / (MU * L) - w2 * y[:count]])

    exact = np.sin(0.5 * n * L) @ modal(count, found.time, rates)[:count]
    assert found.x[-1, 0] == pytest.approx(v**2 / -a / 2.0)
    assert np.abs(found.deflection[:, 0] - exact).max() < 2e-3 * exact.max()


def test_that_a_mass_that_may_leaves_the_girder_and_comes_down_again() -> None:
    """A sprung mass on a girder that a force shakes; one that may not leave it would be pulled."""
    m, k, shake, v, count = 800.0, 9e6, 3e4, 60.0, 8
    axles = [rw.Axle(sprung=m, stiffness=k), rw.Axle(force=shake)]
    found = rw.passage(PLAIN, axles, v, rate=6000.0, lifts=True)
    n = np.arange(1, count + 1) * np.pi / L
    w2 = n**4 * EI / MU

    def rates(t: float, y: Array) -> Array:
        shape = np.sin(n * v * t)
        force = max(0.0, m * G + k * (y[-2] - shape @ y[:count]))
        girder = (force + shake) * shape * 2.0 / (MU * L) - w2 * y[:count]
        return np.concatenate([y[count : 2 * count], girder, [y[-1], G - force / m]])

    exact = modal(count, found.time, rates, 2)
    assert np.mean(found.force[:, 0] == 0.0) > 0.2
    assert np.abs(found.sprung[:, 0] - exact[-2]).max() < 1e-2 * np.abs(exact[-2]).max()
    assert rw.passage(PLAIN, axles, v, rate=6000.0).force[:, 0].min() < -m * G


def test_that_a_girder_that_does_not_give_bears_weight_and_nothing_else() -> None:
    """E I to infinity: it rings too fast to be followed, and need not be."""
    stiff = rw.Girder(length=L, E=1e22, I=I, mass=MU)
    found = rw.passage(stiff, [rw.Axle(mass=300.0, sprung=1000.0, stiffness=1e5)], 60.0, rate=500.0)
    assert found.force[:-1, 0] == pytest.approx(1300.0 * G, rel=1e-6)


@pytest.mark.nightly
def test_that_a_girder_that_rings_too_fast_takes_no_more_instants_than_it_needs() -> None:
    stiff = rw.Girder(length=L, E=1e22, I=I, mass=MU)
    assert len(rw.passage(stiff, [rw.Axle(force=F)], 60.0, slowly=True).time) == 40001


def test_that_the_command_prints_and_writes_what_the_door_gives(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["girder", "--length", "20", "--E", "2.1e11", "--I", "2.4e-4", "--mass", "130", "--speed", "30"]
    line += [
        "--axle",
        "force=1e4",
        "--axle",
        "sprung=2000,stiffness=1e5,behind=5",
        "--fibre",
        "0.2",
        "--rate",
        "300",
    ]
    assert main([*line, "--json", "--csv", str(tmp_path / "g.csv")]) == 0
    told = json.loads(capsys.readouterr().out)
    axles = [rw.Axle(force=1e4), rw.Axle(sprung=2000.0, stiffness=1e5, behind=5.0)]
    found = rw.passage(PLAIN, axles, 30.0, rate=300.0)
    most = {one["name"]: one["most"] for one in told["peaks"]}
    assert most["stress at 10 m"] == pytest.approx(found.stress.max())
    assert most["force of axle 2"] == pytest.approx(found.force[:, 1].max())
    assert len((tmp_path / "g.csv").read_text().splitlines()) == 1 + len(found.time)
    assert main(line) == 0
    assert "stress at 10 m" in capsys.readouterr().out
    assert main([*line, "--axle", "weight=3"]) == 2
    assert "'weight=3' is none of force" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("fields", "axle", "words"),
    [
        ({"I": 0.0}, rw.Axle(force=F), "Girder: I 0: must be above zero"),
        ({"length": "x"}, rw.Axle(force=F), "Girder: length must be a number, found 'x'"),
        ({"supports": "glued"}, rw.Axle(force=F), "supports 'glued': must be simple, clamped"),
        ({"supports": (0.0, 30.0)}, rw.Axle(force=F), "held up at 30 m, and it is 20 m long"),
        ({"supports": "free"}, rw.Axle(force=F), "nothing holds it"),
        ({"mass": 0.0, "damping": 0.1}, rw.Axle(force=F), "has no frequency that damping is a part of"),
        ({}, rw.Axle(sprung=1.0), "a sprung mass needs a spring"),
        ({}, rw.Axle(mass=-1.0), "Axle 1: mass -1: must be at least 0"),
    ],
)
def test_that_what_is_no_girder_and_no_axle_is_refused(
    fields: dict[str, object], axle: rw.Axle, words: str
) -> None:
    usual: dict[str, object] = {"length": L, "E": E, "I": I, "mass": MU}
    with pytest.raises(rw.InputError) as caught:
        rw.passage(rw.Girder(**(usual | fields)), [axle], 10.0)  # type: ignore[arg-type]
    assert words in str(caught.value)


def test_that_no_speed_and_too_many_instants_are_refused() -> None:
    with pytest.raises(rw.InputError, match="speed 0: must be above zero"):
        rw.passage(PLAIN, [rw.Axle(force=F)], 0.0)
    with pytest.raises(rw.InputError, match="in 2000001 steps are too many"):
        rw.passage(PLAIN, [rw.Axle(force=F)], 10.0, rate=1e6)
    with pytest.raises(rw.InputError, match="No axle passes"):
        rw.passage(PLAIN, [], 10.0)
