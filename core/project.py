"""The project: everything a person describes, one frozen value, one JSON file (`*.ridewright`)."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError, model_validator

from core.errors import InputError
from core.frozen import Frozen, Name, Vec3
from core.model.assembly import Train
from core.scenario import Ride, Scenario, SolverSettings
from core.track.description import Track

FORMAT = "ridewright"
VERSION = 1
MAX_FILE_BYTES = 200_000_000


class Project(Frozen):
    """Track, train, scenario and settings. gravity is the acceleration vector of the world (m/s^2)."""

    format: Literal["ridewright"] = FORMAT
    version: Literal[1] = VERSION
    name: Name
    notes: str = ""
    gravity: Vec3 = (0.0, 0.0, -9.81)
    track: Track | None = None
    train: Train | None = None
    scenario: Scenario = Ride()
    settings: SolverSettings = SolverSettings()

    @model_validator(mode="after")
    def _complete(self) -> Project:
        if isinstance(self.scenario, Ride) and self.train is not None and self.track is None:
            raise ValueError("the train has no track to ride on; add a track or use a rig")
        return self


def _migrate(data: dict[str, Any], where: str) -> dict[str, Any]:
    """Lift a file of an older version to the current one, step by step (none exists before version 1)."""
    version = data.get("version", VERSION)
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise InputError(f"{where}: field 'version' is {version!r}; expected a whole number from 1 to {VERSION}.")
    if version > VERSION:
        raise InputError(
            f"{where}: written by a newer Ridewright (file version {version}, this program reads up to {VERSION});"
            " update the program."
        )
    return data


def sentence(error: ValidationError, where: str) -> str:
    """One sentence for the first thing a validation found: file, field path, what is wrong."""
    first = error.errors(include_url=False)[0]
    path = ".".join(str(part) for part in first["loc"]) or "the file"
    message = str(first["msg"]).removeprefix("Value error, ").rstrip(".")
    found = first.get("input")
    shown = ""
    if isinstance(found, str | int | float | bool) or found is None:
        text = repr(found)
        shown = f", found {text if len(text) <= 60 else text[:57] + '...'}"
    more = error.error_count() - 1
    rest = f" (and {more} more)" if more else ""
    return f"{where}: {path}: {message}{shown}{rest}."


def parse_project(data: Any, where: str) -> Project:
    """Check raw JSON data and make a Project of it.

    data: what json.loads returned; where: the name used in messages. Raises InputError naming the field.
    """
    if not isinstance(data, dict):
        raise InputError(f"{where}: expected a Ridewright project (a JSON object), found {type(data).__name__}.")
    if data.get("format") != FORMAT:
        raise InputError(f"{where}: not a Ridewright project: field 'format' must be \"{FORMAT}\".")
    try:
        return Project.model_validate_json(json.dumps(_migrate(data, where)))
    except ValidationError as error:
        raise InputError(sentence(error, where)) from None
    except RecursionError:
        raise InputError(f"{where}: nested too deeply to be a Ridewright project.") from None


def load_project(path: str | Path) -> Project:
    """Read a project file; raises InputError with one sentence when it cannot be used."""
    path = Path(path)
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise InputError(f"{path.name}: larger than {MAX_FILE_BYTES // 10**6} MB; not a project file.")
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{path.name}: not a text file; expected a Ridewright project in JSON.") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from None
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(
            f"{path.name}: not valid JSON at line {error.lineno}, column {error.colno} ({error.msg})."
        ) from None
    except (RecursionError, ValueError):
        raise InputError(f"{path.name}: not readable as JSON (nested too deeply or numbers too long).") from None
    return parse_project(data, path.name)


def write_atomically(path: Path, content: str) -> None:
    """Write a text file under a temporary name and rename it, so that no reader ever sees half a file."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(content)
            os.replace(name, path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror or error}).") from None


def save_project(project: Project, path: str | Path) -> None:
    """Write a project file, every field spelled out, under a temporary name first."""
    data = project.model_dump(mode="json")
    write_atomically(Path(path), json.dumps(data, indent=1, ensure_ascii=False) + "\n")


def schema() -> dict[str, Any]:
    """The JSON Schema of the project file."""
    return Project.model_json_schema()
