"""The example projects and the tables of figures that come with the program."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from .errors import InputError
from .nearest import the_nearest

SUFFIX = ".ridewright"
RIGS = "rigs"  # folder of the test rigs
FIRST = ("looping_star", "gatekeeper", "veloci2", "frisbee", "pirate_ship")  # of the rides


def example_names() -> tuple[str, ...]:
    """Names of the bundled examples in alphabetical order."""
    return tuple(sorted(_files()))


def ride_names() -> tuple[str, ...]:
    """Names of the examples that ride a track or swing, coasters first; the others are test rigs of a few bodies."""
    rides = [name for name, path in sorted(_files().items()) if path.parent.name != RIGS]
    return tuple(sorted(rides, key=lambda name: (*FIRST, name).index(name)))


def example_title(name: str) -> str:
    """What an example is called (the field `name` of its project file)."""
    return str(json.loads(example_path(name).read_text(encoding="utf-8")).get("name", name))


def example_picture(name: str, theme: str) -> Path:
    """The picture of a ride in the colours of a theme; it exists for all of `ride_names`."""
    return example_path(name).parent / "pictures" / f"{name}-{theme}.png"


def example_path(name: str) -> Path:
    """The project file of a bundled example; raises InputError naming those there are."""
    files = _files()
    if name not in files:
        raise InputError(
            f"no example is called {json.dumps(name)}; {the_nearest(name, files)}there are"
            f" {', '.join(sorted(files)) or 'none'}."
        )
    return files[name]


def example_note(name: str) -> str:
    """What an example says about itself first (the field `notes` of its project file): lines until a sentence ends."""
    notes = json.loads(example_path(name).read_text(encoding="utf-8")).get("notes", "")
    lines: list[str] = []
    for line in str(notes).splitlines():
        lines.append(line.strip())
        if lines[-1].endswith("."):
            break
    return " ".join(lines)


@cache
def figures(name: str) -> dict[str, Any]:
    """A table of figures of the library (`actions/en13814`), with its "source", "confidence" and "note"."""
    file = resources.files("ridewright.resources") / "library" / f"{name}.json"
    read: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return read


def source_of(name: str) -> str:
    """Where the figures of a table are from, and how sure they are."""
    table = figures(name)
    return f"{table['source']} Confidence: {table['confidence']}. {table['note']}"


def _files() -> dict[str, Path]:
    # The package is installed as plain files (wheel or editable), never zipped: numba's cache needs that anyway.
    folder = Path(str(resources.files("ridewright.resources"))) / "examples"
    return {path.name.removesuffix(SUFFIX): path for path in folder.rglob(f"*{SUFFIX}")}
