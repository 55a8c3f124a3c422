"""The tables of the thesis as a format: input rows x y z, n, b in; the 37-column table of each rail out."""

from __future__ import annotations

from pathlib import Path

from core.exchange.common import Imported, ReadOptions, Report, WriteOptions, spacing_of, write_text
from core.exchange.thesis_table import read_thesis_input, table_text, thesis_table
from core.track.build import BuiltTrack

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


def write(built: BuiltTrack, path: Path, options: WriteOptions) -> Report:
    """Write the 37-column table of each rail (Viegas 2016, figure 3.2), side put before the ending of `path`.

    Raises InputError for a spacing out of range or when a file cannot be written.
    """
    spacing = spacing_of(options, SPACING, built)
    files, told = [], []
    for side, rail in RAILS.items():
        table = thesis_table(built.paths[rail], spacing)
        file = rail_file(path, side)
        write_text(file, table_text(table))
        files.append(file)
        told.append(f"{file.name}: {len(table)} rows, {built.paths[rail].length:.3f} m.")
    told.append("Positions and derivatives are those of the path tables the ride uses, to 16 digits.")
    return Report(tuple(files), tuple(told))
