"""Numbers of channels that a study keeps, where a search begins, and the worked studies that come with the program."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.project.examples import load_example
from ridewright.core.studies.one_run import Runner, Signal, _number_of, _within
from ridewright.core.studies.study import Peak, base_project, load_study, parse_study, study_path
from ridewright.core.studies.vary import check_study
from ridewright.core.track.build import build_track
from ridewright.core.track.clearance import self_approaches
from tests.core.studies.conftest import study_of_function

STUDIES = Path(str(resources.files("ridewright.resources"))) / "studies"
TIME = np.linspace(0.3, 5.7, 2001)
WAVE = Signal(TIME, 2.0 * np.sin(1.3 * TIME) + 0.4, 3.0 * TIME)


def number(of: str, **fields: Any) -> float:
    peak = Peak(name="p", channel="c", of=of, **fields)
    return _number_of(WAVE, peak, np.ones(len(TIME), dtype=bool))[""]


def test_that_time_below_and_above_a_level_are_those_of_the_sine_and_make_up_the_whole() -> None:
    # 2 sin(1.3 t) + 0.4 < -0.5 from sin = -0.45 going down to sin = -0.45 going up
    down = (np.pi + np.arcsin(0.45)) / 1.3
    up = (2.0 * np.pi - np.arcsin(0.45)) / 1.3
    assert number("below", level=-0.5) == pytest.approx(up - down, abs=1e-5)
    assert number("below", level=-0.5) + number("above", level=-0.5) == pytest.approx(5.4, abs=1e-12)
    assert number("below", level=-9.0) == 0.0


def test_that_a_level_goes_with_times_and_with_nothing_else() -> None:
    for fields in ({"of": "below"}, {"of": "max", "level": 1.0}):
        with pytest.raises(ValueError, match="level goes with of"):
            Peak(name="p", channel="c", **fields)


def test_that_a_peak_is_sought_in_its_sections_alone() -> None:
    peaks = [
        {"name": "in", "channel": "gy", "of": "absmax", "sections": ["curve 1", "curve 2"]},
        {"name": "rms", "channel": "gy", "of": "rms", "sections": ["camelback"]},
        {"name": "whole", "channel": "gy", "of": "absmax"},
    ]
    data = {"format": "ridewright-study", "name": "s", "project": "example:gatekeeper", "ride": "preview"}
    study = parse_study({**data, "keep": {"criteria": [], "peaks": peaks}}, "s")
    base = load_example("gatekeeper")
    found = Runner(study, base).run(()).numbers
    spans = {section.name: section for section in Runner(study, base)._track(base).sections}
    assert found["in"] < 0.8 * found["whole"]
    assert spans["curve 1"].s0 <= found["in.s"] <= spans["curve 2"].s1
    assert found["rms"] < 0.01 < found["in"]  # the camelback is straight in plan


def test_that_a_section_that_there_is_not_is_refused_by_name() -> None:
    peak = Peak(name="p", channel="gy", sections=("chicane",))
    data = {"format": "ridewright-study", "name": "s", "project": "example:straight"}
    study = parse_study({**data, "keep": {"criteria": [], "peaks": [peak.model_dump()]}}, "s")
    told = Runner(study, load_example("straight")).run(()).message
    assert told == "'p': the track has no section 'chicane'; it has Straight."
    with pytest.raises(InputError, match="there is no track with sections"):
        _within(WAVE, peak, None)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"low": 0.0, "high": 1.0, "start": 1.5}, "the start 1.5 is none of the values"),
        ({"low": -1.0, "high": 0.0, "start": 0.5}, "the start 0.5 is none of the values"),
        ({"values": [1.0, 2.0], "start": 1.5}, "the start 1.5 is none of the values"),
        ({"levels": [{"label": "cold"}], "start": "warm"}, "the start 'warm' is none of the values"),
    ],
)
def test_that_a_start_lies_among_the_values(fields: dict[str, Any], told: str) -> None:
    data = {"format": "ridewright-study", "name": "s", "project": "example:straight"}
    parameter = {"name": "p", **({} if "levels" in fields else {"field": "scenario.speed"}), **fields}
    with pytest.raises(InputError, match=told):
        parse_study({**data, "parameters": [parameter]}, "s")


def test_that_all_parameters_have_a_start_or_none() -> None:
    parts = [{"name": "a", "low": 0.0, "high": 1.0, "start": 0.5}, {"name": "b", "low": 0.0, "high": 1.0}]
    with pytest.raises(InputError, match="parameter 'b' has no start"):
        study_of_function("bowl", parts)


@pytest.mark.parametrize("path", sorted(STUDIES.glob("*.study.toml")), ids=lambda path: path.stem)
def test_that_a_worked_study_can_be_run_and_begins_at_its_base(path: Path) -> None:
    study = load_study(path)
    base = base_project(study, path.parent)
    check_study(study, base)
    if study.optimise is None:  # it compares, and looks for no better design
        return
    assert study.start is not None
    if study.ride != "multibody":
        assert Runner(study, base).run(study.start).state == "done"


def test_that_a_bundled_study_is_found_by_its_name_and_another_refused() -> None:
    assert study_path("example:suspension") == STUDIES / "suspension.study.toml"
    assert study_path("mine.study.toml") == Path("mine.study.toml")
    with pytest.raises(
        InputError, match="no study is called 'example:spring'; there are example:airtime_hill"
    ):
        study_path("example:spring")


def test_that_clearances_are_kept_when_asked_for() -> None:
    data = {
        "format": "ridewright-study", "name": "site", "project": "example:looping_star", "ride": "preview",
        "parameters": [{"name": "ground", "field": "track.site.level", "low": -10.0, "high": 10.0}],
        "keep": {"criteria": [], "clearances": True},
    }  # fmt: skip
    study = parse_study(data, "site")
    base = base_project(study, Path())
    assert base is not None
    assert base.track is not None
    runner = Runner(study, base)
    low, high = (runner.run([level]).numbers for level in (4.0, 5.5))
    assert high["in_ground"] - low["in_ground"] == pytest.approx(1.5, abs=1e-9)
    assert runner.run([-5.0]).numbers["in_ground"] == 0.0
    narrow, wide = base.track.clearance, base.track.clearance.model_copy(update={"half_width": 30.0})
    for clearance in (narrow, wide):
        track = base.track.model_copy(update={"clearance": clearance})
        found = Runner(study, base.model_copy(update={"track": track})).run([0.0]).numbers["own_envelope"]
        assert found == len(self_approaches(build_track(track)))
    assert found > 0
    without = parse_study({**data, "keep": {"criteria": []}}, "site")
    assert "in_ground" not in Runner(without, base).run([0.0]).numbers
    assert "clearances" not in without.model_dump()["keep"]  # studies from before stay the same
