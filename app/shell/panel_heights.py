"""How the window shares its room: the first size, and the height of the bottom area, remembered for each tab."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, QTimer
from PySide6.QtWidgets import QDockWidget, QTabBar

from .panels import BOTTOM

if TYPE_CHECKING:
    from .main_window import MainWindow

WANTED: Final = QSize(1280, 800)  # of the first window where the screen has room for it
SHARE: Final = 0.8  # of a large screen
FRAME: Final = QSize(8, 40)  # title bar and borders, before the desktop says
BOTTOM_SHARE: Final = 0.36  # of the window's height for the bottom area, while nobody chose another
LOWEST, HIGHEST = 0.08, 0.8  # shares that are believed
KEY: Final = "layout/height/"


def first_size(available: QRect) -> QSize:
    """Size of a first window on a screen with this room: most of a large one, all that there is of a small one."""
    large = QSize(int(SHARE * available.width()), int(SHARE * available.height()))
    return WANTED.expandedTo(large).boundedTo(available.size() - FRAME)


class BottomHeights(QObject):
    """Gives the bottom area the height that was last chosen for the panel in front, as a share of the window's.

    Chosen is what a person drags; everything else, a larger window for example, keeps the share.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self.apply)
        for name, dock in window.docks.items():
            dock.setProperty("panel", name)
            dock.installEventFilter(self)
        window.installEventFilter(self)
        self._dragging = False
        self._activated: QDockWidget | None = None
        window.tabifiedDockWidgetActivated.connect(self.in_front)

    def front(self) -> QDockWidget | None:
        """The panel of the bottom area that is in front; None when all are closed or float."""
        all_docks = tuple(self._window.docks.values())
        docks = all_docks if self._activated is None else (self._activated, *all_docks)
        return next((d for d in docks if self._at_bottom(d) and not d.visibleRegion().isEmpty()), None)

    def _at_bottom(self, dock: QDockWidget) -> bool:
        return self._window.dockWidgetArea(dock) == BOTTOM and not dock.isFloating() and dock.isVisible()

    def in_front(self, dock: QDockWidget) -> None:
        """A panel has come to the front."""
        if self._window.dockWidgetArea(dock) == BOTTOM:
            self._activated = dock
            self._soon.start()

    def share(self, name: str) -> float:
        """Share of the window's height for a panel."""
        text = self._window.settings.value(f"{KEY}{name}")
        try:
            value = float(text) if text else BOTTOM_SHARE
        except ValueError:
            return BOTTOM_SHARE
        return value if LOWEST <= value <= HIGHEST else BOTTOM_SHARE

    def apply(self) -> None:
        """Give the panel in front its height."""
        dock = self.front()
        if dock is None:
            return
        wanted = round(self.share(dock.property("panel")) * self._window.height())
        if abs(dock.height() - wanted) > 1:
            # what is asked for holds the tabs, too
            self._window.resizeDocks([dock], [wanted + self._tabs(dock)], Qt.Orientation.Vertical)

    def _tabs(self, dock: QDockWidget) -> int:
        """Height of the tabs over a panel."""
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        for bar in self._window.findChildren(QTabBar, options=direct):
            if bar.isVisible() and dock.windowTitle() in [bar.tabText(k) for k in range(bar.count())]:
                return bar.height()
        return 0

    def forget(self) -> None:
        """Every panel has its first height again."""
        for name in self._window.docks:
            if self._window.settings.value(f"{KEY}{name}"):
                self._window.settings.set_value(f"{KEY}{name}", "")
        self._soon.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if watched is self._window and kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease):
            # the borders between docks are the window's own; tabs and panels take their clicks themselves
            self._dragging = kind == QEvent.Type.MouseButtonPress
        if kind != QEvent.Type.Resize:
            return False
        if watched is self._window:
            self._soon.start()
        elif isinstance(watched, QDockWidget) and self._dragging and watched is self.front():
            share = watched.height() / max(self._window.height(), 1)
            self._window.settings.set_value(f"{KEY}{watched.property('panel')}", f"{share:.4f}")
        return False
