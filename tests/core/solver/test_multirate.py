"""Cars with a clock each: against the same cars alone, against one clock for all, and joining against closed forms."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from device_rides import full_car, level, ride, stiff_car

from ridewright.core.base.errors import InputError
from ridewright.core.base.frames import from_rotation_vector, multiply, rotation_matrix, rotation_vector
from ridewright.core.edits.elements import delete_element
from ridewright.core.edits.riders import make_rider
from ridewright.core.edits.seats import put_seat
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.outputs import SLIPS
from ridewright.core.model.person import Person
from ridewright.core.multibody.arrays import GCOL, GROW, PHI, PHIDOT, int_line
from ridewright.core.multibody.compile import compile_system
from ridewright.core.multibody.connections import parts_of
from ridewright.core.multibody.constraint_kernels import constraints, velocity_residual
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Ride
from ridewright.core.results.results import Ledger, Results, States, Violations
from ridewright.core.run.events import located_events
from ridewright.core.run.simulate import LiveSample, simulate
from ridewright.core.solver import motion, multirate
from ridewright.core.solver.engine import slot_weights
from ridewright.core.solver.multirate import common_instants, joined
from ridewright.core.track.devices.launch import Launch

START, SPEED, GAP = 62.0, 26.0, 7.0


def on_star(
    cars: tuple[Assembly, ...], duration: float = 0.8, start: float = START, **settings: Any
) -> Project:
    """Cars on the Looping Star, one behind the other."""
    base = load_example("looping_star")
    named = tuple(
        car.model_copy(update={"name": f"Car {k + 1}", "offset": GAP * k}) for k, car in enumerate(cars)
    )
    update = {
        "train": Assembly(name="Train", role="train", children=named),
        "scenario": Ride(start=start, speed=SPEED, duration=duration),
        "settings": base.settings.model_copy(update=settings),
    }
    return base.model_copy(update=update)


@pytest.fixture(scope="module")
def pair() -> Results:
    return simulate(on_star((full_car(), full_car()), 2.0))


@pytest.fixture(scope="module")
def alone() -> list[Results]:
    """The two cars of the pair, each from its place."""
    return [simulate(on_star((full_car(),), 2.0, start=START - GAP * k)) for k in range(2)]


def test_that_a_car_takes_the_steps_and_feels_the_loads_it_has_alone(pair, alone):
    steps = [one.provenance["solver"]["accepted"] for one in alone]
    assert pair.provenance["solver"]["accepted"] == sum(steps)
    assert pair.provenance["solver"]["clocks"] == 2
    assert max(steps) <= len(pair.states.time) < sum(steps)
    for k, one in enumerate(alone):
        assert one.channels
        for name, channel in one.channels.items():
            same = pair.channels[name.replace("Car 1", f"Car {k + 1}")]
            assert np.array_equal(same.values, channel.values), name


def test_that_energy_and_violations_are_those_of_the_solvers_own_instants(pair, alone):
    for name in ("joints", "guides", "velocity"):
        largest = max(getattr(one.violations, name).max() for one in alone)
        assert getattr(pair.violations, name).max() == largest
    ends = sum(one.energy.kinetic[-1] + one.energy.dissipated[-1] for one in alone)
    assert pair.energy.kinetic[-1] + pair.energy.dissipated[-1] == pytest.approx(ends, rel=1e-12)
    assert np.all(np.diff(pair.energy.dissipated) >= 0.0)
    assert np.max(np.abs(pair.energy.residual)) < 1e-5 * pair.energy.kinetic[0]


def test_that_joined_states_lie_on_the_rails_and_hold_the_joints(pair):
    """All instants but the first and last lie between those of at least one car. Between instants that their tolerance
    sets further apart, joints of limbs may open as much more."""
    project = on_star((full_car(), full_car()), 2.0)
    system = compile_system(project)
    W, s = system.new_work(), pair.states
    counts = slot_weights(system, project.settings.limb_tolerance)[int_line(system.arrays, GCOL)]
    share = np.minimum.reduceat(counts, int_line(system.arrays, GROW)[:-1])
    assert system.names == pair.names.bodies
    assert tuple(g.name for g in system.guides) == pair.names.guides
    for k in range(0, len(s.time), 7):
        r = np.vstack([s.position[k], np.zeros(3)])
        p = np.vstack([s.orientation[k], [1.0, 0.0, 0.0, 0.0]])
        u = np.concatenate([s.velocity[k], s.angular_velocity[k]], axis=1).ravel()
        constraints(system.arrays, W, s.time[k], r, p, s.path_coordinate[k])
        velocity_residual(system.arrays, W, np.concatenate([u, s.path_speed[k], np.zeros(6)]), W.row[PHIDOT])
        assert np.max(np.abs(share * W.row[PHI])) < 2e-6
        assert np.max(np.abs(share * W.row[PHIDOT])) < 2e-4


def test_that_pairs_that_touch_at_the_start_go_by_their_own_names():
    project = on_star((full_car(), full_car()), 0.01)
    for car in project.train.children:
        for rider in car.riders:
            project = delete_element(project, "assembly", (car.name, rider.name))
        seat = car.seats[0].name
        project = put_seat(project, (car.name,), seat, "sit_down")
        project, _ = make_rider(project, (car.name,), Person(stature=1.75, mass=75.0, held=False), seat)
    results = simulate(project)
    assert results.provenance["solver"]["clocks"] == 2
    touching = results.provenance["touching"]
    assert touching.keys() <= set(results.names.springs)
    assert not any(name.endswith(SLIPS) for name in touching)
    for car in project.train.children:
        assert any(f"{car.name}/Carbody/" in name for name in touching)


def test_that_one_clock_for_both_gives_the_same_ride(monkeypatch):
    """Two cars pushed by one launch with a given force, which they share by their masses."""
    launch = Launch(name="push", section="all", start=0.0, end=100.0, mode="force", value=20000.0)
    cars = (stiff_car(), full_car().model_copy(update={"name": "Second", "offset": 7.0}))
    project = ride(level(launch), cars[0], start=15.0, speed=4.0, duration=1.5)
    project = project.model_copy(update={"train": Assembly(name="Train", role="train", children=cars)})
    apart = simulate(project)
    monkeypatch.setattr(motion, "parts_of", lambda _: ())
    together = simulate(project)
    assert apart.provenance["solver"]["clocks"] == 2
    assert "clocks" not in together.provenance["solver"]
    assert apart.channels.keys() == together.channels.keys()
    for name, unit, close in (
        ("car/Second/speed", "m/s", 1e-4),
        ("train/device_force", "N", 2.0),
        ("train/device_work", "J", 20.0),
    ):
        ours, theirs = apart.channels[name], together.channels[name]
        assert ours.unit == unit
        assert ours.values == pytest.approx(theirs.values, abs=close)
    assert np.mean(apart.channels["train/device_force"].values[200:]) == pytest.approx(20000.0, rel=1e-3)
    assert apart.size == together.size
    for names in ("bodies", "guides", "riders"):
        assert getattr(apart.names, names) == getattr(together.names, names)
    assert set(apart.names.springs) == set(together.names.springs)
    at = {name: k for k, name in enumerate(together.names.joints)}
    order = [at[name] for name in apart.names.joints]
    ends = [r.states.reactions[-1] for r in (apart, together)]
    assert ends[0][: len(order)] == pytest.approx(ends[1][order], abs=5.0)


def test_that_the_first_car_that_is_where_the_ride_ends_ends_it_for_all():
    base = on_star((stiff_car(), stiff_car()), 1.0)
    scenario = Ride(start=START, speed=SPEED, end_place=START + 12.0)
    project = base.model_copy(update={"scenario": scenario})
    results = simulate(project)
    assert results.status.name == "done"
    place = {car: results.channels[f"car/{car}/arc_length"].values[-1] for car in ("Car 1", "Car 2")}
    assert place["Car 1"] == pytest.approx(START + 12.0, abs=0.03)
    assert place["Car 2"] == pytest.approx(START + 12.0 - GAP, abs=0.5)
    assert results.states.time[-1] == pytest.approx(results.sample_time[-1], abs=1.1e-3)


def test_that_a_run_that_is_stopped_keeps_what_both_have():
    polls: list[float] = []
    results = simulate(
        on_star((stiff_car(), full_car()), 4.0),
        on_progress=lambda _, time, __: polls.append(time),
        should_stop=lambda: len(polls) > 4,
    )
    assert results.status.name == "stopped"
    assert 0.0 < polls[-1] == results.states.time[-1] < 4.0
    assert len(results.energy.kinetic) == len(results.states.time)
    assert polls == sorted(polls)


def test_that_events_and_live_samples_are_those_of_all_cars():
    seen: list[LiveSample] = []
    cars = (stiff_car(), full_car(), full_car())
    project = on_star(cars, 3.2)
    watch = (("rider/Car 2/Rider/head/acceleration.z", 2.0), ("body/Car 3/Carbody/position.z", 5.0))
    project = project.model_copy(
        update={"evaluation": project.evaluation.model_copy(update={"watch": watch})}
    )
    results = simulate(project, on_sample=seen.append)
    assert [e.time for e in results.events] == sorted(e.time for e in results.events)
    borders = {e.name.split("/")[0]: e for e in results.events if e.kind == "section"}
    assert set(borders) == {"Car 1", "Car 2", "Car 3"}
    places = {round(e.place, 6) for e in borders.values()}
    assert len(places) == 1, "each car at the same border"
    assert results.events[-1].kind == "end"
    assert {rider for s in seen for rider in s.rider_g} == set(results.names.riders)
    assert all(np.all(np.isfinite(list(s.rider_g.values()))) for s in seen)
    head = results.channels["rider/Car 2/Rider/head/acceleration"].values
    felt = np.array([s.rider_g["Car 2/Rider"] for s in seen])
    at = np.array([s.time for s in seen])
    expected = np.column_stack([np.interp(at, results.sample_time, head[:, c]) for c in range(3)])
    assert felt == pytest.approx(expected, abs=0.2), "the nearest instant of the other car's clock"


def test_that_a_watched_signal_there_is_none_of_is_refused_before_the_ride():
    project = on_star((stiff_car(), stiff_car()))
    watch = (("car/Car 3/speed", 2.0),)
    project = project.model_copy(
        update={"evaluation": project.evaluation.model_copy(update={"watch": watch})}
    )
    with pytest.raises(InputError, match="no signal 'car/Car 3/speed'"):
        simulate(project)


@pytest.mark.parametrize("method", ["dopri5", "adaptive_bdf"])
def test_that_the_documents_methods_have_one_clock(method):
    assert parts_of(on_star((stiff_car(), stiff_car()), method=method)) == ()
    assert len(parts_of(on_star((stiff_car(), stiff_car())))) == 2


def test_that_cars_at_a_fixed_step_ride_as_alone_and_are_stored_at_these_steps():
    step = 2e-3
    results = simulate(on_star((full_car(), stiff_car()), 0.5, fixed_step=step))
    for k, car in enumerate((full_car(), stiff_car())):
        one = simulate(on_star((car,), 0.5, start=START - GAP * k, fixed_step=step))
        for name, channel in one.channels.items():
            same = results.channels[name.replace("Car 1", f"Car {k + 1}")]
            assert np.array_equal(same.values, channel.values), name
        at = np.searchsorted(results.states.time, one.states.time - 1e-9)
        assert results.states.time[at] == pytest.approx(one.states.time, abs=1e-12)
        bodies = [results.names.bodies.index(b.replace("Car 1", f"Car {k + 1}")) for b in one.names.bodies]
        for name in ("position", "velocity", "orientation"):
            joined_values = getattr(results.states, name)[at][:, bodies]
            assert joined_values == pytest.approx(getattr(one.states, name), abs=1e-9), name
    even = step * np.arange(251)
    extra = len(results.states.time) - len(even)
    assert 0 <= extra < 20, "the steps, and where a stop is met or left"
    assert np.isin(np.round(even, 9), np.round(results.states.time, 9)).all()


# joining, against closed forms


def test_that_common_instants_are_as_dense_as_the_densest():
    coarse, fine = np.linspace(0.0, 4.0, 9), np.linspace(0.0, 4.0, 41)
    mixed = np.concatenate([np.linspace(0.0, 2.0, 41), np.linspace(2.5, 4.0, 4)])
    assert common_instants([coarse, coarse], 4.0) == pytest.approx(coarse, abs=1e-12)
    assert common_instants([coarse, fine], 4.0) == pytest.approx(fine, abs=1e-12)
    grid = common_instants([mixed, fine], 3.05)
    assert (grid[0], grid[-1]) == (0.0, 3.05)
    assert np.max(np.diff(grid[grid < 2.0])) < 0.0501
    assert np.max(np.diff(grid)) < 0.1001
    assert np.all(np.diff(grid) > 0.0)
    assert len(grid) < 41 + 12
    assert list(common_instants([coarse, fine], 0.0)) == [0.0]


def test_that_even_steps_stay_and_an_event_of_one_clock_is_added():
    even = np.cumsum(np.full(101, 0.02))
    shaken, event = even * (1.0 + 1e-15), np.sort(np.append(even, 0.777))
    assert common_instants([even, shaken], even[-1]) == pytest.approx(even, abs=1e-12)
    grid = common_instants([even, event, shaken], even[50])
    assert grid == pytest.approx(event[:52], abs=1e-12)


def _moving(time: np.ndarray, phase: float) -> tuple[States, Ledger, Violations]:
    """A body that swings to and fro, by sin, and turns about a leaning axis that turns itself, by 2 sin and cos 2t."""
    t = time + phase
    axis, other = np.array([0.36, 0.48, 0.8]), np.array([0.8, 0.0, -0.6])
    direction = np.array([1.0, -2.0, 0.5])

    def along(values: np.ndarray, way: np.ndarray) -> np.ndarray:
        return values[:, None, None] * way

    outer, inner = from_rotation_vector(along(2.0 * np.sin(t), axis)), along(np.cos(2.0 * t), other)
    turn = from_rotation_vector(inner)
    back = rotation_matrix(turn).swapaxes(-1, -2)
    carried, own = back @ axis, along(-2.0 * np.sin(2.0 * t), other)
    spin, rate = 2.0 * np.cos(t)[:, None, None] * carried, -2.0 * np.sin(t)[:, None, None] * carried

    states = States(
        time=time,
        position=along(np.sin(t), direction),
        velocity=along(np.cos(t), direction),
        acceleration=along(-np.sin(t), direction),
        orientation=multiply(outer, turn),
        angular_velocity=spin + own,
        angular_acceleration=rate - np.cross(own, spin) + along(-4.0 * np.cos(2.0 * t), other),
        path_coordinate=np.sin(t)[:, None],
        path_speed=np.cos(t)[:, None],
        path_acceleration=-np.sin(t)[:, None],
        reactions=along(np.cos(t), np.ones((2, 6))).reshape(len(t), 2, 6),
        spring_force=np.sin(t)[:, None],
        spring_length=np.cos(t)[:, None],
        device_force=np.zeros((len(t), 1)),
    )
    energy = Ledger(*(np.cos(t) for _ in range(6)))
    return states, energy, Violations(*(np.abs(np.sin(t)) for _ in range(3)))


def _side_by_side(parts):
    """Columns of the states of parts that stand one behind the other."""
    each = [states for states, _, _ in parts]
    columns = {}
    for name in (f.name for f in fields(States) if f.name != "time"):
        counts = [getattr(states, name).shape[1] for states in each]
        ends = np.cumsum(counts)
        columns[name] = [np.arange(end - count, end) for end, count in zip(ends, counts, strict=True)]
    return columns


def test_that_joined_motion_is_of_high_order_between_instants():
    def errors(n: int) -> list[float]:
        parts = [_moving(np.linspace(0.0, 3.0, n + 1), 0.3), _moving(np.linspace(0.0, 3.0, 2 * n + 4), 1.1)]
        states, _, _ = joined(parts, 2.9, _side_by_side(parts))
        exact, _, _ = _moving(states.time, 0.3)
        turned = rotation_vector(
            multiply(states.orientation[:, 0] * [1.0, -1.0, -1.0, -1.0], exact.orientation[:, 0])
        )
        names = ("position", "velocity", "acceleration", "angular_velocity", "path_coordinate")
        off = [np.abs(getattr(states, n)[:, :1] - getattr(exact, n)).max() for n in names]
        return [*off, float(np.abs(turned).max())]

    coarse, fine = errors(24), errors(48)
    orders = np.log2(np.array(coarse) / np.array(fine))
    for order, expected in zip(orders, (6.0, 4.0, 3.0, 4.0, 6.0, 4.0), strict=True):
        assert order > expected - 0.4, orders
    assert fine[0] < 1e-10


def test_that_forces_stay_between_those_of_the_neighbouring_instants():
    time = np.linspace(0.0, 3.0, 31)
    states, energy, violations = _moving(time, 0.3)
    kinked = (100.0 * np.maximum(time - 1.5, 0.0) ** 1.5)[:, None]
    parts = [
        (replace(states, spring_force=kinked), energy, violations),
        _moving(np.linspace(0.0, 3.0, 301), 0.3),
    ]
    force = joined(parts, 3.0, _side_by_side(parts))[0].spring_force[:, 0]
    grid = np.linspace(0.0, 3.0, 301)
    assert np.all(force[grid <= 1.5] == 0.0)
    assert np.all(np.diff(force) >= 0.0)
    assert force[::10] == pytest.approx(kinked[:, 0], abs=1e-9)


def test_that_sums_and_worst_values_are_taken_over_the_parts():
    parts = [_moving(np.linspace(0.0, 3.0, 301), 0.3), _moving(np.linspace(0.0, 3.0, 301), 1.1)]
    states, ledger, violations = joined(parts, 3.0, _side_by_side(parts))
    assert states.position.shape == (301, 2, 3)
    assert states.reactions.shape == (301, 4, 6)
    assert ledger.drag == pytest.approx(np.cos(states.time + 0.3) + np.cos(states.time + 1.1), abs=1e-9)
    both = np.maximum(np.abs(np.sin(states.time + 0.3)), np.abs(np.sin(states.time + 1.1)))
    assert np.all(violations.joints >= both - 1e-12)
    assert violations.joints == pytest.approx(both, abs=0.011)


def test_that_events_after_the_end_of_the_run_are_left_out():
    project = on_star((full_car(),), 2.0)
    system, whole = compile_system(project), simulate(project)
    (border,) = (e.time for e in whole.events if e.kind == "section")
    states, _, _ = multirate.until((whole.states, whole.energy, whole.violations), border - 0.1)
    parts = ((system, whole.states),)
    found = located_events(project, system, states, whole.status, {}, states.time, parts)
    assert [e.kind for e in found] == ["end"]
    assert found[0].time == states.time[-1] < border


def test_that_what_comes_after_the_end_is_cut_off():
    whole = _moving(np.linspace(0.0, 3.0, 301), 0.3)
    states, ledger, _ = multirate.until(whole, 1.234)
    assert states.time[-1] == pytest.approx(1.24)
    assert len(ledger.kinetic) == len(states.orientation) == 125
    assert multirate.until(whole, 3.0) is whole


@pytest.mark.parametrize("block", [1, 7, 64])
def test_that_joining_some_instants_at_a_time_is_joining_all_at_once(block, monkeypatch):
    coarse, fine = np.linspace(0.0, 3.0, 31), np.cumsum(np.linspace(0.005, 0.05, 110))
    parts = [_moving(time, phase) for time, phase in ((coarse, 0.0), (fine, 0.4), (coarse[:2], 1.0))]
    for those, end in ((parts[:2], 2.9), (parts, 0.1), (parts[:1], 3.0)):
        monkeypatch.setattr(multirate, "BLOCK", 10_000)
        whole = joined(those, end, _side_by_side(those))
        monkeypatch.setattr(multirate, "BLOCK", block)
        pieces = joined(those, end, _side_by_side(those))
        for one, other in zip(whole, pieces, strict=True):
            for name, values in vars(one).items():
                assert getattr(other, name) == pytest.approx(values, rel=1e-14, abs=1e-14), name
