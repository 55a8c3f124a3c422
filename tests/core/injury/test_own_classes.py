"""Classes of restraint after one's own standard: areas of any shape, what classes ask for, files that are wrong."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ridewright.core.base.evaluation import EvaluationOptions
from ridewright.core.cli.program import main
from ridewright.core.injury.criteria.base import Signals
from ridewright.core.injury.evaluate import evaluate_history
from ridewright.core.injury.history import History
from ridewright.core.injury.limit_files import tables_given
from ridewright.core.injury.standards.files import check_own, load_table
from ridewright.core.injury.standards.table import ZoneRule
from ridewright.core.injury.standards.zones import demanded_class, find_class
from ridewright.core.outcome.built_in_classes import by_their_classes, features_of

TABLE: dict[str, Any] = {
    "title": "Classes of restraint", "source": "the standard, fig. 1", "confidence": "low", "reported_by": "a test",
    "kind": "acceleration limits", "short": "Mine", "prefix": "mine",
    "zones": {
        "hold": 0.2, "confidence": "low", "source": "fig. 1", "rule": "fig. 1",
        "zones": [
            {"restraint_class": 3, "boxes": [{"gz": [None, 0.0]}]},
            {"restraint_class": 2, "hold": 0.5, "boxes": [{"corners": [[-9, 0], [9, 0], [9, 0.7], [-9, 0.7]]}]},
            {"restraint_class": 1, "boxes": [{"half_planes": [[0, 1, 0.7]]}]},
        ],
        "classes": [
            {"restraint_class": 1},
            {"restraint_class": 2, "requires": {"individual": False, "adjustable": True}},
            {"restraint_class": 3, "requires": {"individual": True, "locks": 2, "monitored": True}},
        ],
    },
}  # fmt: skip


def rule(**zones: Any) -> ZoneRule:
    return ZoneRule.model_validate({**TABLE["zones"], **zones})


def written(path: Path, **zones: Any) -> Path:
    path.write_text(json.dumps({**TABLE, "zones": {**TABLE["zones"], **zones}}), encoding="utf-8")
    return path


def test_that_areas_may_be_polygons_and_half_planes_and_share_their_edges() -> None:
    """A plane cut into a fan of triangles with corners in general: every point lies in one of them."""
    draws = np.random.default_rng(5)
    angles = np.sort(draws.uniform(0.0, 2.0 * np.pi, 9))
    rim = [(7.0 * float(np.cos(a)), 7.0 * float(np.sin(a))) for a in angles]
    fan = [(0.31, -0.17)] * 9
    triangles = [[fan[k], rim[k], rim[(k + 1) % 9]] for k in range(9)]
    zones = [{"restraint_class": k + 1, "boxes": [{"corners": [*t]}]} for k, t in enumerate(triangles)]
    gx, gz = draws.uniform(-1.0, 1.0, (2, 4000))
    found = demanded_class(rule(zones=zones, classes=()), gx, gz)
    a = np.array([t[0] for t in triangles])
    sides = [np.array([t[k] for t in triangles]) for k in (1, 2)]

    def left_of(p: np.ndarray, q: np.ndarray) -> np.ndarray:
        d = q - p
        return d[:, 0] * (gz[:, None] - p[:, 1]) - d[:, 1] * (gx[:, None] - p[:, 0]) > 0.0

    inside = left_of(a, sides[0]) & left_of(sides[0], sides[1]) & left_of(sides[1], a)
    assert inside.sum(axis=1).max() == 1
    assert found.tolist() == (inside.argmax(axis=1) + 1).tolist()
    halves = [
        {"restraint_class": 2, "boxes": [{"half_planes": [[1.0, 3.5, 0.0], [0.0, -1.0, -0.5]]}]},
        {"restraint_class": 1, "boxes": [{}]},
    ]
    split = demanded_class(rule(zones=halves, classes=()), gx, gz)
    assert split.tolist() == np.where((gx + 3.5 * gz > 0.0) & (gz < 0.5), 2, 1).tolist()
    grid = demanded_class(rule(), np.zeros(4), np.array([0.0, 0.35, 0.7, 0.71]))
    assert grid.tolist() == [3, 2, 2, 1]  # borders belong to one side, as those of boxes


def test_that_a_zone_may_ask_for_a_longer_time_than_the_rule() -> None:
    t = np.arange(0.0, 4.0, 0.01)
    for held, gz, wanted in ((0.3, 0.4, 1), (0.6, 0.4, 2), (0.3, -0.4, 3), (0.15, -0.4, 1)):
        felt = np.column_stack([0.0 * t, 0.0 * t, np.where((t > 1.0) & (t < 1.0 + held), gz, 1.0)])
        signals = Signals(History(t, felt, body="seat"), EvaluationOptions(restraint_class=1))
        found = find_class(rule(), signals, "none")
        assert found.value == wanted
        assert len(found.exceeded) == (wanted > 1)


def test_that_the_class_built_in_is_the_highest_of_which_a_restraint_has_all() -> None:
    lap_bar = {"kind": "lap_bar", "teeth": 24}
    made = rule()
    assert made.built_in(features_of(lap_bar)) == 2
    assert made.built_in(features_of({**lap_bar, "teeth": 1})) == 1
    best = {**lap_bar, "locks": 2, "monitored": True}
    assert made.built_in(features_of(best)) == 3
    assert made.built_in(features_of({**best, "shared": "bar"})) == 2
    third = made.classes[2]
    assert third.lacks(features_of({**lap_bar, "shared": "bar"})) == (
        "a restraint for each rider alone", "2 locks, each enough by itself", "its lock monitored"
    )  # fmt: skip


def test_that_what_the_loads_ask_for_is_held_against_what_the_restraint_has(tmp_path: Path) -> None:
    t = np.arange(0.0, 4.0, 0.01)
    felt = np.column_stack([0.0 * t, 0.0 * t, np.where((t > 1.0) & (t < 2.0), -0.4, 1.0)])
    history = History(t, felt, body="seat")
    options = EvaluationOptions(restraint_class=5)  # after F2291, whose classes are its own
    with tables_given([written(tmp_path / "mine.json")]):
        found = evaluate_history(history, ["f2291_restraint_class", "mine_restraint_class"], options)
        f2291, mine = by_their_classes(found, history, {"teeth": 24}, options)
        assert f2291 == found[0]
        assert (mine.value, mine.limit, mine.verdict) == (3.0, 2.0, "outside")
        assert mine.title.startswith("Mine class of restraint demanded")
        assert (
            "has all of class 2 and lacks of class 3: 2 locks, each enough by itself, its lock monitored"
            in mine.note
        )
        good = by_their_classes(found, history, {"teeth": 24, "locks": 2, "monitored": True}, options)[1]
        assert (good.limit, good.verdict) == (3.0, "inside")
        assert by_their_classes(found, history, None, options) == found
    assert "mine_restraint_class" not in {one.criterion for one in evaluate_history(history)}


def record(path: Path) -> Path:
    t = np.arange(0.0, 8.0, 0.01)
    gz = np.where((t > 3.0) & (t < 5.0), -0.5, 1.0)
    np.savetxt(
        path, np.column_stack([t, 0.0 * t, 0.0 * t, gz]), "%.4f", ",", header="t,ax,ay,az", comments=""
    )
    return path


def test_that_a_file_counts_for_one_call_or_once_added_for_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RIDEWRIGHT_LIMITS", str(tmp_path / "own"))
    ride, mine = record(tmp_path / "ride.csv"), written(tmp_path / "mine.json")

    def judged(*more: str) -> dict[str, Any]:
        assert main(["criteria", str(ride), "--unit", "g", "--json", "--restraint-class", "2", *more]) == 0
        return {one["criterion"]: one for one in json.loads(capsys.readouterr().out)["criteria"]}

    assert judged("--classes", str(mine))["mine_restraint_class"]["verdict"] == "outside"
    assert "mine_restraint_class" not in judged()
    assert main(["limits", "--add", str(mine)]) == 0
    assert "judged by it from now on, as Mine" in capsys.readouterr().out
    assert judged()["mine_restraint_class"]["value"] == 3.0
    assert main(["limits", "--add", str(mine)]) == 2
    assert "exists already" in capsys.readouterr().err
    assert main(["limits", "mine", "--add", str(mine)]) == 2
    assert "--add: takes a file alone" in capsys.readouterr().err


def change(data: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    data = copy.deepcopy(data)
    at: Any = data
    *to, last = path.split(".")
    for part in to:
        at = at[int(part) if part.isdigit() else part]
    at[last] = value
    return data


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("kind", "x", "kind: must be 'acceleration limits'"),
        ("prefix", "f2291", "its prefix 'f2291' is that of the table astm_f2291; choose another"),
        ("zones.hold", 0.0, "zones.hold"),
        ("zones.zones.1.boxes", [{"corners": [[0, 0], [1, 1]]}], "corners: a polygon has three at least"),
        (
            "zones.zones.2.boxes",
            [{"half_planes": [[0, 0, 1]]}],
            "half_planes: (a, b, c) with a and b 0 bounds nothing",
        ),
        ("zones.zones.0.boxes", [{"side": "left"}], "slope: missing"),
        (
            "zones.classes.2.requires",
            {"lox": 2},
            "a class cannot ask for 'lox'; it may ask for devices, individual",
        ),
        ("zones.classes.1.restraint_class", 1, "classes: one is given twice"),
        ("zones.zones", [], "zones.zones"),
    ],
)
def test_that_a_bad_file_is_one_sentence(
    path: str, value: Any, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(change(TABLE, path, value)), encoding="utf-8")
    assert main(["criteria", str(record(tmp_path / "ride.csv")), "--unit", "g", "--classes", str(file)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"ridewright: Limit table {file}")
    assert said in error
    assert error.count("\n") == 1
    assert main(["limits", "--add", str(tmp_path / "mine.toml")]) == 2
    assert "a table is a JSON file" in capsys.readouterr().err


def test_that_the_figure_of_f2291_says_whom_it_is_from_and_what_it_is_not() -> None:
    zones = load_table("astm_f2291").zones
    assert zones is not None
    assert zones.source
    assert "not binding" in zones.remark
    assert zones.classes == ()  # what its classes ask for could not be had from the standard
    with pytest.raises(Exception, match="does not exist"):
        check_own("nothing.json")
