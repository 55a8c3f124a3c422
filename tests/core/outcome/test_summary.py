"""The summary: its figures are those of the signals, worked out by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.injury.evaluate import criterion_ids, evaluate_history
from ridewright.core.injury.history import History
from ridewright.core.outcome.summary import Summary, summarise, write_summary
from ridewright.core.outcome.summary_text import summary_text
from ridewright.core.project.project import load_project
from ridewright.core.results.results import Names

SAMPLES = Path(__file__).parents[1] / "damaged"
RIDE = load_project(SAMPLES / "ride.ridewright")
RIDER = "car 1/rider"


def test_that_speed_and_place_are_those_of_the_car(make_results) -> None:
    """The stand-in car drives v = 12 - 2 t + t^2 at s = 5 + 11 t for two seconds: slowest, 11 m/s, at t = 1."""
    speed = summarise(RIDE, make_results()).speed
    assert speed is not None
    assert (speed.start, speed.end) == (12.0, 12.0)
    assert speed.least.value == pytest.approx(11.0, abs=1e-12)
    assert speed.least.time == pytest.approx(1.0, abs=1e-12)
    assert speed.least.arc_length == pytest.approx(16.0, abs=1e-9)
    assert speed.largest.value == 12.0


def test_that_the_energy_drift_is_the_worst_residual_by_the_initial_kinetic_energy(make_results) -> None:
    """kinetic 5000 + 1000 cos t, potential -1000 cos t, losses 0.75 t: the residual grows to 1.5 J at t = 2."""
    energy = summarise(RIDE, make_results()).energy
    assert energy.residual.value == pytest.approx(1.5, abs=1e-9)
    assert energy.residual.time == 2.0
    assert energy.residual.arc_length == pytest.approx(27.0, abs=1e-9)
    assert energy.reference == pytest.approx(6000.0)
    assert energy.drift == pytest.approx(1.5 / 6000.0, rel=1e-9)
    assert energy.end["dissipated"] == pytest.approx(0.5)


def test_that_a_run_from_rest_is_measured_by_its_largest_kinetic_energy(make_results) -> None:
    results = make_results()
    time = results.states.time
    results = replace(results, energy=replace(results.energy, kinetic=800.0 * np.sin(time) ** 2))
    energy = summarise(RIDE, results).energy
    assert energy.reference_is == "largest kinetic energy"
    assert energy.reference == pytest.approx(800.0, rel=1e-3)
    still = replace(results, energy=replace(results.energy, kinetic=np.zeros_like(time)))
    assert summarise(RIDE, still).energy.drift is None


def test_that_the_worst_violations_carry_their_time(make_results) -> None:
    worst = summarise(RIDE, make_results()).violations
    assert (worst.joints.value, worst.joints.time) == (pytest.approx(2e-9), 2.0)
    assert (worst.guides.value, worst.guides.time) == (pytest.approx(2e-8), 0.0)


def test_that_every_criterion_of_the_head_is_that_of_its_acceleration(make_results) -> None:
    results = make_results()
    head = summarise(RIDE, results).riders[RIDER]["head"]
    assert head.body == "car 1/rider/head"
    history = History(
        time=results.sample_time,
        acceleration=results.channels[f"rider/{RIDER}/head/acceleration"].values,
        rotation_rate=results.channels[f"rider/{RIDER}/head/angular_velocity"].values,
        arc_length=results.channels["car/car 1/arc_length"].values,
    )
    assert head.criteria == evaluate_history(history, criterion_ids(part="head"))
    hic = next(c for c in head.criteria if c.criterion == "hic36")
    assert hic.time is not None
    assert hic.arc_length == pytest.approx(5.0 + 11.0 * 0.5 * sum(hic.time), abs=1e-6)


def test_that_head_criteria_are_not_applied_to_torso_and_pelvis(make_results) -> None:
    parts = summarise(RIDE, make_results()).riders[RIDER]
    found = {part: {c.criterion for c in judged.criteria} for part, judged in parts.items()}
    assert set.union(*found.values()) == set(criterion_ids())
    only = {part: ids - set.union(*(found[p] for p in found if p != part)) for part, ids in found.items()}
    assert {"hic36", "clip_3ms", "nij", "bric", "damage", "peak_rotation_rate_cfc60"} <= only["head"]
    assert {c for c in criterion_ids() if c.startswith(("hic", "clip"))} <= only["head"]
    assert only["upper_torso"] == {c for c in criterion_ids() if c.startswith("chest")}
    assert {"dri", "iso2631_awz", "tilting_nca"} <= only["pelvis"]
    assert not any(c.startswith(("peak_+G", "sustained")) for ids in only.values() for c in ids)


def test_that_a_rider_without_a_signal_is_named_with_the_reason(make_results) -> None:
    results = make_results()
    ghost = Names(
        **{**vars(results.names), "riders": {"car 1/ghost": {"head": "h", "upper_torso": "t", "pelvis": "p"}}}
    )
    part = summarise(RIDE, replace(results, names=ghost)).riders["car 1/ghost"]["head"]
    assert part.criteria == ()
    assert "no acceleration of the head of rider 'car 1/ghost'" in part.note


def test_that_the_file_is_json_that_reads_back_as_the_same_summary(make_results, tmp_path) -> None:
    summary = summarise(RIDE, make_results())
    write_summary(summary, tmp_path / "summary.json")
    text = (tmp_path / "summary.json").read_text(encoding="utf-8")
    data = json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))
    assert (data["format"], data["version"], data["project"]) == ("ridewright-summary", 1, "Small ride")
    assert Summary.model_validate_json(text) == summary


def test_that_a_rig_has_neither_track_nor_speed(make_results) -> None:
    results = make_results()
    channels = {name: c for name, c in results.channels.items() if not name.startswith("car/")}
    summary = summarise(load_project(SAMPLES / "rig.ridewright"), replace(results, channels=channels))
    assert (summary.track, summary.speed) == (None, None)
    assert summary.violations.joints.arc_length is None


def test_that_the_text_shows_the_figures_a_person_looks_for(make_results) -> None:
    summary = summarise(RIDE, make_results())
    text = summary_text(summary)
    for piece in (
        "Small ride: done. the end time was reached",
        "2 bodies, 11 constraint rows, 3 degrees of freedom, roll: spare row",
        "least 11.00 m/s at t = 1.00 s, s = 16.0 m",
        "0.00025 of the initial kinetic energy",
        f"rider {RIDER}",
        "more, further inside their limits",
    ):
        assert piece in text
    worst = min(
        (c for part in summary.riders[RIDER].values() for c in part.criteria if c.margin is not None),
        key=lambda c: c.margin,
    )
    line = next(line for line in text.splitlines() if worst.title[:30] in line)
    assert f"{worst.value:.3g}" in line
    assert worst.verdict in line
    assert max(map(len, text.splitlines())) < 120


@pytest.mark.parametrize("value", [np.nan, np.inf, 1.7e308])
def test_that_results_that_cannot_be_summed_up_are_refused(value: float, make_results) -> None:
    """A damaged file: sums of its energies are no numbers."""
    results = make_results()
    energies = {"elastic": results.energy.elastic.copy(), "driven": results.energy.driven.copy()}
    for sign, values in zip((1.0, -1.0), energies.values(), strict=True):
        values[7] = sign * value if np.isfinite(value) else value
    broken = replace(results, energy=replace(results.energy, **energies))
    if value == 1.7e308:
        broken = replace(
            broken, energy=replace(broken.energy, kinetic=np.full_like(results.energy.kinetic, 1e308))
        )
    with pytest.raises(InputError, match=r"no number \(.*damaged"):
        summarise(RIDE, broken)
