"""Menus whose entries come from elsewhere: recent files, examples, panels, colours of the track."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QDockWidget, QMenu

from ...core.base.bundled import example_names, example_note, example_title, ride_names
from ...core.edits.templates import templates
from ..elements.menus import refresh_icons
from ..view3d.panel import ViewerPanel
from ..widgets.icons import icon
from ..widgets.plain_words import plain_tip
from ..widgets.settings import Settings
from .actions import Actions
from .commands.elements import ElementCommands
from .commands.files import FileCommands
from .commands.view import ViewCommands
from .panels import PanelName
from .switching import Workspaces


def add_file_menus(menu: QMenu, actions: Actions, files: FileCommands, settings: Settings) -> None:
    """File > Open recent and File > Examples, after Open."""
    before = actions[FileCommands.save]
    recent = QMenu("Open recent", menu)
    recent.setObjectName("recent_menu")
    recent.aboutToShow.connect(lambda: _fill_recent(recent, files, settings))
    examples = QMenu("Examples", menu)
    examples.setObjectName("examples_menu")
    examples.setToolTipsVisible(True)
    rigs = QMenu("Test rigs", examples)
    rigs.setToolTipsVisible(True)
    rides_first = ride_names()
    for name in (*rides_first, *(rig for rig in example_names() if rig not in rides_first)):
        menu_of = examples if name in rides_first else rigs
        action = menu_of.addAction(example_title(name).replace("&", "&&"))
        action.setToolTip(example_note(name))
        action.triggered.connect(lambda _=False, name=name: files.open_example(name))
    examples.addSeparator()
    examples.addMenu(rigs)
    rides = QMenu("New from template", menu)
    rides.setObjectName("templates_menu")
    rides.setIcon(icon("new"))
    rides.setToolTipsVisible(True)
    for name, template in templates().items():
        made = rides.addAction(template.title)
        made.setToolTip(template.about)
        made.triggered.connect(lambda _=False, name=name: files.new_from_template(name))
    menu.insertMenu(actions[FileCommands.open], rides)
    menu.insertMenu(before, recent)
    menu.insertMenu(before, examples)
    menu.insertSeparator(before)


def _opens(files: FileCommands, path: Path) -> Callable[[], None]:
    return lambda: files.open_path(path)


def _fill_recent(menu: QMenu, files: FileCommands, settings: Settings) -> None:
    menu.clear()
    recent = settings.recent_files
    for path in recent:
        action = menu.addAction(path.stem.replace("&", "&&"), _opens(files, path))
        action.setToolTip(plain_tip(str(path)))
        action.setStatusTip(str(path))
    if recent:
        menu.addSeparator()
        menu.addAction("Clear list", lambda: settings.forget_recent())
    else:
        menu.addAction("No file was opened yet").setEnabled(False)


def add_track_menus(actions: Actions, elements: ElementCommands) -> None:
    """The pieces of track and the devices, as menus of their actions; the tool bar shows the same."""
    actions[ElementCommands.insert_element].setMenu(elements.make_element_menu("element_menu"))
    actions[ElementCommands.add_device].setMenu(elements.make_device_menu("device_menu"))


def refresh_track_menus(actions: Actions) -> None:
    """Draw their pictures in the colours of the theme."""
    for declared in (ElementCommands.insert_element, ElementCommands.add_device):
        menu = actions[declared].menu()
        if isinstance(menu, QMenu):
            refresh_icons(menu)


def add_view_menus(
    menu: QMenu,
    actions: Actions,
    docks: Mapping[PanelName, QDockWidget],
    workspaces: Workspaces,
    of_workspaces: QMenu,
    viewer: ViewerPanel,
) -> None:
    """View > Workspaces, View > Panels and View > Colour the track by."""
    before = actions[ViewCommands.units]
    of_workspaces.setIcon(icon("layout"))
    panels = QMenu("Panels", menu)
    panels.setObjectName("panels_menu")
    panels.setIcon(icon("layout"))
    for name, dock in docks.items():
        action = dock.toggleViewAction()
        action.setData("Panels")
        title = dock.windowTitle().replace("&&", "&")
        action.setToolTip(f"Show or hide the panel “{title}” in this workspace")
        action.triggered.connect(lambda on, name=name: workspaces.add_here(name, on))
        panels.addAction(action)
    colours = QMenu("Colour the track by", menu)
    colours.setObjectName("colour_menu")
    colours.setIcon(icon("colour"))
    group = QActionGroup(colours)
    colours.aboutToShow.connect(lambda: _fill_colours(viewer, colours, group))
    menu.insertSeparator(before)
    menu.insertMenu(before, colours)
    menu.insertMenu(before, of_workspaces)
    menu.insertMenu(before, panels)
    menu.insertSeparator(before)


def _fill_colours(viewer: ViewerPanel, menu: QMenu, group: QActionGroup) -> None:
    for action in group.actions():
        group.removeAction(action)
    menu.clear()
    for name, title in viewer.colour_choices():
        action = menu.addAction(title)
        action.setCheckable(True)
        action.setChecked(name == viewer.coloured_by)
        group.addAction(action)
        action.triggered.connect(lambda _=False, name=name: viewer.colour_by(name))
