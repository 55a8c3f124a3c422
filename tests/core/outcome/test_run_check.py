"""What a run's own numbers say against it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ridewright.core.outcome.accuracy import accuracy
from ridewright.core.outcome.run_check import ENERGY, OPEN, check_run
from ridewright.core.outcome.stress import stress_of
from ridewright.core.outcome.summary import summarise
from ridewright.core.outcome.summary_text import summary_text
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import SolverSettings
from ridewright.core.results.results import Results
from ridewright.core.results.sampler import Sampler
from ridewright.core.run.simulate import simulate

OWN = SolverSettings()
FIXED = SolverSettings(fixed_step=1e-3)
EXPLICIT = SolverSettings(method="rk4", fixed_step=1e-3)


def losing(results: Results, share: float) -> Results:
    """With a ledger that lacks a share of the largest kinetic energy at the end, evenly from the start on."""
    ledger, time = results.energy, results.states.time
    even = share * float(ledger.kinetic.max()) * time / time[-1]
    off = results.energy.residual
    return replace(results, energy=replace(ledger, dissipated=ledger.dissipated - off - even))


@pytest.mark.parametrize("name", ["planar_pendulum", "slider_crank", "frame_helix", "bead_loop"])
def test_that_nothing_speaks_against_runs_of_the_program_s_own_method(name: str) -> None:
    project = load_example(name)
    results = simulate(project)
    assert check_run(results, project.settings) == ()
    assert "doubtful" not in summary_text(summarise(project, results))


def test_that_energy_that_is_lost_is_said_with_where_it_began(make_results: Any) -> None:
    results = make_results()
    assert check_run(losing(results, 0.9 * ENERGY), OWN) == ()
    (finding,) = check_run(losing(results, 4.0 * ENERGY), OWN)
    assert finding.kind == "energy"
    assert (
        finding.message
        == "The numerics lost 240 J until 2.00 s, 4 % of the energy at play; take a smaller tolerance."
    )
    assert finding.time == pytest.approx(0.5, abs=0.05)
    assert finding.s == pytest.approx(5.0 + 11.0 * finding.time)
    (made,) = check_run(losing(results, -4.0 * ENERGY), FIXED)
    assert made.message.startswith("The numerics made 240 J")
    assert made.message.endswith("take a smaller step.")


def test_that_open_joints_and_guides_are_said_with_the_way_out_of_an_explicit_method(
    make_results: Any,
) -> None:
    results = make_results()
    time = results.states.time
    off = replace(results.violations, joints=2.0 * OPEN * time, guides=np.full_like(time, 0.9 * OPEN))
    (finding,) = check_run(replace(results, violations=off), EXPLICIT)
    assert finding.kind == "constraints"
    assert finding.message.startswith(
        "Joints open by 0.0004 (m or rad) at 2.00 s; take a smaller step, another stab"
    )
    assert finding.time == pytest.approx(0.5, abs=0.05)
    worse = replace(off, guides=np.full_like(time, 3.0 * OPEN))
    assert [f.message[:6] for f in check_run(replace(results, violations=worse), EXPLICIT)] == [
        "Joints",
        "Guides",
    ]


def test_that_the_thesis_example_as_printed_is_doubtful_and_says_so_in_the_summary() -> None:
    """ODE45 with Baumgarte's constants of 5 lets the joints of the ellipsoids open by millimetres."""
    project = load_example("ellipsoid_pendulum")
    summary = summarise(project, simulate(project))
    assert {finding.kind for finding in summary.findings} == {"energy", "constraints"}
    text = summary_text(summary)
    assert "doubtful" in text
    assert all(finding.message in text for finding in summary.findings)


def test_that_a_run_of_a_single_instant_has_nothing_to_say(make_results: Any) -> None:
    results = make_results()
    first = replace(results.states, time=results.states.time[:1])
    ledger = replace(results.energy, **{k: v[:1] for k, v in vars(results.energy).items()})
    off = replace(results.violations, **{k: v[:1] for k, v in vars(results.violations).items()})
    assert check_run(replace(results, states=first, energy=ledger, violations=off), OWN) == ()


def test_that_rounding_of_a_system_at_rest_is_no_energy_lost(make_results: Any) -> None:
    results = make_results()
    still = {name: np.zeros_like(values) for name, values in vars(results.energy).items()}
    for size, found in ((0.0, 0), (1e-8, 0), (1e-2, 1)):
        shaken = {**still, "potential": 1e3 + size * np.sin(40.0 * results.states.time)}
        assert len(check_run(replace(results, energy=replace(results.energy, **shaken)), OWN)) == found


def test_that_energy_that_only_passes_through_counts_as_at_play(make_results: Any) -> None:
    """A driven damper: hardly any motion, and 0.5 % of what it takes is missing."""
    results = make_results()
    time = results.states.time
    still = {name: np.zeros_like(time) for name in vars(results.energy)}
    flow = {**still, "driven": 1e4 * time, "dissipated": 0.995e4 * time}
    assert check_run(replace(results, energy=replace(results.energy, **flow)), OWN) == ()
    flow["dissipated"] = 0.9e4 * time
    (finding,) = check_run(replace(results, energy=replace(results.energy, **flow)), OWN)
    assert "10 % of the energy at play" in finding.message


def test_that_a_mechanism_that_is_slow_again_is_judged_by_what_it_has_then() -> None:
    """The four-bar begins with 1.5 J, exchanges 70, and is 5 % off by steps of order 2 when it passes its start; a
    smaller tolerance mends it."""
    project = load_example("four_bar")
    settings = project.settings.model_copy(update={"fourth_order": False})
    project = project.model_copy(update={"settings": settings})
    results = simulate(project)
    start = results.energy.kinetic[0]
    assert np.max(np.abs(results.energy.residual)) < ENERGY * results.energy.kinetic.max()
    (finding,) = check_run(results, project.settings)
    assert finding.kind == "energy"
    assert "% of the kinetic energy there; take a smaller tolerance." in finding.message
    late = results.states.time >= finding.time
    assert np.min(results.energy.kinetic[late]) < 1.2 * start
    better = project.model_copy(update={"settings": project.settings.model_copy(update={"tolerance": 1e-6})})
    assert check_run(simulate(better), better.settings) == ()


def test_that_a_ride_that_begins_with_strained_springs_says_so(make_results: Any) -> None:
    results = make_results()
    converted = float(results.energy.kinetic.max())
    ride = {**results.provenance, "project": {"scenario": {"kind": "ride"}}}
    held = replace(results.energy, elastic=np.full_like(results.states.time, 0.05 * converted))
    (finding,) = check_run(replace(losing(replace(results, energy=held), 0.0), provenance=ride), OWN)
    assert finding.kind == "start"
    assert finding.time == results.states.time[0]
    assert "5 % of the energy at play" in finding.message
    settled = {**ride, "project": {"scenario": {"kind": "ride", "settled": True}}}  # holds what weighs on it
    assert check_run(replace(losing(replace(results, energy=held), 0.0), provenance=settled), OWN) == ()
    rig = {**ride, "project": {"scenario": {"kind": "rig"}}}  # where a spring may be let go
    assert check_run(replace(losing(replace(results, energy=held), 0.0), provenance=rig), OWN) == ()
    little = replace(held, elastic=0.1 * held.elastic)
    assert check_run(replace(losing(replace(results, energy=little), 0.0), provenance=ride), OWN) == ()


def test_that_a_model_that_is_drawn_open_says_where_it_began_instead() -> None:
    project = load_example("planar_pendulum")
    short = project.model_copy(update={"scenario": project.scenario.model_copy(update={"duration": 0.1})})
    top = short.assembly
    (bob,) = top.bodies

    def drawn(out: float) -> tuple[Any, ...]:
        x, y, z = bob.position
        moved = top.model_copy(update={"bodies": (bob.model_copy(update={"position": (x + out, y, z)}),)})
        rig = short.model_copy(update={"scenario": short.scenario.model_copy(update={"assembly": moved})})
        return check_run(simulate(rig), OWN)

    (finding,) = drawn(0.3)
    assert finding.kind == "start"
    assert "drawn open by 0.3" in finding.message
    assert f"'{bob.name}' was moved by" in finding.message
    assert drawn(0.005) == ()


def test_that_the_accuracy_on_demand_is_about_the_error() -> None:
    """Of the double pendulum: a quarter of the difference is the distance to a far more exact run, within a factor,
    with steps of order 2, and more than that with those of order 4."""
    for high in (False, True):
        project = load_example("double_pendulum")
        settings = project.settings.model_copy(update={"fourth_order": high})
        _accuracy_is_the_error(project.model_copy(update={"settings": settings}))


def _accuracy_is_the_error(project: Project) -> None:
    results = simulate(project)
    found = accuracy(project, results)
    assert found is not None
    exact = project.settings.model_copy(update={"tolerance": 1e-10, "max_step": 5e-4})
    reference = simulate(project.model_copy(update={"settings": exact})).states
    there = Sampler(reference, results.states.time)
    off = max(
        float(np.max(np.linalg.norm(there.body(b).position - results.states.position[:, b], axis=1)))
        for b in range(len(results.names.bodies))
    )
    assert off < 1.6 * found.place[0] / 4.0
    assert off > (0.05 if project.settings.fourth_order else 0.4) * found.place[0] / 4.0
    assert found.place[1] in results.names.bodies
    assert f"places differ by up to {found.place[0]:.2g} m" in found.sentence()


def test_that_a_run_with_a_rider_is_judged_alike_whatever_is_to_be_stored() -> None:
    ride = load_example("straight")
    runs = {}
    for rate in (2.0, 1000.0):
        settings = ride.settings.model_copy(update={"sample_rate": rate})
        scenario = ride.scenario.model_copy(update={"duration": 1.5})
        project = ride.model_copy(update={"settings": settings, "scenario": scenario})
        runs[rate] = summarise(project, simulate(project))
    assert runs[2.0].riders == runs[1000.0].riders
    assert runs[2.0].time.sample_rate == pytest.approx(1000.0)
    assert "instead of the 2 Hz of the settings" in summary_text(runs[2.0])
    assert "of the settings" not in summary_text(runs[1000.0])


def test_that_signals_too_slow_for_their_limits_are_found(make_results: Any) -> None:
    results = make_results()
    assert check_run(results, OWN) == ()
    every = slice(None, None, 40)
    thin = {name: replace(one, values=one.values[every]) for name, one in results.channels.items()}
    slow = replace(results, sample_time=results.sample_time[every], channels=thin)
    (found,) = check_run(slow, OWN)
    assert found.kind == "sampling"
    assert "samples a second" in found.message
    machine = {name: one for name, one in thin.items() if not name.startswith("rider/")}
    assert check_run(replace(slow, channels=machine), OWN) == ()


def test_that_the_accuracy_on_demand_has_the_stress_at_hot_spots() -> None:
    """A quarter of the difference is about what a far more exact run has there, and not less than a tenth of it."""
    project = load_example("swing_beam")
    scenario = project.scenario.model_copy(update={"duration": 0.5})
    project = project.model_copy(update={"scenario": scenario})
    results = simulate(project)
    found = accuracy(project, results)
    assert found is not None
    (stress,) = found.stress
    finer = project.settings.model_copy(update={"tolerance": 1e-8})
    here, exact = (
        one.superposition.envelope(one.modal).worst
        for (one,) in (
            stress_of(results),
            stress_of(simulate(project.model_copy(update={"settings": finer}))),
        )
    )
    assert stress.largest == pytest.approx(here.max(), rel=0.1)
    hottest = np.argsort(-here)[:8]
    assert np.abs(here - exact)[hottest].max() < stress.off < 0.02 * here.max()
    assert f"of '{stress.body}' at its hot spots by up to {stress.off / 1e6:.2g} of" in found.sentence()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"rho_infinity": 1.0}, "without numerical damping (rho_infinity 1)"),
        ({"method": "adaptive_radau"}, "of the method adaptive_radau"),
        ({}, ""),
        ({"rho_infinity": 1.0, "fixed_step": 1e-3}, ""),
    ],
)
def test_that_steps_that_do_not_look_at_stress_say_so(
    make_results: Any, settings: dict[str, Any], said: str
) -> None:
    results = make_results()
    bent = replace(results, names=replace(results.names, flexible={"arm": 2}))
    found = check_run(bent, SolverSettings.model_validate(settings))
    assert [one.kind for one in found] == ["stress"] * bool(said)
    assert all(said in one.message for one in found)
    assert check_run(results, SolverSettings.model_validate(settings)) == ()
