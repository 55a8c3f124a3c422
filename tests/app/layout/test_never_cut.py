"""No label, button or field of the window is cut at any size, theme, density or size of letters."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

sys.path.insert(0, str(Path(__file__).parent))

from cut_texts import cut_texts
from walk import settle, walk_pages, walk_panels

from ridewright.app.shell.panel_sizes import FRAME, first_size

WALK = Path(__file__).parent / "walk.py"


@contextmanager
def _screen(pixels: str) -> Iterator[str]:
    """A virtual screen of so many pixels; its name."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{pixels}x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL) as server:
        os.close(write)
        with os.fdopen(read) as told:
            name = told.readline().strip()
        yield f":{name}"
        server.terminate()


def _walk(
    sizes: str,
    theme: str,
    points: float = 0.0,
    scale: str = "1",
    pixels: str = "2600x1500",
    ride: bool = True,
) -> dict:
    """What `walk` finds in a process of its own on a screen of its own with a pixel density."""
    with _screen(pixels) as display:
        done = subprocess.run(
            [sys.executable, str(WALK), sizes, theme, str(points), *(["ride"] if ride else [])],
            env=os.environ | {"QT_SCALE_FACTOR": scale, "DISPLAY": display},
            capture_output=True,
            text=True,
            timeout=500,
            check=False,
        )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_that_the_search_for_cut_texts_finds_them(qtbot) -> None:
    """What it must find: a label in too little room, a button squeezed, a widget beyond the edge of its parent."""
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(300, 100)
    row = QHBoxLayout(window)
    label, button = QLabel("A sentence that needs more than this"), QPushButton("Where it comes from")
    row.addWidget(label)
    row.addWidget(button)
    window.show()
    settle()
    assert cut_texts(window) == []
    label.setFixedWidth(40)
    button.setMinimumWidth(0)
    button.setFixedWidth(50)
    settle()
    found = cut_texts(window)
    assert len(found) == 2
    assert "40 px wide" in found[0]
    assert "50 px wide" in found[1]
    label.setFixedWidth(260)
    lost = QLabel("lost", window)
    lost.setGeometry(QRect(window.width() - 20, 10, 60, 20))
    lost.show()
    settle()
    assert any("beyond" in line for line in cut_texts(window))


def test_that_nothing_is_cut_on_a_small_screen(studio) -> None:
    assert walk_panels(studio, [(1024, 700)]) == []
    assert walk_pages(studio) == []


@pytest.mark.nightly
def test_that_nothing_is_cut_at_doubled_density() -> None:
    """QT_SCALE_FACTOR=2: on a screen of 1920 x 1080 there is room for 960 x 540, and the first window fits."""
    found = _walk("", "light", scale="2", pixels="1920x1080", ride=False)
    assert found["first"][0] <= found["screen"][0]
    assert found["first"][1] <= found["screen"][1]
    assert found["cut"] == []


@pytest.mark.nightly
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_that_nothing_is_cut_at_any_size(theme: str) -> None:
    assert _walk("1024x700,1600x1000,2560x1440", theme)["cut"] == []


@pytest.mark.nightly
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_that_nothing_is_cut_with_large_letters(theme: str) -> None:
    """14 points: what a desktop of 150 dots per inch asks for."""
    assert _walk("1600x1000", theme, points=14.0)["cut"] == []


@pytest.mark.parametrize("screen", [(1024, 700), (960, 540), (3840, 2160)])
def test_that_the_first_window_fits_every_screen(screen: tuple[int, int]) -> None:
    size = first_size(QRect(0, 0, *screen))
    assert size.boundedTo(QSize(*screen) - FRAME) == size
    assert size.width() >= 0.79 * screen[0]
    assert size.height() >= 0.79 * screen[1]
