"""NoLimits 2 spline CSV, both ways: rows of position, front, left and up, with the section borders in a side file."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..base.arrays import Array
from ..base.delimited import table_of, text_of
from ..base.errors import InputError
from ..track.build import BuiltTrack, build_track
from ..track.description import Track
from .accuracy import between_rows, deviation_from
from .base import (
    MAX_ROWS,
    Format,
    Imported,
    ReadOptions,
    Report,
    WriteOptions,
    check_size,
    finite,
    name_of,
    naming_section,
    places_along,
    spacing_of,
    table_track,
    write_text,
    y_up,
    z_up,
)
from .side_file import (
    MIN_ROWS,
    read_side_file,
    refuse_without_room,
    with_side_file,
    write_side_file,
)

COLUMNS = (
    "No.", "PosX", "PosY", "PosZ", "FrontX", "FrontY", "FrontZ", "LeftX", "LeftY", "LeftZ", "UpX", "UpY", "UpZ",
)  # fmt: skip
LARGEST_FILE = 20_000_000
LARGEST_PLACE = 1e6
CLOSING_GAPS = 2.0  # start and end closer than this many row spacings, and heading on: the track is closed


@dataclass(frozen=True)
class _Layout:
    """Where the columns are: width of a row, index of each of the twelve columns, index of the row number or None."""

    width: int
    columns: tuple[int, ...]
    number: int | None


def _layout(header: list[str] | None, first: list[str], head_at: str, at: str) -> _Layout:
    """The layout a header names, or the usual one when there is none or it says other words.

    first: cells of the first row; head_at, at: places of header and first row for messages.
    """
    names = [cell.lower().replace(" ", "") for cell in header or []]
    known = [name.lower() for name in COLUMNS]
    if len(set(names) & set(known[1:])) >= 6:
        missing = [name for name in COLUMNS[1:] if name.lower() not in names]
        if missing:
            raise InputError(
                f"{head_at}: the header lacks the column {missing[0]}; it needs {' '.join(COLUMNS[1:])}."
            )
        if len(first) != len(names):
            raise InputError(
                f"{at}: expected 13 columns between tabs, semicolons or commas as in the header, found {len(first)}."
            )
        number = names.index(known[0]) if known[0] in names else None
        return _Layout(len(names), tuple(names.index(name) for name in known[1:]), number)
    width = len(first)
    if width == len(COLUMNS):
        return _Layout(width, tuple(range(1, width)), 0)
    if width == len(COLUMNS) - 1:
        return _Layout(width, tuple(range(width)), None)
    hint = " (decimal commas need tabs or semicolons between the columns)" if width > len(COLUMNS) else ""
    raise InputError(
        f"{at}: expected 13 columns (No., position, front, left, up) between tabs, semicolons or commas,"
        f" found {width}{hint}."
    )


def _counts_rows(rows: Array) -> bool:
    """Whether the first column (n, 12) is 1, 2, 3, .. or 0, 1, 2, .. and the last nine are no three unit vectors."""
    first = rows[:, 0]
    rising = len(rows) > 2 and bool(np.all(np.diff(first) == 1.0)) and first[0] in (0.0, 1.0)
    sizes = np.linalg.norm(rows[:, 3:].reshape(-1, 3, 3), axis=-1)
    vectors = bool(np.all((sizes < 1e-3) | (np.abs(sizes - 1.0) < 0.05)))
    return rising and not vectors


def parse_rows(text: str, where: str) -> Array:
    """Numbers of a spline CSV, (rows, 12): position, front, left, up, in the axes of the file (y up).

    Accepts a byte order mark, a missing header, quoted cells or lines, tab, semicolon, comma or blank separated,
    with or without the leading number column, and columns in the order of the header. where: name used in messages.
    Raises InputError naming line and column of a cell that is not a number, lines of the wrong width, a column the
    header lacks, and row numbers that do not rise.
    """
    table = table_of(text, where, blanks=True, most=MAX_ROWS)
    body, head = table.rows, table.header
    if not body:
        what = (
            "there is a header but no row" if head else "the file is empty; expected a NoLimits 2 spline CSV"
        )
        raise InputError(f"{where}: {what}.")
    named = head is not None
    layout = _layout(
        list(head.cells) if head else None,
        list(body[0].cells),
        table.place(head or body[0]),
        table.place(body[0]),
    )
    check_size(where, rows=len(body))
    rows = np.empty((len(body), 12))
    before = -math.inf
    for i, row in enumerate(body):
        table.check_width(row, layout.width)
        if layout.number is not None:
            count = table.number(row, layout.number, COLUMNS[0], LARGEST_PLACE)
            if count <= before:
                raise InputError(
                    f"{table.place(row, COLUMNS[0])}: {count:g} does not come after {before:g}; the rows are"
                    " repeated or out of order."
                )
            before = count
        for j, column in enumerate(layout.columns):
            rows[i, j] = table.number(row, column, COLUMNS[j + 1], LARGEST_PLACE)
    if layout.number is None and not named and _counts_rows(rows):
        raise InputError(
            f"{table.place(body[0])}: 12 columns of which the first counts the rows; one of the 12 numbers of"
            " position, front, left and up is missing."
        )
    return rows


def _meets_itself(positions: Array) -> bool:
    steps = np.diff(positions, axis=0)
    spacing = float(np.median(np.linalg.norm(steps, axis=1)))
    gap = positions[0] - positions[-1]
    size = float(np.linalg.norm(gap))
    if size <= 1e-3:
        return True
    headings = (steps[0] @ gap, steps[-1] @ gap)
    return size <= CLOSING_GAPS * spacing and headings[0] > 0.0 and headings[1] > 0.0


def read_nl2_csv(
    path: str | Path,
    *,
    name: str | None = None,
    closed: bool | None = None,
    tolerance: float = 0.005,
    gauge: float = 1.0,
) -> Track:
    """Track with one table section from a NoLimits 2 spline CSV file.

    name: of the track, None takes the file name. closed: None decides by whether the end meets the start.
    tolerance (m): of the fit made when the track is built. Left and front columns of zeros are not used: then
    the roll comes from up; with up also zero the roll is free.
    Raises InputError naming file, line and column.
    """
    file = Path(path)
    return track_from_text(
        text_of(file, LARGEST_FILE, "a NoLimits 2 spline CSV"),
        str(file),
        name=name or name_of(file),
        closed=closed,
        tolerance=tolerance,
        gauge=gauge,
    )


def track_from_text(
    text: str,
    where: str,
    *,
    name: str = "imported",
    closed: bool | None = None,
    tolerance: float = 0.005,
    gauge: float = 1.0,
) -> Track:
    """As `read_nl2_csv`, from the text of the file; where: the name used in messages."""
    rows = parse_rows(text, where)
    check_size(where, length=float(np.linalg.norm(np.diff(rows[:, :3], axis=0), axis=1).sum()))
    if len(rows) < 6:
        raise InputError(f"{where}: only {len(rows)} rows; a track needs at least 6.")
    positions, left, up = z_up(rows[:, :3]), z_up(rows[:, 6:9]), z_up(rows[:, 9:12])
    orientation = {}
    for key, vectors in (("up", up), ("left", left)):
        sizes = np.linalg.norm(vectors, axis=1)
        if np.all(sizes > 0.5):
            orientation = {key: vectors.tolist()}
            break
        if np.any(sizes > 0.5):
            row = int(np.argmin(sizes)) + 1
            raise InputError(f"{where}, row {row}: the {key} vector is zero although others are given.")
    given = {"positions": positions.tolist(), "tolerance": tolerance, **orientation}
    meets = _meets_itself(positions) if closed is None else closed
    return table_track(where, given, name=name, closed=meets, gauge=gauge)


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
    return with_side_file(track, side, path, name)


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


FORMAT = Format(
    "nl2",
    "NoLimits 2 spline CSV",
    (".csv", ".dat"),
    read,
    write,
    "Rows of position and frame; section borders, names and devices go to a side file next to it.",
    SPACING,
    columns=len(COLUMNS),
    any_ending=True,
)
