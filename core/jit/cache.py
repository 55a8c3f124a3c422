"""Where compiled kernels are kept, and when they are stale.

numba renews a cached kernel when its own file changes, not when a kernel it calls does, and would then run old code.
Here the stamp of a file covers every file of this program it takes kernels or constants from, so that a change
compiles anew just what depends on it.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from functools import cache
from pathlib import Path

MARK = b"@njit"
IMPORT = re.compile(rb"^from (core[\w.]*) import", re.MULTILINE)
WRITER = "jit/code.py"  # what numba makes of a kernel depends on it, too
LOCATORS = "core.jit.locator.KernelLocator,InTreeCacheLocator,UserWideCacheLocator"


def use_own_cache() -> None:
    """Let numba ask `core.jit.locator` where kernels are kept. Must run before the first kernel is imported."""
    wanted = os.environ.setdefault("NUMBA_CACHE_LOCATOR_CLASSES", LOCATORS)
    if numba := sys.modules.get("numba"):  # which has read its settings already
        numba.config.CACHE_LOCATOR_CLASSES = wanted


def cache_folder() -> Path | None:
    """Folder for compiled kernels: beside the sources or, when that is read-only, in the user's cache.

    A NUMBA_CACHE_DIR in the environment comes first.
    """
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ridewright"
    places = [Path(__file__).resolve().parents[1] / "__pycache__" / "kernels", home / "kernels"]
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

    Imports are followed through files that hold kernels; other imported files count with their text only.
    """
    digest = hashlib.sha256()
    seen: set[Path] = set()
    waiting = [file.resolve(), *root.resolve().glob(WRITER)]
    while waiting:
        current = waiting.pop()
        if current in seen:
            continue
        seen.add(current)
        if current == file.resolve() or MARK in _text(current):
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
    found = []
    for name in IMPORT.findall(_text(file)):
        place = root.joinpath(*name.decode().split(".")[1:])
        found.append(place / "__init__.py" if place.is_dir() else place.with_suffix(".py"))
    return tuple(found)
