"""The dialog of the film export: what to film, progress, cancel."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFileDialog,
    QFormLayout,
    QProgressBar,
    QVBoxLayout,
)

from ...core.base.errors import InputError
from ...core.base.user_folders import expanded
from ..document.document import Document
from ..widgets import units
from ..widgets.path_row import add_path_row
from ..widgets.plain_words import plain_label
from ..widgets.settings import Settings
from .cameras import Mode
from .film import FilmJob, FilmPlan, Footage
from .film_files import MP4, NO_FFMPEG, OGV, has_ffmpeg, usual_ending
from .view import SceneView

SIZES: Final = ((1280, 720), (1920, 1080), (854, 480))
CAMERAS: Final[tuple[tuple[Mode, str], ...]] = (
    ("follow", "Follow the train"),
    ("ride", "On-ride, with the rider's eyes"),
    ("side", "Beside the train"),
    ("orbit", "As the view is now"),
    ("top", "From above"),
)
RATES: Final = ((1.0, "Real time"), (0.5, "Half speed"), (0.25, "Quarter speed"), (2.0, "Twice as fast"))


class FilmDialog(QDialog):
    """Asks for the options of a film of the shown run and makes it, with the camera of a view and its track coloured by
    a quantity."""

    def __init__(self, view: SceneView, coloured_by: str, document: Document, settings: Settings) -> None:
        super().__init__(view)
        self.setWindowTitle("Export film")
        self.setMinimumWidth(440)
        self._view, self._coloured_by = view, coloured_by
        self._document, self._settings = document, settings
        self.job: FilmJob | None = None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        form = QFormLayout()
        form.setSpacing(8)
        path = str(settings.last_folder / f"{document.title}{usual_ending()}")
        self.path = add_path_row(form, "File", path, self._browse)
        self.camera = _choice([title for _, title in CAMERAS])
        self.camera.setCurrentIndex(
            next((k for k, (m, _) in enumerate(CAMERAS) if m == view.scene.rig.mode), 0)
        )
        form.addRow("Camera", self.camera)
        self.pixels = _choice([f"{w} × {h} pixels" for w, h in SIZES])
        form.addRow("Size", self.pixels)
        self.rate = _choice([title for _, title in RATES])
        form.addRow("Speed", self.rate)
        run = document.current_run
        duration = 0.0 if run is None else run.duration
        self.start, self.end = _seconds(0.0, duration), _seconds(duration, duration)
        form.addRow("From", self.start)
        form.addRow("To", self.end)
        self.captions = QCheckBox("Write readings, legend and a bar of time into the picture")
        self.captions.setChecked(True)
        form.addRow("", self.captions)
        layout.addLayout(form)
        self.progress = QProgressBar()
        self.progress.setRange(0, 1000)
        self.progress.hide()
        layout.addWidget(self.progress)
        self.note = plain_label("")
        self.note.setWordWrap(True)
        layout.addWidget(self.note)
        self.buttons = QDialogButtonBox()
        self.make = self.buttons.addButton("Make film", QDialogButtonBox.ButtonRole.AcceptRole)
        self.close_button = self.buttons.addButton("Close", QDialogButtonBox.ButtonRole.RejectRole)
        self.make.setDefault(True)
        self.make.setEnabled(run is not None)
        if run is None:
            self.note.setText("There is no run to film yet. Press F5 to ride the track first.")
        elif not has_ffmpeg():
            self._say(NO_FFMPEG)
        self.make.clicked.connect(self.begin)
        self.close_button.clicked.connect(self.reject)
        layout.addWidget(self.buttons)

    def begin(self) -> None:
        """Start filming with the options as they are."""
        run = self._document.current_run
        if run is None or self.job is not None:
            return
        width, height = SIZES[self.pixels.currentIndex()]
        path = expanded(self.path.text().strip())
        if path.suffix.lower() not in (MP4, OGV):
            path = path.with_name(path.name + usual_ending())
        if path.suffix.lower() == MP4 and not has_ffmpeg():
            self._say(NO_FFMPEG, bad=True)
            return
        rig = deepcopy(self._view.scene.rig)
        rig.mode = CAMERAS[self.camera.currentIndex()][0]
        if rig.mode == "top":
            rig.frame_top(*self._view.scene.bounds())
        try:
            plan = FilmPlan(
                path.absolute(),
                self.start.value(),
                self.end.value(),
                width,
                height,
                rate=RATES[self.rate.currentIndex()][0],
                captions=self.captions.isChecked(),
            )
        except InputError as error:
            self._say(units.told(error), bad=True)
            return
        built = self._document.built(run.project) if run.project.track is not None else None
        scene = self._view.scene
        footage = Footage(
            run.project,
            built,
            run.results,
            rig,
            scene.colours,
            self._coloured_by,
            margins=scene.margins,
        )
        self.job = FilmJob(plan, footage, self)
        self.job.progressed.connect(lambda share: self.progress.setValue(round(1000 * share)))
        self.job.finished.connect(self._on_finished)
        self.job.failed.connect(self._on_failed)
        self.progress.setValue(0)
        self.progress.show()
        self.make.setEnabled(False)
        self.close_button.setText("Cancel")
        self._say(f"Filming {len(plan.times)} pictures …")
        self.job.start()

    def reject(self) -> None:
        if self.job is not None:
            self._stop()
            self._say("Cancelled; no file was written.")
        else:
            super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._stop()
        super().closeEvent(event)

    def _stop(self) -> None:
        if self.job is not None:
            self.job.cancel()
            self._done()

    def _done(self) -> None:
        self.job = None
        self.progress.hide()
        self.make.setEnabled(True)
        self.close_button.setText("Close")

    def _on_finished(self, path: object) -> None:
        self._done()
        self._settings.last_folder = Path(str(path)).parent
        self._say(f"Saved {path}.")

    def _on_failed(self, reason: str) -> None:
        self._done()
        self._say(reason, bad=True)

    def _say(self, text: str, bad: bool = False) -> None:
        self.note.setProperty("role", "bad" if bad else "muted")
        self.note.style().polish(self.note)
        self.note.setText(text)

    def _browse(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, "Export film", self.path.text(), f"Films (*{MP4} *{OGV})")
        if name:
            self.path.setText(name)


def _choice(titles: list[str]) -> QComboBox:
    box = QComboBox()
    box.addItems(titles)
    return box


def _seconds(value: float, most: float) -> QDoubleSpinBox:
    box = QDoubleSpinBox()
    box.setDecimals(2)
    box.setRange(0.0, most)
    box.setSuffix(" s")
    box.setValue(value)
    box.setAlignment(Qt.AlignmentFlag.AlignRight)
    return box
