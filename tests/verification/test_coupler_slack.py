"""Free play, end stops and wedges of massless couplers: steps end where they begin and end, and the order is kept."""

from __future__ import annotations

import numpy as np
import pytest
from test_coupler_limits import changed, lasting
from test_freight_trains import KB, example, travel

from ridewright.core.model.couplings.coupler import CarCoupler
from ridewright.core.project.project import Project
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate

PUSH, MASS = 3e5, 93800.0
CLOSED = 2.0 * np.sqrt(0.01 * MASS / PUSH)  # s, when the push on the last car has used up 20 mm

# fields of both ends, and of the coupling
PLAY: dict[str, tuple[dict[str, object], dict[str, object]]] = {
    "knuckle": ({}, {"knuckle_slack": 0.02}),
    "both gears": ({"slack": 0.01}, {}),
}


def pushed(play: str, duration: float, **settings: object) -> Project:
    """Two loaded cars with 20 mm of play, the last one pushed."""
    inertia, rates = bool(settings.pop("inertia", False)), settings.pop("rates", "equilibrium")
    ends, fields = PLAY[play]
    base = example("two_cars_loaded", inertia=inertia, **settings)
    return lasting(changed(base, ends or None, rates=rates, **fields), duration)


def gap_closed(run: Results) -> list[float]:
    return [event.time for event in run.events if event.kind == "gap closed"]


@pytest.mark.parametrize("rates", ["equilibrium", "differentiated"])
@pytest.mark.parametrize("play", PLAY)
def test_that_a_step_ends_where_play_is_used_up(play: str, rates: str) -> None:
    """At an instant of the run, not between two of them; and told as it."""
    run = simulate(pushed(play, 0.2, rates=rates))
    assert run.status.complete
    closed = gap_closed(run)[-1]
    assert closed == pytest.approx(CLOSED, abs=1e-5)
    k = int(np.argmin(np.abs(run.states.time - closed)))
    assert abs(run.states.time[k] - closed) < 5e-6
    assert np.median(np.diff(run.states.time)) > 2e-4  # not by chance
    # 6 kJ are put in; before it nothing is lost, however steeply that begins
    assert np.abs(run.energy.residual).max() < 1.0


def test_that_no_more_than_a_few_steps_are_taken_for_it() -> None:
    """At even steps: what borders add to them, through take-up and release."""
    for play in PLAY:
        run = simulate(pushed(play, 0.3, fixed_step=8e-4))
        assert run.status.complete
        assert len(run.states.time) - 1 <= 375 + 8


@pytest.mark.parametrize("play", PLAY)
def test_that_the_order_is_kept_through_play(play: str) -> None:
    fine = simulate(pushed(play, 0.3, fixed_step=5e-5))
    assert fine.status.complete
    errors = []
    for h in (1.6e-3, 4e-4):
        run = simulate(pushed(play, 0.3, fixed_step=h))
        place = run.states.position[-1, :, 0] - fine.states.position[-1, :, 0]
        errors.append((np.abs(place).max(), np.abs(travel(run)[-1] - travel(fine)[-1]).max()))
    orders = 0.5 * np.log2(np.array(errors[0]) / np.array(errors[1]))
    assert np.all(orders > 1.8)


def test_that_play_of_massless_blocks_is_that_of_blocks_with_mass() -> None:
    """Both gears with free play: nothing holds the blocks between them, and nothing pulls."""
    light, heavy = (simulate(pushed("both gears", 0.3, inertia=inertia)) for inertia in (False, True))
    assert light.status.complete
    before = light.states.time < CLOSED - 1e-3
    # loads within rounding: the front car stands
    assert np.abs(light.states.velocity[before, 0, 0] - light.states.velocity[0, 0, 0]).max() < 1e-9
    assert travel(light)[-1] == pytest.approx(travel(heavy)[-1], abs=0.05)  # mm of 17.7
    assert light.energy.dissipated[-1] == pytest.approx(heavy.energy.dissipated[-1], rel=0.01)


@pytest.mark.parametrize("method", ["rk4", "adaptive_adams"])
def test_that_other_methods_end_steps_there_too(method: str) -> None:
    settings = {"method": method, "rates": "differentiated"}
    run = simulate(pushed("both gears", 0.3, **settings))
    own = simulate(pushed("both gears", 0.3, rates="differentiated", tolerance=1e-7))
    assert run.status.complete
    assert gap_closed(run)[-1] == pytest.approx(CLOSED, abs=1e-4)
    assert travel(run)[-1] == pytest.approx(travel(own)[-1], abs=2e-3)


def test_that_a_plastic_take_up_loses_the_energy_of_the_difference() -> None:
    """Free cars, one coming up 0.5 m/s faster: overdamped gears take mu v^2 / 2 but little, momentum stays."""
    project = pushed("knuckle", 1.5)
    train = project.train
    assert train is not None
    (coupling,) = train.couplings
    assert isinstance(coupling, CarCoupler)
    damped = {"damping": 8e6, "stiffness": KB}
    ends = {end: getattr(coupling, end).model_copy(update=damped) for end in ("end_i", "end_j")}
    cars = list(train.children)
    last = cars[1].bodies[0].model_copy(update={"velocity": (0.5, 0.0, 0.0)})
    cars[1] = cars[1].model_copy(update={"bodies": (last,), "forces": ()})
    made = {"children": tuple(cars), "couplings": (coupling.model_copy(update=ends),), "forces": ()}
    run = simulate(project.model_copy(update={"train": train.model_copy(update=made)}))
    speeds = run.states.velocity[:, :, 0]
    before, after = np.diff(speeds[0])[0], np.diff(speeds[-1])[0]
    assert abs(before) == pytest.approx(0.5, abs=1e-9)
    assert abs(after) < 0.1 * abs(before)
    momentum = MASS * speeds.sum(axis=1)
    assert np.ptp(momentum) < 1e-10 * MASS * 0.5
    lost = run.energy.dissipated[-1] - run.energy.dissipated[0]
    assert lost == pytest.approx(0.25 * MASS * before**2, rel=0.02)
