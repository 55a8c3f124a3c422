"""Colours and looks: one palette for Qt, plots and the 3D scene, dark and light.

Everything drawn takes its colours from `current()` and redraws on QEvent.PaletteChange; nobody writes a colour
of their own. Series colours follow Okabe and Ito (2008), chosen so that colour-blind people tell them apart.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QStyleFactory

from .colours import Colours as Colours
from .colours import Shade as Shade
from .settings import Theme
from .style_sheet import style_sheet

GRID = 8  # px: distances are multiples of half of it
MAGNITUDE_MAP = "viridis"  # colour map of magnitudes, in resources/colours
SIGNED_MAP = "rdbu_r"  # colour map of signed quantities around zero


DARK: Final = Colours(
    name="dark",
    window="#1a1d21",
    panel="#212529",
    base="#16181c",
    raised="#2c3137",
    border="#3a4047",
    text="#e8eaed",
    muted="#a2abb5",
    accent="#f2923c",
    accent_text="#1a1206",
    selection="#5a4128",
    good="#3dbb8f",
    warn="#ecc94b",
    bad="#f0616d",
    axis_x="#f0616d",
    axis_y="#7bc96f",
    axis_z="#5aa9ff",
    series=("#56b4e9", "#e69f00", "#2cc295", "#d98cb9", "#f0e442", "#7d9bff", "#ff7f50", "#b9c0c8"),
    grid="#2e343a",
    cursor="#f2923c",
    sky_top="#2a3038",
    sky_bottom="#14171a",
    ground="#1d2125",
    ground_line="#353c44",
    rail="#f2923c",
    steel="#8b96a1",
    body="#4b7ba6",
    skin="#d9a583",
    cloth="#56b4e9",
    highlight="#ffd166",
)
LIGHT: Final = Colours(
    name="light",
    window="#eef0f2",
    panel="#f7f8f9",
    base="#ffffff",
    raised="#e4e8eb",
    border="#c5ccd3",
    text="#1c2126",
    muted="#57616b",
    accent="#b85300",
    accent_text="#ffffff",
    selection="#f3d9bf",
    good="#0b7a57",
    warn="#8f6a00",
    bad="#c22f3d",
    axis_x="#c22f3d",
    axis_y="#2c8a37",
    axis_z="#2563c9",
    series=("#0072b2", "#d55e00", "#009e73", "#b5528c", "#8a6d00", "#4c5fd5", "#a0522d", "#59636d"),
    grid="#dde2e6",
    cursor="#b85300",
    sky_top="#c9d8e6",
    sky_bottom="#f4f6f8",
    ground="#e3e6e8",
    ground_line="#c3cad0",
    rail="#d1661a",
    steel="#7a848e",
    body="#3f729f",
    skin="#d9a583",
    cloth="#2b7fb8",
    highlight="#e0a100",
)

_current: Colours = DARK
_desktop_points = 0.0  # size of the letters the desktop asks for, known once a theme was applied


def current() -> Colours:
    """The colours in use."""
    return _current


def resolve(theme: Theme) -> Shade:
    """The shade a theme means; "system" asks the desktop and takes dark when it does not say."""
    if theme != "system":
        return theme
    scheme = QGuiApplication.styleHints().colorScheme()
    return "light" if scheme == Qt.ColorScheme.Light else "dark"


def colours(theme: Theme) -> Colours:
    """The colours of a theme."""
    return LIGHT if resolve(theme) == "light" else DARK


def palette(theme: Theme) -> QPalette:
    """The Qt palette of a theme, for the Fusion style."""
    c = colours(theme)
    roles = QPalette.ColorRole
    made = QPalette()
    for role, colour in (
        (roles.Window, c.panel),
        (roles.WindowText, c.text),
        (roles.Base, c.base),
        (roles.AlternateBase, c.panel),
        (roles.Text, c.text),
        (roles.Button, c.raised),
        (roles.ButtonText, c.text),
        (roles.BrightText, c.bad),
        (roles.Highlight, c.selection),
        (roles.HighlightedText, c.text),
        (roles.Accent, c.accent),
        (roles.Link, c.accent),
        (roles.LinkVisited, c.accent),
        (roles.ToolTipBase, c.raised),
        (roles.ToolTipText, c.text),
        (roles.PlaceholderText, c.muted),
        (roles.Light, c.raised),
        (roles.Midlight, c.raised),
        (roles.Mid, c.border),
        (roles.Dark, c.border),
        (roles.Shadow, c.window),
    ):
        made.setColor(role, QColor(colour))
    faded = QColor(c.muted)
    faded.setAlpha(130)
    for role in (roles.WindowText, roles.Text, roles.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, role, faded)
    made.setColor(QPalette.ColorGroup.Disabled, roles.Highlight, QColor(c.border))
    return made


def _use_font(application: QApplication, points: float) -> None:
    """Letters of a size in points; 0 goes back to that of the desktop."""
    global _desktop_points
    font = application.font()
    if _desktop_points == 0.0:
        _desktop_points = font.pointSizeF()
    wanted = points or _desktop_points
    if wanted > 0.0 and font.pointSizeF() != wanted:
        font.setPointSizeF(wanted)
        application.setFont(font)


def apply(application: QApplication, theme: Theme, font_points: float = 0.0) -> None:
    """Dress the application: Fusion, palette, style sheet, size of the letters (points; 0: that of the desktop).

    Widgets hear of it through QEvent.PaletteChange. What is on already stays: every widget there is would be dressed
    again.
    """
    global _current
    _use_font(application, font_points)
    _current = colours(theme)
    sheet = style_sheet(_current)
    if application.styleSheet() == sheet:
        return
    if not application.styleSheet():  # under a sheet the style does not tell its name
        application.setStyle(QStyleFactory.create("Fusion"))
    application.setPalette(palette(theme))
    application.setStyleSheet(sheet)
