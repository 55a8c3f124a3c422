"""Where limit tables are kept: those of the program and those of the user, which come first.

The user's folder is $RIDEWRIGHT_LIMITS, or ridewright/limits in the configuration folder ($XDG_CONFIG_HOME, by default
~/.config). A file there takes the place of the program's table of the same name; a new name adds a table.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, lru_cache, wraps
from importlib import resources
from pathlib import Path
from typing import ParamSpec, TypeVar

from ..base.atomic import replacing
from ..base.errors import InputError, LimitTableError
from ..base.reading import read_file
from ..base.user_folders import expanded, user_config
from ..base.wording import json_fault

SUFFIX = ".json"
HEAD = ("title", "source", "confidence")
LARGEST_FILE = 5_000_000  # bytes; a table is a few kilobytes
P = ParamSpec("P")
R = TypeVar("R")
_seen: ContextVar[dict[object, object] | None] = ContextVar(
    "what limit tables were found to be", default=None
)


@contextmanager
def tables_as_they_are() -> Iterator[None]:
    """Within it limit tables are looked for and read once: those that judge one run are the same for all riders."""
    if _seen.get() is not None:
        yield
        return
    token = _seen.set({})
    try:
        yield
    finally:
        _seen.reset(token)


def once(function: Callable[P, R]) -> Callable[P, R]:
    """A function of limit tables whose answer holds within `tables_as_they_are`; arguments by position, hashable."""

    @wraps(function)
    def found(*args: P.args, **kwargs: P.kwargs) -> R:
        seen = _seen.get()
        if seen is None or kwargs:
            return function(*args, **kwargs)
        key = (function, *args)
        if key not in seen:
            seen[key] = function(*args, **kwargs)
        return seen[key]  # type: ignore[return-value]

    return found


@dataclass(frozen=True)
class LimitFile:
    """A limit file: id (its name without ".json"), path, and whether it is the user's."""

    id: str
    path: Path
    user: bool


def user_folder() -> Path:
    """The folder of the user's limit tables; it need not exist."""
    own = os.environ.get("RIDEWRIGHT_LIMITS")
    if own:
        return expanded(own)
    return user_config() / "ridewright" / "limits"


@once
def limit_files() -> dict[str, LimitFile]:
    """All limit tables by id, in alphabetical order, the user's in place of the program's of the same name.

    A file of the user's that cannot be read as a table is left out; `faults` names it.
    """
    found = {path.stem: LimitFile(path.stem, path, False) for path in _bundled()}
    found |= {file.id: file for file in user_files() if _read_well(file)}
    return dict(sorted(found.items()))


@once
def user_files() -> tuple[LimitFile, ...]:
    """The files in the user's folder, whether they are tables or not."""
    folder = user_folder()
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix == SUFFIX) if folder.is_dir() else []
    except OSError:
        paths = []
    return tuple(LimitFile(path.stem, path, True) for path in (*paths, *_given))


@contextmanager
def tables_given(paths: Iterable[str | Path]) -> Iterator[None]:
    """Within it files count as if they lay in the user's folder, in place of those of the same name."""
    added = [Path(path) for path in paths]
    _given.extend(added)
    try:
        yield
    finally:
        for path in added:
            _given.remove(path)


def bundled_file(name: str) -> LimitFile | None:
    """The program's own table of a name; None when there is none."""
    return next((LimitFile(name, path, False) for path in _bundled() if path.stem == name), None)


def keep_fault(file: LimitFile, sentence: str) -> None:
    """Remember why a file of the user's is left out, for as long as it stays as it is."""
    _faults[file.path] = (stamp(file), sentence)


def faults() -> tuple[str, ...]:
    """Why files of the user's were left out so far, a sentence each; a file that was changed since is forgotten."""
    now = {file.path: stamp(file) for file in user_files()}
    return tuple(text for path, (then, text) in sorted(_faults.items()) if now.get(path) == then)


@once
def stamp(file: LimitFile) -> tuple[int, int]:
    """What changes when a file is changed; zeros when it is gone."""
    try:
        found = file.path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


_given: list[Path] = []
_faults: dict[Path, tuple[tuple[int, int], str]] = {}


def _read_well(file: LimitFile) -> bool:
    fault = _reading_fault(file, stamp(file))
    if fault:
        keep_fault(file, fault)
    return not fault


@lru_cache(maxsize=256)
def _reading_fault(file: LimitFile, _changed: tuple[int, int]) -> str:
    try:
        data = json.loads(read_limit_file(file))
    except LimitTableError as error:
        return str(error)
    missing = [name for name in HEAD if not isinstance(data.get(name), str)]
    return (
        f"Limit table {file.path}: {missing[0]!r} is missing or no text; it is left out." if missing else ""
    )


def limit_file(name: str) -> LimitFile:
    """The file of a table. Raises InputError naming those there are."""
    files = limit_files()
    if name not in files:
        raise InputError(f"There is no limit table {name!r}; there are {', '.join(files)}.")
    return files[name]


def read_limit_file(file: LimitFile) -> str:
    """Text of a limit file. Raises InputError when it cannot be read or is no JSON object."""
    try:
        if file.path.is_fifo():
            raise LimitTableError(f"Limit table {file.path}: is a pipe and no file; remove it.")
        text = read_file(file.path, LARGEST_FILE, "a table").decode("utf-8")
        data = json.loads(text, parse_constant=_finite, parse_float=_finite)
    except LimitTableError:
        raise
    except InputError as error:
        raise LimitTableError(f"Limit table {error}") from None
    except UnicodeDecodeError:
        raise LimitTableError(f"Limit table {file.path}: not a text file; expected JSON.") from None
    except json.JSONDecodeError as error:
        raise LimitTableError(f"Limit table {file.path}: {json_fault(error)}.") from None
    except (RecursionError, ValueError):
        raise LimitTableError(
            f"Limit table {file.path}: not readable as JSON (nested too deeply, or a number that is none)."
        ) from None
    if not isinstance(data, dict):
        raise LimitTableError(
            f"Limit table {file.path}: expected a JSON object with title, source and confidence."
        )
    return text


def copy_to_user(file: LimitFile) -> Path:
    """Copy a table, of the program to be changed there or one's own, to the user's folder; returns where.

    Raises InputError when the user has one of that name already, or the folder cannot be written.
    """
    target = user_folder() / file.path.name
    if target.exists():
        raise InputError(f"{target} exists already; change it there, or remove it first.")
    with replacing(target) as part:
        part.write_text(read_limit_file(file), encoding="utf-8")
    return target


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


@cache
def _bundled() -> tuple[Path, ...]:
    # The package is installed as plain files (wheel or editable), never zipped.
    folder = Path(str(resources.files("ridewright.resources"))) / "limits"
    return tuple(sorted(folder.glob(f"*{SUFFIX}")))
