"""Preferences: what applies at once, in one dialog."""

from __future__ import annotations

from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from ..widgets.settings import LARGEST_FONT, QUALITIES, SMALLEST_FONT, SURFACES, THEMES, Settings
from ..widgets.units import SYSTEMS

UNIT_NAMES = {"SI": "SI (m, m/s, N)", "US": "US customary (ft, ft/s, lbf)"}
THEME_NAMES = {"dark": "Dark", "light": "Light", "system": "As the desktop"}
QUALITY_NAMES = {
    "auto": "Automatic, by the measured frame time",
    "low": "Low, for slow graphics",
    "medium": "Medium",
    "high": "High, smooth edges and shading",
}
SURFACE_NAMES = {
    "auto": "Automatic, by what draws it",
    "painted": "Painted: faster without a graphics processor",
    "interactor": "OpenGL in the window: faster with one",
}
START_NAMES = {
    "example": "The Looping Star example",
    "last": "The project opened last",
    "page": "The start page",
}


class Preferences(QDialog):
    """Units, theme, quality, start, recovery. Every choice takes effect at once."""

    def __init__(self, settings: Settings, parent: QWidget) -> None:
        super().__init__(parent)
        self._settings = settings
        self.setWindowTitle("Preferences")
        self.setMinimumWidth(440)
        self.units = self._choice("units", SYSTEMS, UNIT_NAMES)
        self.theme = self._choice("theme", THEMES, THEME_NAMES)
        self.font_size = QDoubleSpinBox()
        self.font_size.setRange(SMALLEST_FONT - 1.0, LARGEST_FONT)
        self.font_size.setDecimals(0)
        self.font_size.setSuffix(" pt")
        self.font_size.setSpecialValueText("As the desktop")
        self.font_size.setKeyboardTracking(False)
        self.font_size.setValue(settings.font_points)
        self.font_size.valueChanged.connect(self._set_font)
        self.quality = self._choice("quality", QUALITIES, QUALITY_NAMES)
        self.surface = self._choice("surface", SURFACES, SURFACE_NAMES)
        self.start = self._choice("start_with", tuple(START_NAMES), START_NAMES)
        self.recovery = QDoubleSpinBox()
        self.recovery.setRange(0.5, 60.0)
        self.recovery.setDecimals(1)
        self.recovery.setSuffix(" s")
        self.recovery.setValue(settings.recovery_seconds)
        self.recovery.valueChanged.connect(lambda value: setattr(settings, "recovery_seconds", value))
        recent = QPushButton("Clear recent files")
        recent.setAutoDefault(False)  # Enter in a field is no answer to it
        recent.setEnabled(bool(settings.recent_files))
        recent.clicked.connect(settings.forget_recent)
        recent.clicked.connect(lambda: recent.setEnabled(False))
        form = QFormLayout()
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(8)
        form.addRow("Units", self.units)
        form.addRow("Theme", self.theme)
        form.addRow("Size of the letters", self.font_size)
        form.addRow("Quality of the 3D view", self.quality)
        form.addRow("3D view in the window", self.surface)
        form.addRow("Begin with", self.start)
        form.addRow("Write recovery file after", self.recovery)
        form.addRow("Recent files", recent)
        note = QLabel(
            f"Changes apply at once. Unsaved work is copied to\n{settings.folder / 'recovery'}\n"
            "and offered after a crash."
        )
        note.setProperty("role", "muted")
        note.setWordWrap(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(16)
        layout.addLayout(form)
        layout.addWidget(note)
        layout.addWidget(buttons)

    def _set_font(self, value: float) -> None:
        self._settings.font_points = value if value >= SMALLEST_FONT else 0.0

    def _choice(self, name: str, values: tuple[str, ...], titles: dict[str, str]) -> QComboBox:
        box = QComboBox()
        for value in values:
            box.addItem(titles[value], value)
        box.setCurrentIndex(values.index(getattr(self._settings, name)))
        box.currentIndexChanged.connect(lambda index: setattr(self._settings, name, values[index]))
        return box
