"""Pictures of designing with the live preview: colours, profile with limits and devices, a drag, the textbook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from ridewright.app.document.document import Selection
from ridewright.app.textbook.window import TextbookWindow
from ridewright.core.edits import along_track

if TYPE_CHECKING:
    from tools.screenshots import Photographer

SECTION, INDEX = "second drop", 3
TALL = 400  # px of the profile
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
PLAIN = Qt.KeyboardModifier.NoModifier


def _move(widget: QWidget, place: QPoint) -> None:
    globally = QPointF(widget.mapToGlobal(place))
    move = QMouseEvent(QEvent.Type.MouseMove, QPointF(place), globally, NONE, LEFT, PLAIN)
    QGuiApplication.sendEvent(widget, move)


def designing_live(it: Photographer) -> None:
    """Profile and colours of the point ride, a point in mid-drag, the textbook loop."""
    w = it.window
    it.wait(until=lambda: not w.viewer.preview.preparing)
    project, _ = along_track.add_device(w.document.project, "chain_lift", "climb")
    project, _ = along_track.add_device(project, "trim_brake", "brake run")
    w.document.apply("Lift and brake", project)
    w.viewer.colour_by("gz")
    w.show_panel("profile")
    w.resizeDocks([w.docks["profile"]], [TALL], Qt.Orientation.Vertical)
    profile = w.panels["profile"]
    for name in ("speed", "gz"):
        profile.toggles[name].trigger()
    it.shoot("live_profile")
    for name in ("speed", "gz"):
        profile.toggles[name].trigger()
    w.reset_layout()
    _dragging(it)
    textbook = TextbookWindow(it.settings, w)
    textbook.show()
    it.wait(until=lambda: textbook.ready)
    textbook.track.setCurrentIndex(textbook.track.findData("loop"))
    textbook.track.activated.emit(textbook.track.currentIndex())
    textbook.damping.setValue(0.05)
    textbook.toggle()
    it.wait(3.2)
    textbook.toggle()
    it.shoot("textbook_loop", textbook)
    textbook.close()


def _dragging(it: Photographer) -> None:
    """A point of the second drop while it is dragged in 3D."""
    w = it.window
    w.document.select(Selection("points", (SECTION,), (INDEX,)))
    w.viewer.frame_selection()
    rig = w.viewer.scene.rig
    rig.azimuth, rig.elevation, rig.distance = 0.7, 0.5, 60.0
    w.viewer.plotter.redraw()
    it.wait(0.5)
    point = next(s for s in w.document.project.track.sections if s.name == SECTION).points[INDEX].position
    view, start = w.viewer.plotter, QPointF(*w.viewer.world_to_screen([point])[0]).toPoint()
    QTest.mousePress(view, LEFT, PLAIN, start)
    for k in range(1, 4):
        _move(view, start + QPoint(k, k))
        it.wait(0.05)
    it.shoot("live_drag")
    QTest.mouseRelease(view, LEFT, PLAIN, start + QPoint(3, 3))
    w.document.undo_stack.undo()
    w.document.select(Selection())
    w.viewer.frame_all()
