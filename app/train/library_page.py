"""The library's cars as pictures, with what each measures, where it comes from, and what was chosen."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from ...core.base.errors import InputError
from ...core.edits.elements import car_extent
from ...core.edits.new_elements import new_car
from ...core.model.assembly import Assembly
from ...core.model.library import LibraryEntry, list_library, load_vehicle
from ...core.model.masses import mass_budget
from ...core.model.own_library import PREFIX, library_faults, remove_car
from ...core.model.train_drawing import side_view
from ..widgets import dialogs, theme, units
from ..widgets.plain_words import plain_label
from ..widgets.train_picture import TrainPicture, train_pixmap

SIZE = QSize(150, 62)
FIRST = "viegas2016"
NOTHING = LibraryEntry(
    "",
    "vehicle",
    "Empty car",
    "From nothing",
    (
        "One body of 500 kg that follows the track as a whole, with the library's losses.",
        "Bodies, wheels, joints, springs and seats are then added in the project tree or the inspector.",
    ),
)
KEY = Qt.ItemDataRole.UserRole


@lru_cache(maxsize=64)
def _icon(car: Assembly, shade: str, ratio: float) -> QIcon:
    return QIcon(train_pixmap(side_view(car), SIZE, ratio))


def car_of(key: str) -> Assembly:
    """The car of a key of the page."""
    return load_vehicle(key) if key else new_car()


def figures(car: Assembly) -> tuple[tuple[str, str], ...]:
    """What a car measures, in words and the units shown."""
    rear, front = car_extent(car)
    seats = [seat.position for seat in car.own("seat").values()]
    rows = len({round(place[0], 2) for place in seats})
    across = [place[1] for place in seats]
    told = [
        ("Empty mass", units.text(mass_budget(car).empty, "kg", decimals=0)),
        ("Seats", f"{len(seats)} in {rows} row{'s' if rows != 1 else ''}" if seats else "none"),
    ]
    if front > rear:
        told.append(("First to last axle", units.text(front - rear, "m")))
    if len(across) > 1:
        told.append(("Outermost seats apart", units.text(max(across) - min(across), "m")))
    model = f"{len(car.own('body'))} bodies, {len(car.own('joint'))} joints, {len(car.own('force'))} force elements"
    return (*told, ("Model", model))


class LibraryPage(QDialog):
    """Choose a car; `key` is the one chosen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Library of cars")
        self.resize(860, 560)
        self._entries: tuple[LibraryEntry, ...] = ()
        self.list = QListWidget()
        self.list.setAccessibleName("Cars")
        self.list.setIconSize(SIZE)
        self.list.setWordWrap(True)
        self.list.setSpacing(2)
        self.list.currentRowChanged.connect(self._show)
        self.list.itemDoubleClicked.connect(lambda _item: self.accept())
        self.title = plain_label()
        self.title.setProperty("role", "heading")
        self.title.setWordWrap(True)
        self.picture = TrainPicture()
        self.picture.setFixedHeight(150)
        self.about = QTextBrowser()
        self.about.setAccessibleName("About the car")
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(8, 0, 0, 0)
        for part in (self.title, self.picture, self.about):
            column.addWidget(part)
        split = QSplitter()
        split.addWidget(self.list)
        split.addWidget(right)
        split.setSizes([400, 460])
        buttons = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(buttons.Ok | buttons.Cancel)
        self.buttons.button(buttons.Ok).setText("Add")
        self.remove = self.buttons.addButton("Remove from my library", QDialogButtonBox.ButtonRole.ActionRole)
        self.remove.setAutoDefault(False)
        self.remove.clicked.connect(self._remove)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.left_out = plain_label()
        self.left_out.setWordWrap(True)
        self.left_out.setProperty("role", "warn")
        whole = QVBoxLayout(self)
        whole.addWidget(split, 1)
        whole.addWidget(self.left_out)
        whole.addWidget(self.buttons)
        self._fill(FIRST)

    @property
    def key(self) -> str:
        """Key of the car that is picked; "" for the empty one."""
        return self._entries[max(self.list.currentRow(), 0)].key

    def _fill(self, picked: str) -> None:
        self._entries = (*list_library(("vehicle",)), NOTHING)
        faults = library_faults()
        self.left_out.setText("\n".join(faults))
        self.left_out.setVisible(bool(faults))
        self.list.clear()
        shade, ratio = theme.current().name, self.devicePixelRatioF()
        for entry in self._entries:
            own = " (mine)" if entry.key.startswith(PREFIX) else ""
            item = QListWidgetItem(_icon(car_of(entry.key), shade, ratio), f"{entry.title}{own}")
            item.setData(KEY, entry.key)
            self.list.addItem(item)
        keys = [entry.key for entry in self._entries]
        self.list.setCurrentRow(keys.index(picked) if picked in keys else 0)
        self.list.scrollToItem(self.list.currentItem())

    def _show(self, row: int) -> None:
        if row < 0:
            return
        entry = self._entries[row]
        try:
            car = car_of(entry.key)
        except InputError:  # its file was changed while the page was open
            self._fill(FIRST)
            return
        self.title.setText(entry.title)
        self.picture.show_train(side_view(car))
        lines = [f"{what}: {value}" for what, value in figures(car)]
        told = ["\n".join(lines), f"Source: {entry.source}", *entry.notes]
        self.about.setPlainText("\n\n".join(told))
        self.remove.setVisible(entry.key.startswith(PREFIX))

    def _remove(self) -> None:
        try:
            remove_car(self.key)
        except InputError as error:
            dialogs.message(self, "The car was not removed", units.told(error), bad=True)
        self._fill(FIRST)
