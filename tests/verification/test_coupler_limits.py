"""Where couplers have no balance, or none that is unique: free shanks, buckling, slack; and differentiated rates."""

from __future__ import annotations

import math

import numpy as np
import pytest
from test_freight_trains import KB, KR, example, inertial, travel

from ridewright.core.base.errors import InputError
from ridewright.core.edits.couplings import make_train
from ridewright.core.model.couplings.base import EndPose
from ridewright.core.model.couplings.coupler import CarCoupler
from ridewright.core.model.forces.coupler import CouplerEnd, CouplerParts, buckling_push
from ridewright.core.outcome.trains import coupling_findings
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.run.simulate import simulate


def changed(project: Project, ends: dict[str, object] | None = None, **fields: object) -> Project:
    """A train with fields of all its couplings, and of both ends of each, replaced."""
    train = project.train
    assert train is not None

    def one(c: object) -> CarCoupler:
        assert isinstance(c, CarCoupler)
        both = {end: getattr(c, end).model_copy(update=ends or {}) for end in ("end_i", "end_j")}
        return c.model_copy(update={**both, **fields})

    made = train.model_copy(update={"couplings": tuple(one(c) for c in train.couplings)})
    return project.model_copy(update={"train": made})


def lasting(project: Project, duration: float) -> Project:
    scenario = project.scenario.model_copy(update={"duration": duration})
    return project.model_copy(update={"scenario": scenario})


def long_shanks(inertia: bool, **fields: object) -> Project:
    """Ten cars with shanks of 1 m, pushed with 3 MN."""
    base = changed(example("ten_cars", inertia=inertia), {"shank_length": 1.0}, **fields)
    half = 0.5 * (13.976 - 2.0 * 1.289 - 0.204)
    return changed(base, None, point_i=(half, 0.0, -1.85), point_j=(-half, 0.0, -1.85))


FREE = {"shank_stiffness": 0.0, "shank_damping": 0.0}


def test_that_shanks_without_springs_stay_while_nothing_pulls() -> None:
    """Unloaded on level track the angles are anything: they stay where they are, and no step is lost over it."""
    project = lasting(changed(example("freight_curve", inertia=False), FREE), 0.5)
    run = simulate(project)
    assert run.status.complete
    assert np.abs(run.states.internal).max() < 1e-12


@pytest.mark.parametrize("rates", ["equilibrium", "differentiated"])
def test_that_a_pushed_coupler_buckles_where_its_shanks_no_longer_hold(rates: str) -> None:
    """Ten cars with shanks of 1 m: buckling at 2.71 MN, which the first coupling passes; with 0.8 m at 4.09 MN."""
    run = simulate(lasting(long_shanks(inertia=False, rates=rates), 1.0))
    assert run.status.name == "failed"
    assert "Coupling '" in run.status.message
    assert "buckles at t = 0." in run.status.message
    assert "section 'Straight'" in run.status.message
    assert run.status.advice
    pushed = float(run.status.message.partition("pushed with ")[2].partition(" kN")[0])
    bears = float(run.status.message.partition("up to ")[2].partition(" kN")[0])
    assert bears == pytest.approx(2710.0, rel=1e-3)
    assert bears < pushed < 1.01 * bears  # at the first step beyond


def test_that_a_coupler_with_mass_that_stands_straight_beyond_buckling_is_a_finding() -> None:
    project = lasting(long_shanks(inertia=True), 0.3)
    run = simulate(project)
    assert run.status.complete
    assert np.abs(run.channels["coupling/Coupling 9/shank_i"].values).max() < 1e-6
    first = coupling_findings(project, run)[-1]
    assert first.kind == "buckling"
    assert "'Coupling 9' is pushed with up to" in first.message
    assert "more than the 2710 kN at which its shanks buckle" in first.message
    pushed = -run.channels["coupling/Coupling 9/force"].values
    at = int(np.searchsorted(run.sample_time, first.time))
    assert pushed[at - 1] <= 2.71e6 * 1.001 <= pushed[at] * 1.01
    assert coupling_findings(project, simulate(lasting(project, 0.01))) == ()


@pytest.mark.parametrize("slack", [0.0, 0.01])
def test_that_the_push_that_buckles_is_that_at_which_the_energy_loses_its_minimum(slack: float) -> None:
    """Against the energy itself, unequal ends, by differences: knuckle and pins, blocks held."""
    parts = CouplerParts(
        end_i=CouplerEnd(shank_length=0.7, shank_stiffness=2e7),
        end_j=CouplerEnd(shank_length=1.1, shank_stiffness=4e7), knuckle_slack=slack,
    )  # fmt: skip
    most = buckling_push(parts)

    def least(push: float) -> float:
        left = 0.204 - slack - push / 5e8

        def energy(a: float, b: float) -> float:  # pushed against one another along x, the knuckle stiff
            tips = 1.1 * math.sin(b) - 0.7 * math.sin(a)
            length = 0.7 * math.cos(a) + 1.1 * math.cos(b) + math.sqrt(left**2 - tips**2)
            return 0.5 * 2e7 * a * a + 0.5 * 4e7 * b * b + push * length

        h = 1e-3
        first = (energy(h, 0.0) - 2.0 * energy(0.0, 0.0) + energy(-h, 0.0)) / h**2
        second = (energy(0.0, h) - 2.0 * energy(0.0, 0.0) + energy(0.0, -h)) / h**2
        cross = (energy(h, h) - energy(h, -h) - energy(-h, h) + energy(-h, -h)) / (4.0 * h * h)
        return float(np.linalg.eigvalsh([[first, cross], [cross, second]])[0])

    assert least(0.999 * most) > 0.0 > least(1.001 * most)


def test_that_a_start_in_compression_beyond_buckling_is_refused() -> None:
    project = example("two_cars_loaded", inertia=False)
    half = 0.5 * (13.976 - 2.0 * 1.089 - 0.204) + 0.2
    points = {"point_i": (half, 0.0, -1.85), "point_j": (-half, 0.0, -1.85)}
    with pytest.raises(
        InputError, match="Coupling 'Coupling 1' buckles at the start: as drawn it is pushed with"
    ):
        simulate(changed(project, None, **points))


# largest difference (mm) from the coupler with mass when rates are differentiated and loads reduced by virtual work
@pytest.mark.parametrize(
    ("name", "mass", "peak", "apart"),
    [("two_cars_loaded", 93800.0, 8.9913, 0.0197), ("two_cars_empty", 23800.0, 8.1857, 0.0480)],
)
def test_that_differentiated_rates_give_the_paper_s_answer(
    name: str, mass: float, peak: float, apart: float
) -> None:
    run = simulate(changed(example(name, inertia=False, tolerance=1e-7), None, rates="differentiated"))
    z = travel(run)
    assert -z[:, 0].min() == pytest.approx(peak, rel=2e-4)
    few = slice(None, None, 11)
    differs = np.abs(z[few, 0] - inertial(mass, run.states.time[few])[:, 0]).max()
    assert differs == pytest.approx(apart, rel=0.05)


@pytest.mark.parametrize("rates", ["equilibrium", "differentiated"])
@pytest.mark.parametrize("slack", [0.0, 0.02])
def test_that_unequal_ends_keep_momentum(rates: str, slack: float) -> None:
    """Action is reaction: the push alone changes the momentum, through slack and back."""
    project = example("two_cars_loaded", inertia=False)
    train = project.train
    assert train is not None
    c = train.couplings[0]
    assert isinstance(c, CarCoupler)
    soft = c.end_j.model_copy(update={"stiffness": 0.3 * KB, "damping": 1e5})
    made = train.model_copy(
        update={"couplings": (c.model_copy(update={"end_j": soft, "rates": rates, "knuckle_slack": slack}),)}
    )
    run = simulate(lasting(project.model_copy(update={"train": made}), 1.0))
    momentum = 93800.0 * run.states.velocity[:, :, 0].sum(axis=1)
    np.testing.assert_allclose(momentum, 3e5 * run.states.time, atol=1e-10 * momentum[-1])
    assert np.abs(run.energy.residual).max() < 5e-3 * run.energy.kinetic[-1]


def test_that_pulled_in_slack_a_train_starts_car_by_car() -> None:
    """Until its gap is used up the front car stands; each car goes on when all gaps before it are closed."""
    project = changed(example("ten_cars", inertia=False), None, knuckle_slack=0.01)
    run = simulate(lasting(project, 0.6))
    moved = [
        run.states.time[np.argmax(np.abs(run.states.velocity[:, k, 0]) > 1e-3)] for k in range(9, -1, -1)
    ]
    assert moved[0] < 0.01
    assert np.all(np.diff(moved) > 0.01)
    closed = [event.name for event in run.events if event.kind == "gap closed"]
    assert list(dict.fromkeys(closed))[:3] == ["Coupling 9", "Coupling 8", "Coupling 7"]
    first = next(event.time for event in run.events if event.kind == "gap closed")
    assert first == pytest.approx(np.sqrt(2.0 * 0.01 * 93800.0 / 3e6), rel=2e-3)  # 3 MN on the last car alone


def test_that_internal_unknowns_follow_at_second_order() -> None:
    """Against a much finer run: halving a fixed step quarters the error of travel."""
    fine = simulate(lasting(example("two_cars_loaded", inertia=False, fixed_step=1e-5), 0.08))
    errors = []
    for h in (8e-4, 4e-4, 2e-4):
        run = simulate(lasting(example("two_cars_loaded", inertia=False, fixed_step=h), 0.08))
        errors.append(abs(travel(run)[-1, 0] - travel(fine)[-1, 0]))
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert orders == pytest.approx(2.0, abs=0.15)
    assert KR > KB


def railway_cars(name: str, place: Project) -> Project:
    """Two cars of a freight train, coupled as the library has it, on the track of a project."""
    freight = example(name, inertia=False)
    assert freight.train is not None
    car = freight.train.children[0].model_copy(update={"name": "Car", "offset": 0.0})
    return make_train(place, car, 2, 13.976, "e_type_long_shank", "own")


@pytest.mark.parametrize("name", ["two_cars_loaded", "two_cars_empty"])
def test_that_a_train_in_balance_rolls_along_a_level_straight(name: str) -> None:
    """No moment acts at all: what a share of the largest one is, is nothing, and steps went down to 1e-9 s over it."""
    run = simulate(lasting(railway_cars(name, load_example("freight_curve")), 1.0))
    assert run.status.complete, run.status.message
    assert len(run.states.time) < 120  # of 10 ms at most
    np.testing.assert_allclose(run.channels["car/Car 1/speed"].values, 20.0, rtol=1e-9)


def test_that_a_coupler_folds_where_the_tips_of_its_shanks_pass_one_another() -> None:
    """Parallel cars that come nearer, one aside by as much as the knuckle is long; then the second car turned about."""
    coupler = CarCoupler(name="C", body_i="A/Body", body_j="B/Body")
    straight, reach = np.eye(3)[None], 2.0 * (0.289 + 0.8)
    still = np.zeros((1, 4))
    for beyond in (0.204, 0.01, -0.01, -0.3):
        second = EndPose(np.array([[reach + beyond, 0.204, 0.0]]), straight)
        folded = coupler.folded((EndPose(np.zeros((1, 3)), straight), second), still)
        assert folded == pytest.approx(-beyond, abs=1e-12)
    # of the second shank, which has turned by 60 degrees, only half of the knuckle lies along it
    inner = np.array([[0.0, 0.0, 0.0, math.pi / 3.0]])
    tip = np.array([0.8 * 0.5 + 0.289, 0.8 * math.sin(math.pi / 3.0), 0.0])
    second = EndPose(np.array([[0.289 + 0.8 + 0.1, 0.0, 0.0]]) + tip, straight)
    folded = coupler.folded((EndPose(np.zeros((1, 3)), straight), second), inner)
    assert folded == pytest.approx(-0.05, abs=1e-12)


def test_that_cars_too_long_for_a_bend_are_told_that_their_couplers_fold() -> None:
    """Railway cars on a coaster's track, and on a railway's curve."""
    coaster = railway_cars("two_cars_empty", load_example("looping_star"))
    run = simulate(lasting(coaster, 2.0))
    told = [one for one in coupling_findings(coaster, run) if one.kind == "folding"]
    first = next(event for event in run.events if event.kind == "folds")
    assert [one.time for one in told] == [first.time]
    assert told[0].where.path == ("train", "couplings", first.name)
    assert f"'{first.name}' folds at {first.time:.2f} s" in told[0].message
    gentle = railway_cars("two_cars_empty", load_example("freight_curve"))
    assert coupling_findings(gentle, simulate(lasting(gentle, 20.0))) == ()
