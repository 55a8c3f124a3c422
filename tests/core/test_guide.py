"""The user guide says what the program does: every command, setting, dataset and summary field is in it."""

from __future__ import annotations

import re
from dataclasses import fields
from importlib import resources
from pathlib import Path

import pytest
from pydantic import BaseModel

from ridewright.core.cli.program import COMMANDS, parser
from ridewright.core.injury.result import CriterionResult
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.drivers import Driver
from ridewright.core.model.forces import TYPES
from ridewright.core.model.guides import Guide
from ridewright.core.model.joints import JointKind
from ridewright.core.outcome import summary
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Ride, SolverSettings
from ridewright.core.results.results import Event, Ledger, ModelSize, States, Violations
from ridewright.core.track.description import SplineSection, StraightSection, TableSection, Track
from ridewright.core.track.elements import KINDS, StartPose
from ridewright.core.track.elements.force import Key

GUIDE = Path(str(resources.files("ridewright.resources"))) / "guide"
README = Path(__file__).parents[2] / "README.md"


def _words(file: Path) -> set[str]:
    """Everything in code type, taken apart at blanks, slashes, commas, dots and quotes."""
    return {
        word
        for code in re.findall(r"`([^`\n]+)`", file.read_text().replace("```", ""))
        for word in re.split(r"[\s/,.:{}\"]+", code)
    }


def _fields(*models: type[BaseModel]) -> set[str]:
    return {name for model in models for name in model.model_fields}


def test_that_every_command_is_in_the_readme() -> None:
    groups = [action for action in parser()._actions if action.dest == "==SUPPRESS==" or action.choices]
    names = {name for action in groups if action.choices for name in action.choices}
    assert len(names) == len(COMMANDS) + 2  # examples.py and mechanisms.py have two each
    assert names <= _words(README)


def test_that_every_link_leads_somewhere() -> None:
    for file in (README, *GUIDE.glob("*.md")):
        for target in re.findall(r"\]\(([^)#]+)\)", file.read_text()):
            assert target.startswith("https://") or (file.parent / target).is_file(), f"{file.name}: {target}"


def test_that_every_solver_setting_is_documented_with_its_default() -> None:
    text = (GUIDE / "simulate.md").read_text()
    assert _fields(SolverSettings) <= _words(GUIDE / "simulate.md")
    defaults = SolverSettings()
    for name in ("tolerance", "rho_infinity", "max_step", "table_step", "sample_rate", "method"):
        (row,) = [line for line in text.splitlines() if line.startswith(f"| `{name}`")]
        shown = row.split("|")[2].replace("`", "").split()[0]
        value = getattr(defaults, name)
        assert shown == value if isinstance(value, str) else float(shown) == value, name


def test_that_every_dataset_is_documented() -> None:
    stored = {e.name for kind in (States, Ledger, Violations, ModelSize, Event) for e in fields(kind)}
    assert stored <= _words(GUIDE / "results-file.md")


@pytest.mark.parametrize(
    ("file", "models"),
    [
        ("summary.md", (summary.Summary, summary.ModelSummary, summary.TimeSummary, summary.SpeedSummary)),
        (
            "summary.md",
            (
                summary.EnergySummary,
                summary.ViolationSummary,
                summary.EventSummary,
                summary.PartSummary,
                CriterionResult,
            ),
        ),
        ("project-file.md", (Project, Ride)),
        ("track.md", (Track, SplineSection, TableSection, StraightSection)),
        ("track.md", (*(kind.model for kind in KINDS.values()), Key, StartPose)),
    ],
)
def test_that_every_field_is_documented(file: str, models: tuple[type[BaseModel], ...]) -> None:
    assert _fields(*models) - {"kind", "name"} <= _words(GUIDE / file)


def test_that_every_kind_of_joint_guide_and_force_is_documented() -> None:
    words = _words(GUIDE / "model.md")
    assert set(JointKind.__args__) <= words
    assert set(Driver.model_fields["coordinate"].annotation.__args__) <= words
    assert set(Guide.model_fields["path"].annotation.__args__) <= words
    assert set(TYPES) <= words
    assert set(Assembly.model_fields) <= words


def test_that_every_kind_of_element_has_its_row() -> None:
    text = (GUIDE / "track.md").read_text()
    for model in (kind.model for kind in KINDS.values()):
        fields_of = set(model.model_fields) - {"kind", "name", "pose", "direction"}
        (row,) = [
            line
            for line in text.splitlines()
            if line.startswith(f"| `{model.model_fields['kind'].default}` |")
        ]
        assert fields_of <= set(re.findall(r"`(\w+)`", row))
