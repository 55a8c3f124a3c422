"""The window: parts, layout, tour, preferences, problems, messages, drops, closing."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, QRect, Qt, QUrl
from PySide6.QtGui import QDropEvent, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QTabBar, QTableWidget, QTableWidgetItem, QWidget

from ridewright.app.document.document import Document, Problem, Selection
from ridewright.app.document.problem import BUILD
from ridewright.app.shell.about import About
from ridewright.app.shell.application import make_window, offer_recovery, open_first, report_unexpected
from ridewright.app.shell.commands.files import FileCommands
from ridewright.app.shell.guide import GuideWindow, pages
from ridewright.app.shell.log_panel import LogPanel
from ridewright.app.shell.main_window import MainWindow
from ridewright.app.shell.preferences import Preferences
from ridewright.app.shell.problems import ProblemsPanel, where_text
from ridewright.app.widgets import dialogs, theme, units
from ridewright.app.widgets.settings import Settings
from ridewright.app.work import threads
from ridewright.app.work.problem_finder import MODEL, TRACK, element_selection, find_problems
from ridewright.app.work.variations import VariationsDialog, parse_values
from ridewright.core.base.errors import InputError
from ridewright.core.edits.points import move_points, set_points
from ridewright.core.model.consistency import check_assembly
from ridewright.core.project.examples import list_examples, load_example
from ridewright.core.project.project import save_project
from tests.app.settling import until_exposed


def test_that_the_first_start_shows_the_looping_star_to_be_designed(studio: MainWindow) -> None:
    assert studio.document.project.name == "Looping Star"
    assert studio.windowTitle().startswith("Looping Star")
    assert studio.workspaces.now.id == "design"
    here = studio.workspaces.now.panels
    for name, dock in studio.docks.items():
        assert dock.widget() is not None
        assert dock.toggleViewAction().isChecked() is (name in here)
        assert studio.workspaces.home_of(name) is not None
    assert studio.viewer.isVisible()
    assert studio.strip.isVisible()


def test_that_every_panel_floats_and_comes_back(qtbot, studio: MainWindow) -> None:
    for name, dock in studio.docks.items():
        studio.show_panel(name)
        title = dock.titleBarWidget()
        if studio.tabifiedDockWidgets(dock):  # the tab says the name; its menu has what the title has
            qtbot.waitUntil(lambda title=title: title.height() == 0, timeout=2000)
            studio.tabs.menu_for(dock).actions()[0].trigger()
        else:
            QTest.mouseClick(title.float, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(dock.isFloating, timeout=2000)
        qtbot.waitUntil(dock.isVisible, timeout=2000)
        qtbot.waitUntil(lambda title=title: title.float.isVisible() and title.height() > 10, timeout=2000)
        QTest.mouseClick(dock.titleBarWidget().float, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda dock=dock: not dock.isFloating(), timeout=2000)
    picture = studio.viewer.picture()
    assert not picture.isNull()


@pytest.mark.new_window
def test_that_a_double_click_on_a_tab_takes_its_panel_out(qtbot, studio: MainWindow) -> None:
    (bar,) = (
        bar
        for bar in studio.findChildren(QTabBar)
        if bar.parent() is studio and bar.isVisible() and bar.count() > 2
    )
    k = next(k for k in range(bar.count()) if bar.tabText(k) == "Plan")
    studio.show_panel("plan")
    QTest.mouseDClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(k).center())
    qtbot.waitUntil(studio.docks["plan"].isFloating, timeout=2000)


def test_that_a_closed_panel_comes_back_by_menu_and_reset(qtbot, studio: MainWindow) -> None:
    dock = studio.docks["problems"]
    studio.show_panel("problems")
    studio.tabs.menu_for(dock).actions()[1].trigger()
    assert not dock.toggleViewAction().isChecked()
    dock.toggleViewAction().trigger()
    assert dock.toggleViewAction().isChecked()
    dock.setFloating(True)
    studio.docks["plan"].close()
    studio.reset_layout()
    assert not dock.isFloating()
    assert studio.docks["plan"].toggleViewAction().isChecked()


def test_that_the_layout_is_remembered(qtbot, qapp: QApplication, settings: Settings) -> None:
    first, _ = make_window(settings)
    first.show()
    until_exposed(qtbot, first)
    first.docks["tree"].close()
    first.docks["plan"].setFloating(True)
    first.close()
    first.deleteLater()
    second, _ = make_window(settings)
    second.show()
    until_exposed(qtbot, second)
    assert not second.docks["tree"].toggleViewAction().isChecked()
    assert second.docks["plan"].isFloating()
    second.close()
    second.deleteLater()


def test_that_theme_and_units_change_at_once_everywhere(qtbot, studio: MainWindow) -> None:
    studio.settings.theme = "light"
    assert theme.current().name == "light"
    assert studio.log_panel.palette().window().color().name() == theme.LIGHT.panel
    studio.settings.units = "US"
    assert units.current() == "US"
    studio.settings.units, studio.settings.theme = "SI", "dark"
    assert studio.log_panel.palette().window().color().name() == theme.DARK.panel


def test_that_the_tour_has_five_steps_and_can_be_walked_by_keyboard(qtbot, studio: MainWindow) -> None:
    studio.settings.tour_seen = False
    studio.start_tour()
    tour = studio.tour
    assert tour is not None
    seen = []
    for number in range(5):
        assert tour.step == number
        seen.append(tour.title.text())
        assert studio.rect().contains(tour.card.geometry())
        QTest.keyClick(tour.next, Qt.Key.Key_Space)
    assert len(set(seen)) == 5
    assert studio.tour is None
    assert studio.settings.tour_seen


def test_that_the_frame_of_the_tour_follows_what_it_is_about(qtbot, studio: MainWindow) -> None:
    studio.start_tour()
    tour = studio.tour
    assert tour is not None

    def framed(target: QWidget) -> bool:
        area = QRect(target.mapTo(studio, QPoint()), target.size())
        return not studio.sizes.waiting and tour.ring.geometry() == area.adjusted(-2, -2, 2, 2).intersected(
            studio.rect()
        )

    before = studio.viewer.size()
    studio.workspaces.go("judge")  # a view of another size
    qtbot.waitUntil(lambda: framed(studio.viewer), timeout=10_000)
    assert studio.viewer.size() != before
    for _ in range(3):
        QTest.mouseClick(tour.next, Qt.MouseButton.LeftButton)
    injury = studio.docks["injury"]
    qtbot.waitUntil(lambda: framed(injury), timeout=10_000)
    wide = injury.width()
    studio.resizeDocks([injury], [wide - 120], Qt.Orientation.Horizontal)
    qtbot.waitUntil(lambda: injury.width() < wide and framed(injury), timeout=10_000)
    studio.workspaces.go("design")  # without it
    qtbot.waitUntil(lambda: not tour.ring.isVisible(), timeout=10_000)
    tour.end()


def test_that_the_tour_can_be_dismissed_at_once(studio: MainWindow) -> None:
    studio.settings.tour_seen = False
    studio.start_tour()
    assert studio.tour is not None
    QTest.mouseClick(studio.tour.skip, Qt.MouseButton.LeftButton)
    assert studio.tour is None
    assert studio.settings.tour_seen


def test_that_preferences_apply_at_once(qtbot, studio: MainWindow) -> None:
    dialog = Preferences(studio.settings, studio)
    dialog.show()
    dialog.theme.setCurrentIndex(1)
    assert theme.current().name == "light"
    dialog.units.setCurrentIndex(1)
    assert studio.settings.units == "US"
    dialog.recovery.setValue(9.5)
    assert studio.settings.recovery_seconds == 9.5
    dialog.units.setCurrentIndex(0)
    dialog.theme.setCurrentIndex(0)
    dialog.close()
    dialog.deleteLater()


def test_that_about_and_guide_have_something_to_say(qtbot, studio: MainWindow) -> None:
    asked: list[str] = []
    about = About(studio, lambda: asked.append("licences"))
    texts = " ".join(label.text() for label in about.findChildren(QLabel))
    assert "Ridewright" in texts
    assert "numpy" in texts
    about.licences.click()
    assert asked == ["licences"]
    assert "licences" in {page.stem for page in pages()}
    about.deleteLater()
    guide = GuideWindow(studio)
    for row in range(len(pages())):
        guide.contents.setCurrentRow(row)
        assert len(guide.text.toPlainText()) > 200
    guide.deleteLater()


def test_that_the_problems_panel_goes_to_what_is_clicked(
    qtbot, document: Document, playback, settings: Settings
) -> None:
    panel = ProblemsPanel(document, playback, settings)
    qtbot.addWidget(panel)
    panel.show()
    assert panel.empty.isVisible()
    where = Selection("points", ("loop",), (3,))
    document.set_problems("test", [Problem("warning", "Too tight.", where, 123.4, "test")])
    assert panel.table.isVisible()
    cells = [panel.table.item(0, k).text() for k in range(5)]
    assert cells == ["Too tight.", "", "loop, point 4", "123.40 m", "test"]
    with qtbot.waitSignal(panel.activated) as gone:
        place = panel.table.visualItemRect(panel.table.item(0, 0)).center()
        QTest.mouseClick(panel.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert gone.args[0].where == where


def test_that_sentences_of_problems_are_whole_in_a_narrow_panel(
    document: Document, playback, settings: Settings, qtbot
) -> None:
    panel = ProblemsPanel(document, playback, settings)
    qtbot.addWidget(panel)
    panel.resize(340, 300)
    panel.show()
    said = "At 200 m the run is 0.07 m/s slower than the preview, which is more than the losses explain."
    document.set_problems("test", [Problem("warning", said, Selection("place", s=200.0), 200.0, "test")])
    table = panel.table
    lines = table.fontMetrics().boundingRect(
        0, 0, table.columnWidth(0) - 40, 1000, Qt.TextFlag.TextWordWrap, said
    )
    assert table.columnWidth(0) <= table.viewport().width()
    assert table.rowHeight(0) >= lines.height() > table.fontMetrics().height()
    panel.resize(900, 300)
    assert not table.isColumnHidden(3)
    assert table.rowHeight(0) == table.verticalHeader().defaultSectionSize()


@pytest.mark.parametrize("name", list_examples())
def test_that_every_finding_about_an_example_leads_somewhere(name: str) -> None:
    project = load_example(name)
    document = Document()
    document.start_from(project)
    for problems in find_problems(project).values():
        for problem in problems:
            assert problem.text.endswith(".")
            if problem.where is not None:
                document.select(problem.where)
                assert document.selection == problem.where


def test_that_a_spoilt_track_and_model_are_found() -> None:
    project = load_example("looping_star")
    document = Document()
    document.start_from(project)
    assert document.built() is not None
    assert not document.problems
    dented = move_points(project, "curve 3", [10], (0.0, 0.0, 0.8))
    assert any(p.where is not None and p.where.kind == "points" for p in find_problems(dented)[TRACK])
    climb = project.track.sections[1].points
    same = set_points(project, "climb", [1], {"x": climb[0].x, "y": climb[0].y, "z": climb[0].z})
    document.apply("Same", same)
    assert document.built() is None
    (problem,) = (p for p in document.problems if p.source == BUILD)
    assert problem.severity == "error"
    assert problem.where == Selection("points", ("climb",), (0,))  # the one its sentence names
    assert problem.s == pytest.approx(document.last_good.sections[1].s0, abs=1.0)
    car = project.train.children[0]
    body = car.bodies[0].model_copy(update={"inertia": (1.0, 1.0, 5.0)})
    odd = car.model_copy(update={"bodies": (body, *car.bodies[1:])})
    assert any(f.kind == "inertia" for f in check_assembly(odd))
    train = project.train.model_copy(update={"children": (odd,)})
    assert element_selection(train, f"Car/{body.name}") == Selection("body", ("Car", body.name))
    found = find_problems(project.model_copy(update={"train": train}))[MODEL]
    assert Selection("body", ("Car", body.name)) in [p.where for p in found]


def test_that_the_finder_follows_the_document(qtbot, studio: MainWindow) -> None:
    document = studio.document
    climb = document.project.track.sections[1].points
    same = set_points(document.project, "climb", [1], {"x": climb[0].x, "y": climb[0].y, "z": climb[0].z})
    document.apply("Spoil", same)
    qtbot.waitUntil(lambda: any(p.severity == "error" for p in document.problems), timeout=10_000)
    assert "1 error" in studio.status.problems.text()
    document.undo_stack.undo()
    qtbot.waitUntil(lambda: not any(p.severity == "error" for p in document.problems), timeout=10_000)


def test_that_places_are_told_in_words(studio: MainWindow) -> None:
    assert where_text(Selection("body", ("Car", "Rider", "Head"))) == "Car › Rider › Head"
    assert where_text(Selection("points", ("loop",), (2, 3, 4))) == "loop, 3 points"
    assert where_text(Selection("joint", ("Hinge",))) == "Hinge"
    assert where_text(None) == ""
    studio.document.select(Selection("place", s=3.0))
    assert studio.status.selected.text() == "Track at 3.00 m, station"


def test_that_the_status_line_calls_the_train_what_the_tree_calls_it(studio: MainWindow) -> None:
    train = studio.document.project.train
    assert train is not None
    named = train.model_copy(update={"name": "Blue train"})
    studio.document.apply("Rename", studio.document.project.model_copy(update={"train": named}))
    studio.document.select(Selection("assembly", ()))
    assert studio.status.selected.text() == "Blue train"


def test_that_the_log_filters_by_level(qtbot, settings: Settings) -> None:
    log = LogPanel()
    qtbot.addWidget(log)
    log.add("all is well")
    log.add("careful <now>", "warning")
    log.add("broken", "error")
    assert "all is well" in log.text.toPlainText()
    assert "careful <now>" in log.text.toPlainText()
    log.filter.setCurrentIndex(2)
    assert "careful" not in log.text.toPlainText()
    assert "broken" in log.text.toPlainText()
    log.filter.setCurrentIndex(0)
    assert "all is well" in log.text.toPlainText()


def test_that_a_broken_file_is_refused_with_the_reason(
    studio: MainWindow, unexpected: list[str], tmp_path: Path
) -> None:
    before = studio.document.project
    file = tmp_path / "broken.ridewright"
    file.write_text('{"format": "ridewright", "version": 1, "name": "x", "track": {"name": 3}}')
    studio.settings.add_recent(file)
    studio.files.open_path(file)
    (told,) = unexpected
    assert "broken.ridewright" in told
    assert "track" in told
    assert studio.document.project is before
    assert file not in studio.settings.recent_files
    assert "broken.ridewright" in studio.log_panel.text.toPlainText()


def test_that_a_dropped_file_is_opened(qtbot, studio: MainWindow, tmp_path: Path) -> None:
    file = tmp_path / "dropped.ridewright"
    save_project(load_example("straight"), file)
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(file))])
    drop = QDropEvent(
        QPointF(400, 300),
        Qt.DropAction.CopyAction,
        mime,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    studio.dropEvent(drop)
    qtbot.waitUntil(lambda: studio.document.path == file, timeout=5000)
    assert studio.document.project.name == load_example("straight").name
    assert studio.settings.recent_files[0] == file


@pytest.mark.parametrize(
    ("answer", "closed", "saved"), [("cancel", False, False), ("discard", True, False), ("save", True, True)]
)
def test_that_closing_with_unsaved_work_asks(
    qtbot,
    settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    answer: str,
    closed: bool,
    saved: bool,
) -> None:
    window, _ = make_window(settings)
    window.show()
    file = tmp_path / "mine.ridewright"
    document = window.document
    document.apply("Move", move_points(document.project, "climb", [5], (0.0, 0.0, 1.0)))
    monkeypatch.setattr(dialogs, "ask_to_save", lambda *_: answer)
    monkeypatch.setattr(dialogs, "file_to_save", lambda *_: file)
    window.close()
    assert window.isVisible() is not closed
    assert file.exists() is saved
    monkeypatch.setattr(dialogs, "ask_to_save", lambda *_: "discard")
    window.close()
    window.deleteLater()


def test_that_saving_nowhere_keeps_the_work_open(studio: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    document = studio.document
    document.apply("Move", move_points(document.project, "climb", [5], (0.0, 0.0, 1.0)))
    monkeypatch.setattr(dialogs, "ask_to_save", lambda *_: "save")
    monkeypatch.setattr(dialogs, "file_to_save", lambda *_: None)
    files: FileCommands = studio.files
    assert not files.may_discard()


def test_that_a_folder_that_cannot_be_written_is_told(
    studio: MainWindow, unexpected: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("a file is no folder")
    monkeypatch.setattr(dialogs, "file_to_save", lambda *_: tmp_path / "file" / "x.ridewright")
    studio.files.save_as()
    assert len(unexpected) == 1
    assert "not saved" in unexpected[0]
    assert studio.document.path is None


def test_that_the_file_named_at_the_start_is_opened(
    qapp: QApplication, settings: Settings, tmp_path: Path
) -> None:
    file = tmp_path / "a.ridewright"
    save_project(load_example("straight"), file)
    document = Document()
    assert open_first(document, settings, file) == ""
    assert document.path == file
    fault = open_first(document, settings, tmp_path / "none.ridewright")
    assert "none.ridewright" in fault
    assert document.project.name == "Looping Star"
    settings.start_with = "last"
    open_first(document, settings, None)
    assert document.path == file


def test_that_recovered_work_is_offered_and_taken_up(
    qtbot, studio: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = studio.document
    document.apply("Move", move_points(document.project, "climb", [5], (0.0, 0.0, 1.0)))
    moved = document.project
    studio.recovery.write()
    # the same content under the name of a session that is no more
    dead = studio.recovery.file.with_name("1-dead.recovery")
    dead.write_bytes(studio.recovery.file.read_bytes())
    document.undo_stack.undo()
    asked: list[str] = []
    monkeypatch.setattr(dialogs, "ask", lambda _parent, title, *_: asked.append(title) or True)
    offer_recovery(studio)
    assert asked == ["Get back unsaved work on “Looping Star”?"]
    assert document.project == moved
    assert document.is_modified
    assert not dead.exists()


def test_that_an_unexpected_error_is_told_and_the_work_kept(studio: MainWindow, caplog, capsys) -> None:
    document = studio.document
    document.apply("Move", move_points(document.project, "climb", [5], (0.0, 0.0, 1.0)))
    hook = report_unexpected(studio)
    try:
        raise KeyError("lost")
    except KeyError as error:
        hook(KeyError, error, error.__traceback__)
    assert "KeyError" in studio.log_panel.text.toPlainText()
    assert "lost" in caplog.text
    assert "Traceback" in capsys.readouterr().err
    assert studio.recovery.file.exists()


def test_that_variations_make_one_job_for_each_value(qtbot, studio: MainWindow) -> None:
    dialog = VariationsDialog(studio.document.project, studio)
    dialog.values.setText("24; 26, 28")
    dialog.accept()
    jobs = dialog.jobs()
    assert [job.project.scenario.speed for job in jobs] == [24.0, 26.0, 28.0]
    assert jobs[0].name == "Start speed 24 m/s"
    dialog.values.setText("24 fast")
    dialog.accept()
    assert "fast" in dialog.fault.text()
    dialog.values.setText("1e9")
    dialog.accept()
    assert dialog.fault.text()
    dialog.deleteLater()
    with pytest.raises(InputError):
        parse_values("  ")
    assert parse_values("24,26,28") == (24.0, 26.0, 28.0)
    with pytest.raises(InputError, match="one number or two"):
        parse_values("24,5 26")  # a decimal comma would give runs nobody asked for


def test_that_single_keys_belong_to_the_table_that_is_typed_into(qtbot, studio: MainWindow) -> None:
    table = QTableWidget(1, 1, studio)
    table.show()
    table.setFocus()
    qtbot.waitUntil(table.hasFocus, timeout=2000)

    def is_kept(key: Qt.Key, text: str) -> bool:
        event = QKeyEvent(QEvent.Type.ShortcutOverride, key, Qt.KeyboardModifier.NoModifier, text)
        event.ignore()
        QApplication.sendEvent(table, event)
        return event.isAccepted()

    assert is_kept(Qt.Key.Key_3, "3")
    table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
    assert not is_kept(Qt.Key.Key_3, "3")
    assert not is_kept(Qt.Key.Key_Space, " ")  # plays
    item = QTableWidgetItem("x")
    item.setCheckState(Qt.CheckState.Checked)
    table.setItem(0, 0, item)
    table.setCurrentItem(item)
    assert is_kept(Qt.Key.Key_Space, " ")  # the box under the cursor of the keyboard
    table.deleteLater()


@pytest.mark.usefixtures("no_window")
def test_that_closing_during_a_run_is_safe(qtbot, settings: Settings) -> None:
    window, _ = make_window(settings)
    window.show()
    with qtbot.waitSignal(window.runner.progressed, timeout=180_000):
        window.actions_table.by_id["run"].trigger()
    window.close()
    assert not window.isVisible()
    assert threads.running() == ()
    window.deleteLater()
