"""The Runs panel: runs are renamed and removed where they are listed, and say what they did to riders."""

from __future__ import annotations

import threading

import h5py
import pytest
from mouse_and_keyboard import settle
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QLineEdit

from ridewright.app.document.runs import Run
from ridewright.app.run_panel.panel import RunPanel
from ridewright.app.widgets import dialogs, units
from ridewright.app.work.meanwhile import under_way
from ridewright.app.work.reading import rest_of
from ridewright.core.edits import changes
from ridewright.core.outcome.summary import summarise
from ridewright.core.project.examples import load_example
from ridewright.core.results import file as results_file
from ridewright.core.results.file import write_results
from ridewright.core.run.simulate import simulate


@pytest.fixture(scope="module")
def ridden():
    project = load_example("straight")
    scenario = project.scenario.model_copy(update={"duration": 0.4})
    project = project.model_copy(update={"scenario": scenario})
    return project, simulate(project)


@pytest.fixture
def panel(qtbot, document, runner, settings, ridden):
    project, results = ridden
    document.start_from(project)
    for name in ("Run 1", "Run 2"):
        document.add_run(Run(name, results, project))
    made = RunPanel(document, runner, settings)
    qtbot.addWidget(made)
    made.resize(900, 300)
    made.show()
    qtbot.waitUntil(
        lambda: made.table.rowCount() == 2 and made.table.item(1, 7).text() not in ("", "…"), timeout=20000
    )
    return made


def _rename(qtbot, panel, row, text):
    panel.table.setCurrentCell(row, 0)
    panel.table.setFocus()
    qtbot.keyClick(panel.table, Qt.Key.Key_F2)
    line = panel.table.findChild(QLineEdit)
    line.selectAll()
    qtbot.keyClicks(line, text)
    qtbot.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: panel.table.findChild(QLineEdit) is None, timeout=5000)


def test_that_a_run_is_renamed_where_it_is_listed_and_an_empty_name_changes_nothing(qtbot, document, panel):
    _rename(qtbot, panel, 1, "Softer springs")
    assert [run.name for run in document.runs] == ["Run 1", "Softer springs"]
    assert document.current_run is document.runs[1]
    _rename(qtbot, panel, 1, "  ")
    assert document.runs[1].name == "Softer springs"
    qtbot.waitUntil(lambda: panel.table.item(1, 0).text() == "Softer springs", timeout=5000)


def test_that_a_run_of_an_older_design_is_renamed_without_what_the_list_says_of_it(qtbot, document, panel):
    document.apply("Gravity", changes.changed(document.project, "Project", {"gravity": (0.0, 0.0, -9.8)}))
    qtbot.waitUntil(lambda: panel.table.item(0, 0).text() == "Run 1 (older)", timeout=5000)
    panel.table.setCurrentCell(0, 0)
    panel.table.setFocus()
    qtbot.keyClick(panel.table, Qt.Key.Key_F2)
    line = panel.table.findChild(QLineEdit)
    qtbot.keyClick(line, Qt.Key.Key_Home)
    qtbot.keyClicks(line, "Old ")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: document.runs[0].name == "Old Run 1", timeout=5000)


def test_that_delete_removes_the_run_that_is_picked_and_it_can_be_restored(qtbot, document, panel):
    panel.table.setCurrentCell(0, 0)
    panel.table.setFocus()
    qtbot.keyClick(panel.table, Qt.Key.Key_Delete)
    assert [run.name for run in document.runs] == ["Run 2"]
    document.restore_run()
    assert [run.name for run in document.runs] == ["Run 1", "Run 2"]


def test_that_the_line_of_a_run_in_progress_has_the_width_of_a_narrow_panel(panel):
    panel.resize(330, 520)
    for part in (panel._live_side, panel.bar, panel.stop):
        part.show()
    panel.state.setText("Run 2: 24.6 s of the ride, 39 %, about 13 s left")
    settle()
    assert panel.state.width() > 250
    assert panel.state.height() >= panel.state.heightForWidth(panel.state.width())


def test_that_a_run_says_what_it_did_to_its_riders(panel, ridden):
    text = panel.table.item(0, 7).text()
    project, results = ridden
    summary = summarise(project, results)  # the table says what cover of the report and summary say
    assert text.startswith(summary.verdict)
    assert text.endswith("nearest") or "outside" in text
    assert panel.table.item(0, 4).text() == units.text(summary.speed.largest.value, "m/s")
    # at rest on level track at 10 m/s: one g and nothing sideways
    most, least = (float(v.strip(" g").replace("−", "-")) for v in panel.table.item(0, 5).text().split(","))
    assert most == pytest.approx(1.0, abs=0.06)
    assert least == pytest.approx(1.0, abs=0.12)
    assert float(panel.table.item(0, 6).text().strip(" g")) < 0.1


def test_that_closing_asks_about_runs_that_are_not_saved(studio, short_run, tmp_path, monkeypatch) -> None:
    document, asked = studio.document, []
    monkeypatch.setattr(dialogs, "ask_to_save", lambda _parent, question: asked.append(question) or answer)
    assert studio.files.may_discard()
    assert asked == []
    document.add_run(short_run)
    answer = "cancel"
    assert not studio.close()
    assert asked == ["Save the results of one run of “Looping Star”?"]
    answer = "save"
    monkeypatch.setattr(dialogs, "file_to_save", lambda *_: None)
    assert not studio.files.may_discard()
    file = tmp_path / "run.h5"
    monkeypatch.setattr(dialogs, "file_to_save", lambda *_: file)
    assert studio.files.may_discard()
    assert file.exists()
    asked.clear()
    assert studio.files.may_discard()
    studio.runs.open_results_path(file)
    assert studio.files.may_discard()
    assert asked == []
    for run in document.runs:
        document.drop_run(run)


def test_that_the_window_lives_while_a_run_is_read_and_its_summary_made(
    qtbot, studio, short_run, tmp_path, monkeypatch, unexpected
):
    file = tmp_path / "run.h5"
    write_results(short_run.results, file)
    alive, read = threading.Event(), results_file.open_results

    def slowly(path):
        assert alive.wait(30.0), "The window stood still."
        return read(path)

    monkeypatch.setattr(results_file, "open_results", slowly)
    QTimer.singleShot(20, alive.set)
    _open_whole(qtbot, studio, file)
    assert studio.document.current_run.file == file
    assert not under_way()
    told = []
    monkeypatch.setattr(dialogs, "message", lambda _parent, title, text, **_: told.append((title, text)))
    file.write_bytes(b"no run")
    studio.runs.open_results_path(file)
    assert told == [
        (
            "The results were not opened",
            "run.h5: not a results file, or cut off while it was written or copied.",
        )
    ]
    assert unexpected == []
    for run in studio.document.runs:
        studio.document.drop_run(run)


def _open_whole(qtbot, studio, file):
    """Open a run and wait until all of its file is read."""
    read = []
    rest_of(studio.document).done.connect(read.append)
    studio.runs.open_results_path(file)
    qtbot.waitUntil(lambda: any(one is studio.document.current_run.results for one in read))


def test_that_the_rest_of_a_run_is_read_while_it_is_shown(qtbot, studio, short_run, tmp_path):
    file = tmp_path / "run.h5"
    write_results(short_run.results, file)
    _open_whole(qtbot, studio, file)
    shown = studio.document.current_run.results
    assert not vars(shown.states)["_waiting"]
    assert shown.states.reactions.tobytes() == short_run.results.states.reactions.tobytes()
    file.unlink()
    assert shown.states.spring_force.tobytes() == short_run.results.states.spring_force.tobytes()
    studio.document.drop_run(studio.document.current_run)


def test_that_a_run_whose_file_turns_out_to_be_damaged_is_taken_away_with_a_word(
    qtbot, studio, short_run, tmp_path, unexpected
):
    file = tmp_path / "run.h5"
    write_results(short_run.results, file)
    with h5py.File(file, "r+") as written:  # an array that nothing on screen needs
        written["states/angular_acceleration"].id.write_direct_chunk((0, 0, 0), b"no deflate")
    studio.runs.open_results_path(file)
    qtbot.waitUntil(lambda: studio.document.runs == ())
    told = studio.log_panel.text.toPlainText()
    assert "run.h5: not a results file, or cut off" in told
    assert "The run is taken away again." in told
    assert unexpected == []
