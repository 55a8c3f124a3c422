"""Loads at seats against two rotations in closed form; passengers, their patterns and their mass."""

from __future__ import annotations

import itertools
import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.cli.program import main
from ridewright.core.edits.templates import ride_from, templates
from ridewright.core.edits.templates.base import spin_function, square_tube
from ridewright.core.edits.templates.looping_boat import way_over
from ridewright.core.model.assembly import Assembly, Seat
from ridewright.core.model.bodies import Body
from ridewright.core.model.carried import GYRATION, centre_on_body, mass_of, with_passengers
from ridewright.core.model.drivers import Driver
from ridewright.core.model.functions import AnalyticFunction, Harmonic
from ridewright.core.model.joints import Joint
from ridewright.core.model.loading import with_taken, worst_pattern
from ridewright.core.model.seating import ring, rows
from ridewright.core.outcome.rigid import interface_load
from ridewright.core.outcome.seats import assess_seats, assessed_in, worst_seat
from ridewright.core.outcome.summary import summarise
from ridewright.core.outcome.summary_text import summary_text
from ridewright.core.project.project import Project, save_project
from ridewright.core.project.scenario import Rig, SolverSettings
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate

ARM, RADIUS, SWING, OMEGA, SPIN, G = 7.0, 2.5, 1.3, 1.1, 1.4, 9.81
GRAVITY = np.array([0.0, 0.0, -G])


def two_rotations(duration: float = 4.0, **seat: float) -> Project:
    """An arm that swings by SWING sin(OMEGA t) about -y, and a ring that turns about it with SPIN."""
    arm = Body(name="Arm", mass=500.0, inertia=(900.0, 900.0, 60.0), position=(0.0, 0.0, -ARM / 2))
    table = Body(name="Ring", mass=800.0, inertia=(1500.0, 1500.0, 2800.0), position=(0.0, 0.0, -ARM - 0.5))
    top = Joint(
        name="Top", kind="revolute", body_i="ground", axis_i=(0.0, -1.0, 0.0), body_j="Arm",
        point_j=(0.0, 0.0, ARM / 2), axis_j=(0.0, -1.0, 0.0),
    )  # fmt: skip
    bearing = Joint(
        name="Bearing", kind="revolute", body_i="Arm", point_i=(0.0, 0.0, -ARM / 2), axis_i=(0.0, 0.0, 1.0),
        body_j="Ring", point_j=(0.0, 0.0, 0.5), axis_j=(0.0, 0.0, 1.0),
    )  # fmt: skip
    swing = AnalyticFunction(harmonics=(Harmonic(amplitude=SWING, omega=OMEGA),))
    drivers = (
        Driver(name="Swing", target="Top", coordinate="angle", function=swing),
        Driver(name="Turn", target="Bearing", coordinate="angle", function=AnalyticFunction(rate=SPIN)),
    )
    seats = ring("Ring", 5, RADIUS, -0.3, **seat) + ring("Ring", 3, 1.7, 0.2, facing="inwards", **seat)
    seats = tuple(s.model_copy(update={"name": f"Seat {k + 1}"}) for k, s in enumerate(seats))
    rig = Assembly(
        name="Rig", role="rig", bodies=(arm, table), joints=(top, bearing), drivers=drivers, seats=seats
    )
    settings = SolverSettings(max_step=2e-3, tolerance=1e-8, sample_rate=200.0)
    return Project(name="P", scenario=Rig(assembly=rig, duration=duration), settings=settings)


def axes(t: np.ndarray) -> np.ndarray:
    """World axes (n, 3, 3) of the ring: about -y by the swing, then about its own z."""
    a, b = SWING * np.sin(OMEGA * t), SPIN * t
    zero, one = np.zeros_like(t), np.ones_like(t)
    about_y = np.array([[np.cos(a), zero, -np.sin(a)], [zero, one, zero], [np.sin(a), zero, np.cos(a)]])
    about_z = np.array([[np.cos(b), -np.sin(b), zero], [np.sin(b), np.cos(b), zero], [zero, zero, one]])
    return np.einsum("ijn,jkn->nik", about_y, about_z)


@pytest.fixture(scope="module")
def run() -> Results:
    return simulate(two_rotations(passenger=70.0))


def test_that_every_seat_feels_the_closed_form_of_two_rotations(run: Results) -> None:
    project, t = two_rotations(), run.sample_time[3:-3]
    down, h = np.array([0.0, 0.0, -ARM - 0.5]), 1e-3
    for name, seat in project.assembly.every("seat").items():  # type: ignore[union-attr]

        def place(time: np.ndarray, s: np.ndarray) -> np.ndarray:
            return np.einsum("nij,j->ni", axes(time), down + s)

        weights = ((-2, -1 / 12), (-1, 4 / 3), (0, -5 / 2), (1, 4 / 3), (2, -1 / 12))
        acceleration = sum(w * place(t + k * h, np.asarray(seat.position)) for k, w in weights) / h**2
        c, s = seat.orientation[0], seat.orientation[3]
        yaw = 2.0 * math.atan2(s, c)
        own = np.array(
            [[math.cos(yaw), -math.sin(yaw), 0.0], [math.sin(yaw), math.cos(yaw), 0.0], [0.0, 0.0, 1.0]]
        )
        felt = np.einsum("nji,nj->ni", axes(t), acceleration - GRAVITY) @ own / G
        assert run.channels[f"seat/{name}/acceleration"].values[3:-3] == pytest.approx(felt, abs=2e-4)
    assert np.ptp(felt, axis=0).min() > 0.2


def test_that_the_moment_across_the_arm_is_that_of_the_turning_ring(run: Results) -> None:
    """C phi' theta' about the axis across arm and hinge, C of ring and passengers about the arm, at constant speeds."""
    top = with_passengers(two_rotations(passenger=70.0).assembly)  # type: ignore[arg-type]
    about = (
        2800.0
        + top.bodies[2].inertia[2]
        + top.bodies[2].mass
        * sum(x * x for x in (np.array(top.bodies[2].position) - (0.0, 0.0, -ARM - 0.5))[:2])
    )
    # ring and passengers are alike about every axis across the arm but for the three inner seats, which are too
    found = interface_load(run, "Bearing", "Arm")
    rate = SWING * OMEGA * np.cos(OMEGA * found.time)
    assert found.moment[1:, 0] == pytest.approx((about * SPIN * rate)[1:], rel=1e-3, abs=2.0)
    other = interface_load(run, "Bearing", "Ring")
    assert np.linalg.norm(other.force, axis=1) == pytest.approx(np.linalg.norm(found.force, axis=1), rel=1e-9)
    with pytest.raises(InputError, match="not 'ground'"):
        interface_load(run, "Bearing", "ground")


def test_that_seats_are_assessed_and_summarised(run: Results) -> None:
    project = two_rotations(passenger=70.0)
    seats = assess_seats(run, project.evaluation)
    assert [seat.seat for seat in seats] == [f"Seat {k + 1}" for k in range(8)] == list(assessed_in(run))
    worst = worst_seat(seats)
    assert worst is not None
    assert worst.margin == min(seat.margin for seat in seats if seat.margin is not None)
    assert all(seat.results == tuple(r for r in seat.results if r.value is not None) for seat in seats)
    z = run.channels["seat/Seat 3/acceleration"].values[:, 2]
    assert seats[2].loads["Gz"] == (z.min(), z.max())
    summary = summarise(project, run)
    assert summary.worst_seat == worst.seat
    assert summary.seats["Seat 3"].loads["Gz"].largest == z.max()
    assert f"worst {worst.seat}" in summary_text(summary)


def test_that_seats_of_any_name_are_put_in_order(run: Results) -> None:
    """A raised 2 is a digit of which Python makes no number, nor does it of thousands of them."""
    (channel,) = (run.channels[f"seat/Seat {k}/acceleration"] for k in (1,))
    names = ("1²", "10", "²", "9" * 5000, "2")
    other = replace(run, channels={f"seat/{name}/acceleration": channel for name in names})
    assert sorted(assessed_in(other)) == sorted(names)
    assert [name for name in assessed_in(other) if name in ("2", "10")] == ["2", "10"]


def test_that_passengers_move_mass_and_inertia() -> None:
    seats = [
        Seat(name=str(k), body="B", position=(1.0 * k, 0.5 * k * k, 0.1), passenger=40.0 + 10.0 * k,
             orientation=(math.cos(0.3 * k), 0.0, 0.0, math.sin(0.3 * k)))
        for k in range(4)
    ]  # fmt: skip
    body = Body(name="B", mass=100.0, inertia=(10.0, 11.0, 12.0), position=(1.0, 2.0, 3.0),
                orientation=(0.8, 0.0, 0.6, 0.0), angular_velocity=(0.1, 0.2, 0.3))  # fmt: skip
    top = with_passengers(Assembly(name="R", role="rig", bodies=(body,), seats=tuple(seats)))
    mass, centre, tensor = mass_of(seats)
    m = np.array([40.0, 50.0, 60.0, 70.0])
    at = np.array([centre_on_body(seat) for seat in seats])
    assert mass == 220.0
    assert centre == pytest.approx((m @ at) / 220.0)
    whole = sum(mi * (np.eye(3) * (r @ r) - np.outer(r, r)) for mi, r in zip(m, at, strict=True))
    about = whole - 220.0 * (np.eye(3) * (centre @ centre) - np.outer(centre, centre))
    assert tensor == pytest.approx(about + 220.0 * GYRATION**2 * np.eye(3))
    assert top.bodies[1].inertia_tensor() == pytest.approx(tensor)
    assert top.joints[0].kind == "rigid"
    size = SolverSettings(sample_rate=50.0)
    rig = Assembly(name="R", role="rig", bodies=(body,), seats=tuple(seats))
    free = simulate(
        Project(name="P", gravity=(0.0, 0.0, 0.0), settings=size, scenario=Rig(assembly=rig, duration=1.0))
    )
    momentum = np.array([100.0, 220.0]) @ free.states.velocity.transpose(1, 0, 2).reshape(2, -1)
    assert np.abs(momentum.reshape(-1, 3) - momentum.reshape(-1, 3)[0]).max() < 1e-3  # N s


def test_that_the_worst_pattern_is_the_worst_of_all() -> None:
    generator = np.random.default_rng(3)
    seats = tuple(
        Seat(
            name=str(k),
            body="B",
            position=tuple(generator.normal(size=3)),
            passenger=float(generator.uniform(30, 110)),
        )
        for k in range(9)
    )
    body = Body(name="B", mass=100.0, inertia=(10.0, 11.0, 12.0), position=(0.0, 0.0, 0.0))
    top = Assembly(name="R", role="rig", bodies=(body,), seats=seats)
    found = worst_pattern(top, "B")
    v = np.array([seat.passenger * centre_on_body(seat)[:2] for seat in seats])
    best = max(
        float(np.linalg.norm(v[list(taken)].sum(axis=0)))
        for n in range(1, 10)
        for taken in itertools.combinations(range(9), n)
    )
    assert found.moment == pytest.approx(best, rel=1e-12)
    assert found.of == 512
    empty = with_taken(top, found.taken)
    assert {s.name for s in empty.seats if s.passenger} == set(found.taken)
    with pytest.raises(InputError, match="no seat on body"):
        worst_pattern(with_taken(top, ()), "B")


def test_that_seats_stand_in_rings_and_rows() -> None:
    out, inside = ring("B", 24, 3.0), ring("B", 24, 3.0, facing="inwards")
    for one, other in zip(out, inside, strict=True):
        x, y, _ = one.position
        yaw = [2.0 * math.atan2(s.orientation[3], s.orientation[0]) for s in (one, other)]
        assert math.hypot(x, y) == pytest.approx(3.0)
        assert (math.cos(yaw[0]), math.sin(yaw[0])) == pytest.approx((x / 3.0, y / 3.0), abs=1e-9)
        assert math.cos(yaw[1] - yaw[0]) == pytest.approx(-1.0)
    benches = rows("B", ((-2.0, 0.1), (2.0, 0.1)), 3, 0.5, towards=0.0)
    assert [s.name for s in benches] == ["Row 1A", "Row 1B", "Row 1C", "Row 2A", "Row 2B", "Row 2C"]
    assert [s.position[1] for s in benches[:3]] == [0.5, 0.0, -0.5]
    assert benches[0].orientation[0] == 1.0
    assert benches[3].orientation[0] == pytest.approx(0.0, abs=1e-15)


def test_that_the_arm_of_the_frisbee_has_the_first_bending_it_says() -> None:
    """Against cantilever theory: (1.8751 / L)^2 sqrt(E I / rho A), and the radius of gyration of the tube itself."""
    width, area, second = square_tube(9.0, 0.012, 8.8)
    inner = width - 0.024
    assert area == pytest.approx(width**2 - inner**2)
    assert second == pytest.approx((width**4 - inner**4) / 12.0)
    frequency = (1.875104 / 9.0) ** 2 * math.sqrt(2.1e11 * second / (7850.0 * area)) / (2.0 * math.pi)
    assert frequency == pytest.approx(8.8, rel=1e-6)


def test_that_the_spin_ramps_up_holds_and_ramps_down() -> None:
    f = spin_function(1.5, 10.0, 60.0)
    t, x = np.array(f.times), np.array(f.values)
    middle = (t > 12.0) & (t < 48.0)
    assert np.diff(x[middle]) / np.diff(t[middle]) == pytest.approx(1.5)
    assert x[-1] == pytest.approx(1.5 * 50.0)


@pytest.mark.parametrize("name", templates())
def test_that_every_template_starts_from_rest_and_closes_its_ledger(name: str) -> None:
    project = ride_from(name)
    rig = project.scenario.model_copy(update={"duration": 6.0})
    found = simulate(project.model_copy(update={"scenario": rig}))
    assert found.status.complete
    assert found.energy.kinetic[0] == 0.0
    assert found.energy.kinetic[-1] > 100.0
    ledger = found.energy
    assert np.abs(ledger.residual).max() < 5e-4 * np.abs(ledger.driven).max()
    assert len(assessed_in(found)) == len(project.assembly.every("seat"))  # type: ignore[union-attr]


@pytest.mark.nightly
@pytest.mark.parametrize("name", templates())
def test_that_every_template_stays_within_the_limits_as_it_comes(name: str) -> None:
    project = ride_from(name)
    found = simulate(project)
    seats = assess_seats(found, project.evaluation)
    assert len(seats) == len(project.assembly.every("seat"))  # type: ignore[union-attr]
    assert min(one.margin for one in seats if one.margin is not None) > 0.0
    if name == "looping_boat":
        assert max(one.loads["Gz"][0] for one in seats) < -0.5  # all hang upside down


def test_that_a_pendulum_is_driven_over_the_top_by_its_energy() -> None:
    swings, time = way_over(0.0, 500.0, 20.0) or (9, 0.0)  # without weight: half a turn from rest
    assert (swings, time) == (0, pytest.approx(math.sqrt(2.0 * math.pi * 500.0 / 20.0)))
    # the torque pulls through by itself from 0.72461 of the weight's on, the largest (1 - cos x) / x
    assert (way_over(1.0, 1.0, 0.7247) or (9, 0.0))[0] == 0
    assert (way_over(1.0, 1.0, 0.7245) or (9, 0.0))[0] == 1
    assert way_over(1.0, 1.0, 1e-4) is None


def test_that_the_command_tells_seats_and_the_worst_pattern(
    run: Results, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from ridewright.core.results.file import write_results

    results, project, worst = tmp_path / "r.h5", tmp_path / "p.ridewright", tmp_path / "worst.ridewright"
    write_results(run, results)
    assert main(["seats", str(results)]) == 0
    shown = capsys.readouterr().out
    assert "Seat 8" in shown
    assert "Margin %" in shown
    assert main(["seats", "--json", str(results)]) == 0
    assert set(json.loads(capsys.readouterr().out)) == {f"Seat {k + 1}" for k in range(8)}
    save_project(two_rotations(passenger=70.0), project)
    assert main(["seats", "--worst-pattern", "Ring", "--out", str(worst), str(project)]) == 0
    assert "largest of 256 patterns" in capsys.readouterr().out
    assert main(["seats", "--worst-pattern", "Rim", str(project)]) == 2
    assert "there is no such body" in capsys.readouterr().err
    assert worst.exists()
