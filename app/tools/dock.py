"""Where a tool stands in the window: beside the view, and gone again as if it had not been there."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDialog, QDockWidget, QMainWindow, QWidget

from ..widgets.window_size import FRAME, room_on_screen

RIGHT = Qt.DockWidgetArea.RightDockWidgetArea
WIDTH, HIGHEST = 360, 640  # of a tool as it opens, and of one in a window of its own


class ToolDock(QDockWidget):
    """Where a tool stands: a tab in the column of the inspector; a window of its own on a screen that is too small for
    the studio."""

    def __init__(self, tool: QDialog, title: str, window: QWidget) -> None:
        super().__init__(title, window)
        assert isinstance(window, QMainWindow)
        self._tool, self._window = tool, window
        self._width = 0  # of the column before
        self._heights: list[tuple[QDockWidget, int]] = []  # of what is in it, from above
        self._corner = Qt.DockWidgetArea.BottomDockWidgetArea  # what has the corner below it before
        self.setObjectName("dock_tool")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        tool.setWindowFlags(Qt.WindowType.Widget)
        self.setWidget(tool)
        self.hide()

    def open(self) -> None:
        """Take a place beside the view."""
        window = self._window
        beside = [
            dock
            for dock in window.findChildren(QDockWidget)
            if dock is not self and window.dockWidgetArea(dock) == RIGHT and not dock.isFloating()
        ]
        shown = sorted(
            (dock for dock in beside if not dock.visibleRegion().isEmpty()), key=lambda dock: dock.y()
        )
        self._corner = window.corner(Qt.Corner.BottomRightCorner)
        window.addDockWidget(RIGHT, self)
        if shown:
            self._width = shown[-1].width()
            self._heights = [(dock, dock.height()) for dock in shown]
            window.tabifyDockWidget(shown[-1], self)
        self.show()
        self.raise_()
        screen = room_on_screen(window)
        if not screen.contains(window.geometry()):
            self.setFloating(True)
            size = QSize(WIDTH, HIGHEST).boundedTo(screen.size() - FRAME)
            self.setGeometry(QRect(screen.topRight() - QPoint(size.width() + 4, -FRAME.height()), size))
            self._tool.setFocus()
            return
        window.setCorner(Qt.Corner.BottomRightCorner, RIGHT)  # as high as the window
        if self._width < WIDTH:
            window.resizeDocks([self], [WIDTH], Qt.Orientation.Horizontal)
        column = [dock for dock, _ in self._heights[:-1]]
        window.resizeDocks([*column, self], [*[1 for _ in column], window.height()], Qt.Orientation.Vertical)
        self._tool.setFocus()

    def leave(self) -> None:
        """Give the column back to what was there."""
        window = self._window
        if self.isVisible() and not self.isFloating() and self._width:
            beside = window.tabifiedDockWidgets(self)
            if beside:
                window.resizeDocks(beside[:1], [self._width], Qt.Orientation.Horizontal)
                docks, heights = zip(*self._heights, strict=True)
                window.resizeDocks(list(docks), list(heights), Qt.Orientation.Vertical)
        window.setCorner(Qt.Corner.BottomRightCorner, self._corner)
        self.hide()
        window.removeDockWidget(self)
        layout = window.layout()
        assert layout is not None
        layout.activate()  # the next tool finds the column as it was, though it comes in the same turn of the loop
        self.deleteLater()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._tool.close()
        event.accept()
