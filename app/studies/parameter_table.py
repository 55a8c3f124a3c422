"""The parameters of a study as a table: name, where each goes, bounds that can be typed over."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QTableWidget, QTableWidgetItem, QWidget

from ...core.base.errors import InputError
from ...core.base.sentence import written
from ...core.studies.study import Parameter
from ..widgets.plain_table import plain_table
from ..widgets.plain_words import plain_tip

ROW = 24  # px
COLUMNS = ("Varied", "From", "To", "Unit")


class ParameterTable(QWidget):
    """Holds the parameters; `changed` when there are others, `refused` carries why a bound was not taken."""

    changed = Signal()
    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.parameters: list[Parameter] = []
        self.table: QTableWidget = plain_table(COLUMNS)
        self.table.setParent(self)
        self.table.setAccessibleName("What is varied")
        self.table.verticalHeader().setDefaultSectionSize(ROW)
        self.table.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked | QAbstractItemView.EditTrigger.AnyKeyPressed
        )
        self.table.itemChanged.connect(self._on_item)

    def resizeEvent(self, event: object) -> None:
        self.table.resize(self.size())

    def add(self, parameter: Parameter) -> None:
        """Vary something more; what is varied already under that name is replaced."""
        kept = [p for p in self.parameters if p.name != parameter.name]
        self.parameters = [*kept, parameter]
        self._fill()

    def remove_selected(self) -> None:
        """Vary the chosen row no more."""
        rows = {index.row() for index in self.table.selectedIndexes()}
        self.parameters = [p for k, p in enumerate(self.parameters) if k not in rows]
        self._fill()

    def show_parameters(self, parameters: tuple[Parameter, ...]) -> None:
        """Show those of a study."""
        self.parameters = list(parameters)
        self._fill()

    def _fill(self) -> None:
        self.table.blockSignals(True)
        self.table.setRowCount(len(self.parameters))
        for row, p in enumerate(self.parameters):
            goes = f"{p.edit}, {p.target}".strip(", ") if p.edit else ", ".join(p.fields_of)
            texts = (
                p.name,
                "" if p.low is None else written(p.low, ".6g"),
                "" if p.high is None else written(p.high, ".6g"),
                p.unit,
            )
            for column, text in enumerate(texts):
                item = QTableWidgetItem(text)
                item.setToolTip(plain_tip(goes))
                if column not in (1, 2):
                    item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEditable)
                self.table.setItem(row, column, item)
        self.table.blockSignals(False)
        self.changed.emit()

    def _on_item(self, item: QTableWidgetItem) -> None:
        old = self.parameters[item.row()]
        try:
            value = float(item.text().replace(",", "."))
            name = "low" if item.column() == 1 else "high"
            new = Parameter.model_validate({**dict(old), name: value})
            self.parameters[item.row()] = new
        except (ValueError, InputError):
            self.refused.emit(f"'{item.text()}' cannot be a bound of {old.name}: From has to lie below To.")
        self._fill()
