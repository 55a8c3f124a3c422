"""What the window needs of the system: where it is missing, a sentence names the packages."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys

import pytest

from ridewright.app.shell import system_libraries

STARTED = """
import ctypes, sys
whole = ctypes.CDLL
def without(name=None, *words, **more):
    if "libqxcb" in str(name) or name in ("libxcb-cursor.so.0", "libGL.so.1"):
        raise OSError("libxcb-cursor.so.0: cannot open shared object file: No such file or directory")
    return whole(name, *words, **more)
ctypes.CDLL = without
sys.argv = ["ridewright-studio"]
from ridewright.app.__main__ import main
sys.exit(main())
"""


def test_that_what_shows_windows_loads_here() -> None:
    system_libraries.load_plugin()


def test_that_missing_libraries_are_told_with_the_packages_that_bring_them(monkeypatch) -> None:
    try:
        ctypes.CDLL("libthere-is-none.so.3")
    except OSError as error:
        said = error
    monkeypatch.setattr(
        system_libraries, "_is_there", lambda name: name not in {"libGL.so.1", "libfontconfig.so.1"}
    )
    assert system_libraries.what_is_missing(said) == (
        "The window needs libraries that this system lacks (libthere-is-none.so.3); on Debian and Ubuntu:"
        " sudo apt-get install libgl1 libfontconfig1."
    )
    assert system_libraries.what_is_missing(ImportError("No module named 'PySide6'")) == ""


@pytest.mark.nightly
def test_that_the_studio_says_so_instead_of_ending_without_a_word() -> None:
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY")
    }
    done = subprocess.run(
        [sys.executable, "-c", STARTED], env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 2, done.stderr
    assert "sudo apt-get install libgl1 libxcb-cursor0." in done.stderr
    assert "Traceback" not in done.stderr
