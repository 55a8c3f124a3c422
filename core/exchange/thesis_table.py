"""The tables of the thesis as a format: input rows x y z, n, b in; the 37-column table of each rail out."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..base.arrays import Array
from ..base.atomic import is_stream, replacing
from ..base.delimited import table_of, text_of
from ..base.errors import InputError
from ..track.build import BuiltTrack
from ..track.description import Track
from ..track.path import COLUMNS, PathTable, table_of_path
from .base import (
    Format,
    Imported,
    ReadOptions,
    Report,
    WriteOptions,
    name_of,
    spacing_of,
    table_track,
    write_text,
)

_VECTORS = ("", "d1", "d2", "t", "t1", "t2", "n", "n1", "n2", "b", "b1", "b2")
COLUMN_NAMES = ("L", *(f"{name}{axis}" for name in _VECTORS for axis in "xyz"))
LARGEST = 1e7  # m, and of directions
LARGEST_FILE = 50_000_000
MAX_ROWS = 100_000


def thesis_table(path: PathTable, step: float = 0.2) -> Array:
    """The 37 columns of a path every `step` m: L, x y z, d1 and d2 by L, t t' t'', n n' n'', b b' b''.

    Returns (rows, 37), SI, world axes; the last row is the end of the path. Raises InputError for a step
    that is not between 1 mm and the length.
    """
    return table_of_path(path, step)


def table_text(table: Array) -> str:
    """A 37-column table (rows, 37) as text: one header line of column names, then one row a line."""
    lines = ["# " + " ".join(COLUMN_NAMES)]
    lines += [" ".join(format(value, ".16e") for value in row) for row in table.tolist()]
    return "\n".join(lines) + "\n"


def write_thesis_table(path: PathTable, file: str | Path, step: float = 0.2) -> None:
    """Write the 37-column table of a path as text; an existing file is replaced only when all is written."""
    text = table_text(thesis_table(path, step))
    with replacing(Path(file)) as part:
        part.write_text(text, encoding="utf-8")


def parse_numbers(text: str, where: str, width: int) -> Array:
    """Rows of `width` numbers from text, (rows, width).

    Blank lines and lines starting with # are skipped, as is one line of column names at the top; columns are
    separated by blanks, tabs, commas or semicolons. where: name used in messages.
    Raises InputError naming line and column.
    """
    table = table_of(text, where, blanks=True, most=MAX_ROWS)
    if not table.rows:
        raise InputError(f"{where}: there is no row of numbers; expected {width} columns.")
    return np.array(table.numbers(range(1, width + 1)))


def read_thesis_table(file: str | Path) -> Array:
    """Read a 37-column table written by `write_thesis_table`, (rows, 37).

    Raises InputError naming line and column, or when L does not increase.
    """
    return parse_thesis_table(text_of(Path(file), LARGEST_FILE, "a table of numbers"), str(file))


def parse_thesis_table(text: str, where: str) -> Array:
    """As `read_thesis_table`, from the text of the file; where: the name used in messages."""
    table = parse_numbers(text, where, COLUMNS)
    back = np.flatnonzero(np.diff(table[:, 0]) <= 0.0)
    if len(back):
        raise InputError(f"{where}: the length L in row {int(back[0]) + 2} does not increase; sort the rows.")
    return table


def track_from_rows(
    rows: Array, where: str, *, name: str, closed: bool = False, gauge: float = 1.0, tolerance: float = 0.005
) -> Track:
    """Track with one table section from the input rows of the thesis: x y z, n, b.

    rows (k, 9): position (m) and the normal and binormal of the track, world axes. n lies across the track; it
    is the left vector when b of the first row points up and the right vector when it points down.
    Raises InputError naming the row in which n and b are not two directions.
    """
    far = np.flatnonzero(np.abs(rows).max(axis=1) > LARGEST)
    if len(far):
        raise InputError(f"{where}, row {int(far[0]) + 1}: a number is beyond {LARGEST:g}; check it.")
    n, b = rows[:, 3:6], rows[:, 6:9]
    sizes = np.linalg.norm(n, axis=1) * np.linalg.norm(b, axis=1)
    sine = np.linalg.norm(np.cross(n, b), axis=1)
    bad = np.flatnonzero(sine <= 0.5 * sizes)
    if len(bad):
        raise InputError(f"{where}, row {int(bad[0]) + 1}: n and b must be two directions across the track.")
    left = n if b[0, 2] >= 0.0 else -n
    section = {"positions": rows[:, :3].tolist(), "left": left.tolist(), "tolerance": tolerance}
    return table_track(where, section, name=name, closed=closed, gauge=gauge)


def read_thesis_input(
    file: str | Path,
    *,
    name: str | None = None,
    closed: bool = False,
    gauge: float = 1.0,
    tolerance: float = 0.005,
) -> Track:
    """Track from a text file of rows x y z nx ny nz bx by bz (Viegas 2016, table 3.1); see `track_from_rows`."""
    rows = parse_numbers(text_of(Path(file), LARGEST_FILE, "a table of numbers"), str(file), 9)
    return track_from_rows(
        rows, str(file), name=name or name_of(Path(file)), closed=closed, gauge=gauge, tolerance=tolerance
    )


SPACING = 0.2  # m, as in the thesis
RAILS = {"left": "left_rail", "right": "right_rail"}


def read(path: Path, options: ReadOptions) -> Imported:
    """Track from rows x y z nx ny nz bx by bz (Viegas 2016, table 3.1). Raises InputError naming line and column."""
    track = read_thesis_input(
        path,
        name=options.name,
        closed=bool(options.closed),
        gauge=options.gauge,
        tolerance=options.tolerance,
    )
    return Imported(track)


def rail_file(out: Path, side: str) -> Path:
    """The file of a rail: `side` is put before the ending of `out`."""
    return out.with_name(f"{out.stem}.{side}{out.suffix}")


def write_rails(built: BuiltTrack, out: Path, step: float) -> tuple[tuple[Path, int, float], ...]:
    """Write the table of each rail.

    Parameters
    ----------
    built
        The track.
    out
        Files are named after it; a device or a pipe gets one after the other.
    step
        m, from row to row.

    Returns
    -------
    File, rows and length (m) of each.

    Raises
    ------
    InputError
        For a step that does not fit the track, and for files that cannot be written.
    """
    made = []
    for side, rail in RAILS.items():
        table = thesis_table(built.paths[rail], step)
        file = out if is_stream(out) else rail_file(out, side)
        made.append((file, table_text(table), len(table), built.paths[rail].length))
    if is_stream(out):
        write_text(out, "".join(text for _, text, _, _ in made))
    else:
        for file, text, _, _ in made:
            write_text(file, text)
    return tuple((file, rows, length) for file, _, rows, length in made)


def write(built: BuiltTrack, path: Path, options: WriteOptions) -> Report:
    """Write the 37-column table of each rail (Viegas 2016, figure 3.2), side put before the ending of `path`.

    Raises InputError for a spacing out of range or when a file cannot be written.
    """
    spacing = spacing_of(options, SPACING, built)
    written = write_rails(built, path, spacing)
    messages = [f"{file.name}: {rows} rows, {length:.3f} m." for file, rows, length in written]
    messages.append("Positions and derivatives are those of the path tables the ride uses, to 16 digits.")
    return Report(tuple(dict.fromkeys(file for file, _, _ in written)), tuple(messages))


FORMAT = Format(
    "table",
    "Thesis table",
    (".txt",),
    read,
    write,
    "Read: rows x y z, n, b. Written: the 37-column table of each rail.",
    SPACING,
    columns=9,
)
