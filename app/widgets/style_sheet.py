"""The little that palette and Fusion do not say: spacing, thin titles, flat tool buttons."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from .colours import Colours


def _check_mark(c: Colours) -> str:
    """Path of the check mark in the colour of a theme."""
    return (Path(str(resources.files("ridewright.resources"))) / "icons" / f"check-{c.name}.svg").as_posix()


def style_sheet(c: Colours) -> str:
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
