"""What only the engine can see is wrong: mechanisms that cannot be put together, starts off the track."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ridewright.core.cli import main

HERE = Path(__file__).parents[1] / "damaged"
RIDE = json.loads((HERE / "ride.ridewright").read_text(encoding="utf-8"))
RIG = json.loads((HERE / "rig.ridewright").read_text(encoding="utf-8"))
TO_SLIDER = {"body_i": "bob", "body_j": "slider"}

SETS: dict[str, tuple[str, list[str], str]] = {
    "start behind the track": ("ride", ["scenario.start=-50"], "off the track"),
    "start beyond the track": ("ride", ["scenario.start=500"], "off the track"),
    "no train": ("ride", ["train=null"], "needs a track and a train"),
    "a body a thousand kilometres away": ("ride", ["train.cars.0.bodies.1.position=[1e6,0,0]"], "car 1/roll"),
    "torn hinge": ("rig", ["scenario.assembly.joints.0.point_i=[50,0,0]"], "'pivot'"),
    "crossed hinge axes": ("rig", ["scenario.assembly.joints.0.axis_i=[0,0,1]"], "'pivot'"),
    "crossed slide axes": ("rig", ["scenario.assembly.joints.1.axis_i=[0,0,1]"], "'rail'"),
    "nothing can move": (
        "rig",
        [
            "scenario.assembly.drivers=[]",
            "scenario.assembly.joints.0.locked=true",
            "scenario.assembly.joints.1.locked=true",
        ],
        "no degree of freedom",
    ),
}
JOINTS = {
    "rod that is far too long": ({"name": "rod", "kind": "distance", "length": 1000.0, **TO_SLIDER}, "'rod'"),
    "rod of no length": ({"name": "rod", "kind": "distance", "point_i": [1.4, 0, 0.8], **TO_SLIDER}, "'rod'"),
    "cross with parallel arms": (
        {"name": "cross", "kind": "universal", "axis_i": [1, 0, 0], "axis_j": [1, 0, 0], **TO_SLIDER},
        "'cross'",
    ),
}


def _assert_refused(arguments: list[str], named: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    (line,) = shown.err.splitlines()
    assert line.startswith("ridewright: ")
    assert named in line


@pytest.mark.parametrize("case", sorted(SETS))
def test_that_the_engine_refuses_by_name(case: str, tmp_path: Path, capsys) -> None:
    name, assignments, named = SETS[case]
    file = str(HERE / f"{name}.ridewright")
    _assert_refused(["simulate", file, "--out", str(tmp_path), "--set", *assignments], named, capsys)
    assert not (tmp_path / "results.h5").exists()


@pytest.mark.parametrize("case", sorted(JOINTS))
def test_that_a_joint_that_cannot_be_closed_is_named(case: str, tmp_path: Path, capsys) -> None:
    joint, named = JOINTS[case]
    data = json.loads(json.dumps(RIG))
    data["scenario"]["assembly"]["joints"].append(joint)
    (tmp_path / "p.ridewright").write_text(json.dumps(data))
    _assert_refused(["simulate", str(tmp_path / "p.ridewright"), "--out", str(tmp_path / "o")], named, capsys)


def test_that_a_train_that_does_not_get_up_the_hill_ends_as_stalled(tmp_path: Path, capsys) -> None:
    changes = ["scenario.speed=0.5", "scenario.duration=null"]
    arguments = ["simulate", str(HERE / "ride.ridewright"), "--out", str(tmp_path), "--set", *changes]
    assert main(arguments) == 1
    assert json.loads((tmp_path / "summary.json").read_text())["status"]["name"] == "stalled"
    assert "Start faster" in capsys.readouterr().out


def test_that_the_sound_projects_run(tmp_path: Path, capsys) -> None:
    for name, data in (("ride", RIDE), ("rig", RIG)):
        assert main(["simulate", str(HERE / f"{name}.ridewright"), "--out", str(tmp_path / name)]) == 0
        summary = json.loads((tmp_path / name / "summary.json").read_text())
        assert summary["time"]["end"] == pytest.approx(data["scenario"]["duration"], abs=1e-9)
        assert summary["violations"]["joints"]["value"] < 1e-6
