"""Pictures of the studio for the README and the user guide, taken from the real window.

    make screenshots          1280 x 800 to resources/guide/pictures, 1920 x 1080 to out/pictures,
                              one of twice the pixel density to out/pictures

Runs on any display; without one `make screenshots` starts a virtual screen. What is shown is what the program does:
the Looping Star is ridden, changed and ridden again.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QApplication, QWidget

from ridewright.app.document.document import Selection
from ridewright.app.shell.application import make_application, make_window
from ridewright.app.shell.main_window import MainWindow
from ridewright.app.shell.preferences import Preferences
from ridewright.app.view3d.marks import Sweep
from ridewright.app.widgets import theme
from ridewright.app.widgets.settings import Settings
from ridewright.app.work.preview import RidePreview
from ridewright.core.edits.points import move_points, set_points
from ridewright.core.model.assembly import Assembly
from tools.building_pictures import sections_and_forces, tools, tools_on_elements
from tools.contact_pictures import falling
from tools.injury_pictures import injuring
from tools.live_pictures import designing_live
from tools.rider_pictures import rider_of_any_size
from tools.structure_pictures import bending
from tools.train_pictures import trains
from tools.workspace_pictures import SIZES, every_workspace, panels_of_workspaces

ROOT = Path(__file__).parents[1]
GUIDE = ROOT / "resources" / "guide" / "pictures"
OUT = ROOT / "out" / "pictures"
PATIENCE = 300.0  # s for a first compile on a slow machine
SETTLE = 1.0  # s before a picture is taken
DOUBLE = "--double"
BUILDING = "--building"
TRAINS = "--trains"
WORKSPACES = "--workspaces"


class Photographer:
    """The window of one theme and size, and its pictures."""

    def __init__(self, app: QApplication, name: str, size: tuple[int, int], folder: Path) -> None:
        self.app, self.folder = app, folder
        self.settings = Settings(Path(tempfile.mkdtemp()))
        self.settings.theme = name
        self.settings.tour_seen = True
        theme.apply(self.app, name)
        self.window, _ = make_window(self.settings)
        self.window.resize(*size)
        self.window.show()
        self.window.prepare()
        preview = RidePreview.of(self.window.document)
        self.wait(until=lambda: self.window.runner.ready and not preview.preparing)
        self.window.viewer.frame_all()

    def wait(self, seconds: float = 0.0, until: Callable[[], bool] | None = None) -> None:
        """Let the window live for a while, or until something holds."""
        end = time.monotonic() + (seconds if until is None else PATIENCE)
        while time.monotonic() < end and not (until is not None and until()):
            self.app.processEvents()
            time.sleep(0.005)

    def shoot(self, name: str, of: QWidget | None = None, settle: float = SETTLE) -> None:
        """Save a picture of the window, or of another widget."""
        self.wait(settle)
        loads = self.window.panels.made("loads")
        if settle > 0.0 and loads is not None:
            self.wait(until=lambda: loads.grid.complete or not loads.isVisible())
            self.wait(0.4)
        file = self.folder / f"{name}.png"
        (of or self.window).grab().save(str(file))
        print(file.relative_to(ROOT))

    def shoot_with(self, name: str, beside: QWidget, settle: float = SETTLE) -> None:
        """Save a picture of the window with another one that lies over it."""
        self.wait(settle)
        picture = self.window.grab()
        painter = QPainter(picture)
        painter.drawPixmap(beside.mapToGlobal(QPoint()) - self.window.mapToGlobal(QPoint()), beside.grab())
        painter.end()
        file = self.folder / f"{name}.png"
        picture.save(str(file))
        print(file.relative_to(ROOT))

    def run(self) -> None:
        """Ride the project to its end."""
        before = len(self.window.document.runs)
        self.window.runner.start(self.window.document.project)
        self.wait(until=lambda: len(self.window.document.runs) > before and not self.window.runner.running)

    def close(self) -> None:
        """Close without asking about unsaved work."""
        self.window.document.undo_stack.setClean()
        for run in self.window.document.runs:
            self.window.document.drop_run(run)
        self.window.close()
        self.wait(0.3)


def first_car(window: MainWindow) -> Assembly:
    """The first car of the project."""
    train = window.document.project.train
    assert train is not None
    return train.children[0]


def editing(it: Photographer) -> None:
    """Main window, points with the frame sweep, a joint of the tree, problems of a spoilt track."""
    w = it.window
    it.shoot("main_dark")
    w.show_panel("points")
    w.document.select(Selection("points", ("loop",), (12, 13, 14)))
    w.viewer.set_sweep(Sweep(rails=True))
    w.viewer.frame_selection()
    it.shoot("track_editing_frame_sweep")
    w.viewer.set_sweep(None)
    car = first_car(w)
    w.show_panel("profile")
    turning = next(joint for joint in car.joints if joint.kind == "revolute")
    w.document.select(Selection("joint", (car.name, turning.name)))
    w.viewer.show_part("station", False)
    w.viewer.frame_selection()
    it.shoot("tree_joint_highlighted")
    w.viewer.show_part("station", True)
    w.document.select(Selection("none"))
    project = w.document.project
    spoilt = set_points(move_points(project, "curve 4", [5], (0.0, 0.0, 2.5)), "curve 5", [4], {"cant": 1.2})
    w.document.apply("Spoil", spoilt)
    w.show_panel("problems")
    it.wait(until=lambda: len(w.document.problems) > 0)
    worst = next((p for p in w.document.problems if p.s is not None), None)
    if worst is not None and worst.s is not None:
        w.viewer.frame_place(worst.s)
    it.shoot("problems")
    w.document.undo_stack.undo()
    w.document.select(Selection("none"))
    w.viewer.frame_all()


def riding(it: Photographer) -> None:
    """A run in progress, its playback from three cameras, what it does to the rider, and another run over it."""
    w = it.window
    w.show_panel("run")
    w.runner.start(w.document.project)
    half_way: list[float] = []
    w.runner.progressed.connect(lambda done, *_: half_way.append(done) if done > 0.6 else None)
    it.wait(until=lambda: bool(half_way) or not w.runner.running)
    it.shoot("run_in_progress", settle=0.0)
    it.wait(until=lambda: not w.runner.running)
    w.show_panel("loads")
    w.viewer.colour_by("gz")
    for name, moment in (("follow", 16.3), ("ride", 14.9), ("side", 16.8)):
        w.playback.seek(moment)
        w.viewer.use_camera(name)
        it.shoot(f"playback_{name}")
    w.viewer.use_camera("follow")
    w.show_panel("injury")
    it.wait(3.0)
    it.shoot("injury")
    injuring(it)
    w.reset_layout()
    w.viewer.use_camera("follow")
    project = w.document.project
    for number in range(2, 9):  # a bump over seven points, so that the hill stays smooth
        lift = 0.8 * math.sin(math.pi * (number - 1) / 8) ** 2
        project = move_points(project, "second hill", [number], (0.0, 0.0, lift))
    w.document.apply("Raise the second hill", project)
    it.run()
    for run in w.document.runs:
        w.document.compare(run, True)
    w.show_panel("loads")
    w.playback.seek(20.6)
    w.viewer.frame_all()
    it.shoot("comparison_of_two_runs")


def building(app: QApplication, size: tuple[int, int], folder: Path) -> None:
    """Building a track, and every tool."""
    folder.mkdir(parents=True, exist_ok=True)
    it = Photographer(app, "dark", size, folder)
    sections_and_forces(it)
    tools(it)
    tools_on_elements(it)
    it.close()
    it = Photographer(app, "dark", size, folder)
    designing_live(it)
    rider_of_any_size(it)
    it.close()
    coupling(app, size, folder)


def coupling(app: QApplication, size: tuple[int, int], folder: Path) -> None:
    """Trains and their couplers."""
    it = Photographer(app, "dark", size, folder)
    trains(it)
    falling(it)
    bending(it)
    it.close()


def workspaces(app: QApplication) -> None:
    """Every workspace with a run, at four sizes, in both themes; those of the guide are dark and 1280 x 800, and so are
    panels of them with something in it."""
    for theme_name in ("dark", "light"):
        it = Photographer(app, theme_name, (1280, 800), OUT)
        it.run()
        for size in SIZES:
            of_guide = theme_name == "dark" and size == (1280, 800)
            it.folder = GUIDE if of_guide else OUT
            every_workspace(it, size, "" if of_guide else f"_{theme_name}_{size[0]}")
        if theme_name == "dark":
            it.window.resize(1280, 800)
            it.folder = GUIDE
            panels_of_workspaces(it)
        it.close()


def light(app: QApplication, size: tuple[int, int], folder: Path) -> None:
    """The main window in the light theme, and the preferences."""
    it = Photographer(app, "light", size, folder)
    it.shoot("main_light")
    it.shoot("preferences", Preferences(it.settings, it.window))
    it.close()


def whole_set(app: QApplication, size: tuple[int, int], folder: Path) -> None:
    """All views at one size."""
    folder.mkdir(parents=True, exist_ok=True)
    it = Photographer(app, "dark", size, folder)
    editing(it)
    riding(it)
    it.close()
    building(app, size, folder)
    light(app, size, folder)


def main(arguments: list[str]) -> None:
    """Take all pictures; the one of twice the density in a process of its own, which Qt asks for."""
    app = make_application([sys.argv[0]])
    OUT.mkdir(parents=True, exist_ok=True)
    if DOUBLE in arguments:
        it = Photographer(app, "dark", (1280, 800), OUT)
        it.shoot("main_dark_double_density")
        it.close()
        return
    if BUILDING in arguments:
        building(app, (1280, 800), GUIDE)
        return
    if TRAINS in arguments:
        coupling(app, (1280, 800), GUIDE)
        return
    if WORKSPACES in arguments:
        workspaces(app)
        return
    wanted = [a for a in arguments if not a.startswith("-")] or ["1280", "1920"]
    if "1280" in wanted:
        whole_set(app, (1280, 800), GUIDE)
    if "1920" in wanted:
        whole_set(app, (1920, 1080), OUT)
    workspaces(app)
    environment = {**os.environ, "QT_SCALE_FACTOR": "2"}
    subprocess.run([sys.executable, "-m", "tools.screenshots", DOUBLE], cwd=ROOT, env=environment, check=True)
    if "1280" in wanted:
        subprocess.run([sys.executable, "-m", "tools.report_pages"], cwd=ROOT, check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
