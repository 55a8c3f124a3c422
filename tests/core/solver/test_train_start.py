"""How a train starts: on one side of the start of its circuit, its cars whole, as fast as its preview."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.base.frames import rotation_matrix
from ridewright.core.edits.couplings import make_train, natural_spacing
from ridewright.core.edits.train import load_cars
from ridewright.core.multibody.compile import compile_system
from ridewright.core.outcome.summary import summarise
from ridewright.core.pointmass.ride import ride_point
from ridewright.core.project.examples import load_example
from ridewright.core.project.point_train import ridden_settings
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Ride
from ridewright.core.run.simulate import simulate
from ridewright.core.solver import launch
from ridewright.core.solver.assemble import assemble
from ridewright.core.solver.engine import Engine
from ridewright.core.solver.kkt import new_factor
from ridewright.core.track.build import build_track


def train(count: int, ride: Ride) -> Project:
    """Cars of the GateKeeper, full, on rigid bars between their carbodies, which lean on their springs in a bend."""
    base = load_example("gatekeeper")
    car = base.train.children[0]
    coupled = make_train(base, car, count, natural_spacing(car), "ball_drawbar", attach="Carbody")
    made = load_cars(coupled, "full")
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
    assert np.ptp(speeds) > 0.01  # the cars' own, coupled at their frames
    bodies = layout.rigid_of(engine.udot)
    for k, name in enumerate(engine.system.names):
        if name.endswith("Upper Torso"):
            way = layout.rigid_of(engine.state.u)[k, :3]
            along = bodies[k, :3] @ way / np.linalg.norm(way)
            assert abs(along) < 3.0, name  # m/s^2; it was 22


def over_the_top() -> Project:
    base = load_example("veloci2")
    return base.model_copy(update={"scenario": base.scenario.model_copy(update={"top_speed": 8.0})})


def test_that_two_rides_find_the_speed_over_the_highest_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """The middle of the masses, not the first car; the speed is that of the preview but for what the train loses by
    leaning and shaking."""
    project = over_the_top()
    built, rides = build_track(project.track), []
    ridden = launch._speed_over
    monkeypatch.setattr(launch, "_speed_over", lambda *a: rides.append(a[2]) or ridden(*a))
    speed = launch.start_speed(project, built)
    assert 1 <= len(rides) <= 2
    points = ride_point(built, ridden_settings(project), gravity=project.gravity)
    assert speed == pytest.approx(float(points.speed[0]), rel=0.01)
    place, _ = launch.highest_place(built, project.scenario.start)
    assert ridden(project, built, speed, place) == pytest.approx(8.0, abs=launch.CLOSE)


@pytest.mark.nightly
def test_that_a_run_tells_how_near_it_came_to_the_speed_over_its_highest_place() -> None:
    project = over_the_top()
    run = simulate(project)
    over = summarise(project, run).over_top
    assert over is not None
    # of the middle of the masses, and a little more: cars turn over the crest, and what turns them is motion, too
    top, bodies = int(np.argmax(run.energy.potential)), project.train.every("body")
    mass = np.array([bodies[name].mass for name in run.names.bodies])
    mean = float(np.linalg.norm(mass @ run.states.velocity[top, : len(mass)]) / mass.sum())
    assert over.time == run.states.time[top]
    assert mean < over.reached < 1.02 * mean
    assert over.reached == pytest.approx(8.0, abs=0.05)
    assert "solved for 8.00 m/s of the train over its highest place" in over.sentence


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
