"""One list of an element as a table: its columns from the descriptions of its rows, cells typed and chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtWidgets import QComboBox, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from ...core.base.delimited import lines_of, typed_cells
from ...core.base.errors import InputError
from ...core.base.fields import FieldSpec, model_of_rows, specs_of
from ...core.base.frozen import Frozen
from ...core.edits.changes import changed
from ...core.edits.rows import list_of, row_title, set_rows
from ..document.document import Document
from ..widgets import units
from ..widgets.number_text import read_number, shown_number

Index = QModelIndex | QPersistentModelIndex
NUMBERS = ("number", "optional")
VECTORS = ("vector", "direction")
DIGITS = 6
NO_LIST = FieldSpec("", "", "")
Choices = Callable[[FieldSpec], Sequence[str]]


@dataclass(frozen=True)
class Column:
    """A column: the field it shows and, of a vector, which component."""

    spec: FieldSpec
    component: int | None = None

    @property
    def heading(self) -> str:
        """Title and unit."""
        title = self.spec.title
        if self.component is not None:
            title = f"{title} {self.spec.axes[self.component]}"
        label = units.label(self.spec.unit)
        return f"{title} ({label})" if label else title

    @property
    def numeric(self) -> bool:
        """Whether it holds numbers."""
        return self.component is not None or self.spec.entry in NUMBERS

    @property
    def editable(self) -> bool:
        """Whether it is typed or chosen in the table; what is not stands in the inspector."""
        return self.numeric or self.spec.entry in ("text", "choice")

    def value(self, row: Frozen) -> Any:
        """What a row has there, in SI."""
        value = getattr(row, self.spec.name)
        return value if self.component is None or value is None else value[self.component]

    def shown(self, row: Frozen, digits: int = DIGITS) -> str:
        """That as text in the units in use."""
        value = self.value(row)
        if value is None:
            return ""
        if self.spec.entry == "group":
            return in_words(value)
        return (
            shown_number(value, self.spec.unit, digits) if self.numeric else self.spec.words.get(value, value)
        )

    def field(self, row: Frozen, text: str) -> dict[str, Any]:
        """The field that a typed text makes of a row. Raises InputError for what is no number."""
        if not self.numeric:
            said = {word: value for value, word in self.spec.words.items()}
            return {self.spec.name: said.get(text.strip(), text.strip())}
        number = read_number(text, self.spec.unit, self.heading.partition(" (")[0])
        if self.component is None:
            return {self.spec.name: number}
        parts = [*(getattr(row, self.spec.name) or (0.0, 0.0, 0.0))]
        parts[self.component] = number
        return {self.spec.name: tuple(parts)}


def columns_of(model: type[Frozen]) -> tuple[Column, ...]:
    """The columns of a table of descriptions: their fields but those under headings of their own, which stand in the
    inspector."""
    found: list[Column] = []
    for spec in specs_of(model):
        if spec.group:
            continue
        found += [Column(spec, k) for k in range(3)] if spec.entry in VECTORS else [Column(spec)]
    return tuple(found)


def in_words(part: Frozen) -> str:
    """A description in a line: its choice and the numbers of one unit that go with it, "Round tube 0.1683 x 0.0063 m",
    say."""
    specs = [spec for spec in specs_of(type(part)) if spec.applies(part)]
    words = [spec.words.get(getattr(part, spec.name), "") for spec in specs if spec.entry == "choice"]
    unit = next((spec.unit for spec in specs if spec.entry in NUMBERS), "")
    numbers = [
        shown_number(getattr(part, spec.name), unit, 4)
        for spec in specs
        if spec.entry in NUMBERS and spec.unit == unit
    ]
    return " ".join((*words, " × ".join(numbers), units.label(unit))).strip()


class RowsModel(QAbstractTableModel):
    """The rows of a list of an element; what is typed is one step of undo. `refused` carries a sentence, or "" when
    what was typed has been taken."""

    refused = Signal(str)

    def __init__(self, document: Document, choices: Choices, parent: QObject | None = None) -> None:
        """choices: what may be chosen in a field that names something."""
        super().__init__(parent)
        self._document, self._choices = document, choices
        self.columns: tuple[Column, ...] = ()
        self.rows: tuple[Frozen, ...] = ()
        self.kind, self.spec = "", NO_LIST
        self.path: tuple[str, ...] = ()

    def show(self, kind: str, path: tuple[str, ...], element: Frozen, name: str) -> None:
        """Show a list of an element."""
        spec = list_of(element, name)
        rows: tuple[Frozen, ...] = getattr(element, name)
        same = (kind, path, spec) == (self.kind, self.path, self.spec) and len(rows) == len(self.rows)
        if same:
            self.rows = rows
            self._redrawn()
            return
        self.beginResetModel()
        self.kind, self.path, self.spec, self.rows = kind, path, spec, rows
        self.columns = columns_of(model_of_rows(type(element), name))
        self.endResetModel()

    def clear(self) -> None:
        """Show nothing."""
        self.beginResetModel()
        self.kind, self.path, self.spec, self.rows, self.columns = "", (), NO_LIST, (), ()
        self.endResetModel()

    def units_changed(self) -> None:
        """Draw all in the units in use."""
        if self.columns:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.columns) - 1)
        self._redrawn()

    def _redrawn(self) -> None:
        if self.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, len(self.columns) - 1))

    def choices(self, column: int) -> Sequence[tuple[str, str]]:
        """Values and words that may be chosen in a column; none where it is typed."""
        spec = self.columns[column].spec
        if spec.entry != "choice":
            return ()
        return [(value, spec.words.get(value, value)) for value in (self._choices(spec) or spec.words)]

    # -- as Qt asks

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation == Qt.Orientation.Vertical:
            return str(section + 1) if role == Qt.ItemDataRole.DisplayRole else None
        column = self.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.heading
        if role == Qt.ItemDataRole.ToolTipRole:
            return column.spec.help
        return self._aligned(column) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: Index, role: int = 0) -> Any:
        column, row = self.columns[index.column()], self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.shown(row)
        if role == Qt.ItemDataRole.EditRole:
            return column.shown(row, 9)
        if role == Qt.ItemDataRole.ToolTipRole:
            return (
                column.spec.help
                if column.editable
                else f"{column.spec.help} A double click leads to it in the inspector."
            )
        return self._aligned(column) if role == Qt.ItemDataRole.TextAlignmentRole else None

    @staticmethod
    def _aligned(column: Column) -> int:
        side = Qt.AlignmentFlag.AlignRight if column.numeric else Qt.AlignmentFlag.AlignLeft
        return int(side | Qt.AlignmentFlag.AlignVCenter)

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags | Qt.ItemFlag.ItemIsEditable if self.columns[index.column()].editable else flags

    def setData(self, index: Index, value: Any, role: int = 2) -> bool:
        column, k = self.columns[index.column()], index.row()
        text = str(value)
        if text.strip() == column.shown(self.rows[k], 9):
            return False  # what was shown is rounded; leaving the cell must not round the number
        try:
            fields = column.field(self.rows[k], text)
            project = set_rows(self._document.project, self.kind, self.path, self.spec.name, (k,), fields)
        except InputError as error:
            self.refused.emit(units.told(error))
            return False
        of = f"{self.spec.row} {row_title(self.rows[k], k)} of {self.path[-1]}"
        self._document.apply(f"Change {column.spec.title.lower()} of {of}", project)
        self.refused.emit("")
        return True

    # -- as text

    def as_text(self, chosen: Sequence[int]) -> str:
        """Rows as lines of cells, in the units in use, for a spreadsheet."""
        typed = [column for column in self.columns if column.editable]
        return "\n".join("\t".join(column.shown(self.rows[k], 9) for column in typed) for k in chosen)

    def from_text(self, text: str, like: Frozen) -> list[Frozen]:
        """Rows from such lines; in all that is not typed they are like another one, and where the first column is a
        name it may be missing. Raises InputError that names the line that does not fit."""
        typed = [column for column in self.columns if column.editable]
        made: list[Frozen] = []
        for number, line in lines_of(text, comment=""):
            cells = typed_cells(line)
            unnamed = typed[0].spec.name == "name" and len(cells) == len(typed) - 1
            columns = typed[1:] if unnamed else typed
            if len(cells) != len(columns):
                heads = ", ".join(column.heading for column in typed)
                raise InputError(f"Line {number} has {len(cells)} cells; a {self.spec.row} has {heads}.")
            row = like
            for column, part in zip(columns, cells, strict=True):
                try:
                    row = changed(row, column.heading, column.field(row, part))
                except InputError as error:
                    raise InputError(f"Line {number}: {error}") from None
            made.append(row)
        if not made:
            raise InputError("The clipboard holds no rows to paste; copy some from a table or a spreadsheet.")
        return made


class ChoiceDelegate(QStyledItemDelegate):
    """A list of choices in the columns that have some; others are typed as usual."""

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        model = index.model()
        choices = model.choices(index.column()) if isinstance(model, RowsModel) else ()
        if not choices or not isinstance(model, RowsModel):
            return super().createEditor(parent, option, index)
        box = QComboBox(parent)
        box.setAccessibleName(model.columns[index.column()].spec.title)
        for value, word in choices:
            box.addItem(word, value)
        box.activated.connect(lambda _k: self._chosen(box))
        QTimer.singleShot(0, box, box.showPopup)
        return box

    def _chosen(self, box: QComboBox) -> None:
        self.commitData.emit(box)
        self.closeEditor.emit(box)

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        if isinstance(editor, QComboBox):
            editor.setCurrentIndex(editor.findText(index.data()))
        else:
            super().setEditorData(editor, index)

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        if isinstance(editor, QComboBox):
            model.setData(index, editor.currentData())
        else:
            super().setModelData(editor, model, index)
