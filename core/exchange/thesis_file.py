"""The tables of the thesis as a format: input rows x y z, n, b in; the 37-column table of each rail out."""

from __future__ import annotations

from pathlib import Path

from ..base.atomic import is_stream
from ..track.build import BuiltTrack
from .common import (
    Imported,
    ReadOptions,
    Report,
    WriteOptions,
    spacing_of,
    write_text,
)
from .thesis_table import read_thesis_input, table_text, thesis_table

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
    """Write the table of each rail with rows `step` (m) apart, to files named after `out`, or one after the other to a
    device or pipe. Returns file, rows and length (m) of each. Raises InputError."""
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
    told = [f"{file.name}: {rows} rows, {length:.3f} m." for file, rows, length in written]
    told.append("Positions and derivatives are those of the path tables the ride uses, to 16 digits.")
    return Report(tuple(dict.fromkeys(file for file, _, _ in written)), tuple(told))
