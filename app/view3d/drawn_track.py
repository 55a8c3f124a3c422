"""The drawn track in step with the project, and with an edit in progress."""

from __future__ import annotations

from collections.abc import Callable

from ..document.document import Document
from .marks import Sweep
from .track_colours import TrackColours
from .track_marks import TrackMarks
from .view import SceneView


class DrawnTrack:
    """Draws the track of a document in a view, with its marks and the frame sweep that is wanted. `moved`: it is that
    of an edit in progress; on_moved() is called when that begins or ends."""

    def __init__(
        self,
        document: Document,
        view: SceneView,
        colours: TrackColours,
        marks: Callable[[], TrackMarks],
        sweep: Callable[[], Sweep | None],
        on_moved: Callable[[], None],
    ) -> None:
        self._document, self._view, self._colours = document, view, colours
        self._marks, self._sweep, self._on_moved = marks, sweep, on_moved
        self.moved = False

    @property
    def stands(self) -> bool:
        """Whether an edit in progress leaves the track as it is drawn."""
        document = self._document
        return document.previewed is not None and document.built() is self._view.scene.built

    def draw(self) -> None:
        """Draw the track of the project from scratch; the last good one where it cannot be built."""
        document, scene = self._document, self._view.scene
        project = document.project
        built = document.built() if project.track is not None else None
        scene.foreign = built is None and project.track is not None
        if scene.foreign:  # why it cannot be built is among the problems
            built = document.last_good
        self._set_moved(False)
        scene.set_track(built, project)
        self._draw_marks()

    def follow(self) -> bool:
        """Follow an edit in progress; when it ends without a step go back to the project. Returns whether there was
        anything to draw: not while a rider is given another size."""
        document, scene = self._document, self._view.scene
        built = document.built() if document.project.track is not None else None
        other = scene.foreign != (built is None)
        if other:
            scene.foreign = built is None
            self._colours.show()
        if built is None or (document.previewed is None and not self.moved):
            return True
        ride = self._colours.ride()
        if self.stands and ride is scene.ride and not other:
            return False
        if not self.moved and scene.ride is None and ride is not None:
            self._colours.begin_edit()
        self._set_moved(document.previewed is not None)
        scene.ride = ride
        if self.moved:
            scene.move_track(built)
        else:
            scene.set_track(built, document.project)
        self._draw_marks()
        self._colours.show_scale(scene.scale)
        return True

    def _set_moved(self, moved: bool) -> None:
        if moved != self.moved:
            self.moved = moved
            self._on_moved()

    def _draw_marks(self) -> None:
        marks = self._marks()
        marks.show_sweep(self._sweep())
        marks.show_devices()
