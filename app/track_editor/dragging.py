"""A drag of control points or cants: shown while it goes on, one undo step at its end; and snapping."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QComboBox, QWidget

from ...core.base.errors import InputError
from ...core.base.units import DEGREE, FOOT
from ...core.project.project import Project
from ..document.document import Document
from ..widgets import units
from ..widgets.settings import Settings

SNAP_KEY = "track_editor/snap"
STEPS_SI = (0.1, 0.25, 0.5, 1.0)  # m
STEPS_US = tuple(feet * FOOT for feet in (0.25, 0.5, 1.0, 2.0))
ANGLE_STEP = DEGREE  # rad, when snapping is on


def snap_step(settings: Settings) -> float:
    """The snapping step in m, 0 when snapping is off."""
    text = settings.value(SNAP_KEY, "0")
    try:
        step = float(text)
    except ValueError:
        return 0.0
    return step if 0.0 < step <= max(STEPS_SI) else 0.0


def snapped(value: float, step: float) -> float:
    """A value brought to the next multiple of a step; a step of 0 leaves it."""
    return round(value / step) * step if step > 0.0 else value


class SnapBox(QComboBox):
    """Choice of the snapping step, kept in the settings and the same in every panel."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self.setAccessibleName("Snapping")
        self.setToolTip("Points snap to this grid while they are dragged; hold Ctrl to switch snapping over")
        self._fill()
        self.activated.connect(lambda k: settings.set_value(SNAP_KEY, self.itemData(k)))
        settings.changed.connect(lambda name: self._fill() if name in ("units", SNAP_KEY) else None)

    def _fill(self) -> None:
        self.clear()
        self.addItem("No snapping", "0")
        steps: Sequence[float] = STEPS_SI if self._settings.units == "SI" else STEPS_US
        for step in steps:
            self.addItem(f"Snap to {units.text(step, 'm')}", f"{step:.9g}")
        now = snap_step(self._settings)
        at = min(range(self.count()), key=lambda k: abs(float(self.itemData(k)) - now))
        self.setCurrentIndex(at)


class Drag(QObject):
    """One drag on the document. `show` may be called with every mouse move: only the latest is worked out."""

    def __init__(self, document: Document, text: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._text = text
        self.start: Project = document.project
        self.begun: dict[int, tuple[float, ...]] = {}  # what each dragged point began with, for its owner
        self._latest: Project | None = None
        self._waiting: Callable[[Project], Project] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._work)

    def show(self, edit: Callable[[Project], Project]) -> None:
        """Show the project that an edit makes of the one the drag began with."""
        self._waiting = edit
        self._timer.start()

    def _work(self) -> None:
        edit, self._waiting = self._waiting, None
        if edit is None:
            return
        try:
            self._latest = edit(self.start)
        except InputError:
            return  # a point dragged out of the world stays where it last was
        self._document.preview(self._latest)

    def finish(self) -> None:
        """Make what is shown one step."""
        self._timer.stop()
        self._work()
        if self._latest is None or self._document.project is not self.start:
            self._document.preview(None)
        else:
            self._document.apply(self._text, self._latest)
        self.deleteLater()

    def cancel(self) -> None:
        """Leave everything as it was."""
        self._timer.stop()
        self._document.preview(None)
        self.deleteLater()
