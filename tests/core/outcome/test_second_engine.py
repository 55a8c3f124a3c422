"""What a second engine said, kept in a file and in words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.cross_check.text import cross_check_dict
from ridewright.core.cross_check.where import element_of
from ridewright.core.edits.changes import set_scenario
from ridewright.core.outcome.second_engine import design_hash, quantity_text, read_cross_check, worst_of
from ridewright.core.project.examples import load_example
from tests.second_engine import lower_bar_differs


def test_that_a_check_is_read_as_it_was_written(tmp_path: Path) -> None:
    check = lower_bar_differs()
    file = tmp_path / "cross-check.json"
    file.write_text(json.dumps(cross_check_dict(check)), encoding="utf-8")
    back = read_cross_check(file)
    assert back.agreements == check.agreements
    assert [str(one.message) for one in back.findings] == [str(one.message) for one in check.findings]
    assert not back.agrees
    assert set(worst_of(back)) == {"place", "velocity"}


@pytest.mark.parametrize("text", ["{}", "no json", '{"project": 3}'])
def test_that_another_file_is_refused_in_one_sentence(text: str, tmp_path: Path) -> None:
    file = tmp_path / "other.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"is no cross-check\.json"):
        read_cross_check(file)
    with pytest.raises(InputError, match="cannot be read"):
        read_cross_check(tmp_path / "none.json")


def test_that_a_design_is_the_same_whatever_its_duration_and_another_with_another_mass() -> None:
    project = load_example("double_pendulum")
    top = project.assembly
    assert top is not None
    heavier = (top.bodies[0].model_copy(update={"mass": 9.0}), *top.bodies[1:])
    rig = project.scenario.model_copy(update={"assembly": top.model_copy(update={"bodies": heavier})})
    assert design_hash(set_scenario(project, {"duration": 0.1})) == design_hash(project)
    assert design_hash(project.model_copy(update={"scenario": rig})) != design_hash(project)


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("Car/Rider/Head", ("train", "children", "Car", "children", "Rider", "bodies", "Head")),
        ("peak +Gx, pelvis of Car/Rider", ("train", "children", "Car", "children", "Rider")),
        ("kinetic", ()),
    ],
)
def test_that_an_owner_leads_to_its_element(name: str, path: tuple[str, ...]) -> None:
    assert element_of(name, load_example("straight")).path == path


def test_that_values_in_g_are_said_as_they_are() -> None:
    assert quantity_text(3.2, "g") == "3.2 g"
    assert quantity_text(3.2, "") == "3.2"
