"""The Equilibrium panel: its tables against the program's own solution, in 3D, and after a change of the design."""

from __future__ import annotations

import numpy as np
import pytest
from mouse_and_keyboard import choose, settle
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from ridewright.app.shell.main_window import MainWindow
from ridewright.app.view3d.load_arrows import GROUP
from ridewright.app.widgets import units
from ridewright.core.edits.changes import set_scenario
from ridewright.core.project.examples import load_example
from ridewright.core.run.static_loads import static_loads

LEFT = Qt.MouseButton.LeftButton


def _column(panel, column: int) -> list[str]:
    return [panel.table.item(row, column).text() for row in range(panel.table.rowCount())]


def _pick(panel, title: str) -> None:
    titles = [panel.sheet.itemText(k) for k in range(panel.sheet.count())]
    panel.sheet.setCurrentIndex(next(k for k, text in enumerate(titles) if text.startswith(title)))
    settle()


def test_that_the_equilibrium_is_found_listed_drawn_and_told_to_be_old(qtbot, studio: MainWindow) -> None:
    wanted = static_loads(studio.document.project)
    train = studio.viewer.scene.train
    drawn = train.position.copy()
    choose(studio, "Run", "Find equilibrium")
    panel = studio.panels["equilibrium"]
    qtbot.waitUntil(lambda: panel.table.rowCount() > 0, timeout=120_000)
    assert studio.workspaces.now.id in ("train", "structure")
    offered = [panel.sheet.itemText(k) for k in range(panel.sheet.count())]
    assert offered == [
        "Deflections (24)", "Wheels and guides (4)", "Springs and forces (36)", "Joints (23)", "Seats (1)",
    ]  # fmt: skip
    assert "7.36 kN of weight" in panel.note.text()
    rest = {one.name: one for one in wanted.bodies}
    k = train.poses.index["Car/Carbody"]
    np.testing.assert_allclose(train.position[k] - drawn[k], rest["Car/Carbody"].shift, atol=1e-6)
    assert not studio.viewer.scene.marks.has(GROUP)  # bodies that have moved have no load
    _pick(panel, "Wheels")
    wheels = wanted.of("guide")
    assert _column(panel, 0) == [one.name for one in wheels]
    assert _column(panel, 4) == [units.text(one.parts[2], "N", decimals=0) for one in wheels]
    assert studio.viewer.scene.marks.has(GROUP)
    row = panel.table.visualRect(panel.table.model().index(2, 0)).center()
    QTest.mouseClick(panel.table.viewport(), LEFT, pos=row)
    assert studio.document.selection.kind == "guide"
    assert "/".join(studio.document.selection.path) == wheels[2].name
    studio.settings.units = "US"
    assert _column(panel, 1)[0].endswith("lbf")
    studio.settings.units = "SI"
    QTest.mouseClick(panel.show_3d, LEFT)
    assert np.array_equal(train.position, drawn)
    assert not studio.viewer.scene.marks.has(GROUP)
    QTest.mouseClick(panel.show_3d, LEFT)
    assert studio.viewer.scene.marks.has(GROUP)
    studio.document.apply("Further", set_scenario(studio.document.project, {"start": 12.0}))
    assert "changed since" in panel.note.text()
    studio.workspaces.go("design")
    settle()
    assert not studio.viewer.scene.marks.has(GROUP)


def test_that_numbers_are_sorted_by_their_amount(qtbot, studio: MainWindow) -> None:
    choose(studio, "Run", "Find equilibrium")
    panel = studio.panels["equilibrium"]
    qtbot.waitUntil(lambda: panel.table.rowCount() > 0, timeout=120_000)
    _pick(panel, "Springs")
    found = static_loads(studio.document.project)
    loads = {one.name: abs(one.load) for one in found.of("element")}
    header = panel.table.horizontalHeader()
    at = header.sectionViewportPosition(1) + 10
    for _ in range(2):
        QTest.mouseClick(header.viewport(), LEFT, pos=header.rect().topLeft() + type(header.pos())(at, 8))
        settle()
    shown = [loads[name] if loads[name] > found.resolution else 0.0 for name in _column(panel, 0)]
    assert shown in (sorted(shown), sorted(shown, reverse=True))
    assert shown[0] != shown[-1]


def test_that_trouble_is_told(qtbot, studio: MainWindow) -> None:
    project = load_example("free_body")
    studio.document.start_from(project.model_copy(update={"gravity": (0.0, 0.0, -9.81)}))
    panel = studio.panels["equilibrium"]
    panel.look()
    qtbot.waitUntil(lambda: panel.button.isEnabled(), timeout=120_000)
    assert "does not come to rest" in panel.note.text()
    assert panel.table.rowCount() == 0
    assert not panel.show_3d.isEnabled()


@pytest.mark.parametrize("name", ["two_cars_loaded"])
def test_that_what_holds_the_train_is_said(qtbot, studio: MainWindow, name: str) -> None:
    studio.document.start_from(load_example(name))
    choose(studio, "Run", "Find equilibrium")
    panel = studio.panels["equilibrium"]
    qtbot.waitUntil(lambda: panel.table.rowCount() > 0, timeout=120_000)
    assert "Car 1 held with 300.00 kN backwards along the track" in panel.note.text()
    _pick(panel, "Couplings")
    assert _column(panel, 1) == ["−300.00 kN"]
