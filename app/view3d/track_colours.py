"""What the track of the 3D view is coloured by, from the point ride or the shown run, with its legend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.pointmass.result import PointRide
from ..work.assessment import assessment_of
from .colouring import BY_KEY, Scale
from .over_view import missing_scale

if TYPE_CHECKING:
    from .panel import ViewerPanel

KEY = "viewer/coloured"
PLAIN = "plain"


class TrackColours:
    """Colours the track of a panel's scene; every workspace remembers its choice."""

    def __init__(self, panel: ViewerPanel) -> None:
        self._panel = panel
        self._kept_as = KEY
        self.enter("", PLAIN)

    def enter(self, room: str, first: str) -> None:
        """Colour as was chosen last in the workspace `room`, or by `first` as long as nothing was chosen there."""
        self._kept_as = f"{KEY}/{room}" if room else KEY
        kept = self._panel.settings.value(self._kept_as)
        self.key = kept if kept in BY_KEY else first or PLAIN

    def choose(self, key: str) -> None:
        """Colour by a quantity, the key of one of `QUANTITIES`, from now on."""
        self.key = key if key in BY_KEY else PLAIN
        self._panel.settings.set_value(self._kept_as, self.key)

    def show(self) -> None:
        """Colour the track, and say by what."""
        panel = self._panel
        note, run = "", panel.document.current_run
        if self.key == "margin" and run is not None:
            margins = assessment_of(panel.document).margins(run)
            panel.scene.margins = margins or ()
            note = "Looking how much of the limits is left…" if margins is None else ""
        panel.scene.ride = self.ride()
        self.show_scale(panel.scene.colour_by(self.key), note)

    def show_scale(self, scale: Scale | None, note: str = "") -> None:
        """The legend of the colours, or why there are none."""
        panel = self._panel
        if scale is None and not note and panel.scene.built is not None:
            note = "" if panel.scene.foreign else missing_scale(self.key, panel.preview)
        panel.over.show_scale(self.key, scale, note)

    def ride(self) -> PointRide | None:
        """The point ride, unless there is a run over the drawn track, which says more."""
        document, run = self._panel.document, self._panel.ridden_run
        shown = (document.previewed or document.project).track
        if run is not None and (run.project.track is shown or run.project.track == shown):
            return None
        return self._panel.preview.ride()
