"""The menu of what the view shows: parts of the scene, arrows, and the frame sweep with its options."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QLabel,
    QMenu,
    QVBoxLayout,
    QWidget,
    QWidgetAction,
)

from ..widgets import units
from .flexible_layer import FACTORS
from .marks import Sweep

PARTS: Final = (
    ("supports", "Supports", True),
    ("ties", "Ties between the rails", True),
    ("station", "Station", True),
    ("grid", "Grid on the ground", True),
    ("hills", "Hills of the height field", True),
    ("names", "Borders and names of the sections", False),
    ("forces", "Forces of the rails on the wheels", False),
    ("accelerations", "Acceleration the riders feel", False),
    ("contacts", "Contacts: where surfaces meet, and their forces", True),
    ("legend", "Legend of the colours", True),
    ("keys", "What marks and lines mean", True),
    ("axes", "Axes in the corner", True),
)
OVER: Final = ("legend", "keys", "axes")  # lie over the view
NEWER: Final = (
    "hills",
    "contacts",
    *OVER,
)  # parts that states kept by earlier versions do not name: shown unless named with a minus
SWEEPS: Final = ("centreline", "rails", "curvature")
FRAMES: Final = (
    (None, "Frame of the track"),
    ("canted", "Canted track frame"),
    ("frenet", "Frenet frame"),
    ("rotation_minimising", "Rotation-minimising frame"),
)


class ShowMenu(QMenu):
    """Check boxes that stay open while they are used. part_toggled(name, on); sweep_changed(Sweep or None);
    bending_changed(factor): how much larger than it is bending is drawn."""

    part_toggled = Signal(str, bool)
    bending_changed = Signal(float)
    sweep_changed = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        body = QWidget()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(12, 8, 12, 8)
        layout.setSpacing(4)
        layout.addWidget(_heading("Show"))
        self.boxes: dict[str, QCheckBox] = {}
        for name, title, on in PARTS:
            if name == OVER[0]:
                layout.addSpacing(8)
                layout.addWidget(_heading("Over the view"))
            box = QCheckBox(title)
            box.setChecked(on)
            box.toggled.connect(lambda on, name=name: self.part_toggled.emit(name, on))
            self.boxes[name] = box
            layout.addWidget(box)
        self.bending = QComboBox()
        for factor in FACTORS:
            self.bending.addItem("As it is" if factor == 1.0 else f"{factor:g} times", factor)
        self.bending.currentIndexChanged.connect(lambda k: self.bending_changed.emit(FACTORS[k]))
        bending = QFormLayout()
        bending.addRow("Bending, enlarged", self.bending)
        layout.addLayout(bending)
        layout.addSpacing(8)
        layout.addWidget(_heading("Frame sweep"))
        self._sweep = Sweep(centreline=False)
        self.on_centreline = self._sweep_box(layout, "Combs of n and b on the centreline")
        self.on_rails = self._sweep_box(layout, "Combs of n and b on both rails")
        self.of_curvature = self._sweep_box(layout, "Comb of the curvature")
        form = QFormLayout()
        form.setContentsMargins(0, 4, 0, 0)
        form.setSpacing(4)
        self.spacing, self.length = QDoubleSpinBox(), QDoubleSpinBox()
        self.frame = QComboBox()
        for _, title in FRAMES:
            self.frame.addItem(title)
        for spin, label, low, high in (
            (self.spacing, "Spacing", 0.1, 20.0),
            (self.length, "Length", 0.2, 20.0),
        ):
            spin.setKeyboardTracking(False)
            spin.setProperty("range", (low, high))
            form.addRow(label, spin)
        form.addRow("Frame", self.frame)
        layout.addLayout(form)
        self.refresh_units()
        self.spacing.valueChanged.connect(self._changed)
        self.length.valueChanged.connect(self._changed)
        self.frame.currentIndexChanged.connect(self._changed)
        action = QWidgetAction(self)
        action.setDefaultWidget(body)
        self.addAction(action)

    @property
    def sweep(self) -> Sweep | None:
        """The options of the frame sweep; None while it is off."""
        s = self._sweep
        return s if s.centreline or s.rails or s.curvature else None

    def state(self) -> str:
        """What is shown, as a text to keep: names of the parts and of the combs that are switched on."""
        names = [name for name, box in self.boxes.items() if box.isChecked()]
        names += [name for name in SWEEPS if getattr(self._sweep, name)]
        names += [f"-{name}" for name in NEWER if not self.boxes[name].isChecked()]
        return " ".join(names) or "nothing"

    def restore(self, state: str) -> None:
        """Show what a text of `state` names; an empty one leaves everything as it is."""
        if not state:
            return
        names = state.split()
        for name, box in self.boxes.items():
            box.setChecked(name in names or (name in NEWER and f"-{name}" not in names))
        shown: dict[str, Any] = {name: name in names for name in SWEEPS}
        self.set_sweep(replace(self._sweep, **shown))

    def refresh_units(self) -> None:
        """Show lengths in the chosen units."""
        for box, value in ((self.spacing, self._sweep.spacing), (self.length, self._sweep.length)):
            low, high = box.property("range")
            box.blockSignals(True)
            box.setSuffix(" " + units.label("m"))
            box.setRange(units.to_shown(low, "m"), units.to_shown(high, "m"))
            box.setSingleStep(units.to_shown(0.25, "m"))
            box.setValue(units.to_shown(value, "m"))
            box.blockSignals(False)

    def set_sweep(self, sweep: Sweep | None) -> None:
        """Choose the options of the frame sweep from outside; None switches it off."""
        wanted = (
            replace(self._sweep, centreline=False, rails=False, curvature=False) if sweep is None else sweep
        )
        self._sweep = wanted
        for box, on in (
            (self.on_centreline, wanted.centreline),
            (self.on_rails, wanted.rails),
            (self.of_curvature, wanted.curvature),
        ):
            box.blockSignals(True)
            box.setChecked(on)
            box.blockSignals(False)
        self.refresh_units()
        self.sweep_changed.emit(self.sweep)

    def _sweep_box(self, layout: QVBoxLayout, title: str) -> QCheckBox:
        box = QCheckBox(title)
        box.toggled.connect(self._changed)
        layout.addWidget(box)
        return box

    def _changed(self, _value: object = None) -> None:
        self._sweep = replace(
            self._sweep,
            centreline=self.on_centreline.isChecked(),
            rails=self.on_rails.isChecked(),
            curvature=self.of_curvature.isChecked(),
            spacing=units.from_shown(self.spacing.value(), "m"),
            length=units.from_shown(self.length.value(), "m"),
            frame=FRAMES[self.frame.currentIndex()][0],
        )
        self.sweep_changed.emit(self.sweep)


def _heading(text: str) -> QLabel:
    label = QLabel(text)
    label.setProperty("role", "heading")
    return label
