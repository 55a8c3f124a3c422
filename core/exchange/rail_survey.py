"""A survey of rails from a table: station along the centreline, each rail's offset to the left and up, all in m."""

from __future__ import annotations

from pathlib import Path

from ..base.delimited import table_of, text_of
from ..base.errors import InputError
from ..track.as_built import Row

COLUMNS = ("station", "left_rail_left", "left_rail_up", "right_rail_left", "right_rail_up")
LARGEST_TABLE = 64 * 10**6
LARGEST = 1.0  # m; a rail that is further off has another drawing, or other units


def read_survey(file: Path) -> tuple[Row, ...]:
    """Rows of a survey, five columns (COLUMNS) in m. Raises InputError naming the file and the line, for stations that
    do not increase, and for offsets of more than LARGEST."""
    table = table_of(
        text_of(file, LARGEST_TABLE, f"a survey of rails: five columns in m, {', '.join(COLUMNS)}"), str(file)
    )
    found: list[Row] = []
    for row in table.rows:
        table.check_width(row, len(COLUMNS), of="five numbers, " + ", ".join(COLUMNS))
        station = table.number(row, 0, COLUMNS[0])
        a, b, c, d = (table.number(row, k, COLUMNS[k]) for k in range(1, 5))
        if max(map(abs, (a, b, c, d))) > LARGEST:
            raise InputError(f"{table.place(row)}: a rail is more than {LARGEST:g} m off; give offsets in m.")
        if station < 0.0 or (found and station <= found[-1][0]):
            raise InputError(
                f"{table.place(row)}: the station does not increase; sort the rows, and begin at 0 m."
            )
        found.append((station, a, b, c, d))
    if len(found) < 2:
        raise InputError(f"{file}: a survey needs two rows at least.")
    return tuple(found)
