"""Where compiled kernels are kept: one folder for one state of all kernel sources.

numba renews a cached kernel when its own file changes, not when a kernel it calls does, and would then run old code.
Here the folder's name is a digest of every file that holds kernels, so that a change anywhere compiles anew.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path

MARK = b"@njit"
PREFIX = "kernels-"
KEPT = (
    3  # folders of older sources that stay, so that switching between two versions does not compile each time
)


def kernel_digest(folder: Path) -> str:
    """Digest of all Python files under a folder that hold kernels: names and contents."""
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*.py")):
        content = file.read_bytes()
        if MARK in content:
            digest.update(str(file.relative_to(folder)).encode())
            digest.update(content)
    return digest.hexdigest()[:16]


def use_own_cache() -> None:
    """Point numba's cache at the folder of these sources, beside them or, when that is read-only, in the user's cache.

    A NUMBA_CACHE_DIR in the environment is left alone. Must run before the first kernel is imported.
    """
    if "NUMBA_CACHE_DIR" in os.environ:
        return
    package = Path(__file__).resolve().parent
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ridewright"
    name = PREFIX + kernel_digest(package)
    for place in (package / "__pycache__", home):
        try:
            (place / name).mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(place / name, os.W_OK):
            os.environ["NUMBA_CACHE_DIR"] = str(place / name)
            _forget_old(place, name)
            return


def _forget_old(place: Path, current: str) -> None:
    """Remove all but the youngest few folders of other sources."""
    others = [p for p in place.glob(PREFIX + "*") if p.name != current]
    others.sort(key=lambda p: p.stat().st_mtime, reverse=True)
    for old in others[KEPT:]:
        shutil.rmtree(old, ignore_errors=True)
