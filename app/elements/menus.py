"""The element menu: what can be inserted, in groups, each with its picture and one line of help."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from ..widgets import units
from ..widgets.icons import icon
from .track_elements import DEVICES, TRACK_ELEMENTS, Insertable, groups

DEVICE_PREFIX = "device_"


def _add(menu: QMenu, pieces: list[Insertable], prefix: str, chosen: Callable[[str], None]) -> list[QAction]:
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
    for name, pieces in groups(TRACK_ELEMENTS).items():
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


def needs_text(piece: Insertable, speed: float | None) -> str:
    """What a piece needs that a ride coming at speed (m/s) does not have; "" where it is fast enough or not known."""
    if speed is None or speed >= piece.slowest:
        return ""
    needed, comes = (units.text(v, "m/s", decimals=1) for v in (piece.slowest, speed))
    return f"Needs about {needed}; the train comes at {comes}."


def say_needs(menu: QMenu, speed: float | None) -> None:
    """Tell at the pieces that need a faster ride than comes here, at speed (m/s), what they need; None: not known."""
    pieces = {piece.title: piece for piece in TRACK_ELEMENTS}
    for action in menu.actions():
        piece = pieces.get(action.text().partition("\t")[0])
        if piece is not None:
            line = needs_text(piece, speed) or piece.line
            action.setText(f"{piece.title}\t{line}")
            action.setStatusTip(line)


def refresh_icons(menu: QMenu, pieces: tuple[Insertable, ...] = (*TRACK_ELEMENTS, *DEVICES)) -> None:
    """Draw the pictures in the colours of the theme."""
    pictures = {piece.title: piece.icon for piece in pieces}
    for action in menu.actions():
        title = action.text().partition("\t")[0]
        if title in pictures:
            action.setIcon(icon(pictures[title]))
