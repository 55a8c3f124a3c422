"""The thin title of a dock: name, float, close, in the icons of the program. Dragging it moves the dock.

A dock among tabs has none, because its tab says the name already; what the title's buttons do is in the menu of the
tab, and a double click on the tab takes the panel out of the window.
"""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QDockWidget,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QMenu,
    QTabBar,
    QToolButton,
    QWidget,
)

from ..widgets.icons import icon


class DockTitle(QWidget):
    """Title bar of one dock."""

    def __init__(self, dock: QDockWidget) -> None:
        super().__init__(dock)
        self._dock = dock
        title = QLabel(dock.windowTitle().replace("&&", "&"))
        title.setProperty("role", "heading")
        self.float = self._button("Take this panel out of the window, or put it back")
        self.close_button = self._button("Close this panel (View > Panels brings it back)")
        self.float.clicked.connect(lambda: dock.setFloating(not dock.isFloating()))
        self.close_button.clicked.connect(dock.close)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(8, 2, 4, 2)
        layout.setSpacing(4)
        layout.addWidget(title)
        layout.addStretch(1)
        layout.addWidget(self.float)
        layout.addWidget(self.close_button)
        self._draw()

    def set_shown(self, on: bool) -> None:
        """Show the title or take no room for it."""
        for child in self.findChildren(QWidget):
            child.setVisible(on)
        layout = self.layout()
        assert layout is not None
        layout.setContentsMargins(*((8, 2, 4, 2) if on else (0, 0, 0, 0)))
        self.setMaximumHeight(16_777_215 if on else 0)
        self.updateGeometry()
        around = self._dock.layout()
        if around is not None:  # a dock that keeps its size would leave its title the room it had
            around.invalidate()
            around.activate()

    def _button(self, tip: str) -> QToolButton:
        button = QToolButton(self)
        button.setIconSize(QSize(12, 12))
        button.setAutoRaise(True)
        button.setToolTip(tip)
        button.setAccessibleName(f"{tip}: {self._dock.windowTitle()}")
        return button

    def _draw(self) -> None:
        self.float.setIcon(icon("float"))
        self.close_button.setIcon(icon("close"))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "close_button"):
            self._draw()


class DockTabs(QObject):
    """Keeps the titles of docks as they should be, and gives tabs their menu. clicked(dock): the tab of one was."""

    clicked = Signal(QDockWidget)

    def __init__(self, window: QMainWindow, docks: Iterable[QDockWidget]) -> None:
        super().__init__(window)
        self._window, self._docks = window, tuple(docks)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self.update)
        for dock in self._docks:
            for signal in (dock.topLevelChanged, dock.dockLocationChanged, dock.visibilityChanged):
                signal.connect(lambda *_: self._soon.start())
        self.update()

    def update(self) -> None:
        """Look which docks stand among tabs."""
        for dock in self._docks:
            title = dock.titleBarWidget()
            if isinstance(title, DockTitle):
                title.set_shown(dock.isFloating() or not self._window.tabifiedDockWidgets(dock))
        for bar in self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            if bar.contextMenuPolicy() != Qt.ContextMenuPolicy.CustomContextMenu:  # a new one
                bar.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
                bar.setElideMode(Qt.TextElideMode.ElideNone)  # tabs that have no room are scrolled to
                bar.setUsesScrollButtons(True)
                bar.customContextMenuRequested.connect(lambda place, bar=bar: self._menu_at(bar, place))
                bar.tabBarClicked.connect(lambda k, bar=bar: self._on_click(self._dock_of(bar, k)))
                bar.tabBarDoubleClicked.connect(lambda k, bar=bar: self._float(self._dock_of(bar, k)))
                bar.setToolTip("Double click takes a panel out of the window; the right button has more")

    def _dock_of(self, bar: QTabBar, k: int) -> QDockWidget | None:
        text = bar.tabText(k) if k >= 0 else ""
        return next((dock for dock in self._docks if text and dock.windowTitle() == text), None)

    def _on_click(self, dock: QDockWidget | None) -> None:
        if dock is not None:
            self.clicked.emit(dock)

    def _float(self, dock: QDockWidget | None) -> None:
        if dock is not None:
            dock.setFloating(True)

    def _menu_at(self, bar: QTabBar, place: QPoint) -> None:
        dock = self._dock_of(bar, bar.tabAt(place))
        if dock is not None:
            menu = self.menu_for(dock)
            menu.exec(bar.mapToGlobal(place))
            menu.deleteLater()

    def menu_for(self, dock: QDockWidget) -> QMenu:
        """The menu of the tab of a dock."""
        menu = QMenu(self._window)
        menu.addAction(icon("float"), "Take out of the window", lambda: self._float(dock))
        menu.addAction(icon("close"), "Close", dock.close)
        return menu
