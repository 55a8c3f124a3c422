"""What a fault below Python leaves is kept and told at the next start; every window runs under the collector's rule."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
OWN = {"app/shell/application.py"}

DYING = """
    import ctypes, sys
    from pathlib import Path
    from ridewright.app.shell import crashes
    from ridewright.app.shell.application import make_application
    application = make_application(["x"])
    print(*crashes.keep(Path(sys.argv[1])), flush=True)
    if sys.argv[2] == "dies":
        ctypes.string_at(8)
    crashes.forget()
"""


def _process(folder: Path, how: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(DYING), str(folder), how],
        cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_that_the_dump_of_a_fault_is_kept_and_told_once(tmp_path: Path) -> None:
    assert _process(tmp_path, "dies").returncode < 0
    told = _process(tmp_path, "ends")
    assert told.returncode == 0, told.stderr
    (dump,) = tmp_path.iterdir()
    assert told.stdout.strip() == str(dump)
    assert "Current thread" in dump.read_text()
    assert "string_at" in dump.read_text()
    assert _process(tmp_path, "ends").stdout.strip() == ""
    assert list(tmp_path.iterdir()) == [dump]


@pytest.mark.parametrize("folder", ["app", "tools", "tests/benchmarks"])
def test_that_every_program_with_a_window_runs_under_the_rules(folder: str) -> None:
    """None makes a QApplication of its own: `make_application` switches on the dump and the collector's rule."""
    for file in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            made = isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", ""))
            if made in ("QApplication", "QGuiApplication"):
                assert file.relative_to(ROOT).as_posix() in OWN, file


DRAWING = """
import faulthandler
from ridewright.app.view3d.off_screen import OffScreen
OffScreen(8, 8)
print(faulthandler.is_enabled())
"""


def test_that_what_draws_off_screen_tells_of_a_fault_too() -> None:
    """The report of the command line and the tools draw without an application."""
    told = subprocess.run(
        [sys.executable, "-c", DRAWING], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert told.stdout.strip() == "True", told.stderr


@pytest.mark.parametrize("folder", ["app", "tools", "tests/benchmarks"])
def test_that_nothing_draws_around_the_rules(folder: str) -> None:
    """Plotters are made in `off_screen`, or behind `make_application` of the same file."""
    makers = ("Plotter", "QtInteractor", "BackgroundPlotter", "mkQApp", "vtkRenderWindow")
    for file in sorted((ROOT / folder).rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)):
            made = isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", ""))
            if made in makers and file.name != "off_screen.py":
                assert "make_application(" in text, file
