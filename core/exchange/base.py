"""What every file format of tracks declares; each has one file, or one folder, beside this one.

A format's file holds its reader, its writer, or both, and FORMAT, a `Format`. Command line and dialogs follow from it;
no other file needs to know the format (see `core.exchange`). What readers and writers share stands here: options, what
a reader hands back, what a writer reports, places along a track.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from ..base.arrays import Array, Integers
from ..base.atomic import replacing
from ..base.errors import InputError
from ..base.reading import read_file
from ..base.wording import spoken
from ..track.build import BuiltTrack
from ..track.description import TableSection, Track

LONGEST_NAME = 120  # characters of the name of a track (core.base.frozen)
LARGEST_FILE = 50_000_000
#: More than this is no track: the longest roller coaster has 2.5 km, and rows of a tenth of a metre are dense.
MAX_ROWS = 500_000
LONGEST_TRACK = 50_000.0  # m
SPACINGS = (0.01, 20.0)  # m, allowed spacing of what is written


@dataclass(frozen=True)
class ReadOptions:
    """How to read a track.

    name: of the track, None takes the file's. closed: None lets the file decide. gauge (m); tolerance (m) of the
    fit to its rows; heartline (m): height of a drawn heartline above the rails, for files that do not say it.
    """

    name: str | None = None
    closed: bool | None = None
    gauge: float = 1.0
    tolerance: float = 0.0015
    heartline: float = 1.1


@dataclass(frozen=True)
class WriteOptions:
    """How to write a track.

    spacing (m): of rows or vertices, None takes the format's own. heartline (m): height above the rail plane of
    the heartline that is drawn along. ride: columns of a ride by name, each (n,), with "s" (m) among them.
    """

    spacing: float | None = None
    heartline: float = 1.1
    ride: Mapping[str, Array] = field(default_factory=dict)


@dataclass(frozen=True)
class Imported:
    """A track from a file and sentences on what was found, approximated or left out.

    ride: what the file says of the ride of points, by the names of `core.project.point_settings`.
    """

    track: Track
    notes: tuple[str, ...] = ()
    ride: Mapping[str, float | str] = field(default_factory=dict)


@dataclass(frozen=True)
class Report:
    """Files written, and sentences with the figures of their accuracy."""

    files: tuple[Path, ...]
    sentences: tuple[str, ...]


Reader = Callable[[Path, ReadOptions], Imported]
Writer = Callable[[BuiltTrack, Path, WriteOptions], Report]


@dataclass(frozen=True)
class Format:
    """A file format of tracks.

    id: for the command line; title: for people; extensions: endings (with the dot, lower case) that belong to it, the
    one to write first; read, write: None where it is only written or only read; holds: what is in it, in one sentence;
    spacing (m): of what is written, by default; options: fields of `ReadOptions` that its reader heeds; columns:
    numbers in a row of its text table, by which such tables are told apart; any_ending: whether it takes files with
    endings that belong to no format; rides: whether the columns of a ride are written beside the track.
    """

    id: str
    title: str
    extensions: tuple[str, ...]
    read: Reader | None
    write: Writer | None
    holds: str
    spacing: float = 0.5
    options: tuple[str, ...] = ("closed", "gauge", "tolerance")
    columns: int | None = None
    any_ending: bool = False
    rides: bool = False


def name_of(path: Path) -> str:
    """The name a track takes from its file: shorter than file names may be, and without control characters."""
    return "".join(letter if letter.isprintable() else "_" for letter in path.stem)[:LONGEST_NAME] or "Track"


def table_track(where: str, rows: Mapping[str, Any], **track: Any) -> Track:
    """A track of one table section; rows and track: fields of the section and of the track, unchecked.

    where: the file, for messages. Raises InputError naming it and the field that cannot be used.
    """
    try:
        section = TableSection.model_validate({"name": "imported", "source": Path(where).name, **rows})
        return Track.model_validate({**track, "sections": (section,)})
    except ValidationError as error:
        raise InputError(spoken(error, where)) from error


def read_bytes(path: Path, what: str) -> bytes:
    """Content of a file; raises InputError when it cannot be read or is far too large to be `what`."""
    return read_file(path, LARGEST_FILE, what)


def check_size(where: str, *, rows: int = 0, length: float = 0.0) -> None:
    """Refuse what would take all memory, before any work is done on it. length m. Raises InputError."""
    if rows > MAX_ROWS:
        raise InputError(
            f"{where}: {rows} rows are more than a track has; thin them out to {MAX_ROWS} at most."
        )
    if length > LONGEST_TRACK:
        raise InputError(
            f"{where}: the places lie {length / 1000.0:.4g} km apart along the track (allowed "
            f"{LONGEST_TRACK / 1000.0:g} km); look for a place that is far off, or for another unit of length."
        )


def write_text(path: Path, text: str) -> None:
    """Write a text file whole or not at all, with the line ends given; raises InputError."""
    with replacing(path) as part:
        part.write_bytes(text.encode("utf-8"))


def spacing_of(options: WriteOptions, default: float, built: BuiltTrack) -> float:
    """The spacing (m) to write with; raises InputError for one that is out of range or gives too many rows."""
    spacing = default if options.spacing is None else options.spacing
    if not SPACINGS[0] <= spacing <= SPACINGS[1]:
        raise InputError(
            f"A spacing of {spacing:g} m is out of range; choose {SPACINGS[0]:g} to {SPACINGS[1]:g} m."
        )
    if built.length / spacing > MAX_ROWS:
        raise InputError(f"A spacing of {spacing:g} m gives more than {MAX_ROWS} rows; choose a larger one.")
    return spacing


def places_along(built: BuiltTrack, spacing: float, minimum: int = 1) -> tuple[Array, Integers]:
    """Arc lengths (n,) m about `spacing` apart with one on every section border, and the section (n,) of each.

    Every section is divided evenly into at least `minimum` parts. The end of an open track is included, that of a
    closed one, which is its start, is not.
    """
    positions, owner = [], []
    for k, span in enumerate(built.sections):
        if span.s1 - span.s0 <= 1e-9:
            continue
        parts = max(minimum, int(np.ceil((span.s1 - span.s0) / spacing - 1e-9)))
        positions.append(np.linspace(span.s0, span.s1, parts + 1)[:-1])
        owner.append(np.full(parts, k))
    if not built.track.closed:
        positions.append(np.array([built.length]))
        owner.append(np.array([len(built.sections) - 1]))
    return np.concatenate(positions), np.concatenate(owner).astype(np.int64)


@contextmanager
def naming_section(built: BuiltTrack, doing: str) -> Iterator[None]:
    """Turn numbers that are not finite into an InputError that names the section and place they come from.

    What is inside raises FloatingPointError(s) with the arc length (m) as its argument.
    """
    try:
        yield
    except FloatingPointError as error:
        s = float(error.args[0])
        raise InputError(
            f"{doing}: section '{built.section_at(s)}' at s = {s:.2f} m has no finite geometry; mend the points there."
        ) from None


def finite(values: Array, s: Array) -> Array:
    """values (n, ...) unchanged; raises FloatingPointError with the arc length of the first row that is not finite."""
    bad = ~np.isfinite(values.reshape(len(values), -1)).all(axis=1)
    if bad.any():
        raise FloatingPointError(float(s[int(np.argmax(bad))]))
    return values


def y_up(vectors: Array) -> Array:
    """Vectors (..., 3) of the z-up axes of Ridewright in the y-up axes of NoLimits: (x, y, z) -> (x, z, -y)."""
    turned: Array = np.stack([vectors[..., 0], vectors[..., 2], -vectors[..., 1]], axis=-1) + 0.0
    return turned


def z_up(vectors: Array) -> Array:
    """Vectors (n, 3) of the y-up axes of NoLimits in the z-up axes of Ridewright: (x, y, z) -> (x, -z, y)."""
    turned: Array = np.stack([vectors[:, 0], -vectors[:, 2], vectors[:, 1]], axis=-1) + 0.0
    return turned
