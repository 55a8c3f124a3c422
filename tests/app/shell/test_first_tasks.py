"""The seven first tasks of the guide, done by mouse and keyboard, each in as many actions as the guide says."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import resources
from typing import Any

import numpy as np
import pytest
from mouse_and_keyboard import choose, click_row, settle, type_into
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton

from ridewright.app.measured.dialog import MeasuredDialog
from ridewright.app.model_editor.adding import AddButton
from ridewright.app.report.dialog import ReportDialog
from ridewright.app.tools.dialog import ToolDialog
from ridewright.app.tools.export_dialog import ExportDialog
from ridewright.app.train.library_page import LibraryPage
from ridewright.app.widgets import dialogs
from ridewright.core.edits.changes import set_scenario
from ridewright.core.model.own_library import own_cars

LEFT = Qt.MouseButton.LeftButton
MOST = 8


def tasks_of_guide() -> dict[str, list[str]]:
    """The steps of each task."""
    text = (resources.files("ridewright.resources") / "guide" / "first-tasks.md").read_text(encoding="utf-8")
    parts = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    return {part.partition("\n")[0]: re.findall(r"^\d+\. (.*)$", part, re.MULTILINE) for part in parts}


class Person:
    """Does one action after the other and counts them."""

    def __init__(self, studio: Any, qtbot: Any, wait_for_run: Callable[..., None]) -> None:
        self.studio, self.qtbot, self._wait = studio, qtbot, wait_for_run
        self.done = 0

    def does(self, action: Callable[[], object]) -> None:
        action()
        settle()
        self.done += 1

    def chooses(self, *path: str) -> None:
        self.does(lambda: choose(self.studio, *path))

    def runs(self) -> None:
        self.chooses("Run", "Run")
        self._wait(self.studio.runner)

    def opens(self, panel: str) -> None:
        """A click on the tab of a panel."""
        self.does(lambda: self.studio.show_panel(panel))

    def adds(self, button: AddButton, text: str) -> None:
        def add() -> None:
            button.menu().aboutToShow.emit()
            next(a for a in button.menu().actions() if a.text() == text).trigger()

        self.does(add)


def hill(person: Person) -> None:
    studio = person.studio

    def highest() -> float:
        track = studio.document.project.track
        return max(
            point.z for section in track.sections if section.name == "second hill" for point in section.points
        )

    before = highest()
    person.does(lambda: click_row(studio.panels["tree"].tree, "Track", "second hill"))
    person.chooses("Track", "Move, turn, scale or mirror…")
    tool = next(d for d in studio.findChildren(ToolDialog) if d.isVisible())

    def proposed() -> bool:
        return not tool._soon.isActive() and tool.proposal is not None and tool.proposal.project is not None

    def up() -> None:
        line = tool.numbers["z"].line
        QTest.mouseClick(line, LEFT)
        line.selectAll()
        QTest.keyClicks(line, "2")
        QTest.keyClick(line, Qt.Key.Key_Return)

    person.does(up)
    person.qtbot.waitUntil(proposed, timeout=60_000)
    person.does(lambda: QTest.mouseClick(tool.apply_button, LEFT))
    assert highest() == pytest.approx(before + 2.0)


def worst(person: Person) -> None:
    studio = person.studio
    person.runs()
    studio.playback.seek(0.0)
    person.opens("injury")
    injury = studio.panels["injury"]
    person.qtbot.waitUntil(lambda: injury.model.rowCount() > 0, timeout=120_000)
    spot = injury.table.visualRect(injury.model.index(0, 0)).center()
    person.does(lambda: QTest.mouseClick(injury.table.viewport(), LEFT, pos=spot))
    assert studio.playback.time > 0.0
    person.does(lambda: QTest.keyClick(QApplication.focusWidget() or studio, Qt.Key.Key_3))
    assert studio.viewer.camera == "ride"


def compare(person: Person) -> None:
    studio = person.studio
    person.runs()
    person.does(lambda: click_row(studio.panels["tree"].tree, "Scenario"))
    person.does(lambda: type_into(studio.panels["inspector"], "Start speed", "24"))
    person.runs()
    assert len(studio.document.compared) == 1
    person.opens("loads")
    loads = studio.panels["loads"]
    person.qtbot.waitUntil(lambda: loads.grid.complete and bool(loads.grid.panes), timeout=30_000)
    button = next(b for b in loads.findChildren(QToolButton) if b.text() == "Difference")
    person.does(lambda: QTest.mouseClick(button, LEFT))
    assert loads.differing
    assert loads.grid.pane("speed").content.curves[0].values == pytest.approx(-2.0, abs=0.5)
    button.click()


def build(person: Person) -> None:
    studio = person.studio

    def pick() -> None:
        page = QApplication.activeModalWidget()
        assert isinstance(page, LibraryPage)
        item = page.list.item(page.list.count() - 1)
        person.does(lambda: page.list.scrollToItem(item) or page.list.setCurrentItem(item))
        assert item.text() == "Empty car"
        button = page.buttons.button(page.buttons.StandardButton.Ok)
        person.does(lambda: QTest.mouseClick(button, LEFT))

    QTimer.singleShot(200, pick)
    person.chooses("Train", "Add car from library…")
    name = studio.document.project.train.children[-1].name
    person.adds(studio.panels["tree"].add, "Add body")
    person.adds(
        next(b for b in studio.panels["inspector"].findChildren(AddButton) if b.isVisible()), "Add seat"
    )
    person.chooses("Train", "Save car to my library…")
    person.does(lambda: None)  # the title, which the question for it is answered with
    assert [*own_cars()] == ["my/first_car"]
    car = studio.document.project.train.at((name,))
    assert (len(car.bodies), len(car.seats)) == (2, 1)


def measured(person: Person) -> None:
    studio = person.studio

    def confirm() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, MeasuredDialog)
        person.qtbot.waitUntil(dialog.add.isEnabled, timeout=60_000)
        person.does(dialog.accept)

    QTimer.singleShot(300, confirm)
    person.chooses("File", "Open measured ride…")
    person.does(lambda: None)  # the file, which the question for it is answered with
    assert any(run.measured is not None for run in studio.document.runs)
    person.opens("injury")


def export(person: Person) -> None:
    studio = person.studio
    person.chooses("File", "Export track…")
    dialog = studio.findChildren(ExportDialog)[0]
    at = next(k for k in range(dialog.kind.count()) if "NoLimits" in dialog.kind.itemText(k))
    person.does(lambda: dialog.kind.setCurrentIndex(at))
    person.does(lambda: dialog.buttons.accepted.emit())
    person.does(lambda: None)  # the name, which the question for it is answered with
    assert "Written: " in dialog.report.toPlainText()
    dialog.close()


def sign(person: Person) -> None:
    person.runs()

    person.chooses("Results", "Export report…")
    (dialog,) = person.studio.findChildren(ReportDialog)
    dialog.rendered.setChecked(False)  # pictures take their time
    for name in ("author", "checker", "approver"):
        person.does(lambda name=name: QTest.keyClicks(dialog.cover[name], name.capitalize()))
    person.does(lambda: QTest.mouseClick(dialog.make, LEFT))
    person.qtbot.waitUntil(lambda: bool(dialog.written), timeout=180_000)
    assert dialog.written[0].stat().st_size > 50_000
    person.does(lambda: QTest.mouseClick(dialog.close_button, LEFT))


DOERS = {
    "Make a hill higher": hill,
    "Find the worst moment": worst,
    "Compare two runs": compare,
    "Build a car": build,
    "Judge a measured ride": measured,
    "Export for NoLimits": export,
    "Sign a report": sign,
}


def _record(path: Any) -> None:
    """A logger at 100 Hz: at rest, then shaken."""
    time = np.arange(0.0, 14.0, 0.01)
    shake = np.where(time > 3.0, 4.0 * np.sin(1.7 * time) * np.sin(0.31 * time), 0.0)
    table = np.column_stack([time, 0.3 * shake, 0.2 * shake, 9.81 + shake])
    np.savetxt(
        path, table, delimiter=",", header="time (s),ax (m/s2),ay (m/s2),az (m/s2)", comments="", fmt="%.5f"
    )


def test_that_the_guide_tells_seven_first_tasks_in_at_most_eight_steps() -> None:
    steps = tasks_of_guide()
    assert list(steps) == list(DOERS)
    assert all(1 <= len(lines) <= MOST for lines in steps.values())


@pytest.mark.nightly
def test_that_each_first_task_takes_as_many_actions_as_the_guide_says_and_at_most_eight(
    studio, qtbot, wait_for_run, tmp_path, monkeypatch, unexpected
) -> None:
    steps = tasks_of_guide()
    monkeypatch.setenv("RIDEWRIGHT_LIBRARY", str(tmp_path / "mine"))
    record = tmp_path / "logger.csv"
    _record(record)
    monkeypatch.setattr(dialogs, "file_to_open", lambda *_: record)
    monkeypatch.setattr(dialogs, "file_to_save", lambda *_: tmp_path / "track.csv")
    monkeypatch.setattr(dialogs, "ask_text", lambda *_: "First car")
    studio.settings.last_folder = tmp_path
    project = set_scenario(studio.document.project, {"duration": 0.6})
    for title, do in DOERS.items():
        studio.document.start_from(project)
        studio.workspaces.reset_all()  # the guide begins at what the first start shows; a task leads elsewhere
        settle()
        studio.activateWindow()  # there is no manager of windows that would
        qtbot.waitUntil(studio.isActiveWindow, timeout=10_000)
        person = Person(studio, qtbot, wait_for_run)
        do(person)
        assert person.done == len(steps[title]), title
    assert unexpected == []
    studio.document.start_from(project)
    studio.actions_table.by_id["camera_orbit"].trigger()
