"""The side file that keeps what a table of rows cannot say: section borders and names, devices, gauge and so on."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from ..base.atomic import is_stream
from ..base.errors import InputError
from ..base.wording import worded
from ..track.build import BuiltTrack
from ..track.description import TableSection, Track
from .base import Imported, read_bytes, write_text

ENDING = ".ridewright-sections.json"
LONGEST = 255  # bytes of a name
KIND, VERSION = "ridewright-sections", 1
MIN_ROWS = 6  # a table section has no fewer
SAME_LENGTH = 0.01  # part of the length by which rows may have changed before borders are called doubtful


@dataclass(frozen=True)
class SideFile:
    """length (m) of the track; names and starts (m) of its sections in order; the other fields of its description."""

    length: float
    names: tuple[str, ...]
    starts: tuple[float, ...]
    fields: dict[str, Any]


def side_path(path: Path) -> Path:
    """The side file of a file: same name, other ending."""
    return path.with_name(path.stem + ENDING)


def refuse_without_room(path: Path) -> None:
    """Raise InputError when the name of a file leaves none for its side file: before either is written."""
    name = side_path(path).name
    if not is_stream(path) and len(os.fsencode(name)) > LONGEST:
        raise InputError(f"{path}: the name is too long for its side file {name}; choose a shorter one.")


def write_side_file(built: BuiltTrack, path: Path) -> tuple[Path, ...]:
    """Write the side file of a track that is exported to `path`; returns where it is, nothing for a device or a pipe,
    which has nothing beside it. Raises InputError."""
    if is_stream(path):
        return ()
    track = built.track
    data = {
        "kind": KIND,
        "version": VERSION,
        "file": path.name,
        "length": round(built.length, 6),
        "sections": [{"name": span.name, "start": round(span.s0, 6)} for span in built.sections],
        "track": track.model_dump(mode="json", exclude={"sections"}),
    }
    target = side_path(path)
    write_text(target, json.dumps(data, indent=1, ensure_ascii=False) + "\n")
    return (target,)


def read_side_file(path: Path) -> SideFile | None:
    """The side file that belongs to `path`, or None when there is none. Raises InputError when it is damaged."""
    target = side_path(path)
    try:
        if not target.exists():
            return None
    except OSError:  # no name is as long
        return None
    try:
        data = json.loads(read_bytes(target, "a list of sections").decode("utf-8-sig"))
        if data["kind"] != KIND:
            raise KeyError("kind")
        if data["version"] != VERSION:
            raise InputError(
                f"{target}: version {data['version']!r} is not known, only {VERSION}; use a newer program."
            )
        names = tuple(str(section["name"]) for section in data["sections"])
        starts = tuple(float(section["start"]) for section in data["sections"])
        length, fields = float(data["length"]), dict(data["track"])
    except InputError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        raise InputError(
            f"{target}: is not a list of sections (kind, version, sections, length, track); fix it, or move it away to "
            "read the rows alone."
        ) from None
    rising = all(a < b for a, b in pairwise((*starts, length)))
    if not names or not np.isfinite([length, *starts]).all() or not rising:
        raise InputError(f"{target}: the starts of the sections must rise from 0 to the length; fix it.")
    return SideFile(length, names, starts, fields)


def with_borders(track: Track, side: SideFile, where: str) -> tuple[Track, tuple[str, ...]]:
    """A track read as one table, divided at the borders of its side file and with its other fields.

    Borders are put on the row next to their arc length, measured along the rows and scaled to the length the side
    file knows. A section that would keep fewer than six rows is joined to the one before. Returns the track and
    notes on what had to be changed. where: name used in messages. Raises InputError for fields that do not fit.
    """
    whole = track.sections[0]
    if not isinstance(whole, TableSection):
        raise InputError(f"{where}: only a table of rows can be divided.")
    rows = np.array(whole.positions)
    loop = np.vstack([rows, rows[:1]]) if track.closed else rows
    if not side.length > 0.0 or len(rows) < 2:
        raise InputError(
            f"{where}: the length of the track must be above 0; fix the side file or move it away."
        )
    run = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(loop, axis=0), axis=1))])
    notes = []
    if abs(run[-1] - side.length) > SAME_LENGTH * side.length:
        notes.append(
            f"The rows are {run[-1]:.1f} m long but were {side.length:.1f} m when the section borders were kept;"
            " the borders are placed in proportion, check them."
        )
    scaled = run[: len(rows)] * (side.length / run[-1])
    cuts, names = [0], [side.names[0]]
    for name, start in zip(side.names[1:], side.starts[1:], strict=True):
        row = int(np.argmin(np.abs(scaled - start)))
        if row - cuts[-1] < MIN_ROWS or len(rows) - row < MIN_ROWS:
            notes.append(f"Section '{name}' has too few rows of its own and is joined to '{names[-1]}'.")
            continue
        cuts.append(row)
        names.append(name)
    sections = [
        whole.model_copy(update=_part(whole, a, b) | {"name": name, "continues": a > 0})
        for name, a, b in zip(names, cuts, [*cuts[1:], len(rows)], strict=True)
    ]
    fields = side.fields | {"closed": track.closed, "sections": sections}
    try:
        return Track.model_validate(fields), tuple(notes)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise InputError(f"{where}: {field}: {worded(first)}; fix the side file or move it away.") from None


def with_side_file(
    track: Track, side: SideFile | None, path: Path, name: str, notes: tuple[str, ...] = ()
) -> Imported:
    """What was read from `path`, divided as its side file has it, if there is one (see `with_borders`)."""
    if side is None:
        return Imported(track, notes)
    divided, more = with_borders(track, side, str(path))
    stated = f"Section borders and devices were read from {side_path(path).name}."
    return Imported(divided.model_copy(update={"name": name}), (*notes, stated, *more))


def _part(section: TableSection, a: int, b: int) -> dict[str, Any]:
    """Rows a to b of a table section, as fields."""
    return {
        key: getattr(section, key)[a:b]
        for key in ("positions", "left", "up", "cant")
        if getattr(section, key) is not None
    }
