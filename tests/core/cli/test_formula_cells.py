"""Whatever a person calls things, no cell of any table that is written is a formula of a spreadsheet."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np

from ridewright.core.base.text_table import FORMULA
from ridewright.core.cli.study import csv_text
from ridewright.core.exchange import export_track
from ridewright.core.project.examples import load_example
from ridewright.core.report.document import (
    Cell,
    Column,
    Entry,
    Facts,
    ReportContent,
    Section,
    Table,
    TitleBlock,
)
from ridewright.core.report.write import report_csv
from ridewright.core.studies.store import Table as Runs
from ridewright.core.studies.study import Level, Parameter, Study
from ridewright.core.track.build import build_track

BAD = '=HYPERLINK("x")'


def cells(text: str) -> list[str]:
    return [cell for row in csv.reader(io.StringIO(text)) for cell in row]


def test_that_no_name_of_a_section_is_a_formula_in_the_profile(tmp_path: Path) -> None:
    track = load_example("straight").track
    named = track.model_copy(update={"sections": (track.sections[0].model_copy(update={"name": BAD}),)})
    export_track(build_track(named), tmp_path / "a.profile.csv")
    found = cells((tmp_path / "a.profile.csv").read_text(encoding="utf-8"))
    assert f"'{BAD}" in found
    assert not [cell for cell in found if FORMULA.match(cell)]


def test_that_no_label_of_a_study_is_a_formula() -> None:
    levels = tuple(Level(label=label) for label in (BAD, "@b"))
    study = Study.model_construct(parameters=(Parameter(name="=a", levels=levels),))
    runs = Runs(study, np.array([0, 1]), np.array([0, 0]), ("", "=c"), np.array([[0.0], [1.0]]), {}, {})
    found = cells(csv_text(runs))
    assert f"'{BAD}" in found
    assert not [cell for cell in found if FORMULA.match(cell)]


def test_that_no_label_or_head_of_the_report_is_a_formula() -> None:
    facts = Facts(id="f", entries=(Entry(label=BAD, cell=Cell(text="=1+1")),))
    table = Table(id="t", title="T", columns=(Column(key=BAD, title=BAD),), rows=((Cell(text="@x"),),))
    content = ReportContent.model_construct(
        title=TitleBlock.model_construct(facts=facts.entries),
        sections=(Section(id="s", title="S", blocks=(facts, table)),),
    )
    found = [cell for text in report_csv(content).values() for cell in cells(text)]
    assert found.count(f"'{BAD}") == 3
    assert not [cell for cell in found if FORMULA.match(cell)]
