"""The text of an accelerometer file as a table of numbers: encoding, separator, header, cells, dates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from pathlib import Path

import numpy as np

from ..base.arrays import Array, Integers
from ..base.delimited import SEPARATORS, cells_of, lines_of, number_of, separator_of, text_of
from ..base.errors import InputError
from .csv_columns import (
    ACCELERATION_UNITS,
    NAMES,
    ROTATION_UNITS,
    TIME_UNITS,
    Column,
    mapped_columns,
    numbered_columns,
    read_header,
)
from .grid import MAX_SAMPLES

#: Part of the rows that may be left out, and how many of them are named.
MAX_DROPPED = 0.05
MAX_NAMED = 5
#: Bytes of a file and columns of a row; two million samples of seven columns take half of that.
MAX_BYTES = 300_000_000
MAX_COLUMNS = 1000
#: What a gigabyte of memory is enough for: rows, and numbers that are used of them.
MAX_ROWS = MAX_SAMPLES
MAX_NUMBERS = 12_500_000
#: Bytes that reading takes for each of the file and for each row, and how many of them there may be.
READING = (3, 170)
MAX_READING = 800_000_000
CHUNK = 1 << 20
MAX_ABOVE = 50  # lines above a table
UNITS = {*ACCELERATION_UNITS, *ROTATION_UNITS, *TIME_UNITS, "-", "1", "m", "m/s", "km/h", "°c", "v", "hpa"}
HALF_DAY, DAY = 43_200.0, 86_400.0


@dataclass(frozen=True)
class Table:
    """columns by their name in NAMES; data (n, 4 or 7) as written, in the order of NAMES; rows (n,) in the file; dated
    when the time column held dates or times of day, which are in s from the first row then; notes what was found."""

    columns: dict[str, Column]
    data: Array
    rows: Integers
    dated: bool
    notes: tuple[str, ...]


def read_table(file: Path, separator: str | None = None, mapping: Mapping[str, str] | None = None) -> Table:
    """The numbers of a file.

    separator None looks for one; mapping: which column (its number from 1, or its name) is which of NAMES, for those
    that are not found by their names. Rows that are no numbers, empty in a cell, cut short or the header again are left
    out and counted, up to MAX_DROPPED of all. Raises InputError naming file, row and column, and beyond that share all
    reasons at once.
    """
    if separator is not None and separator not in (*SEPARATORS, " "):
        raise InputError(f"The separator must be a comma, semicolon, tab, bar or space, found {separator!r}.")
    lines = _lines(file)
    if separator == " ":
        lines = [(row, " ".join(line.split())) for row, line in lines]
    above = _above_the_table(lines, separator)
    delimiter = separator or _delimiter(file, *lines[0])
    header = lines[0][1]
    if header.count(delimiter) >= MAX_COLUMNS:
        raise InputError(
            f"{file.name}, row {lines[0][0]}: has {header.count(delimiter) + 1} columns (allowed {MAX_COLUMNS}); are"
            " the rows on lines of their own, and is this the separator?"
        )
    _without_last_separator(lines, delimiter)
    columns, notes, width = _columns(file, lines, delimiter, mapping)
    notes = (*above, *notes)
    if len(lines) < 2:
        raise InputError(f"{file.name} has only {len(lines)} row of numbers; at least 2 are needed.")
    if len(lines) * sum(name in columns for name in NAMES) > MAX_NUMBERS:
        raise _too_long(file, len(lines))
    try:
        times, data = _values(file, lines, delimiter, columns, width)
    except InputError as error:
        lines, dropped = _sound(file, lines, delimiter, columns, width, header)
        if not dropped or len(lines) < 2:
            raise
        whole = len(lines) + sum(map(len, dropped.values()))
        told = "; ".join(f"{len(rows)} {reason} ({_some(rows)})" for reason, rows in dropped.items())
        if whole - len(lines) > MAX_DROPPED * whole:
            raise InputError(
                f"{str(error).rstrip('.')}. Of {whole} rows {whole - len(lines)} cannot be used (allowed are "
                f"{100.0 * MAX_DROPPED:g} %): {told}."
            ) from None
        notes += (f"WARNING: {whole - len(lines)} of {whole} rows left out: {told}.",)
        times, data = _values(file, lines, delimiter, columns, width)
    if times is not None:
        data = np.column_stack([times, data])
        notes += ("Time counted from the first row; the column holds dates or times of day.",)
    return Table(columns, data, np.array([row for row, _ in lines]), times is not None, notes)


def _values(
    file: Path, lines: list[tuple[int, str]], delimiter: str, columns: dict[str, Column], width: int
) -> tuple[Array | None, Array]:
    """Times from dates or None, and the columns of numbers."""
    times = _dates(file, lines, delimiter, columns["t"], width)
    wanted = [columns[name] for name in NAMES[1 if times is not None else 0 :] if name in columns]
    return times, _numbers(file, lines, delimiter, wanted, width)


def _sound(
    file: Path,
    lines: list[tuple[int, str]],
    delimiter: str,
    columns: dict[str, Column],
    width: int,
    header: str,
) -> tuple[list[tuple[int, str]], dict[str, list[int]]]:
    """The rows that can be read, and the numbers of the others by reason."""
    kept: list[tuple[int, str]] = []
    dropped: dict[str, list[int]] = {}
    dated: bool | None = None
    for row, line in lines:
        cells = _cells(file, row, line, delimiter)
        reason = ""
        if line == header and kept:
            reason = "the header again"
        elif len(cells) != width:
            reason = "cut short" if len(cells) < width else "with a cell too many"
        else:
            date = _seconds(cells[columns["t"].index], None) is not None
            dated = date if dated is None else dated
            numbers = [c for name, c in columns.items() if name != "t" or not dated]
            empty = [c for c in numbers if not cells[c.index].strip()]
            wrong = [c for c in numbers if number_of(cells[c.index], delimiter) is None]
            if empty:
                reason = "with an empty cell"
            elif wrong or date != dated:
                reason = "with a cell that is no finite number"
        if reason:
            dropped.setdefault(reason, []).append(row)
        else:
            kept.append((row, line))
    return kept, dropped


def _some(rows: list[int]) -> str:
    """The numbers of rows, the first few of many."""
    shown = ", ".join(map(str, rows[:MAX_NAMED]))
    return f"row{'s' if len(rows) > 1 else ''} {shown}{' ...' if len(rows) > MAX_NAMED else ''}"


def _dates(
    file: Path, lines: list[tuple[int, str]], delimiter: str, column: Column, width: int
) -> Array | None:
    """Times in s from the first row when the first cell is a date or a time of day; None when it is a number."""
    cells = [_cells(file, row, line, delimiter) for row, line in lines[:1]]
    if len(cells[0]) != width or _seconds(cells[0][column.index], None) is None:
        return None
    out = np.empty(len(lines))
    base: datetime | None = None
    for k, (row, line) in enumerate(lines):
        parts = line.split(delimiter) if '"' not in line else _cells(file, row, line, delimiter)
        text = parts[column.index] if column.index < len(parts) else ""
        found = _seconds(text, base)
        if found is None:
            raise InputError(
                f"{file.name}, row {row}, column {column.label}: expected a date or time like the rows before, found "
                f"{text[:40]!r}."
            )
        out[k], base = found
    # A clock that shows the time of day only starts again at midnight.
    out[1:] += DAY * np.cumsum(np.diff(out) < -HALF_DAY)
    return np.asarray(out - out[0])


def _seconds(cell: str, base: datetime | None) -> tuple[float, datetime | None] | None:
    """Seconds of a date (from `base`, or itself when there is none yet) or of a time of day; None for anything else."""
    text = cell.strip().replace(",", ".")
    if ":" not in text:
        return None
    try:
        clock = time.fromisoformat(text)
        return clock.hour * 3600.0 + clock.minute * 60.0 + clock.second + clock.microsecond * 1e-6, None
    except ValueError:
        pass
    try:
        date = datetime.fromisoformat(text)
        start = date if base is None else base
        return (date - start).total_seconds(), start
    except (ValueError, TypeError):
        return None


def _refuse_long(file: Path) -> None:
    """Raise InputError for a record that would take more than a gigabyte, before it is read: its lines are counted."""
    try:
        if not file.is_file():
            return
        rows = 0
        with file.open("rb") as stream:
            while chunk := stream.read(CHUNK):
                rows += chunk.count(b"\n")
            size = stream.tell()
    except (OSError, ValueError):
        return  # told by what reads it
    if rows > MAX_ROWS or READING[0] * size + READING[1] * rows > MAX_READING:
        raise _too_long(file, rows)


def _too_long(file: Path, rows: int) -> InputError:
    return InputError(
        f"{file.name}: has {rows / 1e6:.3g} million rows, {rows / 60e3:.3g} minutes at 1000 a second, more than can be"
        f" judged at once (up to {MAX_ROWS / 1e6:g} million, fewer with many columns); cut out the ride, or thin the"
        " record out through a filter."
    )


def _lines(file: Path) -> list[tuple[int, str]]:
    """Lines that hold something, with their row numbers in the file."""
    _refuse_long(file)
    # Older loggers write the superscript of m/s² in the Windows code page.
    text = text_of(file, MAX_BYTES, "a record as CSV, or one to be thinned out", code_page=True)
    # A logger that lost its power leaves a block of zeros: rows with some of them are bad ones, and counted.
    lines = lines_of(text.rstrip("\x00").replace("\x00", "?"))
    if not lines:
        raise InputError(f"{file.name} is empty; expected rows of t, ax, ay, az.")
    return lines


def _above_the_table(lines: list[tuple[int, str]], separator: str | None) -> tuple[str, ...]:
    """Take off what loggers write above the header, lines of fewer than four cells; a note on them."""
    known = SEPARATORS if separator is None else (separator,)
    found = (k for k, (_, line) in enumerate(lines[:MAX_ABOVE]) if any(line.count(one) >= 3 for one in known))
    first = next(found, 0)
    rows = [row for row, _ in lines[:first]]
    del lines[:first]
    return (f"Lines above the table left out: {_some(rows)}.",) if rows else ()


def _without_last_separator(lines: list[tuple[int, str]], delimiter: str) -> None:
    """Rows that end with separators behind which nothing comes, and a header that does not: without them."""
    width = lines[0][1].count(delimiter)
    first = lines[1][1] if len(lines) > 1 else ""
    more = first.count(delimiter) - width
    if more < 1 or not first.endswith(more * delimiter) or lines[0][1].endswith(delimiter):
        return
    for k, (row, line) in enumerate(lines):
        if k > 0 and line.endswith(more * delimiter) and line.count(delimiter) == width + more:
            lines[k] = (row, line[: -more * len(delimiter)])


def _with_units(cells: list[str], lines: list[tuple[int, str]], delimiter: str) -> list[str]:
    """The cells of a header joined with those of a row of units below it, which is taken off the lines."""
    units = [cell.strip().strip("[]()").lower() for cell in lines[1][1].replace('"', "").split(delimiter)]
    if len(units) != len(cells) or not all(unit in UNITS or not unit for unit in units) or not any(units):
        return cells
    del lines[1]
    return [
        f"{cell.strip()} ({unit})" if unit and cell.strip() else cell
        for cell, unit in zip(cells, units, strict=True)
    ]


def _delimiter(file: Path, row: int, line: str) -> str:
    found = separator_of(line, 3)
    if found is not None:
        return found
    raise InputError(
        f"{file.name}, row {row}: expected at least 4 columns (t, ax, ay, az) separated by comma, semicolon, "
        f"tab or bar, found {line[:60]!r}."
    )


def _columns(
    file: Path, lines: list[tuple[int, str]], delimiter: str, mapping: Mapping[str, str] | None
) -> tuple[dict[str, Column], tuple[str, ...], int]:
    """Columns by name; takes the header off the lines."""
    row, first = lines[0]
    cells = _cells(file, row, first, delimiter)
    first_row = [number_of(cell, delimiter) is not None for cell in cells]
    if _seconds(cells[0], None) is not None:
        first_row[0] = True
    if all(first_row):
        if mapping:
            return mapped_columns(f"{file.name}, row {row}", [""] * len(cells), mapping), (), len(cells)
        return (
            numbered_columns(f"{file.name}, row {row}", len(cells)),
            ("No header: columns in the usual order.",),
            len(cells),
        )
    cells = cells if len(lines) < 2 else _with_units(cells, lines, delimiter)
    columns, left_out = read_header(f"{file.name}, row {row}", cells, mapping)
    del lines[0]
    if len(lines) < 2:
        raise InputError(
            f"{file.name} has {len(lines)} row(s) of numbers under its header; at least 2 are needed."
        )
    return columns, (f"Columns left out: {', '.join(left_out)}.",) if left_out else (), len(cells)


def _numbers(
    file: Path, lines: list[tuple[int, str]], delimiter: str, wanted: Sequence[Column], width: int
) -> Array:
    """The wanted columns as an array (rows, columns)."""
    quoted = any('"' in line for _, line in lines)
    if not quoted:
        for row, line in lines:
            if line.count(delimiter) != width - 1:
                _wrong_width(file, row, line.count(delimiter) + 1, width)
        decimal = [line if delimiter == "," else line.replace(",", ".") for _, line in lines]
        try:
            data = np.loadtxt(
                decimal, delimiter=delimiter, comments=None, usecols=[c.index for c in wanted], ndmin=2
            )
        except ValueError:
            data = np.full((1, 1), np.nan)  # the careful reading below finds the cell
        if np.isfinite(data).all():
            return np.asarray(data, dtype=np.float64)
    result = np.empty((len(lines), len(wanted)))
    for k, (row, line) in enumerate(lines):
        cells = _cells(file, row, line, delimiter)
        if len(cells) != width:
            _wrong_width(file, row, len(cells), width)
        for m, column in enumerate(wanted):
            value = number_of(cells[column.index], delimiter)
            if value is None:
                raise InputError(
                    f"{file.name}, row {row}, column {column.label}: expected a finite number, "
                    f"found {cells[column.index][:40]!r}."
                )
            result[k, m] = value
    return result


def _cells(file: Path, row: int, line: str, delimiter: str) -> list[str]:
    """Cells of a line, quotes taken off."""
    try:
        return line.split(" ") if delimiter == " " and '"' not in line else cells_of(line, delimiter)
    except InputError as error:
        raise InputError(f"{file.name}, row {row}: {error}") from None


def _wrong_width(file: Path, row: int, found: int, width: int) -> None:
    raise InputError(
        f"{file.name}, row {row}, column {min(found, width) + (found > width)}: found {found} columns, "
        f"the rows before have {width}."
    )
