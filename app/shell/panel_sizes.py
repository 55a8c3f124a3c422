"""How the window shares its room: the first size, the width of the column, the height of the panels below the view.

What a person drags counts for the workspace and, below the view, for the panel in front. While nobody has chosen, the
view keeps the share of the window that the workspace asks for: panels below that would have too little room are folded
to their tabs, and a click on one opens them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabBar, QToolBar, QToolButton, QWidget

from ..widgets.icons import icon
from ..widgets.settings import Settings
from .panels import BOTTOM, RIGHT, PanelName
from .workspaces.base import Workspace

WANTED: Final = QSize(1280, 800)  # of the first window where the screen has room for it
SHARE: Final = 0.8  # of a large screen
FRAME: Final = QSize(8, 40)  # title bar and borders, before the desktop says
LOWEST, HIGHEST = 0.08, 0.8  # shares that are believed
NARROWEST, WIDEST = 272, 420  # px of the column beside a large view, while nobody chose
ALONE: Final = QSize(420, 300)  # of a panel outside the window, at least
MIN_BELOW: Final = 150  # px: panels that would have less are folded
TABS: Final = 30  # px, before there are any
BORDER: Final = 4  # px between docks
KEY: Final = "layout"
NO_LIMIT: Final = 16_777_215  # Qt's own


def first_size(available: QRect) -> QSize:
    """Size of a first window on a screen with this room: most of a large one, all that there is of a small one."""
    large = QSize(int(SHARE * available.width()), int(SHARE * available.height()))
    return WANTED.expandedTo(large).boundedTo(available.size() - FRAME)


class PanelSizes(QObject):
    """Keeps column and lower area at their sizes. folded_changed(on): the panels below are folded now, or not."""

    folded_changed = Signal(bool)

    def __init__(
        self,
        window: QMainWindow,
        docks: Mapping[PanelName, QDockWidget],
        settings: Settings,
        strip: QWidget,
    ) -> None:
        super().__init__(window)
        self._window, self._docks, self._settings = window, docks, settings
        self._strip = strip
        self._workspace = Workspace("", "", "", 0.0)
        self._dragging = False
        self._even = False  # the groups of an area are to share it anew
        self._activated: QDockWidget | None = None
        self.folded = False
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self.apply)
        self.fold_button = QToolButton(window)
        self.fold_button.setIconSize(QSize(14, 14))
        self.fold_button.setStyleSheet("padding: 1px")
        self.fold_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.fold_button.clicked.connect(lambda _=False: self.fold(not self.folded))
        self.fold_button.hide()
        for name, dock in docks.items():
            dock.setProperty("panel", name)
            dock.installEventFilter(self)
            dock.topLevelChanged.connect(partial(self._on_floating, dock))
            dock.dockLocationChanged.connect(lambda _area: self.soon())
            dock.visibilityChanged.connect(lambda _on: self.soon())
        window.installEventFilter(self)
        strip.installEventFilter(self)  # the view and it are as wide as what is below them
        window.tabifiedDockWidgetActivated.connect(self.in_front)

    def use(self, workspace: Workspace, *, even: bool) -> None:
        """Share the room as a workspace has it; even: the groups of an area as if nobody had moved a border."""
        self._workspace, self._even = workspace, even
        self._activated = None

    def soon(self) -> None:
        """Share the room anew once everything that happens now has happened."""
        self._soon.start()

    @property
    def waiting(self) -> bool:
        """Whether the room is about to be shared anew."""
        return self._soon.isActive()

    def front(self) -> QDockWidget | None:
        """The panel below the view that is in front; None when all are closed or float."""
        return self._seen_first(BOTTOM)

    def _seen_first(self, area: Qt.DockWidgetArea) -> QDockWidget | None:
        """A panel of an area that is in front, the one asked for last before others; one behind before none."""
        there = [dock for dock in self._docks.values() if self._at(dock, area)]
        there.sort(key=lambda dock: (dock.visibleRegion().isEmpty(), dock is not self._activated))
        return there[0] if there else None

    def _at(self, dock: QDockWidget, area: Qt.DockWidgetArea) -> bool:
        return self._window.dockWidgetArea(dock) == area and not dock.isFloating() and not dock.isHidden()

    def in_front(self, dock: QDockWidget) -> None:
        """A panel has come to the front."""
        if self._window.dockWidgetArea(dock) == BOTTOM:
            self._activated = dock
            self.soon()

    # -- what was chosen

    def _key(self, what: str) -> str:
        return f"{KEY}/{self._workspace.id}/{what}"

    def _chosen(self, what: str) -> float | None:
        """A share that a person has chosen."""
        try:
            value = float(self._settings.value(self._key(what)) or "nan")
        except ValueError:
            return None
        return value if LOWEST <= value <= HIGHEST else None

    def fold(self, on: bool) -> None:
        """Fold the panels below the view to their tabs, or open them."""
        self._settings.set_value(self._key("fold"), "yes" if on else "no")
        self.apply()

    def open_for(self, dock: QDockWidget) -> None:
        """Open the panels below where one of them is asked for."""
        if self._at(dock, BOTTOM):
            self._activated = dock
            if self.folded:
                self.fold(False)

    def forget(self) -> None:
        """Everything in the workspace has its first size again."""
        for what in ("beside", "fold", *(f"height/{name}" for name in self._docks)):
            if self._settings.value(self._key(what)):
                self._settings.set_value(self._key(what), "")
        self._even = True
        self.soon()

    # -- sharing the room

    def _room(self) -> QSize:
        """Room (px) for docks and view: the window without menus, tool bars and status line."""
        window = self._window
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        tools = window.findChildren(QToolBar, options=direct)
        bars = [bar.geometry().bottom() + 1 for bar in tools if bar.isVisible()]
        top = max([window.menuBar().height(), *bars])
        return QSize(window.width(), window.height() - window.statusBar().height() - top)

    def _width(self, room: QSize) -> int:
        """Width (px) of the column."""
        chosen = self._chosen("beside")
        if chosen is not None:
            return round(chosen * room.width())
        width = round(self._workspace.beside_share * room.width())
        if self._least > 0.0:
            high = room.height() - self._strip.height() - TABS - BORDER
            width = min(width, WIDEST, room.width() - BORDER - int(self._least / max(high, 1)) - 1)
        return max(width, NARROWEST)

    @property
    def _least(self) -> float:
        """Area (px^2) that the view is to keep."""
        return self._workspace.min_view * self._window.width() * self._window.height()

    def _height(self, room: QSize, width: int, panel: str) -> int:
        """Height (px) of the panels below the view; 0: they are folded."""
        fold, chosen = self._settings.value(self._key("fold")), self._chosen(f"height/{panel}")
        if fold == "yes":
            return 0
        wanted = round(self._workspace.below_share * self._window.height())
        if chosen is not None or fold == "no":
            return wanted if chosen is None else round(chosen * self._window.height())
        if self._least > 0.0:
            left = room.height() - self._strip.height() - TABS - BORDER - 1
            wanted = min(wanted, int(left - self._least / max(room.width() - width - BORDER, 1)))
            return wanted if wanted >= MIN_BELOW else 0
        return wanted

    def apply(self) -> None:
        """Give column and lower area their sizes."""
        if not self._workspace.id:
            return
        room = self._room()
        column, dock = self._seen_first(RIGHT), self.front()
        width = 0 if column is None else self._width(room)
        if column is not None and self._is_lent():
            width = column.width()
        elif column is not None and abs(column.width() - width) > 1:
            self._window.resizeDocks([column], [width], Qt.Orientation.Horizontal)
            width = max(column.width(), width)  # it may need more than it is given
        height = 0 if dock is None else self._height(room, width, dock.property("panel"))
        self._set_folded(dock is not None and height == 0)
        if dock is not None and height and abs(dock.height() - height) > 1:
            # what is asked for holds the tabs, too
            self._window.resizeDocks([dock], [height + self._tabs(dock)], Qt.Orientation.Vertical)
        if self._even:
            self._even = False
            self._share_evenly()
        self._place_button(dock)

    def _is_lent(self) -> bool:
        """Whether a tool stands in the column, which gives it the width it needs."""
        direct = Qt.FindChildOption.FindDirectChildrenOnly  # of the thousands in the window
        docks = self._window.findChildren(QDockWidget, options=direct)
        return any(self._at(dock, RIGHT) for dock in docks if not dock.property("panel"))

    def _share_evenly(self) -> None:
        """The upper group of the column has less than the lower one; groups below the view share alike."""
        heads = [self._docks[name] for name in self._workspace.in_front if not self._docks[name].isHidden()]
        for area, way in ((RIGHT, Qt.Orientation.Vertical), (BOTTOM, Qt.Orientation.Horizontal)):
            there = [dock for dock in heads if self._at(dock, area)]
            if len(there) > 1:
                first = self._workspace.upper if area == RIGHT else 0.5
                shares = [first, *[(1.0 - first) / (len(there) - 1)] * (len(there) - 1)]
                self._window.resizeDocks(there, [round(1000 * share) for share in shares], way)

    def _on_floating(self, dock: QDockWidget, on: bool) -> None:
        """A panel that leaves the window has room, although it was folded there."""
        if on:
            holder = dock.widget()
            holder.setMaximumHeight(NO_LIMIT)
            dock.resize(dock.size().expandedTo(ALONE))
        self.soon()

    def _set_folded(self, on: bool) -> None:
        for dock in self._docks.values():
            holder = dock.widget()
            most = 0 if on and self._at(dock, BOTTOM) else NO_LIMIT
            if holder.maximumHeight() != most:
                holder.setMaximumHeight(most)
        if on != self.folded:
            self.folded = on
            self.folded_changed.emit(on)

    def _bars(self) -> list[QTabBar]:
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        return [
            bar
            for bar in self._window.findChildren(QTabBar, options=direct)
            if bar.isVisible() and bar.count()
        ]

    def _bar_of(self, dock: QDockWidget) -> QTabBar | None:
        """The tabs that a panel is one of."""
        return next(
            (bar for bar in self._bars()
             if dock.windowTitle() in [bar.tabText(k) for k in range(bar.count())]), None
        )  # fmt: skip

    def _tabs(self, dock: QDockWidget) -> int:
        bar = self._bar_of(dock)
        return 0 if bar is None else bar.height()

    def _place_button(self, dock: QDockWidget | None) -> None:
        """The arrow that folds and opens stands at the right end of the tabs, where these leave it room."""
        bar = None if dock is None else self._bar_of(dock)
        button, size = self.fold_button, TABS - 9
        last = 0 if bar is None else bar.tabRect(bar.count() - 1).right()
        if bar is None or last > bar.width() - size - 8:
            button.hide()
            return
        what = "Open the panels below the view" if self.folded else "Fold the panels below the view"
        button.setIcon(icon("up" if self.folded else "down"))
        button.setToolTip(f"{what} (Ctrl+J)")
        button.setAccessibleName(what)
        bar.installEventFilter(self)  # it is laid out after its panels have been given their sizes
        area = bar.geometry()
        button.setGeometry(area.right() - size - 4, area.y() + (area.height() - size) // 2, size, size)
        button.show()
        button.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind, window = event.type(), self._window
        if watched is window and isinstance(event, QMouseEvent) and kind != QEvent.Type.MouseMove:
            # the borders between docks are the window's own; a press that a panel leaves to it is none of them
            on_border = window.childAt(event.position().toPoint()) is None
            self._dragging = kind == QEvent.Type.MouseButtonPress and on_border
        if watched is self._window and kind in (QEvent.Type.Show, QEvent.Type.PaletteChange):
            self.soon()
        if kind != QEvent.Type.Resize and not (kind == QEvent.Type.Move and isinstance(watched, QTabBar)):
            return False
        if watched is self._window:
            self.soon()
        elif watched is self._strip or isinstance(watched, QTabBar):
            self._place_button(self.front())
        elif isinstance(watched, QDockWidget) and self._dragging:
            self._keep(watched)
        return False

    def _keep(self, dock: QDockWidget) -> None:
        """A border was dragged: what the panel has now was chosen."""
        window = self._window
        if dock is self.front() and not self.folded:
            share = dock.height() / max(window.height(), 1)
            self._settings.set_value(self._key(f"height/{dock.property('panel')}"), f"{share:.4f}")
        elif self._at(dock, RIGHT):
            share = dock.width() / max(window.width(), 1)
            if self._chosen("beside") is None and abs(dock.width() - self._width(self._room())) <= 1:
                return  # a border within the column
            self._settings.set_value(self._key("beside"), f"{share:.4f}")
