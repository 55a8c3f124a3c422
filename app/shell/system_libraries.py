"""Libraries of the system that the window needs: where some are missing one sentence says which packages bring them.

Qt would end the program without a word to an engineer, and VTK, where there is no OpenGL, with a fault.
"""

from __future__ import annotations

import ctypes
import re
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

#: What the loader of Linux says.
NOT_FOUND = re.compile(r"^(lib\S+\.so\S*): cannot open shared object file")


def load_plugin() -> None:
    """Load what shows windows under X11, as Qt will. Raises OSError, which names the first library it lacks."""
    plugin = _of_qt() / "plugins" / "platforms" / "libqxcb.so"
    if plugin.is_file():
        ctypes.CDLL(str(plugin))


def what_is_missing(error: Exception) -> str:
    """The sentence for an error of the loader; empty for other errors."""
    found = NOT_FOUND.match(str(error))
    if found is None:
        return ""
    rows = (files("ridewright.resources") / "system_libraries.txt").read_text(encoding="utf-8").splitlines()
    known = dict(row.split() for row in rows)
    packages = [package for name, package in known.items() if not _is_there(name)]
    way = f"; on Debian and Ubuntu: sudo apt-get install {' '.join(packages)}" if packages else ""
    return f"The window needs libraries that this system lacks ({found[1]}){way}."


def _is_there(name: str) -> bool:
    if (_of_qt() / "lib" / name).exists():  # those that came with a bundle
        return True
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def _of_qt() -> Path:
    spec = find_spec("PySide6")
    places = spec.submodule_search_locations if spec is not None else None
    return Path(places[0] if places else ".", "Qt")
