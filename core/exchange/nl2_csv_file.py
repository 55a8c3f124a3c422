"""NoLimits 2 spline CSV, both ways: rows of position, front, left and up, with the section borders in a side file."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..base.arrays import Array
from ..track.build import BuiltTrack, build_track
from .accuracy import between_rows, deviation_from
from .common import (
    Imported,
    ReadOptions,
    Report,
    WriteOptions,
    finite,
    name_of,
    naming_section,
    places_along,
    spacing_of,
    write_text,
    y_up,
)
from .nl2_csv import COLUMNS, read_nl2_csv, track_from_text
from .side_file import (
    MIN_ROWS,
    read_side_file,
    refuse_without_room,
    side_path,
    with_borders,
    write_side_file,
)

SPACING = 0.5  # m, what the example of a real export has on average
DECIMALS = 6  # as NoLimits 2 writes them


def read(path: Path, options: ReadOptions) -> Imported:
    """Track from a NoLimits 2 spline CSV, divided into sections when a side file lies next to it.

    Raises InputError naming file, line and column; see `core.exchange.nl2_csv`.
    """
    side = read_side_file(path)
    name = options.name or (str(side.fields.get("name")) if side else name_of(path))
    track = read_nl2_csv(
        path, name=name, closed=options.closed, tolerance=options.tolerance, gauge=options.gauge
    )
    if side is None:
        return Imported(track)
    divided, notes = with_borders(track, side, str(path))
    told = f"Section borders and devices were read from {side_path(path).name}."
    return Imported(divided.model_copy(update={"name": name}), (told, *notes))


def rows_text(position: Array, front: Array, left: Array, up: Array) -> str:
    """The text of a spline CSV: header and one line a row; vectors (n, 3) in the z-up axes of Ridewright."""
    block = np.hstack([y_up(vectors) for vectors in (position, front, left, up)])
    block = np.round(block, DECIMALS) + 0.0  # no negative zeros
    lines = ["\t".join(f'"{name}"' for name in COLUMNS)]
    lines += [
        f"{k}\t" + "\t".join(f"{value:.{DECIMALS}f}" for value in row)
        for k, row in enumerate(block.tolist(), start=1)
    ]
    return "\r\n".join(lines) + "\r\n"


def write(built: BuiltTrack, path: Path, options: WriteOptions) -> Report:
    """Write the centreline as a NoLimits 2 spline CSV and its side file.

    Rows are about options.spacing m apart, with one exactly on every section border. The report states how far
    the rows, interpolated, and a track fitted to them again are off the exact track (position and roll).
    Raises InputError naming the section when there is no finite geometry, or when the file cannot be written.
    """
    spacing = spacing_of(options, SPACING, built)
    s, _ = places_along(built, spacing, MIN_ROWS)
    state = built.centreline.state(s)
    with naming_section(built, f"{path}"):
        finite(state.curve[:, :2], s)
        finite(state.left, s)
    text = rows_text(state.curve[:, 0], state.tangent, state.left, state.up)
    refuse_without_room(path)
    write_text(path, text)
    side = write_side_file(built, path)
    return Report(
        (path, *side), (f"{len(s)} rows about {spacing:g} m apart.", *_errors(built, text, s, path))
    )


def _errors(built: BuiltTrack, text: str, s: Array, path: Path) -> tuple[str, str]:
    """Sentences on the error of the rows as written and of the track fitted to them."""
    again = track_from_text(
        text, str(path), closed=built.track.closed, tolerance=ReadOptions().tolerance, gauge=built.track.gauge
    )
    table = again.sections[0]
    positions, up = np.array(table.positions), np.array(table.up)  # type: ignore[union-attr]
    left = np.cross(up, built.centreline.state(s).tangent)
    length = built.length
    rows = deviation_from(built, *between_rows(positions, left, s, built.track.closed, length))
    fitted = build_track(again, ride=False)
    fine = np.linspace(0.0, length, 4 * len(s) + 1)[:-1]
    state = fitted.centreline.state(fine * (fitted.length / length))
    refit = deviation_from(built, state.curve[:, 0], state.left, fine)
    return (
        rows.sentence("The rows, interpolated, miss the track"),
        refit.sentence("Read back and fitted again, it misses the track"),
    )
