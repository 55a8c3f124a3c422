"""What Profile and Plan share: curves of the track with its points, the button that shows all of it, the readout."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from ...core.project.project import Project
from ...core.track.build import BuiltTrack
from ..document.document import Document
from ..widgets import icons
from ..widgets.elided import ElidedLabel
from ..widgets.settings import Settings
from ..work.preview import RidePreview
from .dragging import SnapBox
from .panel import TrackPanel
from .point_plot import PointPlot
from .track_points import TrackCurves, track_curves


class CurvePanel(TrackPanel):
    """Base of the panels that draw curves. place_hovered carries the arc length under the mouse (m), or None."""

    place_hovered = Signal(object)

    def __init__(
        self, document: Document, settings: Settings, empty: str, parent: QWidget | None = None
    ) -> None:
        """empty: what is said while there is no track to draw."""
        super().__init__(document, settings, parent)
        self.preview = RidePreview.of(document)
        self.curves: TrackCurves | None = None
        self.foreign = False  # the curves are not those of the design
        self._point_plots: list[PointPlot] = []
        self._number = 0  # of the dragged point
        self._plot_dragged: PointPlot | None = None
        self._empty = QLabel(empty)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setWordWrap(True)
        self._empty.setProperty("role", "muted")

    def fill_bar(self, chooser: QWidget) -> QHBoxLayout:
        """The bar above the curves: what chooses them, the snapping, the button that shows all, the readout."""
        bar = QHBoxLayout()
        bar.setContentsMargins(8, 4, 8, 4)
        bar.setSpacing(4)
        bar.addWidget(chooser)
        bar.addSpacing(8)
        self.snap = SnapBox(self.settings)
        bar.addWidget(self.snap)
        self._fit_button = QToolButton()
        self._fit_button.setIcon(icons.icon("frame"))
        self._fit_button.setToolTip("Undoes zoom and shift: both axes fit the track from end to end")
        self._fit_button.setAccessibleName("Show the whole track")
        self._fit_button.clicked.connect(self.fit)
        bar.addWidget(self._fit_button)
        self.readout = ElidedLabel()
        self.readout.setProperty("role", "muted")
        self.readout.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        bar.addWidget(self.readout, 1)
        return bar

    def add_plot(self, plot: PointPlot) -> None:
        """Take a plot into those that are fitted and dressed together and select points by a band."""
        self._point_plots.append(plot)
        plot.band.connect(self._band)

    def fit(self) -> None:
        """Show the whole track."""
        self._let_fit()
        self.refresh_now()

    def units_changed(self) -> None:
        self._let_fit()
        super().units_changed()

    def restyle(self) -> None:
        for plot in self._point_plots:
            plot.restyle()
        self._fit_button.setIcon(icons.icon("frame"))

    def _let_fit(self) -> None:
        for plot in self._point_plots:
            plot.moved_by_hand = False

    def _take_curves(self, project: Project, built: BuiltTrack | None) -> None:
        """The curves of a track, or while it cannot be built those of the last one of this project that could."""
        self.foreign = built is None and project.track is not None
        shown = self.document.last_good if self.foreign else built
        self.curves = None if shown is None else track_curves(shown)

    def _show_worst(self) -> None:
        """What the drag does to the loads of the section, beside the dragged point."""
        plot = self._plot_dragged
        if self.drag is None or plot is None or self._number >= len(plot.points):
            return
        position = QPointF(*plot.scene_points()[self._number])
        if not np.isfinite([position.x(), position.y()]).all():
            return
        self.label.say(self.preview.drag_text(self.points.section[self._number]))
        self.label.put_at(plot.mapTo(self, plot.mapFromScene(position)))

    def _band(self, numbers: list[int]) -> None:
        chosen = self.points.selection_of(numbers)
        if chosen is not None:
            self.document.select(chosen)
