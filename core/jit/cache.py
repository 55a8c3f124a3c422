"""Where compiled kernels are kept, and when they are stale.

numba renews a cached kernel when its own file changes, not when a kernel it calls does, and would then run old code.
Here the stamp of a file covers every file of this program it takes kernels or constants from, so that a change
compiles anew just what depends on it.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
SHIPPED = PACKAGE / "jit" / "shipped"  # kernels that came with the program, see tools/wheel.py
# the processors they are for, as LLVM calls them, and what Linux calls what these have
BASELINE = "x86-64-v3"
FEATURES = frozenset(
    {
        "cx16", "lahf_lm", "popcnt", "pni", "ssse3", "sse4_1", "sse4_2",
        "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave",
    }
)  # fmt: skip
SHORT = 16  # digits of a stamp in the name of a folder
STALE = 24.0 * 3600.0  # s
MARK = re.compile(rb"^@(kernel|allocating|inner|shared|part|njit)\b", re.MULTILINE)
IMPORT = re.compile(rb"^from (\.+)([\w.]*) import (\([^)]*\)|[^(\n]+)", re.MULTILINE)
WRITERS = ("jit/decorators.py", "jit/tables.py")  # what numba makes of a kernel depends on them, too
LOCATORS = "ridewright.core.jit.locator.KernelLocator,InTreeCacheLocator,UserWideCacheLocator"


def use_own_cache() -> None:
    """Let numba ask `core.jit.locator` where kernels are kept, and have it compile for the processors that shipped
    kernels are for, where this one is one of them. Must run before the first kernel is imported."""
    os.environ.setdefault("NUMBA_CACHE_LOCATOR_CLASSES", LOCATORS)
    chosen = {"NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES"} & os.environ.keys()
    if not chosen and (SHIPPED / BASELINE).exists() and features() >= FEATURES:
        os.environ.update(NUMBA_CPU_NAME=BASELINE, NUMBA_CPU_FEATURES="")
    if numba := sys.modules.get("numba"):  # which has read its settings already
        numba.config.reload_config()


def features(told: Path = Path("/proc/cpuinfo")) -> frozenset[str]:
    """What Linux says that this processor has; empty where nothing is told."""
    try:
        found = re.search(r"^flags\s*:(.*)$", told.read_text(encoding="ascii"), re.MULTILINE)
    except (OSError, ValueError):
        return frozenset()
    return frozenset(found[1].split()) if found else frozenset()


def kept_in(file: Path) -> tuple[Path, str] | None:
    """The folder that the kernels of a file of this program are kept in, and their stamp, which is part of its name:
    what another version has kept is never read. None for other files and when nothing can be kept."""
    place, file = cache_folder(), file.resolve()
    if not file.is_relative_to(PACKAGE):
        return None
    stamp = source_stamp(PACKAGE, file)
    module = ".".join(file.relative_to(PACKAGE).with_suffix("").parts)
    folder = place / f"{module}-{stamp[:SHORT]}"
    try:
        if not folder.exists():
            _tidy(place, module)
            if (shipped := SHIPPED / folder.name).is_dir():
                _copy(shipped, folder)
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    return (folder, stamp) if os.access(folder, os.W_OK) else None


def _tidy(place: Path, module: str) -> None:
    """Remove what other versions of a file have kept and not written to for a while."""
    for old in place.glob(f"{module}-*"):
        if time.time() - old.stat().st_mtime > STALE:
            shutil.rmtree(old, ignore_errors=True)


def _copy(source: Path, target: Path) -> None:
    """Copy a folder so that it is there as a whole or not at all."""
    own = Path(tempfile.mkdtemp(prefix=f"{target.name}.", dir=target.parent))
    try:
        shutil.copytree(source, own, dirs_exist_ok=True, copy_function=shutil.copyfile)
        own.chmod(0o700)  # what was installed may be read-only
        own.rename(target)
    except OSError:  # another program was quicker, or the disk is full
        shutil.rmtree(own, ignore_errors=True)


def cache_folder() -> Path:
    """Folder for compiled kernels: where those lie that came with the program, else beside the sources or, when these
    are read-only, in the user's cache.

    A NUMBA_CACHE_DIR in the environment comes first. Compiled code is run unseen, so that a folder is only taken that
    belongs to the user and that nobody else can write to. Where there is none the kernels go to a private folder that
    is removed when the program ends, which is said once.
    """
    given, wrong = os.environ.get("NUMBA_CACHE_DIR"), ""
    came_with = [SHIPPED] if (SHIPPED / BASELINE).exists() else []
    places = [*came_with, PACKAGE / "__pycache__" / "kernels", *_user_cache()]
    for place in [Path(given), *places] if given else places:
        with suppress(OSError):
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
        if fault := _fault(place):
            wrong = wrong or f"{place} {fault}"
            continue
        return place
    # beside those that came with the program nothing is compiled, but with another numba or processor
    return _private("" if came_with and not given else wrong)


def _user_cache() -> list[Path]:
    if chosen := os.environ.get("XDG_CACHE_HOME"):
        return [Path(chosen) / "ridewright" / "kernels"]
    try:
        return [Path.home() / ".cache" / "ridewright" / "kernels"]
    except RuntimeError:  # a user without a home
        return []


def _fault(place: Path) -> str:
    """What is against a folder for compiled code, in words; empty when nothing is."""
    try:
        state = place.stat()
    except OSError:
        return "cannot be made"
    if not os.access(place, os.W_OK | os.X_OK):
        return "cannot be written to"
    if hasattr(os, "getuid"):
        if state.st_uid != os.getuid():  # noqa: TID251 - this room knows no other
            return "belongs to another user"
        if state.st_mode & 0o022:
            return "can be written to by other users"
    return ""


@cache
def _private(wrong: str) -> Path:
    for folder in (None, "/dev/shm"):
        with suppress(OSError):
            place = tempfile.mkdtemp(prefix="ridewright-kernels-", dir=folder)
            break
    else:
        sys.exit(
            "ridewright: compiled kernels cannot be kept anywhere, not even for this session; name a folder that can"
            " be written to in NUMBA_CACHE_DIR or in TMPDIR."
        )
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    os.environ["NUMBA_CACHE_DIR"] = place  # for the processes this one starts
    if wrong:
        print(
            f"Compiled kernels are kept for this session only: {wrong}. Name a folder of your own in NUMBA_CACHE_DIR.",
            file=sys.stderr,
        )
    return Path(place)


def source_stamp(root: Path, file: Path) -> str:
    """Digest of a kernel file and of all files under the package folder `root` that its kernels are made of.

    Imports are followed through files that hold kernels; other imported files count with their text only. What is
    imported from a folder as a whole comes from any of its files.
    """
    digest = hashlib.sha256(__name__.encode())  # numba keeps the names of modules with what they hold
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
    for dots, room, names in IMPORT.findall(_text(file)):
        place = file.parents[len(dots) - 1].joinpath(*room.decode().split("."))
        if not place.is_relative_to(root):
            continue
        if not place.is_dir():
            found.append(place.with_suffix(".py"))
            continue
        files = [place / f"{name.decode()}.py" for name in re.findall(rb"(\w+)(?: as \w+)?", names)]
        found += files if all(one.exists() for one in files) else place.glob("*.py")
    return tuple(found)
