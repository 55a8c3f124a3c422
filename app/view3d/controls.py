"""The two plates of buttons over the view: what is shown on the left, the cameras on the right."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QToolButton, QWidget

from ..widgets import theme
from ..widgets.icons import icon
from .cameras import Mode
from .colouring import QUANTITIES
from .show_menu import ShowMenu

CAMERAS: Final[tuple[tuple[Mode, str, str, str], ...]] = (
    (
        "orbit",
        "camera-orbit",
        "Orbit camera",
        "Drag turns, Shift or right drag shifts, the wheel comes closer",
    ),
    ("follow", "camera-follow", "Follow camera", "Flies behind the train"),
    ("ride", "camera-ride", "On-ride camera", "Sees with the first rider's eyes"),
    ("side", "camera-side", "Side view", "Moves along beside the train"),
    ("top", "camera-top", "Top view", "Looks down on the plan"),
)
MARGIN = 8  # px between overlays and the edges


class ViewControls(QObject):
    """Buttons over a view. camera_wanted(mode), frame_wanted(), colour_wanted(key of a quantity)."""

    camera_wanted = Signal(str)
    frame_wanted = Signal()
    colour_wanted = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.right, row = _plate(parent)
        self.camera_buttons: dict[str, QToolButton] = {}
        for mode, name, title, tip in CAMERAS:
            button = _button(name, f"{title}: {tip}")
            button.setCheckable(True)
            button.setAutoExclusive(True)
            button.clicked.connect(lambda _=False, mode=mode: self.camera_wanted.emit(mode))
            self.camera_buttons[mode] = button
            row.addWidget(button)
        self.camera_buttons["orbit"].setChecked(True)
        fit = _button("frame", "Frame: brings what is selected close, everything when nothing is (F)")
        fit.clicked.connect(lambda _=False: self.frame_wanted.emit())
        row.addWidget(fit)
        self.left, row = _plate(parent)
        self.colour_button = _button(
            "colour", "Track colour: loads and speed of the run shown, or the track's own shape, with a scale"
        )
        self._colour_menu = QMenu(self.colour_button)
        self._colour_menu.setToolTipsVisible(True)
        self._colour_menu.aboutToShow.connect(self._fill_colour_menu)
        self.colour_button.setMenu(self._colour_menu)
        self.show_button = _button("eye", "What the view shows, and the frame sweep")
        self.show_menu = ShowMenu(self.show_button)
        self.show_button.setMenu(self.show_menu)
        self.show_button.setText("Show")
        for button in (self.colour_button, self.show_button):
            button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            row.addWidget(button)
        self._colour = ""  # none is named yet

    def show_colour(self, key: str) -> bool:
        """Name the quantity the track is coloured by; True when it is another one."""
        if key == self._colour:
            return False
        self._colour = key
        self.colour_button.setText(next(q.name for q in QUANTITIES if q.key == key))
        return True

    def show_camera(self, mode: str) -> None:
        """Mark the camera in use."""
        self.camera_buttons[mode].setChecked(True)

    def place(self, width: int) -> None:
        """Put the plates into the corners of a view of a width (px)."""
        for plate in (self.left, self.right):
            plate.adjustSize()
        self.left.move(MARGIN, MARGIN)
        right = width - self.right.width() - MARGIN
        below = right < MARGIN + self.left.width() + MARGIN  # a narrow view has room for one plate a line
        self.right.move(right, 2 * MARGIN + self.left.height() if below else MARGIN)

    def restyle(self) -> None:
        """Take over the colours of the theme."""
        for plate in (self.left, self.right):
            plate.setStyleSheet(_plate_style())
            for button in plate.findChildren(QToolButton):
                button.setIcon(icon(str(button.property("icon_name"))))

    def _fill_colour_menu(self) -> None:
        self._colour_menu.clear()
        for quantity in QUANTITIES:
            action = self._colour_menu.addAction(quantity.name)
            action.setCheckable(True)
            action.setChecked(quantity.key == self._colour)
            action.setToolTip(quantity.about)
            action.triggered.connect(lambda _=False, key=quantity.key: self.colour_wanted.emit(key))


def _plate_style() -> str:
    c = theme.current()
    return f"QFrame#plate {{ background: {c.panel}; border: 1px solid {c.border}; border-radius: 6px; }}"


def _plate(parent: QWidget) -> tuple[QFrame, QHBoxLayout]:
    plate = QFrame(parent)
    plate.setObjectName("plate")
    plate.setStyleSheet(_plate_style())
    row = QHBoxLayout(plate)
    row.setContentsMargins(1, 1, 1, 1)
    row.setSpacing(1)
    return plate, row


def _button(name: str, tip: str) -> QToolButton:
    button = QToolButton()
    button.setProperty("icon_name", name)
    button.setIcon(icon(name))
    button.setIconSize(QSize(16, 16))
    button.setToolTip(tip)
    button.setAccessibleName(tip.partition(":")[0])
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button
