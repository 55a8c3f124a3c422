"""About: what this is, which version, what it is built on."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from ...core.base.version import VERSION
from ..widgets.icons import pixmap

BUILT_ON = (
    "PySide6_Essentials",
    "vtk",
    "pyvista",
    "pyvistaqt",
    "pyqtgraph",
    "numpy",
    "scipy",
    "numba",
    "pydantic",
    "h5py",
)


def _version(package: str) -> str:
    try:
        return f"{package.removesuffix('_Essentials')} {version(package)}"
    except PackageNotFoundError:
        return package


class About(QDialog):
    """Version, licence and the libraries the program stands on. show_licences: leads to those of all libraries."""

    def __init__(self, parent: QWidget, show_licences: Callable[[], None]) -> None:
        super().__init__(parent)
        self.setWindowTitle("About Ridewright")
        picture = QLabel()
        picture.setPixmap(pixmap("ridewright", 64, "#f2923c", self.devicePixelRatioF()))
        picture.setAlignment(Qt.AlignmentFlag.AlignTop)
        text = QLabel(
            f"<h3>Ridewright {VERSION}</h3>"
            "<p>Design a coaster track, ride it with a multibody vehicle and seated riders, and know what the ride "
            "does to a human body.</p>"
            "<p>MIT licence, © The Ridewright authors. The vehicle, the rider and the injury criteria follow "
            "Viegas (2016); every data file names its source.</p>"
            "<p>Results help an engineer to judge a design. They do not replace the assessment that ride standards "
            "ask for.</p>"
            f"<p>Built on {', '.join(_version(package) for package in BUILT_ON)}.</p>"
        )
        text.setWordWrap(True)
        text.setMinimumWidth(380)
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(picture)
        row.addWidget(text, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        self.licences = buttons.addButton("Licences", QDialogButtonBox.ButtonRole.ActionRole)
        self.licences.setToolTip("The licences of everything that this program stands on")
        self.licences.clicked.connect(self.accept)
        self.licences.clicked.connect(show_licences)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.addLayout(row)
        layout.addWidget(buttons)
