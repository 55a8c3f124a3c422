"""The fields in which a curve of one's own is typed: x(t), y(t) and the range of t."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QLabel, QLineEdit, QWidget

from ...core.base.errors import InputError
from ...core.pointmass.formula import constant, formula_curve
from ...core.pointmass.plane_curve import PlaneCurve
from ..widgets import units

FIRST = {"x(t) in m": "4*t", "y(t) in m": "2*exp(-t)*cos(2*pi*t)", "t from": "0", "t to": "3"}
HINT = "There are t, numbers, + - * / ^, pi, e, sin, cos, tan, exp, log, sqrt, sinh, cosh, tanh, atan."


class OwnCurve(QWidget):
    """`curve_made` carries the curve when what is typed is one; otherwise the reason stands below."""

    curve_made = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.curve: PlaneCurve | None = None
        self.lines: dict[str, QLineEdit] = {}
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        for title, text in FIRST.items():
            line = QLineEdit(text)
            line.setAccessibleName(title)
            line.setToolTip(HINT)
            line.editingFinished.connect(self.read)
            self.lines[title] = line
            form.addRow(title, line)
        self.fault = QLabel()
        self.fault.setProperty("role", "bad")
        self.fault.setWordWrap(True)
        form.addRow(self.fault)
        self._typed: tuple[str, ...] = ()

    def read(self) -> None:
        """Make a curve of what is typed, if it has changed."""
        typed = tuple(line.text() for line in self.lines.values())
        if typed == self._typed:
            return
        self._typed = typed
        try:
            x, y, *ends = typed
            t0, t1 = (constant(title, text) for title, text in zip(("t from", "t to"), ends, strict=True))
            self.curve = formula_curve(x, y, t0, t1)
        except InputError as error:
            self.fault.setText(units.told(error))
            self.fault.show()
            return
        self.fault.setText("")
        self.fault.hide()
        self.curve_made.emit(self.curve)
