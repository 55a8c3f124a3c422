"""What lies over the 3D view: plates of buttons, legend, keys, axes, a notice, and a sentence while there is nothing to
draw. Together they take a small share of the view and nothing of what is edited: what has no room is folded away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from ...core.base.arrays import Array
from ...core.project.project import Project
from ...core.project.scenario import Rig
from ..document.runs import Run
from ..widgets import theme
from ..widgets.icons import icon
from ..work.preview import PREPARING, RidePreview
from .colouring import BY_KEY, LOADS, ON_RIDE, Scale
from .controls import MARGIN, ViewControls
from .framing import Subject
from .overlays import CROSS, Gizmo, Keys, Legend, paint_overlays

if TYPE_CHECKING:
    import pyvista as pv

NO_TRACK = "The track will be drawn here.\nDraw one in the Points panel, or open an example."
NO_CAR = "The first car will stand here.\nTrain > Add car from library brings one; Add beside the tree an empty one."
MAX_SHARE: Final = 0.12  # of the view's area for all that lies over it
WIDEST: Final = 520  # px of the notice
FELT: Final = ("margin", "airtime", *LOADS)  # what needs riders
NEAR: Final = 12  # px that what is edited stays away from what lies over the view


def empty_text(project: Project, subject: Subject) -> str:
    """What comes into a view that shows a subject, where a project has nothing yet that could be drawn; else ""."""
    top = project.assembly
    if (
        project.track is not None
        or isinstance(project.scenario, Rig)
        or (top is not None and top.every("body"))
    ):
        return ""
    return NO_TRACK if subject == "everything" else NO_CAR


class OverView(QObject):
    """The widgets over the view of a panel, each in its corner. Call `place` when the panel has another size.

    notice: a widget in the middle above, where there is one. put_away(name): the cross of "legend" or "keys" was
    clicked.
    """

    put_away = Signal(str)

    def __init__(self, panel: QWidget) -> None:
        super().__init__(panel)
        self._panel = panel
        self.legend = Legend(panel)
        self.keys = Keys(panel)
        self.gizmo = Gizmo(panel)
        self.empty = QLabel("", panel)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setWordWrap(True)
        self.empty.hide()
        self.controls = ViewControls(panel)
        self.notice: QWidget | None = None
        self._crosses = {name: self._cross(name) for name in ("legend", "keys")}
        self._wanted = {"legend": True, "keys": True, "axes": True}
        self._edited = np.zeros((0, 2))  # pixels of what is edited

    def _cross(self, name: str) -> QToolButton:
        button = QToolButton(self._panel)
        button.setIcon(icon("close"))
        button.setIconSize(QSize(8, 8))
        button.setStyleSheet("padding: 1px; border: none")
        button.setFixedSize(int(CROSS) + 2, int(CROSS) + 2)
        button.setToolTip("Put this away; Show brings it back")
        button.setAccessibleName(f"Put the {name} away")
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(lambda _=False: self.put_away.emit(name))
        button.hide()
        return button

    def want(self, name: str, on: bool) -> None:
        """Have "legend", "keys" or "axes" where there is room, or not at all."""
        self._wanted[name] = on
        self.place()

    def shown(self) -> list[QWidget]:
        """The widgets that lie over the view now."""
        every = (self.controls.left, self.controls.right, self.notice, self.legend, self.keys, self.gizmo)
        return [one for one in every if one is not None and not one.isHidden()]

    def clear(self, edited: Array) -> None:
        """Keep away from pixels (n, 2) of what is edited."""
        edited = edited[np.isfinite(edited).all(axis=1)] if len(edited) else edited
        if not np.array_equal(edited, self._edited):
            self._edited = edited
            self.place()

    def place(self) -> None:
        """Put everything into its corner of the panel; what has no room, or lies over what is edited, is not shown."""
        wide, high = self._panel.width(), self._panel.height()
        left, right = self.controls.left, self.controls.right
        self.controls.place(wide)
        self.legend.move(wide - self.legend.width() - MARGIN, high - self.legend.height() - MARGIN)
        self.gizmo.move(MARGIN, high - self.gizmo.height() - MARGIN)
        self.keys.move(MARGIN, self.gizmo.y() - self.keys.height() - 4)
        self.empty.setGeometry(wide // 4, high // 3, wide // 2, high // 3)
        room = MAX_SHARE * wide * high
        for plate in (left, right):
            room -= plate.width() * plate.height()
            plate.setVisible(not self._covers(plate))
        room = self._place_notice(wide, room)
        for name, one, speaks in (
            ("legend", self.legend, self.legend.speaks),
            ("axes", self.gizmo, True),
            ("keys", self.keys, self.keys.speaks),
        ):
            area = one.width() * one.height()
            on = self._wanted[name] and speaks and area <= room and not self._covers(one)
            room -= area if on else 0
            one.setVisible(on)
            if name in self._crosses:
                self._place_cross(name, one, on)

    def _place_notice(self, wide: int, room: float) -> float:
        """The notice stands between the plates where it has room, else below; returns the room (px^2) that is left."""
        notice, left, right = self.notice, self.controls.left, self.controls.right
        if notice is None or notice.isHidden():
            return room
        size = notice.sizeHint()
        between = right.x() - left.geometry().right() - 2 * MARGIN
        beside = between >= min(size.width(), WIDEST) and right.y() == left.y()
        width = min(size.width(), WIDEST, between if beside else wide - 2 * MARGIN)
        x = left.geometry().right() + MARGIN + (between - width) // 2 if beside else (wide - width) // 2
        y = MARGIN if beside else max(left.geometry().bottom(), right.geometry().bottom()) + MARGIN
        notice.setGeometry(x, y, width, size.height())
        notice.raise_()
        return room - width * size.height()

    def _place_cross(self, name: str, one: QWidget, on: bool) -> None:
        cross = self._crosses[name]
        cross.setVisible(on)
        cross.move(one.geometry().topRight() - QPoint(cross.width() + 1, -2))
        cross.raise_()

    def _covers(self, one: QWidget) -> bool:
        """Whether a widget lies over what is edited."""
        area = one.geometry().adjusted(-NEAR, -NEAR, NEAR, NEAR)
        return any(area.contains(round(x), round(y)) for x, y in self._edited)

    def show_scale(self, key: str, scale: Scale | None, note: str = "") -> None:
        """The legend of the track coloured by a quantity; without a scale the note, if there is one."""
        spoke = self.legend.speaks
        self.legend.show_scale(scale, note)
        if self.controls.show_colour(key) or self.legend.speaks is not spoke:
            self.place()

    def show_keys(self, entries: list[tuple[str, str]]) -> None:
        """What colours of lines, arrows and marks mean."""
        if self.keys.show_entries(entries):
            self.place()

    def show_empty(self, text: str) -> None:
        """Say how something comes into the view, or nothing."""
        self.empty.setText(text)
        self.empty.setVisible(bool(text))

    def restyle(self) -> None:
        """Take over the colours of the theme."""
        self.controls.restyle()
        for cross in self._crosses.values():
            cross.setIcon(icon("close"))

    def turn_gizmo(self, camera: pv.Camera) -> None:
        """Turn the axes as a camera sees them."""
        ahead, up = np.array(camera.direction), np.array(camera.up)
        right = np.cross(ahead, up)
        size = float(np.linalg.norm(right))
        if size > 1e-9:
            right /= size
            self.gizmo.turn(right, np.cross(right, ahead), ahead)

    def paint_on(self, image: QImage, scale: Scale | None, colours: theme.Colours) -> None:
        """Draw legend and keys into a picture of the view in device pixels."""
        sizes = self.legend.size(), self.keys.size()
        paint_overlays(image, self._panel.devicePixelRatioF(), scale, self.keys.entries, sizes, colours)


def missing_scale(key: str, preview: RidePreview, run: Run | None = None) -> str:
    """Why the track has no colours of a quantity; "" when nothing is missing."""
    quantity = BY_KEY[key]
    if quantity.source != "run":
        return ""
    if key in ON_RIDE and preview.fault():
        return PREPARING if preview.preparing else "The point ride has no colours: see Problems."
    if run is not None and key in FELT and not run.results.names.riders:
        return f"{quantity.name} is what riders feel, and the shown run has none."
    return f"{quantity.name} is known after a run. Press F5 to ride the track."
