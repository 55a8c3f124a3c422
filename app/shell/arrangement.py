"""Where the docks of the window stand: put as a workspace describes it, or as they were left there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from PySide6.QtCore import QByteArray, QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QDockWidget, QLayout, QMainWindow, QTabBar

from .panels import BOTTOM, RIGHT, PanelName

LAYOUT_VERSION = 2  # of what `state` gives; 1 was one arrangement for every task


class Arrangement:
    """Moves the docks of a window, by the names of their panels."""

    def __init__(self, window: QMainWindow, docks: Mapping[PanelName, QDockWidget]) -> None:
        self._window, self._docks = window, docks

    @property
    def shown(self) -> tuple[PanelName, ...]:
        """The panels that are part of what is shown: in front, behind another tab, or out of the window."""
        return tuple(name for name, dock in self._docks.items() if not dock.isHidden())

    def put(self, beside: Sequence[Sequence[PanelName]], below: Sequence[Sequence[PanelName]]) -> None:
        """Show groups of panels in the column and below the view, and no others."""
        with self._at_this_size():
            self._put(beside, below)
            self._drop_tabs()

    @contextmanager
    def _at_this_size(self) -> Iterator[None]:
        """The window stays as large as it is: what stands half in one arrangement, half in another may need more."""
        layout = self._window.layout()
        assert layout is not None
        known = layout.sizeConstraint()
        layout.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        try:
            yield
        finally:
            layout.setSizeConstraint(known)

    def _put(self, beside: Sequence[Sequence[PanelName]], below: Sequence[Sequence[PanelName]]) -> None:
        for dock in self._docks.values():
            if dock.isFloating():
                dock.setFloating(False)
            dock.hide()
        for area, groups, way in (
            (RIGHT, beside, Qt.Orientation.Vertical),
            (BOTTOM, below, Qt.Orientation.Horizontal),
        ):
            heads = [self._docks[group[0]] for group in groups]
            for before, head in zip([None, *heads], heads, strict=False):
                # what comes to the side of a tab becomes a tab, so the tabs come afterwards
                self._window.addDockWidget(area, head)
                if before is not None:
                    self._window.splitDockWidget(before, head, way)
            for head, group in zip(heads, groups, strict=True):
                for name in group[1:]:
                    self._window.tabifyDockWidget(head, self._docks[name])
                for name in group:
                    self._docks[name].show()
                head.raise_()

    def _drop_tabs(self) -> None:
        """Let go of the tabs of groups that are no more: Qt deletes them later, and until then they are seen."""
        layout = self._window.layout()
        assert layout is not None
        layout.activate()
        for bar in self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            QCoreApplication.sendPostedEvents(bar, QEvent.Type.DeferredDelete.value)

    def join(self, name: PanelName, area: Qt.DockWidgetArea) -> None:
        """Show a panel as a tab among those of an area, or there alone."""
        dock = self._docks[name]
        dock.setFloating(False)
        there = [
            other
            for other in self._docks.values()
            if other is not dock and not other.isHidden() and not other.isFloating()
            if self._window.dockWidgetArea(other) == area
        ]
        if there:
            self._window.tabifyDockWidget(there[-1], dock)
        else:
            self._window.addDockWidget(area, dock)
        dock.show()
        dock.raise_()

    def state(self) -> QByteArray:
        """Where everything stands now."""
        return self._window.saveState(LAYOUT_VERSION)

    def take(self, state: QByteArray, shown: Sequence[str]) -> bool:
        """Put everything where it stood, and show these panels; False when the state cannot be read."""
        with self._at_this_size():
            if not self._window.restoreState(state, LAYOUT_VERSION):
                return False
            for name, dock in self._docks.items():
                dock.setVisible(name in shown)
            self._drop_tabs()
        return True
