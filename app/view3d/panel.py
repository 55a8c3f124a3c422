"""The 3D panel: the view with its overlays, kept in step with document and playback."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import QEvent, QObject, QSize, QTimer, Signal
from PySide6.QtGui import QImage, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ...core.base.arrays import Array
from ..document.document import Document
from ..document.playback import Playback
from ..document.selection import Selection
from ..widgets import theme
from ..widgets.blank import write_picture
from ..widgets.refresh import Turn
from ..widgets.settings import Settings
from ..work.assessment import assessment_of
from ..work.preview import RidePreview
from .cameras import Mode
from .clicks import Clicks
from .colouring import QUANTITIES
from .drawn_track import DrawnTrack
from .drawn_train import DrawnTrain
from .framing import Framing, Subject, points_of
from .highlight import Highlight
from .marks import PointDots, Sweep, place_ring
from .over_view import OverView, empty_text
from .picking import REACH, nearest_pixel, place_at
from .quality import QualityKeeper
from .scene import Scene
from .shown_parts import ShownParts
from .track_colours import TrackColours
from .track_marks import TrackMarks
from .view import SceneView

AROUND, MIN_AROUND = 1.8, 12.0  # of the radius of what is revealed, and m: what is about it is seen, too
COLOURS_WAIT = 120  # ms that colours follow an edit in progress later than a shape does


class ViewerPanel(QWidget):
    """The 3D view of the project and the shown run.

    Public for others: `plotter`, `world_to_screen`, `ray`, `install_mouse_filter`, `overlay_points`, `pick_overlay`;
    `use_camera`, `frame_*`, `highlight`, `mark_place`, `colour_by`, `screenshot`, `export_film`, `close_scene`.
    """

    camera_changed = Signal(str)  # the mode
    colouring_changed = Signal(str)  # key of the quantity
    filled = Signal()  # the scene is there
    column_clicked = Signal(str)  # its name
    menu_filling = Signal(object, object)  # context menu, arc length (m) under the mouse or None

    def __init__(
        self, document: Document, playback: Playback, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.document, self.playback, self.settings = document, playback, settings
        self.plotter = SceneView(settings.surface, self)
        self.preview = RidePreview.of(document)
        self._points = PointDots()
        self._fill = True  # nothing has been drawn yet
        self._fresh = True  # nothing has been framed yet
        self._bare = False  # the ground of a project without anything has been framed
        self._subject: Subject = "everything"
        self._closed = self._playing = False
        self._due: set[str] = set()
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._catch_up)
        self._turn = Turn(self, self._catch_up)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.plotter)
        self.over = OverView(self)
        self.legend, self.keys, self.controls = self.over.legend, self.over.keys, self.over.controls
        self.show_menu = self.controls.show_menu
        view, marks = self.plotter, lambda: self.track_marks
        self._framing = Framing(view, self.controls, document.project, self.finish_pending)
        self._train = DrawnTrain(document, playback, view, marks, lambda: self._later("everything"))
        self._parts = ShownParts(settings, playback, view, self.over, marks)
        self.setMinimumSize(320, 180)
        self._colours = TrackColours(
            document, settings, view, self.over, self.preview, lambda: self._train.run
        )
        self._framed_run = self._train.run
        self._track = DrawnTrack(
            document, view, self._colours, marks, lambda: self.show_menu.sweep, self._set_pace
        )
        self._connect()
        self.show_menu.restore(settings.value("viewer/show"))
        self._later("everything")

    def sizeHint(self) -> QSize:
        return QSize(960, 600)

    # -- made with the scene, after the window has been painted once

    @property
    def scene(self) -> Scene:
        """What is drawn."""
        return self.plotter.scene

    @cached_property
    def _highlight(self) -> Highlight:
        return Highlight(self.scene)

    @cached_property
    def track_marks(self) -> TrackMarks:
        return TrackMarks(self.scene)

    @cached_property
    def _quality(self) -> QualityKeeper:
        return QualityKeeper(self.plotter)

    # -- what others use

    @property
    def coloured_by(self) -> str:
        """Key of the quantity the track is coloured by."""
        return self._colours.key

    def colour_choices(self) -> tuple[tuple[str, str], ...]:
        """What the track can be coloured by: (key, title)."""
        return tuple((q.key, q.name) for q in QUANTITIES)

    def colour_by(self, name: str) -> None:
        """Colour the track by a quantity (a key of `colour_choices`)."""
        self._colours.choose(name)
        if self.plotter.ready:
            self._colours.show()
            self.plotter.redraw()
        self.colouring_changed.emit(self._colours.key)

    def enter(self, room: str, camera: Mode, subject: Subject, colour: str) -> None:
        """Show the scene as the workspace `room` was left, or as it begins: camera, what it frames, colours."""
        self._colours.enter(room, colour)
        self._subject = subject
        self._framing.enter(room, camera, subject)
        self.over.show_empty(empty_text(self.document.project, subject))
        if self.plotter.ready:
            self._colours.show()
            self.plotter.redraw()
            self._go_to_chosen()
        self.colouring_changed.emit(self._colours.key)

    def _go_to_chosen(self) -> None:
        """Go to a place that was chosen in another workspace, such as that of a peak, where one sees the whole ride."""
        chosen, whole = self.document.selection, self._subject == "everything" and self.camera == "orbit"
        if whole and chosen.kind == "place" and chosen.s is not None and self._framing.is_new(chosen.s):
            self.frame_place(chosen.s)

    def use_camera(self, mode: Mode) -> None:
        """Look through a camera: turn freely, fly behind the train, see with the first rider's eyes, ..."""
        self._framing.use(mode)

    @property
    def camera(self) -> Mode:
        """The camera in use."""
        return self.scene.rig.mode

    def frame_all(self) -> None:
        """Bring the whole scene into the picture."""
        self.finish_pending()
        self._framing.everything()

    def fly_to(self, subject: Subject) -> None:
        """Bring a subject nearer, unless it is seen well enough, or the camera rides along."""
        self._framing.fly_to(points_of(self.scene, subject))

    def frame_selection(self) -> None:
        """Bring what is selected close; everything when nothing is."""
        self.finish_pending()
        found = self._highlight.bounds()
        if found is None:
            self.frame_all()
        else:
            self._framing.aim(*found)

    def reveal(self) -> None:
        """Bring what is selected and what is about it into the picture; everything when nothing is selected.

        Cameras that ride along stay with the train while a run is shown.
        """
        if not self.plotter.ready or self._rides_along():
            return
        self.finish_pending()
        found = self._highlight.bounds()
        if found is None:
            self.frame_all()
        else:
            self._framing.aim(found[0], max(AROUND * found[1], MIN_AROUND))

    def _rides_along(self) -> bool:
        return self.camera in ("follow", "ride", "side") and self.document.current_run is not None

    def frame_place(self, s: float) -> None:
        """Mark the place at arc length s (m) and bring it into the picture.

        Cameras that ride along stay with the train while a run is shown.
        """
        self.finish_pending()
        self.mark_place(s)
        built = self.scene.built
        if built is not None and not self._rides_along():
            self._framing.go_to(s, built.centreline.position([s])[0], seen=self._clicks.selecting)

    def mark_place(self, s: float | None) -> None:
        """Show a ring around the track at arc length s (m); None takes it away."""
        if not self.plotter.ready:
            return
        built = self.scene.built
        if s is None or built is None:
            self.scene.marks.clear("place")
        else:
            self.scene.marks.set("place", [place_ring(built, s, self.scene.colours.cursor)])
        self.plotter.redraw()

    def highlight(self, selection: Selection) -> None:
        """Tint and mark an element as selected."""
        self._highlight.show(self.document.project, selection)
        self.show_keys()
        self.plotter.redraw()

    def set_sweep(self, sweep: Sweep | None) -> None:
        """Show the frame sweep with these options; None takes it away."""
        self.show_menu.set_sweep(sweep)

    def show_part(self, name: str, on: bool) -> None:
        """Show or hide a part of the scene or what lies over it, by its name in `show_menu.PARTS`."""
        self.show_menu.boxes[name].setChecked(on)

    def world_to_screen(self, points: ArrayLike) -> Array:
        """Pixels (n, 2) of `plotter` of points (n, 3) m; nan behind the camera."""
        return self.plotter.world_to_screen(points)

    def ray(self, x: float, y: float) -> tuple[Array, Array]:
        """Origin (3,) m and unit direction (3,) under a pixel of `plotter`."""
        return self.plotter.ray(x, y)

    @property
    def control_points(self) -> Array:
        """The control points that are shown, (n, 3) m."""
        return self._points.places

    def install_mouse_filter(self, watcher: QObject) -> None:
        """Let `watcher.eventFilter` see the mouse events of the view first; what it eats does not move the camera."""
        self.plotter.installEventFilter(watcher)

    def overlay_points(
        self, points: ArrayLike | None, selected: Sequence[int] = (), hovered: int | None = None
    ) -> None:
        """Draw control points (n, 3) m as dots, some selected, one under the mouse; None takes them away."""
        places = None if points is None else np.asarray(points, dtype=float).reshape(-1, 3)
        self._points.put(places, selected, hovered)
        if self.plotter.ready:
            self._points.draw(self.scene.marks, self.scene.colours)
            self.plotter.redraw()

    def pick_overlay(self, x: float, y: float, reach: float = REACH) -> int | None:
        """Number of the control point within `reach` px of a pixel, the nearest; None when there is none."""
        found = nearest_pixel(self.plotter, self._points.places, x, y)
        return None if found is None or found[1] > reach else found[0]

    def place_at(self, x: float, y: float, reach: float = REACH) -> float | None:
        """Arc length (m) of the track under a pixel; None when it is further away than `reach` px."""
        return place_at(self.plotter, x, y, reach)

    def picture(self) -> QImage:
        """The view with its legend, as it is now, in device pixels."""
        self.finish_pending()
        image = self.plotter.picture()
        self.over.paint_on(image, self.scene.scale, self.scene.colours)
        return image

    def screenshot(self, path: str | Path) -> None:
        """Save the view with its legend as a picture. Raises InputError when it cannot be written."""
        write_picture(self.picture(), Path(path))

    def export_film(self) -> None:
        """Ask for the options of a film of the shown run and make it, with progress and Cancel."""
        from .film_dialog import FilmDialog

        self.playback.pause()
        FilmDialog(self.plotter, self.coloured_by, self.document, self.settings).exec()

    def close_scene(self) -> None:
        """Let go of the graphics system before the window closes."""
        if not self._closed:
            self._closed = True
            self._timer.stop()
            self.playback.time_changed.disconnect(self._on_time)
            self.playback.state_changed.disconnect(self._on_playback)
            self.plotter.shut()

    # -- parts

    def _connect(self) -> None:
        d = self.document
        self.plotter.awake.connect(self._timer.start)
        d.project_changed.connect(self._on_project)
        d.preview_changed.connect(lambda _project: self._later("preview"))
        self.preview.changed.connect(lambda: self._later("ride"))
        d.runs_changed.connect(lambda: self._later("train"))
        d.selection_changed.connect(lambda _selection: self._later("selection"))
        assessment = assessment_of(d)
        assessment.margined.connect(lambda _run: self._on_margins())
        assessment.outdated.connect(self._on_margins)
        self.playback.time_changed.connect(self._on_time)
        self.playback.state_changed.connect(self._on_playback)
        self.settings.changed.connect(self._on_setting)
        self.document.revealed.connect(self.reveal)
        self._clicks = Clicks(
            d, self.playback, self.plotter, self.frame_selection, self.frame_all, self.use_camera
        )
        self._clicks.column_clicked.connect(self.column_clicked)
        self._clicks.menu_filling.connect(self.menu_filling)
        self.plotter.painted.connect(self._on_painted)
        self.plotter.aimed.connect(self._on_aimed)
        self.plotter.turned.connect(self._framing.stay)
        self._framing.changed.connect(self.camera_changed)
        self.controls.camera_wanted.connect(self._framing.use)
        self.controls.frame_wanted.connect(self.frame_selection)
        self.controls.colour_wanted.connect(self.colour_by)
        self.over.gizmo.looked_along.connect(self._framing.look_from)
        self._parts.changed.connect(self.show_keys)
        self.over.put_away.connect(lambda name: self.show_part(name, False))

    # -- keeping in step

    def _later(self, *what: str) -> None:
        """Do things once, after everything that happens now, or a little later where only colours may change: what
        is dragged then, a rider's mass for example, is shown elsewhere."""
        self._due.update(what)
        wait = COLOURS_WAIT if self._due <= {"preview", "ride"} and self._track.stands else 0
        if self._closed or not self.plotter.is_awake:
            return
        if not wait and self.plotter.is_long:
            self._turn.soon()
        elif not self._timer.isActive() or wait < self._timer.interval():
            self._timer.start(wait)

    def finish_pending(self) -> None:
        """Draw what waits to be drawn."""
        if self._due:
            self._timer.stop()
            self._catch_up(whole=True)

    def _catch_up(self, *, whole: bool = False) -> None:
        due, self._due = self._due, set()
        if self._closed or not due:
            return
        first, self._fill = self._fill, False
        if first:
            self._quality.use(self.settings.quality)
            self._parts.show_all()
        if "everything" in due or "track" in due:
            self._track.draw()
            if not (whole or first) and self._train.is_long:
                return self._go_on(due - {"everything", "track"} | {"train", "points", "selection"})
        elif "preview" in due:
            followed = self._track.follow()
            if self._train.outdated:
                due.add("train")
            elif not followed and due <= {"preview", "ride"}:
                return
        if due & {"everything", "train", "track"}:
            self._train.draw()
            if not (whole or first) and self._train.is_long:
                points = {"points"} & due if "everything" not in due else {"points"}
                return self._go_on(due - {"everything", "train", "track"} | {"colours", "selection"} | points)
            self._colours.show()
        if "colours" in due or due == {"ride"}:
            self._colours.show()
        lines = "preview" in due and self.document.selection.kind == "section"  # along what is dragged
        if lines or due & {"everything", "train", "track", "selection"}:
            self._highlight.show(self.document.project, self.document.selection)
            if self.document.selection.kind != "place":
                self.scene.marks.clear("place")
        there = self.scene.built is not None or bool(self.scene.train.members)
        nothing = empty_text(self.document.project, self._subject)
        if self._fresh and (there or (nothing and not self._bare)):
            self._fresh, self._bare = not there, not there
            self._framing.begin()
        self._framing.greet()
        run, self._framed_run = self._framed_run, self._train.run
        if run is not self._framed_run and self.scene.built is None:  # a rig moves as far as its run says
            self._framing.follow_motion()
        self.over.show_empty(nothing)
        if due & {"everything", "points"}:
            self._points.draw(self.scene.marks, self.scene.colours)
        self.show_keys()
        self.plotter.redraw()
        if first:
            self.filled.emit()

    def _go_on(self, due: set[str]) -> None:
        """Draw the rest in a turn of its own."""
        self._due |= due
        self._turn.soon()

    def _set_pace(self) -> None:
        """Draw as fast as what moves now needs."""
        self._quality.play(self._track.moved or self._playing)

    def show_keys(self) -> None:
        """Say what the colours of arrows, combs and marks mean."""
        self.over.show_keys(self.scene.keys() + self.track_marks.keys() + self._highlight.keys)

    def _on_project(self, change: object) -> None:
        self._framing.expect(self.document.project)
        self._later("track" if getattr(change, "track", True) else "train")
        if all(getattr(change, part, True) for part in ("track", "train", "scenario", "settings", "name")):
            self._fresh, self._bare = True, False  # another project: show all of it

    def _on_margins(self) -> None:
        if self._colours.key == "margin":
            self._later("colours")

    def show_swing(self, poses: object, share: float) -> None:
        """Show the train or rig in other poses (`Poses`) at a share of their time, or None: as the playback has it."""
        if self.plotter.ready:
            self.scene.train.hold(poses, share)  # type: ignore[arg-type]
            self._move(self.playback.time)

    def _on_time(self, time: float) -> None:
        if self.plotter.ready:
            self._move(time)

    def _move(self, time: float) -> None:
        self.scene.show_time(time)
        self._highlight.move()
        self.plotter.redraw()

    def _on_playback(self) -> None:
        if self.plotter.ready and self.playback.playing != self._playing:
            self._playing = self.playback.playing
            self._set_pace()
            self.plotter.redraw()

    def _on_setting(self, name: str) -> None:
        if name == "quality" and self.plotter.ready:
            self._quality.use(self.settings.quality)
            self._later("track")
        elif name == "surface":
            self._change_surface()
        elif name == "units":
            self.show_menu.refresh_units()
            self.legend.update()
            self.show_keys()

    def _change_surface(self) -> None:
        """Show the scene with the other widget, with the same camera."""
        if self.plotter.ready and not self._closed:
            rig = self.scene.rig
            self._points.forget()
            for part in ("_highlight", "track_marks", "_quality"):
                self.__dict__.pop(part, None)
            self.plotter.change(self.settings.surface)
            self.scene.rig, self._fill = rig, True
            self._later("everything")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "show_menu") and not self._closed:
            if self.plotter.ready and self.scene.colours.name != theme.current().name:
                self._train.dress()
            self.over.restyle()

    def _on_aimed(self) -> None:
        self.over.turn_gizmo(self.scene.camera)
        if not self._playing:
            picked = self._points.selected
            self.over.clear(
                self.plotter.world_to_screen(picked if len(picked) else self._highlight.centres())
            )

    def _on_painted(self, _seconds: float) -> None:
        if self._quality.after_frame():
            self._later("track")

    def mark_contact(self, name: str) -> None:
        """Mark a pair of surfaces by its name ("": none)."""
        if self.plotter.ready:
            self.scene.contacts.mark(name)
            self.plotter.redraw()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.over.place()
