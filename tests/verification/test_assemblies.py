"""Vehicles that a spring joins, and rigs on a track, from files of version 2, against closed forms."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.forces.spring import SpringDamper
from ridewright.core.model.guides import Guide
from ridewright.core.model.joints import Joint
from ridewright.core.project.project import Project, load_project, save_project
from ridewright.core.project.scenario import Ride, Rig, SolverSettings
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate
from ridewright.core.track.description import StraightSection, Track

STIFFNESS, MASSES, APART, STRETCH, SPEED, APPROACH = 4e5, (800.0, 1200.0), 6.0, 0.25, 12.0, 0.4
SETTINGS = SolverSettings(tolerance=1e-9, rho_infinity=1.0, max_step=2e-3)


def straight(length: float, angle: float = 0.0) -> Track:
    end = (length * math.cos(angle), 0.0, -length * math.sin(angle))
    return Track(name="Line", sections=(StraightSection(name="all", start=(0.0, 0.0, 0.0), end=end),))


def from_file(project: Project, folder: Path) -> Project:
    save_project(project, folder / "p.ridewright")
    assert '"version": 2' in (folder / "p.ridewright").read_text(encoding="utf-8")
    return load_project(folder / "p.ridewright")


def vehicle(name: str, offset: float, mass: float, **more) -> Assembly:
    frame = Body(name="Frame", mass=mass, inertia=(300.0, 900.0, 900.0), position=(0.0, 0.0, 0.0), **more)
    return Assembly(
        name=name,
        role="car",
        offset=offset,
        bodies=(frame,),
        guides=(Guide(name="Rail", kind="full", body="Frame"),),
    )


def two(folder: Path, *forces: SpringDamper) -> Results:
    """Two vehicles 6 m apart on a level straight, the second 0.4 m/s faster than the first, for 1.5 s."""
    cars = (
        vehicle("Car 1", 0.0, MASSES[0]),
        vehicle("Car 2", APART, MASSES[1], velocity=(APPROACH, 0.0, 0.0)),
    )
    train = Assembly(name="Train", role="train", children=cars, forces=forces)
    ride = Ride(start=20.0, speed=SPEED, duration=1.5)
    project = Project(name="Two", track=straight(100.0), train=train, scenario=ride, settings=SETTINGS)
    return simulate(from_file(project, folder))


def place(results: Results, name: str) -> np.ndarray:
    return results.states.position[:, results.names.bodies.index(name), 0]


def test_that_two_vehicles_on_a_spring_swing_about_their_common_centre(tmp_path: Path) -> None:
    """Two masses on a spring: x = A cos wt + B sin wt with w^2 = k (1/m1 + 1/m2), the centre goes straight on."""
    spring = SpringDamper(
        name="Coupler",
        body_i="Car 1/Frame",
        body_j="Car 2/Frame",
        stiffness=STIFFNESS,
        free_length=APART - STRETCH,
    )
    results = two(tmp_path, spring)
    assert "clocks" not in results.provenance["solver"]
    assert results.names.springs == ("Coupler",)
    t, (m1, m2) = results.states.time, MASSES
    w = math.sqrt(STIFFNESS * (1.0 / m1 + 1.0 / m2))
    stretch = STRETCH * np.cos(w * t) - APPROACH / w * np.sin(w * t)
    ahead, behind = place(results, "Car 1/Frame"), place(results, "Car 2/Frame")
    assert ahead - behind == pytest.approx(APART - STRETCH + stretch, abs=5e-5)
    centre = (m1 * 20.0 + m2 * (20.0 - APART)) / (m1 + m2) + (SPEED + m2 * APPROACH / (m1 + m2)) * t
    assert (m1 * ahead + m2 * behind) / (m1 + m2) == pytest.approx(centre, abs=1e-9)
    assert results.states.spring_force[:, 0] == pytest.approx(STIFFNESS * stretch, abs=20.0)
    assert results.channels.keys() >= {"car/Car 1/speed", "car/Car 2/arc_length"}


def test_that_two_vehicles_that_nothing_joins_have_step_sizes_of_their_own(tmp_path: Path) -> None:
    results = two(tmp_path)
    assert results.provenance["solver"]["clocks"] == 2
    t = results.states.time
    assert place(results, "Car 1/Frame") == pytest.approx(20.0 + SPEED * t, abs=1e-9)
    assert place(results, "Car 2/Frame") == pytest.approx(14.0 + (SPEED + APPROACH) * t, abs=1e-9)


def test_that_a_third_vehicle_between_them_is_not_mixed_up_with_those_a_spring_joins(tmp_path: Path) -> None:
    """The first and the third vehicle are one system, the second has a clock of its own: names and columns agree."""
    cars = [vehicle(f"Car {k + 1}", APART * k, 500.0 * (k + 1)) for k in range(3)]
    spring = SpringDamper(
        name="Long", body_i="Car 1/Frame", body_j="Car 3/Frame", stiffness=1e5, free_length=2 * APART - 0.1
    )
    train = Assembly(name="Train", role="train", children=cars, forces=(spring,))
    ride = Ride(start=20.0, speed=SPEED, duration=0.5)
    project = Project(name="Three", track=straight(100.0), train=train, scenario=ride, settings=SETTINGS)
    results = simulate(from_file(project, tmp_path))
    assert results.provenance["solver"]["clocks"] == 2
    assert results.names.bodies == ("Car 1/Frame", "Car 2/Frame", "Car 3/Frame")
    t = results.states.time
    assert place(results, "Car 2/Frame") == pytest.approx(14.0 + SPEED * t, abs=1e-9)
    w = math.sqrt(1e5 * (1.0 / 500.0 + 1.0 / 1500.0))
    apart = place(results, "Car 1/Frame") - place(results, "Car 3/Frame")
    assert apart == pytest.approx(2 * APART - 0.1 + 0.1 * np.cos(w * t), abs=1e-5)
    for k in range(3):
        guide = results.names.guides.index(f"Car {k + 1}/Rail")
        assert results.states.path_coordinate[:, guide] == pytest.approx(
            place(results, f"Car {k + 1}/Frame"), abs=1e-9
        )


def test_that_a_guided_body_of_a_rig_slides_down_an_incline(tmp_path: Path) -> None:
    """s = v0 t + g sin(a) t^2 / 2 along a straight 30 degrees down, with a velocity it starts with."""
    angle, v0 = math.radians(30.0), 3.0
    down = np.array([math.cos(angle), 0.0, -math.sin(angle)])
    block = Body(
        name="Block", mass=5.0, inertia=(1.0, 2.0, 3.0), position=tuple(4.0 * down), velocity=tuple(v0 * down)
    )
    rig = Assembly(name="Slide", role="rig", bodies=(block,), guides=(Guide(name="Wire", body="Block"),))
    project = Project(
        name="Slide", track=straight(60.0, angle), scenario=Rig(assembly=rig, duration=2.0), settings=SETTINGS
    )
    results = simulate(from_file(project, tmp_path))
    assert results.status.name == "done"
    t = results.states.time
    s = v0 * t + 0.5 * 9.81 * math.sin(angle) * t**2
    assert results.states.position[:, 0] == pytest.approx((4.0 + s)[:, None] * down, abs=1e-6)
    assert results.states.path_coordinate[:, 0] == pytest.approx(4.0 + s, abs=1e-6)
    reaction = results.states.reactions[:, len(results.names.joints), :3]
    assert np.linalg.norm(reaction, axis=1) == pytest.approx(5.0 * 9.81 * math.cos(angle), rel=1e-6)


def test_that_a_rig_ends_with_its_track(tmp_path: Path) -> None:
    block = Body(
        name="Block", mass=5.0, inertia=(1.0, 2.0, 3.0), position=(1.0, 0.0, 0.0), velocity=(4.0, 0.0, 0.0)
    )
    rig = Assembly(name="Slide", role="rig", bodies=(block,), guides=(Guide(name="Wire", body="Block"),))
    project = Project(name="Slide", track=straight(9.0), scenario=Rig(assembly=rig), settings=SETTINGS)
    results = simulate(from_file(project, tmp_path))
    assert results.status.name == "end of track"
    assert results.status.message == "A guided body reached the end of the track."
    assert results.states.time[-1] == pytest.approx(2.0, abs=1e-3)


def test_that_a_pendulum_on_a_free_trolley_keeps_momentum_and_energy(tmp_path: Path) -> None:
    """A bob hung from a trolley on a level rail: the horizontal momentum is that of the start, the energy as well, and
    small swings have w^2 = g (M + m) / (M L)."""
    heavy, light, long, start = 40.0, 10.0, 2.0, 0.01
    trolley = Body(name="Trolley", mass=heavy, inertia=(1.0, 1.0, 1.0), position=(30.0, 0.0, 0.0))
    hung = (30.0 + long * math.sin(start), 0.0, -long * math.cos(start))
    bob = Body(name="Bob", mass=light, inertia=(1e-3, 1e-3, 1e-3), position=hung)
    crane = Assembly(
        name="Crane",
        role="rig",
        bodies=(trolley,),
        guides=(Guide(name="Rail", kind="full", body="Trolley"),),
        joints=(Joint(name="Rope", kind="distance", body_i="Trolley", body_j="Load/Bob"),),
        children=(Assembly(name="Load", bodies=(bob,)),),
    )
    project = Project(
        name="Crane", track=straight(60.0), scenario=Rig(assembly=crane, duration=4.0), settings=SETTINGS
    )
    results = simulate(from_file(project, tmp_path))
    t = results.states.time
    x, y = place(results, "Trolley"), place(results, "Load/Bob")
    assert (heavy * x + light * y) / (heavy + light) == pytest.approx(
        30.0 + light * hung[0] / 50.0 - 6.0, abs=1e-8
    )
    w = math.sqrt(9.81 * (heavy + light) / (heavy * long))
    assert (y - x) / long == pytest.approx(math.sin(start) * np.cos(w * t), abs=4e-6)
    assert np.max(np.abs(results.energy.residual)) < 1e-6 * light * 9.81 * long
