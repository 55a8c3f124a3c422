"""File > Export track: the format with what it holds, the spacing, and what the writer says of its accuracy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from PySide6.QtWidgets import QComboBox, QDialogButtonBox, QLabel, QWidget

from ...core.base.errors import InputError
from ...core.base.fields import FieldSpec
from ...core.exchange import Format, WriteOptions, export_track, writers
from ...core.pointmass.ride import preview_ride
from ...core.project.point_train import ridden_settings
from ...core.project.project import Project
from ...core.track.build import BuiltTrack, build_track
from ..document.document import Document
from ..widgets import dialogs, units
from ..widgets.number_entry import NumberEntry
from ..widgets.settings import Settings
from .file_dialog import FileDialog

RIDE_UNITS = {"time": "s", "speed": "m/s"}


def ride_columns(project: Project, built: BuiltTrack) -> dict[str, np.ndarray]:
    """Columns of the point ride for formats that take them: s (m), time, speed and loads; none without a ride."""
    try:
        ride = preview_ride(built, ridden_settings(project), gravity=project.gravity)
    except InputError:
        return {}
    first = ride.forward()
    position, keep = np.unique(ride.place[first], return_index=True)
    g = ride.g[first][keep]
    return {
        "s": position,
        "speed_m_s": ride.speed[first][keep],
        "gx": g[:, 0],
        "gy": g[:, 1],
        "gz": g[:, 2],
    }


class ExportDialog(FileDialog):
    """Chooses the format and writes; the report stays to be read."""

    def __init__(
        self, document: Document, settings: Settings, log: Callable[..., object], parent: QWidget
    ) -> None:
        """log: takes a line, and "warning" behind it when something did not go."""
        super().__init__(parent)
        self._document, self._settings, self._log = document, settings, log
        self.setObjectName("export_dialog")
        self.setWindowTitle("Export track")
        self.setMinimumWidth(460)
        self.formats = writers()
        self.kind = QComboBox()
        self.kind.setAccessibleName("Format")
        for entry in self.formats:
            self.kind.addItem(f"{entry.title} ({entry.extensions[0]})")
        self.holds = QLabel("")
        self.holds.setWordWrap(True)
        self.holds.setProperty("role", "muted")
        self._spacing: float | None = None
        spec = FieldSpec(
            "spacing", "Spacing", "optional", "Of rows or vertices along the track.", "m", empty="usual"
        )
        self.spacing = NumberEntry(spec)
        self.spacing.given.connect(self._given)
        self.spacing.refused.connect(self._say)
        rows = (("Format", self.kind), ("", self.holds), ("Spacing", self.spacing))
        close = QDialogButtonBox.StandardButton.Close
        self.report, self.write_button = self.lay_out(rows, "Report", close, "Export…")
        self.report.setPlaceholderText("Files and accuracy are listed here after writing.")
        self.buttons.accepted.connect(self._ask)
        self.buttons.rejected.connect(self.close)
        self.kind.currentIndexChanged.connect(self._show_kind)
        self._show_kind()

    @property
    def chosen(self) -> Format:
        """The format that is chosen."""
        return self.formats[self.kind.currentIndex()]

    def _show_kind(self) -> None:
        self.holds.setText(self.chosen.holds)
        self.spacing.line.setPlaceholderText(f"{self.chosen.spacing:g}")

    def _given(self, value: float | None) -> None:
        self._spacing = value

    def _say(self, text: str) -> None:
        self.report.setPlainText(text)

    def _ask(self) -> None:
        settings, document = self._settings, self._document
        ending = self.chosen.extensions[0]
        name = "".join(x if x.isalnum() or x in "-_" else "_" for x in document.title.lower()) or "track"
        path = dialogs.file_to_save(
            self, "Export track", settings.last_folder / f"{name}{ending}", f"{self.chosen.title} (*{ending})"
        )
        if path is not None:
            self.write(path)

    def write(self, path: Path) -> None:
        """Write the track of the project in the chosen format; what is wrong is told in one sentence."""
        project = self._document.project
        try:
            if project.track is None:
                raise InputError("The project has no track to export.")
            built = build_track(project.track)
            heights = project.track.heartline.height
            ride = ride_columns(project, built) if self.chosen.rides else {}
            options = WriteOptions(self._spacing, heights, ride)
            found = export_track(built, path, options, self.chosen.id)
        except InputError as error:
            self._say(units.told(error))
            self._log(f"The track was not exported: {error}", "warning")
            return
        self._settings.last_folder = path.parent
        files = "\n".join(f"Written: {file}" for file in found.files)
        self._say("\n".join((files, "", *found.sentences)))
        for line in (*files.splitlines(), *found.sentences):
            self._log(line)
