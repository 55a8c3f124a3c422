"""A flip-flop at a flexible body needs a dead band."""

from __future__ import annotations

from typing import Any

import pytest

from ridewright.core.edits.elements import set_element
from ridewright.core.project.examples import load_example
from ridewright.core.project.model_findings import model_findings
from ridewright.core.project.project import Project


def found(project: Project) -> list[str]:
    return [one.message for one in model_findings(project)["rig"] if one.kind == "no dead band"]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, False),
        ({"dead_band": 0.0}, True),
        ({"dead_band": 0.0, "enabled": False}, False),
        ({"dead_band": 0.0, "programme": ({"mode": "speed", "speed": 1.0},)}, False),
    ],
)
def test_that_a_drive_without_a_dead_band_at_a_flexible_body_is_a_finding(
    fields: dict[str, Any], said: bool
) -> None:
    project = set_element(load_example("swing_driven"), "force", ("Swing drive",), fields)
    messages = found(project)
    assert bool(messages) == said
    assert all("'Swing drive'" in text and "'Main beam'" in text for text in messages)


def test_that_a_structure_on_the_ground_says_nothing_of_other_joints_there() -> None:
    """The beam between the ground and the bearing, the motor between the ground and a hub that nothing bends."""
    project = set_element(load_example("swing_driven"), "force", ("Swing drive",), {"dead_band": 0.0})
    ends = ({"node": "top", "body": "ground"}, {"node": "bottom", "body": "Bearing"})
    assert found(set_element(project, "flexible", ("Main beam",), {"interfaces": ends})) == []


def test_that_a_ride_of_rigid_bodies_needs_none() -> None:
    assert found(load_example("frisbee")) == []
