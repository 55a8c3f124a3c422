"""Import and export in their windows: options, what was found, the report, refusals in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from mouse_and_keyboard import LEFT, choose, settle
from PySide6.QtCore import QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from ridewright.app.shell.main_window import MainWindow
from ridewright.app.tools.export_dialog import ExportDialog
from ridewright.app.tools.import_dialog import ImportDialog
from ridewright.app.work.problem_finder import TRACK, find_problems
from ridewright.core.edits.elements_track import difference
from ridewright.core.edits.importing import project_of_import
from ridewright.core.exchange import import_track, readers, writers
from ridewright.core.track.build import build_track

KEX = Path(__file__).parents[3] / "resources" / "examples" / "kex"


def exporter(studio: MainWindow) -> ExportDialog:
    choose(studio, "File", "Export track…")
    return studio.findChildren(ExportDialog)[0]


@pytest.mark.parametrize("number", range(len(writers())))
def test_that_every_format_is_written_and_reported(studio: MainWindow, tmp_path: Path, number: int) -> None:
    dialog = exporter(studio)
    dialog.kind.setCurrentIndex(number)
    assert dialog.holds.text() == writers()[number].holds
    dialog.write(tmp_path / f"track{dialog.chosen.extensions[0]}")
    text = dialog.report.toPlainText()
    assert "Written:" in text
    files = [
        Path(line.removeprefix("Written: ")) for line in text.splitlines() if line.startswith("Written: ")
    ]
    assert files
    assert all(file.stat().st_size > 100 for file in files)
    dialog.close()


def test_that_an_exported_track_comes_back_by_import(
    studio: MainWindow, tmp_path: Path, unexpected: list[str]
) -> None:
    before = studio.document.project.track
    assert before is not None
    dialog = exporter(studio)
    dialog.kind.setCurrentIndex([f.id for f in writers()].index("nl2"))
    file = tmp_path / "there.csv"
    dialog.write(file)
    dialog.close()

    project = studio.document.project
    framed: list[bool] = []
    studio.document.revealed.connect(lambda: framed.append(studio.document.selection.kind == "none"))

    def accept() -> None:
        shown = QApplication.activeModalWidget()
        assert isinstance(shown, ImportDialog)
        assert f"{len(before.sections)} sections" in shown.about.text()
        assert shown.way.currentText() == "A new project"  # what is open is not touched unless one says so
        shown.way.setCurrentIndex(1)
        shown.take_button.click()

    QTimer.singleShot(100, accept)
    studio.files.take(file)
    settle()
    document = studio.document
    after = document.project.track
    assert after is not None
    assert document.undo_stack.undoText() == "Import track there.csv"
    assert build_track(after).length == pytest.approx(build_track(before).length, abs=0.05)
    assert document.project.train == project.train
    assert document.project.scenario.start == project.scenario.start
    assert document.project.point_ride == project.point_ride
    assert document.project.notes.startswith(project.notes)
    assert "Imported from there.csv." in document.project.notes
    assert framed == [True]
    assert unexpected == []


def test_that_an_import_is_a_new_project_unless_one_says_otherwise(
    studio: MainWindow, unexpected: list[str]
) -> None:
    def accept() -> None:
        shown = QApplication.activeModalWidget()
        assert isinstance(shown, ImportDialog)
        QTest.mouseClick(shown.take_button, LEFT)

    QTimer.singleShot(100, accept)
    studio.files.take(KEX / "shuttle.kex")
    settle()
    project = studio.document.project
    assert studio.document.undo_stack.count() == 0
    assert (project.name, project.train) == ("shuttle", None)
    assert project.notes.startswith("Imported from shuttle.kex.\nKexEdit project")
    assert project.scenario.speed == project.point_ride.speed  # run and preview start as the file says
    assert unexpected == []


def test_that_a_finding_about_rows_offers_control_points(studio: MainWindow) -> None:
    found = import_track(KEX / "veloci2.kex")
    project = project_of_import(found, "veloci2.kex")
    problems = [p for p in find_problems(project)[TRACK] if "curvature" in p.text]
    fix = problems[0].fix
    assert fix is not None
    assert fix.label == "Convert geometric 1 to control points"
    mended = fix.edit(project)
    assert mended.track.sections[0].kind == "spline"
    apart, _ = difference(build_track(project.track), build_track(mended.track))
    assert apart < 0.11
    assert any(
        p.fix is not None and p.fix.label == "Smooth geometric 1" for p in find_problems(mended)[TRACK]
    )


def test_that_a_bad_file_is_refused_naming_row_and_column_and_nothing_changes(
    studio: MainWindow, tmp_path: Path
) -> None:
    file = tmp_path / "bad.csv"
    rows = "\n".join(f"{k};0;0;0;1;0;0;0;1;0;1;0;0" for k in range(8))
    file.write_text(rows + "\n9;0;zero;0;1;0;0;0;1;0;1;0;0\n")
    dialog = ImportDialog(file, studio)
    dialog.kind.setCurrentIndex([f.id for f in readers()].index("nl2"))
    assert dialog.found is None
    assert not dialog.take_button.isEnabled()
    assert "bad.csv" in dialog.about.text()
    assert "9" in dialog.about.text()
    dialog.close()
    assert studio.document.undo_stack.count() == 0


def test_that_a_spacing_out_of_range_is_told(studio: MainWindow, tmp_path: Path) -> None:
    dialog = exporter(studio)
    dialog._given(1e-6)
    dialog.write(tmp_path / "x.csv")
    assert "spacing" in dialog.report.toPlainText()
    assert not (tmp_path / "x.csv").exists()
    dialog.close()
