"""The thin title of a dock: name, float, close, in the icons of the program. Dragging it moves the dock."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QLabel, QToolButton, QWidget

from app.widgets.icons import icon


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
