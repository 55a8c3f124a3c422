"""A criterion is one file: that of the developer's page is judged, drawn and printed with no other file changed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from ridewright.core.cli import main
from ridewright.core.injury import criteria
from ridewright.core.injury.criteria import criteria as own_criteria
from ridewright.core.injury.evaluate import criterion_ids, evaluate_history
from ridewright.core.injury.history import History
from ridewright.core.injury.named import criteria_by_id
from ridewright.core.injury.result import GROUPS
from ridewright.core.injury.trace import criterion_trace
from ridewright.core.outcome.rider_view import judge_riders
from tests.one_file import exercise, standing_in
from tests.sources import naming

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "core" / "injury" / "criteria"


@pytest.fixture
def jolt(tmp_path: Path) -> Iterator[None]:
    with standing_in(criteria.__name__, own_criteria, tmp_path, "jolt", exercise("criteria")):
        yield


def _pulse() -> History:
    """At rest, then a load that doubles within 20 ms and stays."""
    time = np.arange(4001) / 2000.0
    up = 1.0 + np.clip((time - 1.0) / 0.02, 0.0, 1.0)
    return History(time, np.column_stack([0.0 * up, 0.0 * up, up]), body="head")


def test_that_a_criterion_of_one_file_is_judged_drawn_and_known_by_its_id(jolt: None) -> None:
    (found,) = evaluate_history(_pulse(), ["jolt"])
    assert found.value == pytest.approx(1.0)
    assert found.verdict == "outside"
    assert found.exceeded[0] == pytest.approx((1.016, 1.104), abs=1e-3)
    drawn = criterion_trace(_pulse(), found)
    assert drawn is not None
    assert (drawn.values.max(), drawn.unit, drawn.limit) == (pytest.approx(1.0), "g", 0.8)
    assert "jolt" in criterion_ids(part="head")
    assert "jolt" not in criterion_ids(part="pelvis")
    assert criteria_by_id()["jolt"].title == "jolt"


def test_that_it_stands_among_the_judgements_of_riders(jolt: None, make_results) -> None:
    rows = [row for row in judge_riders(make_results()).rows if row.result.criterion == "jolt"]
    assert [row.part for row in rows] == ["head"]


def test_that_the_command_line_prints_it(jolt: None, tmp_path: Path, capsys) -> None:
    file, record = tmp_path / "ride.csv", _pulse()
    np.savetxt(
        file,
        np.column_stack([record.time, record.acceleration]),
        delimiter=",",
        header="t (s),ax (g),ay (g),az (g)",
        comments="",
    )
    assert main(["criteria", str(file)]) == 0
    assert [
        line.split()[:4] for line in capsys.readouterr().out.splitlines() if line.startswith("jolt ")
    ] == [["jolt", "1.00", "g", "0.8000"]]


def test_that_it_is_gone_with_its_file() -> None:
    assert "jolt" not in criterion_ids()


def test_that_ids_are_unique_and_groups_known() -> None:
    ids = [ident for criterion in own_criteria() for ident in criterion.ids]
    assert len(ids) == len(set(ids))
    outputs = [output for criterion in own_criteria() for output in criterion.outputs]
    assert {output.group for output in outputs} <= set(GROUPS)
    assert all(output.definition and output.applicability for output in outputs)
    assert {path.stem for path in FOLDER.glob("*.py")} - {"__init__", "base"} == {
        criterion.evaluate.__module__.rpartition(".")[2] for criterion in own_criteria()
    }


def test_that_no_code_outside_the_folder_asks_for_a_criterion_by_its_id() -> None:
    # the hip is a joint too
    ids = {ident for criterion in own_criteria() for ident in criterion.ids} - {"hip"}
    knowing = {}
    for place, tree in naming(ids, {FOLDER}):
        told = {
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        if told & ids:
            knowing[place] = told & ids
    assert knowing == {}
