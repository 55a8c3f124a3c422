"""The user's own library: cars that were saved to be used again in other projects.

The folder is $RIDEWRIGHT_LIBRARY, or ridewright/library in the configuration folder ($XDG_CONFIG_HOME, by default
~/.config). Its files are like those of the program; their keys begin with "my/".
"""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ..base.atomic import replacing
from ..base.errors import InputError
from ..base.reading import read_file
from ..base.system_words import because
from ..base.user_folders import expanded, user_config
from ..base.wording import json_fault, worded
from .assembly import Assembly

PREFIX, SUFFIX = "my/", ".json"
LARGEST_FILE, WHAT = 5_000_000, "a car of the library"  # bytes; a car is a few kilobytes
FIELDS = {"title": str, "source": str, "notes": list, "assembly": dict}
NAMED = {str: "text", list: "list", dict: "object"}


def own_folder() -> Path:
    """The folder of the user's cars; it need not exist."""
    given = os.environ.get("RIDEWRIGHT_LIBRARY")
    return expanded(given) if given else user_config() / "ridewright" / "library"


def own_cars() -> dict[str, dict[str, Any]]:
    """Content of the user's files by their keys, in alphabetical order.

    What is no car of a library is left out; `library_faults` names it.
    """
    found = {}
    for path in _files()[0]:
        if not _fault(path, *_stamp(path)):
            with suppress(InputError, ValueError):  # changed since
                found[f"{PREFIX}{path.stem}"] = json.loads(read_file(path, LARGEST_FILE, WHAT))
    return found


def library_faults() -> tuple[str, ...]:
    """Why files in the user's folder of cars are left out, a sentence each."""
    paths, fault = _files()
    found = (fault, *(_fault(path, *_stamp(path)) for path in paths))
    return tuple(sentence for sentence in found if sentence)


def library_fault(key: str) -> str:
    """Why the user's file of a key is left out; empty where there is none, or it is a car."""
    path = own_folder() / f"{key.removeprefix(PREFIX)}{SUFFIX}"
    return _fault(path, *_stamp(path)) if key.startswith(PREFIX) and path in _files()[0] else ""


def _files() -> tuple[list[Path], str]:
    """The files in the user's folder, and why there are none where it cannot be looked into."""
    folder = own_folder()
    try:
        if not folder.exists():
            return [], ""
        return sorted(path for path in folder.iterdir() if path.suffix == SUFFIX), ""
    except (OSError, ValueError) as error:
        why = because(error) if isinstance(error, OSError) else "no name of a folder"
        return [], f"Your library {folder} cannot be read ({why}); its cars are left out."


def _stamp(path: Path) -> tuple[int, int]:
    """What changes when a file is changed; zeros when it is gone."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


@lru_cache(maxsize=256)
def _fault(path: Path, _changed: int, _size: int) -> str:
    """Why a file is no car of a library, in a sentence; empty when it is one."""
    why = _what_is_wrong(path)
    return f"Car of your library {path}: {why}; it is left out. Mend the file or remove it." if why else ""


def _what_is_wrong(path: Path) -> str:
    if path.is_fifo():
        return "is a pipe and no file"
    try:
        data = json.loads(read_file(path, LARGEST_FILE, WHAT))
        if not isinstance(data, dict):
            return "is no car (expected an object with title, source, notes and assembly)"
        for name, kind in FIELDS.items():
            if not isinstance(data.get(name), kind):
                return f"{name!r} is missing or no {NAMED[kind]}"
        if not all(isinstance(note, str) for note in data["notes"]):
            return "'notes' holds what is no text"
        car = Assembly.model_validate_json(json.dumps(data["assembly"]))
    except InputError as error:
        return str(error).removeprefix(f"{path}: ").partition(";")[0].rstrip(".")
    except ValidationError as error:
        return worded(error.errors()[0])
    except json.JSONDecodeError as error:
        return json_fault(error)
    except (ValueError, RecursionError):
        return "not readable as JSON (no text, nested too deeply, or a number that is none)"
    return "" if car.role == "car" else f"holds no car, its role is '{car.role}'"


def save_car(car: Assembly, title: str, note: str = "") -> str:
    """Save a car without its riders under a title, for other projects. Returns its key; the same title replaces it.

    Raises InputError for a title without a letter or digit, and where the file cannot be written.
    """
    name = re.sub(r"[^a-z0-9]+", "_", title.lower()).strip("_")[:60]
    if not name:
        raise InputError("The title of a saved car needs a letter or a digit.")
    kept = tuple(child for child in car.children if child.role != "rider")
    bare = car.model_copy(update={"name": "Car", "offset": 0.0, "children": kept})
    data = {
        "title": title.strip(),
        "source": "Saved by you",
        "notes": [note] if note else [],
        "assembly": bare.model_dump(mode="json"),
    }
    path = own_folder() / f"{name}{SUFFIX}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as part:
            part.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({because(error)}).") from None
    return f"{PREFIX}{name}"


def remove_car(key: str) -> None:
    """Delete a saved car. Raises InputError when there is none of this key, or it cannot be deleted."""
    if key not in own_cars():
        raise InputError(f"Your library has no car '{key}'.")
    path = own_folder() / f"{key.removeprefix(PREFIX)}{SUFFIX}"
    try:
        path.unlink()
    except OSError as error:
        raise InputError(f"{path}: cannot be deleted ({because(error)}).") from None
