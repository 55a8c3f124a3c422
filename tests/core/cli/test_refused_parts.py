"""Parts of files that once ended in a fault of the program: each is refused by its name, or used."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from ridewright.core.cli.program import BAD_INPUT, DONE, main
from ridewright.core.injury.standards.table import AfterNegativeRule
from ridewright.core.model.consistency import check_assembly
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project, parse_project, save_project
from ridewright.core.results.file import write_results
from ridewright.core.run.simulate import simulate


def _refused(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(arguments) == BAD_INPUT
    assert words in capsys.readouterr().err


def test_that_a_side_file_without_sections_is_refused(tmp_path: Path, capsys) -> None:
    save_project(load_example("straight"), tmp_path / "p.ridewright")
    assert main(["export-track", str(tmp_path / "p.ridewright"), str(tmp_path / "t.csv")]) == DONE
    (side,) = tmp_path.glob("*sections.json")
    data = json.loads(side.read_text(encoding="utf-8"))
    for sections in ([], [{"name": "a", "start": 5.0}, {"name": "b", "start": 5.0}]):
        side.write_text(json.dumps(data | {"sections": sections}), encoding="utf-8")
        words = "the starts of the sections must rise"
        _refused(["import-track", str(tmp_path / "t.csv"), "--out", str(tmp_path / "o")], words, capsys)


@pytest.mark.parametrize(
    "points", [((-1.0, 5.0), (0.0, 4.0)), ((1.0, 5.0), (0.5, 4.0)), ((0.2, 4.0), (1.0, 5.0)), ((0.2, 0.0),)]
)
def test_that_points_after_negative_load_that_are_no_curve_are_refused_when_read(points: Any) -> None:
    with pytest.raises(ValueError, match="after -Gz"):
        AfterNegativeRule(longer_than=3.0, lasts=6.0, points=points, rule="r")
    assert AfterNegativeRule(longer_than=3.0, lasts=6.0, points=((0.0, 5.0), (2.0, 4.0)), rule="r").curve()


def test_that_results_without_instants_are_answered_or_refused(tmp_path: Path, capsys) -> None:
    file, ride = tmp_path / "r.h5", load_example("straight")
    short = ride.scenario.model_copy(update={"duration": 0.4})
    write_results(simulate(ride.model_copy(update={"scenario": short})), file)
    with h5py.File(file, "r+") as data:
        for group in ("states", "energy", "violations"):
            for name in list(data[group]):
                values, marks = data[group][name][()][:0], dict(data[group][name].attrs)
                del data[group][name]
                data[group].create_dataset(name, data=values).attrs.update(marks)
    assert main(["origin", str(file)]) == DONE
    _refused(["origin", str(file), "--sensitivity"], "keeps no instants", capsys)
    _refused(["report", str(file), "-o", str(tmp_path / "r.pdf")], "keeps no motion", capsys)


def test_that_where_nobody_rides_there_is_no_peak_to_explain(tmp_path: Path, capsys) -> None:
    save_project(load_example("planar_pendulum"), tmp_path / "p.ridewright")
    line = ["simulate", str(tmp_path / "p.ridewright"), "--duration", "0.1", "--out", str(tmp_path / "run")]
    assert main(line) == DONE
    file = str(tmp_path / "run" / "results.h5")
    _refused(["origin", file], "no rider whose loads were judged, and so no peak", capsys)


def _coupled(change: Callable[[dict[str, Any]], None]) -> Project:
    data = load_example("freight_curve").model_dump(mode="json")
    change(data["train"])
    return parse_project(data, "p")


def _bar(train: dict[str, Any], kind: str, **fields: Any) -> None:
    """A bar instead of the coupler, between points that coincide as drawn."""
    old, (ahead, behind) = train["couplings"][0], train["children"]
    half = 0.5 * (behind["offset"] - ahead["offset"])
    made = {"name": "Bar", "kind": kind, "body_i": old["body_i"], "body_j": old["body_j"], **fields}
    train["couplings"] = [made | {"point_i": [half, 0.0, -1.85], "point_j": [-half, 0.0, -1.85]}]


@pytest.mark.parametrize("kind", ["bar", "spring_bar"])
def test_that_a_bar_between_coinciding_points_is_found_and_refused(kind: str, tmp_path: Path, capsys) -> None:
    fields = {"stiffness": 1e7} if kind == "spring_bar" else {}
    project = _coupled(lambda train: _bar(train, kind, **fields))
    assert [one.kind for one in check_assembly(project.train)].count("points coincide") == 1
    save_project(project, tmp_path / "p.ridewright")
    for command in (["modes"], ["simulate", "--out", str(tmp_path / "o")]):
        _refused([*command, str(tmp_path / "p.ridewright")], "Coupling 'Bar': its points coincide", capsys)
    long = _coupled(lambda train: _bar(train, kind, length=2.0, **fields))
    assert "points coincide" not in [one.kind for one in check_assembly(long.train)]


@pytest.mark.parametrize("field", ["shank_length", "rest_length"])
def test_that_no_part_of_a_coupler_is_a_thousand_kilometres_long(field: str, tmp_path: Path, capsys) -> None:
    data = load_example("freight_curve").model_dump(mode="json")
    data["train"]["couplings"][0]["end_i"][field] = 1e6
    (tmp_path / "p.ridewright").write_text(json.dumps(data), encoding="utf-8")
    _refused(["check", str(tmp_path / "p.ridewright")], f"{field}: must be at most 100", capsys)


@pytest.mark.parametrize("name", ["run", "state", "values", "numbers", "names", "words"])
@pytest.mark.parametrize("kind", ["text", "number", "texts", "empty", "deep"])
def test_that_a_store_with_text_for_numbers_is_damaged(name: str, kind: str, tmp_path: Path, capsys) -> None:
    pytest.importorskip("distributed")
    from ridewright.core.studies.one_run import Outcome
    from ridewright.core.studies.store import Row, Store
    from tests.core.studies.conftest import study_of_function

    study = study_of_function("margins", plan={"kind": "monte_carlo", "runs": 3, "seed": 1})
    store = Store.create(tmp_path / "s", study, None)
    with store.writing():
        store.append([Row(k, (0.1 * k, 0.2), Outcome("done", "", {"y": 1.0}, {})) for k in range(3)])
    contents: dict[str, Any] = {
        "text": "x", "number": 3.0, "texts": np.array(["a"] * 3, dtype=object), "empty": np.zeros(0),
        "deep": np.zeros((3, 2, 2)),
    }  # fmt: skip
    (part,) = (tmp_path / "s").glob("part-*")
    with h5py.File(part, "r+") as file:
        del file[name]
        text = h5py.string_dtype() if kind in ("text", "texts") else None
        file.create_dataset(name, data=contents[kind], dtype=text)
    if (name, kind) == ("names", "text"):
        return  # a name it is
    _refused(["study", "show", str(tmp_path / "s")], "is damaged", capsys)
