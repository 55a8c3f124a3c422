"""The project file: what is read is what was written, and --set reaches every field."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.cli.set_fields import set_fields
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import load_project, parse_project, save_project, schema

SAMPLES = Path(__file__).parents[1] / "damaged"


@pytest.mark.parametrize("name", ["ride", "rig"])
def test_that_a_saved_project_reads_back_as_the_same_value(name: str, tmp_path: Path) -> None:
    project = load_project(SAMPLES / f"{name}.ridewright")
    save_project(project, tmp_path / "copy.ridewright")
    again = load_project(tmp_path / "copy.ridewright")
    assert again == project
    assert again.model_dump() == project.model_dump()


def test_that_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    text = (SAMPLES / "ride.ridewright").read_text(encoding="utf-8")
    (tmp_path / "p.ridewright").write_text(text, encoding="utf-8-sig")
    assert load_project(tmp_path / "p.ridewright").name == "Small ride"


def test_that_the_message_shows_the_path_as_it_stands_in_the_file() -> None:
    data = json.loads((SAMPLES / "rig.ridewright").read_text(encoding="utf-8"))
    data["scenario"]["assembly"]["forces"][0]["components"][0]["times"][1] = "late"
    with pytest.raises(
        InputError, match=r"x: scenario\.assembly\.forces\.0\.components\.0\.times\.1: .*'late'"
    ):
        parse_project(data, "x")


def test_that_a_second_fault_is_counted() -> None:
    data = json.loads((SAMPLES / "rig.ridewright").read_text(encoding="utf-8"))
    data["scenario"]["assembly"]["bodies"][0]["mass"] = -1
    data["name"] = 3
    with pytest.raises(InputError, match=r"\(and 1 more\)\.$"):
        parse_project(data, "x")


def test_that_orientations_are_brought_to_unit_length() -> None:
    data = json.loads((SAMPLES / "ride.ridewright").read_text(encoding="utf-8"))
    data["train"]["children"][0]["seats"][0]["orientation"] = [3.0, 0.0, 4.0, 0.0]
    project = parse_project(data, "x")
    assert project.train is not None
    assert project.train.children[0].seats[0].orientation == pytest.approx((0.6, 0.0, 0.8, 0.0), abs=1e-15)


def test_that_the_schema_describes_the_files_it_is_for() -> None:
    """The fields the schema names and those of a written file are the same, but for what is written where there is
    some only."""
    described = schema()
    written = load_project(SAMPLES / "ride.ridewright").model_dump(mode="json")
    assert set(described["properties"]) - {"load_cases", "steelwork"} == set(written)
    assert described["additionalProperties"] is False
    car = described["$defs"]["Assembly"]["properties"]
    assert set(car) - {"surfaces", "person", "flexibles"} == set(written["train"]["children"][0])


def test_that_a_failed_save_leaves_the_old_file(tmp_path: Path) -> None:
    project = load_project(SAMPLES / "ride.ridewright")
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match="cannot be written"):
        save_project(project, tmp_path / "folder")
    assert [p.name for p in tmp_path.iterdir()] == ["folder"]


def test_that_a_saved_file_can_be_read_by_whoever_may_read_its_folder(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("")
    save_project(load_project(SAMPLES / "ride.ridewright"), tmp_path / "p.ridewright")
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("plain", "p.ridewright")]
    assert modes[0] == modes[1]


def test_that_set_changes_the_field_it_names_and_nothing_else() -> None:
    project = load_project(SAMPLES / "ride.ridewright")
    changed = set_fields(
        project,
        [
            "settings.tolerance=1e-4",  # not in the file: a default
            "scenario.speed = 25",
            "train.cars.0.bodies.1.mass=123.5",
            "name=Fast ride",
            "gravity=[0, 0, -1.62]",
            'settings.path_evaluation="table"',
            "track.sections.1.points.2.cant=null",
        ],
    )
    assert changed.settings.tolerance == 1e-4
    assert changed.scenario.speed == 25  # type: ignore[union-attr]
    assert changed.train is not None
    assert changed.train.children[0].bodies[1].mass == 123.5
    assert changed.name == "Fast ride"
    assert changed.gravity == (0.0, 0.0, -1.62)
    assert changed.settings.path_evaluation == "table"
    back = set_fields(
        changed,
        [
            "settings.tolerance=1e-5",
            "scenario.speed=12",
            "train.cars.0.bodies.1.mass=500",
            "name=Small ride",
            "gravity=[0, 0, -9.81]",
            "settings.path_evaluation=smooth",
            "track.sections.1.points.2.cant=-0.1",
        ],
    )
    assert back == project


@pytest.mark.parametrize(
    ("assignment", "message"),
    [
        ("settings.tolerence=1", "has no field 'tolerence'; it has method, tolerance"),
        ("colour=red", "the project has no field 'colour'"),
        ("train.cars.1.name=x", "train.cars has 1 entries, counted from 0; '1' is none"),
        ("train.cars.-1.name=x", "'-1' is none"),
        ("name.first=x", "name is \"Small ride\" and has no field 'first'"),
        ("settings.tolerance", "expected key=value"),
        ("=3", "expected key=value"),
        ("settings.tolerance=tight", "settings.tolerance: must be a number, found 'tight'"),
        ("settings.tolerance=-1", "settings.tolerance: must be at least 1e-12, found -1"),
        ("settings.tolerance=NaN", "settings.tolerance: must be a finite number"),
        ("scenario.kind=rig", "scenario"),
        ("format=other", "field 'format'"),
    ],
)
def test_that_set_refuses_what_is_no_field_or_no_value(assignment: str, message: str) -> None:
    project = load_project(SAMPLES / "ride.ridewright")
    with pytest.raises(InputError) as caught:
        set_fields(project, [assignment])
    assert message in str(caught.value)


def test_that_a_mechanism_is_made_once_for_a_train_and_anew_for_another() -> None:
    project = load_example("gatekeeper")
    made = project.mechanism
    assert project.model_copy(update={"name": "Other"}).mechanism is made
    lighter = project.train.children[0].bodies[0].model_copy(update={"mass": 123.0})
    first = project.train.children[0]
    first = first.model_copy(update={"bodies": (lighter, *first.bodies[1:])})
    train = project.train.model_copy(update={"children": (first, *project.train.children[1:])})
    other = project.model_copy(update={"train": train}).mechanism
    assert other.children[0].bodies[0].mass == 123.0
    assert project.mechanism is made


def test_that_surfaces_do_not_count_to_the_size_of_a_file_and_what_cannot_be_opened_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, file = load_example("planar_pendulum"), tmp_path / "a.ridewright"
    save_project(project, file)
    size = file.stat().st_size
    text = file.read_text(encoding="utf-8")
    packed = text.replace('"name"', f'"packed": "{"Ab+/" * size}==",\n "name"', 1)
    monkeypatch.setattr("ridewright.core.project.project.MAX_FILE_BYTES", size + 20)
    (tmp_path / "packed.ridewright").write_text(packed, encoding="utf-8")
    with pytest.raises(InputError, match="packed"):  # read, and refused for a field that is none there
        load_project(tmp_path / "packed.ridewright")
    (tmp_path / "long.ridewright").write_text(text.replace("{", "{" + 30 * " ", 1), encoding="utf-8")
    with pytest.raises(InputError, match="this is not a project file"):
        load_project(tmp_path / "long.ridewright")
    long = project.model_copy(update={"notes": project.notes + 30 * "x"})
    with pytest.raises(InputError, match="too large to be opened again"):
        save_project(long, file)
    assert load_project(file) == project
