"""Rails that give: a sprung mass over a girder against its modes, a mass over a girder without one, and whole rides."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import ridewright as rw
from ridewright.core.base.arrays import Array
from ridewright.core.base.errors import InputError
from ridewright.core.cli.program import main
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project, save_project
from ridewright.core.run.simulate import simulate
from ridewright.core.steelwork.loads import loads_of_run
from ridewright.core.steelwork.ride import TrainLoads, ride_over
from ridewright.core.steelwork.staggered import _along, _nearer, staggered
from ridewright.core.steelwork.tables import steelwork_of
from ridewright.core.track.as_built import RailsAsBuilt
from ridewright.core.track.build import build_track
from tests.core.steelwork.girder import passing
from tests.core.steelwork.test_moving_loads import EI, FORCE, LENGTH, MU, simple

G = 9.81


def loads_of(time: Array, speed: float, force: Array) -> TrainLoads:
    s = np.clip(speed * time, 0.0, LENGTH)[:, None]
    point = np.stack([s, 0.0 * s, 0.0 * s], axis=-1)
    down = np.zeros_like(point)
    down[:, 0, 2] = -force
    return TrainLoads(time, s, point, down, np.zeros_like(down))


def test_that_a_sprung_mass_over_a_girder_moves_it_as_its_modes_say() -> None:
    """Staggered: the mass rides on the girder's motion of the round before, until both agree; against eight modes and
    the mass in one system of equations."""
    m, k, v, modes = 3000.0, 1e5, 25.0, 8
    end = LENGTH / v
    n = np.arange(1, modes + 1)
    w2 = (n * np.pi / LENGTH) ** 4 * EI / MU

    def both(t: float, y: Array) -> Array:
        shape = np.sin(n * np.pi * v * t / LENGTH)
        force = k * (y[-2] - shape @ y[:modes]) + m * G  # y[-2]: of the mass, down from where it rests
        return np.concatenate(
            [
                y[modes : 2 * modes],
                force * shape * 2.0 / (MU * LENGTH) - w2 * y[:modes],
                [y[-1], G - force / m],
            ]
        )

    time = np.linspace(0.0, end, 601)
    exact = solve_ivp(both, (0.0, end), np.zeros(2 * modes + 2), t_eval=time, rtol=1e-9, atol=1e-12).y
    shapes = np.sin(np.pi * np.outer(n, v * time) / LENGTH)
    under = np.sum(shapes * exact[:modes], axis=0)
    frame, force = simple(12), np.full(len(time), m * G)
    apart = []
    for _ in range(7):
        ride = ride_over(frame, loads_of(time, v, force), 600.0 / end, under=True)
        u = -ride.under[:, 0, 2]
        mass = solve_ivp(
            lambda t, y, u=u: [y[1], -k / m * (y[0] - np.interp(t, time, u))],
            (0.0, end), [0.0, 0.0], t_eval=time, rtol=1e-8, atol=1e-12,
        ).y  # fmt: skip
        new = m * G + k * (mass[0] - u)
        apart.append(float(np.abs(new - force).max()))
        force = new
    assert apart[-1] < 1e-3 * apart[0]
    assert np.abs(u - under).max() < 5e-3 * under.max()
    assert np.abs(mass[0] - exact[-2]).max() < 5e-3 * np.abs(exact[-2]).max()
    assert np.abs(exact[-2]).max() > 0.1 * under.max()  # the mass is felt


def test_that_a_mass_over_a_girder_without_one_goes_the_way_of_willis() -> None:
    """m y'' = m g - y / a, a = x^2 (l - x)^2 / (3 E I l) of the place x = v t (Stokes 1849): under the forces of that
    solution the girder, without inertia, is where the mass is."""
    m, v = 6000.0, 25.0
    time = np.linspace(0.0, LENGTH / v, 801)

    def give(x: Array) -> Array:
        return x**2 * (LENGTH - x) ** 2 / (3.0 * EI * LENGTH)

    start, stop = 0.02 * time[-1], 0.9 * time[-1]
    inside = (time >= start) & (time <= stop)
    first = m * G * give(np.array(v * start))
    way = solve_ivp(
        lambda t, y: [y[1], G - y[0] / give(np.array(v * t)) / m],
        (start, stop), [float(first), float(2.0 * first / start)], t_eval=time[inside], method="Radau",
        rtol=1e-8, atol=1e-13,
    ).y[0]  # fmt: skip
    force = np.zeros_like(time)
    force[inside] = way / give(v * time[inside])
    ride = ride_over(simple(10), loads_of(time, v, force), 800.0 / time[-1], slowly=True, under=True)
    assert np.abs(-ride.under[inside, 0, 2] - way).max() < 1e-3 * way.max()
    assert force.max() > 1.02 * m * G


def test_that_what_a_force_gives_a_girder_is_what_its_modes_swing_with_when_it_has_gone() -> None:
    """Frýba's modes at the end: sum of m_n (q_n'^2 + w_n^2 q_n^2) / 2. Damped, what is lost besides is told, and the
    balance holds at every instant; without inertia nothing stays."""
    v, T = 70.0, LENGTH / 70.0
    n = np.arange(1, 60)
    w, O, m = (n * np.pi / LENGTH) ** 2 * np.sqrt(EI / MU), n * np.pi * v / LENGTH, 0.5 * MU * LENGTH
    q = FORCE / (m * (w**2 - O**2)) * (np.sin(O * T) - O / w * np.sin(w * T))
    rate = FORCE / (m * (w**2 - O**2)) * O * (np.cos(O * T) - np.cos(w * T))
    left = float(np.sum(0.5 * m * (rate**2 + w**2 * q**2)))
    found = {}
    for damping, slowly in ((0.0, False), (0.03, False), (0.0, True)):
        ride = ride_over(simple(20, damping), passing(FORCE, v, LENGTH), 6000.0, slowly=slowly, under=True)
        work = ride.work
        assert work is not None
        assert work.off < 1e-9 * work.stored.max()
        found[damping, slowly] = work
    free, damped, slow = found.values()
    assert free.given[-1].sum() == pytest.approx(left, rel=2e-3)
    assert free.damped[-1] == 0.0
    assert damped.damped[-1] > 0.05 * left
    assert abs(slow.given[-1].sum()) < 1e-6 * slow.stored.max()


def test_that_mixed_rounds_come_near_where_plain_turns_drift_apart() -> None:
    """Of three places whose next is M times what they were, with factors beyond one."""
    M, b = np.diag([-1.6, 1.3, 0.4]) + 0.1, np.array([1.0, -2.0, 0.5])
    x, tried = np.zeros(3), []
    for _ in range(5):
        tried.append((x[:, None], (M @ x + b)[:, None]))
        x = _nearer(tried)[:, 0]
    assert x == pytest.approx(np.linalg.solve(np.eye(3) - M, b), rel=1e-6)


def short(name: str, seconds: float = 1.0, **rules: float) -> Project:
    project = load_example(name)
    scenario = project.scenario.model_copy(update={"duration": seconds})
    return project.model_copy(
        update={"scenario": scenario, "steelwork": project.steelwork.model_copy(update=rules)}
    )


def test_that_the_second_round_differs_far_less_than_the_first() -> None:
    found = staggered(short("straight", 0.3), 100.0, near=0.0, rounds=2)
    assert not found.agrees
    first, second = found.rounds
    assert 0.5 * first.deflection < first.apart <= first.deflection  # the mean of two wheels
    assert second.apart < 0.2 * first.apart
    assert second.changed < 0.1 * second.force


def test_that_run_and_steel_agree_after_some_rounds_and_stiffer_steel_gives_less() -> None:
    soft = staggered(short("straight"), 200.0)
    stiff = staggered(short("straight", E=2.1e12, soil=6e8), 200.0, near=0.0, rounds=2)
    assert soft.agrees
    assert not stiff.agrees
    assert soft.rounds[1].apart < 0.2 * soft.rounds[0].apart
    assert stiff.rounds[0].deflection == pytest.approx(0.1 * soft.rounds[0].deflection, rel=1e-2)
    assert stiff.rounds[1].changed < 0.2 * soft.rounds[1].changed


def test_that_the_train_pays_for_what_its_wheels_gave_the_steel() -> None:
    """The ledger of the second run has it as work of applied forces; the steel keeps or damps the same."""
    found = staggered(short("straight"), 200.0, near=0.0, rounds=3)
    first, second, third = found.rounds
    assert first.booked == 0.0
    assert second.booked == pytest.approx(first.work, rel=2e-3)
    assert third.booked == pytest.approx(second.work, rel=2e-3)
    assert third.work == pytest.approx(third.booked, rel=0.02)
    assert third.stored + third.damped == pytest.approx(third.work, rel=1e-9)
    assert -found.results.energy.driven[-1] == pytest.approx(third.booked, rel=2e-3)
    assert third.work > 0.05
    assert "were taken from the train" in found.said


def test_that_rails_no_wheel_has_passed_run_on_to_where_the_train_began() -> None:
    project = short("looping_star", 0.3)
    assert project.track is not None
    built, found = build_track(project.track), staggered(short("looping_star", 0.3), 100.0, rounds=1)
    rows = _along(found.results, project, built, found.loads.at(found.ride.time), found.ride)
    s = loads_of_run(project, found.results, built).s[0].mean() % built.length
    behind, ahead = (int(np.argmin(np.abs(rows[:, 0] - s - by))) for by in (-3.0, 3.0))
    step = np.abs(np.diff(rows[behind : ahead + 1, 1:], axis=0)).max()
    assert step < 0.05 * np.abs(rows[:, 1:]).max()


def test_that_rails_that_do_not_give_leave_the_ride_as_it_is() -> None:
    project = short("straight")
    assert project.track is not None
    still = RailsAsBuilt(survey=((0.0, 0.0, 0.0, 0.0, 0.0), (200.0, 0.0, 0.0, 0.0, 0.0)))
    track = project.track.model_copy(update={"as_built": still})
    one, other = simulate(project), simulate(project.model_copy(update={"track": track}))
    assert np.abs(np.asarray(one.states.position)[-1] - np.asarray(other.states.position)[-1]).max() < 1e-9


def test_that_the_command_says_round_by_round_how_near_they_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_project(short("straight", 0.2), tmp_path / "p.ridewright")
    assert main(["steelwork", str(tmp_path / "p.ridewright"), "--two-way", "--rate", "100"]) == 0
    printed = capsys.readouterr().out
    assert "rounds of the run and the steel under it" in printed
    assert "Run and steel agree to 0.1 mm" in printed
    found = rw.steelwork(short("straight", 0.2), 100.0, two_way=True)
    assert found.two_way is not None
    assert found.two_way.said in printed
    assert found.ride is found.two_way.ride
    with pytest.raises(InputError, match="has no track"):
        staggered(load_example("double_pendulum"))
    with pytest.raises(InputError, match="give a project, not the results of its run"):
        steelwork_of(found.two_way.results, two_way=True)


def test_that_a_surveyed_track_is_refused() -> None:
    project = short("straight")
    assert project.track is not None
    rails = RailsAsBuilt(survey=((0.0, 0.0, 0.0, 0.0, 0.0), (200.0, 0.0, 0.0, 0.0, 0.0)))
    surveyed = project.model_copy(update={"track": project.track.model_copy(update={"as_built": rails})})
    with pytest.raises(InputError, match="have a survey"):
        staggered(surveyed)
