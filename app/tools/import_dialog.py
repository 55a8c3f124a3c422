"""File > Import track: options of the file's format, and what the reader found, before the track is taken."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QComboBox, QDialogButtonBox, QWidget

from ...core.base.errors import InputError
from ...core.base.fields import FieldSpec
from ...core.exchange import Imported, ReadOptions, guess_reader, import_track, readers
from ...core.track.build import build_track
from ..widgets import units
from ..widgets.number_entry import NumberEntry
from ..widgets.plain_words import plain_label
from .file_dialog import FileDialog

WAYS = ("A new project", "This project, in place of its track")
CLOSED = ((None, "As the file says"), (True, "Closed circuit"), (False, "Open track"))


class ImportDialog(FileDialog):
    """Reads a file with the options chosen. After accept, `found` holds the track.

    Raises InputError when the file cannot be read as any track at all.
    """

    def __init__(self, path: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.path = path
        self.found: Imported | None = None
        self.setObjectName("import_dialog")
        self.setWindowTitle(f"Import track from {path.name}")
        self.setMinimumWidth(480)
        self.formats = readers()
        self.kind = QComboBox()
        self.kind.setAccessibleName("Read as")
        for entry in self.formats:
            self.kind.addItem(entry.title)
        self.kind.setCurrentIndex([f.id for f in self.formats].index(guess_reader(path).id))
        self.closed = QComboBox()
        self.closed.setAccessibleName("Circuit")
        for _, words in CLOSED:
            self.closed.addItem(words)
        self.way = QComboBox()
        self.way.setAccessibleName("Becomes")
        self.way.addItems(WAYS)
        self._numbers: dict[str, NumberEntry] = {}
        self._values = {"gauge": 1.0, "tolerance": 0.0015, "heartline": 1.1}
        self.gauge = self._number("gauge", "Gauge", "m", "Distance of the rails.")
        self.tolerance = self._number("tolerance", "Fit within", "mm", "How far the curve may miss a row.")
        self.heartline = self._number(
            "heartline", "Heartline", "m", "Of files that draw it without saying its height."
        )
        self.about = plain_label("")
        self.about.setWordWrap(True)
        rows = (
            ("Becomes", self.way),
            ("Read as", self.kind),
            ("Circuit", self.closed),
            ("Gauge", self.gauge),
            ("Fit within", self.tolerance),
            ("Heartline", self.heartline),
            ("", self.about),
        )
        cancel = QDialogButtonBox.StandardButton.Cancel
        self.notes, self.take_button = self.lay_out(rows, "What was found", cancel, "Import")
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.kind.currentIndexChanged.connect(self.read)
        self.closed.currentIndexChanged.connect(self.read)
        self.read()

    @property
    def into(self) -> bool:
        """Whether it is to take the place of the track of the open project."""
        return self.way.currentIndex() == 1

    def _number(self, key: str, label: str, unit: str, help: str) -> NumberEntry:
        entry = NumberEntry(FieldSpec(key, label, "number", help, unit))
        entry.setToolTip(help)
        entry.set_value(self._values[key])
        self._numbers[key] = entry
        entry.given.connect(lambda value: self._given(key, value))
        entry.refused.connect(self._refuse)
        return entry

    def _given(self, key: str, value: float) -> None:
        self._values[key] = value
        self.read()

    def _refuse(self, why: str) -> None:
        self.found = None
        self.about.setText(why)
        self.about.setProperty("role", "bad")
        self.about.style().unpolish(self.about)
        self.about.style().polish(self.about)
        self.notes.clear()
        self.take_button.setEnabled(False)

    def read(self) -> None:
        """Read the file with the options as they are and say what was found."""
        chosen = self.formats[self.kind.currentIndex()]
        for key, entry in (("closed", self.closed), *self._numbers.items()):
            entry.setEnabled(key in chosen.options)
        options = ReadOptions(
            closed=CLOSED[self.closed.currentIndex()][0],
            gauge=self._values["gauge"],
            tolerance=self._values["tolerance"],
            heartline=self._values["heartline"],
        )
        try:
            found = import_track(self.path, options, chosen.id)
            built = build_track(found.track)
        except InputError as error:
            self._refuse(units.told(error))
            return
        self._refuse("")
        self.about.setProperty("role", "")
        self.about.style().unpolish(self.about)
        self.about.style().polish(self.about)
        self.found = found
        count = len(found.track.sections)
        self.about.setText(
            f"{units.text(built.length, 'm', decimals=1)} in {count} section{'' if count == 1 else 's'},"
            f" {'closed' if found.track.closed else 'open'}."
        )
        self.notes.setPlainText("\n".join(found.notes) or "Nothing was left out.")
        self.take_button.setEnabled(True)
