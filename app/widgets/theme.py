"""Colours and looks: one palette for Qt, plots and the 3D scene, dark and light.

Everything drawn takes its colours from `current()` and redraws on QEvent.PaletteChange; nobody writes a colour
of their own. Series colours follow Okabe and Ito (2008), chosen so that colour-blind people tell them apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Final, Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QStyleFactory

from .settings import Theme

GRID = 8  # px: distances are multiples of half of it
MAGNITUDE_MAP = "viridis"  # colour map of magnitudes, in resources/colours
SIGNED_MAP = "rdbu_r"  # colour map of signed quantities around zero

Shade = Literal["dark", "light"]


@dataclass(frozen=True)
class Colours:
    """Every colour of one theme, as "#rrggbb"."""

    name: Shade
    window: str  # background of the window
    panel: str  # docks, tool bars, cards
    base: str  # tables, fields, plots
    raised: str  # buttons, hovered rows
    border: str
    text: str
    muted: str  # secondary text
    accent: str  # the one accent colour; the track, the selection, the primary button
    accent_text: str  # text on the accent
    selection: str  # rows that are selected, under ordinary text
    good: str
    warn: str
    bad: str
    axis_x: str  # axis colours are only for axes
    axis_y: str
    axis_z: str
    series: tuple[str, ...]  # curves of plots and runs, in order
    grid: str  # grid lines of plots
    cursor: str  # time cursor through plots
    sky_top: str  # gradient behind the 3D scene
    sky_bottom: str
    ground: str
    ground_line: str
    rail: str
    steel: str  # ties, supports
    body: str  # bodies of cars
    skin: str  # riders
    cloth: str
    highlight: str  # the selected element in 3D


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
    # Widgets under a sheet take letters of another size when they are dressed again: the size is a part of it.
    sheet = f"{_style_sheet(_current)}/* {application.font().pointSizeF():g} points */"
    if application.styleSheet() == sheet:
        return
    if not application.styleSheet():  # under a sheet the style does not tell its name
        application.setStyle(QStyleFactory.create("Fusion"))
    application.setStyleSheet(
        ""
    )  # thousands of widgets are dressed anew in half the time it takes to change dresses
    application.setPalette(palette(theme))
    application.setStyleSheet(sheet)


def _check_mark(c: Colours) -> str:
    """Path of the check mark in the colour of a theme."""
    return (Path(str(resources.files("ridewright.resources"))) / "icons" / f"check-{c.name}.svg").as_posix()


def _style_sheet(c: Colours) -> str:
    """The style sheet of the application in the colours of a theme; distances are multiples of 4 px."""
    return f"""
QMainWindow, QMainWindow::separator {{ background: {c.window}; }}
QMainWindow::separator {{ width: 4px; height: 4px; }}
QMainWindow::separator:hover {{ background: {c.accent}; }}
QToolTip {{ background: {c.raised}; color: {c.text}; border: 1px solid {c.border}; padding: 4px 8px; }}
QMenuBar {{ background: {c.panel}; padding: 2px 4px; }}
QMenuBar::item {{ padding: 4px 8px; border-radius: 4px; background: transparent; }}
QMenuBar::item:selected {{ background: {c.raised}; }}
QMenu {{ background: {c.panel}; border: 1px solid {c.border}; padding: 4px; }}
QMenu::item {{ padding: 4px 24px 4px 8px; border-radius: 4px; }}
QMenu::icon {{ padding-left: 8px; }}
QMenu::item:selected {{ background: {c.selection}; color: {c.text}; }}
QMenu::item:disabled {{ color: {c.muted}; background: transparent; }}
QMenu::separator {{ height: 1px; background: {c.border}; margin: 4px 8px; }}
QToolBar {{ background: {c.panel}; border: none; border-bottom: 1px solid {c.border}; padding: 2px 4px; spacing: 4px; }}
QToolBar::separator {{ width: 1px; background: {c.border}; margin: 4px 4px; }}
QToolButton {{ padding: 4px; border: 1px solid transparent; border-radius: 4px; background: transparent; }}
QToolButton#qt_toolbar_ext_button {{ padding: 0; border: none; }}
QToolButton:hover {{ background: {c.raised}; }}
QToolButton:checked, QPushButton:checked {{ background: {c.selection}; border-color: {c.accent}; }}
QToolButton:pressed {{ background: {c.border}; }}
QToolButton:focus {{ border: 1px dashed {c.text}; }}
QPushButton {{ padding: 4px 16px; min-height: 20px; border: 1px solid {c.border}; border-radius: 4px;
  background: {c.raised}; }}
QPushButton:hover {{ border-color: {c.accent}; }}
QPushButton:focus {{ border: 1px dashed {c.text}; }}
QPushButton:default {{ background: {c.accent}; color: {c.accent_text}; border-color: {c.accent}; }}
QPushButton:disabled {{ background: {c.panel}; color: {c.muted}; border-color: {c.border}; }}
QDockWidget > QWidget {{ background: {c.panel}; }}
QTabBar {{ background: {c.window}; }}
QTabBar::tab {{ padding: 4px 12px; background: {c.window}; color: {c.muted}; border: none;
  border-bottom: 2px solid transparent; min-height: 20px; }}
QTabBar::tab:hover {{ color: {c.text}; }}
QTabBar::tab:selected {{ background: {c.panel}; color: {c.text}; border-bottom-color: {c.accent}; }}
QTabWidget::pane {{ border: none; }}
QHeaderView::section {{ background: {c.panel}; color: {c.muted}; padding: 7px 8px 3px 8px; border: none;
  border-bottom: 1px solid {c.border}; border-right: 1px solid {c.border}; }}
QTableView, QTreeView, QListView, QPlainTextEdit, QTextBrowser {{ background: {c.base}; border: none;
  gridline-color: {c.grid}; selection-background-color: {c.selection}; selection-color: {c.text}; }}
QTableView::item {{ padding: 0 5px; }}
QHeaderView::up-arrow, QHeaderView::down-arrow {{ subcontrol-origin: border;
  subcontrol-position: top center; width: 7px; height: 7px; top: 0; }}
QAbstractScrollArea::corner {{ background: {c.panel}; border: none; }}
QLineEdit {{ min-height: 22px; padding: 1px 6px; border: 1px solid {c.border}; border-radius: 4px;
  background: {c.base}; }}
QLineEdit[narrow="true"] {{ padding: 1px 2px; }}
QLineEdit:focus {{ border-color: {c.accent}; }}
QLineEdit[refused="true"], QLineEdit[refused="true"]:focus {{ border-color: {c.bad}; }}
QLineEdit:disabled {{ color: {c.muted}; background: {c.panel}; }}
QTableView QLineEdit, QTreeView QLineEdit, QAbstractSpinBox QLineEdit, QComboBox QLineEdit {{ min-height: 0;
  border: none; padding: 0; background: transparent; }}
QTableView QLineEdit, QTreeView QLineEdit {{ background: {c.base}; }}
QComboBox, QAbstractSpinBox {{ min-height: 24px; }}
QCheckBox {{ spacing: 8px; }}
QCheckBox::indicator, QTreeView::indicator, QTableView::indicator, QListView::indicator, QMenu::indicator {{
  width: 14px; height: 14px; border: 1px solid {c.muted}; border-radius: 3px; background: {c.base}; }}
QMenu::indicator {{ margin-left: 8px; }}
QCheckBox::indicator:hover, QTreeView::indicator:hover, QTableView::indicator:hover {{ border-color: {c.accent}; }}
QCheckBox::indicator:disabled, QTreeView::indicator:disabled {{ border-color: {c.border};
  background: {c.panel}; }}
QCheckBox::indicator:checked, QTreeView::indicator:checked, QTableView::indicator:checked,
QListView::indicator:checked, QMenu::indicator:checked {{ background: {c.accent}; border-color: {c.accent};
  image: url({_check_mark(c)}); }}
QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
QStatusBar {{ background: {c.panel}; border-top: 1px solid {c.border}; color: {c.muted}; }}
QStatusBar::item {{ border: none; }}
QStatusBar QToolButton {{ padding: 0 4px; }}
QProgressBar {{ border: 1px solid {c.border}; border-radius: 4px; background: {c.base}; text-align: center;
  min-height: 14px; max-height: 14px; }}
QProgressBar::chunk {{ background: {c.accent}; border-radius: 3px; }}
QScrollBar {{ background: {c.panel}; border: none; margin: 0; }}
QScrollBar:vertical {{ width: 12px; }}
QScrollBar:horizontal {{ height: 12px; }}
QScrollBar::handle {{ background: {c.border}; border-radius: 4px; margin: 2px; min-height: 24px; min-width: 24px; }}
QScrollBar::handle:hover {{ background: {c.muted}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
*[role="heading"] {{ font-weight: 600; }}
*[role="muted"] {{ color: {c.muted}; }}
*[role="bad"] {{ color: {c.bad}; }}
*[role="warn"] {{ color: {c.warn}; }}
"""
