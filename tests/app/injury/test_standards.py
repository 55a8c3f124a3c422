"""The limit tables in the studio: what they are worth, which count, and own copies."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices

from ridewright.app.document.document import Document
from ridewright.app.standards.dialog import StandardsDialog, curves_of, directions_of
from ridewright.app.track_editor.limit_bands import choices, load_bands
from ridewright.app.work.assessment import limits_stamp
from ridewright.app.work.problem_finder import LIMITS, find_problems
from ridewright.core.charts.limits import limit_name
from ridewright.core.injury.limit_files import limit_files
from ridewright.core.injury.standards.files import evaluated_ids, load_table
from ridewright.core.outcome.rider_view import existing_tables


@pytest.fixture
def dialog(
    document: Document, qtbot: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> StandardsDialog:
    monkeypatch.setenv("RIDEWRIGHT_LIMITS", str(tmp_path / "limits"))
    made = StandardsDialog(document)
    qtbot.addWidget(made)  # type: ignore[attr-defined]
    made.show()
    return made


def pick(dialog: StandardsDialog, name: str) -> int:
    row = next(k for k, entry in enumerate(dialog.entries) if entry.id == name)
    dialog.table.selectRow(row)
    return row


def test_that_every_table_is_listed_with_its_confidence(dialog: StandardsDialog) -> None:
    assert {entry.id for entry in dialog.entries} == set(limit_files())
    for row, entry in enumerate(dialog.entries):
        assert entry.confidence in dialog.table.item(row, 1).text()


def test_that_no_table_is_shown_as_the_standard_itself(dialog: StandardsDialog) -> None:
    for name in ("astm_f2291", "en13814_gb8408", "en13814_2019"):
        row = pick(dialog, name)
        assert "not confirmed" in dialog.table.item(row, 0).text()
        assert "not confirmed" in dialog.about.text()
        for direction in directions_of(name):
            for curve in curves_of(name, direction):
                assert "transcribed" in curve.title or "not confirmed" in curve.title


def test_that_curves_are_drawn_as_the_table_has_them(dialog: StandardsDialog) -> None:
    pick(dialog, "astm_f2291")
    dialog.direction.setCurrentIndex(dialog.direction.findData("-Gz"))
    dialog._draw()
    assert dialog.chart.chart is not None
    drawn = {one.label: one for one in dialog.chart.chart.curves}
    table = load_table("astm_f2291")
    for curve in (c for c in table.curves if "-Gz" in c.directions):
        one = drawn[limit_name(curve.name)]
        assert {tuple(p) for p in curve.points} <= {*zip(one.x, one.values, strict=True)}


def test_that_a_tick_judges_by_a_table_as_a_step_that_can_be_undone(
    dialog: StandardsDialog, document: Document
) -> None:
    before = document.project.evaluation.standards
    row = pick(dialog, "en13814_2019")
    dialog.table.item(row, 2).setCheckState(Qt.CheckState.Checked)
    assert document.project.evaluation.standards == (*before, "en13814_2019")
    assert "en13814_2019" in document.undo_stack.undoText()
    document.undo_stack.undo()
    assert document.project.evaluation.standards == before
    assert dialog.table.item(row, 2).checkState() == Qt.CheckState.Unchecked


def test_that_a_copy_of_a_table_is_the_users_and_takes_its_place(
    dialog: StandardsDialog, tmp_path: Path, qtbot: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()) or True)
    pick(dialog, "en13814_gb8408")
    qtbot.mouseClick(dialog.copy, Qt.MouseButton.LeftButton)  # type: ignore[attr-defined]
    file = tmp_path / "limits" / "en13814_gb8408.json"
    assert opened == [str(file.parent)]
    assert dialog.chosen is not None
    assert dialog.chosen.user
    assert not dialog.copy.isEnabled()
    data = json.loads(file.read_text(encoding="utf-8"))
    data["curves"][1]["points"][0][1] = 5.5
    data["curves"][1]["points"][1][1] = 5.5
    file.write_text(json.dumps(data), encoding="utf-8")
    assert curves_of("en13814_gb8408", "+Gz")[0].level[0] == 5.5
    assert "user table" in load_table("en13814_gb8408").source


def test_that_the_other_options_are_shown_in_the_inspector(
    dialog: StandardsDialog, document: Document
) -> None:
    dialog.show_options()
    assert document.selection.kind == "scenario"
    assert not dialog.isVisible()


@pytest.mark.parametrize("text", ['{ "kind": ', "[1, 2]", '{"kind": "acceleration limits"}', ""])
def test_that_a_broken_table_of_the_user_is_a_problem_and_nothing_stops(
    text: str, document: Document, qtbot: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Broken before the program starts or while it runs: skipped, named with its file, everything else goes on."""
    folder = tmp_path / "limits"
    folder.mkdir()
    monkeypatch.setenv("RIDEWRIGHT_LIMITS", str(folder))
    (folder / "mine.json").write_text(text, encoding="utf-8")
    (folder / "gone.json").symlink_to(tmp_path / "nowhere")
    assert "mine" not in dict(choices())
    made = StandardsDialog(document)
    qtbot.addWidget(made)  # type: ignore[attr-defined]
    assert "mine" not in {entry.id for entry in made.entries}
    assert limits_stamp()
    found = find_problems(document.project)[LIMITS]
    assert any("mine.json" in problem.text for problem in found)
    chosen = document.project.evaluation.model_copy(update={"standards": ("astm_f2291", "mine", "never_was")})
    kept, gone = existing_tables(chosen)
    assert kept.standards == ("astm_f2291", "mine")
    assert "never_was" in gone[0]
    assert "mine" not in evaluated_ids(kept)
    assert load_bands("mine", "gz", chosen) == ()
    (folder / "mine.json").unlink()
    assert not any("mine.json" in problem.text for problem in find_problems(document.project)[LIMITS])
