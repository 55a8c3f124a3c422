"""Where compiled kernels are kept, and when they are stale.

numba renews a cached kernel when its own file changes, not when a kernel it calls does, and would then run old code.
Here the stamp of a file covers every file of this program it takes kernels or constants from, so that a change
compiles anew just what depends on it.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
import time
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
SHORT = 16  # digits of a stamp in the name of a folder
STALE = 24.0 * 3600.0  # s
MARK = re.compile(rb"^@(kernel|allocating|inner|part|njit)\b", re.MULTILINE)
IMPORT = re.compile(rb"^from (core[\w.]*) import ([^(\n]*|\([^)]*\))", re.MULTILINE)
WRITERS = ("jit/decorators.py", "jit/tables.py")  # what numba makes of a kernel depends on them, too
LOCATORS = "core.jit.locator.KernelLocator,InTreeCacheLocator,UserWideCacheLocator"


def use_own_cache() -> None:
    """Let numba ask `core.jit.locator` where kernels are kept. Must run before the first kernel is imported."""
    wanted = os.environ.setdefault("NUMBA_CACHE_LOCATOR_CLASSES", LOCATORS)
    if numba := sys.modules.get("numba"):  # which has read its settings already
        numba.config.CACHE_LOCATOR_CLASSES = wanted


def kept_in(file: Path) -> tuple[Path, str] | None:
    """The folder that the kernels of a file of this program are kept in, and their stamp, which is part of its name:
    what another version has kept is never read. None for other files and when nothing can be kept."""
    place, file = cache_folder(), file.resolve()
    if place is None or not file.is_relative_to(PACKAGE):
        return None
    stamp = source_stamp(PACKAGE, file)
    module = ".".join(file.relative_to(PACKAGE).with_suffix("").parts)
    folder = place / f"{module}-{stamp[:SHORT]}"
    try:
        if not folder.exists():
            _tidy(place, module)
            folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return (folder, stamp) if os.access(folder, os.W_OK) else None


def _tidy(place: Path, module: str) -> None:
    """Remove what other versions of a file have kept and not written to for a while."""
    for old in place.glob(f"{module}-*"):
        if time.time() - old.stat().st_mtime > STALE:
            shutil.rmtree(old, ignore_errors=True)


def cache_folder() -> Path | None:
    """Folder for compiled kernels: beside the sources or, when that is read-only, in the user's cache.

    A NUMBA_CACHE_DIR in the environment comes first.
    """
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ridewright"
    places = [PACKAGE / "__pycache__" / "kernels", home / "kernels"]
    if given := os.environ.get("NUMBA_CACHE_DIR"):
        places.insert(0, Path(given))
    for place in places:
        try:
            place.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(place, os.W_OK):
            return place
    return None


def source_stamp(root: Path, file: Path) -> str:
    """Digest of a kernel file and of all files under the package folder `root` that its kernels are made of.

    Imports are followed through files that hold kernels; other imported files count with their text only. What is
    imported from a folder as a whole comes from any of its files.
    """
    digest = hashlib.sha256()
    seen: set[Path] = set()
    waiting = [file.resolve(), *(found for name in WRITERS if (found := root.resolve() / name).exists())]
    while waiting:
        current = waiting.pop()
        if current in seen:
            continue
        seen.add(current)
        if current == file.resolve() or MARK.search(_text(current)):
            waiting.extend(_imported(root.resolve(), current))
    for source in sorted(seen):
        digest.update(source.name.encode())
        digest.update(_text(source))
    return digest.hexdigest()


@cache
def _text(file: Path) -> bytes:
    return file.read_bytes()


@cache
def _imported(root: Path, file: Path) -> tuple[Path, ...]:
    found: list[Path] = []
    for room, names in IMPORT.findall(_text(file)):
        place = root.joinpath(*room.decode().split(".")[1:])
        if not place.is_dir():
            found.append(place.with_suffix(".py"))
            continue
        files = [place / f"{name}.py" for name in re.findall(r"(\w+)(?: as \w+)?", names.decode())]
        found += files if all(one.exists() for one in files) else place.glob("*.py")
    return tuple(found)
