"""Files of every earlier version open, and say what they said (made by tools/earlier_files.py with each release)."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from ridewright.core.exchange import import_track
from ridewright.core.exchange.side_file import side_path
from ridewright.core.outcome.summary import Summary
from ridewright.core.project.project import load_project
from ridewright.core.project.scenario import FORMER_GAPS
from ridewright.core.results.file import read_results
from ridewright.core.studies.study import load_study

EARLIER = Path(__file__).parent / "earlier"
VERSIONS = sorted(path.stem for path in EARLIER.glob("*.zip"))


@pytest.fixture(scope="module", params=VERSIONS)
def files(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the files of a version."""
    folder = tmp_path_factory.mktemp("earlier")
    with zipfile.ZipFile(EARLIER / f"{request.param}.zip") as archive:
        archive.extractall(folder)
    return folder


def _missing(then: Any, now: Any, where: str = "") -> list[str]:
    """Places of an earlier file whose value is another one now, or is not there."""
    if isinstance(then, dict) and isinstance(now, dict):
        return [
            place
            for key, value in then.items()
            for place in (_missing(value, now[key], f"{where}.{key}") if key in now else [f"{where}.{key}"])
        ]
    if isinstance(then, list) and isinstance(now, list | tuple) and len(then) == len(now):
        return [
            place
            for k, (a, b) in enumerate(zip(then, now, strict=True))
            for place in _missing(a, b, f"{where}.{k}")
        ]
    return [] if then == now else [where]


def test_that_there_are_files_of_versions_and_that_a_difference_is_found() -> None:
    assert len(VERSIONS) >= 2
    assert _missing({"a": [1, {"b": 2}]}, {"a": (1, {"b": 3})}) == [".a.1.b"]
    assert _missing({"a": 1, "c": 0}, {"a": 1}) == [".c"]


def test_that_projects_open_with_everything_they_say(files: Path) -> None:
    paths = sorted(files.glob("*.ridewright"))
    assert len(paths) >= 9
    for path in paths:
        then = json.loads(path.read_text(encoding="utf-8"))
        now = load_project(path).model_dump(mode="json", by_alias=True)
        for name, value in FORMER_GAPS.items():  # what once was written unasked is taken for nothing said
            if then["settings"].get(name) == value:
                del then["settings"][name]
        then.pop("version")
        assert _missing(then, now) == [], path.name


def test_that_runs_are_read_as_they_were(files: Path) -> None:
    told_then = json.loads((files / "told.json").read_text(encoding="utf-8"))
    runs = told_then["runs"]
    assert len(runs) == len([*files.glob("*.h5")]) >= 2
    for name, told in runs.items():
        run = read_results(files / name)
        assert run.status.name == told["status"]
        assert list(run.names.bodies) == told["bodies"]
        assert len(run.states.time) == told["instants"]
        assert float(run.states.time[-1]) == told["end"]
        assert run.states.position[-1].tolist() == told["position"]
        assert run.states.velocity[-1].tolist() == told["velocity"]
        assert float(run.energy.residual[-1]) == told["residual"]
        last = {channel: float(one.values.reshape(-1)[-1]) for channel, one in run.channels.items()}
        assert last == told["channels"]
        assert [[event.kind, event.name, event.time] for event in run.events] == told["events"]
        assert run.provenance["version"] == told.get("version", told_then["version"])


def test_that_summaries_tracks_and_studies_open(files: Path) -> None:
    for path in files.glob("*.summary.json"):
        then = json.loads(path.read_text(encoding="utf-8"))
        assert _missing(then, Summary.model_validate(then).model_dump(mode="json")) == [], path.name
    for path in files.glob("*.study.toml"):
        assert load_study(path).parameters
    path = files / "track.csv"
    listed = json.loads(side_path(path).read_text(encoding="utf-8"))["sections"]
    track = import_track(path).track
    assert [section.name for section in track.sections] == [section["name"] for section in listed]
