"""What the panels of the track editor share: they redraw from the document, only while they are seen."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QWidget

from ...core.base.errors import InputError
from ...core.project.project import Project
from ...core.track.build import BuiltTrack
from ..document.document import Document
from ..document.selection import Selection
from ..widgets import units
from ..widgets.drag_label import DragLabel
from ..widgets.refresh import Refresh
from ..widgets.settings import Settings
from .dragging import Drag
from .track_points import TrackPoints, track_points

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
AFTER_PICTURE = 120  # ms after which a panel follows what is dragged elsewhere: it takes as long as a picture


class TrackPanel(QWidget):
    """Base of the panels. Subclasses draw in `redraw`; it is called once for all changes of one event."""

    ENDS = False  # whether the ends of straights of given length are among the points

    def __init__(self, document: Document, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.document, self.settings = document, settings
        self.points = TrackPoints()
        self.drag: Drag | None = None
        self._held: tuple[int, ...] = ()  # indices of the points that are dragged
        self.label = DragLabel(self)
        self._track_dirty = True  # more than the selection has changed
        self._soon = Refresh(self, self._refresh, due=True)
        document.project_changed.connect(lambda change: self._later() if change.track else None)
        document.preview_changed.connect(lambda _project: self._later())
        document.selection_changed.connect(lambda _selection: self._later(track=False))
        settings.changed.connect(lambda name: self.units_changed() if name == "units" else None)

    def _later(self, *, track: bool = True) -> None:
        self._track_dirty = self._track_dirty or track
        # what is dragged elsewhere is drawn there first
        elsewhere = self.document.previewed is not None and self.drag is None
        self._soon.soon(AFTER_PICTURE if elsewhere else 0)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        # also fires while the base class is being built
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_soon"):
            self.restyle()
            self._later()

    def _refresh(self) -> None:
        track, self._track_dirty = self._track_dirty, False
        if not track:
            self.show_selection()
            return
        project = self.shown_project()
        built = self.document.built()
        self.points = track_points(project, built, built if self.ENDS else None)
        self.redraw(project, built)

    def refresh_now(self) -> None:
        """Draw everything at once instead of at the end of the event."""
        self._soon.done()
        self._track_dirty = True
        self._refresh()

    def shown_project(self) -> Project:
        """The edit in progress, else the project."""
        return self.document.previewed or self.document.project

    def units_changed(self) -> None:
        """Other units are in use."""
        self._later()

    def restyle(self) -> None:
        """Take the colours of the theme."""

    def redraw(self, project: Project, built: BuiltTrack | None) -> None:
        """Draw a project; built is None while its track cannot be built. Each panel has its own (Qt's classes cannot
        be abstract)."""
        raise NotImplementedError

    def show_selection(self) -> None:
        """Draw another selection of the same track. Each panel has its own."""
        raise NotImplementedError

    # -- selecting and dragging, the same in every panel

    def pick(self, number: int, *, more: bool) -> None:
        """Select a point; more: add it to the selected ones, or take it out."""
        if not self.points.selectable[number]:
            self.document.select(Selection("section", (self.points.section[number],)))
            return
        chosen = (
            self.points.toggled(self.document.selection, number)
            if more
            else self.points.selection_of((number,))
        )
        if chosen is not None:
            self.document.select(chosen)

    def begin_drag(self, number: int, what: str) -> bool:
        """Begin to drag a point and all that are selected with it; what: "Move" or "Cant"."""
        if self.document.previewed is not None:
            return False
        if number not in self.points.selected(self.document.selection):
            self.pick(number, more=False)
        name, one = self.points.section[number], self.points.word[number]
        alone = (self.points.index[number],)
        chosen = self._held = self.document.selection.indices if self.points.selectable[number] else alone
        self.drag = Drag(
            self.document, f"{what} {one if len(chosen) == 1 else f'{len(chosen)} points'} of {name}", self
        )
        return True

    def dragged(self) -> tuple[int, ...]:
        """Indices, within their section, of the points a drag moves."""
        return self.document.selection.indices if self.drag is None else self._held

    def end_drag(self, done: bool) -> None:
        """Keep what was dragged, or take it back."""
        drag, self.drag = self.drag, None
        self.label.say("")
        if drag is not None:
            if done:
                drag.finish()
            else:
                drag.cancel()

    def try_edit(self, text: str, edit: Callable[[Project], Project]) -> str:
        """Apply an edit given as a function of the project; returns why not, or ""."""
        try:
            project = edit(self.document.project)
        except InputError as error:
            return units.told(error)
        self.document.apply(text, project)
        return ""
