"""The element menu: what can be inserted, in groups, each with its picture and one line of help."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from ..widgets.icons import icon
from .track_elements import DEVICES, PIECES, Piece, groups

DEVICE_PREFIX = "device_"


def _add(menu: QMenu, pieces: list[Piece], prefix: str, chosen: Callable[[str], None]) -> list[QAction]:
    made = []
    for piece in pieces:
        action = menu.addAction(icon(piece.icon), f"{piece.title}\t{piece.line}")
        action.setObjectName(f"{prefix}{piece.id}")
        action.setStatusTip(piece.line)
        action.setData("Track")
        action.triggered.connect(lambda _on=False, id=piece.id: chosen(id))
        made.append(action)
    return made


def fill_elements(menu: QMenu, chosen: Callable[[str], None]) -> list[QAction]:
    """Put the pieces of track into a menu, each group behind a line; chosen(id)."""
    made = []
    for name, pieces in groups(PIECES).items():
        if name != "Plain":
            menu.addSeparator()
        made += _add(menu, pieces, "element_", chosen)
    return made


def fill_devices(menu: QMenu, chosen: Callable[[str], None]) -> list[QAction]:
    """Put the devices into a menu; chosen(id)."""
    return _add(menu, list(DEVICES), DEVICE_PREFIX, chosen)


def element_menu(parent: QWidget, chosen: Callable[[str], None], name: str) -> QMenu:
    """A menu of the pieces of track."""
    menu = QMenu("Insert element", parent)
    menu.setObjectName(name)
    menu.setIcon(icon("element"))
    fill_elements(menu, chosen)
    return menu


def device_menu(parent: QWidget, chosen: Callable[[str], None], name: str) -> QMenu:
    """A menu of the devices."""
    menu = QMenu("Add lift, launch or brake", parent)
    menu.setObjectName(name)
    menu.setIcon(icon("device"))
    fill_devices(menu, chosen)
    return menu


def refresh_icons(menu: QMenu, pieces: tuple[Piece, ...] = (*PIECES, *DEVICES)) -> None:
    """Draw the pictures in the colours of the theme."""
    pictures = {piece.title: piece.icon for piece in pieces}
    for action in menu.actions():
        title = action.text().partition("\t")[0]
        if title in pictures:
            action.setIcon(icon(pictures[title]))
