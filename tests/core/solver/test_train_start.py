"""How a train starts: on one side of the start of its circuit, its cars whole, as fast as its preview."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.base.frames import rotation_matrix
from ridewright.core.edits.couplings import make_train, natural_spacing
from ridewright.core.edits.train import load_cars
from ridewright.core.multibody.compile import compile_system
from ridewright.core.pointmass.ride import ride_point
from ridewright.core.project.examples import load_example
from ridewright.core.project.point_train import ridden_settings
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Ride
from ridewright.core.solver.assemble import assemble
from ridewright.core.solver.engine import Engine
from ridewright.core.solver.kkt import new_factor
from ridewright.core.solver.launch import start_speed
from ridewright.core.solver.simulate import simulate
from ridewright.core.track.build import build_track


def train(count: int, ride: Ride) -> Project:
    """Cars of the GateKeeper, full, on rigid bars."""
    base = load_example("gatekeeper")
    car = base.train.children[0]
    made = load_cars(make_train(base, car, count, natural_spacing(car), "ball_drawbar"), "full")
    return made.model_copy(update={"scenario": ride})


@pytest.mark.parametrize("start", [0.3, -0.3])
def test_that_wheels_on_both_sides_of_the_start_of_a_circuit_are_on_one_lap(start: float) -> None:
    """Rails are longer or shorter than the centreline: laps of these opened the guides by metres."""
    base = load_example("gatekeeper")
    length = build_track(base.track).length
    ride = base.scenario.model_copy(update={"start": start % length, "speed": 5.0})
    project = base.model_copy(update={"scenario": ride})
    system = compile_system(project)
    state, report = assemble(system, new_factor(system))
    assert report.violation_before < 0.01
    assert np.ptp(state.path.reshape(2, 2), axis=0) == pytest.approx(
        [2.0, 2.0], abs=0.05
    )  # each rail has its own


def test_that_riders_of_coupled_cars_start_as_fast_as_their_car() -> None:
    """In a bend the bars give cars other speeds than the one that is asked for; 0.02 m/s through the seats was felt as
    2.2 g."""
    project = train(2, Ride(start=600.0, speed=20.0, duration=0.01, settled=True))
    engine = Engine.prepare(compile_system(project), project.settings, settled=True)
    layout = engine.system.layout
    speeds = engine.state.u[layout.paths]
    assert np.ptp(speeds) > 0.03  # the cars' own
    bodies = layout.rigid_of(engine.udot)
    for k, name in enumerate(engine.system.names):
        if name.endswith("Upper Torso"):
            way = layout.rigid_of(engine.state.u)[k, :3]
            along = bodies[k, :3] @ way / np.linalg.norm(way)
            assert abs(along) < 3.0, name  # m/s^2; it was 22


def test_that_a_train_starts_as_fast_as_its_preview_for_its_highest_place() -> None:
    """The middle of the masses, not the first car, comes over the top as asked; no ride of the train is needed."""
    project = train(3, Ride(start=2.0, top_speed=6.0))
    built = build_track(project.track)
    speed = start_speed(project, built)
    ride = ride_point(built, ridden_settings(project), gravity=project.gravity)
    assert speed == pytest.approx(float(ride.speed[0]), rel=1e-9)
    first = ride.forward()
    top = int(np.argmax(ride.energy.potential[first]))
    assert float(ride.speed[first][top]) == pytest.approx(6.0, abs=1e-6)


@pytest.mark.parametrize("start", [0.5, 217.8, 752.0])
def test_that_a_train_starts_closed(start: float) -> None:
    """Across the start of the circuit, where the track twists, in a bend: boxes on the tangent were 140 mm open."""
    project = train(3, Ride(start=start, speed=20.0))
    system = compile_system(project)
    state, report = assemble(system, new_factor(system))
    assert report.violation_before < 1e-3
    # a rider moves as one with what carries its seat
    A = rotation_matrix(state.p)
    velocity = system.layout.rigid_of(state.u)
    for seated in system.seated:
        first, seat = seated.bodies[0], seated.seat
        spin = A[seat] @ velocity[seat, 3:]
        along = velocity[seat, :3] + np.cross(spin, state.r[first] - state.r[seat])
        np.testing.assert_allclose(velocity[first, :3], along, atol=0.01)


@pytest.mark.parametrize("start", [145.0, 600.0, 745.0])
def test_that_a_train_feels_from_the_first_moment_what_one_feels_that_comes_along(start: float) -> None:
    """Settled under its weight alone it began with 0.3 to 1.4 g more or less, and was shaken by that."""
    project = train(2, Ride(start=start, speed=20.0, duration=0.01, settled=True))
    built = build_track(project.track)
    fall = float(np.diff(built.centreline.position([start, start - 6.0])[:, 2])[0])
    speed = float(np.sqrt(20.0**2 - 2.0 * 9.81 * fall))
    ride = project.scenario.model_copy(update={"start": start - 6.0, "speed": speed, "duration": 0.35})
    came = simulate(project.model_copy(update={"scenario": ride}))
    place = next(c.values for name, c in came.channels.items() if name.endswith("/arc_length"))
    there = int(np.argmax(place - place[0] >= 6.0))
    run = simulate(project)
    assert "unsettled" not in run.provenance["assembly"]
    for name, channel in run.channels.items():
        if name.startswith("rider/") and name.endswith(("head/acceleration", "torso/acceleration")):
            assert channel.values[0] == pytest.approx(came.channels[name].values[there], abs=0.2), name
