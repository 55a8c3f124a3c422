"""The hills of a height field are shown and hidden in the menu of the view, and the choice is remembered."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from ridewright.app.document.document import Document
from ridewright.app.document.playback import Playback
from ridewright.app.elements.section_marks import HILLS, TUNNELS, SectionMarks
from ridewright.app.view3d.panel import ViewerPanel
from ridewright.app.view3d.show_menu import OVER
from ridewright.app.widgets.settings import Settings
from ridewright.core.edits.along_track import set_site
from ridewright.core.track.site import HeightField
from tests.app.settling import until_exposed

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def hilly(qtbot: QtBot, panel: ViewerPanel, document: Document) -> ViewerPanel:
    """The Looping Star on hills that its track cuts into."""
    marks = SectionMarks(document, panel)
    rows = tuple(tuple(6.0 if (i + j) % 3 == 0 else 1.0 for i in range(12)) for j in range(12))
    field = HeightField(corner=(-150.0, -150.0), spacing=30.0, rows=rows)
    document.apply("Hills", set_site(document.project, {"level": -1.0, "field": field}))
    qtbot.waitUntil(lambda: panel.scene.marks.has(HILLS))
    assert marks.parent() is panel
    return panel


def switch(qtbot: QtBot, panel: ViewerPanel) -> None:
    """Open the menu and click the box of the hills."""
    menu = panel.show_menu
    menu.popup(panel.mapToGlobal(QPoint(20, 60)))
    until_exposed(qtbot, menu)
    box = menu.boxes[HILLS]
    QTest.mouseClick(box, LEFT, pos=QPoint(10, box.height() // 2))
    menu.close()
    qtbot.wait(20)


def test_that_hills_are_hidden_and_shown_and_tunnels_stay(qtbot: QtBot, hilly: ViewerPanel) -> None:
    marks = hilly.scene.marks
    assert marks.has(TUNNELS)
    with_hills = hilly.picture()
    switch(qtbot, hilly)
    assert not marks.has(HILLS)
    assert marks.has(TUNNELS)
    assert hilly.picture() != with_hills
    switch(qtbot, hilly)
    assert marks.has(HILLS)
    assert hilly.picture() == with_hills


def test_that_hidden_hills_stay_hidden_the_next_time(
    qtbot: QtBot, hilly: ViewerPanel, document: Document, settings: Settings
) -> None:
    switch(qtbot, hilly)
    again = ViewerPanel(document, Playback(), settings)
    qtbot.addWidget(again)
    assert not again.show_menu.boxes[HILLS].isChecked()
    marks = SectionMarks(document, again)
    marks.refresh()
    assert not again.scene.marks.has(HILLS)
    again.close_scene()


def test_that_what_an_earlier_version_kept_leaves_the_hills_shown(
    qtbot: QtBot, document: Document, settings: Settings
) -> None:
    settings.set_value("viewer/show", "ties grid")
    made = ViewerPanel(document, Playback(), settings)
    qtbot.addWidget(made)
    shown = {name for name, box in made.show_menu.boxes.items() if box.isChecked()}
    assert shown == {"ties", "grid", HILLS, "contacts", *OVER}
    made.close_scene()
