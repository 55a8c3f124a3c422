"""Pictures of the studio for the README and the user guide, taken from the real window.

    make screenshots          writes resources/guide/pictures/*.png

Runs on any display; without one `make screenshots` starts a virtual screen. What is shown is what the program does:
the Looping Star is ridden, changed and ridden again.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QApplication, QWidget

from app import theme
from app.application import make_application, make_window
from app.document import Selection
from app.main_window import MainWindow
from app.preferences import Preferences
from app.settings import Settings
from app.viewer.marks import Sweep
from core.edits.points import move_points
from core.model.assembly import Car

FOLDER = Path(__file__).parents[1] / "resources" / "guide" / "pictures"
PATIENCE = 300.0  # s for a first compile on a slow machine


class Photographer:
    """The window of one theme and size, and its pictures."""

    def __init__(self, app: QApplication, name: str, width: int, height: int) -> None:
        self.app = app
        self.settings = Settings(Path(tempfile.mkdtemp()))
        self.settings.theme = name
        self.settings.tour_seen = True
        theme.apply(self.app, name)
        self.window, _ = make_window(self.settings)
        self.window.resize(width, height)
        self.window.show()
        self.wait(1.0)

    def wait(self, seconds: float = 0.0, until: Callable[[], bool] | None = None) -> None:
        """Let the window live for a while, or until something holds."""
        end = time.monotonic() + (seconds if until is None else PATIENCE)
        while time.monotonic() < end and not (until is not None and until()):
            self.app.processEvents()
            time.sleep(0.005)

    def shoot(self, name: str, of: QWidget | None = None) -> None:
        """Save a picture of the window, or of another widget."""
        self.wait(1.2)
        widget = of or self.window
        file = FOLDER / f"{name}.png"
        widget.grab().save(str(file))
        print(file.relative_to(FOLDER.parents[2]))

    def run(self) -> None:
        """Ride the project to its end."""
        before = len(self.window.document.runs)
        self.window.runner.start(self.window.document.project)
        self.wait(until=lambda: len(self.window.document.runs) > before and not self.window.runner.running)

    def close(self) -> None:
        """Close without asking about unsaved work."""
        self.window.document.undo_stack.setClean()
        self.window.close()
        self.wait(0.3)


def first_car(window: MainWindow) -> Car:
    """The first car of the project."""
    train = window.document.project.train
    assert train is not None
    return train.cars[0]


def dark_set(app: QApplication) -> None:
    """Everything at 1280 x 800 in the dark theme."""
    it = Photographer(app, "dark", 1280, 800)
    w = it.window
    it.shoot("main_dark")
    w.document.select(Selection("points", ("loop",), (12, 13, 14)))
    w.viewer.set_sweep(Sweep(rails=True))
    w.viewer.frame_selection()
    w.show_panel("points")
    it.shoot("track_editing_frame_sweep")
    w.viewer.set_sweep(None)
    car = first_car(w)
    w.document.select(Selection("joint", (car.name, car.joints[-1].name)))
    w.viewer.frame_selection()
    w.show_panel("problems")
    it.shoot("tree_joint_highlighted")
    w.viewer.frame_all()
    w.show_panel("loads")
    w.runner.start(w.document.project)
    half_way: list[float] = []
    w.runner.progressed.connect(lambda done, *_: half_way.append(done) if done > 0.5 else None)
    it.wait(until=lambda: bool(half_way) or not w.runner.running)
    w.grab().save(str(FOLDER / "run_in_progress.png"))
    it.wait(until=lambda: not w.runner.running)
    w.document.select(Selection("none"))
    w.viewer.colour_by("gz")
    w.playback.seek(16.8)
    for name in ("follow", "ride", "side"):
        getattr(w.viewer, f"camera_{name}")()
        it.shoot(f"playback_{name}")
    w.viewer.camera_follow()
    w.show_panel("injury")
    it.wait(3.0)
    it.shoot("injury")
    project = move_points(w.document.project, "second hill", [5], (0.0, 0.0, 0.8))
    w.document.apply("Raise the second hill", project)
    it.run()
    for run in w.document.runs:
        w.document.compare(run, True)
    w.show_panel("loads")
    it.shoot("comparison_of_two_runs")
    it.close()


def light_set(app: QApplication) -> None:
    """The main window in the light theme at two sizes, problems and preferences."""
    it = Photographer(app, "light", 1280, 800)
    it.shoot("main_light")
    it.window.show_panel("problems")
    it.shoot("problems")
    it.shoot("preferences", Preferences(it.settings, it.window))
    it.window.resize(1900, 1060)
    it.window.show_panel("profile")
    it.shoot("main_light_1920")
    it.close()


def main() -> None:
    """Take all pictures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    app = make_application([sys.argv[0]])
    dark_set(app)
    light_set(app)


if __name__ == "__main__":
    main()
