"""The first project read in a thread while the window is made."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from ridewright.app.document.document import Document
from ridewright.app.shell.application import open_first
from ridewright.app.widgets.settings import Settings
from ridewright.app.work.prefetch import Prefetch
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import save_project

ROOT = Path(__file__).parents[3]


def test_that_the_prefetched_example_is_the_first_project_and_is_not_built_again(settings: Settings) -> None:
    fetched = Prefetch()
    document = Document()
    assert open_first(document, settings, None, fetched) == ""
    found = fetched.result()
    assert found is not None
    assert document.project is found.project
    assert document.built() is found.built
    assert document.path is None


def test_that_a_prefetched_file_is_opened_with_its_path(settings: Settings, tmp_path: Path) -> None:
    path = tmp_path / "mine.ridewright"
    save_project(load_example("straight"), path)
    document = Document()
    assert open_first(document, settings, path, Prefetch(path)) == ""
    assert document.path == path
    assert not document.is_modified
    assert document.project == load_example("straight")
    assert settings.recent_files[0] == path


def test_that_a_file_that_cannot_be_fetched_is_told_the_usual_way(settings: Settings, tmp_path: Path) -> None:
    path = tmp_path / "broken.ridewright"
    path.write_text("{")
    fetched = Prefetch(path)
    assert fetched.result() is None
    document = Document()
    assert "broken.ridewright" in open_first(document, settings, path, fetched)
    assert document.project == load_example("looping_star")


def test_that_a_start_loads_no_plotting_library_and_nothing_of_qt_before_the_core() -> None:
    code = """
import json, sys
from ridewright.app.work.prefetch import Prefetch
qt = "PySide6" in sys.modules
Prefetch().result()
import ridewright.app.shell.application, ridewright.app.view3d.panel
heavy = (
    "matplotlib", "pyvista", "pyvistaqt", "scipy.signal", "h5py",
    "ridewright.core.report.book", "ridewright.core.injury.evaluate",
)
print(json.dumps([qt, *(name in sys.modules for name in heavy)]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, timeout=120
    )
    assert json.loads(done.stdout) == [False] * 8


def test_that_what_nobody_waits_for_is_loaded_after_the_3d_view_is_filled(tmp_path: Path) -> None:
    # imported beside, it made everything that is waited for come a second later
    code = """
import json, os, sys
from ridewright.app.shell.application import start
from ridewright.app.shell.main_window import LATER, MainWindow
from PySide6.QtTest import QTest
made = []
MainWindow.prepare = lambda window: made.append(len(window.viewer.plotter.frame_times))
application, window = start(["ridewright"])
from ridewright.app.work.preview import KERNELS
filled = [KERNELS.held]
window.viewer.filled.connect(lambda: filled.append([len(made), *(name in sys.modules for name in LATER[:1])]))
for _ in range(600):
    QTest.qWait(50)
    if made:
        break
print(json.dumps([filled[:2], KERNELS.held, len(made), *(n > 0 for n in made)]), flush=True)
os._exit(0)
"""
    folders = {"XDG_CONFIG_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, timeout=120,
        env=os.environ | folders,
    )  # fmt: skip
    assert json.loads(done.stdout.splitlines()[-1]) == [[True, [0, False]], False, 1, True]
