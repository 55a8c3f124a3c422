"""Menus whose entries come from elsewhere: recent files, examples, panels, colours of the track."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu

from ...core.base.bundled import example_names, example_note, ride_names
from ...core.edits.templates import templates
from ..elements.menus import refresh_icons
from ..widgets.icons import icon
from ..widgets.plain_words import plain_tip
from .commands.elements import ElementCommands
from .commands.files import FileCommands
from .commands.view import ViewCommands

if TYPE_CHECKING:
    from .main_window import MainWindow


def add_file_menus(window: MainWindow) -> None:
    """File > Open recent and File > Examples, after Open."""
    menu = window.menus["File"]
    before = window.actions_table[FileCommands.save]
    recent = QMenu("Open recent", menu)
    recent.setObjectName("recent_menu")
    recent.aboutToShow.connect(lambda: _fill_recent(window, recent))
    examples = QMenu("Examples", menu)
    examples.setObjectName("examples_menu")
    examples.setToolTipsVisible(True)
    rigs = QMenu("Test rigs", examples)
    rigs.setToolTipsVisible(True)
    rides_first = ride_names()
    for name in (*rides_first, *(rig for rig in example_names() if rig not in rides_first)):
        menu_of = examples if name in rides_first else rigs
        action = menu_of.addAction(name.replace("_", " ").replace("-", " ").capitalize())
        action.setToolTip(example_note(name))
        action.triggered.connect(lambda _=False, name=name: window.files.open_example(name))
    examples.addSeparator()
    examples.addMenu(rigs)
    rides = QMenu("New from template", menu)
    rides.setObjectName("templates_menu")
    rides.setIcon(icon("new"))
    rides.setToolTipsVisible(True)
    for name, template in templates().items():
        made = rides.addAction(template.title)
        made.setToolTip(template.about)
        made.triggered.connect(lambda _=False, name=name: window.files.new_from_template(name))
    menu.insertMenu(window.actions_table[FileCommands.open], rides)
    menu.insertMenu(before, recent)
    menu.insertMenu(before, examples)
    menu.insertSeparator(before)


def _opens(window: MainWindow, path: Path) -> Callable[[], None]:
    return lambda: window.files.open_path(path)


def _fill_recent(window: MainWindow, menu: QMenu) -> None:
    menu.clear()
    files = window.settings.recent_files
    for path in files:
        action = menu.addAction(path.stem.replace("&", "&&"), _opens(window, path))
        action.setToolTip(plain_tip(str(path)))
        action.setStatusTip(str(path))
    if files:
        menu.addSeparator()
        menu.addAction("Clear list", lambda: window.settings.forget_recent())
    else:
        menu.addAction("No file was opened yet").setEnabled(False)


def add_track_menus(window: MainWindow) -> None:
    """The pieces of track and the devices, as menus of their actions; the tool bar shows the same."""
    table = window.actions_table
    table[ElementCommands.insert_element].setMenu(window.elements.make_element_menu("element_menu"))
    table[ElementCommands.add_device].setMenu(window.elements.make_device_menu("device_menu"))


def refresh_track_menus(window: MainWindow) -> None:
    """Draw their pictures in the colours of the theme."""
    for declared in (ElementCommands.insert_element, ElementCommands.add_device):
        menu = window.actions_table[declared].menu()
        if isinstance(menu, QMenu):
            refresh_icons(menu)


def add_view_menus(window: MainWindow) -> None:
    """View > Panels and View > Colour the track by."""
    menu = window.menus["View"]
    before = window.actions_table[ViewCommands.units]
    panels = QMenu("Panels", menu)
    panels.setObjectName("panels_menu")
    panels.setIcon(icon("layout"))
    for dock in window.docks.values():
        action = dock.toggleViewAction()
        action.setData("Panels")
        action.setToolTip(f"Show or hide the panel “{dock.windowTitle().replace('&&', '&')}”")
        panels.addAction(action)
    colours = QMenu("Colour the track by", menu)
    colours.setObjectName("colour_menu")
    colours.setIcon(icon("colour"))
    group = QActionGroup(colours)
    colours.aboutToShow.connect(lambda: _fill_colours(window, colours, group))
    menu.insertSeparator(before)
    menu.insertMenu(before, colours)
    menu.insertMenu(before, panels)
    menu.insertSeparator(before)


def _fill_colours(window: MainWindow, menu: QMenu, group: QActionGroup) -> None:
    for action in group.actions():
        group.removeAction(action)
    menu.clear()
    for name, title in window.viewer.colour_choices():
        action = menu.addAction(title)
        action.setCheckable(True)
        action.setChecked(name == window.viewer.coloured_by)
        group.addAction(action)
        action.triggered.connect(lambda _=False, name=name: window.viewer.colour_by(name))
