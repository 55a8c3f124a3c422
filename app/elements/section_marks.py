"""Borders and names of the sections, devices and the ground of the site, drawn in the 3D view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import vtkmodules.vtkRenderingFreeType  # noqa: F401  (draws the letters)
from numpy.typing import ArrayLike, NDArray
from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QFontMetrics
from vtkmodules.vtkRenderingCore import vtkBillboardTextActor3D, vtkProp

from ...core.track.build import BuiltTrack
from ..document.document import Document
from ..view3d.actors import make_actor
from ..view3d.ground_actors import hill_actors, tunnel_actors
from ..view3d.mesh import rgb, rod, solid
from ..view3d.overlays import small_font
from ..widgets import theme

if TYPE_CHECKING:
    from ..view3d.panel import ViewerPanel

BORDERS, HILLS, TUNNELS = "section borders", "hills", "tunnels"  # groups of marks
LETTERS = 13  # px
ABOVE = 2.6  # m of the names above the rails
MIN_LENGTH = 6.0  # m of a section below which its name is left out
MAX_NAMES = 60
NAMES = "names"  # in the menu of what is shown; the hills have the name of their group there


def border_actors(built: BuiltTrack) -> list[vtkProp]:
    """A bar across the track where a section begins; names above the middles, that of the longest section first."""
    colours = theme.current()
    half = 0.5 * built.track.gauge + 0.5
    bars = []
    for span in built.sections:
        state = built.centreline.state(span.s0)
        middle, side = state.curve[0, 0] + 0.05 * state.up[0], half * state.left[0]
        bars.append(rod(middle - side, middle + side, 0.07, colours.text, sides=6))
    actors: list[vtkProp] = [make_actor(solid(*bars), lit=False)]
    named = sorted((x for x in built.sections if x.s1 - x.s0 >= MIN_LENGTH), key=lambda x: x.s0 - x.s1)
    for span in named[:MAX_NAMES]:
        state = built.centreline.state(0.5 * (span.s0 + span.s1))
        x, y, z = (float(v) for v in state.curve[0, 0] + ABOVE * state.up[0])
        label = vtkBillboardTextActor3D()
        label.SetInput(span.name)
        label.SetPosition(x, y, z)
        label.SetPickable(False)
        look = label.GetTextProperty()
        look.SetFontSize(LETTERS)
        look.SetColor(*(v / 255.0 for v in rgb(colours.text)))
        look.SetBackgroundColor(*(v / 255.0 for v in rgb(colours.panel)))
        look.SetBackgroundOpacity(0.75)
        look.SetJustificationToCentered()
        actors.append(label)
    return actors


def without_overlap(positions: ArrayLike, sizes: ArrayLike) -> NDArray[np.bool_]:
    """Which texts centred over positions (n, 2) px with sizes (n, 2) px can be read, (n,): earlier ones go first."""
    at, half = np.asarray(positions, dtype=float), 0.5 * np.asarray(sizes, dtype=float)
    shown = np.zeros(len(at), dtype=bool)
    for k in range(len(at)):
        apart = np.abs(at[shown] - at[k]) >= half[shown] + half[k]
        shown[k] = np.all(np.isfinite(at[k])) and bool(np.all(np.any(apart, axis=1)))
    return shown


class SectionMarks(QObject):
    """Keeps the marks in step with the document; names only while they are wanted."""

    def __init__(self, document: Document, viewer: ViewerPanel) -> None:
        super().__init__(viewer)
        self._document, self._viewer = document, viewer
        self._drawn: BuiltTrack | None = None
        self._names: list[vtkBillboardTextActor3D] = []
        self._sizes: list[tuple[float, float]] = []
        self._places: list[tuple[float, float, float]] = []
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self.refresh)
        document.project_changed.connect(lambda _: self._soon.start())
        document.preview_changed.connect(lambda _: self._soon.start())
        viewer.show_menu.part_toggled.connect(
            lambda name, _on: self._again() if name in (NAMES, HILLS) else None
        )
        viewer.settings.changed.connect(lambda name: self._again() if name == "theme" else None)
        viewer.plotter.aimed.connect(self._part_names)
        viewer.filled.connect(self._soon.start)

    def _again(self) -> None:
        self._drawn = None
        self._soon.start()

    def refresh(self) -> None:
        """Draw borders, names and ground of the track as it is on screen."""
        if not self._viewer.plotter.ready:
            return
        project = self._document.previewed or self._document.project
        built = self._document.built() if project.track is not None else None
        if built is not None and built is self._drawn:
            return
        if built is None and project.track is not None:
            return  # the last good track stays
        self._drawn = built
        marks = self._viewer.scene.marks
        boxes = self._viewer.show_menu.boxes
        for group, wanted, draw in (
            (BORDERS, boxes[NAMES].isChecked(), border_actors),
            (HILLS, boxes[HILLS].isChecked(), hill_actors),
            (TUNNELS, True, tunnel_actors),
        ):
            actors = draw(built) if built is not None and wanted else []
            marks.set(group, actors)
            if group == BORDERS:
                self._take_names(actors)
        self._viewer.plotter.redraw()

    def _take_names(self, actors: Sequence[vtkProp]) -> None:
        """Keep the names with what does not change from picture to picture: their places (m) and sizes (px)."""
        self._names = [x for x in actors if isinstance(x, vtkBillboardTextActor3D)]
        letters = QFontMetrics(small_font(LETTERS))
        self._sizes = [
            (letters.horizontalAdvance(name.GetInput()) + 6, 1.4 * LETTERS) for name in self._names
        ]
        self._places = [name.GetPosition() for name in self._names]

    def _part_names(self) -> None:
        """Leave out names that would lie over one another."""
        if not self._names:
            return
        positions = self._viewer.world_to_screen(self._places)
        for name, on in zip(self._names, without_overlap(positions, self._sizes), strict=True):
            name.SetVisibility(bool(on))
