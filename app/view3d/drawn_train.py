"""The train a view draws: the project's, that of the shown run, or that of an edit in progress."""

from __future__ import annotations

from collections.abc import Callable

from ...core.model.assembly import Assembly
from ...core.model.person import Person
from ...core.multibody.flatten import Flat
from ...core.project.project import Project
from ..document.document import Document
from ..document.playback import Playback
from ..document.runs import Run
from ..widgets import theme
from ..widgets.refresh import Turn
from ..widgets.theme import Colours
from ..work.task import ProgressReporter, Task
from .track_marks import TrackMarks
from .train_layer import same_bodies
from .train_parts import train_meshes
from .view import AT_ONCE, SceneView

Dress = tuple[Assembly, Flat, Colours]


class DrawnTrain:
    """Keeps the train of a scene to the document; marks(): those along its track; dressed(): the scene has the colours
    of the theme, and is to be drawn in them."""

    def __init__(
        self,
        document: Document,
        playback: Playback,
        view: SceneView,
        marks: Callable[[], TrackMarks],
        dressed: Callable[[], None],
    ) -> None:
        self._dressed = dressed
        self._dresses = Task("train in other colours", _made, view)
        self._dresses.finished.connect(self._on_made)
        self._document, self._playback, self._view, self._marks = document, playback, view, marks
        self._previewed: Project | None = None  # the edit whose train is drawn
        self._line = Turn(view, self._draw_ridden)

    @property
    def run(self) -> Run | None:
        """The shown run, unless it is a measured ride, which has no motion to draw."""
        run = self._document.current_run
        return None if run is None or run.measured is not None else run

    @property
    def outdated(self) -> bool:
        """Whether the edit in progress has another train than is drawn."""
        return self._of_edit() is not self._previewed

    @property
    def is_long(self) -> bool:
        """Whether the train that is drawn, or that of the project or of the shown run, takes a turn of its own."""
        projects = [self._document.project, *([] if self.run is None else [self.run.project])]
        tops = [project.assembly for project in projects if project.assembly is not None]
        return self._view.is_long or any(len(top.every("body")) > AT_ONCE for top in tops)

    def dress(self) -> None:
        """Make the train that is drawn in the colours of the theme: a long one beside the window, which keeps the
        colours it has until then."""
        scene = self._view.scene
        top = None if scene.project is None else scene.project.assembly
        if top is not None and scene.train.flat is not None and len(scene.train.members) > AT_ONCE:
            self._dresses.ask((top, scene.train.flat, theme.current()))
        else:
            self._on_made(theme.current())

    def _on_made(self, colours: Colours) -> None:
        if colours is theme.current():
            self._view.scene.colours = colours
            self._dressed()

    def draw(self) -> None:
        """Draw the train of an edit in progress, where that makes another one; else that of the shown run, or the
        project's."""
        scene, run, project = self._view.scene, self.run, self._document.project
        results = None if run is None else run.results
        model = project if run is None or same_bodies(project, run.project) else run.project
        self._mark_ridden(run)
        scene.time = self._playback.time
        self._previewed = self._of_edit()
        if self._previewed is not None:
            model = self._previewed
            results = results if run is not None and same_bodies(model, run.project) else None
        scene.set_train(model, results)

    def _of_edit(self) -> Project | None:
        """The edit in progress, where it has another train; riders who are given another size make one only where they
        are fitted to a seat."""
        shown, project = self._document.previewed, self._document.project
        if shown is None or shown.assembly is project.assembly:
            return None
        return shown if not same_bodies(shown, project) or _fitted(shown) != _fitted(project) else None

    def _mark_ridden(self, run: Run | None) -> None:
        """When the track has changed since the shown run: the line it was ridden on, for the train stays there."""
        drawn = self._document.project.track
        other = run is not None and run.project.track is not None and run.project.track != drawn
        self._view.scene.ridden = self._document.built(run.project) if run is not None and other else None
        if self.is_long:
            self._line.soon()
        else:
            self._marks().show_ridden()

    def _draw_ridden(self) -> None:
        self._marks().show_ridden()
        self._view.redraw()


def _made(asked: Dress, _reporter: ProgressReporter) -> Colours:
    """The colours, once there are meshes in them."""
    train_meshes(*asked)
    return asked[2]


def _fitted(project: Project) -> list[Person | None]:
    """Who sits on seats that riders are fitted to."""
    top = project.assembly
    holders = () if top is None else [holder for _, holder in top.walk() if holder.seats]
    found = []
    for holder in holders:
        made = {seat.name for seat in holder.seats if seat.shape is not None or seat.restraint is not None}
        found += [rider.person for rider in holder.riders if rider.seat in made]
    return found
