"""The people at hand: usual bodies, which are dragged onto a seat in the 3D view or in the tree."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QMimeData, QSize, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem, QWidget

from ...core.base.errors import InputError
from ...core.human.anthropometry import size_of
from ...core.human.population import ANYBODY, Admitted, Named, usual
from ..widgets import units
from ..widgets.people_drag import carried

HINT: Final = (
    "Drag somebody onto a seat, in the 3D view or in Project. Double-click: in the place of the rider shown."
)
ROWS: Final = 5


class PeopleList(QListWidget):
    """Five usual bodies, with stature and mass; of those whom the project admits."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("People")
        self.setToolTip(HINT)
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self._admitted = ANYBODY
        self.people: tuple[Named, ...] = usual()
        self.say()

    def admit(self, admitted: Admitted) -> None:
        """List those whom a project admits; where no body can be made of that, those of before."""
        if admitted == self._admitted:
            return
        self._admitted = admitted
        try:
            self.people = usual(admitted)
        except InputError:  # told by the panel of who may ride
            return
        self.say()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.setFixedHeight(ROWS * self.sizeHintForRow(0) + 2 * self.frameWidth() + 2)

    def sizeHint(self) -> QSize:
        return QSize(220, self.height())

    def say(self) -> None:
        """Write who they are, in the units of now."""
        self.clear()
        self.addItems([""] * len(self.people))
        for k, somebody in enumerate(self.people):
            size = size_of(somebody.person)
            figures = (units.text(size.stature.value, "m"), units.text(size.mass.value, "kg"))
            label = somebody.label.partition(",")[0]
            self.item(k).setText(f"{label}: {', '.join(figures)}")

    def somebody(self, row: int) -> Named:
        """Who stands in a row."""
        return self.people[row]

    def mimeData(self, items: list[QListWidgetItem]) -> QMimeData:  # type: ignore[override]
        return carried(self.people[self.row(items[0])])
