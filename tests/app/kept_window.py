"""One window for many tests: a window takes seconds to make, and users keep theirs open for days."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QWidget

from ridewright.app.shell.application import make_window
from ridewright.app.shell.main_window import MainWindow
from ridewright.app.widgets import dialogs, theme
from ridewright.app.widgets.settings import Settings
from ridewright.app.work import threads
from ridewright.core.project.examples import load_example

SIZE = 1280, 800
CHOICES = [name for name, kind in vars(Settings).items() if isinstance(kind, property) and kind.fset]
NOT_KEPT = ("geometry", "last_folder")


def first_shown(window: MainWindow, qtbot: object) -> None:
    """Show a window and wait for its 3D view, which is filled after the window has been painted."""
    window.resize(*SIZE)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=30_000)  # type: ignore[attr-defined]
    qtbot.waitUntil(lambda: len(window.viewer.plotter.frame_times) > 0, timeout=60_000)  # type: ignore[attr-defined]


def close(window: MainWindow) -> None:
    """Close a window and discard what is not saved."""
    ask, dialogs.ask_to_save = dialogs.ask_to_save, lambda *_: "discard"  # type: ignore[assignment]
    try:
        window.close()
    finally:
        dialogs.ask_to_save = ask
    assert threads.running() == ()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.None_)
    QApplication.processEvents()


class KeptWindow:
    """The window that tests share, and what it needs to be as new."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._made = folder, 0
        self.window: MainWindow | None = None
        self._project = load_example("looping_star")

    def fresh(self, qtbot: object) -> MainWindow:
        """The window with the Looping Star as it first stood there; made when there is none."""
        if self.window is None:
            self._made += 1  # what a window keeps for the next one, its layout for example, is not for this
            self.settings = Settings(self._folder / str(self._made))
            self.settings.tour_seen = True
            self._choices = {name: getattr(self.settings, name) for name in CHOICES if name not in NOT_KEPT}
        theme.apply(QApplication.instance(), self.settings.theme)  # type: ignore[arg-type]
        if self.window is None:
            self.window, fault = make_window(self.settings)
            assert fault == ""
            first_shown(self.window, qtbot)
            return self.window
        window = self.window
        window.document.start_from(self._project)
        window.workspaces.reset_all()
        window.resize(*SIZE)
        window.activateWindow()
        window.viewer.use_camera("orbit")
        window.viewer.frame_all()
        window.viewer.setFocus()
        QApplication.processEvents()
        return window

    def leave(self, qtbot: object) -> None:
        """Take back what a test did to the window besides its document."""
        window = self.window
        assert window is not None
        for other in QApplication.topLevelWidgets():
            if other.isVisible() and other is not window and not _belongs(other, window):
                other.close()
        window.playback.pause()
        window.runner.stop()
        qtbot.waitUntil(lambda: not window.runner.running and not window.runner.queue, timeout=60_000)  # type: ignore[attr-defined]
        for name, value in self._choices.items():
            if getattr(self.settings, name) != value:
                setattr(self.settings, name, value)
        if window.tour is not None:
            window.tour.end()

    def close(self) -> None:
        """End with the session."""
        if self.window is not None:
            close(self.window)
            self.window = None


def _belongs(other: QWidget, window: MainWindow) -> bool:
    return other in window.docks.values()
