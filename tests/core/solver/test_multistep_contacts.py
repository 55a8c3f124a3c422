"""Steps of order 4 among surfaces that touch: between touches, not across them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from ridewright.core.edits.elements import set_element
from ridewright.core.multibody.compile import compile_system
from ridewright.core.multibody.force_kernels import Z_RATE
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.results.results import Results
from ridewright.core.results.sampler import Sampler
from ridewright.core.run.simulate import simulate
from ridewright.core.solver import genalpha, integration, multistep
from ridewright.core.solver.contacts import pairs_of
from ridewright.core.solver.engine import Engine
from ridewright.core.solver.written_step import new_log


def _with(project: Project, **settings: object) -> Project:
    return project.model_copy(update={"settings": project.settings.model_copy(update=settings)})


def _lasting(project: Project, duration: float) -> Project:
    return project.model_copy(update={"scenario": project.scenario.model_copy(update={"duration": duration})})


def _steps(project: Project, duration: float) -> list[tuple[bool, int, tuple[int, ...], bool]]:
    """Of every accepted step whether it was one of order 4, how many instants are known behind it, which pairs touch
    there, and whether it leads on without a deviation."""
    system = compile_system(project)
    engine = Engine.prepare(system, project.settings)
    Y, P, log = engine.memory(), engine.limits(duration), new_log(system, 100)
    rows = [pair.row for pair in pairs_of(system)]
    never, found, code = np.full(len(system.guides), np.inf), [], integration.RUNNING
    while code in (integration.RUNNING, integration.JUMPED):
        Y.counts[integration.LOGGED] = 0
        before = Y.counts[integration.ACCEPTED]
        fourth_asked = Y.counts[integration.FOURTH] == 1
        rejected = Y.counts[integration.REJECTED]
        code = genalpha.advance(system.arrays, engine.work, engine.factor, Y, P, log, never, 0, 1)
        if Y.counts[integration.ACCEPTED] > before:
            fourth = fourth_asked and Y.counts[integration.REJECTED] == rejected
            touching = tuple(np.flatnonzero(Y.el[rows, 0] > 0.0).tolist())
            afresh = bool(Y.counts[integration.AFRESH])
            found.append((bool(fourth), int(Y.past.who[multistep.KNOWN]), touching, afresh))
        if code == integration.JUMPED:
            engine.restart(Y, log)
    return found


def test_that_order_four_is_taken_while_the_same_surfaces_touch_and_ends_where_others_do() -> None:
    steps = _steps(load_example("human_slope"), 1.5)
    resting = [fourth for fourth, _, touching, _ in steps if touching]
    assert sum(resting) > 0.5 * len(resting)
    changed = [now for before, now in pairwise(steps) if before[2] != now[2]]
    assert len(changed) > 10
    assert not any(fourth for fourth, *_ in changed)
    assert all(known == 1 for _, known, *_ in changed)
    since = 0
    for before, (fourth, _, touching, _) in pairwise(steps):
        since = since + 1 if touching == before[2] else 0
        assert not fourth or since >= multistep.KEPT  # four instants behind the touch, the present among them


def test_that_only_an_event_is_left_without_a_deviation() -> None:
    """Otherwise steps, all of them without numerical damping, would ring where bristles slide."""
    steps = _steps(load_example("sliding_block"), 0.1)
    assert all(known == 1 and not fourth for fourth, known, *_ in steps)
    assert not any(afresh for *_, afresh in steps)
    assert any(afresh for *_, afresh in _steps(load_example("ellipsoid_on_slope"), 0.5))


def test_that_a_first_step_leaves_the_deviation_of_the_scheme_behind() -> None:
    """What a contact loses goes on with (am - af) h times its second derivative, as velocities do (see genalpha)."""
    falling = {"position": (0.0, 0.0, 0.1999), "velocity": (0.0, 0.0, -1.0)}
    project = set_element(load_example("bouncing_ball"), "body", ("Ball",), falling)
    system = compile_system(project)
    engine = Engine.prepare(system, project.settings)
    Y, P, log = engine.memory(), engine.limits(0.1), new_log(system, 4)
    before = Y.z[Z_RATE].copy()
    genalpha.advance(system.arrays, engine.work, engine.factor, Y, P, log, np.zeros(0), 0, 1)
    change = (Y.z[Z_RATE] - before).max()
    assert change > 0.01 * before.max() > 0.0
    assert Y.z[integration.Z_DEV].max() == 0.0  # am < af
    assert Y.z[integration.Z_DEV].min() == pytest.approx((P.am - P.af) * change, rel=1e-9)


@pytest.mark.parametrize(
    "changes",
    [
        {"law": "hunt_crossley", "friction": "bristle"},  # slides to the end
        {"law": "spring_dashpot", "friction": "none"},  # jumps where surfaces touch
        {"law": "permanent", "friction": "none"},  # goes another way back
    ],
)
def test_that_contacts_whose_forces_bend_within_are_left_to_order_two(changes: dict[str, object]) -> None:
    project = load_example("sliding_block")
    for name in ("Smoothed contact", "Bristles contact"):
        project = set_element(project, "force", (name,), changes)
    steps = _steps(project, 0.1)
    assert len(steps) > 20
    assert not any(fourth for fourth, _, touching, _ in steps if touching)
    plain = {"law": "hunt_crossley", "friction": "smooth", "slip_speed": 0.1}
    for name in ("Smoothed contact", "Bristles contact"):
        project = set_element(project, "force", (name,), plain)
    assert any(fourth for fourth, _, touching, _ in _steps(project, 0.1) if touching)


def _off(run: Results, exact: Results) -> float:
    """Largest distance (m) of the first body from that of another run."""
    times = np.linspace(0.0, 2.0, 400)
    a, b = (Sampler(one.states, times).body(0).position for one in (run, exact))
    return float(np.abs(a - b).max())


def test_that_bounces_are_as_good_as_by_order_two_at_half_the_cost() -> None:
    """An ellipsoid that tumbles down a slope in four bounces; its flight goes on from the end of each of them."""
    project = _lasting(load_example("ellipsoid_on_slope"), 2.0)
    exact = simulate(_with(project, tolerance=1e-8, fourth_order=False))
    second, fourth = (simulate(_with(project, tolerance=1e-6, fourth_order=high)) for high in (False, True))
    assert _off(fourth, exact) < _off(second, exact) < 2e-5
    assert len(fourth.states.time) < 0.5 * len(second.states.time)


@pytest.mark.parametrize("tolerance", [1e-4, 1e-5])
def test_that_a_ball_that_has_bounced_comes_to_rest(tolerance: float) -> None:
    """On a contact of 264 rad/s and little damping, which the formula of order 4 alone would keep trembling."""
    project = set_element(load_example("bouncing_ball"), "force", ("Contact",), {"restitution": 0.8})
    run = simulate(_with(_lasting(project, 8.0), tolerance=tolerance))
    last = run.states.time > 7.0
    assert np.abs(run.states.acceleration[last, 0, 2]).max() < 1e-6
    assert np.median(np.diff(run.states.time[last])) == pytest.approx(0.01, rel=0.05)


def test_that_what_is_lost_in_contact_is_integrated_in_the_same_order() -> None:
    """A person who falls on a slope and slides: what friction and normal forces take stands in the ledger."""
    friction = {"friction": "smooth", "friction_coefficient": 0.3, "slip_speed": 0.1}
    project = set_element(load_example("human_slope"), "force", ("Contact",), friction)
    runs = [simulate(_with(project, tolerance=1e-6, fourth_order=high)) for high in (False, True)]
    second, fourth = (float(np.abs(run.energy.residual).max()) for run in runs)
    assert runs[1].energy.friction_loss[-1] > 300.0  # J
    assert runs[1].energy.contact_loss[-1] > 300.0
    assert fourth < max(second, 0.02)
    assert len(runs[1].states.time) < 0.6 * len(runs[0].states.time)
