"""The vehicle of the library on a track: weight on the wheels, degrees of freedom, Newton's law for the whole."""

from __future__ import annotations

import numpy as np
import pytest
from verification_tools import GRAVITY, changed, complete, largest, reaction, run

from core.examples import load_example
from core.frames import rotation_matrix
from core.model.assembly import Car, Train
from core.model.library import load_occupant, load_vehicle, with_rider, with_secondary_locked
from core.project import Project
from core.scenario import Ride
from core.solver.simulate import simulate

VEHICLE_MASS, RIDER_MASS = 668.4, 81.516
WHEELS = tuple(f"{end} {side} wheel on rail" for end in ("Front", "Rear") for side in ("right", "left"))


def _on_straight(car: Car, **ride: object) -> Project:
    project = load_example("straight")
    scenario = Ride(**{"start": 50.0, **ride})
    return project.model_copy(update={"train": Train(cars=(car,)), "scenario": scenario})


def _wheel_forces(results):
    """Forces of the rails on the wheelsets (n, 4, 3), world axes, in the order of WHEELS."""
    return np.stack([reaction(results, f"Car/{wheel}")[:, :3] for wheel in WHEELS], axis=1)


def _weight_and_inertia(project, results):
    """Sum of m (a - g) over all bodies (n, 3) and of their moments and spin about the origin (n, 3)."""
    car = project.train.cars[0]
    bodies = [*car.bodies, *(b for rider in car.occupants for b in rider.bodies)]
    mass, inertia = np.array([b.mass for b in bodies]), np.array([b.inertia for b in bodies])
    s = results.states
    push = mass[:, None] * (s.acceleration - np.array([0.0, 0.0, -GRAVITY]))
    spin = s.angular_velocity
    turn = inertia * s.angular_acceleration + np.cross(spin, inertia * spin)
    turn = np.einsum("nbij,nbj->nbi", rotation_matrix(s.orientation), turn)
    return push.sum(axis=1), (np.cross(s.position, push) + turn).sum(axis=1)


def test_that_the_rails_carry_the_weight_of_a_standing_vehicle():
    """Empty vehicle, drawn in equilibrium: weight on four wheels, shared by the lever arms of its parts."""
    project = _on_straight(load_vehicle(), speed=0.0, duration=0.05)
    results = simulate(project)
    force = _wheel_forces(results)
    weight = VEHICLE_MASS * GRAVITY
    assert largest(force.sum(axis=1) - [0.0, 0.0, weight]) < 1e-6 * weight
    # carbody and frame ride between the axles, 0.075 m and 0 m before their middle
    front = force[:, :2, 2].sum(axis=1)
    assert largest(front - (weight / 2.0 + 280.0 * GRAVITY * 0.075 / 2.0)) < 1e-6 * weight
    assert largest(force[:, 0, 2] - force[:, 1, 2]) < 1e-6 * weight


def test_that_the_rails_carry_vehicle_and_settled_rider():
    """After the rider has settled: sum of forces and of moments as of a rigid load."""
    car = with_rider(load_vehicle(), load_occupant(), "Left seat")
    project = _on_straight(car, speed=0.0, duration=0.05, settled=True)
    results = simulate(project)
    force = _wheel_forces(results)
    weight = (VEHICLE_MASS + RIDER_MASS) * GRAVITY
    assert largest(force.sum(axis=1) - [0.0, 0.0, weight]) < 1e-4 * weight
    assert np.all(force[:, 1::2, 2].sum(axis=1) > force[:, 0::2, 2].sum(axis=1)), "the rider sits on the left"


def test_that_vehicle_and_rider_have_the_degrees_of_freedom_of_the_notes_on_the_model():
    """Straight rails: vehicle 52 coordinates, rank 48; with a rider 148, rank 110; nothing redundant."""
    empty = simulate(_on_straight(load_vehicle(), speed=5.0, duration=0.01)).size
    assert (empty.coordinates, empty.rows, empty.rank, empty.degrees_of_freedom) == (52, 48, 48, 4)
    one = run("straight", duration=0.01).size
    assert (one.bodies, one.coordinates, one.rows, one.rank, one.degrees_of_freedom) == (
        24,
        148,
        110,
        110,
        38,
    )
    assert one.redundant == ()
    locked = simulate(_on_straight(with_secondary_locked(load_vehicle()), speed=5.0, duration=0.01)).size
    assert locked.degrees_of_freedom == 3


def test_that_two_riders_share_a_car():
    car = with_rider(load_vehicle(), load_occupant(), "Left seat", "A")
    car = with_rider(car, load_occupant(), "Right seat", "B")
    size = simulate(_on_straight(car, speed=5.0, duration=0.01)).size
    assert (size.bodies, size.degrees_of_freedom) == (40, 72)


def test_that_newtons_law_holds_for_the_whole_train_in_a_curve():
    """Wheel forces and their moments against sum m (a - g) and d/dt of the angular momentum, all bodies together."""
    project = load_example("curve50")
    car = with_rider(load_vehicle(), load_occupant(), "Left seat")
    project = project.model_copy(
        update={"train": Train(cars=(car,)), "scenario": Ride(start=22.0, speed=12.0, duration=2.0)}
    )
    results = complete(simulate(project))
    s = results.states
    force = _wheel_forces(results)
    names = [f"Car/Wheelset {w.split()[0].lower()} {w.split()[1]}" for w in WHEELS]
    place = s.position[:, [results.names.bodies.index(n) for n in names]]
    push, moment = _weight_and_inertia(project, results)
    scale = np.max(np.linalg.norm(push, axis=1))
    assert scale > 1.1 * (VEHICLE_MASS + RIDER_MASS) * GRAVITY
    assert largest(force.sum(axis=1) - push) < 1e-6 * scale
    assert largest(np.cross(place, force).sum(axis=1) - moment) < 1e-6 * scale * np.max(np.abs(place))
    assert largest(results.violations.guides) < 1e-6
    assert largest(results.violations.joints) < 1e-6


def test_that_the_suspension_alone_takes_energy_in_a_curve():
    """Conservative but for springs and stops: the ledger closes, and what is lost is dissipated."""
    project = changed(load_example("looping_star"), duration=6.0)
    results = complete(simulate(project))
    energy = results.energy
    assert largest(energy.residual) < 1e-4 * energy.kinetic[0]
    assert energy.dissipated[-1] > 0.0
    assert np.all(np.diff(energy.dissipated) > -1e-9)
    assert largest(energy.drag) == 0.0
    assert largest(energy.driven) == pytest.approx(0.0, abs=1e-6)


def test_that_a_level_straight_takes_no_speed():
    """No drag, no slope: the whole train keeps its momentum for 180 m."""
    results = run("straight")
    assert results.status.complete
    s = results.states
    assert largest(s.path_speed[-1] - 10.0) < 1e-3
    assert s.path_coordinate[-1].max() > 185.0
