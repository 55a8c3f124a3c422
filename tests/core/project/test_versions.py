"""Files of version 1, as the last release with it wrote them, open and ride the same; other versions are refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.cli.set_fields import set_fields
from ridewright.core.project.project import Project, load_project, parse_project, save_project
from ridewright.core.run.simulate import simulate

OLD = Path(__file__).parent / "version_1"
# what the release that wrote version 1 made of them: 0.25 s at a fixed step of 1 ms
STATES = json.loads((OLD / "states.json").read_text(encoding="utf-8"))


def _old(name: str) -> dict:
    return json.loads((OLD / f"{name}.ridewright").read_text(encoding="utf-8"))


def _short(project: Project) -> Project:
    scenario = project.scenario.model_copy(update={"duration": 0.25})
    settings = project.settings.model_copy(update={"fixed_step": 1e-3})
    return project.model_copy(update={"scenario": scenario, "settings": settings})


@pytest.mark.parametrize("name", sorted(STATES))
def test_that_a_file_of_version_1_rides_as_it_did(name: str, tmp_path: Path) -> None:
    project = load_project(OLD / f"{name}.ridewright")
    save_project(project, tmp_path / "new.ridewright")
    assert json.loads((tmp_path / "new.ridewright").read_text(encoding="utf-8"))["version"] == 2
    results = simulate(_short(load_project(tmp_path / "new.ridewright")))
    then = STATES[name]
    for axis in ("joints", "guides", "springs"):
        assert list(getattr(results.names, axis)) == then[axis], axis
    assert list(results.names.bodies) == then["names"]
    assert sorted(results.channels) == then["channels"]
    for what in ("position", "orientation", "velocity", "angular_velocity"):
        assert getattr(results.states, what)[-1] == pytest.approx(
            np.array(then[what]), rel=1e-10, abs=1e-12
        ), what


def test_that_cars_and_riders_become_assemblies_with_roles() -> None:
    project = parse_project(_old("train"), "x")
    assert project.train is not None
    assert {path: at.role for path, at in project.train.with_role("train", "car", "rider").items()} == {
        "": "train", "car 1": "car", "car 1/rider": "rider", "car 2": "car",
    }  # fmt: skip
    # a ride of version 1 took no account of them
    assert project.train.children[1].bodies[0].velocity == (0.0, 0.0, 0.0)
    rig = parse_project(_old("rig"), "x")
    assert rig.assembly is not None
    assert rig.assembly.role == "rig"
    assert any(body.angular_velocity != (0.0, 0.0, 0.0) for body in rig.assembly.bodies)


def test_that_the_first_files_went_without_a_version() -> None:
    data = _old("ride")
    with_version = parse_project(data, "x")
    del data["version"]
    assert parse_project(data, "x") == with_version


@pytest.mark.parametrize(
    ("version", "message"),
    [
        (
            3,
            r"x: written by a newer Ridewright \(file version 3, this program reads up to 2\); update the program\.",
        ),
        (0, "x: field 'version' is 0; expected a whole number from 1 to 2."),
        ("two", "x: field 'version' is 'two'; expected a whole number from 1 to 2."),
        (True, "x: field 'version' is True"),
    ],
)
def test_that_other_versions_are_refused(version: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_project({**_old("ride"), "version": version}, "x")


def test_that_a_fault_is_told_with_its_path_in_the_old_file() -> None:
    data = _old("ride")
    data["train"]["cars"][0]["occupants"][0]["bodies"][1]["mass"] = "heavy"
    with pytest.raises(InputError, match=r"x: train\.cars\.0\.occupants\.0\.bodies\.1\.mass: .*'heavy'"):
        parse_project(data, "x")
    data = _old("ride")
    data["train"]["cars"][0]["bodies"][0]["velocity"] = [1.0, "fast", 0.0]
    with pytest.raises(InputError, match=r"x: train\.cars\.0\.bodies\.0\.velocity\.1: .*'fast'"):
        parse_project(data, "x")
    data = _old("ride")
    data["train"]["cars"] = {"0": data["train"]["cars"][0]}
    with pytest.raises(InputError, match=r"x: train\.cars: "):
        parse_project(data, "x")


def test_that_the_names_of_fields_in_old_files_can_still_be_set() -> None:
    project = parse_project(_old("train"), "x")
    old = set_fields(
        project, ["train.cars.1.bodies.0.mass=123.0", "train.cars.0.occupants.0.description=tall"]
    )
    new = ["train.children.1.bodies.0.mass=123.0", "train.children.0.children.0.description=tall"]
    assert old == set_fields(project, new)
    assert old.train is not None
    assert old.train.children[1].bodies[0].mass == 123.0
