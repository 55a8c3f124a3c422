"""Control points in the 3D view: picked in screen space, dragged freely, with keys or by the gizmo."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import QEvent, QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from ...core.base.arrays import Array
from ..document.document import Document
from ..document.selection import Selection
from ..widgets.drag_label import DragLabel
from ..widgets.settings import Settings
from ..work.preview import RidePreview
from . import drag_math, soft_radius
from .dragging import Drag, snap_step, snapped
from .move_gizmo import IN_VIEW, Grip, MoveGizmo, axis_grip
from .point_band import PointBand
from .track_points import TrackPoints, frame_at, track_points

REACH = 12.0  # px
OVER_EACH_OTHER = 2.0  # px, points nearer than this on screen cover each other
MIN_MOVE = 3.0  # px before a press becomes a drag
AXIS_KEYS = {Qt.Key.Key_X: 0, Qt.Key.Key_Y: 1, Qt.Key.Key_Z: 2}
HINT = "Drag: in the plane of the view · Shift: up and down · X, Y, Z: along an axis · type a distance · Ctrl: grid"


class View(Protocol):
    """What the handles need of the 3D panel."""

    @property
    def plotter(self) -> QObject: ...

    def world_to_screen(self, points: ArrayLike) -> Array: ...
    def ray(self, x: float, y: float) -> tuple[Array, Array]: ...
    def install_mouse_filter(self, watcher: QObject) -> None: ...
    def overlay_points(
        self, points: ArrayLike | None, selected: tuple[int, ...] = (), hovered: int | None = None
    ) -> None: ...
    def mark_place(self, s: float | None) -> None: ...


class ViewHandles(QObject):
    """Shows the control points in the view while the track is being edited, and lets them be dragged.

    Drag a point: in the plane of the view; Shift: up and down. X, Y or Z: along that axis, pressed again: freely.
    Drag a part of the gizmo on the selected points: along its axis, in its plane, its ring turns the cants. Digits give
    the distance. Ctrl while dragging: snapping the other way; Ctrl and click: one more; Ctrl and drag beside points:
    those in a box; Escape: take the drag back. The wheel during a drag changes the radius of the soft selection. All
    points are shown when a section or points are selected. Ends of straights are dragged alike; one of given length
    becomes longer or shorter.
    """

    def __init__(self, document: Document, view: View, settings: Settings | None = None) -> None:
        super().__init__(view if isinstance(view, QObject) else None)
        self._document, self._view, self._settings = document, view, settings
        self.points = TrackPoints()
        self.hovered: int | None = None
        self.part: str | None = None  # of the gizmo, under the mouse
        self._pressed: QPointF | None = None
        self._gripped: QPointF | None = None  # where the drag goes on from, after Shift was pressed or let go
        self._at = QPointF()  # the mouse now
        self._keys = Qt.KeyboardModifier.NoModifier
        self._number = 0
        self._held: tuple[int, ...] = ()  # indices, within their section, of the points that are dragged
        self._from = np.zeros(3)  # where the dragged point was
        self._grip = IN_VIEW  # taken by the mouse
        self._last_grip = IN_VIEW  # by which it moved last
        self._axis: int | None = None
        self._typed = ""
        self._cants: dict[int, float] = {}
        self._begun = TrackPoints()  # the points when the drag began
        self._drag: Drag | None = None
        self._done = ""  # what the drag has done so far, in words
        self._preview = RidePreview.of(document)
        screen = view if isinstance(view, QWidget) else None
        self.label = DragLabel(screen) if screen is not None else None
        self.hint = DragLabel(screen) if screen is not None else None
        self.gizmo = MoveGizmo() if screen is not None else None
        self.band = (
            PointBand(view.plotter) if isinstance(view.plotter, QWidget) and screen is not None else None
        )
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self.refresh)
        for signal in (document.project_changed, document.preview_changed, document.selection_changed):
            signal.connect(lambda _what: self._soon.start())
        if self.gizmo is not None:
            view.plotter.aimed.connect(self._place_gizmo)  # type: ignore[attr-defined]
        if settings is not None:
            drawn_by = (soft_radius.KEY, "theme")
            settings.changed.connect(lambda name: self._soon.start() if name in drawn_by else None)
        view.install_mouse_filter(self)
        self.refresh()

    # -- showing

    @property
    def shown(self) -> bool:
        """Whether the points can be seen: while points or a section are selected."""
        return self._document.selection.kind in ("points", "section")

    @property
    def soft_radius(self) -> float:
        """Radius (m) of the soft selection, 0 when it is off."""
        return soft_radius.soft_radius(self._settings)

    def set_soft_radius(self, radius: float) -> None:
        """Let the neighbours within a radius (m) follow a drag; 0 moves the selected points alone."""
        soft_radius.keep_soft_radius(self._settings, radius)

    def refresh(self) -> None:
        """Draw the points as they are now."""
        if not self.shown:
            if len(self.points):
                self.points, self.hovered = TrackPoints(), None
                self._view.overlay_points(None)
                self._say_hint("")
                self._redraw_gizmo()
            return
        self.points = self._points_now()
        if self.hovered is not None and self.hovered >= len(self.points):
            self.hovered = None
        self._draw()
        self._redraw_gizmo()
        if self._drag is not None:
            self._say()

    def _say(self) -> None:
        """Beside the mouse: what the drag does, and the worst load of the section."""
        if self.label is not None and self._number < len(self.points):
            worst = self._preview.drag_text(self.points.section[self._number])
            self.label.say("\n".join(text for text in (self._done, worst) if text))

    def _points_now(self) -> TrackPoints:
        return track_points(self._document.previewed or self._document.project, None, self._document.built())

    def _draw(self) -> None:
        selected = self.points.selected(self._document.selection)
        self._view.overlay_points(self.points.position if len(self.points) else None, selected, self.hovered)

    def show_place(self, s: float | None) -> None:
        """Mark the place at arc length s (m) in 3D; None marks the selected place, if one is, and nothing else."""
        selection = self._document.selection
        self._view.mark_place(selection.s if s is None and selection.kind == "place" else s)

    # -- the gizmo

    def _redraw_gizmo(self) -> None:
        """Stand on the selected points in the next picture."""
        plotter: Any = self._view.plotter
        if self.gizmo is not None and plotter.ready:
            plotter.redraw()

    def _place_gizmo(self) -> None:
        """Stand on the selected points, as large as it is from where the camera stands."""
        view: Any = self._view
        if self.gizmo is None or not view.plotter.ready:
            return
        numbers = [k for k in self.points.selected(self._document.selection) if k < len(self.points)]
        if not numbers:
            self.gizmo.place(None, np.eye(3), view.world_to_screen)
        else:
            middle = self.points.position[numbers].mean(axis=0)
            frame = frame_at(self._document.built(), self._document.selection)
            self.gizmo.place(middle, frame, view.world_to_screen)
        self.gizmo.hovered = self.part
        self.gizmo.draw(view.scene)
        self._draw_reach(view)

    def _draw_reach(self, view: Any) -> None:
        """A circle that faces the eye: how far the soft selection reaches."""
        from .soft_ring import (
            draw_ring,  # with the scene, which is made after the window
        )

        placed = None if self.gizmo is None else self.gizmo.placed
        draw_ring(view, None if placed is None else placed.origin, self.soft_radius)

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
        elif isinstance(event, QWheelEvent) and self._drag is not None:
            return self._wheel(event)
        elif isinstance(event, QKeyEvent) and self._pressed is not None:
            return self._key(event)
        elif kind == QEvent.Type.Leave:
            self._say_hint("")
        return False

    def point_at(self, position: QPointF) -> int | None:
        """Number of the point nearest to a pixel and within reach; of those over each other the one in front."""
        if not self.shown or not len(self.points):
            return None
        away = self._view.world_to_screen(self.points.position) - np.array([position.x(), position.y()])
        far = np.nan_to_num(np.hypot(away[:, 0], away[:, 1]), nan=np.inf)
        if far.min() > REACH:
            return None
        close = np.flatnonzero(far <= min(REACH, far.min() + OVER_EACH_OTHER))
        eye, _ = self._view.ray(position.x(), position.y())
        return int(close[int(np.argmin(np.linalg.norm(self.points.position[close] - eye, axis=1)))])

    def part_at(self, position: QPointF) -> str | None:
        """The part of the gizmo under a pixel."""
        if self.gizmo is None or self.gizmo.placed is None or not self.shown:
            return None
        return self.gizmo.placed.part_at(self._view.world_to_screen, position.x(), position.y())

    def _press(self, event: QMouseEvent) -> bool:
        number, position = self.point_at(event.position()), event.position()
        if event.button() == Qt.MouseButton.RightButton:
            self._choose_for_menu(number)
            return False
        if event.button() != Qt.MouseButton.LeftButton:
            return False
        part = self.part_at(position) if number is None else None
        if number is None and part is None:
            return self._begin_band(event)
        self._grip = IN_VIEW
        if part is not None and self.gizmo is not None and self.gizmo.placed is not None:
            self._grip = self.gizmo.placed.grip(part)
            number = next(iter(self.points.selected(self._document.selection)), None)
        if number is None:  # the selection has gone, and what is drawn of it goes with the next refresh
            return False
        self._pressed, self._number, self._at = position, number, position
        self._axis, self._typed, self._done = None, "", ""
        self._say_hint("")
        return True

    def _choose_for_menu(self, number: int | None) -> None:
        """The menu is about the point under the mouse."""
        if number is None or number in self.points.selected(self._document.selection):
            return
        chosen = self.points.selection_of((number,))
        if chosen is not None:
            self._document.select(chosen)

    def _move(self, event: QMouseEvent) -> bool:
        if self.band is not None and self.band.on:
            self.band.stretch(event.position())
            return True
        if self._pressed is None:
            if event.buttons() == Qt.MouseButton.NoButton:
                self._hover(event.position())
            return False
        if self._drag is None:
            if self._number >= len(self.points):  # the point has gone since it was pressed
                self._pressed = None
                return False
            if (event.position() - self._pressed).manhattanLength() < MIN_MOVE:
                return True
            self._keys = event.modifiers()
            self._begin()
        self._at, self._keys = event.position(), event.modifiers()
        self._drag_on()
        if self.label is not None:
            self.label.put_at(event.position().toPoint())
        return True

    def _hover(self, position: QPointF) -> None:
        number = self.point_at(position)
        part = self.part_at(position) if number is None else None
        if number == self.hovered and part == self.part:
            return
        self.hovered, self.part = number, part
        if self.shown:
            self._draw()
            self._redraw_gizmo()
        text = HINT if number is not None else f"Drag: {Grip('view', part).words}" if part is not None else ""
        self._say_hint(text, position)

    def _say_hint(self, text: str, position: QPointF | None = None) -> None:
        """What a drag from here will do."""
        if self.hint is not None:
            self.hint.say(text)
            if text and position is not None:
                self.hint.put_at(position.toPoint())

    def _release(self, event: QMouseEvent) -> bool:
        if event.button() != Qt.MouseButton.LeftButton:
            return False
        if self.band is not None and self.band.on:
            self._end_band(event.position())
            return True
        if self._pressed is None:
            return False
        self._pressed = None
        drag, self._drag = self._drag, None
        if drag is not None:
            self._end_label()
            drag.finish()
        elif self._grip is IN_VIEW:
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

    def _wheel(self, event: QWheelEvent) -> bool:
        """Further or less far around the points that are dragged."""
        if self.soft_radius > 0.0 and event.angleDelta().y():
            self.set_soft_radius(soft_radius.turned(self.soft_radius, event.angleDelta().y() / 120.0))
            self._drag_on()
        event.accept()
        return True

    def _begin_band(self, event: QMouseEvent) -> bool:
        wanted = self.shown and bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if self.band is not None and wanted:
            self.band.begin(event.position())
            return True
        return False

    def _end_band(self, position: QPointF) -> None:
        corners = None if self.band is None else self.band.end(position)
        if corners is not None:
            flat = self._view.world_to_screen(self.points.position)
            chosen = drag_math.in_band(self.points, flat, corners, self._document.selection)
            if chosen is not None:
                self._document.select(chosen)

    # -- keys of a drag

    def _key(self, event: QKeyEvent) -> bool:
        """Escape takes a drag back; X, Y, Z hold it to an axis, again free it; digits give the distance."""
        if event.type() not in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease, QEvent.Type.ShortcutOverride):
            return False
        key, text = Qt.Key(event.key()), event.text()
        if key not in (Qt.Key.Key_Escape, Qt.Key.Key_Backspace, *AXIS_KEYS) and not (
            text and text in drag_math.TYPED
        ):
            return False
        event.accept()
        if event.type() != QEvent.Type.KeyPress:
            return True  # a shortcut of the window stays out, the key itself follows
        if key == Qt.Key.Key_Escape:
            self._take_back()
        elif key in AXIS_KEYS:
            if not event.isAutoRepeat():
                self._axis = None if self._axis == AXIS_KEYS[key] else AXIS_KEYS[key]
                self._drag_on()
        else:
            self._typed = self._typed[:-1] if key == Qt.Key.Key_Backspace else self._typed + text
            self._drag_on()
        return True

    def _take_back(self) -> None:
        drag, self._drag = self._drag, None
        self._pressed = None
        if drag is not None:
            self._end_label()
            drag.cancel()

    # -- dragging

    def _begin(self) -> None:
        name, selectable = self.points.section[self._number], self.points.selectable[self._number]
        if self._number not in self.points.selected(self._document.selection):
            alone = self.points.selection_of((self._number,))
            self._document.select(Selection("section", (name,)) if alone is None else alone)
        here = (self.points.index[self._number],)
        self._held = self._document.selection.indices if selectable else here
        count = len(self._held)
        what = self.points.word[self._number] if count == 1 else f"{count} points"
        word = "Roll" if self._grip.kind == "roll" else "Move"
        self._drag = Drag(self._document, f"{word} {what} of {name}", self)
        self._begun = self.points
        self._from = self.points.position[self._number].copy()
        self._gripped = self._pressed
        self._last_grip = self._grip_now()
        self._cants = self._cants_now(name)

    def _cants_now(self, name: str) -> dict[int, float]:
        """Cants (rad) of the held points; of a free one what the track has there."""
        built = self._document.built()
        positions = {} if built is None else built.point_places
        cants = {}
        for k, (section, index) in enumerate(zip(self.points.section, self.points.index, strict=True)):
            if section == name and index in self._held:
                cant = float(self.points.cant[k])
                at = positions.get(name, ())  # the ends of a straight are no points of it
                if not np.isfinite(cant) and built is not None and index < len(at):
                    cant = float(built.centreline.state([at[index]]).cant[0])
                cants[index] = cant if np.isfinite(cant) else 0.0
        return cants

    def _grip_now(self) -> Grip:
        if self._axis is not None and self._grip.kind != "roll":
            return axis_grip(self._axis)
        upright = bool(self._keys & Qt.KeyboardModifier.ShiftModifier) and self._grip.kind == "view"
        return Grip("upright", "z", (0.0, 0.0, 1.0)) if upright else self._grip

    def _drag_on(self) -> None:
        """Show what the drag makes of the points with the mouse where it is."""
        if self._drag is None or self._pressed is None:
            return
        along = self._begun.along[self._number]
        if np.isfinite(along).all():  # it has one way to go, whatever was taken
            begin, end = ((position.x(), position.y()) for position in (self._pressed, self._at))
            by = drag_math.line_way(self._view, begin, end, self._from, along)
            if not np.isfinite(by):  # its place is behind the eye now
                return
            by = snapped(by, self._snapping())
            self._done = drag_math.move_text(by * along, Grip("view"), "")
            self._drag.show(self._begun.moved(self._number, self._held, by * along))
            return
        grip = self._grip_now()
        section = self._begun.section[self._number]
        if grip.kind == "roll":
            self._roll(grip, section)
            return
        if (
            "upright" in (grip.kind, self._last_grip.kind)
            and grip.kind != self._last_grip.kind
            and self._axis is None
        ):
            # Shift was pressed or let go: go on from where the point is now
            now = self._points_now()
            if self._number >= len(now):
                return
            at = now.position[self._number]
            self._drag.begun.setdefault(0, tuple(float(v) for v in self._from))
            self._from, self._gripped = at.copy(), self._at
        self._last_grip = grip
        move = self._way(grip)
        if not np.isfinite(move).all():
            return
        move = drag_math.with_step(move, self._from, grip, self._snapping())
        number = drag_math.typed_value(self._typed, "m")
        if number is not None:
            move = drag_math.with_typed(move, grip, number)
        start = np.array(self._drag.begun.get(0, tuple(self._from)))
        by = self._from + move - start
        self._done = drag_math.move_text(by, grip, self._typed)
        if self.soft_radius > 0.0 and self._begun.selectable[self._number]:
            weights = drag_math.soft_weights(self._begun, section, self._held, self.soft_radius)
            self._drag.show(drag_math.soft_move(self._begun, section, weights, by))
        else:
            self._drag.show(self._begun.moved(self._number, self._held, by))
        self._soon.start()  # says so, once with what the edit makes of the ride

    def _roll(self, grip: Grip, section: str) -> None:
        assert self._drag is not None
        assert self._pressed is not None
        pressed, at = (self._pressed.x(), self._pressed.y()), (self._at.x(), self._at.y())
        placed = None if self.gizmo is None else self.gizmo.placed
        middle = self._from if placed is None else placed.origin
        typed = drag_math.typed_value(self._typed, "rad")
        axis = np.array(grip.vector)
        by = drag_math.turned(self._view, at, pressed, middle, axis) if typed is None else typed
        if not (np.isfinite(by) and self._cants):
            return
        first = next(iter(self._cants.values()))
        self._done = f"cant {np.degrees(first):.1f}° to {np.degrees(first + by):.1f}°".replace("-", "−")
        self._drag.show(drag_math.roll_edit(section, self._cants, by, self._snapping()))
        self._soon.start()

    def _way(self, grip: Grip) -> Array:
        """The move (3,) m from where the drag was taken to where the mouse is."""
        begin = self._gripped if grip.kind in ("view", "upright") else self._pressed
        assert begin is not None
        return drag_math.way(
            self._view, grip, (begin.x(), begin.y()), (self._at.x(), self._at.y()), self._from
        )

    def _snapping(self) -> float:
        step = snap_step(self._settings) if self._settings is not None else 0.0
        other = bool(self._keys & Qt.KeyboardModifier.ControlModifier)
        return (step or 0.5) if (step > 0.0) != other else 0.0
