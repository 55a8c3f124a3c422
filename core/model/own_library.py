"""The user's own library: cars that were saved to be used again in other projects.

The folder is $RIDEWRIGHT_LIBRARY, or ridewright/library in the configuration folder ($XDG_CONFIG_HOME, by default
~/.config). Its files are like those of the program; their keys begin with "my/".
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ridewright.core.base.atomic import replacing
from ridewright.core.base.errors import InputError
from ridewright.core.base.reading import read_file
from ridewright.core.base.system_words import because
from ridewright.core.base.user_folders import expanded, user_config
from ridewright.core.model.assembly import Assembly

PREFIX, SUFFIX = "my/", ".json"
LARGEST_FILE = 5_000_000  # bytes; a car is a few kilobytes
FIELDS = {"title": str, "source": str, "notes": list, "assembly": dict}


def own_folder() -> Path:
    """The folder of the user's cars; it need not exist."""
    given = os.environ.get("RIDEWRIGHT_LIBRARY")
    return expanded(given) if given else user_config() / "ridewright" / "library"


def own_cars() -> dict[str, dict[str, Any]]:
    """Content of the user's files by their keys, in alphabetical order; what is no car of a library is left out."""
    folder = own_folder()
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix == SUFFIX) if folder.is_dir() else []
    except OSError:
        return {}
    found = {f"{PREFIX}{path.stem}": _read(path) for path in paths}
    return {key: data for key, data in found.items() if data is not None}


def _read(path: Path) -> dict[str, Any] | None:
    try:
        data = json.loads(read_file(path, LARGEST_FILE, "a car of the library"))
        if not all(isinstance(data.get(name), kind) for name, kind in FIELDS.items()):
            return None
        car = Assembly.model_validate_json(json.dumps(data["assembly"]))
    except (InputError, ValidationError, ValueError, AttributeError, RecursionError):
        return None
    return data if car.role == "car" else None


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
