"""What the track of the 3D view is coloured by, from the point ride or the shown run, with its legend."""

from __future__ import annotations

from collections.abc import Callable

from ...core.pointmass.result import PointRide
from ..document.document import Document
from ..document.runs import Run
from ..widgets.settings import Settings
from ..work.assessment import assessment_of
from ..work.preview import RidePreview
from .colouring import BY_KEY, LOADS, Scale
from .over_view import OverView, missing_scale
from .view import SceneView

KEY = "viewer/coloured"
PLAIN = "plain"


class TrackColours:
    """Colours the track of a view's scene; every workspace remembers its choice. ridden(): the run whose motion is
    drawn."""

    def __init__(
        self,
        document: Document,
        settings: Settings,
        view: SceneView,
        over: OverView,
        preview: RidePreview,
        ridden: Callable[[], Run | None],
    ) -> None:
        self._document, self._settings, self._view = document, settings, view
        self._over, self._preview, self._ridden = over, preview, ridden
        self._kept_as = KEY
        self.enter("", PLAIN)

    def enter(self, room: str, first: str) -> None:
        """Colour as was chosen last in the workspace `room`, or by `first` as long as nothing was chosen there."""
        self._kept_as = f"{KEY}/{room}" if room else KEY
        kept = self._settings.value(self._kept_as)
        self.key = kept if kept in BY_KEY else first or PLAIN

    def choose(self, key: str) -> None:
        """Colour by a quantity, the key of one of `QUANTITIES`, from now on."""
        self.key = key if key in BY_KEY else PLAIN
        self._settings.set_value(self._kept_as, self.key)

    def show(self) -> None:
        """Colour the track, and say by what."""
        scene = self._view.scene
        note, run = "", self._document.current_run
        if self.key == "margin" and run is not None:
            margins = assessment_of(self._document).margins(run)
            scene.margins = margins or ()
            note = "Looking how much of the limits is left…" if margins is None else ""
        scene.ride = self.ride()
        self.show_scale(scene.colour_by(self.key), note)

    def begin_edit(self) -> None:
        """Leave the colours of a run for those of the point ride before the edit: their scale is kept through it."""
        scene = self._view.scene
        scene.ride = self._preview.ride(self._document.project)
        scene.colour_by(self.key)

    def show_scale(self, scale: Scale | None, note: str = "") -> None:
        """The legend of the colours, or why there are none."""
        scene = self._view.scene
        if scale is None and not note and scene.built is not None:
            note = "" if scene.foreign else missing_scale(self.key, self._preview, self._document.current_run)
        self._over.show_scale(self.key, scale, note)

    def ride(self) -> PointRide | None:
        """The point ride, unless there is a run over the drawn track, which says more; of loads one with riders."""
        document, run = self._document, self._ridden()
        shown = (document.previewed or document.project).track
        felt = run is not None and (self.key not in LOADS or bool(run.results.names.riders))
        if run is not None and felt and (run.project.track is shown or run.project.track == shown):
            return None
        return self._preview.ride()
