"""Control points in the 3D view: picked in screen space, dragged in the ground plane, with Shift in height."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PySide6.QtCore import QEvent, QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QWidget

from app.document.document import Document
from app.document.selection import Selection
from app.track_editor.dragging import Drag, snap_step, snapped
from app.track_editor.track_points import TrackPoints, track_points
from app.widgets.drag_label import DragLabel
from app.widgets.settings import Settings
from app.work.preview import RidePreview

Array = NDArray[np.float64]
REACH = 12.0  # px
OVER_EACH_OTHER = 2.0  # px, points nearer than this on screen cover each other
LEAST_MOVE = 3.0  # px before a press becomes a drag
FLATTEST = 0.05  # sine of the angle between ray and plane below which a drag in the plane would fly off
AXIS_KEYS = {Qt.Key.Key_X: 0, Qt.Key.Key_Y: 1, Qt.Key.Key_Z: 2}


class View(Protocol):
    """What the handles need of the 3D panel."""

    plotter: QObject

    def world_to_screen(self, points: ArrayLike) -> Array: ...
    def ray(self, x: float, y: float) -> tuple[Array, Array]: ...
    def install_mouse_filter(self, watcher: QObject) -> None: ...
    def overlay_points(
        self, points: ArrayLike | None, selected: tuple[int, ...] = (), hovered: int | None = None
    ) -> None: ...
    def mark_place(self, s: float | None) -> None: ...


class ViewHandles(QObject):
    """Shows the control points in the view while the track is being edited, and lets them be dragged.

    Drag: in the horizontal plane; Shift: up and down; hold X, Y or Z: along that axis only; Ctrl while dragging:
    snapping the other way; Ctrl and click: one more; Escape: take the drag back. All points are shown when a
    section or points are selected. Ends of straights are dragged alike; one of given length becomes longer or shorter.
    """

    def __init__(self, document: Document, view: View, settings: Settings | None = None) -> None:
        super().__init__(view if isinstance(view, QObject) else None)
        self._document, self._view, self._settings = document, view, settings
        self.points = TrackPoints()
        self.hovered: int | None = None
        self._pressed: QPointF | None = None
        self._number = 0
        self._held: tuple[int, ...] = ()  # indices, within their section, of the points that are dragged
        self._from = np.zeros(3)  # where the dragged point was
        self._grip = np.zeros(3)  # and where on the plane it was taken
        self._plane = "flat"
        self._axis: int | None = None
        self._drag: Drag | None = None
        self._preview = RidePreview.of(document)
        self.label = DragLabel(view) if isinstance(view, QWidget) else None
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self.refresh)
        for signal in (document.project_changed, document.preview_changed, document.selection_changed):
            signal.connect(lambda _what: self._soon.start())
        view.install_mouse_filter(self)
        self.refresh()

    # -- showing

    @property
    def shown(self) -> bool:
        """Whether the points can be seen: while points or a section are selected."""
        return self._document.selection.kind in ("points", "section")

    def refresh(self) -> None:
        """Draw the points as they are now."""
        if not self.shown:
            if len(self.points):
                self.points, self.hovered = TrackPoints(), None
                self._view.overlay_points(None)
            return
        self.points = self._points_now()
        if self.hovered is not None and self.hovered >= len(self.points):
            self.hovered = None
        self._draw()
        if self._drag is not None and self.label is not None and self._number < len(self.points):
            self.label.say(self._preview.worst_text(self.points.section[self._number]))

    def _points_now(self) -> TrackPoints:
        return track_points(self._document.previewed or self._document.project, None, self._document.built())

    def _draw(self) -> None:
        selected = self.points.selected(self._document.selection)
        self._view.overlay_points(self.points.position if len(self.points) else None, selected, self.hovered)

    def show_place(self, s: float | None) -> None:
        """Mark the place at arc length s (m) in 3D; None marks the selected place, if one is, and nothing else."""
        selection = self._document.selection
        self._view.mark_place(selection.s if s is None and selection.kind == "place" else s)

    # -- mouse

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if isinstance(event, QMouseEvent):
            if kind == QEvent.Type.MouseButtonPress:
                return self._press(event)
            if kind == QEvent.Type.MouseMove:
                return self._move(event)
            if kind == QEvent.Type.MouseButtonRelease:
                return self._release(event)
        elif isinstance(event, QKeyEvent) and self._pressed is not None:
            return self._key(event)
        return False

    def point_at(self, place: QPointF) -> int | None:
        """Number of the point nearest to a pixel and within reach; of those over each other the one in front."""
        if not self.shown or not len(self.points):
            return None
        away = self._view.world_to_screen(self.points.position) - np.array([place.x(), place.y()])
        far = np.nan_to_num(np.hypot(away[:, 0], away[:, 1]), nan=np.inf)
        if far.min() > REACH:
            return None
        close = np.flatnonzero(far <= min(REACH, far.min() + OVER_EACH_OTHER))
        eye, _ = self._view.ray(place.x(), place.y())
        return int(close[int(np.argmin(np.linalg.norm(self.points.position[close] - eye, axis=1)))])

    def _press(self, event: QMouseEvent) -> bool:
        if event.button() != Qt.MouseButton.LeftButton:
            return False
        number = self.point_at(event.position())
        if number is None:
            return False
        self._pressed, self._number = event.position(), number
        self._axis = None
        return True

    def _move(self, event: QMouseEvent) -> bool:
        if self._pressed is None:
            if event.buttons() == Qt.MouseButton.NoButton:
                self._hover(event.position())
            return False
        if self._drag is None:
            if (event.position() - self._pressed).manhattanLength() < LEAST_MOVE:
                return True
            self._begin(event)
        self._drag_to(event)
        if self.label is not None:
            self.label.put_at(event.position().toPoint())
        return True

    def _hover(self, place: QPointF) -> None:
        number = self.point_at(place)
        if number != self.hovered:
            self.hovered = number
            self._draw()

    def _release(self, event: QMouseEvent) -> bool:
        if self._pressed is None or event.button() != Qt.MouseButton.LeftButton:
            return False
        self._pressed = None
        drag, self._drag = self._drag, None
        if drag is not None:
            self._end_label()
            drag.finish()
        else:
            self._click(event)
        return True

    def _end_label(self) -> None:
        if self.label is not None:
            self.label.say("")

    def _click(self, event: QMouseEvent) -> None:
        if self._number >= len(self.points):
            return
        if not self.points.selectable[self._number]:
            self._document.select(Selection("section", (self.points.section[self._number],)))
            return
        chosen = (
            self.points.toggled(self._document.selection, self._number)
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier
            else self.points.selection_of((self._number,))
        )
        if chosen is not None:
            self._document.select(chosen)

    def _key(self, event: QKeyEvent) -> bool:
        """Escape takes a drag back; X, Y, Z hold it to an axis while the key is down."""
        down = event.type() == QEvent.Type.KeyPress
        if event.type() not in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease, QEvent.Type.ShortcutOverride):
            return False
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape:
            drag, self._drag = self._drag, None
            self._pressed = None
            if drag is not None:
                self._end_label()
                drag.cancel()
        elif key in AXIS_KEYS:
            if not event.isAutoRepeat():
                self._axis = AXIS_KEYS[key] if down or event.type() == QEvent.Type.ShortcutOverride else None
        else:
            return False
        event.accept()
        return True

    # -- dragging

    def _begin(self, event: QMouseEvent) -> None:
        assert self._pressed is not None
        name, selectable = self.points.section[self._number], self.points.selectable[self._number]
        if self._number not in self.points.selected(self._document.selection):
            alone = self.points.selection_of((self._number,))
            self._document.select(Selection("section", (name,)) if alone is None else alone)
        here = (self.points.index[self._number],)
        self._held = self._document.selection.indices if selectable else here
        count = len(self._held)
        what = self.points.word[self._number] if count == 1 else f"{count} points"
        self._drag = Drag(self._document, f"Move {what} of {name}", self)
        self._from = self.points.position[self._number].copy()
        self._take(event, self._pressed)

    def _take(self, event: QMouseEvent, place: QPointF) -> None:
        """Begin a movement in the plane that the keys ask for, from what lies under a pixel."""
        self._plane = self._wanted_plane(event)
        self._grip = self._on_plane(place)

    def _wanted_plane(self, event: QMouseEvent) -> str:
        upright = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier) or self._axis == 2
        return "upright" if upright else "flat"

    def _on_plane(self, place: QPointF) -> Array:
        """The point under a pixel on the plane through the dragged point: horizontal, or upright facing the eye.

        A plane seen edge-on is replaced by the one that faces the eye.
        """
        eye, direction = self._view.ray(place.x(), place.y())
        normal = np.array([0.0, 0.0, 1.0])
        if self._plane == "upright":
            flat = np.array([direction[0], direction[1], 0.0])
            size = float(np.linalg.norm(flat))
            normal = flat / size if size > FLATTEST else np.array([1.0, 0.0, 0.0])
        slope = float(direction @ normal)
        if abs(slope) < FLATTEST:
            normal, slope = direction, 1.0
        reach = float((self._from - eye) @ normal) / slope
        out: Array = eye + direction * max(reach, 0.0)
        return out

    def _on_line(self, place: QPointF, along: Array) -> float:
        """How far (m) along a line through the dragged point lies what is nearest to the ray under a pixel."""
        eye, direction = self._view.ray(place.x(), place.y())
        away, lean = self._from - eye, float(along @ direction)
        return float(lean * (direction @ away) - along @ away) / max(1.0 - lean * lean, FLATTEST**2)

    def _drag_to(self, event: QMouseEvent) -> None:
        if self._drag is None or self._pressed is None:
            return
        along = self.points.along[self._number]
        if np.isfinite(along).all():  # it has one way to go, whatever the plane
            by = self._on_line(event.position(), along) - self._on_line(self._pressed, along)
            by = snapped(by, self._snapping(event))
            self._drag.show(self.points.moved(self._number, self._held, by * along))
            return
        plane = self._wanted_plane(event)
        if plane != self._plane:  # Shift was pressed or let go: go on from where the point is now
            at = self._points_now().position[self._number]
            self._drag.begun.setdefault(0, tuple(float(v) for v in self._from))
            self._from = at.copy()
            self._take(event, event.position())
        move = self._on_plane(event.position()) - self._grip
        move = move * ((0.0, 0.0, 1.0) if self._plane == "upright" else (1.0, 1.0, 0.0))
        if self._axis is not None:
            move = np.where(np.arange(3) == self._axis, move, 0.0)
        target = self._from + move
        step = self._snapping(event)
        target = np.array(
            [snapped(float(target[k]), step) if abs(move[k]) > 0.0 else float(target[k]) for k in range(3)]
        )
        start = np.array(self._drag.begun.get(0, tuple(self._from)))
        self._drag.show(self.points.moved(self._number, self._held, target - start))

    def _snapping(self, event: QMouseEvent) -> float:
        step = snap_step(self._settings) if self._settings is not None else 0.0
        other = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        return (step or 0.5) if (step > 0.0) != other else 0.0
