"""The window that makes a train: gallery of trains, cars and couplings, how many, how far apart, who rides."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QHideEvent, QIcon, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QListView,
    QListWidget,
    QListWidgetItem,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from ...core.base.errors import InputError
from ...core.base.fields import FieldSpec
from ...core.base.sentence import counted
from ...core.edits import couplings, train_gallery
from ...core.edits.station import waits_in_station
from ...core.edits.train import seat_riders
from ...core.model.assembly import Assembly
from ...core.model.library import list_library
from ...core.model.masses import MassBudget
from ...core.model.seat_rows import seat_rows
from ...core.model.train_drawing import side_view
from ...core.project.project import Project
from ...core.project.scenario import Ride
from ..document.document import Document, Selection
from ..widgets import theme, units
from ..widgets.number_entry import NumberEntry
from ..widgets.plain_words import plain_label, plain_tip
from ..widgets.scrolled import scrolled
from ..widgets.train_picture import TrainPicture, train_pixmap
from ..widgets.window_size import resize_on_screen
from .seat_picker import SeatPicker

TRAIN_SIZE, COUPLER_SIZE = QSize(216, 76), QSize(216, 84)
KEY = Qt.ItemDataRole.UserRole
NO_COUPLING = "Not coupled"
MAX_ON_TRACK = 10  # cars of a proposal that the 3D view draws, half a second for seven
PAUSE = 250  # ms without a change before it does


@lru_cache(maxsize=32)
def _coupler_icon(key: str, shade: str, ratio: float) -> QIcon:
    return QIcon(train_pixmap(side_view(train_gallery.sample_of(key)), COUPLER_SIZE, ratio))


@lru_cache(maxsize=32)
def _train_icon(number: int, shade: str, ratio: float) -> QIcon:
    choice = train_gallery.trains()[number]
    blank = train_gallery.empty_project()
    car = train_gallery.car_of(blank, choice.car)
    made = couplings.make_train(
        blank, car, choice.cars, choice.spacing or couplings.natural_spacing(car),
        choice.coupling, "empty",
    ).train  # fmt: skip
    assert made is not None
    return QIcon(train_pixmap(side_view(made), TRAIN_SIZE, ratio))


def _gallery(size: QSize) -> QListWidget:
    made = QListWidget()
    made.setViewMode(QListView.ViewMode.IconMode)
    made.setIconSize(size)
    made.setGridSize(QSize(size.width() + 12, size.height() + 30))
    made.setFlow(QListView.Flow.LeftToRight)
    made.setWrapping(False)
    made.setMovement(QListView.Movement.Static)
    made.setFixedHeight(size.height() + 44)
    made.setHorizontalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
    return made


class MakeTrain(QDialog):
    """Not modal in the way of exec: `open` it; one undo step when it is accepted."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.proposal: Project | None = None
        self._seats: dict[str, tuple[str, ...]] | Literal["own", "full"] = "full"
        self._own = train_gallery.own_train(document.project)
        self.setWindowTitle("Make a train")
        resize_on_screen(self, 940, 760)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        whole = QVBoxLayout(self)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 8, 0)
        whole.addWidget(scrolled(inside), 1)
        column.addWidget(self._heading("Trains"))
        column.addWidget(self._trains())
        form = QFormLayout()
        self._make_fields(form)
        column.addLayout(form)
        column.addWidget(self._heading("Couplings"))
        column.addWidget(self._couplers())
        column.addWidget(self._heading("Riders"))
        self.seats = SeatPicker()
        self.seats.changed.connect(self._seated)
        column.addWidget(self.seats)
        self.picture = TrainPicture()
        column.addWidget(self.picture, 1)
        self.note = QLabel()
        self.note.setWordWrap(True)
        whole.addWidget(self.note)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setText("Make the train")
        self.buttons.accepted.connect(self._take)
        self.buttons.rejected.connect(self.reject)
        whole.addWidget(self.buttons)
        self._track = QTimer(self)
        self._track.setSingleShot(True)
        self._track.setInterval(PAUSE)
        self._track.timeout.connect(self._show_on_track)
        document.begun.connect(self.reject)  # what is chosen from is of the project before
        self.trains.setCurrentRow(0)

    @staticmethod
    def _heading(text: str) -> QLabel:
        label = plain_label(text)
        label.setProperty("role", "heading")
        return label

    def _trains(self) -> QListWidget:
        self.trains = _gallery(TRAIN_SIZE)
        self.trains.setAccessibleName("Trains")
        if self._own is not None:
            train = self.document.project.train
            assert train is not None
            picture = train_pixmap(side_view(train), TRAIN_SIZE, self.devicePixelRatioF())
            item = QListWidgetItem(QIcon(picture), self._own.title)
            item.setToolTip(plain_tip(self._own.about))
            self.trains.addItem(item)
        for k, choice in enumerate(train_gallery.trains()):
            item = QListWidgetItem(
                _train_icon(k, theme.current().name, self.devicePixelRatioF()), choice.title
            )
            item.setToolTip(choice.about)
            self.trains.addItem(item)
        self.trains.currentRowChanged.connect(self._chosen)
        return self.trains

    def _couplers(self) -> QListWidget:
        self.couplers = _gallery(COUPLER_SIZE)
        self.couplers.setAccessibleName("Couplings")
        for entry in list_library(("coupling",)):
            icon = _coupler_icon(entry.key, theme.current().name, self.devicePixelRatioF())
            item = QListWidgetItem(icon, entry.title)
            item.setData(KEY, entry.key)
            item.setToolTip("\n".join((f"Source: {entry.source}", *entry.notes)))
            self.couplers.addItem(item)
        item = QListWidgetItem(_coupler_icon("", theme.current().name, self.devicePixelRatioF()), NO_COUPLING)
        item.setToolTip("Every car rides by itself, with its own step size")
        self.couplers.addItem(item)
        self.couplers.currentRowChanged.connect(lambda _row: self._propose())
        return self.couplers

    def _make_fields(self, form: QFormLayout) -> None:
        self.car = QComboBox()
        self.car.setAccessibleName("Car")
        for choice in train_gallery.cars(self.document.project):
            self.car.addItem(choice.title, choice.key)
            self.car.setItemData(self.car.count() - 1, choice.about, Qt.ItemDataRole.ToolTipRole)
        self.car.activated.connect(lambda _k: self._other_car())
        self.count = QSpinBox()
        self.count.setAccessibleName("Number of cars")
        self.count.setRange(1, couplings.MAX_CARS)
        self.count.setKeyboardTracking(False)
        self.count.valueChanged.connect(lambda _n: self._propose())
        spec = FieldSpec(
            "spacing", "Spacing", "number", "From the origin of one car to that of the next.", "m"
        )
        self.spacing = NumberEntry(spec)
        self.spacing.given.connect(self._spaced)
        self.spacing.refused.connect(self._refuse)
        self._apart = 0.0
        self.behind = QCheckBox("Add it behind the present train, not coupled to it")
        self.behind.setEnabled(self.document.project.train is not None)
        self.behind.toggled.connect(lambda _on: self._propose())
        self.attach = QComboBox()
        self.attach.setAccessibleName("Couplings attached to")
        self.attach.setToolTip(
            "The body of every car that the couplings pull. The frame carries the running gear; a body on springs"
            " above it would be drawn up and down by them."
        )
        self.attach.activated.connect(lambda _k: self._propose())
        row = QHBoxLayout()
        row.addWidget(self.car, 2)
        row.addWidget(QLabel("Number"))
        row.addWidget(self.count)
        row.addWidget(QLabel("Spacing"))
        row.addWidget(self.spacing, 1)
        form.addRow("Car", row)
        form.addRow("Couplings attached to", self.attach)
        form.addRow("", self.behind)

    # -- choices

    def _chosen(self, number: int) -> None:
        """Take over a train of the gallery."""
        if number < 0:
            return
        choice = self._choice(number)
        for widget in (self.car, self.count, self.couplers):
            widget.blockSignals(True)
        self.car.setCurrentIndex(self.car.findData(choice.car))
        self.count.setValue(choice.cars)
        keys = [self.couplers.item(k).data(KEY) for k in range(self.couplers.count())]
        self.couplers.setCurrentRow(keys.index(choice.coupling))
        for widget in (self.car, self.count, self.couplers):
            widget.blockSignals(False)
        self._seats = {} if choice.riders == "empty" else "own" if choice.riders == "own" else "full"
        self._take_car(choice.spacing)

    def _choice(self, number: int) -> train_gallery.TrainChoice:
        """The train of an entry of the gallery: first that of the project, where it has one."""
        own = () if self._own is None else (self._own,)
        found: tuple[train_gallery.TrainChoice, ...] = (*own, *train_gallery.trains())
        return found[number]

    def _other_car(self) -> None:
        """Another car is chosen: of the project with its riders."""
        if self.car.currentData().startswith("own:"):
            self._seats = "own"
        self._take_car()

    def _take_car(self, spacing: float | None = None) -> None:
        try:
            car = train_gallery.car_of(self.document.project, self.car.currentData())
        except InputError as error:
            self._refuse(units.told(error))
            return
        kept, names = self.attach.currentData(), couplings.attachable(car)
        self.attach.clear()
        for k, name in enumerate(names):
            self.attach.addItem(f"{name} (carries the running gear)" if k == 0 else name, name)
        self.attach.setCurrentIndex(names.index(kept) if kept in names else 0)
        self.attach.setEnabled(len(names) > 1)
        self._spaced(spacing or max(couplings.natural_spacing(car), self._room(car)))

    @staticmethod
    def _room(car: Any) -> float:
        """Spacing (m) that a car which is a single body leaves room for."""
        return 13.976 if len(car.every("body")) == 1 else 0.0

    def _spaced(self, value: float) -> None:
        self._apart = value
        self.spacing.set_value(value)
        self._propose()

    def _seated(self) -> None:
        self._seats = self.seats.ticked()
        self._propose(rows=False)

    def _propose(self, rows: bool = True) -> None:
        """Work out the train and show it."""
        project = self.document.project
        item = self.couplers.currentItem()
        try:
            car = train_gallery.car_of(project, self.car.currentData())
            made = couplings.make_train(
                project, car, self.count.value(), self._apart, None if item is None else item.data(KEY),
                "own", behind=self.behind.isChecked() and self.behind.isEnabled(),
                attach=self.attach.currentData(),
            )  # fmt: skip
            made = self._seat(made, rows)
        except InputError as error:
            self._refuse(units.told(error))
            return
        self.proposal = made
        train = made.train
        assert train is not None
        self.picture.show_train(side_view(train))
        self.note.setProperty("role", "muted")
        told = _told(project, made, train)
        if len(train.children) > MAX_ON_TRACK:
            told.append(f"More than {MAX_ON_TRACK} cars are seen on the track when they are made.")
        self.note.setText(" ".join(told))
        self._restyle()
        self._track.start()

    def _show_on_track(self) -> None:
        """Show the proposed train on the track as long as the window is open, if it is drawn without a pause."""
        train = None if self.proposal is None else self.proposal.train
        short = train is not None and len(train.children) <= MAX_ON_TRACK
        self.document.preview(self.proposal if short and self.isVisible() else None)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._track.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._track.stop()
        self._show_on_track()

    def _seat(self, made: Project, rows: bool) -> Project:
        train = made.train
        assert train is not None
        first = len(train.children) - self.count.value()
        mine = {car.name for car in train.children[first:]}
        every = tuple(row for row in seat_rows(train) if row.car in mine)
        if self._seats == "own":
            wanted = {
                car: tuple(s.seat for r in every if r.car == car for s in r.seats if s.rider) for car in mine
            }
        elif self._seats == "full":
            wanted = {car: tuple(s.seat for r in every if r.car == car for s in r.seats) for car in mine}
        else:
            wanted = {car: seats for car, seats in self._seats.items() if car in mine}
        if rows:
            self.seats.blockSignals(True)
            self.seats.show_rows(every, {(car, seat) for car, seats in wanted.items() for seat in seats})
            self.seats.blockSignals(False)
        return seat_riders(made, wanted)

    def _refuse(self, text: str) -> None:
        self.proposal = None
        self._track.start()
        self.note.setProperty("role", "bad")
        self.note.setText(text)
        self._restyle()

    def _restyle(self) -> None:
        self.note.style().unpolish(self.note)
        self.note.style().polish(self.note)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(self.proposal is not None)

    def _take(self) -> None:
        if self.proposal is None:
            return
        count = self.count.value()
        self._track.stop()
        self.document.preview(None)
        self.document.apply(f"Make a train of {counted(count, 'car')}", self.proposal)
        self.document.select(Selection("assembly", ()))
        self.accept()


def _told(project: Project, made: Project, train: Assembly) -> list[str]:
    """What a proposed train is, who rides in it and where its ride begins, in sentences."""
    length = train.children[-1].offset
    budget = MassBudget(tuple(train.mass_rows()))
    riders, empty = budget.aboard, budget.empty
    told = [
        f"{counted(len(train.children), 'car')}, {units.text(length, 'm')} from the first to the last, each with"
        f" {units.text(empty / len(train.children), 'kg', decimals=0)} empty;"
        f" {counted(len(train.couplings), 'coupling')}."
    ]
    if riders:
        least, most = (units.text(x, "kg", decimals=0) for x in (min(riders), max(riders)))
        spread = least if least == most else f"{least} to {most}"
        told.append(
            f"{counted(len(riders), 'rider')} of {spread},"
            f" {units.text(budget.total, 'kg', decimals=0)} together with the cars."
        )
    before, after = project.scenario, made.scenario
    if before != after and isinstance(after, Ride):
        place = units.text(after.start, "m")
        told.append(
            "The ride begins in the station."
            if waits_in_station(made)
            else f"The ride begins at {place}, so that the whole train stands on the track."
        )
    return told


class LoadTrain(QDialog):
    """Who rides: seats row by row, one undo step."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.document = document
        train = document.project.train
        assert train is not None
        self.setWindowTitle("Load the cars")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(720, 280)
        column = QVBoxLayout(self)
        hint = QLabel("Ticked seats are taken by riders of the library; who sits there already stays.")
        hint.setProperty("role", "muted")
        hint.setWordWrap(True)
        column.addWidget(hint)
        self.seats = SeatPicker()
        rows = seat_rows(train)
        self.seats.show_rows(rows, {(s.car, s.seat) for row in rows for s in row.seats if s.rider})
        column.addWidget(self.seats)
        self.refusal = QLabel()
        self.refusal.setProperty("role", "bad")
        self.refusal.setWordWrap(True)
        column.addWidget(self.refusal)
        column.addStretch(1)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setText("Load")
        self.buttons.accepted.connect(self._take)
        self.buttons.rejected.connect(self.reject)
        column.addWidget(self.buttons)

    def _take(self) -> None:
        try:
            made = seat_riders(self.document.project, self.seats.ticked())
        except InputError as error:
            self.refusal.setText(units.told(error))
            return
        if made != self.document.project:
            self.document.apply("Load the cars", made)
        self.accept()
